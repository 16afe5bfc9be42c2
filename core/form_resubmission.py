"""A form that is sent twice is carried out once (docs/decisions/sent-once.md)."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext

from core.form_keys import FIELD, key_of
from core.sent_requests import SentAlready, digest_of, do_once
from core.typed_text import is_page, keep_typed, page_of_form

OF_THE_FORM = ("csrfmiddlewaretoken", FIELD)


def answer_once(request: HttpRequest, view: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """What the view answers to a form; sent again, the form leads to where it led before, and does
    nothing.

    A form is done when it was answered by a redirect or by 201; one that is shown again with its
    errors has not been carried out, and its key still counts. What scripts send is not counted:
    they stay on their page and send more.
    """
    user = request.user
    if request.method != "POST" or not user.is_authenticated or not is_page(request):
        return view()
    key = key_of(request.POST.get(FIELD, ""), user.pk)
    if not key:
        return view()
    told_before = len(_queued_messages(request))
    try:
        return do_once(
            user=user,
            path=request.path,
            key=key,
            digest=_digest(request),
            verb=view,
            answer_of=lambda response: _remembered(request, response, told_before),
        )
    except SentAlready as already:
        return _again(request, already)


def _digest(request: HttpRequest) -> str:
    fields = [(name, values) for name, values in request.POST.lists() if name not in OF_THE_FORM]
    files = [
        (name, file.name, file.size)
        for name, files in request.FILES.lists()
        for file in files
        if isinstance(file, UploadedFile)
    ]
    return digest_of([*sorted(fields), *sorted(files)])


def _queued_messages(request: HttpRequest) -> list[Any]:
    """The messages of this request so far. Django has no public way to read them without using them
    up."""
    return getattr(messages.get_messages(request), "_queued_messages", [])


def _remembered(request: HttpRequest, response: HttpResponseBase, told_before: int) -> Any:
    """What is repeated when the form comes again: where it led, and what was said."""
    if not isinstance(response, HttpResponseRedirect) and response.status_code != 201:
        return None
    messages = [
        (each.level, str(each.message), each.extra_tags)
        for each in _queued_messages(request)[told_before:]
    ]
    return {"location": response.headers.get("Location", ""), "messages": messages}


def _again(request: HttpRequest, already: SentAlready) -> HttpResponseBase:
    if already.differs:
        # Somebody went back in the browser, typed something else and sent it: nothing is done, and
        # nothing lost.
        keep_typed(request, request.user.pk)
        messages.warning(
            request, gettext("This form was already sent once. To create another, send it again.")
        )
        return redirect(page_of_form(request))
    answer = already.answer or {"location": "", "messages": []}
    for severity, text, tags in answer["messages"]:
        messages.add_message(request, severity, text, extra_tags=tags)
    if not answer["location"]:
        messages.warning(
            request, gettext("This form was already sent once. What it created is shown only once.")
        )
    return redirect(answer["location"] or page_of_form(request))
