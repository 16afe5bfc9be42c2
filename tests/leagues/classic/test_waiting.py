"""A classic campaign that wants an order stands among what waits for a player, and no longer once
it is sealed."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Campaign
from home.selectors.cards import cards_for
from tests.conftest import browser_of
from tests.leagues.classic import world
from warbands.models import Warband
from warbands.services.roster import release_fighter

pytestmark = pytest.mark.one_database


def orders(user: User) -> list[str]:
    cards = cards_for(user, timezone.localdate())
    return [each.sentence.partition(" plays")[0] for each in cards if each.kind == "seal"]


def test_an_order_waits_until_it_is_sealed(
    campaign: Campaign, reds: Warband, alice: User, bob: User
) -> None:
    assert orders(alice) == [f"Choose who of {reds.name}"]
    assert len(orders(bob)) == 1
    world.sealed(campaign, alice, reds)
    assert orders(alice) == []
    assert len(orders(bob)) == 1, "the other player's still waits"


def test_an_order_waits_again_once_its_roster_has_changed(
    campaign: Campaign, reds: Warband, alice: User
) -> None:
    world.sealed(campaign, alice, reds)
    release_fighter(fighter_id=world.fighters(reds)[8].pk, user=alice, reason="retired")
    assert orders(alice) == [f"Choose who of {reds.name}"]


def test_the_first_page_leads_to_the_form(campaign: Campaign, reds: Warband, alice: User) -> None:
    body = browser_of(alice).get("/").content.decode()
    address = f"{reverse('leagues:seal', args=[campaign.pk])}?warband={reds.pk}"
    assert address in body
    assert browser_of(alice).get(address).status_code == 200


def test_a_stranger_waits_for_nothing(campaign: Campaign, charlie: User) -> None:
    assert orders(charlie) == []
