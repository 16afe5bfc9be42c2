"""Warbands change hands in the middle of a campaign: offered by their owners, or transferred by an
organiser."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.services.deletion import KeptForHistory, delete_account
from audit.models import AuditEntry
from battles.models import Battle, Side
from battles.selectors.sides import player_of, seats_of
from battles.services.review import confirm_side, submit_battle
from campaigns.models import Campaign, Enrolment, Format, HandOver, HandOverState
from campaigns.services.campaigns import finish_campaign, start_campaign
from campaigns.services.enrolments import withdraw_warband
from campaigns.services.hand_overs import (
    accept_hand_over,
    decline_hand_over,
    hand_over_warband,
    name_player,
    withdraw_hand_over,
)
from clubs.models import Club, Membership, Role
from clubs.services.members import add_guest, change_role, remove_member
from core.errors import Forbidden, InvalidInput, NotFound, StateConflict
from tests.campaigns.conftest import battle_of, seat
from tests.conftest import api_of
from warbands.models import RosterDraft, Warband
from warbands.services.roster import rename_fighter

DONE, OFFERED, WITHDRAWN = HandOverState.DONE, HandOverState.OFFERED, HandOverState.WITHDRAWN


@pytest.fixture
def erin(club: Club) -> User:
    """Return a player of the club without a warband."""
    erin = User.objects.create_user("erin", "erin@example.org")
    Membership.objects.create(club=club, user=erin, name="Erin", role=Role.PLAYER)
    return erin


@pytest.fixture
def reds(enrolled: Campaign, alice: User) -> Warband:
    """Return Bob's warband in a running campaign."""
    start_campaign(campaign_id=enrolled.pk, user=alice)
    return Warband.objects.get(name="Bob's Reds")


def owner_and_player(warband: Warband) -> tuple[Any, str]:
    warband.refresh_from_db()
    return warband.owner, warband.enrolments.get().player.name


def code_of(refusal: pytest.ExceptionInfo[Any]) -> str:
    return str(refusal.value.code)


def test_offer_waits_for_the_new_player(reds: Warband, erin: User, as_bob: APIClient) -> None:
    answer = as_bob.post(f"/api/v1/warbands/{reds.pk}/hand-over/", {"player": "erin"})
    assert (answer.status_code, answer.json()["state"]) == (202, "offered")
    assert owner_and_player(reds)[1] == "Bob"
    (offer,) = api_of(erin).get("/api/v1/hand-overs/?state=offered").json()["results"]
    assert (offer["giver_name"], offer["receiver_name"], offer["awaits_you"]) == (
        "Bob",
        "Erin",
        True,
    )
    accepted = api_of(erin).post(f"/api/v1/hand-overs/{offer['id']}/accept/")
    assert (accepted.status_code, accepted.json()["state"]) == (200, "done")
    assert owner_and_player(reds) == (erin, "Erin")


def test_old_owner_loses_write_access(
    reds: Warband, erin: User, alice: User, bob: User, as_bob: APIClient
) -> None:
    RosterDraft.objects.create(warband=reds)
    hand_over_warband(warband_id=reds.pk, player="erin", user=alice)
    assert as_bob.patch(f"/api/v1/warbands/{reds.pk}/", {"name": "Mine"}).status_code == 403
    assert as_bob.get(f"/api/v1/warbands/{reds.pk}/").status_code == 200
    assert not RosterDraft.objects.exists(), "plans are for nobody else's eyes"
    fighter = reds.fighters.earliest("place")
    rename_fighter(fighter_id=fighter.pk, name="Erin's own", user=erin)


def test_transfer_by_organiser_is_done_at_once(
    reds: Warband, erin: User, as_alice: APIClient
) -> None:
    answer = as_alice.post(f"/api/v1/warbands/{reds.pk}/hand-over/", {"player": "erin"})
    assert (answer.status_code, answer.json()["state"]) == (200, "done")
    assert owner_and_player(reds) == (erin, "Erin")
    entry = AuditEntry.objects.get(verb="warband.handed-over")
    assert (entry.person_id, entry.campaign) == (erin.pk, reds.enrolments.get().campaign_id)
    again = as_alice.post(f"/api/v1/warbands/{reds.pk}/hand-over/", {"player": "erin"})
    assert again.status_code == 200
    assert HandOver.objects.count() == 1


