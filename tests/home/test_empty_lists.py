"""The home page leaves out the reads that would find nothing, and shows the same as with them."""

import re
from collections.abc import Callable, Iterator
from unittest.mock import patch

import pytest
from django.contrib.auth.models import User
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns.services.hand_overs import hand_over_warband
from tests.conftest import browser_of
from tests.pages import world

pytestmark = pytest.mark.usefixtures("copies_of_pages")

KEYS = re.compile(r'value="[\w.:-]{32,}"|"X-CSRFToken": "[^"]*"|nonce="[^"]*"')
"""The values that are new in each answer."""


def page_of(user: User) -> tuple[str, int]:
    """Return the home page of a user without a copy of it, and the number of its queries."""
    client = browser_of(user)
    client.get("/account/")
    caches["pages"].clear()
    with CaptureQueriesContext(connection) as queries:
        response = client.get("/")
    assert response.status_code == 200
    return KEYS.sub("", response.content.decode()), len(queries)


def expect_same_page(user: User) -> int:
    """Fail if the page differs from one with all reads; return how many queries it saves."""
    page, number = page_of(user)
    with patch("home.views.home.without_rows", return_value=frozenset()):
        whole, most = page_of(user)
    assert page == whole
    return most - number


def growing(alice: User, bob: User, dora: User) -> Iterator[str]:
    """Make a club and its play step by step, and yield what was made."""
    yield "nothing"
    guards, haufen = world.guards(alice), world.landsknechts(bob)
    yield "warbands"
    world.warbands_see_each_other(guards, haufen)
    world.planned_battle(alice, None, guards, haufen)
    yield "a battle outside campaigns"
    club = world.club_of(alice, players=[bob, dora])
    yield "a club"
    world.evening_of(club, alice)
    yield "a club night"
    campaign = world.campaign_of(club, alice, guards, haufen, format="table")
    yield "a campaign"
    world.paired(campaign, alice)
    yield "a round"
    world.submitted_battle(alice, campaign, guards, haufen)
    yield "a result"
    hand_over_warband(warband_id=haufen.pk, player="dora", user=bob)
    yield "a transfer"


def test_page_without_empty_lists_is_the_same(
    alice: User, bob: User, dora: User, make_user: Callable[[str], User]
) -> None:
    erin = make_user("erin")
    for made in growing(alice, bob, dora):
        saved = {user.username: expect_same_page(user) for user in (alice, bob, dora, erin)}
        assert saved["erin"] == 5, made
        assert all(queries >= 0 for queries in saved.values()), made
