"""Around every request: times in the zone of whoever looks, and a number of cards that follows what one does."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from inbox.badge import forget_number
from inbox.clock import zone_name

IN_UTC = ("/api/", "/static/", "/health/")
"""What answers to machines: the API tells times in UTC, whoever asks."""
READING = ("GET", "HEAD", "OPTIONS")

Answer = Callable[[HttpRequest], HttpResponse]


class OwnTimeZone:
    """Activates the time zone that a member has chosen, while a request lasts."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path.startswith(IN_UTC) or not request.user.is_authenticated:
            return self.get_response(request)
        with timezone.override(ZoneInfo(zone_name(request.user.pk))):
            return self.get_response(request)


class FreshNumber:
    """Forgets the number of cards of whoever has written something, on pages and through the API."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.method not in READING and request.user.is_authenticated:
            forget_number(request.user.pk)
        return response
