"""Where an act came from: a page, the API, a command or a worker; and the id of its request."""

from collections.abc import Callable
from contextvars import ContextVar

from celery import current_task
from django.db.models import TextChoices
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django_guid import get_guid

FOR_MACHINES = "/api/"


class Origin(TextChoices):
    """Where an act came from."""

    PAGE = "page", _("a page")
    API = "api", _("the API")
    COMMAND = "command", _("a command")
    WORKER = "worker", _("a worker")


asked_by: ContextVar[Origin | None] = ContextVar("asked_by", default=None)
"""The face of the request that is being answered."""


def origin_of_path(path: str) -> Origin:
    """The face that answers at this address."""
    return Origin.API if path.startswith(FOR_MACHINES) else Origin.PAGE


def current_origin() -> Origin:
    """Through what face the present code was asked for."""
    origin = asked_by.get()
    if origin is not None:
        return origin
    return Origin.WORKER if current_task else Origin.COMMAND


def present_request() -> str:
    """The id of the request, also in the tasks that it started: the one of the server's log. ""
    outside of both."""
    return get_guid() or ""


class AuditOriginMiddleware:
    """Tells the audit whether a page or the API was asked."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        token = asked_by.set(origin_of_path(request.path))
        try:
            return self.get_response(request)
        finally:
            asked_by.reset(token)
