"""Around every request: times and words as whoever looks reads them, and a number that follows what
one does."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

from home.context_processors import forget_number
from home.member_time import chosen_by

FOR_MACHINES = ("/api/", "/static/", "/health/")
"""What answers to machines: the API tells times in UTC and texts in English, whoever asks."""
IN_ENGLISH = "/admin/"
"""The admin site is for whoever runs this installation, and names tables and columns as the code
does."""
READING = ("GET", "HEAD", "OPTIONS")

Answer = Callable[[HttpRequest], HttpResponse]


class MemberLocaleMiddleware:
    """Shows times in the zone that a member has chosen, and speaks their language, while a request
    lasts.

    Who has chosen no language is spoken to as the cookie says, else as the browser asks. Unlike
    Django's own middleware this one knows what members have chosen, and leaves no language behind.
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path.startswith(FOR_MACHINES):
            with translation.override(settings.LANGUAGE_CODE):
                return self.get_response(request)
        zone, language = chosen_by(request.user.pk) if request.user.is_authenticated else (None, "")
        if request.path.startswith(IN_ENGLISH):
            language = settings.LANGUAGE_CODE
        request.LANGUAGE_CODE = language or translation.get_language_from_request(request)
        with timezone.override(zone), translation.override(request.LANGUAGE_CODE):
            response = self.get_response(request)
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        response.headers.setdefault("Content-Language", request.LANGUAGE_CODE)
        return response


class InboxCountMiddleware:
    """Forgets the number of cards of whoever has written something, on pages and through the
    API."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.method not in READING and request.user.is_authenticated:
            forget_number(request.user.pk)
        return response
