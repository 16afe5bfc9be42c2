"""Where an act came from: a page, the API, a command or a worker; and the id of its request."""

from collections.abc import Callable
from contextvars import ContextVar

from celery import current_task
from django.db.models import TextChoices
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django_guid import get_guid

FOR_MACHINES = "/api/"


class Face(TextChoices):
    """Where an act came from."""

    PAGE = "page", _("a page")
    API = "api", _("the API")
    COMMAND = "command", _("a command")
    WORKER = "worker", _("a worker")


asked_by: ContextVar[Face | None] = ContextVar("asked_by", default=None)
"""The face of the request that is being answered."""


def face_of(path: str) -> Face:
    """The face that answers at this address."""
    return Face.API if path.startswith(FOR_MACHINES) else Face.PAGE


def present_face() -> Face:
    """Through what face the present code was asked for."""
    asked = asked_by.get()
    if asked is not None:
        return asked
    return Face.WORKER if current_task else Face.COMMAND


def present_request() -> str:
    """The id of the request, also in the tasks that it started: the one of the server's log. "" outside of both."""
    return get_guid() or ""


class NoteFace:
    """Tells the audit whether a page or the API was asked."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        token = asked_by.set(face_of(request.path))
        try:
            return self.get_response(request)
        finally:
            asked_by.reset(token)
