"""Who may do what in the API: strangers, readers, players, organisers, and organisers of other clubs."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient

from campaigns.models import Campaign, Club, Enrolment
from campaigns.services.clubs import found_club
from campaigns.services.invitations import invite
from tests.campaigns.conftest import Muster, seat
from tests.conftest import api_of
from tests.pages.world import evening_of
from warbands.models import Visibility

pytestmark = pytest.mark.one_database

READS = (
    "clubs/{club}/",
    "clubs/{club}/members/",
    "members/{member}/",
    "campaigns/{campaign}/",
    "clubs/{club}/evenings/",
    "clubs/{club}/home/",
    "clubs/{club}/calendar/",
    "evenings/{evening}/",
    "campaigns/{campaign}/house-rules/",
    "campaigns/{campaign}/enrolments/",
    "campaigns/{campaign}/log/",
    "campaigns/{campaign}/standings/",
    "campaigns/{campaign}/course/",
    "campaigns/{campaign}/honours/",
    "campaigns/{campaign}/journal/",
    "enrolments/{enrolment}/",
)
HOURS = {
    "starts_at": (timezone.now() + timedelta(1)).isoformat(),
    "ends_at": (timezone.now() + timedelta(2)).isoformat(),
}
LISTS = ("clubs/", "campaigns/")
ORGANISERS_WRITES: tuple[tuple[str, str, Any], ...] = (
    ("patch", "clubs/{club}/", {"story": "New"}),
    ("post", "clubs/{club}/members/", {"name": "Gaston"}),
    ("post", "clubs/{club}/invitations/", {}),
    ("post", "clubs/{club}/evenings/", HOURS),
    ("patch", "evenings/{evening}/", {"place": "Elsewhere"}),
    ("post", "evenings/{evening}/cancel/", {}),
    ("post", "evenings/{evening}/restore/", {}),
    ("patch", "members/{member}/", {"role": "spectator"}),
    ("delete", "members/{member}/", None),
    ("post", "campaigns/", {"club": "{club}", "name": "Summer", "ruleset": "toy", "points": 50}),
    ("patch", "campaigns/{campaign}/", {"version": 1, "name": "Summer"}),
    ("post", "campaigns/{campaign}/start/", {}),
    ("post", "campaigns/{campaign}/finish/", {}),
    ("post", "campaigns/{campaign}/follow-up/", {"name": "Summer"}),
    ("post", "campaigns/{campaign}/house-rules/", {"house_rules": {"surviving": 2}, "dry_run": True}),
    ("post", "campaigns/{campaign}/house-rules/", {"house_rules": {"surviving": 2}, "version": 1, "reason": "Up"}),
    ("delete", "enrolments/{enrolment}/", None),
    ("delete", "campaigns/{campaign}/", None),
)
ORGANISERS_READS = ("clubs/{club}/invitations/",)
HIDDEN_FROM_MEMBERS = (("get", "invitations/{invitation}/"), ("delete", "invitations/{invitation}/"))


@pytest.fixture
def keys(enrolled: Campaign, alice: User) -> dict[str, UUID]:
    """The ids of a club, of Emil in it who has no warband, of a campaign, and of Alice's enrolment."""
    club = enrolled.club
    invitation = invite(club_id=club.pk, user=alice).invitation
    return {
        "club": club.pk,
        "member": seat(club, "Dora"),
        "campaign": enrolled.pk,
        "enrolment": Enrolment.objects.get(warband__owner=alice).pk,
        "invitation": invitation.pk,
        "evening": evening_of(club, alice).pk,
    }


def ask(client: APIClient, method: str, path: str, keys: dict[str, UUID], body: Any = None) -> Any:
    """The answer to a request; ids stand in braces."""
    filled = {key: value.format(**keys) if isinstance(value, str) else value for key, value in (body or {}).items()}
    return getattr(client, method)(f"/api/v1/{path.format(**keys)}", filled or None)


def endpoints() -> Iterator[tuple[str, str, Any]]:
    """Every endpoint of the app, with a body that an organiser could send."""
    yield from (("get", path, None) for path in (*READS, *ORGANISERS_READS, *LISTS))
    yield from ORGANISERS_WRITES
    yield from ((method, path, None) for method, path in HIDDEN_FROM_MEMBERS)
    yield ("post", "clubs/", {"name": "Mine"})
    yield ("post", "invitations/accept/", {"secret": "x"})
    yield ("post", "campaigns/{campaign}/enrolments/", {"warband": str(uuid4())})


@pytest.mark.parametrize(("method", "path", "body"), list(endpoints()))
def test_without_signing_in_no_door_opens(keys: Any, anonymous: APIClient, method: str, path: str, body: Any) -> None:
    Club.objects.update(visibility=Visibility.PUBLIC)
    Campaign.objects.update(visibility=Visibility.PUBLIC)
    answer = ask(anonymous, method, path, keys, body)
    assert (answer.status_code, answer["Content-Type"]) == (401, "application/problem+json")


@pytest.mark.parametrize("path", [*READS, *ORGANISERS_READS])
def test_a_stranger_finds_nothing(keys: Any, as_charlie: APIClient, path: str) -> None:
    assert ask(as_charlie, "get", path, keys).status_code == 404


