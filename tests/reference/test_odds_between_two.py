"""Odds between two given fighters over the API: off their rosters, and in a battle under way."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from battles.models import Battle
from battles.services.logbook import NewEvent, log_events
from campaigns.models import Campaign
from rulebook.ruleset import Ruleset
from tests.battles.field import muster
from tests.full_toy import register_toy as register_toy
from tests.pages.world import named, wound
from warbands.models import Fighter, Warband

pytestmark = pytest.mark.one_database


def between(client: APIClient, fighter: Any, **query: Any) -> Any:
    return client.get(f"/api/v1/fighters/{getattr(fighter, 'pk', fighter)}/odds/", query)


def codes(answer: Any) -> list[tuple[str, str]]:
    assert answer.status_code == 400
    return [(line["field"].removeprefix("?"), line["code"]) for line in answer.json()["errors"]]


# Off their rosters.


def test_two_of_rosters_are_measured_as_they_are(as_alice: APIClient, campaign: Campaign) -> None:
    answer = between(
        as_alice, named("Jussac"), against=named("Hans").pk, kind="attack", parry="true"
    ).json()
    assert answer["calculator"] == "attack"
    assert answer["outcomes"]["miss"] != "0"
    fight = answer["sums"][0]["lines"][0]
    assert (fight["reason"], fight["rule"]) == (
        "Current Fight",
        'Rule book: "Making an attack"',
    )
    rating = answer["sums"][2]["lines"][-1]
    assert (rating["amount"], rating["rule"]) == (-2, "Ruling B18")
    assert answer["assumptions"]


def test_each_kind_of_odds_is_answered(as_alice: APIClient, campaign: Campaign) -> None:
    for kind in ("attack", "round", "best-split", "equilibrium"):
        answer = between(as_alice, named("Jussac"), against=named("Hans").pk, kind=kind)
        assert (answer.status_code, answer.json()["calculator"]) == (200, kind)
    shot = between(
        as_alice,
        named("Jussac"),
        against=named("Hans").pk,
        kind="shot",
        weapon="pistol",
        inches="4",
    )
    assert shot.json()["outcomes"]["miss"]
    assert (
        between(as_alice, named("Jussac"), against=named("Hans").pk, weapon="bow").json()[
            "calculator"
        ]
        == "shot"
    )


def test_who_may_not_see_both_finds_nothing(
    as_alice: APIClient,
    as_charlie: APIClient,
    as_dora: APIClient,
    anonymous: APIClient,
    haufen: Warband,
    guards: Warband,
) -> None:
    jussac, hans = named("Jussac"), named("Hans")
    assert between(anonymous, jussac, against=hans.pk).status_code == 401
    assert between(as_charlie, jussac, against=hans.pk).status_code == 404
    answer = between(as_alice, jussac, against=hans.pk)
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown-fighter"), (
        "Hans is Bob's alone so far"
    )
    Warband.objects.filter(pk=haufen.pk).update(visibility="public")
    assert between(as_alice, jussac, against=hans.pk, kind="attack").status_code == 200
    assert between(as_dora, jussac, against=hans.pk).status_code == 404


def test_a_reader_of_the_club_may_ask(as_dora: APIClient, campaign: Campaign) -> None:
    assert (
        between(as_dora, named("Jussac"), against=named("Hans").pk, kind="attack").status_code
        == 200
    )


def test_what_is_missing_or_wrong_is_named(as_alice: APIClient, campaign: Campaign) -> None:
    jussac, hans = named("Jussac"), str(named("Hans").pk)
    assert codes(between(as_alice, jussac)) == [("against", "required")]
    assert codes(between(as_alice, jussac, against="Hans")) == [("against", "wrong-fighter")]
    assert codes(between(as_alice, jussac, against=hans, kind="wrestle")) == [
        ("kind", "unknown-kind")
    ]
    assert codes(between(as_alice, jussac, against=hans, kind="attack", enemies="9")) == [
        ("enemies", "out-of-range")
    ]
    assert codes(between(as_alice, jussac, against=hans, kind="attack", wibble="1")) == [
        ("wibble", "unknown-field")
    ]
    assert between(as_alice, jussac, against=uuid4()).status_code == 404
    assert between(as_alice, uuid4(), against=hans).status_code == 404
    assert between(as_alice, "17", against=hans).status_code == 404


def test_two_of_different_rule_systems_are_not_compared(
    as_alice: APIClient, alice: User, campaign: Campaign, register_toy: Ruleset
) -> None:
    stranger = Fighter.objects.filter(warband=muster(alice, "Reds")).first()
    assert stranger is not None
    assert codes(between(as_alice, named("Jussac"), against=stranger.pk)) == [
        ("against", "other-rules")
    ]
    own = between(as_alice, stranger, against=stranger.pk)
    assert own.json()["assumptions"] == [f"{stranger.name} against {stranger.name}."]


def test_the_odds_of_two_take_two_queries(as_alice: APIClient, campaign: Campaign) -> None:
    jussac, hans = named("Jussac"), named("Hans")
    with CaptureQueriesContext(connection) as seen:
        between(as_alice, jussac, against=hans.pk, kind="round")
    assert len(seen) == 2


# In a battle under way.


def now(client: APIClient, battle: Any, **query: Any) -> Any:
    return client.get(f"/api/v1/battles/{getattr(battle, 'pk', battle)}/odds/", query)


@pytest.fixture
def pair(begun: Battle) -> dict[str, str]:
    return {"attacker": str(named("Jussac").pk), "target": str(named("Hans").pk)}


def tell(user: User, battle: Battle, *events: NewEvent) -> None:
    log_events(battle_id=battle.pk, events=events, user=user)


def test_wounds_in_the_log_count(
    as_alice: APIClient, alice: User, begun: Battle, pair: dict[str, str]
) -> None:
    fresh = now(as_alice, begun, **pair, kind="attack").json()
    tell(alice, begun, wound(named("Hans"), named("Jussac"), "light"))
    hurt = now(as_alice, begun, **pair, kind="attack").json()
    assert hurt["sums"][0]["total"] == fresh["sums"][0]["total"] - 1
    assert hurt["assumptions"][0].startswith("Both fighters are as in the log")


def test_the_dead_and_strangers_are_refused_by_field(
    as_alice: APIClient, alice: User, begun: Battle, pair: dict[str, str]
) -> None:
    assert codes(now(as_alice, begun, **pair | {"target": "nobody"}, kind="attack")) == [
        ("target", "unknown-combatant")
    ]
    assert codes(now(as_alice, begun, target=pair["target"])) == [("attacker", "required")]
    assert codes(now(as_alice, begun, attacker=pair["attacker"])) == [("target", "required")]
    assert codes(now(as_alice, begun, **pair, kind="wrestle")) == [("kind", "unknown-kind")]
    assert codes(now(as_alice, begun, **pair, kind="attack", parry="perhaps")) == [
        ("parry", "not-a-flag")
    ]
    assert codes(now(as_alice, begun, **pair, kind="shot", wind="true")) == [
        ("wind", "unknown-field")
    ]
    tell(alice, begun, wound(named("Jussac"), named("Hans"), "critical"))
    assert codes(now(as_alice, begun, **pair, kind="attack")) == [("target", "dead")]


def test_permissions_of_the_odds_of_a_battle(
    as_alice: APIClient, as_bob: APIClient, as_dora: APIClient, as_charlie: APIClient, anonymous: APIClient,
    begun: Battle, pair: dict[str, str],
) -> None:  # fmt: skip
    for client in (as_alice, as_bob, as_dora):
        assert now(client, begun, **pair, kind="round").status_code == 200
    assert now(as_charlie, begun, **pair).status_code == 404
    assert now(anonymous, begun, **pair).status_code == 401
    assert now(as_alice, uuid4(), **pair).status_code == 404
    assert now(as_alice, "17", **pair).status_code == 404
    assert as_alice.post(f"/api/v1/battles/{begun.pk}/odds/").status_code == 405


def test_the_odds_of_a_battle_take_as_many_queries_however_long_its_log(
    as_alice: APIClient, alice: User, begun: Battle, pair: dict[str, str]
) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            assert now(as_alice, begun, **pair, kind="attack").status_code == 200
        return len(seen)

    before = queries()
    notes = [NewEvent(uuid4(), "note", {"text": f"Note {number}"}) for number in range(30)]
    tell(alice, begun, *notes)
    assert queries() == before == 4
