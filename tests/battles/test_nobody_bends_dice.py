"""Nobody can see Muster's dice in advance, choose them or fake them, by refusals or by corrections."""

import json
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from django.contrib.auth.models import User

from battles.models import Battle
from battles.selectors.dice import dice_record
from battles.services.corrections import Correction, correct_battle
from battles.services.logbook import NewEvent, log_events
from battles.services.review import submit_battle
from core.errors import InvalidInput
from rulebook.dice.committed import die
from scripts.verify_dice import faults
from tests.battles.test_fighting_en_garde import Season

pytestmark = pytest.mark.one_database

TYPED = [{"a": 6, "b": 1}]


@pytest.fixture
def battle(alice: User) -> Battle:
    """Return a battle in its first turn, before Priority is rolled."""
    return begun(Season(alice), alice)


@pytest.fixture
def strict(alice: User) -> Battle:
    """Return a battle in which Muster rolls all dice."""
    return begun(Season(alice, dice="app"), alice)


@pytest.fixture
def secretive(alice: User) -> Battle:
    return begun(Season(alice, minor_objectives="secret"), alice)


def begun(season: Season, user: User) -> Battle:
    battle = season.start("skirmish")
    sent(battle, user, event("turn", 1))
    return battle


def event(kind: str, turn: int | None = None, **data: Any) -> NewEvent:
    return NewEvent(uuid4(), kind, data, turn)


def correction(sequence: int, **more: Any) -> NewEvent:
    return NewEvent(uuid4(), "correction", {"event": sequence, "reason": "Told wrongly", **more})


def unlike(row: Any) -> list[dict[str, int]]:
    """Return dice of Priority that Muster has not rolled for this event."""
    return [{"a": 5, "b": 1}] if row.data["rolls"] == TYPED else TYPED


def sent(battle: Battle, user: User, *events: NewEvent) -> Any:
    """Log these events in one request, and return their rows."""
    return log_events(battle_id=battle.pk, events=events, user=user)


def refused(battle: Battle, user: User, *events: NewEvent) -> list[tuple[str, str, str]]:
    """Return code, sentence and value of each problem of these events."""
    with pytest.raises(InvalidInput) as error:
        sent(battle, user, *events)
    return [(problem.code, problem.sentence, problem.value) for problem in error.value.problems]


def fresh(battle: Battle) -> Battle:
    return Battle.objects.get(pk=battle.pk)


def test_event_with_rolled_dice_comes_last(battle: Battle, alice: User):
    """Otherwise its refusal would reveal the dice, and the roll would be undone."""
    for _ in range(3):
        problems = refused(battle, alice, event("priority"), event("note", text="What came of it?"))
        assert [code for code, _, _ in problems] == ["throw-comes-last"]
        Battle.objects.update(dice_seed=uuid4().hex * 2)
    assert fresh(battle).dice_used == 0
    assert [
        row.kind for row in sent(battle, alice, event("note", text="Now"), event("priority"))
    ] == [
        "note",
        "priority",
    ]


def test_dice_that_are_typed_in_may_stand_anywhere(battle: Battle, alice: User):
    rows = sent(battle, alice, event("priority", rolls=TYPED), event("note", text="They won"))
    assert [row.data.get("thrown") for row in rows] == ["table", None]


def test_a_secret_objective_is_not_guessed_by_refusals(secretive: Battle, alice: User):
    ended, drawn = event("ended", how="agreed"), event("minor_objective", side="b")
    refusals = {
        str(
            refused(
                secretive, alice, ended, drawn, event("minor_objective", side="b", rolled=guess)
            )
        )
        for guess in range(1, 7)
    }
    assert len(refusals) == 1 and "throw-comes-last" in refusals.pop()
    assert not secretive.events.filter(kind="minor_objective").exists()


def test_secret_objective_is_always_the_same(secretive: Battle, alice: User):
    sent(secretive, alice, event("ended"))
    (first,) = sent(secretive, alice, event("minor_objective", side="b"))
    assert first.data["rolled"] == die(secretive.dice_seed, f"{secretive.pk} objective b", 1)
    sent(secretive, alice, correction(first.sequence))
    (again,) = sent(secretive, alice, event("minor_objective", side="b"))
    assert (again.data, fresh(secretive).dice_used) == (first.data, 0)


