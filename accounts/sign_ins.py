"""Hide a member's pages from "back" after signing out.

A browser shows an earlier page at once, without a request. The cookie of the last sign-in or
sign-out tells such a page (static/site/js/back.js) that it is out of date. For browsers without
scripts, a header clears the cache.
"""

import secrets
from collections.abc import Callable
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.http import HttpRequest, HttpResponse

COOKIE: Final = "sign_in"
SECONDS: Final = 365 * 24 * 60 * 60
FORGET: Final = '"cache"'


class SignIns:
    """Middleware that renews a cookie at sign-in and sign-out and clears the cache afterwards."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        # A session that was ended elsewhere counts too: it is empty, and its cookie is removed.
        ended = getattr(request, "has_signed_out", False) or (
            bool(request.COOKIES.get(settings.SESSION_COOKIE_NAME)) and request.session.is_empty()
        )
        if ended:
            response.headers["Clear-Site-Data"] = FORGET
        if ended or getattr(request, "has_signed_in", False):
            # Scripts can read it: it is random and grants nothing.
            mark = secrets.token_urlsafe(9)
            response.set_cookie(COOKIE, mark, SECONDS, secure=settings.HTTPS, samesite="Lax")
        return response


def note_sign_in(request: HttpRequest | None, **_: Any) -> None:
    """Remember that a user signed in with this request."""
    if request is not None:
        request.has_signed_in = True  # type: ignore[attr-defined]


def note_sign_out(request: HttpRequest | None, **_: Any) -> None:
    """Remember that a user signed out with this request."""
    if request is not None:
        request.has_signed_out = True  # type: ignore[attr-defined]


def watch_sign_ins() -> None:
    """Connect to the signals of every sign-in and sign-out."""
    user_logged_in.connect(note_sign_in)
    user_logged_out.connect(note_sign_out)
