"""Around every request: by what face it came, for whatever is recorded while it lasts."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from audit.origin import asked_by, face_of


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
