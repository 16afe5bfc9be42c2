"""Clubs, their members, roles, and leaving."""

import pytest
from django.contrib.auth.models import User

from campaigns.models import Campaign
from campaigns.services.campaigns import finish_campaign, start_campaign
from campaigns.services.enrolments import enrol_warband, withdraw_warband
from clubs.models import Club, Membership, Role
from clubs.services.clubs import edit_club, found_club
from clubs.services.members import add_guest, change_role, remove_member, rename_member
from core.errors import Forbidden, InvalidInput, NotFound
from core.users import Visibility
from tests.campaigns.conftest import Muster, seat
from warbands.models import Warband


def test_found_club_makes_user_organiser(alice: User) -> None:
    club = found_club(user=alice, name="  The Old Guard ")
    assert club.name == "The Old Guard"
    assert [(member.name, member.role, member.user) for member in club.memberships.all()] == [
        ("alice", Role.ORGANISER, alice)
    ]


def test_a_club_needs_a_name_and_every_wrong_field_is_named_at_once(alice: User) -> None:
    with pytest.raises(InvalidInput) as refused:
        found_club(user=alice, name=" ", story="x\0y", visibility="secret")
    assert {(problem.field, problem.code) for problem in refused.value.problems} == {
        ("name", "too-short"),
        ("story", "unstorable-text"),
        ("visibility", "unknown-choice"),
    }
    assert not Club.objects.exists()


def test_an_organiser_changes_the_club_and_what_is_absent_stays(club: Club, alice: User) -> None:
    edit_club(
        club_id=club.pk, user=alice, story="We meet on Tuesdays.", visibility=Visibility.PUBLIC
    )
    club.refresh_from_db()
    assert (club.name, club.story, club.visibility) == (
        "The Old Guard",
        "We meet on Tuesdays.",
        "public",
    )


def test_players_and_spectators_cannot_change_the_club(club: Club, bob: User, dora: User) -> None:
    for user in (bob, dora):
        with pytest.raises(Forbidden):
            edit_club(club_id=club.pk, user=user, name="Ours")


def test_to_a_stranger_a_private_club_does_not_exist(club: Club, charlie: User) -> None:
    with pytest.raises(NotFound):
        edit_club(club_id=club.pk, user=charlie, name="Mine")


def test_the_organiser_of_another_club_is_a_stranger_here(club: Club, charlie: User) -> None:
    found_club(user=charlie, name="Another club")
    with pytest.raises(NotFound):
        add_guest(club_id=club.pk, user=charlie, name="Spy")


def test_a_guest_is_a_player_without_an_account(club: Club, alice: User) -> None:
    guest = add_guest(club_id=club.pk, user=alice, name="Gaston")
    assert (guest.user, guest.role, guest.name) == (None, Role.PLAYER, "Gaston")


def test_a_name_is_borne_once_in_a_club_whatever_its_case(
    club: Club, alice: User, bob: User
) -> None:
    with pytest.raises(InvalidInput, match="Choose another name") as refused:
        add_guest(club_id=club.pk, user=alice, name="BOB")
    assert refused.value.code == "name-taken"
    rename_member(member_id=seat(club, "Bob"), user=bob, name="bob")


def test_name_with_another_sign_is_taken_in_a_club(club: Club, alice: User) -> None:
    add_guest(club_id=club.pk, user=alice, name="J\xf6rg d\u2019Artagnan")
    with pytest.raises(InvalidInput) as refused:
        add_guest(club_id=club.pk, user=alice, name="Jo\u0308rg d'Artagnan")
    assert refused.value.code == "name-taken"


def test_members_rename_themselves_and_organisers_rename_anybody(
    club: Club, alice: User, bob: User
) -> None:
    rename_member(member_id=seat(club, "Bob"), user=bob, name="Robert")
    rename_member(member_id=seat(club, "Robert"), user=alice, name="Rob")
    assert Membership.objects.get(user=bob).name == "Rob"
    with pytest.raises(Forbidden):
        rename_member(member_id=seat(club, "Alice"), user=bob, name="Alicia")


