"""Headers that say how many requests are left (draft-ietf-httpapi-ratelimit-headers)."""

from collections.abc import Iterable
from math import ceil
from typing import Any, NamedTuple

from django.http.response import HttpResponseBase

LIMIT, POLICY = "RateLimit", "RateLimit-Policy"
HEADERS = {
    POLICY: {
        "schema": {"type": "string", "example": '"user";q=1200;w=60'},
        "description": "The limits that apply: `q` requests in `w` seconds.",
    },
    LIMIT: {
        "schema": {"type": "string", "example": '"user";r=1187;t=41'},
        "description": "Of each limit: `r` requests are left, and `t` seconds until there are "
        "more.",
    },
}
"""The headers, as the schema describes them."""


class Allowance(NamedTuple):
    """The rest of one limit. ``window`` and ``until_more`` are in seconds."""

    name: str
    quota: int
    window: int
    left: int
    until_more: int


def allowances(throttles: Iterable[Any]) -> list[Allowance]:
    """Return what is left of the limits that counted a request."""
    counted = []
    for throttle in throttles:
        history = getattr(throttle, "history", None)
        if history is None:
            continue
        # Each request counts until it is as old as the window; the newest is the first.
        until_more = throttle.duration - (throttle.now - history[-1]) if history else 0
        counted.append(
            Allowance(
                throttle.scope,
                throttle.num_requests,
                throttle.duration,
                max(0, throttle.num_requests - len(history)),
                max(0, ceil(until_more)),
            )
        )
    return counted


def write_limits(response: HttpResponseBase, throttles: Iterable[Any]) -> None:
    """Add the headers to a response, if any limit counted its request."""
    counted = allowances(throttles)
    if counted:
        response.headers[POLICY] = ", ".join(
            f'"{each.name}";q={each.quota};w={each.window}' for each in counted
        )
        response.headers[LIMIT] = ", ".join(
            f'"{each.name}";r={each.left};t={each.until_more}' for each in counted
        )
