"""Invitations into a club and to the seat of a player without an account."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from campaigns.models import Campaign, Enrolment
from campaigns.services.enrolments import enrol_warband
from clubs.models import Club, Invitation, Membership, Role
from clubs.services.clubs import found_club
from clubs.services.invitations import accept_invitation, find_invitation, invite, revoke_invitation
from clubs.services.members import add_guest
from core.errors import Forbidden, InvalidInput, NotFound
from tests.campaigns.conftest import Muster, seat


def test_accept_gives_role_of_invitation(club: Club, alice: User, charlie: User) -> None:
    issued = invite(club_id=club.pk, user=alice, role=Role.SPECTATOR)
    member = accept_invitation(secret=issued.secret, user=charlie, name="Charles")
    assert (member.club, member.user, member.name, member.role) == (
        club,
        charlie,
        "Charles",
        Role.SPECTATOR,
    )


def test_without_a_name_one_joins_under_that_of_the_account(
    club: Club, alice: User, charlie: User
) -> None:
    issued = invite(club_id=club.pk, user=alice)
    assert accept_invitation(secret=issued.secret, user=charlie).name == "charlie"


def test_the_secret_is_stored_under_the_sites_key_alone(
    club: Club, alice: User, charlie: User, settings
) -> None:
    issued = invite(club_id=club.pk, user=alice)
    row = Invitation.objects.values().get()
    assert issued.secret not in f"{row}{bytes(row['sealed'])!r}"
    assert len(row["digest"]) == 64
    assert Invitation.objects.get().secret == issued.secret
    former, settings.SECRET_KEY = (
        settings.SECRET_KEY,
        "another key of at least fifty characters, for what it is worth",
    )
    assert Invitation.objects.get().secret == ""
    settings.SECRET_KEY_FALLBACKS = [former]
    assert Invitation.objects.get().secret == issued.secret
    settings.SECRET_KEY_FALLBACKS = []
    assert accept_invitation(secret=issued.secret, user=charlie).club == club


def test_invitation_has_limited_uses(club: Club, alice: User, charlie: User, make_user) -> None:
    issued = invite(club_id=club.pk, user=alice, uses=2)
    accept_invitation(secret=issued.secret, user=charlie)
    accept_invitation(secret=issued.secret, user=make_user("emil"))
    with pytest.raises(InvalidInput) as refused:
        accept_invitation(secret=issued.secret, user=make_user("franz"))
    assert refused.value.code == "invitation-used-up"
    assert club.memberships.count() == 5


def test_a_link_expires(club: Club, alice: User, charlie: User) -> None:
    issued = invite(club_id=club.pk, user=alice, days=3)
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(InvalidInput) as refused:
        accept_invitation(secret=issued.secret, user=charlie)
    assert refused.value.code == "invitation-expired"
    assert not issued.invitation.usable(timezone.now() + timedelta(days=3, seconds=1))
    assert issued.invitation.usable(timezone.now() + timedelta(days=2))


def test_a_revoked_link_leads_nowhere(club: Club, alice: User, charlie: User) -> None:
    issued = invite(club_id=club.pk, user=alice)
    revoke_invitation(invitation_id=issued.invitation.pk, user=alice)
    with pytest.raises(NotFound):
        accept_invitation(secret=issued.secret, user=charlie)


@pytest.mark.parametrize("secret", ["", "nonsense", "\0", "\ud800", "x" * 10_000])
def test_a_mistyped_link_leads_nowhere(club: Club, charlie: User, secret: str) -> None:
    with pytest.raises(NotFound):
        accept_invitation(secret=secret, user=charlie)


def test_find_invitation_changes_nothing(club: Club, alice: User) -> None:
    issued = invite(club_id=club.pk, user=alice)
    invitation = find_invitation(issued.secret)
    assert (invitation.club.name, invitation.role, invitation.uses_left) == (
        "The Old Guard",
        Role.PLAYER,
        1,
    )


def test_a_member_who_follows_a_link_uses_nothing_up(club: Club, alice: User, bob: User) -> None:
    issued = invite(club_id=club.pk, user=alice)
    with pytest.raises(InvalidInput) as refused:
        accept_invitation(secret=issued.secret, user=bob)
    assert refused.value.code == "already-member"
    assert Invitation.objects.get().uses_left == 1


def test_a_taken_name_uses_nothing_up(club: Club, alice: User, charlie: User) -> None:
    issued = invite(club_id=club.pk, user=alice)
    with pytest.raises(InvalidInput) as refused:
        accept_invitation(secret=issued.secret, user=charlie, name="bob")
    assert refused.value.code == "name-taken"
    assert Invitation.objects.get().uses_left == 1


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"uses": 0}, "uses"),
        ({"uses": 101}, "uses"),
        ({"days": 0}, "days"),
        ({"days": 91}, "days"),
        ({"role": "emperor"}, "role"),
        ({"role": "organiser", "uses": 2}, "uses"),
    ],
)
def test_an_invitation_has_bounds(club: Club, alice: User, wish: dict, field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        invite(club_id=club.pk, user=alice, **wish)
    assert refused.value.field == field
    assert not Invitation.objects.exists()


def test_only_organisers_invite_and_revoke(
    club: Club, alice: User, bob: User, charlie: User
) -> None:
    with pytest.raises(Forbidden):
        invite(club_id=club.pk, user=bob)
    with pytest.raises(NotFound):
        invite(club_id=club.pk, user=charlie)
    issued = invite(club_id=club.pk, user=alice)
    for user in (bob, charlie):
        with pytest.raises(NotFound):
            revoke_invitation(invitation_id=issued.invitation.pk, user=user)


@pytest.fixture
def guest(club: Club, campaign: Campaign, muster: Muster, alice: User) -> Membership:
    """Return the guest player Gaston. Alice keeps his warband, which is in the campaign."""
    guest = add_guest(club_id=club.pk, user=alice, name="Gaston")
    warband = muster(None, "Gaston's Reds", keeper=alice)
    enrol_warband(campaign_id=campaign.pk, warband_id=warband.pk, user=alice, player_id=guest.pk)
    return guest


def test_a_guests_seat_is_taken_over_with_the_warbands(
    guest: Membership, alice: User, charlie: User
) -> None:
    issued = invite(club_id=guest.club_id, user=alice, seat_id=guest.pk)
    member = accept_invitation(secret=issued.secret, user=charlie)
    warband = guest.enrolments.get().warband
    assert (member.pk, member.name, member.user) == (guest.pk, "Gaston", charlie)
    assert (warband.owner, warband.keeper) == (charlie, None)
    with pytest.raises(NotFound):
        accept_invitation(secret=issued.secret, user=charlie)


def test_a_warband_that_somebody_owns_is_not_handed_over(
    guest: Membership, campaign: Campaign, muster: Muster, alice: User, charlie: User
) -> None:
    lent = muster(alice, "Alice's second")
    enrol_warband(campaign_id=campaign.pk, warband_id=lent.pk, user=alice, player_id=guest.pk)
    issued = invite(club_id=guest.club_id, user=alice, seat_id=guest.pk)
    accept_invitation(secret=issued.secret, user=charlie)
    lent.refresh_from_db()
    assert lent.owner == alice


def test_a_member_cannot_take_over_a_seat_by_link(
    guest: Membership, alice: User, dora: User
) -> None:
    issued = invite(club_id=guest.club_id, user=alice, seat_id=guest.pk)
    with pytest.raises(InvalidInput) as refused:
        accept_invitation(secret=issued.secret, user=dora)
    assert refused.value.code == "already-member"
    assert "Gaston" in refused.value.sentence and "Dora" in refused.value.sentence
    assert Enrolment.objects.get().player == guest
    assert Enrolment.objects.get().warband.owner is None
    assert Invitation.objects.get().uses_left == 1


def test_a_taken_seat_cannot_be_offered(club: Club, alice: User) -> None:
    with pytest.raises(InvalidInput) as refused:
        invite(club_id=club.pk, user=alice, seat_id=seat(club, "Bob"))
    assert refused.value.code == "seat-taken"


def test_a_seat_of_another_club_cannot_be_offered(club: Club, alice: User, charlie: User) -> None:
    other = add_guest(
        club_id=found_club(user=charlie, name="Another").pk, user=charlie, name="Gaston"
    )
    with pytest.raises(NotFound):
        invite(club_id=club.pk, user=alice, seat_id=other.pk)


def test_two_links_to_one_seat_and_the_second_finds_it_taken(
    guest: Membership, alice: User, charlie: User, dora: User
) -> None:
    first, second = (invite(club_id=guest.club_id, user=alice, seat_id=guest.pk) for _ in range(2))
    accept_invitation(secret=first.secret, user=charlie)
    with pytest.raises(NotFound):
        accept_invitation(secret=second.secret, user=dora)
