"""Whatever can be read takes the same number of queries, however much there is: every route, old or
new."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.throttling import SimpleRateThrottle

from battles.models import Battle, BattleState, Side
from clubs.models import Membership
from documents.models import DocumentKind
from documents.services.requesting import request_document
from tests.conftest import api_of, browser_of
from tests.pages import world
from tests.permissions.conftest import PrivateWorld
from tests.permissions.every_route import filled, routes
from tests.permissions.test_every_route import THINGS
from warbands.models import Warband
from warbands.services.roster import NewFighter, adjust_fighter, recruit_fighters

pytestmark = pytest.mark.one_database

NOT_OURS = ("/admin/", "/accounts/", "/health/", "/api/v1/schema/", "/api/v1/docs/")


def more_battles(private: PrivateWorld, user: User, warbands: list[Warband]) -> None:
    """Create forty confirmed battles without logs."""
    campaign = private.campaign
    common = {
        "campaign": campaign,
        "ruleset": campaign.ruleset,
        "edition": campaign.edition,
        "scenario": "skirmish",
    }
    battles = Battle.objects.bulk_create(
        Battle(
            **common,
            state=BattleState.CONFIRMED,
            created_by=user,
            fought_on=world.DAY + timedelta(days=day),
        )
        for day in range(40)
    )
    Side.objects.bulk_create(
        Side(
            battle=battle,
            key="ab"[place],
            place=place,
            warband=warband,
            role="warband",
            outcome="drew",
        )
        for battle in battles
        for place, warband in enumerate(warbands)
    )


def grow(private: PrivateWorld, alice: User, bob: User) -> None:
    """Create many more rows of everything that a list can show."""
    warbands = list(Warband.objects.filter(enrolments__campaign=private.campaign).order_by("pk"))
    more_battles(private, alice, warbands)
    recruits = [NewFighter(build={"profile": "ruffian"}, name="Ruffian", count=6)]
    guards = next(row for row in warbands if row.faction == "cardinals-guard")
    for fighter in recruit_fighters(
        warband_id=guards.pk, fighters=recruits, user=alice, overrule="More hands"
    ):
        adjust_fighter(fighter_id=fighter, user=alice, experience=3, reason="Old hands")
    names = (f"Guest {Membership.objects.count()}" for _ in range(5))
    for name in names:
        Membership.objects.create(club=private.club, name=name)
    for place in range(3):
        other = world.guards(alice, f"Compagnie {place}")
        campaign = world.campaign_of(
            private.club, alice, other, running=False, name=f"Campaign {place}"
        )
        request_document(user=alice, kind=DocumentKind.CAMPAIGN, subject=campaign.pk)
        world.landsknechts(bob, f"Haufen {place}")


def queries(user: User, ids: dict[str, str]) -> dict[str, int]:
    """Return the number of queries of each route that answers the user."""
    taken = {}
    api, browser = api_of(user), browser_of(user)
    for route in routes():
        if route.startswith(NOT_OURS):
            continue
        client: Any = api if route.startswith("/api/") else browser
        with CaptureQueriesContext(connection) as seen:
            answer = client.get(filled(route, ids))
        if answer.status_code == 200:
            taken[route] = len(seen)
    return taken


def test_no_route_takes_more_queries_when_there_is_more_to_show(
    private: PrivateWorld, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SimpleRateThrottle, "allow_request", lambda *_: True)
    ids = THINGS | private.ids
    # Twice, so that the first pages of lists are full of the same kinds of rows.
    grow(private, alice, bob)
    grow(private, alice, bob)
    some = queries(alice, ids)
    grow(private, alice, bob)
    more = queries(alice, ids)
    assert {route: (some[route], more[route]) for route in some if more[route] > some[route]} == {}
    assert len(some) > 80
