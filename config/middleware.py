"""One log line per request."""

import logging
import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

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
