"""After signing out, "back" shows nobody the pages of a member.

A browser shows a page from before at once, without asking. The cookie of the last sign-in or
sign-out tells such a page (static/site/js/back.js) that it is out of date; without scripts the
browser is told to forget what it keeps.
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
    """Gives the browser a new mark at each sign-in and sign-out, and makes it forget pages when a
    session ends."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        # Also a session that was ended elsewhere: it turns out empty, and its cookie is taken away.
        ended = getattr(request, "has_signed_out", False) or (
            bool(request.COOKIES.get(settings.SESSION_COOKIE_NAME)) and request.session.is_empty()
        )
        if ended:
            response.headers["Clear-Site-Data"] = FORGET
        if ended or getattr(request, "has_signed_in", False):
            # Scripts read it: it is random, and opens nothing.
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
    """Hear of every sign-in and sign-out."""
    user_logged_in.connect(note_sign_in)
    user_logged_out.connect(note_sign_out)
