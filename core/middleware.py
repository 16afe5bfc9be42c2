"""Middleware of every request: log, cache headers, answers to refused requests, and limits for
requests that write.

Requests that write leave threads for those that read, and wait for locks only briefly.
"""

import logging
import re
import time
from collections.abc import Callable
from threading import BoundedSemaphore
from urllib.parse import quote

from django.conf import settings
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponsePermanentRedirect,
    UnreadablePostError,
)
from django.middleware.common import CommonMiddleware
from django.middleware.gzip import GZipMiddleware
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.utils.http import escape_leading_slashes

from core.api import problems
from core.locks import is_lock_timeout
from core.outage import is_outage, note_outage, silent_database

REFUSED = "muster.refused"
"""In the environment of a request that the web server refuses (config.server): the status of the
answer."""
REFUSALS = {
    problem.status: problem
    for problem in (
        problems.BAD_REQUEST,
        problems.TOO_SLOW,
        problems.TOO_LARGE,
        problems.ADDRESS_TOO_LONG,
        problems.HEADERS_TOO_LARGE,
        problems.NOT_IMPLEMENTED,
        problems.BUSY,
    )
}

logger = logging.getLogger("muster.requests")

SECRET = re.compile(
    r"/(account|accounts|admin|join|unsubscribe|archives|exports|imports|passports)/"
    r"|/api/v1/(tokens|me|exports|imports|passports)/"
    r"|/(api/v1/)?(clubs/[^/]+/(invite|invitations)|invitations)/"
    r"|/(api/v1/)?campaigns/[^/]+/(order|orders)/"
    r"|/(api/v1/)?battles/[^/]+/(table/)?(secret|secrets|secret-choices)/"
)
"""Where passwords, tokens, keys, personal data, invitation links, sealed orders or secret choices
are sent or shown."""


class RequestLog:
    """Logs method, path, answer and time. Paths only: a query string may hold what somebody
    searched for."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        response = self.get_response(request)
        if not request.path.startswith(("/static/", "/health/")):
            milliseconds = round((time.perf_counter() - started) * 1000)
            facts = {"answer": response.status_code, "milliseconds": milliseconds}
            logger.info("%s %s", request.method, request.path, extra=facts)
        return response


class PackedAnswers(GZipMiddleware):
    """Django's, for text alone: pictures and documents are packed already
    (docs/decisions/packed-pages.md)."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the answer, packed if it is text and the client takes gzip."""
        kind = response.get("Content-Type", "").partition(";")[0]
        if response.streaming or not (kind.startswith("text/") or kind.endswith(("json", "xml"))):
            return response
        return super().process_response(request, response)


class RefusedRequests:
    """Answers what the web server could not or would not read to its end: a problem, or a page for
    a browser."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        status = request.META.get(REFUSED)
        response = self.get_response(request) if status is None else self._refusal(request, status)
        if not (response.streaming or response.has_header("Content-Length")):
            # What an outer middleware answers has none yet, and the web server closes a connection
            # without it.
            response.headers["Content-Length"] = str(len(response.content))
        return response

    def _refusal(self, request: HttpRequest, status: int) -> HttpResponse:
        problem = REFUSALS.get(status, problems.BAD_REQUEST)
        if problems.is_for_programs(request) or not request.accepts("text/html"):
            return problems.json_response(problem, request)
        page = render_to_string(
            "refused.html", {"status": problem.status, "sentence": problem.detail}
        )
        return HttpResponse(page, status=problem.status, headers=problem.headers)


class PrivateByDefault:
    """Says of each answer who may keep it: nobody but the browser that asked, unless a view says
    otherwise.

    A browser asks again before it shows a copy (``no-cache``), but "back" shows the page at once.
    Answers with secrets or personal data are not kept at all (``no-store``). The pages of a table
    that a device keeps for a place without a network are put by by the service worker, which does
    not go by these headers.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if SECRET.match(request.path):
            response.headers["Cache-Control"] = "private, no-store"
        response.headers.setdefault("Cache-Control", "private, no-cache")
        if request.path.startswith("/api/"):
            patch_vary_headers(response, ("Accept", "Authorization", "Cookie"))
        if "public" in response.headers["Cache-Control"] and not request.path.startswith(
            settings.STATIC_URL
        ):
            self._keep_from_others(request, response)
        return response

    def _keep_from_others(self, request: HttpRequest, response: HttpResponse) -> None:
        """What a member was answered is for this member, also at an address that is open to all."""
        user = getattr(request, "user", None)
        if user is not None and user.is_authenticated:
            response.headers["Cache-Control"] = response.headers["Cache-Control"].replace(
                "public", "private"
            )


class SameRequestElsewhere(HttpResponsePermanentRedirect):
    """308: the request shall be sent again as it was. With 301 clients make a GET of a POST, and
    lose its body."""

    status_code = 308


class Common(CommonMiddleware):
    """Django's, with that answer to an address that lacks its last stroke."""

    response_redirect_class = SameRequestElsewhere

    def process_request(self, request: HttpRequest) -> HttpResponsePermanentRedirect | None:
        """Find nothing in the admin site at an address with a NUL: it hands that to the database,
        which fails on it."""
        if request.path.startswith("/admin/") and "%00" in quote(request.path) + request.META.get(
            "QUERY_STRING", ""
        ):
            raise Http404
        return super().process_request(request)

    def get_full_path_with_slash(self, request: HttpRequest) -> str:
        """The address with its stroke. Django's raises an error for a POST while DEBUG is on: its
        301 would lose it."""
        return escape_leading_slashes(request.get_full_path(force_append_slash=True))


READING = ("GET", "HEAD", "OPTIONS", "TRACE")
WITHOUT_DATABASE = ("/static/", "/health/")
"""What goes on, and says what is wrong, while the database is left alone."""

BIG = 16 * 1024
"""Bytes of JSON from which on a request keeps the processor busy: some hundred entries of a log."""


class WriteLimitMiddleware:
    """So many requests that write at a time in a process (``WRITERS``), and of those with much to
    read but one; the next one is sent away at once, to come again in a second. So is one that has
    waited too long for a lock."""

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
                # All of it is here before a place is taken: nobody holds one by sending slowly.
                # What is larger (files, archives) has been read to the end by the web server.
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
    """Whether a request brings much JSON. One that brings more than is taken at all is refused
    where it is read."""
    size = length_of(request)
    return (
        request.content_type == "application/json"
        and BIG <= size <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    )


def while_database_waits(request: HttpRequest, error: BaseException | None) -> HttpResponse | None:
    """Return the answer to an error that says that the database is away, or a lock held for long;
    else None."""
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
