"""Every route of the URL configuration, old or new, by every method, against nobody and against a
stranger."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core import serializers
from django.http.response import HttpResponseBase
from django.test import Client
from rest_framework.throttling import SimpleRateThrottle

from home.models import AccountLetter
from scripts.packages import APPS_OF_CLUBS
from tests.conftest import api_of, browser_of
from tests.permissions.conftest import SECRET, PrivateWorld
from tests.permissions.every_route import METHODS, filled, routes
from tests.permissions.signed_in import SignedIn

pytestmark = pytest.mark.one_database

THINGS = {
    "url": "nowhere",
    "app_label": "auth",
    "object_id": "1",
    "content_type_id": "1",
    "id": "1",
    "device_id": str(uuid4()),
    "uidb36": "1",
    "key": "set-password",
    "token": "1:nonsense",
    "calculator": "close-combat",
    "ruleset": "en-garde",
    "faction": "landsknechts",
    "section": "rules",
}
"""Values for the brackets of routes that lead to no row of a club."""
OPEN_TO_ALL = (
    "/",
    "/warbands/",
    "/campaigns/",
    "/battles/",
    "/join/",
    "/join/sign-up/",
    "/rulesets/",
    "/rulesets/<slug:ruleset>/",
    "/rulesets/<slug:ruleset>/<slug:faction>.csv",
    "/search/",
    "/search/suggestions/",
    "/keys/",
    "/keys/own/",
    "/theme/",
    "/language/",
    "/service-worker.js",
    "/off-line/",
    "/robots.txt",
    "/sitemap.xml",
    "/sitemap-<section>.xml",
    "/.well-known/security.txt",
    "/favicon.ico",
    "/api/v1/battles/",
    "/api/v1/campaigns/",
    "/api/v1/rulesets/",
    "/api/v1/rulesets/<key>/",
    "/api/v1/rulesets/<key>/spreadsheet/",
    "/api/v1/docs/",
    "/api/v1/schema/",
    "/admin/login/",
    "/admin/logout/",
)
OPEN_TREES = ("/health/", "/accounts/")
"""Lists of what is public, the ways in, and what shows nobody's rows."""
SIGN_IN = ("post", "/api/v1/tokens/")
SHUT = (401, 403, 404, 405)


def told(answer: HttpResponseBase) -> str:
    """Return the headers and the body of an answer as text."""
    body = b"".join(answer) if answer.streaming else answer.content  # type: ignore[attr-defined]
    return f"{answer.headers} {body.decode(errors='replace')}"


def is_open(route: str) -> bool:
    return route in OPEN_TO_ALL or route.startswith(OPEN_TREES)


def everything() -> str:
    """Return all rows of all apps as text, except letters about accounts."""
    models = (model for app in APPS_OF_CLUBS for model in apps.get_app_config(app).get_models())
    kinds = [model for model in models if model is not AccountLetter]
    return serializers.serialize(
        "json", (row for kind in kinds for row in kind._default_manager.order_by("pk"))
    )


def oddities(
    cast: Callable[[str], Any], ids: dict[str, str], odd: Callable[..., bool]
) -> list[str]:
    """Return the requests that were answered with an error, with a secret, or oddly.

    ``cast`` returns the client for a route; it is asked again for each, as some routes sign out.
    ``odd`` is called with client, route, method and answer.
    """
    problems = []
    for route in routes():
        client = cast(route)
        for method in METHODS:
            answer = getattr(client, method)(filled(route, ids))
            tells = SECRET in told(answer)
            if tells or answer.status_code >= 500 or odd(client, route, method, answer):
                problems.append(
                    f"{method} {route}: "
                    f"{answer.status_code}{' and tells a secret' if tells else ''}"
                )
    return problems


def let_in(client: Client, route: str, method: str, answer: HttpResponseBase) -> bool:
    """Return whether an anonymous user got an answer that is not public."""
    if is_open(route) or (method, route) == SIGN_IN:
        return False
    to_sign_in = answer.status_code == 302 and "/login/" in answer.headers["Location"]
    return not (to_sign_in or answer.status_code in SHUT)


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable throttles, so that every route answers."""
    monkeypatch.setattr(SimpleRateThrottle, "allow_request", lambda *_: True)


@pytest.fixture
def ids(private: PrivateWorld) -> dict[str, str]:
    """Return the values for the brackets of every route."""
    return THINGS | private.ids


@pytest.fixture
def unknown(ids: dict[str, str]) -> dict[str, str]:
    """Return the values with unknown ids."""
    return {name: str(uuid4()) if len(key) == 36 else key for name, key in ids.items()}


def test_nobody_gets_in_by_any_route_that_is_not_open_to_all(ids: dict[str, str]) -> None:
    before = everything()
    assert oddities(lambda route: Client(), ids, let_in) == []
    assert everything() == before


def test_a_stranger_cannot_tell_a_private_club_from_none(
    ids: dict[str, str], unknown: dict[str, str], charlie: User
) -> None:
    def found_something(client: Any, route: str, method: str, answer: HttpResponseBase) -> bool:
        nowhere = filled(route, unknown)
        if filled(route, ids) == nowhere:
            return False
        return bool(getattr(client, method)(nowhere).status_code != answer.status_code)

    before = everything()
    assert oddities(SignedIn(charlie).client_of, ids, found_something) == []
    assert everything() == before


def test_every_route_answers_options_without_a_fault(ids: dict[str, str], alice: User) -> None:
    api, browser = api_of(alice), browser_of(alice)
    api.raise_request_exception = browser.raise_request_exception = False
    answers = {
        route: (api if route.startswith("/api/") else browser).options(filled(route, ids))
        for route in routes()
    }
    assert [route for route, answer in answers.items() if answer.status_code >= 500] == []
    battles = answers["/api/v1/battles/"]
    assert (battles.status_code, battles["Allow"]) == (200, "GET, POST, HEAD, OPTIONS")
