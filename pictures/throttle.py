"""How often one member may upload: each try counts, as each is decoded."""

from math import ceil

from django.http import HttpRequest
from rest_framework.throttling import UserRateThrottle


class UploadThrottle(UserRateThrottle):
    """So many uploads of one member (``THROTTLE_PICTURES``), by pages and API together."""

    scope = "pictures"


def minutes_to_wait(request: HttpRequest, counted: type[UserRateThrottle] = UploadThrottle) -> int:
    """Counts an upload by a page: 0 if it may be taken, else how many minutes its sender has to wait."""
    throttle = counted()
    if throttle.allow_request(request, None):  # type: ignore[arg-type]
        return 0
    return ceil((throttle.wait() or 1) / 60)
