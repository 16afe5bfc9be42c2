"""The one writer of chronicles: entries and projections together, all or nothing, in a fixed number
of queries."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.errors import InvalidInput, NotFound, OpenConflicts, StateConflict
from rulebook.chronicle.facts import (
    FIRST_SEAL,
    Adjusted,
    Corrected,
    Fought,
    Left,
    RankedUp,
    Recruit,
    Recruited,
    Renamed,
    Standing,
)
from rulebook.chronicle.replay import effective
from rulebook.ruleset import Fate, Outcome, Record
from tests.warbands.conftest import fight, fighter_of
from warbands.models import ChronicleEntry, Fighter, Warband
from warbands.rulebook_values import read_state, read_states
from warbands.selectors.warband_page import problem_list
from warbands.services.chronicle import (
    append_facts,
    correct_facts,
    preview_corrections,
    read_chronicle,
    read_chronicles,
)
from warbands.services.rank_ups import take_rank_up
from warbands.services.roster import NewFighter, recruit_fighters
from warbands.services.verification import prove
from warbands.services.warbands import muster_warband

Crowd = Callable[[int], list[Warband]]


@pytest.fixture
def crowd(bob: User) -> Crowd:
    """Return a function that makes this number of warbands of four recruits."""

    def make(number: int) -> list[Warband]:
        warbands = [
            muster_warband(user=bob, ruleset="toy", faction="reds", name=f"W{n}")
            for n in range(number)
        ]
        for warband in warbands:
            recruit_fighters(
                warband_id=warband.pk,
                fighters=[NewFighter({"profile": "recruit"}, count=4)],
                user=bob,
            )
        return warbands

    return make


def battle_of(warband: Warband) -> Fought:
    records = tuple(Record(str(fighter.pk), 1, Fate.FIT) for fighter in warband.fighters.all())
    return Fought(battle=str(uuid4()), outcome=Outcome.DREW, records=records)


def fresh(warband: Warband) -> Warband:
    return Warband.objects.get(pk=warband.pk)


def test_entry_has_author_time_and_seal(reds: Warband, bob: User) -> None:
    first, second = reds.chronicle.all()
    assert (first.kind, first.sequence, first.recorded_by, first.previous_seal) == (
        "mustered",
        1,
        bob,
        FIRST_SEAL,
    )
    assert (second.kind, second.previous_seal, second.seal) == (
        "recruited",
        first.seal,
        reds.head_seal,
    )
    assert second.recorded_at >= first.recorded_at


def test_a_step_is_written_to_warband_fighters_and_ledger(reds: Warband) -> None:
    battle = fight(reds, {"Jack": 1})
    warband, jack = fresh(reds), fighter_of(reds, "Jack")
    assert (warband.experience, warband.state["won"], warband.sequence) == (4, 1, 3)
    assert (jack.experience, jack.battles, jack.state["tallies"]) == (2, 1, {"wounds_dealt": 1})
    assert [
        (line.amount, line.balance, line.sequence, line.line) for line in jack.ledger.all()
    ] == [
        (1, 1, 3, 2),
        (1, 2, 3, 4),
    ]
    assert ChronicleEntry.objects.get(subject=battle).sequence == 3


def test_facts_of_several_warbands_save_all_or_none(crowd: Crowd) -> None:
    first, second = crowd(2)
    with pytest.raises(InvalidInput) as refusal:
        append_facts({first.pk: battle_of(first), second.pk: Left(fighter=str(uuid4()))}, user=None)
    assert refusal.value.code == "unknown-fighter"
    assert fresh(first).sequence == 2
    append_facts({first.pk: battle_of(first), second.pk: battle_of(second)}, user=None)
    assert [prove(fresh(warband)) for warband in (first, second)] == [[], []]


def test_append_refuses_unknown_warband(db: None) -> None:
    with pytest.raises(NotFound):
        append_facts({uuid4(): Renamed(name="Ghosts")}, user=None)


def queries_of(action: Callable[[], Any]) -> int:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        action()
    return len(queries)


def test_telling_takes_as_many_queries_for_four_warbands_as_for_one(crowd: Crowd) -> None:
    single, four = crowd(1), crowd(4)
    assert (
        queries_of(lambda: append_facts({w.pk: battle_of(w) for w in single}, user=None)) - 1
        == queries_of(lambda: append_facts({w.pk: battle_of(w) for w in four}, user=None)) - 4
    ), "one query for each battle_of, the rest is fixed"


def test_append_keeps_creation_day(reds: Warband) -> None:
    made = reds.created_at
    fight(reds, {"Jack": 1})
    assert Warband.objects.get(pk=reds.pk).created_at == made


@pytest.mark.postgres
def test_json_is_sent_value_by_value_and_not_in_arrays(crowd: Crowd) -> None:
    with CaptureQueriesContext(connection) as queries:
        append_facts({warband.pk: Renamed(name="Others") for warband in crowd(2)}, user=None)
    written = [query["sql"] for query in queries if query["sql"].startswith("INSERT")]
    assert any("chronicleentry" in statement for statement in written)
    assert not any("UNNEST" in statement for statement in written)


def test_correcting_takes_as_many_queries_for_four_warbands_as_for_one(crowd: Crowd) -> None:
    single, four = crowd(1), crowd(4)
    append_facts({w.pk: battle_of(w) for w in (*single, *four)}, user=None)
    strike = Corrected(target=3)
    few = queries_of(lambda: correct_facts({w.pk: strike for w in single}, user=None))
    many = queries_of(lambda: correct_facts({w.pk: strike for w in four}, user=None))
    assert few == many


def test_states_of_many_warbands_are_read_at_once(crowd: Crowd) -> None:
    warbands = crowd(3)
    states = {}

    def read() -> None:
        states.update(read_states(warbands))

    assert queries_of(read) == 1
    assert all(len(states[warband.pk].fighters) == 4 for warband in warbands)
    assert len(read_chronicles(warband.pk for warband in warbands)[warbands[0].pk]) == 2


# Corrections


@pytest.fixture
def promoted(reds: Warband, bob: User) -> UUID:
    """Return the battle that gave Jack the experience for the step that he then took."""
    battle = fight(reds, {"Jack": 3})
    take_rank_up(fighter_id=fighter_of(reds, "Jack").pk, step="veteran", user=bob)
    return battle


def lesser(warband: Warband, battle: UUID) -> tuple[int, Fought]:
    """Return the battle with one wound dealt instead of three."""
    place, fought = next(
        (place, fact)
        for place, fact in effective(read_chronicle(warband.pk))
        if isinstance(fact, Fought) and fact.battle == str(battle)
    )
    return place, Fought(battle=str(battle), records=fought.records, deeds=fought.deeds[:1])


def test_a_correction_is_previewed_without_a_trace(reds: Warband, promoted: UUID) -> None:
    place, fought = lesser(reds, promoted)
    before = fresh(reds)
    jack = str(fighter_of(reds, "Jack").pk)
    preview = preview_corrections({reds.pk: Corrected(target=place, replacement=fought)})[reds.pk]
    assert (preview.before.state.fighters[jack].rank, preview.after.state.fighters[jack].rank) == (
        2,
        1,
    )
    assert [conflict.code for conflict in preview.new_conflicts] == ["unaffordable-rank-up"]
    assert fresh(reds).sequence == before.sequence


def test_a_correction_with_open_conflicts_is_refused(reds: Warband, promoted: UUID) -> None:
    place, fought = lesser(reds, promoted)
    with pytest.raises(OpenConflicts) as refusal:
        correct_facts({reds.pk: Corrected(target=place, replacement=fought)}, user=None)
    assert [conflict.sequence for conflict in refusal.value.conflicts[reds.pk]] == [place + 1]
    assert prove(fresh(reds)) == []


def test_a_correction_rewrites_the_projection(reds: Warband, promoted: UUID) -> None:
    place, fought = lesser(reds, promoted)
    correct_facts(
        {reds.pk: Corrected(target=place, replacement=fought, undone=(place + 1,))}, user=None
    )
    jack = fighter_of(reds, "Jack")
    assert (jack.rank, jack.experience, fresh(reds).experience) == (1, 2, 4)
    assert prove(fresh(reds)) == []


def test_a_conflict_may_stand_and_later_facts_go_on(reds: Warband, promoted: UUID) -> None:
    place, fought = lesser(reds, promoted)
    stands = (Standing(place + 1, "agreed"),)
    correct_facts(
        {reds.pk: Corrected(target=place, replacement=fought, standing=stands)}, user=None
    )
    jack = fighter_of(reds, "Jack")
    assert (jack.rank, jack.experience) == (2, -1)
    (debt,) = [
        each for each in problem_list(fresh(reds)).problems if each.code == "experience-overspent"
    ]
    assert (debt.fighters, debt.severity) == ((str(jack.pk),), "warns")
    fight(reds)
    assert prove(fresh(reds)) == []


def test_striking_a_recruitment_takes_the_fighters_away(reds: Warband, bob: User) -> None:
    recruit_fighters(
        warband_id=reds.pk, fighters=[NewFighter({"profile": "recruit"}, name="Joe")], user=bob
    )
    correct_facts({reds.pk: Corrected(target=3)}, user=None)
    assert not Fighter.objects.filter(warband=reds, name="Joe").exists()
    assert prove(fresh(reds)) == []


@pytest.mark.parametrize("target", [0, 1, 4, 99])
def test_what_cannot_be_corrected_is_refused(reds: Warband, target: int) -> None:
    fight(reds)
    correct_facts({reds.pk: Corrected(target=3)}, user=None)
    with pytest.raises(InvalidInput) as refusal:
        correct_facts({reds.pk: Corrected(target=target)}, user=None)
    assert refusal.value.code == "not-correctable"


def test_an_entry_in_a_place_that_is_taken_loses_the_race(reds: Warband) -> None:
    Warband.objects.filter(pk=reds.pk).update(sequence=1, head_seal=reds.chronicle.all()[0].seal)
    with pytest.raises(StateConflict):
        append_facts({reds.pk: Renamed(name="Late")}, user=None)


def test_a_stored_state_reads_as_it_was_written(reds: Warband, promoted: UUID) -> None:
    state = read_state(fresh(reds))
    assert [fighter.name for fighter in state.fighters.values()] == ["Hector", "Jack", "Jill"]
    assert (state.name, state.won, state.sequence, state.recruited) == ("The Reds", 1, 4, 3)


def test_conflicts_name_the_fighter(reds: Warband) -> None:
    jack = str(fighter_of(reds, "Jack").pk)
    for fact, code in (
        (RankedUp(fighter=jack, step="veteran"), "unaffordable-rank-up"),
        (Adjusted(fighter=jack, experience=-1, reason="fine"), "balance-below-zero"),
        (
            Recruited(recruits=(Recruit(jack, "Jack", {"profile": "recruit", "options": []}),)),
            "already-recruited",
        ),
    ):
        with pytest.raises(InvalidInput) as refusal:
            append_facts({reds.pk: fact}, user=None)
        assert (refusal.value.code, refusal.value.problems[0].fighters) == (code, (jack,))