def test_transfer_replaces_a_pending_offer(
    reds: Warband, erin: User, alice: User, bob: User
) -> None:
    offer = hand_over_warband(warband_id=reds.pk, player="alice", user=bob)
    assert hand_over_warband(warband_id=reds.pk, player="alice", user=bob) == offer, (
        "the same offer again"
    )
    newer = hand_over_warband(warband_id=reds.pk, player="erin", user=bob)
    offer.refresh_from_db()
    assert (offer.state, newer.state) == (WITHDRAWN, OFFERED)
    hand_over_warband(warband_id=reds.pk, player="alice", user=alice)
    newer.refresh_from_db()
    assert (newer.state, owner_and_player(reds)) == (WITHDRAWN, (alice, "Alice"))
    with pytest.raises(StateConflict) as gone:
        accept_hand_over(hand_over_id=newer.pk, user=erin)
    assert code_of(gone) == "offer-gone"


def test_former_owner_repeats_himself_after_a_transfer(
    reds: Warband, erin: User, alice: User, bob: User
) -> None:
    done = hand_over_warband(warband_id=reds.pk, player="erin", user=alice)
    assert hand_over_warband(warband_id=reds.pk, player="erin", user=bob) == done
    with pytest.raises(Forbidden):
        hand_over_warband(warband_id=reds.pk, player="alice", user=bob)


def test_owner_gives_it_away_after_the_campaign(reds: Warband, erin: User, bob: User) -> None:
    withdraw_warband(enrolment_id=reds.enrolments.get().pk, user=bob)
    offer = hand_over_warband(warband_id=reds.pk, player="erin", user=bob)
    accept_hand_over(hand_over_id=offer.pk, user=erin)
    assert owner_and_player(reds) == (erin, "Bob"), "Bob has played that campaign"


@pytest.mark.parametrize("player", ["charlie", "nobody", "", "b\0b"])
def test_transfer_to_somebody_outside_the_club_is_refused(
    reds: Warband, alice: User, charlie: User, player: str
) -> None:
    with pytest.raises(InvalidInput, match="Invite") as refusal:
        hand_over_warband(warband_id=reds.pk, player=player, user=alice)
    assert code_of(refusal) == "not-a-member"


def test_transfer_to_a_spectator_or_closed_account_is_refused(
    reds: Warband, alice: User, bob: User, dora: User, erin: User
) -> None:
    with pytest.raises(InvalidInput) as refusal:
        hand_over_warband(warband_id=reds.pk, player="dora", user=bob)
    assert code_of(refusal) == "spectator"
    User.objects.filter(pk=erin.pk).update(is_active=False)
    with pytest.raises(InvalidInput) as refusal:
        hand_over_warband(warband_id=reds.pk, player="erin", user=alice)
    assert code_of(refusal) == "account-inactive"


def test_offer_to_oneself_is_refused(reds: Warband, bob: User) -> None:
    with pytest.raises(InvalidInput) as refusal:
        hand_over_warband(warband_id=reds.pk, player="bob", user=bob)
    assert code_of(refusal) == "already-owner"


def test_strangers_and_readers_hand_nothing_over(
    reds: Warband, erin: User, dora: User, charlie: User
) -> None:
    with pytest.raises(Forbidden):
        hand_over_warband(warband_id=reds.pk, player="erin", user=dora)
    with pytest.raises(NotFound):
        hand_over_warband(warband_id=reds.pk, player="erin", user=charlie)


def test_only_the_receiver_answers_and_only_the_giver_withdraws(
    reds: Warband, erin: User, alice: User, bob: User, charlie: User
) -> None:
    offer = hand_over_warband(warband_id=reds.pk, player="erin", user=bob)
    for verb in (accept_hand_over, decline_hand_over):
        for other in (alice, bob):
            with pytest.raises(Forbidden):
                verb(hand_over_id=offer.pk, user=other)
        with pytest.raises(NotFound):
            verb(hand_over_id=offer.pk, user=charlie)
    with pytest.raises(Forbidden):
        withdraw_hand_over(hand_over_id=offer.pk, user=erin)
    withdraw_hand_over(hand_over_id=offer.pk, user=bob)
    assert withdraw_hand_over(hand_over_id=offer.pk, user=bob).state == WITHDRAWN
    for verb in (accept_hand_over, decline_hand_over):
        with pytest.raises(StateConflict):
            verb(hand_over_id=offer.pk, user=erin)


