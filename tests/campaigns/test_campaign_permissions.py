"""Permissions of strangers, readers, players and organisers in the API of campaigns."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from rest_framework.test import APIClient

from campaigns.models import Campaign, Enrolment
from clubs.models import Club
from clubs.services.clubs import found_club
from clubs.services.invitations import invite
from core.users import Visibility
from tests.campaigns.conftest import Muster, seat
from tests.conftest import api_of
from tests.pages.world import evening_of

pytestmark = pytest.mark.one_database

Request = tuple[str, str, Any]
"""Method, path and body."""
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
ORGANISERS_WRITES: tuple[Request, ...] = (
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
    (
        "post",
        "campaigns/{campaign}/house-rules/",
        {"house_rules": {"surviving": 2}, "dry_run": True},
    ),
    (
        "post",
        "campaigns/{campaign}/house-rules/",
        {"house_rules": {"surviving": 2}, "version": 1, "reason": "Up"},
    ),
    ("delete", "enrolments/{enrolment}/", None),
    ("delete", "campaigns/{campaign}/", None),
)
ORGANISERS_READS = ("clubs/{club}/invitations/",)
HIDDEN_FROM_MEMBERS: tuple[Request, ...] = tuple(
    (method, "invitations/{invitation}/", None) for method in ("get", "delete")
)


@pytest.fixture
def keys(enrolled: Campaign, alice: User) -> dict[str, UUID]:
    """Return ids: of a club, a member, a campaign, an enrolment, and others."""
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
    """Return the answer to a request, with ids in place of the names in braces."""
    filled = {
        key: value.format(**keys) if isinstance(value, str) else value
        for key, value in (body or {}).items()
    }
    return getattr(client, method)(f"/api/v1/{path.format(**keys)}", filled or None)


def endpoints() -> Iterator[Request]:
    """Yield every endpoint of the app, with a body that an organiser could send."""
    yield from reads(*READS, *ORGANISERS_READS, *LISTS)
    yield from ORGANISERS_WRITES
    yield from HIDDEN_FROM_MEMBERS
    yield ("post", "clubs/", {"name": "Mine"})
    yield ("post", "invitations/accept/", {"secret": "x"})
    yield ("post", "campaigns/{campaign}/enrolments/", {"warband": str(uuid4())})


def expect(
    client: APIClient, requests: Iterable[Request], keys: dict[str, UUID], status: int
) -> None:
    """Expect this status for every request, and roll back its changes before the next one."""
    wrong = []
    for method, path, body in requests:
        with transaction.atomic():
            answer = ask(client, method, path, keys, body)
            transaction.set_rollback(True)
        well_formed = status < 400 or answer["Content-Type"] == "application/problem+json"
        if answer.status_code != status or not well_formed:
            wrong.append(f"{method} {path} answers {answer.status_code}, {answer['Content-Type']}")
    assert wrong == []


def reads(*paths: str) -> list[Request]:
    """Return a GET of each path."""
    return [("get", path, None) for path in paths]


PUBLIC_READS = ("campaigns/{campaign}/", "campaigns/{campaign}/standings/")
"""Reads that need no account if the campaign is public."""
OPEN = (*PUBLIC_READS, "campaigns/")


def publish() -> None:
    """Make the club and its campaign public."""
    Club.objects.update(visibility=Visibility.PUBLIC)
    Campaign.objects.update(visibility=Visibility.PUBLIC)


def test_without_signing_in_no_door_opens(keys: Any, anonymous: APIClient) -> None:
    expect(anonymous, reads(*PUBLIC_READS), keys, 401)
    publish()
    closed = (each for each in endpoints() if each[:2] not in {("get", read) for read in OPEN})
    expect(anonymous, closed, keys, 401)
    expect(anonymous, reads(*OPEN), keys, 200)


def test_a_stranger_finds_nothing_and_changes_nothing(keys: Any, as_charlie: APIClient) -> None:
    expect(as_charlie, reads(*READS, *ORGANISERS_READS), keys, 404)
    expect(as_charlie, ORGANISERS_WRITES, keys, 404)


def test_the_organiser_of_another_club_is_a_stranger(keys: Any, charlie: User) -> None:
    found_club(user=charlie, name="Another club")
    expect(api_of(charlie), ORGANISERS_WRITES, keys, 404)


def test_readers_players_and_organisers_read(
    keys: Any, as_dora: APIClient, as_bob: APIClient, as_alice: APIClient
) -> None:
    for client in (as_dora, as_bob, as_alice):
        expect(client, reads(*READS, *LISTS), keys, 200)


def test_a_stranger_reads_what_is_public_and_may_not_touch_it(
    keys: Any, as_charlie: APIClient
) -> None:
    publish()
    expect(as_charlie, reads(*READS), keys, 200)
    expect(as_charlie, ORGANISERS_WRITES, keys, 403)


def test_readers_may_not_write(keys: Any, dora: User) -> None:
    expect(api_of(dora), ORGANISERS_WRITES, keys | {"member": seat(Club.objects.get(), "Bob")}, 403)


def test_players_do_not_do_an_organisers_work(keys: Any, as_bob: APIClient) -> None:
    expect(as_bob, ORGANISERS_WRITES, keys, 403)


def test_every_write_is_open_to_the_organiser(keys: Any, as_alice: APIClient) -> None:
    answers = [
        (path, ask(as_alice, method, path, keys, body).status_code)
        for method, path, body in ORGANISERS_WRITES
        if not path.endswith(("/start/", "/finish/", "/follow-up/"))
    ]
    odd = [(path, status) for path, status in answers if status not in (200, 201, 204)]
    # The version has gone on by the time that the house rules are changed.
    assert odd == [("campaigns/{campaign}/house-rules/", 409)]


def test_invitations_are_the_organisers_own_affair(
    keys: Any, as_bob: APIClient, as_dora: APIClient, as_charlie: APIClient, as_alice: APIClient
) -> None:
    for client in (as_bob, as_dora, as_charlie):
        expect(client, HIDDEN_FROM_MEMBERS, keys, 404)
    for client, status in ((as_bob, 403), (as_dora, 403), (as_alice, 200)):
        expect(client, reads(*ORGANISERS_READS), keys, status)


@pytest.mark.parametrize("bad", ["nonsense", "1", "-" * 36, "00000000-0000-0000-0000-000000000000"])
def test_a_bad_id_is_not_found(enrolled: Campaign, as_alice: APIClient, bad: str) -> None:
    keys: Any = dict.fromkeys(
        ("club", "member", "campaign", "enrolment", "invitation", "evening"), bad
    )
    expect(as_alice, [each for each in endpoints() if "{" in each[1]], keys, 404)


def test_a_spectator_enrols_nothing(keys: Any, dora: User, muster: Muster) -> None:
    body = {"warband": str(muster(dora, "Dolls").pk)}
    assert (
        ask(api_of(dora), "post", "campaigns/{campaign}/enrolments/", keys, body).status_code == 403
    )


def test_a_stranger_enrols_nothing(keys: Any, charlie: User, muster: Muster) -> None:
    body = {"warband": str(muster(charlie, "Shades").pk)}
    assert (
        ask(api_of(charlie), "post", "campaigns/{campaign}/enrolments/", keys, body).status_code
        == 404
    )


def test_lists_hold_what_is_ones_own_or_public_and_nothing_unlisted(
    keys: Any, as_charlie: APIClient
) -> None:
    for visibility, count in (
        (Visibility.PRIVATE, 0),
        (Visibility.UNLISTED, 0),
        (Visibility.PUBLIC, 1),
    ):
        Club.objects.update(visibility=visibility)
        Campaign.objects.update(visibility=visibility)
        assert [ask(as_charlie, "get", path, keys).data["count"] for path in LISTS] == [
            count,
            count,
        ]