def test_the_end_stands_once_a_secret_objective_is_open(secretive: Battle, alice: User):
    end, drawn = (
        sent(secretive, alice, each)[0]
        for each in (event("ended"), event("minor_objective", side="b"))
    )
    sent(secretive, alice, correction(drawn.sequence))
    assert [code for code, _, _ in refused(secretive, alice, correction(end.sequence))] == [
        "secrets-open"
    ]
    sent(
        secretive, alice, correction(end.sequence, kind="ended", data={"how": "agreed", "turn": 1})
    )


def test_a_correction_cannot_pass_dice_off_as_musters(battle: Battle, alice: User):
    (first,) = sent(battle, alice, event("priority"))
    (row,) = sent(
        battle,
        alice,
        correction(2, kind="priority", data={"rolls": unlike(first), "thrown": "app"}),
    )
    assert row.data["data"]["thrown"] == "table"
    record = dice_record(fresh(battle))
    assert (record.typed, record.corrected) == ((3,), (2,))


def test_where_all_dice_are_musters_a_correction_brings_none_of_its_own(
    strict: Battle, alice: User
):
    (first,) = sent(strict, alice, event("priority"))
    problems = refused(strict, alice, correction(2, data={"rolls": unlike(first), "thrown": "app"}))
    assert [code for code, _, _ in problems] == ["typed-dice"]


def test_a_corrected_event_keeps_the_dice_that_muster_threw_for_it(strict: Battle, alice: User):
    (first,) = sent(strict, alice, event("priority"))
    used = fresh(strict).dice_used
    (bare,) = sent(strict, alice, correction(2, kind="priority", data={}))
    (corrected,) = sent(strict, alice, correction(2, data={"rolls": first.data["rolls"]}))
    for row in (bare, corrected):
        assert row.data["data"] == {"rolls": first.data["rolls"], "thrown": "app"}
    assert fresh(strict).dice_used == used


def test_a_struck_event_that_is_put_back_has_its_dice_again(strict: Battle, alice: User):
    (first,) = sent(strict, alice, event("priority"))
    sent(strict, alice, correction(2))
    (back,) = sent(strict, alice, correction(2, kind="priority"))
    assert back.data["data"]["rolls"] == first.data["rolls"]


def test_who_takes_a_throw_back_does_not_throw_again(battle: Battle, alice: User):
    (first,) = sent(battle, alice, event("priority"))
    for sequence in (2, 4, 6):
        sent(battle, alice, correction(sequence))
        (again,) = sent(battle, alice, event("priority"))
        assert (again.data, again.first_die) == (first.data, None)
    assert fresh(battle).dice_used == len(first.dice)


def test_every_die_can_still_be_checked_after_corrections(battle: Battle, alice: User):
    sent(battle, alice, event("priority"))
    sent(
        battle,
        alice,
        correction(2, kind="priority"),
        correction(2, kind="priority", data={"rolls": TYPED}),
    )
    sent(battle, alice, correction(2))
    sent(battle, alice, event("priority"))
    sent(battle, alice, event("ended", how="agreed"))
    submit_battle(battle_id=battle.pk, user=alice)
    record: dict[str, Any] = json.loads(msgspec.json.encode(dice_record(fresh(battle))))
    assert faults(record) == []
    assert [throw["event"] for throw in record["throws"]] == [2], "told anew it falls as it fell"


def test_once_the_seed_is_known_no_dice_pass_for_musters(battle: Battle, alice: User):
    (first,) = sent(battle, alice, event("priority"))
    sent(battle, alice, event("ended", how="agreed"))
    submit_battle(battle_id=battle.pk, user=alice)
    forged = {"rolls": unlike(first), "thrown": "app"}
    mended = Correction((correction(2, kind="priority", data=forged),), "Told wrongly")
    correct_battle(battle_id=battle.pk, user=alice, correction=mended)
    assert battle.events.get(sequence=4).data["data"]["thrown"] == "table"
    assert dice_record(fresh(battle)).typed == (4,)
