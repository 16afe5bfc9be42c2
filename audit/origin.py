"""The origin of an act (a page, the API, a command or a worker) and the id of its request."""

from collections.abc import Callable
from contextvars import ContextVar

from celery import current_task
from django.db.models import TextChoices
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django_guid import get_guid

FOR_MACHINES = "/api/"


class Origin(TextChoices):
    """The interface from which an act came."""

    PAGE = "page", _("a page")
    API = "api", _("the API")
    COMMAND = "command", _("a command")
    WORKER = "worker", _("a worker")


asked_by: ContextVar[Origin | None] = ContextVar("asked_by", default=None)
"""The origin of the current request; None outside of requests."""


def origin_of_path(path: str) -> Origin:
    """Return the origin of requests to this address: the API or a page."""
    return Origin.API if path.startswith(FOR_MACHINES) else Origin.PAGE


def current_origin() -> Origin:
    """Return the origin of the code that is running."""
    origin = asked_by.get()
    if origin is not None:
        return origin
    return Origin.WORKER if current_task else Origin.COMMAND


def present_request() -> str:
    """Return the id of the current request, as in the server's log, or "" outside of requests.

    Tasks that a request started have the same id.
    """
    return get_guid() or ""


class AuditOriginMiddleware:
    """Record for the activity log whether the request is for a page or for the API."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        token = asked_by.set(origin_of_path(request.path))
        try:
            return self.get_response(request)
        finally:
            asked_by.reset(token)
