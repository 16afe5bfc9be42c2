"""The archive as an answer, and how often somebody may have it."""

from math import ceil

from django.contrib.auth.models import User
from django.http import HttpRequest, StreamingHttpResponse
from rest_framework.throttling import UserRateThrottle

from config.own_data.archive import archive_name, own_data


class OwnDataThrottle(UserRateThrottle):
    """So many archives of one member (``THROTTLE_OWN_DATA``), by pages and API together."""

    scope = "own-data"


def minutes_to_wait(request: HttpRequest) -> int:
    """Counts an archive asked for on a page: 0 if it may be had, else after how many minutes."""
    throttle = OwnDataThrottle()
    if throttle.allow_request(request, None):  # type: ignore[arg-type]
        return 0
    return ceil((throttle.wait() or 1) / 60)


def data_answer(user: User) -> StreamingHttpResponse:
    """All that Muster holds of somebody, sent as it is read; kept nowhere on the way."""
    name = archive_name(user)
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return StreamingHttpResponse(own_data(user), content_type="application/zip", headers=headers)
