"""Restore text that a user typed into a form that could not be accepted.

It is filled in again after signing in, or on a fresh page. The text is kept in the session for an
hour, only for the account that the form was made for, and never sent automatically
(docs/decisions/web.md). Passwords, secrets and files are not kept.
"""

import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render, resolve_url
from django.template.loader import render_to_string
from django.utils.translation import gettext

from core.api.problems import SECRETIVE
from core.fill_in import Filled, fill_in
from core.form_keys import FIELD, author_of

SESSION_KEY = "typed"
FOR_MACHINES = ("/api/", "/static/", "/health/")
SECONDS = 3600
MAX_FORMS = 5
MAX_LETTERS = 100_000
"""The maximum length of all forms together. A battle report may have 20,000 characters, a pasted
roster more."""


def page_of_form(request: HttpRequest) -> str:
    """Return the page that the form was sent from, with its query, or "/" if it is unknown."""
    referer = urlsplit(request.headers.get("Referer", ""))
    if referer.netloc != request.get_host() or referer.path == resolve_url(settings.LOGIN_URL):
        return "/"
    return f"{referer.path}?{referer.query}" if referer.query else referer.path


def keep_typed(request: HttpRequest, author: int | None) -> bool:
    """Keep the text typed into this request's form, for its author.

    Returns False if it is too long or has no author.
    """
    fields = [
        (name, values)
        for name, values in request.POST.lists()
        if name not in ("csrfmiddlewaretoken", FIELD)
        and not any(word in name.lower() for word in SECRETIVE)
    ]
    if author is None or not fields:
        return False
    path = urlsplit(page_of_form(request)).path
    before = [(other, each) for other, each in _kept(request).items() if other != path]
    typed = {"user": author, "action": request.path, "fields": fields, "at": time.time()}
    stored = dict([*before[1 - MAX_FORMS :], (path, typed)])
    if sum(map(_letters, stored.values())) > MAX_LETTERS:
        return False
    request.session[SESSION_KEY] = stored
    return True


class TypedTextComesBack:
    """Middleware that keeps forms sent while signed out and fills them in when shown again."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path.startswith(FOR_MACHINES):
            return self.get_response(request)
        if request.method == "POST":
            return self._sent(request)
        response = self.get_response(request)
        if (
            request.method == "GET"
            and SESSION_KEY in request.session
            and request.user.is_authenticated
        ):
            return _with_typed(request, response)
        return response

    def _sent(self, request: HttpRequest) -> HttpResponseBase:
        before = request.session.get(SESSION_KEY)
        response = self.get_response(request)
        if request.user.is_authenticated:
            # Text that was kept during this request must come back on the next page.
            if before and before == request.session.get(SESSION_KEY) and not _shows_form(response):
                _forget_sent(request)
        elif _leads_to_sign_in(request, response):
            if keep_typed(request, author_of(request.POST.get(FIELD, ""))):
                sentence = gettext(
                    "You were signed out, so this was not saved. Sign in, and your entries will "
                    "be back in the form."
                )
            else:
                sentence = gettext("You were signed out, so this was not saved.")
            messages.warning(request, sentence)
        return response


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return the page for a form with an outdated CSRF token.

    Mostly, the user has signed in again in another tab.
    """
    author = author_of(request.POST.get(FIELD, ""))
    reader = request.user.pk if request.user.is_authenticated else author
    is_stored = is_page(request) and author == reader and keep_typed(request, author)
    context = {"kept": is_stored, "page": page_of_form(request)}
    return render(request, "403_csrf.html", context, status=403)


def is_page(request: HttpRequest) -> bool:
    """Return whether a browser shows the response as a page, not to one of our scripts."""
    return (
        "HX-Request" not in request.headers
        and request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate"
    )


def _leads_to_sign_in(request: HttpRequest, response: HttpResponseBase) -> bool:
    login = resolve_url(settings.LOGIN_URL)
    to_login = response.status_code == 302 and urlsplit(response.headers["Location"]).path == login
    return to_login and request.path != login and is_page(request)


def _shows_form(response: HttpResponseBase) -> bool:
    """Return whether the response shows the form again with its errors."""
    return response.status_code in (200, 400, 409)


def _letters(typed: dict[str, Any]) -> int:
    return sum(len(name) + len(value) for name, values in typed["fields"] for value in values)


def _kept(request: HttpRequest) -> dict[str, Any]:
    """Return the kept texts that have not expired, by the path of their page."""
    stored: dict[str, Any] = request.session.get(SESSION_KEY, {})
    return {path: each for path, each in stored.items() if time.time() - each["at"] < SECONDS}


def _keep(request: HttpRequest, stored: dict[str, Any]) -> None:
    if stored:
        request.session[SESSION_KEY] = stored
    else:
        request.session.pop(SESSION_KEY, None)


def _forget_sent(request: HttpRequest) -> None:
    """Drop the text kept for a form after the form was sent."""
    stored = _kept(request)
    _keep(request, {path: each for path, each in stored.items() if each["action"] != request.path})


def _with_typed(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    stored = {
        path: each for path, each in _kept(request).items() if each["user"] == request.user.pk
    }
    if stored != request.session[SESSION_KEY]:
        # Drop expired texts and those of another account: whoever signs in now must not see them.
        _keep(request, stored)
    typed = stored.get(request.path)
    is_html = response.status_code == 200 and response.headers.get("Content-Type", "").startswith(
        "text/html"
    )
    if typed is None or not is_html or response.streaming or "HX-Request" in request.headers:
        return response
    page = response.content.decode(response.charset)  # type: ignore[attr-defined]
    filled = fill_in(page, request.path, typed["action"], dict(typed["fields"]))
    response.content = _with_notice(request, filled)  # type: ignore[attr-defined]
    if "Content-Length" in response.headers:
        response.headers["Content-Length"] = str(len(response.content))  # type: ignore[attr-defined]
    return response


def _with_notice(request: HttpRequest, filled: Filled) -> str:
    notice = render_to_string("parts/typed.html", {"filled": filled}, request)
    return filled.page[: filled.place] + notice + filled.page[filled.place :]
