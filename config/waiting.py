"""Nobody queues for long: requests that write leave threads for those that read, and locks are waited for briefly.

A web process has a handful of threads. If all of them waited for one row, or judged long logs, nothing would be
answered any more, not even whether the server is alive.
"""

from collections.abc import Callable
from threading import BoundedSemaphore

from django.conf import settings
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.template.loader import render_to_string

from config import problems
from config.locks import is_lock_timeout

READING = ("GET", "HEAD", "OPTIONS", "TRACE")


BIG = 16 * 1024
"""Bytes of JSON from which on a request keeps the processor busy: some hundred entries of a log."""


class RoomToRead:
    """So many requests that write at a time in a process (``WRITERS``), and of those with much to read but one; the
    next one is sent away at once, to come again in a second. So is one that has waited too long for a lock."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.places = BoundedSemaphore(settings.WRITERS)
        self.big_place = BoundedSemaphore(1)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method in READING:
            return self.get_response(request)
        if not is_big(request):
            return self._answer(request, self.places)
        try:
            # All of it is here before the place is taken: nobody holds it by sending slowly.
            _ = request.body
        except UnreadablePostError:
            return HttpResponse(status=400)
        return self._answer(request, self.big_place)

    def _answer(self, request: HttpRequest, places: BoundedSemaphore) -> HttpResponse:
        if not places.acquire(blocking=False):
            return busy(request)
        try:
            return self.get_response(request)
        finally:
            places.release()

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return busy(request) if is_lock_timeout(error) else None


def is_big(request: HttpRequest) -> bool:
    """Whether a request brings much JSON. One that brings more than is taken at all is refused where it is read."""
    length = request.headers.get("Content-Length", "")
    size = int(length) if length.isdecimal() else 0
    return request.content_type == "application/json" and BIG <= size <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def busy(request: HttpRequest) -> HttpResponse:
    """Come again in a second: a problem for the API, a page for people."""
    if request.path.startswith("/api/"):
        return problems.json_response(problems.BUSY, request)
    return HttpResponse(render_to_string("503.html"), status=503, headers=problems.BUSY.headers)
