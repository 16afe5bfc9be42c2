"""Clubs, members and invitations through the API: what works, odd input, filters, numbers of
queries."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient

from campaigns.models import Campaign, Enrolment
from campaigns.services.enrolments import enrol_warband
from clubs.models import Club, Invitation, Membership, Role
from clubs.services.clubs import found_club
from clubs.services.members import add_guest
from tests.campaigns.conftest import Muster, seat
from tests.conftest import api_of

CLUBS = "/api/v1/clubs/"


def codes(answer: Any) -> set[tuple[str, str]]:
    """Return the fields and codes of a problem, which must have status 400."""
    assert answer.status_code == 400, answer.data
    return {(line["field"], line["code"]) for line in answer.data["errors"]}


def test_clubs_api_creates_reads_and_changes(as_bob: APIClient) -> None:
    founded = as_bob.post(CLUBS, {"name": "The Old Guard", "member_name": "Robert"})
    assert founded.status_code == 201
    assert (founded.data["role"], founded.data["member_count"], founded.data["campaign_count"]) == (
        "organiser",
        1,
        0,
    )
    place = f"{CLUBS}{founded.data['id']}/"
    changed = as_bob.patch(place, {"story": "Tuesdays.", "visibility": "public"})
    assert (changed.status_code, changed.data["story"], changed.data["name"]) == (
        200,
        "Tuesdays.",
        "The Old Guard",
    )
    assert as_bob.get(place).data == changed.data
    assert Membership.objects.get().name == "Robert"


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({}, ("/name", "required")),
        ({"name": ""}, ("/name", "blank")),
        ({"name": "x" * 101}, ("/name", "max_length")),
        ({"name": ["x"]}, ("/name", "invalid")),
        ({"name": "x", "visibility": "secret"}, ("/visibility", "invalid_choice")),
        ({"name": "x", "story": "y" * 20_001}, ("/story", "max_length")),
        ({"name": "x", "member_name": "y" * 81}, ("/member_name", "max_length")),
    ],
)
def test_a_club_with_odd_fields_is_refused(
    as_bob: APIClient, body: dict, wrong: tuple[str, str]
) -> None:
    assert codes(as_bob.post(CLUBS, body)) == {wrong}
    assert not Club.objects.exists()


@pytest.mark.parametrize("name", ["x\\u0000", "\\ud800"])
def test_what_no_database_can_hold_is_refused(as_bob: APIClient, name: str) -> None:
    answer = as_bob.post(CLUBS, data=f'{{"name": "{name}"}}', content_type="application/json")
    assert (answer.status_code, answer.data["code"]) == (400, "parse_error")
    assert not Club.objects.exists()


def test_clubs_are_filtered_ordered_and_cut_into_pages(
    as_alice: APIClient, alice: User, club: Club
) -> None:
    for name in ("Amazons", "Zouaves", "Old Contemptibles"):
        found_club(user=alice, name=name)
    names = lambda query: [row["name"] for row in as_alice.get(f"{CLUBS}?{query}").data["results"]]  # noqa: E731
    assert names("ordering=-name") == ["Zouaves", "The Old Guard", "Old Contemptibles", "Amazons"]
    assert names("name=old") == ["Old Contemptibles", "The Old Guard"]
    assert names("role=player") == []
    assert names("page=2&page_size=3") == ["Zouaves"]
    assert as_alice.get(f"{CLUBS}?page=9").status_code == 404
    assert codes(as_alice.get(f"{CLUBS}?ordering=luck")) == {("?ordering", "invalid_choice")}
    assert codes(as_alice.get(f"{CLUBS}?role=emperor")) == {("?role", "invalid_choice")}


def test_the_role_in_a_list_is_ones_own(club: Club, as_dora: APIClient) -> None:
    assert as_dora.get(CLUBS).data["results"][0]["role"] == "spectator"
    Club.objects.update(visibility="public")


def test_a_stranger_has_no_role_in_a_public_club(club: Club, as_charlie: APIClient) -> None:
    Club.objects.update(visibility="public")
    assert as_charlie.get(CLUBS).data["results"][0]["role"] == ""


def test_members_are_listed_filtered_and_ordered(
    club: Club, alice: User, as_bob: APIClient
) -> None:
    add_guest(club_id=club.pk, user=alice, name="Gaston")
    place = f"{CLUBS}{club.pk}/members/"
    names = lambda query: [row["name"] for row in as_bob.get(f"{place}?{query}").data["results"]]  # noqa: E731
    assert names("") == ["Alice", "Bob", "Dora", "Gaston"]
    assert names("has_account=false") == ["Gaston"]
    assert names("has_account=true&ordering=-name") == ["Dora", "Bob", "Alice"]
    assert names("role=spectator") == ["Dora"]
    assert [row["me"] for row in as_bob.get(place).data["results"]] == [False, True, False, False]


def test_a_guest_is_added_by_name(club: Club, as_alice: APIClient) -> None:
    place = f"{CLUBS}{club.pk}/members/"
    added = as_alice.post(place, {"name": "Gaston"})
    assert (added.status_code, added.data["has_account"], added.data["role"]) == (
        201,
        False,
        "player",
    )
    assert codes(as_alice.post(place, {"name": "gaston"})) == {("/name", "name-taken")}
    assert codes(as_alice.post(place, {})) == {("/name", "required")}
    assert codes(as_alice.post(place, {"name": "x" * 81})) == {("/name", "max_length")}


def test_members_change_name_and_role(club: Club, as_alice: APIClient, as_bob: APIClient) -> None:
    place = f"/api/v1/members/{seat(club, 'Bob')}/"
    assert as_bob.patch(place, {"name": "Robert"}).data["name"] == "Robert"
    changed = as_alice.patch(place, {"name": "Rob", "role": "organiser"})
    assert (changed.data["name"], changed.data["role"]) == ("Rob", "organiser")
    assert codes(as_alice.patch(place, {"role": "emperor"})) == {("/role", "invalid_choice")}
    assert codes(as_alice.patch(place, {})) == {("", "empty")}


def test_a_member_is_changed_in_both_or_in_neither(club: Club, as_bob: APIClient) -> None:
    answer = as_bob.patch(
        f"/api/v1/members/{seat(club, 'Bob')}/", {"name": "Robert", "role": "organiser"}
    )
    assert answer.status_code == 403
    assert Membership.objects.filter(name="Bob").exists()


def test_members_api_explains_last_organiser(club: Club, as_alice: APIClient) -> None:
    place = f"/api/v1/members/{seat(club, 'Alice')}/"
    for answer in (as_alice.delete(place), as_alice.patch(place, {"role": "player"})):
        assert answer.data["code"] == "last-organiser"
        assert "Make another member an organiser first" in answer.data["errors"][0]["detail"]


def test_a_member_leaves(club: Club, as_dora: APIClient) -> None:
    assert as_dora.delete(f"/api/v1/members/{seat(club, 'Dora')}/").status_code == 204
    assert as_dora.get(f"{CLUBS}{club.pk}/").status_code == 404


def test_an_invitation_shows_its_link_again(
    club: Club, as_alice: APIClient, as_charlie: APIClient
) -> None:
    place = f"{CLUBS}{club.pk}/invitations/"
    issued = as_alice.post(place, {"role": "spectator", "uses": 2, "days": 3})
    assert (issued.status_code, issued.data["uses_left"], issued.data["usable"]) == (201, 2, True)
    assert as_alice.get(place).data["results"] == [issued.data]
    assert issued.data["link"].endswith(f"/join/?secret={issued.data['secret']}")
    assert as_alice.get(f"/api/v1/invitations/{issued.data['id']}/").data == issued.data
    joined = as_charlie.post(
        "/api/v1/invitations/accept/", {"secret": issued.data["secret"], "name": "Charles"}
    )
    assert (joined.status_code, joined.data["name"], joined.data["role"]) == (
        201,
        "Charles",
        "spectator",
    )
    again = as_charlie.post("/api/v1/invitations/accept/", {"secret": issued.data["secret"]})
    assert (again.status_code, again.data["code"]) == (400, "already-member")


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({"role": "emperor"}, ("/role", "invalid_choice")),
        ({"uses": 0}, ("/uses", "min_value")),
        ({"uses": 101}, ("/uses", "max_value")),
        ({"uses": "many"}, ("/uses", "invalid")),
        ({"days": 91}, ("/days", "max_value")),
        ({"seat": "x"}, ("/seat", "invalid")),
        ({"role": "organiser", "uses": 2}, ("/uses", "out-of-range")),
    ],
)
def test_an_odd_invitation_is_refused(
    club: Club, as_alice: APIClient, body: dict, wrong: tuple[str, str]
) -> None:
    assert codes(as_alice.post(f"{CLUBS}{club.pk}/invitations/", body)) == {wrong}
    assert not Invitation.objects.exists()


def test_a_seat_is_taken_over_by_a_link(
    club: Club,
    campaign: Campaign,
    muster: Muster,
    alice: User,
    as_alice: APIClient,
    as_charlie: APIClient,
) -> None:
    guest = add_guest(club_id=club.pk, user=alice, name="Gaston")
    warband = muster(None, "Gaston's Reds", keeper=alice)
    enrol_warband(campaign_id=campaign.pk, warband_id=warband.pk, user=alice, player_id=guest.pk)
    issued = as_alice.post(f"{CLUBS}{club.pk}/invitations/", {"seat": str(guest.pk)})
    joined = as_charlie.post("/api/v1/invitations/accept/", {"secret": issued.data["secret"]})
    assert (joined.data["id"], joined.data["me"]) == (str(guest.pk), True)
    assert Enrolment.objects.get().warband.owner_id == Membership.objects.get(pk=guest.pk).user_id


@pytest.mark.parametrize("body", [{}, {"secret": ""}, {"secret": "x" * 201}, {"secret": {}}])
def test_accepting_needs_a_secret(as_charlie: APIClient, body: dict) -> None:
    assert {field for field, _ in codes(as_charlie.post("/api/v1/invitations/accept/", body))} == {
        "/secret"
    }


def test_a_link_that_leads_nowhere_is_not_found(as_charlie: APIClient) -> None:
    answer = as_charlie.post("/api/v1/invitations/accept/", {"secret": "nonsense"})
    assert (answer.status_code, answer.data["code"]) == (404, "unknown-invitation")
    assert "nonsense" not in str(answer.data)


def test_invitations_are_revoked(club: Club, as_alice: APIClient) -> None:
    issued = as_alice.post(f"{CLUBS}{club.pk}/invitations/")
    place = f"/api/v1/invitations/{issued.data['id']}/"
    assert as_alice.delete(place).status_code == 204
    assert as_alice.get(place).status_code == 404


def test_an_expired_invitation_is_marked(club: Club, as_alice: APIClient) -> None:
    as_alice.post(f"{CLUBS}{club.pk}/invitations/")
    Invitation.objects.update(expires_at=timezone.now() - timedelta(days=1))
    assert as_alice.get(f"{CLUBS}{club.pk}/invitations/").data["results"][0]["usable"] is False


@pytest.mark.parametrize("method", ["put", "post"])
def test_other_methods_are_not_allowed(club: Club, as_alice: APIClient, method: str) -> None:
    assert getattr(as_alice, method)(f"{CLUBS}{club.pk}/", {"name": "x"}).status_code == 405


def test_lists_cost_the_same_for_one_row_as_for_many(
    club: Club, alice: User, django_assert_num_queries
) -> None:
    client = api_of(alice)
    for number in range(3):
        founded = found_club(user=alice, name=f"Club {number}")
        Membership.objects.create(club=founded, name="Guest", role=Role.PLAYER)
        add_guest(club_id=club.pk, user=alice, name=f"Guest {number}")
        client.post(f"{CLUBS}{club.pk}/invitations/")
    with django_assert_num_queries(2):
        assert client.get(CLUBS).data["count"] == 4
    with django_assert_num_queries(1):
        client.get(f"{CLUBS}{club.pk}/")
    with django_assert_num_queries(3):
        assert client.get(f"{CLUBS}{club.pk}/members/").data["count"] == 6
    with django_assert_num_queries(4):
        assert client.get(f"{CLUBS}{club.pk}/invitations/").data["count"] == 3
