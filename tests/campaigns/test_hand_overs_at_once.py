"""Several members at once on one warband, each on a connection of their own: it has one owner, and
one history."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User

from battles.models import Side
from battles.services.review import confirm_side
from campaigns.models import Campaign, HandOver, HandOverState
from campaigns.services.campaigns import start_campaign
from campaigns.services.enrolments import withdraw_warband
from campaigns.services.hand_overs import (
    accept_hand_over,
    decline_hand_over,
    hand_over_warband,
    withdraw_hand_over,
)
from clubs.models import Club, Membership, Role
from clubs.services.members import remove_member
from core.errors import MusterError
from tests.campaigns.conftest import battle_of, seat
from tests.together import at_once
from warbands.models import Warband

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def erin(club: Club, make_user: Callable[[str], User]) -> User:
    erin = make_user("erin")
    Membership.objects.create(club=club, user=erin, name="Erin", role=Role.PLAYER)
    return erin


@pytest.fixture
def reds(enrolled: Campaign, alice: User) -> Warband:
    """Return Bob's warband in a running campaign."""
    start_campaign(campaign_id=enrolled.pk, user=alice)
    return Warband.objects.get(name="Bob's Reds")


def codes(answers: list[Any]) -> list[str]:
    return sorted(answer.code for answer in answers if isinstance(answer, MusterError))


def test_accepted_and_transferred_at_once_has_one_owner(
    reds: Warband, alice: User, bob: User, erin: User
) -> None:
    offer = hand_over_warband(warband_id=reds.pk, player="erin", user=bob)
    answers = at_once(
        lambda: accept_hand_over(hand_over_id=offer.pk, user=erin),
        lambda: hand_over_warband(warband_id=reds.pk, player="alice", user=alice),
    )
    reds.refresh_from_db()
    last = HandOver.objects.done().order_by("-settled_at").first()
    assert last is not None and last.receiver == reds.owner
    assert reds.enrolments.get().player.user == reds.owner
    assert codes(answers) in ([], ["offer-gone"])


def test_offer_accepted_four_times_takes_effect_once(reds: Warband, bob: User, erin: User) -> None:
    offer = hand_over_warband(warband_id=reds.pk, player="erin", user=bob)
    answers = at_once(*[lambda: accept_hand_over(hand_over_id=offer.pk, user=erin)] * 4)
    assert codes(answers) == []
    assert HandOver.objects.done().count() == 1


def test_offer_accepted_declined_and_withdrawn_at_once_does_one_of_them(
    reds: Warband, bob: User, erin: User
) -> None:
    offer = hand_over_warband(warband_id=reds.pk, player="erin", user=bob)
    answers = at_once(
        lambda: accept_hand_over(hand_over_id=offer.pk, user=erin),
        lambda: decline_hand_over(hand_over_id=offer.pk, user=erin),
        lambda: withdraw_hand_over(hand_over_id=offer.pk, user=bob),
    )
    assert codes(answers) == ["offer-gone"] * 2
    offer.refresh_from_db()
    reds.refresh_from_db()
    assert (reds.owner == erin) == (offer.state == HandOverState.DONE)


def test_two_offers_at_once_leave_one_open(reds: Warband, bob: User, erin: User) -> None:
    at_once(
        lambda: hand_over_warband(warband_id=reds.pk, player="erin", user=bob),
        lambda: hand_over_warband(warband_id=reds.pk, player="alice", user=bob),
    )
    assert HandOver.objects.offered().count() == 1


def test_transfer_to_somebody_who_leaves_at_the_same_moment(
    reds: Warband, alice: User, erin: User
) -> None:
    answers = at_once(
        lambda: hand_over_warband(warband_id=reds.pk, player="erin", user=alice),
        lambda: remove_member(
            member_id=seat(reds.enrolments.get().campaign.club, "Erin"), user=erin
        ),
    )
    reds.refresh_from_db()
    assert codes(answers) in (["not-a-member"], ["warbands-enrolled"])
    assert (reds.owner == erin) == (codes(answers) == ["warbands-enrolled"])


def test_withdrawal_and_transfer_at_once(reds: Warband, alice: User, bob: User, erin: User) -> None:
    at_once(
        lambda: withdraw_warband(enrolment_id=reds.enrolments.get().pk, user=bob),
        lambda: hand_over_warband(warband_id=reds.pk, player="erin", user=alice),
    )
    reds.refresh_from_db()
    player = reds.enrolments.get().player.name
    assert (reds.owner == erin) == (player == "Erin")


def test_old_owner_does_not_confirm_what_is_transferred_at_the_same_moment(
    reds: Warband, enrolled: Campaign, alice: User, bob: User, erin: User
) -> None:
    battle = battle_of(
        enrolled, [reds, Warband.objects.get(name="Alice's Reds")], alice, state="submitted"
    )
    answers = at_once(
        lambda: confirm_side(battle_id=battle.pk, user=bob),
        lambda: hand_over_warband(warband_id=reds.pk, player="erin", user=alice),
    )
    side = Side.objects.get(battle=battle, warband=reds)
    assert (side.decided_by == bob) == (codes(answers) == [])
    reds.refresh_from_db()
    assert reds.owner == erin
