"""Clubs: founded, changed, their members."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from clubs.models import Club, Membership
from home.models import Preferences
from tests.pages.conftest import Clients

pytestmark = pytest.mark.one_database


def test_creator_of_club_is_its_organiser(browsers: Clients, charlie: User) -> None:
    data = {
        "name": "The Late Risers",
        "visibility": "private",
        "story": "",
        "member_name": "Charles",
    }
    answer = browsers.charlie.post(reverse("home:found"), data)
    club = Club.objects.get(name="The Late Risers")
    assert answer["Location"] == reverse("home:club", args=[club.pk])
    member = Membership.objects.get(club=club)
    assert (member.user, member.role, member.name) == (charlie, "organiser", "Charles")


def test_new_club_starts_with_time_zone_of_its_creator(browsers: Clients, charlie: User) -> None:
    Preferences.objects.create(user=charlie, time_zone="Europe/Berlin")
    page = browsers.charlie.get(reverse("home:found"))
    assert page.context["form"].initial["time_zone"] == "Europe/Berlin"
    assert '<option value="Europe/Berlin" selected>' in page.content.decode()


def test_a_club_without_a_name_is_not_founded_and_nothing_typed_is_lost(
    browsers: Clients, charlie: User
) -> None:
    page = browsers.charlie.post(
        reverse("home:found"), {"name": "", "visibility": "public", "story": "A cellar"}
    )
    assert page.status_code == 400
    assert "A cellar" in page.content.decode()
    assert not Club.objects.exists()


def test_my_clubs_are_mine_alone(browsers: Clients, club: Club) -> None:
    assert club.name in browsers.dora.get(reverse("home:clubs")).content.decode()
    assert club.name not in browsers.charlie.get(reverse("home:clubs")).content.decode()


def test_a_club_shows_its_members_and_only_organisers_see_invitations(
    browsers: Clients, club: Club
) -> None:
    where = reverse("home:club", args=[club.pk])
    assert [member.name for member in browsers.bob.get(where).context["members"]] == [
        "alice",
        "bob",
        "dora",
    ]
    assert reverse("clubs:invite", args=[club.pk]) in browsers.alice.get(where).content.decode()
    assert reverse("clubs:invite", args=[club.pk]) not in browsers.bob.get(where).content.decode()


def test_a_club_changes_its_story(browsers: Clients, club: Club) -> None:
    data = {"name": club.name, "story": "We meet on Fridays.", "visibility": "public"}
    browsers.alice.post(reverse("home:change-club", args=[club.pk]), data)
    assert (
        "We meet on Fridays."
        in browsers.nobody.get(reverse("home:club", args=[club.pk])).content.decode()
    )


def test_a_member_takes_another_name(browsers: Clients, club: Club, bob: User) -> None:
    seat = Membership.objects.get(club=club, user=bob)
    browsers.bob.post(reverse("clubs:member", args=[seat.pk]), {"name": "Robert"})
    seat.refresh_from_db()
    assert seat.name == "Robert"


def test_an_organiser_makes_another_one(browsers: Clients, club: Club, bob: User) -> None:
    seat = Membership.objects.get(club=club, user=bob)
    browsers.alice.post(reverse("clubs:role", args=[seat.pk]), {"to-role": "organiser"})
    seat.refresh_from_db()
    assert seat.role == "organiser"


def test_the_last_organiser_cannot_step_down(browsers: Clients, club: Club, alice: User) -> None:
    seat = Membership.objects.get(club=club, user=alice)
    page = browsers.alice.post(
        reverse("clubs:role", args=[seat.pk]), {"to-role": "player"}, follow=True
    )
    seat.refresh_from_db()
    assert seat.role == "organiser"
    assert "needs an organiser" in page.content.decode()


def test_former_member_cannot_see_private_club(browsers: Clients, club: Club, bob: User) -> None:
    seat = Membership.objects.get(club=club, user=bob)
    answer = browsers.bob.post(reverse("clubs:remove-member", args=[seat.pk]))
    assert answer["Location"] == reverse("home:clubs")
    assert browsers.bob.get(reverse("home:club", args=[club.pk])).status_code == 404
