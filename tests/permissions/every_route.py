"""Every route of Muster, read from the URL configuration: pages, API, accounts, admin, health."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from django.contrib.admindocs.views import simplify_regex
from django.urls import URLPattern, URLResolver, get_resolver

BRACKET = re.compile(r"<(?:\w+:)?(\w+)>")
METHODS = ("get", "post", "put", "patch", "delete")


def routes() -> list[str]:
    """Return the paths of all routes, with names in angle brackets: "/warbands/<pk>/"."""
    return sorted(set(_routes(get_resolver(), "")))


def _routes(resolver: URLResolver, before: str) -> Iterator[str]:
    for each in resolver.url_patterns:
        address = before + str(each.pattern)
        if isinstance(each, URLPattern):
            yield simplify_regex(address)
        else:
            yield from _routes(each, address)


def filled(route: str, ids: Mapping[str, str]) -> str:
    """Return the route with real values in its brackets.

    The word before "<pk>" says whose id it is.

    Raises KeyError for an unknown bracket: add it to `ids`.
    """
    parts = route.split("/")
    return "/".join(_filled(part, before, ids) for before, part in pairwise(["", *parts]))


def _filled(part: str, before: str, ids: Mapping[str, str]) -> str:
    return BRACKET.sub(lambda match: ids[before] if before in ids else ids[match[1]], part)
