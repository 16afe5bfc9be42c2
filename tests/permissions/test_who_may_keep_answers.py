"""Every route says who can keep its answer: only the browser that asked, and with secrets in it not
even that."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from rest_framework.throttling import SimpleRateThrottle

from clubs.models import Club
from tests.conftest import api_of, browser_of
from tests.permissions.conftest import PrivateWorld
from tests.permissions.every_route import filled, routes
from tests.permissions.signed_in import SignedIn
from tests.permissions.test_every_route import THINGS

pytestmark = pytest.mark.one_database

SAME_FOR_EVERYBODY = ("/service-worker.js",)
RARER = ("options", "put", "patch", "delete")
PRIVATE, KEPT_NOWHERE = "private, no-cache", "private, no-store"
SECRETS = (
    "/account/",
    "/account/data/",
    "/account/tokens/",
    "/accounts/2fa/recovery-codes/",
    "/accounts/2fa/totp/activate/",
    "/accounts/login/",
    "/accounts/password/change/",
    "/admin/auth/user/",
    "/archives/",
    "/battles/<uuid:pk>/table/secret/",
    "/campaigns/<uuid:pk>/order/",
    "/clubs/<uuid:pk>/invitations/",
    "/clubs/<uuid:pk>/invite/",
    "/exports/<uuid:pk>/file/",
    "/imports/<uuid:pk>/",
    "/invitations/<uuid:pk>/",
    "/join/",
    "/passports/",
    "/api/v1/battles/<battle_id>/secrets/",
    "/api/v1/campaigns/<campaign_id>/orders/",
    "/api/v1/clubs/<club_id>/invitations/",
    "/api/v1/invitations/<pk>/",
    "/api/v1/me/",
    "/api/v1/me/calendar/",
    "/api/v1/tokens/",
)


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable throttles, so that every route answers."""
    monkeypatch.setattr(SimpleRateThrottle, "allow_request", lambda *_: True)


@pytest.fixture
def ids(private: PrivateWorld) -> dict[str, str]:
    return THINGS | private.ids


def carelessly_kept(cast: Callable[[str], Any], ids: dict[str, str], part: int) -> list[str]:
    """Return the requests whose answers a shared cache or another user could keep.

    Every route is read and posted to. Each part tries one more method of a route.
    """
    careless = []
    for place, route in enumerate(routes()):
        for method in ("get", "post", RARER[(place + part) % len(RARER)]):
            client = cast(route)
            client.raise_request_exception = False
            with transaction.atomic():
                answer = getattr(client, method)(filled(route, ids))
                transaction.set_rollback(True)
            control = answer.headers.get("Cache-Control", "")
            vary = {name.strip() for name in answer.headers.get("Vary", "").split(",")}
            needed = (
                {"Accept", "Authorization", "Cookie"} if route.startswith("/api/") else {"Cookie"}
            )
            if route.startswith("/health/"):
                needed = set()
            private = "private" in control or route in SAME_FOR_EVERYBODY
            if not private or "public" in control or not needed <= vary:
                careless.append(f"{method} {route}: {answer.status_code} {control}; {vary}")
    return careless


@pytest.mark.soak("rounds of three methods of every route, as a member", each=1, sample=1)
@pytest.mark.parametrize("part", range(len(RARER)))
def test_what_a_member_is_answered_is_private(part: int, ids: dict[str, str], alice: User) -> None:
    assert carelessly_kept(SignedIn(alice).client_of, ids, part) == []


@pytest.mark.soak("rounds of three methods of every route, as nobody", each=1, sample=1)
@pytest.mark.parametrize("part", range(len(RARER)))
def test_nobody_else_may_keep_what_a_stranger_is_answered(part: int, ids: dict[str, str]) -> None:
    assert carelessly_kept(lambda route: Client(), ids, part) == []


@pytest.mark.parametrize("route", SECRETS)
def test_secrets_are_kept_nowhere(ids: dict[str, str], alice: User, route: str) -> None:
    assert route in routes()
    client = (api_of if route.startswith("/api/") else browser_of)(alice)
    for method in ("get", "post"):
        assert "no-store" in getattr(client, method)(filled(route, ids)).headers["Cache-Control"]


@pytest.mark.parametrize(
    "route", ["/", "/clubs/<pk>/", "/campaigns/<pk>/", "/battles/<pk>/", "/battles/<pk>/table/"]
)
def test_pages_can_be_shown_again_by_the_back_button(
    ids: dict[str, str], alice: User, route: str
) -> None:
    """Browsers keep no page with ``no-store`` for "back"."""
    assert browser_of(alice).get(filled(route, ids)).headers["Cache-Control"] == PRIVATE


def test_errors_and_redirects_are_private_too(ids: dict[str, str], alice: User) -> None:
    browser, api = browser_of(alice), api_of(alice)
    answers = [
        browser.get("/nowhere/"),
        browser.get("/clubs"),
        browser.post("/clubs/found/", {}),
        Client(enforce_csrf_checks=True).post("/accounts/logout/"),
        api.get("/api/v1/nowhere/"),
        api.get("/api/v1/clubs"),
        api.put("/api/v1/clubs/"),
        api.post("/api/v1/clubs/", {}),
    ]
    assert [answer.status_code for answer in answers] == [404, 308, 400, 403, 404, 308, 405, 400]
    assert {answer.headers["Cache-Control"] for answer in answers} <= {PRIVATE, KEPT_NOWHERE}


def test_public_calendar_is_private_for_a_member(ids: dict[str, str], alice: User) -> None:
    club = Club.objects.get()
    Club.objects.update(visibility="public")
    address = f"/clubs/{club.pk}/calendar.ics"
    assert Client().get(address).headers["Cache-Control"].startswith("public")
    assert browser_of(alice).get(address).headers["Cache-Control"].startswith("private")
