"""One log line per request; an answer to what the web server refuses; and whoever forgets the stroke at the end of an
address keeps method and body."""

import logging
import time
from collections.abc import Callable
from urllib.parse import quote

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponsePermanentRedirect
from django.middleware.common import CommonMiddleware
from django.middleware.gzip import GZipMiddleware
from django.template.loader import render_to_string
from django.utils.http import escape_leading_slashes

from config import problems

REFUSED = "muster.refused"
"""In the environment of a request that the web server refuses (config.server): the status of the answer."""
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


class RequestLog:
    """Logs method, path, answer and time. Paths only: a query string may hold what somebody searched for."""

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


class RefusedRequests:
    """Answers what the web server could not or would not read to its end: a problem, or a page for a browser."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        status = request.META.get(REFUSED)
        response = self.get_response(request) if status is None else self._refusal(request, status)
        if not (response.streaming or response.has_header("Content-Length")):
            # What an outer middleware answers has none yet, and the web server closes a connection without it.
            response.headers["Content-Length"] = str(len(response.content))
        return response

    def _refusal(self, request: HttpRequest, status: int) -> HttpResponse:
        problem = REFUSALS.get(status, problems.BAD_REQUEST)
        if request.path.startswith(("/api/", "/health/")) or not request.accepts("text/html"):
            return problems.json_response(problem, request)
        page = render_to_string("refused.html", {"status": problem.status, "sentence": problem.detail})
        return HttpResponse(page, status=problem.status, headers=problem.headers)


class PackedAnswers(GZipMiddleware):
    """Django's, for text alone: pictures and documents are packed already (docs/decisions/packed-pages.md)."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Return the answer, packed if it is text and the client takes gzip."""
        kind = response.get("Content-Type", "").partition(";")[0]
        if response.streaming or not (kind.startswith("text/") or kind.endswith(("json", "xml"))):
            return response
        return super().process_response(request, response)


class SameRequestElsewhere(HttpResponsePermanentRedirect):
    """308: the request shall be sent again as it was. With 301 clients make a GET of a POST, and lose its body."""

    status_code = 308


class Common(CommonMiddleware):
    """Django's, with that answer to an address that lacks its last stroke."""

    response_redirect_class = SameRequestElsewhere

    def process_request(self, request: HttpRequest) -> HttpResponsePermanentRedirect | None:
        """Find nothing in the admin site at an address with a NUL: it hands that to the database, which fails on it."""
        if request.path.startswith("/admin/") and "%00" in quote(request.path) + request.META.get("QUERY_STRING", ""):
            raise Http404
        return super().process_request(request)

    def get_full_path_with_slash(self, request: HttpRequest) -> str:
        """The address with its stroke. Django's raises an error for a POST while DEBUG is on: its 301 would lose it."""
        return escape_leading_slashes(request.get_full_path(force_append_slash=True))
