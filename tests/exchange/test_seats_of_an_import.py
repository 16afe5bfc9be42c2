"""After an import everybody can get back their seat: by an invitation, and with it their
warbands."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from campaigns.models import Campaign
from campaigns.services.leaving import clubs_left
from clubs.models import Club, Membership, Role
from clubs.services.evenings import answer_evening
from clubs.services.invitations import accept_invitation, invite
from clubs.services.members import change_role, remove_member
from core.errors import InvalidInput
from tests.conftest import browser_of
from tests.exchange.test_importing_archives import battle_archive, expect_proved, imported
from tests.pages import world
from warbands.models import Warband

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(alice: User) -> Club:
    """Return a club that Alice has imported with all members as placeholders."""
    made = imported(battle_archive("club"), alice)
    return Club.objects.get(pk=made.subject)


def seat_of(club: Club, name: str) -> Membership:
    return Membership.objects.get(club=club, name=name)


def test_imported_seats_can_be_offered(club: Club, alice: User) -> None:
    browser = browser_of(alice)
    seat = seat_of(club, "bob.there")
    link = f"{reverse('clubs:invite', args=[club.pk])}?seat={seat.pk}"
    home = browser.get(reverse("home:club", args=[club.pk])).content.decode()
    assert link in home
    assert link in browser.get(reverse("clubs:member", args=[seat.pk])).content.decode()
    form = browser.get(link).context["form"]
    offered = {label for _, label in form.fields["seat_id"].choices}
    assert {"alice.there", "bob.there", "dora.there"} <= offered
    assert "alice" not in offered


def test_taking_an_imported_seat_gives_the_warbands(club: Club, alice: User, charlie: User) -> None:
    seat = seat_of(club, "bob.there")
    placeholder = seat.user
    secret = invite(club_id=club.pk, user=alice, seat_id=seat.pk).secret
    taken = accept_invitation(secret=secret, user=charlie)
    warband = Warband.objects.get(enrolments__player=seat)
    assert (taken.pk, taken.user, taken.role) == (seat.pk, charlie, Role.PLAYER)
    assert (warband.owner, warband.keeper) == (charlie, None)
    assert not Membership.objects.filter(user=placeholder).exists()
    expect_proved()
    # ... and Charlie plays on with it.
    campaign = Campaign.objects.get(club=club)
    other = Warband.objects.exclude(pk=warband.pk).get(enrolments__campaign=campaign)
    battle = world.planned_battle(charlie, campaign, warband, other)
    assert battle.created_by == charlie
    with pytest.raises(InvalidInput, match="already has an account"):
        invite(club_id=club.pk, user=alice, seat_id=seat.pk)


def test_an_imported_organiser_is_an_organiser_again(
    club: Club, alice: User, charlie: User
) -> None:
    issued = invite(club_id=club.pk, user=alice, seat_id=seat_of(club, "alice.there").pk, uses=1)
    assert issued.invitation.role == Role.ORGANISER
    assert accept_invitation(secret=issued.secret, user=charlie).role == Role.ORGANISER


def test_taking_a_seat_leaves_other_clubs_alone(club: Club, alice: User, charlie: User) -> None:
    seat = seat_of(club, "bob.there")
    elsewhere = Membership.objects.create(
        club=Club.objects.create(name="Another"), user=seat.user, name="bob", role=Role.ORGANISER
    )
    accept_invitation(
        secret=invite(club_id=club.pk, user=alice, seat_id=seat.pk).secret, user=charlie
    )
    elsewhere.refresh_from_db()
    assert elsewhere.user != charlie


def test_a_placeholder_is_no_organiser_to_hand_over_to(
    club: Club, alice: User, charlie: User
) -> None:
    assert seat_of(club, "alice.there").role == Role.ORGANISER
    with pytest.raises(InvalidInput) as refused:
        remove_member(member_id=seat_of(club, "alice").pk, user=alice)
    assert refused.value.code == "last-organiser"
    (left,) = clubs_left(alice)
    assert (left.heir, left.empty) == (None, True)
    with pytest.raises(InvalidInput) as unable:
        change_role(member_id=seat_of(club, "bob.there").pk, user=alice, role=Role.ORGANISER)
    assert unable.value.code == "guest-plays"


def test_the_api_says_who_has_no_account(club: Club, as_alice: Any) -> None:
    rows = as_alice.get(f"/api/v1/clubs/{club.pk}/members/").data["results"]
    assert {row["name"] for row in rows if row["has_account"]} == {"alice"}
    filtered = as_alice.get(f"/api/v1/clubs/{club.pk}/members/", {"has_account": "false"}).data[
        "results"
    ]
    assert {row["name"] for row in filtered} == {"alice.there", "bob.there", "dora.there"}
    seat = seat_of(club, "bob.there").pk
    made = as_alice.post(
        f"/api/v1/clubs/{club.pk}/invitations/", {"seat": str(seat)}, format="json"
    )
    assert (made.status_code, made.data["seat"]) == (201, seat)


def test_organisers_answer_for_placeholders(club: Club, alice: User) -> None:
    evening = world.evening_of(club, alice)
    seat = seat_of(club, "bob.there")
    given = answer_evening(evening_id=evening.pk, user=alice, answer="coming", member_id=seat.pk)
    assert given.member == seat
