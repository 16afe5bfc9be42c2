"""The first pages of a campaign's battles and of a log have what other pages are sliced from."""

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from rest_framework.test import APIClient

from battles.api import first_pages
from battles.models import Battle
from campaigns.models import Campaign
from clubs.models import Membership, Role
from core.users import Visibility
from tests.battles.field import begin, log, note, plan
from tests.conftest import api_of
from warbands.models import Warband

pytestmark = pytest.mark.django_db


@pytest.fixture
def battles(campaign: Campaign, alice: User, bob: User, reds: Warband, blues: Warband) -> None:
    """Plan more battles than a page shows, by two members in turns, and one outside."""
    for number in range(first_pages.SIZE + 2):
        plan(alice if number % 2 else bob, campaign, reds, blues)
    plan(alice, None, reds, blues)


def pages(client: APIClient, address: str) -> tuple[Any, Any]:
    """Return the answer for the first page, and that for the same page by its number."""
    first, numbered = client.get(address), client.get(f"{address}&page=1")
    assert (first.status_code, numbered.status_code) == (200, 200)
    return first.json(), numbered.json()


@pytest.mark.parametrize("visibility", Visibility.values)
def test_each_reader_gets_the_same_battles_as_on_numbered_pages(
    battles: None, campaign: Campaign, charlie: User, visibility: str
) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(visibility=visibility)
    # Bob still has his own battles after he has left the club, and Dora has none.
    for left in ((), ("bob",), ("bob", "dora")):
        Membership.objects.filter(user__username__in=left).update(user=None, role=Role.PLAYER)
        readers: list[Any] = [*User.objects.all(), AnonymousUser()]
        for user in readers:
            client = api_of(user) if isinstance(user, User) else APIClient()
            first, numbered = pages(client, f"/api/v1/battles/?campaign={campaign.pk}")
            assert first == numbered, (user, left)
            mine = Battle.objects.listed_for(user).filter(campaign=campaign)
            assert first["count"] == mine.count(), (user, left)
            assert len(first["results"]) == min(first["count"], first_pages.SIZE)


def test_a_battle_that_moves_off_the_page_has_its_sides(
    battles: None, campaign: Campaign, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_pages.SIDES, "rows", lambda *_: [])
    first, numbered = pages(api_of(alice), f"/api/v1/battles/?campaign={campaign.pk}")
    assert first == numbered
    assert all(len(battle["sides"]) == 2 for battle in first["results"])


@pytest.mark.parametrize("events", [0, 3, first_pages.SIZE + 1])
def test_a_log_begins_as_on_numbered_pages(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband, events: int
) -> None:
    battle = begin(alice, campaign, reds, blues)
    if events:
        log(alice, battle, *(note(f"Note {number}.") for number in range(events)))
    first, numbered = pages(api_of(alice), f"/api/v1/battles/{battle.pk}/events/?fields=")
    assert first == numbered
    assert first["count"] == events