def test_decline_leaves_everything_as_it_was(reds: Warband, erin: User, bob: User) -> None:
    offer = hand_over_warband(warband_id=reds.pk, player="erin", user=bob)
    decline_hand_over(hand_over_id=offer.pk, user=erin)
    assert decline_hand_over(hand_over_id=offer.pk, user=erin).state == HandOverState.DECLINED
    assert owner_and_player(reds) == (bob, "Bob")
    assert AuditEntry.objects.filter(verb="warband.hand-over-declined").count() == 1


def test_accepting_twice_takes_effect_once(reds: Warband, erin: User, bob: User) -> None:
    offer = hand_over_warband(warband_id=reds.pk, player="erin", user=bob)
    accept_hand_over(hand_over_id=offer.pk, user=erin)
    assert accept_hand_over(hand_over_id=offer.pk, user=erin).state == DONE
    assert AuditEntry.objects.filter(verb="warband.handed-over").count() == 1


def test_receiver_who_left_the_club_cannot_accept(reds: Warband, erin: User, bob: User) -> None:
    offer = hand_over_warband(warband_id=reds.pk, player="erin", user=bob)
    Membership.objects.get(user=erin).delete()
    with pytest.raises(InvalidInput) as refusal:
        accept_hand_over(hand_over_id=offer.pk, user=erin)
    assert code_of(refusal) == "not-a-member"


@pytest.mark.parametrize("state", ["planned", "under-way", "submitted", "disputed"])
def test_no_transfer_to_the_other_side_of_an_open_battle(
    reds: Warband, enrolled: Campaign, alice: User, bob: User, state: str
) -> None:
    other = Warband.objects.get(name="Alice's Reds")
    battle = battle_of(enrolled, [reds, other], bob, state=state)
    for user in (alice, bob):
        with pytest.raises(InvalidInput) as refusal:
            hand_over_warband(warband_id=reds.pk, player="alice", user=user)
        assert code_of(refusal) == "plays-other-side"
    battle.state = "void"
    battle.save()
    hand_over_warband(warband_id=reds.pk, player="alice", user=alice)
    assert owner_and_player(reds)[0] == alice


def test_no_transfer_to_the_opponent_of_a_classic_campaign(
    reds: Warband, enrolled: Campaign, alice: User
) -> None:
    Campaign.objects.filter(pk=enrolled.pk).update(format=Format.CLASSIC)
    with pytest.raises(InvalidInput) as refusal:
        hand_over_warband(warband_id=reds.pk, player="alice", user=alice)
    assert code_of(refusal) == "plays-other-side"


def test_sides_of_open_battles_go_along(
    reds: Warband, enrolled: Campaign, alice: User, bob: User, erin: User
) -> None:
    battle = battle_of(
        enrolled, [reds, Warband.objects.get(name="Alice's Reds")], bob, state="submitted"
    )
    hand_over_warband(warband_id=reds.pk, player="erin", user=alice)
    side = Side.objects.get(battle=battle, warband=reds)
    assert side.is_played_by(erin) and not side.is_played_by(bob)
    with pytest.raises(Forbidden):
        confirm_side(battle_id=battle.pk, user=bob)
    confirm_side(battle_id=battle.pk, user=erin)
    side.refresh_from_db()
    assert (side.verdict, side.decided_by) == ("confirmed", erin)


def test_planner_of_a_battle_loses_it_with_the_warband(
    reds: Warband, enrolled: Campaign, alice: User, bob: User, erin: User
) -> None:
    battle = battle_of(
        enrolled, [reds, Warband.objects.get(name="Alice's Reds")], bob, state="under-way"
    )
    hand_over_warband(warband_id=reds.pk, player="erin", user=alice)
    with pytest.raises(Forbidden):
        submit_battle(battle_id=battle.pk, user=bob)


def test_name_player_of_an_enrolment(
    reds: Warband, club: Club, erin: User, as_alice: APIClient
) -> None:
    where = f"/api/v1/enrolments/{reds.enrolments.get().pk}/"
    answer = as_alice.patch(where, {"player": str(seat(club, "Erin"))})
    assert (answer.status_code, answer.json()["player_name"]) == (200, "Erin")
    assert owner_and_player(reds) == (erin, "Erin")
    assert as_alice.patch(where, {"player": "x"}).status_code == 400
    unknown = as_alice.patch(where, {"player": where.split("/")[-2]})
    assert (unknown.status_code, unknown.json()["code"]) == (404, "unknown-player")


