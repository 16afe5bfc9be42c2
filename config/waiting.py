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
from config.outage import is_outage, note_outage, silent_database

READING = ("GET", "HEAD", "OPTIONS", "TRACE")
WITHOUT_DATABASE = ("/static/", "/health/")
"""What goes on, and says what is wrong, while the database is left alone."""

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
        if silent_database.is_open and not request.path.startswith(WITHOUT_DATABASE):
            return unavailable(request)
        if request.method in READING:
            return self.get_response(request)
        try:
            if length_of(request) <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
                # All of it is here before a place is taken: nobody holds one by sending slowly. What is larger
                # (files, archives) has been read to the end by the web server.
                _ = request.body
        except UnreadablePostError:
            return HttpResponse(status=400)
        return self._answer(request, self.big_place if is_big(request) else self.places)

    def _answer(self, request: HttpRequest, places: BoundedSemaphore) -> HttpResponse:
        if not places.acquire(blocking=False):
            return busy(request)
        try:
            return self.get_response(request)
        finally:
            places.release()

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return while_database_waits(request, error)


def length_of(request: HttpRequest) -> int:
    """How many bytes the body has, as the request says."""
    length = request.headers.get("Content-Length", "")
    return int(length) if length.isdecimal() else 0


def is_big(request: HttpRequest) -> bool:
    """Whether a request brings much JSON. One that brings more than is taken at all is refused where it is read."""
    size = length_of(request)
    return request.content_type == "application/json" and BIG <= size <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def while_database_waits(request: HttpRequest, error: BaseException | None) -> HttpResponse | None:
    """Return the answer to an error that says that the database is away, or a lock held for long; else None."""
    if isinstance(error, Exception) and is_lock_timeout(error):
        return busy(request)
    if error is not None and is_outage(error):
        note_outage(error)
        return unavailable(request)
    return None


def busy(request: HttpRequest) -> HttpResponse:
    """Come again in a second: a problem for the API, a page for people."""
    return _later(request, problems.BUSY, "503.html")


def unavailable(request: HttpRequest) -> HttpResponse:
    """Come again in some seconds, when the database is back. The page needs none."""
    return _later(request, problems.UNAVAILABLE, "unavailable.html")


def _later(request: HttpRequest, problem: problems.Problem, template: str) -> HttpResponse:
    if problems.is_for_programs(request):
        return problems.json_response(problem, request)
    page = render_to_string(template, {"was_read": request.method in READING})
    return HttpResponse(page, status=problem.status, headers=problem.headers)
