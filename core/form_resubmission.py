"""Carry out a form once, even if it is sent twice (docs/decisions/web.md)."""

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
    """Return the view's response to a form, or the same redirect as before if it is sent again.

    A form is done when the response is a redirect or 201. A form that is shown again with errors
    was not carried out, so its key stays valid. Requests of scripts are not counted: a script stays
    on its page and sends more of them.
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
    """Return the messages of this request so far. Django has no public way to peek at them."""
    return getattr(messages.get_messages(request), "_queued_messages", [])


def _remembered(request: HttpRequest, response: HttpResponseBase, told_before: int) -> Any:
    """Return what to repeat if the form comes again: its redirect and messages, or None."""
    if not isinstance(response, HttpResponseRedirect) and response.status_code != 201:
        return None
    messages = [
        (each.level, str(each.message), each.extra_tags)
        for each in _queued_messages(request)[told_before:]
    ]
    return {"location": response.headers.get("Location", ""), "messages": messages}


def _again(request: HttpRequest, already: SentAlready) -> HttpResponseBase:
    if already.differs:
        # The user went back in the browser and sent different values: change nothing, and keep
        # what they typed.
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
