"""Middleware that sets the time zone and language of a request, and updates the number of cards."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

from home.context_processors import add_number, forget_number
from home.member_time import chosen_by

FOR_MACHINES = ("/api/", "/static/", "/health/")
"""Paths for machines: the API always answers in UTC and in English."""
IN_ENGLISH = "/admin/"
"""The admin site is for the operator of this installation, and uses the names of the code."""
READING = ("GET", "HEAD", "OPTIONS")

Answer = Callable[[HttpRequest], HttpResponse]


class MemberLocaleMiddleware:
    """Use the time zone and the language of the member during a request.

    Without a chosen language, the language follows the cookie, or else the browser. Unlike
    Django's own middleware, this one reads the members' preferences and restores the previous
    language.
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path.startswith(FOR_MACHINES):
            with translation.override(settings.LANGUAGE_CODE):
                return self.get_response(request)
        zone, language = chosen_by(request.user) if request.user.is_authenticated else (None, "")
        if request.path.startswith(IN_ENGLISH):
            language = settings.LANGUAGE_CODE
        request.LANGUAGE_CODE = language or translation.get_language_from_request(request)
        with timezone.override(zone), translation.override(request.LANGUAGE_CODE):
            response = self.get_response(request)
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        response.headers.setdefault("Content-Language", request.LANGUAGE_CODE)
        return response


class InboxCountMiddleware:
    """Add the number of cards to the requests of a member for pages.

    Delete the cached number of a member who has changed something, by page or API.
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(FOR_MACHINES) and request.user.is_authenticated:
            # The page cache needs it as well: a copy with another number is out of date.
            add_number(request, request.user)
        response = self.get_response(request)
        if request.method not in READING and request.user.is_authenticated:
            forget_number(request.user.pk)
        return response