def test_name_player_by_owner_is_an_offer(
    reds: Warband, club: Club, erin: User, as_bob: APIClient
) -> None:
    where = f"/api/v1/enrolments/{reds.enrolments.get().pk}/"
    answer = as_bob.patch(where, {"player": str(seat(club, "Erin"))})
    assert (answer.status_code, answer.json()["player_name"]) == (202, "Bob")
    assert HandOver.objects.get().state == OFFERED
    assert api_of(erin).patch(where, {"player": str(seat(club, "Erin"))}).status_code == 403


def test_name_a_player_without_an_account(
    reds: Warband, club: Club, alice: User, bob: User
) -> None:
    guest = add_guest(club_id=club.pk, user=alice, name="Gaston")
    enrolment = reds.enrolments.get()
    with pytest.raises(InvalidInput) as refusal:
        name_player(enrolment_id=enrolment.pk, player_id=guest.pk, user=bob)
    assert code_of(refusal) == "account-needed"
    name_player(enrolment_id=enrolment.pk, player_id=guest.pk, user=alice)
    assert owner_and_player(reds) == (None, "Gaston")
    assert reds.keeper == alice
    hand_over_warband(warband_id=reds.pk, player="bob", user=alice)
    assert owner_and_player(reds) == (bob, "Bob")


def test_lent_warband_stays_with_its_owner(
    reds: Warband, club: Club, alice: User, bob: User, erin: User
) -> None:
    Enrolment.objects.filter(warband=reds).update(player=seat(club, "Alice"))
    name_player(enrolment_id=reds.enrolments.get().pk, player_id=seat(club, "Erin"), user=alice)
    assert owner_and_player(reds) == (bob, "Erin")


def test_enrolment_that_has_ended_takes_no_other_player(
    reds: Warband, enrolled: Campaign, club: Club, alice: User, erin: User
) -> None:
    finish_campaign(campaign_id=enrolled.pk, user=alice)
    with pytest.raises(StateConflict) as lost:
        name_player(enrolment_id=reds.enrolments.get().pk, player_id=seat(club, "Erin"), user=alice)
    assert code_of(lost) == "already-withdrawn"


def test_organiser_transfers_only_while_it_is_in_the_campaign(
    reds: Warband, enrolled: Campaign, alice: User, erin: User
) -> None:
    finish_campaign(campaign_id=enrolled.pk, user=alice)
    with pytest.raises(Forbidden):
        hand_over_warband(warband_id=reds.pk, player="erin", user=alice)


def test_player_who_was_an_organiser_only_offers(
    reds: Warband, club: Club, alice: User, bob: User, erin: User
) -> None:
    change_role(member_id=seat(club, "Bob"), user=alice, role="organiser")
    change_role(member_id=seat(club, "Bob"), user=alice, role="player")
    assert hand_over_warband(warband_id=reds.pk, player="erin", user=bob).state == OFFERED


def test_battle_names_who_led_the_warband_then(
    reds: Warband, enrolled: Campaign, alice: User, bob: User, erin: User
) -> None:
    other = Warband.objects.get(name="Alice's Reds")
    before, after = (battle_of(enrolled, [reds, other], bob) for _ in range(2))
    Battle.objects.filter(pk=before.pk).update(submitted_at=timezone.now())
    hand_over_warband(warband_id=reds.pk, player="erin", user=alice)
    Battle.objects.filter(pk=after.pk).update(submitted_at=timezone.now())
    battles = Battle.objects.for_rows()
    seats = seats_of(battles)
    led = {
        battle.pk: player_of(battle, battle.sides.get(warband=reds), seats).name
        for battle in battles
    }
    assert led == {before.pk: "Bob", after.pk: "Erin"}
    hand_over_warband(warband_id=reds.pk, player="bob", user=alice)
    seats = seats_of(battles)
    assert {
        player_of(battle, battle.sides.get(warband=reds), seats).name for battle in battles
    } == {"Bob", "Erin"}


def test_offers_end_with_the_account(reds: Warband, bob: User, erin: User) -> None:
    offer = hand_over_warband(warband_id=reds.pk, player="erin", user=bob)
    delete_account(user=erin, kept=KeptForHistory.NONE)
    offer.refresh_from_db()
    assert offer.state == WITHDRAWN
    assert owner_and_player(reds) == (bob, "Bob")


def test_former_leader_without_an_account_is_named_after_leaving_the_club(
    reds: Warband, enrolled: Campaign, club: Club, alice: User, erin: User
) -> None:
    hand_over_warband(warband_id=reds.pk, player="erin", user=alice)
    remove_member(member_id=seat(club, "Bob"), user=alice)
    assert HandOver.objects.get().giver_name == "Bob"
