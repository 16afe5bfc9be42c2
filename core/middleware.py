"""Middleware: request log, cache headers, answers to refused requests, and limits for writes.

Requests that write leave threads free for requests that read, and wait only briefly for locks.
"""

import logging
import re
import time
from collections.abc import Callable
from contextlib import ExitStack
from threading import BoundedSemaphore
from urllib.parse import quote

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from csp.utils import build_policy
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
from core.file_stores import StoreError, note_fault
from core.locks import is_lock_timeout
from core.outage import is_outage, note_outage, silent_database

REFUSED = "muster.refused"
"""The key in the environment of a request that the web server refuses (config.server). Its value is
the status of the response."""
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
"""Matches addresses that send or show passwords, tokens, keys, personal data, invitation links,
sealed orders or secret choices."""


class RequestLog:
    """A log of method, path, status and time, without queries, which may have private searches."""

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


class ContentPolicy(CSPMiddleware):
    """django-csp's middleware, which builds the policy of most responses only once."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        super().__init__(get_response)
        self.policy = build_policy()

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the response with its policy. A view may have changed it with a decorator."""
        is_changed = any(name.startswith("_csp_") for name in (*vars(response), *vars(request)))
        if is_changed or settings.DEBUG:
            return super().process_response(request, response)
        response.headers.setdefault(HEADER, self.policy)
        return response


class PackedAnswers(GZipMiddleware):
    """Django's gzip, only for text: pictures and documents are already compressed
    (docs/decisions/web.md)."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the response, compressed if it is text and the client accepts gzip."""
        kind = response.get("Content-Type", "").partition(";")[0]
        if response.streaming or not (kind.startswith("text/") or kind.endswith(("json", "xml"))):
            return response
        return super().process_response(request, response)


class RefusedRequests:
    """Answers to requests that the web server refused or could not read completely.

    Programs get a problem in JSON, and browsers a page.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        status = request.META.get(REFUSED)
        response = self.get_response(request) if status is None else self._refusal(request, status)
        if not (response.streaming or response.has_header("Content-Length")):
            # Responses of outer middleware have no Content-Length yet, and without it the web
            # server closes the connection.
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
    """Middleware that restricts caching to the user's own browser, unless a view allows more.

    Browsers revalidate a copy before they show it (``no-cache``), but "back" shows the page at
    once. Responses with secrets or personal data are not stored at all (``no-store``). The service
    worker, which keeps the pages of a live log for use without a network, ignores these headers.
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
        """Make a public response private if a signed-in member requested it."""
        user = getattr(request, "user", None)
        if user is not None and user.is_authenticated:
            response.headers["Cache-Control"] = response.headers["Cache-Control"].replace(
                "public", "private"
            )


class SameRequestElsewhere(HttpResponsePermanentRedirect):
    """A redirect with 308, which keeps method and body: with 301, clients make a GET of a POST."""

    status_code = 308


class Common(CommonMiddleware):
    """Django's CommonMiddleware, with a 308 redirect for addresses without their last slash."""

    response_redirect_class = SameRequestElsewhere

    def process_request(self, request: HttpRequest) -> HttpResponsePermanentRedirect | None:
        """Raise Http404 for admin addresses with a NUL: the admin passes it to the database, which
        fails."""
        if request.path.startswith("/admin/") and "%00" in quote(request.path) + request.META.get(
            "QUERY_STRING", ""
        ):
            raise Http404
        return super().process_request(request)

    def get_full_path_with_slash(self, request: HttpRequest) -> str:
        """Return the address with a final slash.

        Django's own method raises an error for a POST while DEBUG is on, because a 301 would lose
        its body.
        """
        return escape_leading_slashes(request.get_full_path(force_append_slash=True))


READING = ("GET", "HEAD", "OPTIONS", "TRACE")
WITHOUT_DATABASE = ("/static/", "/health/")
"""Paths that work, and report what is wrong, while the database is unavailable."""

BIG = 16 * 1024
"""The size of JSON in bytes from which a request keeps the processor busy: some hundred entries of
a log."""


class WriteLimitMiddleware:
    """A limit on requests that write at the same time in a process (``WRITERS``).

    Of those with much JSON, only one runs at a time. Further requests are refused at once and asked
    to retry in a second, and so are requests that waited too long for a lock.
    """

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
                # Read the whole body before taking a slot, so that slow senders do not hold one.
                # The web server has already read larger bodies (files, archives) completely.
                _ = request.body
        except UnreadablePostError:
            return HttpResponse(status=400)
        with ExitStack() as held:
            for place in (self.big_place, self.places) if is_big(request) else (self.places,):
                if not place.acquire(blocking=False):
                    return busy(request)
                held.callback(place.release)
            return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return while_database_waits(request, error)


def length_of(request: HttpRequest) -> int:
    """Return the number of bytes of the body according to the request."""
    length = request.headers.get("Content-Length", "")
    return int(length) if length.isdecimal() else 0


def is_big(request: HttpRequest) -> bool:
    """Return whether a request has much JSON. Requests above the limit are refused when read."""
    size = length_of(request)
    return (
        request.content_type == "application/json"
        and BIG <= size <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    )


def while_database_waits(request: HttpRequest, error: BaseException | None) -> HttpResponse | None:
    """Return a 503 response if the database or the file store cannot be used now, else None."""
    if isinstance(error, Exception) and is_lock_timeout(error):
        return busy(request)
    if error is not None and is_outage(error):
        note_outage(error)
        return unavailable(request)
    if isinstance(error, StoreError):
        note_fault(error)
        return _later(request, problems.STORE_SILENT, "files_unavailable.html")
    return None


def busy(request: HttpRequest) -> HttpResponse:
    """Return a 503 response that asks to retry in a second: a problem in the API, else a page."""
    return _later(request, problems.BUSY, "503.html")


def unavailable(request: HttpRequest) -> HttpResponse:
    """Return a 503 response that asks to retry when the database is back. Makes no query."""
    return _later(request, problems.UNAVAILABLE, "unavailable.html")


def _later(request: HttpRequest, problem: problems.Problem, template: str) -> HttpResponse:
    if problems.is_for_programs(request):
        return problems.json_response(problem, request)
    page = render_to_string(template, {"was_read": request.method in READING})
    return HttpResponse(page, status=problem.status, headers=problem.headers)
