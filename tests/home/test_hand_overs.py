"""An offered warband waits for its new player; a transfer is announced to those who have not made
it."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Campaign
from campaigns.services.hand_overs import accept_hand_over, decline_hand_over, hand_over_warband
from clubs.models import Club, Membership, Role
from home.selectors.card_kinds import Card
from home.selectors.cards import cards_for
from home.selectors.waiting import number_waiting
from home.services.preferences import dismiss
from home.services.recipients import concerned
from tests.home.conftest import kinds, the_card
from tests.pages import world
from tests.pages.conftest import Clients
from warbands.models import Warband


@pytest.fixture
def erin(club: Club) -> User:
    """Return a player of the club without a warband."""
    erin = User.objects.create_user("erin", "erin@example.org")
    Membership.objects.create(club=club, user=erin, name="Erin", role=Role.PLAYER)
    return erin


@pytest.fixture
def campaign(club: Club, alice: User, guards: Warband, haufen: Warband) -> Campaign:
    return world.campaign_of(club, alice, guards, haufen)


def notes(user: User) -> list[str]:
    """Return the sentences of a user's cards about transfers."""
    today = timezone.localdate()
    assert number_waiting(user, today) == len(cards_for(user, today))
    return [card.sentence for card in cards_for(user, today) if card.kind == "handed-over"]


def test_offer_waits_until_it_is_answered(
    campaign: Campaign, haufen: Warband, bob: User, erin: User
) -> None:
    offer = hand_over_warband(warband_id=haufen.pk, player="erin", user=bob)
    card: Card = the_card(erin, "hand-over")
    assert (card.title, card.url) == (haufen.name, reverse("campaigns:offer", args=[offer.pk]))
    assert card.sentence == "bob offers you this warband. Accept or decline it."
    assert erin in concerned("warband", haufen.pk)
    accept_hand_over(hand_over_id=offer.pk, user=erin)
    assert "hand-over" not in kinds(erin)
    assert notes(erin) == []
    assert notes(bob) == ["Erin accepted this warband and now owns it."]


def test_declined_offer_is_told_to_the_owner(
    campaign: Campaign, haufen: Warband, bob: User, erin: User
) -> None:
    offer = hand_over_warband(warband_id=haufen.pk, player="erin", user=bob)
    decline_hand_over(hand_over_id=offer.pk, user=erin)
    assert notes(bob) == ["Erin declined this warband. It is still yours."]
    assert notes(erin) == []


def test_transfer_is_announced_to_both(
    campaign: Campaign, haufen: Warband, alice: User, bob: User, erin: User, browsers: Clients
) -> None:
    done = hand_over_warband(warband_id=haufen.pk, player="erin", user=alice)
    assert notes(erin) == ["alice transferred this warband to you."]
    assert notes(bob) == ["alice transferred this warband to Erin. You can no longer change it."]
    assert notes(alice) == []
    assert "Dismiss" in browsers.bob.get("/").content.decode()
    dismiss(user=bob, kind="handed-over", subject=done.pk)
    assert notes(bob) == []
    assert notes(erin) != []


def test_tasks_go_along_with_the_warband(
    campaign: Campaign, guards: Warband, haufen: Warband, alice: User, bob: User, erin: User
) -> None:
    world.submitted_battle(alice, campaign, guards, haufen)
    assert "confirm" in kinds(bob)
    hand_over_warband(warband_id=haufen.pk, player="erin", user=alice)
    assert "confirm" in kinds(erin)
    assert "confirm" not in kinds(bob)