def test_an_organiser_makes_another_one_and_may_then_step_down(
    club: Club, alice: User, bob: User
) -> None:
    change_role(member_id=seat(club, "Bob"), user=alice, role=Role.ORGANISER)
    change_role(member_id=seat(club, "Alice"), user=alice, role=Role.SPECTATOR)
    assert Membership.objects.get(user=alice).role == Role.SPECTATOR
    with pytest.raises(Forbidden):
        change_role(member_id=seat(club, "Alice"), user=alice, role=Role.ORGANISER)


@pytest.mark.parametrize("way", ["step down", "leave"])
def test_the_last_organiser_cannot_go(club: Club, alice: User, way: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        if way == "leave":
            remove_member(member_id=seat(club, "Alice"), user=alice)
        else:
            change_role(member_id=seat(club, "Alice"), user=alice, role=Role.PLAYER)
    assert refused.value.code == "last-organiser"
    assert Membership.objects.get(user=alice).role == Role.ORGANISER


def test_a_guest_can_only_play(club: Club, alice: User) -> None:
    guest = add_guest(club_id=club.pk, user=alice, name="Gaston")
    with pytest.raises(InvalidInput) as refused:
        change_role(member_id=guest.pk, user=alice, role=Role.SPECTATOR)
    assert refused.value.code == "guest-plays"


def test_a_role_that_does_not_exist_is_refused(club: Club, alice: User) -> None:
    with pytest.raises(InvalidInput) as refused:
        change_role(member_id=seat(club, "Bob"), user=alice, role="emperor")
    assert refused.value.code == "unknown-choice"


def test_a_player_changes_nobodys_role(club: Club, bob: User) -> None:
    with pytest.raises(Forbidden):
        change_role(member_id=seat(club, "Bob"), user=bob, role=Role.ORGANISER)


def test_who_has_never_played_leaves_without_a_trace(club: Club, dora: User) -> None:
    remove_member(member_id=seat(club, "Dora"), user=dora)
    assert not Membership.objects.filter(user=dora).exists()
    assert not Club.objects.visible_to(dora).exists()


def test_a_player_sends_nobody_else_away(club: Club, bob: User) -> None:
    with pytest.raises(Forbidden):
        remove_member(member_id=seat(club, "Dora"), user=bob)


def test_nobody_leaves_while_a_warband_is_in_a_campaign(enrolled: Campaign, bob: User) -> None:
    with pytest.raises(InvalidInput, match="Bob's Reds in The Long Winter") as refused:
        remove_member(member_id=seat(enrolled.club, "Bob"), user=bob)
    assert refused.value.code == "warbands-enrolled"


def test_who_has_played_leaves_an_empty_seat_that_keeps_the_name(
    enrolled: Campaign, alice: User, bob: User
) -> None:
    start_campaign(campaign_id=enrolled.pk, user=alice)
    finish_campaign(campaign_id=enrolled.pk, user=alice)
    remove_member(member_id=seat(enrolled.club, "Bob"), user=alice)
    left = Membership.objects.get(name="Bob")
    assert (left.user, left.role) == (None, Role.PLAYER)
    assert left.left_at is not None
    assert not Campaign.objects.visible_to(bob).exists()
    assert Warband.objects.get(name="Bob's Reds").owner == bob


def test_a_leaving_organiser_hands_the_guests_warbands_to_another(
    club: Club, campaign: Campaign, muster: Muster, alice: User, bob: User
) -> None:
    guest = add_guest(club_id=club.pk, user=alice, name="Gaston")
    warband = muster(None, "Gaston's Reds", keeper=alice)
    enrol_warband(campaign_id=campaign.pk, warband_id=warband.pk, user=alice, player_id=guest.pk)
    change_role(member_id=seat(club, "Bob"), user=alice, role=Role.ORGANISER)
    remove_member(member_id=seat(club, "Alice"), user=alice)
    warband.refresh_from_db()
    assert warband.keeper == bob


def test_a_guest_who_never_played_on_is_removed_after_withdrawing(
    club: Club, campaign: Campaign, muster: Muster, alice: User
) -> None:
    guest = add_guest(club_id=club.pk, user=alice, name="Gaston")
    warband = muster(None, "Gaston's Reds", keeper=alice)
    enrolment = enrol_warband(
        campaign_id=campaign.pk, warband_id=warband.pk, user=alice, player_id=guest.pk
    )
    withdraw_warband(enrolment_id=enrolment.pk, user=alice)
    remove_member(member_id=guest.pk, user=alice)
    assert Membership.objects.get(pk=guest.pk).left_at is not None
