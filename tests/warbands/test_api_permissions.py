"""Every route of the API against everybody: the anonymous, a stranger, a reader, a player, an
organiser, a bad id."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from campaigns.models import Campaign
from tests.conftest import api_of
from tests.warbands.conftest import fight, fighter_of
from warbands.models import ChronicleEntry, Warband

pytestmark = pytest.mark.one_database

NOBODY = "00000000-0000-4000-8000-000000000000"
Route = tuple[str, str, Any]

READS: list[Route] = [
    ("get", "warbands/{warband}/", None),
    ("get", "warbands/{warband}/fighters/", None),
    ("get", "warbands/{warband}/problems/", None),
    ("get", "warbands/{warband}/chronicle/", None),
    ("get", "warbands/{warband}/ledger/", None),
    ("post", "warbands/{warband}/draft/price/", {"build": {"profile": "recruit"}}),
    ("get", "warbands/{warband}/draft/names/?count=2", None),
    ("get", "fighters/{fighter}/", None),
    ("get", "fighters/{fighter}/?explain=1", None),
    ("get", "fighters/{fighter}/rank-ups/", None),
]
COPY: Route = ("post", "warbands/{warband}/copy/", {})
WRITES: list[Route] = [
    ("patch", "warbands/{warband}/", {"name": "The Scarlets"}),
    ("post", "warbands/{warband}/fighters/", {"fighters": [{"build": {"profile": "recruit"}}]}),
    ("post", "warbands/{warband}/appoint/", {"leader": "{fighter}"}),
    ("post", "warbands/{warband}/hand-over/", {"player": "alice"}),
    ("patch", "fighters/{fighter}/", {"name": "Black Jack", "story": "His own."}),
    ("post", "fighters/{fighter}/rank-ups/", {"step": "veteran"}),
    ("post", "fighters/{fighter}/leave/", {"reason": "retired"}),
    ("post", "warbands/{warband}/arrange/", {"groups": [{"name": "", "fighters": []}]}),
    ("get", "warbands/{warband}/draft/", None),
    ("post", "warbands/{warband}/draft/", {"changes": [{"do": "limit", "points": 40}]}),
    ("post", "warbands/{warband}/draft/save-template/", {"name": "Core"}),
]
ORGANISERS: list[Route] = [
    ("post", "warbands/{warband}/furnish/", {"extras": {"banner": True}, "reason": "forgotten"}),
    ("put", "fighters/{fighter}/build/", {"build": {"profile": "veteran"}, "reason": "a slip"}),
    ("post", "fighters/{fighter}/adjust/", {"experience": 1, "reason": "a gift"}),
]
UNDO: Route = ("post", "fighters/{fighter}/rank-ups/undo/", None)
ARCHIVE: Route = ("post", "warbands/{warband}/archive/", {"archived": False})
OPEN: list[Route] = [
    ("get", path, None) for path in ("roster-templates/", "rulesets/", "rulesets/toy/", "warbands/")
]
MUSTER: Route = ("post", "warbands/", {"ruleset": "toy", "faction": "reds", "name": "Mine"})
ROWS = [*READS, COPY, *WRITES, *ORGANISERS, UNDO, ARCHIVE]

Send = Callable[..., Any]


@pytest.fixture
def send(reds: Warband, campaign: Campaign) -> Send:
    """Return a function that sends a route's request about the Reds and Jack, who can afford a
    step.

    With ``bad``, this id is used instead of theirs.
    """
    fight(reds, {"Jack": 3})
    jack = str(fighter_of(reds, "Jack").pk)

    def send(client: APIClient, route: Route, *, bad: str = "") -> Any:
        method, path, body = route
        address = "/api/v1/" + path.format(warband=bad or reds.pk, fighter=bad or jack)
        filled_in = {k: jack if v == "{fighter}" else v for k, v in body.items()} if body else body
        return getattr(client, method)(address, filled_in)

    return send


def test_the_anonymous_are_asked_who_they_are(send: Send, anonymous: APIClient) -> None:
    for route in (*ROWS, *OPEN, MUSTER):
        answer = send(anonymous, route)
        if route[1].startswith("rulesets/"):
            # Rule systems are nobody's.
            assert answer.status_code == 200, route
            continue
        assert (answer.status_code, answer.json()["code"]) == (401, "not_authenticated"), route


def test_a_stranger_finds_nothing(send: Send, as_charlie: APIClient) -> None:
    entries = ChronicleEntry.objects.count()
    for route in ROWS:
        answer = send(as_charlie, route)
        assert answer.status_code == 404, route
        assert answer.json()["code"].startswith("unknown-"), route
    assert ChronicleEntry.objects.count() == entries


def test_a_reader_reads_and_copies(send: Send, as_dora: APIClient) -> None:
    for route in READS:
        assert send(as_dora, route).status_code == 200, route
    assert send(as_dora, COPY).status_code == 201


def test_a_reader_writes_nothing(send: Send, as_dora: APIClient) -> None:
    entries = ChronicleEntry.objects.count()
    for route in (*WRITES, *ORGANISERS, UNDO, ARCHIVE):
        answer = send(as_dora, route)
        assert answer.status_code == 403, route
        assert answer["Content-Type"] == "application/problem+json"
    assert ChronicleEntry.objects.count() == entries


@pytest.mark.parametrize("route", [*READS, COPY, *WRITES, ARCHIVE])
def test_a_player_may_do_what_the_rules_allow(send: Send, as_bob: APIClient, route: Route) -> None:
    assert send(as_bob, route).status_code in (200, 201, 202, 204)


@pytest.mark.parametrize("route", ORGANISERS)
def test_only_an_organiser_overrules(
    send: Send, as_bob: APIClient, as_alice: APIClient, route: Route
) -> None:
    refused = send(as_bob, route)
    assert (refused.status_code, refused.json()["code"]) == (403, "organisers-only")
    assert send(as_alice, route).status_code == 200


@pytest.mark.parametrize("route", [*READS, COPY, *WRITES, ARCHIVE])
def test_an_organiser_may_do_what_a_player_may(
    send: Send, as_alice: APIClient, route: Route
) -> None:
    assert send(as_alice, route).status_code in (200, 201, 202, 204)


def test_a_step_is_taken_and_taken_back(send: Send, as_bob: APIClient) -> None:
    assert send(as_bob, WRITES[5]).json()["card"]["rank"] == 2
    assert send(as_bob, UNDO).json()["card"]["rank"] == 1


@pytest.mark.parametrize("bad", [NOBODY, "17", "x" * 36])
def test_an_id_of_nothing_is_not_found(send: Send, as_alice: APIClient, bad: str) -> None:
    for route in ROWS:
        assert send(as_alice, route, bad=bad).status_code == 404, route


def test_everybody_who_is_signed_in_sees_the_rules_and_musters(send: Send, charlie: User) -> None:
    for route in OPEN:
        assert send(api_of(charlie), route).status_code == 200
    assert send(api_of(charlie), MUSTER).status_code == 201


def test_an_unknown_rule_system_is_not_found(as_bob: APIClient) -> None:
    assert as_bob.get("/api/v1/rulesets/chess/").json()["code"] == "unknown-ruleset"
    assert as_bob.get("/api/v1/rulesets/chess/").status_code == 404


def test_a_list_shows_what_is_public_or_concerns_the_reader(
    reds: Warband, campaign: Campaign, as_bob: APIClient, as_dora: APIClient, as_charlie: APIClient
) -> None:
    def names(client: APIClient) -> list[str]:
        return [row["name"] for row in client.get("/api/v1/warbands/").json()["results"]]

    assert (names(as_bob), names(as_dora), names(as_charlie)) == (["The Reds"], ["The Reds"], [])
    Warband.objects.filter(pk=reds.pk).update(visibility="unlisted")
    assert names(as_charlie) == []
    assert as_charlie.get(f"/api/v1/warbands/{reds.pk}/").status_code == 200
    Warband.objects.filter(pk=reds.pk).update(visibility="public")
    assert names(as_charlie) == ["The Reds"]


def test_methods_that_are_not_offered_are_refused(reds: Warband, as_bob: APIClient) -> None:
    for method, path in (
        ("put", f"warbands/{reds.pk}/"),
        ("delete", f"warbands/{reds.pk}/"),
        ("delete", f"fighters/{fighter_of(reds, 'Jack').pk}/"),
        ("post", f"warbands/{reds.pk}/chronicle/"),
        ("post", f"warbands/{reds.pk}/ledger/"),
        ("post", "rulesets/"),
    ):
        answer = getattr(as_bob, method)(f"/api/v1/{path}", {})
        assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed"), path


def test_money_like_numbers_are_never_written_by_a_client(reds: Warband, as_bob: APIClient) -> None:
    body = {
        "points": 1,
        "experience": 99,
        "fighters": [],
        "won": 12,
        "owner": "charlie",
        "sequence": 0,
    }
    refused = as_bob.patch(f"/api/v1/warbands/{reds.pk}/", body).json()["errors"]
    assert {line["field"] for line in refused} == {f"/{name}" for name in body}
    shown = as_bob.get(f"/api/v1/warbands/{reds.pk}/").json()
    assert (shown["points"], shown["experience"], shown["won"], shown["owner"]) == (26, 0, 0, "bob")
    assert uuid4() != reds.pk
