"""The limits of requests that log something."""

from rest_framework.request import Request
from rest_framework.throttling import UserRateThrottle
from rest_framework.views import APIView

from battles.services.validation import BATCH


class LogThrottle(UserRateThrottle):
    """The limit of requests of one member that log something (``THROTTLE_LOGS``)."""

    scope = "logs"


class BatchThrottle(UserRateThrottle):
    """The limit of batches of one member (``THROTTLE_BATCHES``)."""

    scope = "batches"

    def allow_request(self, request: Request, view: APIView) -> bool:
        raw_events = request.data.get("events") if isinstance(request.data, dict) else request.data
        return (
            not isinstance(raw_events, list)
            or len(raw_events) < BATCH
            or super().allow_request(request, view)
        )