@pytest.mark.parametrize(("method", "path", "body"), ORGANISERS_WRITES)
def test_a_stranger_changes_nothing(keys: Any, as_charlie: APIClient, method: str, path: str, body: Any) -> None:
    assert ask(as_charlie, method, path, keys, body).status_code == 404


@pytest.mark.parametrize(("method", "path", "body"), ORGANISERS_WRITES)
def test_the_organiser_of_another_club_is_a_stranger(
    keys: Any, charlie: User, method: str, path: str, body: Any
) -> None:
    found_club(user=charlie, name="Another club")
    assert ask(api_of(charlie), method, path, keys, body).status_code == 404


@pytest.mark.parametrize("path", [*READS, *LISTS])
def test_readers_players_and_organisers_read(
    keys: Any, as_dora: APIClient, as_bob: APIClient, as_alice: APIClient, path: str
) -> None:
    for client in (as_dora, as_bob, as_alice):
        assert ask(client, "get", path, keys).status_code == 200


@pytest.mark.parametrize("path", READS)
def test_a_stranger_reads_what_is_public(keys: Any, as_charlie: APIClient, path: str) -> None:
    Club.objects.update(visibility=Visibility.PUBLIC)
    Campaign.objects.update(visibility=Visibility.PUBLIC)
    assert ask(as_charlie, "get", path, keys).status_code == 200


@pytest.mark.parametrize(("method", "path", "body"), ORGANISERS_WRITES)
def test_a_stranger_who_may_look_may_not_touch(
    keys: Any, as_charlie: APIClient, method: str, path: str, body: Any
) -> None:
    Club.objects.update(visibility=Visibility.PUBLIC)
    Campaign.objects.update(visibility=Visibility.PUBLIC)
    assert ask(as_charlie, method, path, keys, body).status_code == 403


@pytest.mark.parametrize(("method", "path", "body"), ORGANISERS_WRITES)
def test_readers_may_not_write(keys: Any, dora: User, method: str, path: str, body: Any) -> None:
    answer = ask(api_of(dora), method, path, keys | {"member": seat(Club.objects.get(), "Bob")}, body)
    assert answer.status_code == 403


@pytest.mark.parametrize(("method", "path", "body"), ORGANISERS_WRITES)
def test_players_do_not_do_an_organisers_work(keys: Any, as_bob: APIClient, method: str, path: str, body: Any) -> None:
    assert ask(as_bob, method, path, keys, body).status_code == 403


def test_every_write_is_open_to_the_organiser(keys: Any, as_alice: APIClient) -> None:
    answers = [
        (path, ask(as_alice, method, path, keys, body).status_code)
        for method, path, body in ORGANISERS_WRITES
        if not path.endswith(("/start/", "/finish/", "/follow-up/"))
    ]
    odd = [(path, status) for path, status in answers if status not in (200, 201, 204)]
    # The version has gone on by the time that the house rules are changed.
    assert odd == [("campaigns/{campaign}/house-rules/", 409)]


@pytest.mark.parametrize(("method", "path"), HIDDEN_FROM_MEMBERS)
def test_invitations_are_the_organisers_own_affair(
    keys: Any, as_bob: APIClient, as_dora: APIClient, as_charlie: APIClient, method: str, path: str
) -> None:
    for client in (as_bob, as_dora, as_charlie):
        assert ask(client, method, path, keys).status_code == 404


@pytest.mark.parametrize("path", ORGANISERS_READS)
def test_members_who_do_not_organise_do_not_read_invitations(
    keys: Any, as_bob: APIClient, as_dora: APIClient, as_alice: APIClient, path: str
) -> None:
    assert [ask(client, "get", path, keys).status_code for client in (as_bob, as_dora, as_alice)] == [403, 403, 200]


@pytest.mark.parametrize("bad", ["nonsense", "1", "-" * 36, "00000000-0000-0000-0000-000000000000"])
@pytest.mark.parametrize(("method", "path", "body"), [each for each in endpoints() if "{" in each[1]])
def test_a_bad_id_is_not_found(
    enrolled: Campaign, as_alice: APIClient, method: str, path: str, body: Any, bad: str
) -> None:
    keys = dict.fromkeys(("club", "member", "campaign", "enrolment", "invitation", "evening"), bad)
    answer = ask(as_alice, method, path, keys, body)  # type: ignore[arg-type]
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")


def test_a_spectator_enrols_nothing(keys: Any, dora: User, muster: Muster) -> None:
    body = {"warband": str(muster(dora, "Dolls").pk)}
    assert ask(api_of(dora), "post", "campaigns/{campaign}/enrolments/", keys, body).status_code == 403


def test_a_stranger_enrols_nothing(keys: Any, charlie: User, muster: Muster) -> None:
    body = {"warband": str(muster(charlie, "Shades").pk)}
    assert ask(api_of(charlie), "post", "campaigns/{campaign}/enrolments/", keys, body).status_code == 404


def test_lists_hold_what_is_ones_own_or_public_and_nothing_unlisted(keys: Any, as_charlie: APIClient) -> None:
    for visibility, count in ((Visibility.PRIVATE, 0), (Visibility.UNLISTED, 0), (Visibility.PUBLIC, 1)):
        Club.objects.update(visibility=visibility)
        Campaign.objects.update(visibility=visibility)
        assert [ask(as_charlie, "get", path, keys).data["count"] for path in LISTS] == [count, count]
