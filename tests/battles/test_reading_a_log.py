"""A battle's log in parts: what is new after an entry, 304 for what is the same, the battle without
its log."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from rest_framework.test import APIClient

from battles.models import Battle, BattleState
from campaigns.models import Campaign
from tests.battles.field import begin, confirmed, fighters, log, note, wound
from warbands.models import Warband

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture
def battle(alice: User, campaign: Campaign, reds: Warband, blues: Warband) -> Battle:
    """Return a battle in progress with five entries."""
    battle = begin(alice, campaign, reds, blues)
    striker, victims = fighters(reds)[0], fighters(blues)
    notes = [note(f"Note {number}.") for number in (1, 2, 3, 4)]
    return log(alice, battle, *notes[:2], wound(striker, victims[0]), *notes[2:])


def address(battle: Battle, *steps: str) -> str:
    return f"/api/v1/battles/{battle.pk}/" + "".join(f"{step}/" for step in steps)


def sequences(answer: Any) -> list[int]:
    return [line["sequence"] for line in answer.json()["results"]]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", [1, 2, 3, 4, 5]),
        ("?after=0", [1, 2, 3, 4, 5]),
        ("?after=3", [4, 5]),
        ("?after=5", []),
        ("?after=2&page_size=2", [3, 4]),
        ("?after=2&page_size=2&page=2", [5]),
        ("?ordering=-sequence&page_size=2", [5, 4]),
        ("?kind=wound", [3]),
    ],
)
def test_a_log_is_read_from_an_entry_on(
    as_bob: APIClient, battle: Battle, query: str, expected: list[int]
) -> None:
    assert sequences(as_bob.get(address(battle, "events") + query)) == expected


def test_a_log_is_filtered_by_the_names_of_a_chronicle(
    as_bob: APIClient, battle: Battle, reds: Warband
) -> None:
    for query in ("?after=1&ordering=-sequence&page_size=2&page=1", "?kind=note"):
        assert as_bob.get(address(battle, "events") + query).status_code == 200
        assert as_bob.get(f"/api/v1/warbands/{reds.pk}/chronicle/{query}").status_code == 200


@pytest.mark.parametrize("query", ["?after=x", "?after=1&since=2", "?ordering=kind"])
def test_what_no_log_can_be_read_by_is_refused(
    as_bob: APIClient, battle: Battle, query: str
) -> None:
    assert as_bob.get(address(battle, "events") + query).status_code == 400


def test_only_new_entries_are_put_into_words(as_bob: APIClient, battle: Battle) -> None:
    """The number of queries does not depend on what came before."""
    with CaptureQueriesContext(connection) as all_of_it:
        as_bob.get(address(battle, "events"))
    with CaptureQueriesContext(connection) as the_last:
        as_bob.get(address(battle, "events") + "?after=4")
    assert len(the_last) == len(all_of_it)


@pytest.mark.parametrize("steps", [("events",), ()])
def test_what_is_unchanged_is_304_until_something_is_logged(
    as_bob: APIClient, alice: User, battle: Battle, steps: tuple[str, ...]
) -> None:
    first = as_bob.get(address(battle, *steps))
    seen = {"If-None-Match": first.headers["ETag"]}
    again = as_bob.get(address(battle, *steps), headers=seen)
    assert (again.status_code, again.content) == (304, b"")
    log(alice, battle, note("One more."))
    after = as_bob.get(address(battle, *steps), headers=seen)
    assert after.status_code == 200 and after.headers["ETag"] != first.headers["ETag"]


def test_a_chronicle_that_is_unchanged_is_304(
    as_bob: APIClient, battle: Battle, reds: Warband
) -> None:
    chronicle = f"/api/v1/warbands/{reds.pk}/chronicle/"
    tag = as_bob.get(chronicle).headers["ETag"]
    assert as_bob.get(chronicle, headers={"If-None-Match": tag}).status_code == 304


def test_an_etag_opens_nothing_to_a_stranger(
    as_bob: APIClient, as_charlie: APIClient, battle: Battle
) -> None:
    tag = as_bob.get(address(battle, "events")).headers["ETag"]
    for query in ("", "?after=3", "?after=99"):
        answer = as_charlie.get(address(battle, "events") + query, headers={"If-None-Match": tag})
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown-battle")


def test_nobody_reads_a_log_without_signing_in(anonymous: APIClient, battle: Battle) -> None:
    assert anonymous.get(address(battle, "events") + "?after=3").status_code == 401


def test_an_opponent_and_a_spectator_read_of_the_log_what_they_read_of_the_battle(
    as_alice: APIClient, as_bob: APIClient, as_dora: APIClient, battle: Battle
) -> None:
    for client in (as_alice, as_bob, as_dora):
        in_full = client.get(address(battle)).json()["log"]
        assert client.get(address(battle, "events") + "?after=0").json()["results"] == in_full
        assert client.get(address(battle, "events") + "?after=2").json()["results"] == in_full[2:]


class TestWithoutItsLog:
    """`?log=false`: a battle without its log, which may be long."""

    @pytest.fixture(params=["under-way", "confirmed"])
    def fought(
        self,
        request: Any,
        battle: Battle,
        alice: User,
        campaign: Campaign,
        reds: Warband,
        blues: Warband,
    ) -> Any:
        if request.param == "under-way":
            return battle
        events = [note("Said."), wound(fighters(reds)[0], fighters(blues)[0])]
        return confirmed(alice, campaign, reds, blues, events=events)

    def test_everything_else_is_the_same(self, as_bob: APIClient, fought: Battle) -> None:
        in_full = as_bob.get(address(fought)).json()
        without = as_bob.get(address(fought) + "?log=false").json()
        assert len(in_full["log"]) >= 2
        assert without == in_full | {"log": []}
        assert as_bob.get(address(fought) + "?log=true").json() == in_full

    def test_it_takes_no_more_queries(self, as_bob: APIClient, fought: Battle) -> None:
        """A confirmed battle takes fewer: the card of one in progress reads the log."""
        counts = []
        for query in ("", "?log=false"):
            with CaptureQueriesContext(connection) as queries:
                as_bob.get(address(fought) + query)
            counts.append(len(queries))
        assert counts[1] < counts[0] + (fought.state != BattleState.CONFIRMED)

    def test_a_stranger_finds_no_battle_without_a_log_either(
        self, as_charlie: APIClient, fought: Battle
    ) -> None:
        assert as_charlie.get(address(fought) + "?log=false").status_code == 404

    def test_what_is_neither_yes_nor_no_is_refused(self, as_bob: APIClient, fought: Battle) -> None:
        assert as_bob.get(address(fought) + "?log=short").status_code == 400


def test_verbs_answer_without_the_log_as_well(
    as_alice: APIClient, as_bob: APIClient, battle: Battle
) -> None:
    submitted = as_alice.post(address(battle, "submit") + "?log=false", {}).json()
    assert (submitted["state"], submitted["log"]) == ("submitted", [])
    settled = as_bob.post(address(battle, "confirm") + "?log=false", {}).json()
    assert (settled["state"], settled["log"]) == ("confirmed", [])


def test_every_operation_that_answers_with_a_battle_can_leave_out_its_log(
    schema: dict[str, Any],
) -> None:
    lacking = [
        f"{method} {path}"
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
        if answers_with_a_battle(schema, operation) and "log" not in parameters_of(operation)
    ]
    assert lacking == []


def parameters_of(operation: dict[str, Any]) -> set[str]:
    return {each["name"] for each in operation.get("parameters", ()) if each["in"] == "query"}


def answers_with_a_battle(schema: dict[str, Any], operation: dict[str, Any]) -> bool:
    """Return whether the answer of an operation is or contains a full battle."""
    for status, response in operation["responses"].items():
        content = response.get("content", {}).get("application/json", {})
        if status.startswith("2") and "/OpenBattle" in str(content.get("schema", {})):
            return True
        name = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
        if "/OpenBattle" in str(schema["components"]["schemas"].get(name, {})):
            return True
    return False


def test_a_note_on_the_page_is_not_read_as_a_sentence_of_the_rules(
    alice: User, battle: Battle, client: Client
) -> None:
    log(alice, battle, note("Destroyed"))
    client.force_login(alice)
    address = reverse("battles:battle", args=[battle.pk])
    page = client.get(f"{address}?tab=log", headers={"accept-language": "de"}).content.decode()
    assert 'class="told-line">Destroyed<' in page
    assert "Vernichtet" not in page
