"""Battles are replayed in the order of play, even if entered late and in another order."""

from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rulebook.chronicle.facts import AnyFact, Corrected, Fought, RankedUp, Standing, decode, encode
from rulebook.chronicle.replay import (
    effective,
    in_order_of_play,
    replay_chronicle,
    state_before,
    step,
)
from rulebook.chronicle.states import ReplayResult, WarbandState
from rulebook.ruleset import Fate
from tests.full_toy import find_toy
from tests.rulebook.histories import (
    MUSTERED,
    battles,
    died,
    facts,
    fought,
    histories,
    recruited,
    recruitments,
    survived,
    wounded,
)
from tests.soak import made_up

Draw = Callable[[st.SearchStrategy[Any]], Any]
FIRST, SECOND, THIRD = "2026-11-06", "2026-11-13", "2026-11-20"
SIX, NINE = "2026-11-20T18:00:00.000000+00:00", "2026-11-20T21:00:00.000000+00:00"


def on(day: str, fact: Fought, place: str = SIX) -> Fought:
    return replace(fact, fought_on=day, place_in_day=place)


def told(result: ReplayResult) -> tuple[Any, ...]:
    """Return the result of a replay, without the places of facts in the stream."""
    lines = [replace(line, sequence=0) for line in result.ledger]
    conflicts = [replace(conflict, sequence=0) for conflict in result.conflicts]
    return replace(result.state, sequence=0), lines, conflicts


def places(history: list[AnyFact]) -> list[int]:
    return [sequence for sequence, _ in effective(history)]


@st.composite
def played(draw: Draw) -> Fought:
    """Draw a battle at one of a few times."""
    day = draw(st.sampled_from((FIRST, SECOND, THIRD)))
    return on(day, draw(battles()), draw(st.sampled_from((SIX, NINE))))


placed_histories: st.SearchStrategy[list[AnyFact]] = st.builds(
    lambda first, rest: [MUSTERED, first, *rest],
    recruitments(),
    st.lists(st.one_of(facts, played(), played()), max_size=20),
)


@st.composite
def two_orders(draw: Draw) -> tuple[list[Fought], list[Fought]]:
    """Draw the same battles in two orders of entry, all at different times."""
    fought = draw(st.lists(battles(), min_size=1, max_size=6))
    days = draw(st.permutations([f"2026-11-{number:02}" for number in range(1, 1 + len(fought))]))
    order = [on(day, battle) for day, battle in zip(days, fought, strict=True)]
    return order, draw(st.permutations(order))


@made_up("random chronicles of a warband", 100, sample=30)
@given(recruitments(), two_orders())
def test_order_of_entry_does_not_matter(
    first: AnyFact, orders: tuple[list[Fought], list[Fought]]
) -> None:
    entered, other = ([MUSTERED, first, *order] for order in orders)
    assert told(replay_chronicle(entered, find_toy)) == told(replay_chronicle(other, find_toy))
    in_order = sorted(orders[0], key=lambda fact: fact.played)
    assert [fact for _, fact in effective(entered)] == [MUSTERED, first, *in_order]


@made_up("random chronicles of a warband", 100, sample=30)
@given(placed_histories)
def test_battles_follow_play_order_and_others_entry_order(history: list[AnyFact]) -> None:
    ordered = in_order_of_play(enumerate(history, start=1))
    battles_of = [
        (*fact.played, at) for at, fact in ordered if isinstance(fact, Fought) and fact.place_in_day
    ]
    assert battles_of == sorted(battles_of)
    others = [at for at, fact in ordered if not isinstance(fact, Fought)]
    assert others == sorted(others)
    assert sorted(at for at, _ in ordered) == list(range(1, len(history) + 1))


@made_up("random chronicles of a warband", 100, sample=30)
@given(placed_histories, played())
def test_a_battle_that_is_not_late_is_one_step(history: list[AnyFact], battle: Fought) -> None:
    before, after = (
        replay_chronicle(history, find_toy),
        replay_chronicle([*history, battle], find_toy),
    )
    if not battle.is_late(before.state.last_played):
        result = step(before.state, battle, find_toy)
        assert after == ReplayResult(
            result.state, (*before.ledger, *result.ledger), (*before.conflicts, *result.conflicts)
        )


@made_up("random chronicles of a warband", 100, sample=30)
@given(placed_histories, played())
def test_state_before_a_battle_is_that_which_it_finds(
    history: list[AnyFact], battle: Fought
) -> None:
    place = len(history) + 1
    state = WarbandState()
    for sequence, fact in effective([*history, battle]):
        if sequence == place:
            break
        state = step(state, fact, find_toy, sequence=sequence).state
    before = state_before(history, find_toy, battle.played)
    assert replace(before, sequence=0) == replace(state, sequence=0)


@made_up("random chronicles of a warband", 100, sample=30)
@given(histories)
def test_facts_without_a_place_keep_the_order_of_entry(history: list[AnyFact]) -> None:
    dated = [
        replace(fact, fought_on=THIRD) if isinstance(fact, Fought) else fact for fact in history
    ]
    days = iter((THIRD, FIRST, SECOND) * len(history))
    mixed = [
        replace(fact, fought_on=next(days)) if isinstance(fact, Fought) else fact
        for fact in history
    ]
    assert places(mixed) == list(range(1, len(history) + 1))
    assert (
        told(replay_chronicle(mixed, find_toy))[1:] == told(replay_chronicle(dated, find_toy))[1:]
    )


@made_up("random chronicles of a warband", 100, sample=30)
@given(placed_histories, played(), st.data())
def test_a_correction_is_as_if_entered_so_at_first(
    history: list[AnyFact], fact: Fought, data: st.DataObject
) -> None:
    target = data.draw(st.integers(2, len(history)))
    truth = [*history[: target - 1], fact, *history[target:]]
    corrected = replay_chronicle([*history, Corrected(target=target, replacement=fact)], find_toy)
    proper = replay_chronicle(truth, find_toy)
    assert (corrected.ledger, corrected.conflicts) == (proper.ledger, proper.conflicts)
    assert corrected.state == replace(proper.state, sequence=len(history) + 1)


def test_a_fact_with_its_place_survives_its_json() -> None:
    fact = on(THIRD, fought(survived("f1")))
    assert decode(encode(fact)) == fact
    assert "place_in_day" not in encode(fought(survived("f1")))


def test_killed_at_six_and_dead_at_nine_in_either_order() -> None:
    six = on(THIRD, fought(survived("f1"), deeds=(wounded("f1", killed=True),)), SIX)
    nine = on(THIRD, fought(died("f1")), NINE)
    for history in ([six, nine], [nine, six]):
        result = replay_chronicle([MUSTERED, recruited("f1"), *history], find_toy)
        assert not result.conflicts
        assert (result.state.fighters["f1"].fate, result.state.fighters["f1"].battles) == (
            Fate.DEAD,
            2,
        )


def test_a_late_battle_stands_directly_before_the_first_played_later() -> None:
    history: list[AnyFact] = [
        MUSTERED,
        recruited("f1"),
        on(FIRST, fought(survived("f1"), deeds=(wounded("f1"), wounded("f1")))),
        RankedUp(fighter="f1", step="veteran"),
        on(THIRD, fought(survived("f1"))),
        recruited("f2"),
        on(SECOND, fought(survived("f1"))),
    ]
    assert places(history) == [1, 2, 3, 4, 7, 5, 6]
    assert places([*history, on("2026-11-10", fought(survived("f1")))]) == [1, 2, 3, 4, 8, 7, 5, 6]


def test_a_correction_of_the_day_moves_a_battle() -> None:
    first, last = on(FIRST, fought(survived("f1"))), on(THIRD, fought(died("f1")))
    history: list[AnyFact] = [MUSTERED, recruited("f1"), first, last]
    assert places(
        [*history, Corrected(target=4, replacement=on("2026-10-30", fought(died("f1"))))]
    ) == [1, 2, 4, 3]
    assert places(
        [*history, Corrected(target=3, replacement=on("2026-11-27", fought(survived("f1"))))]
    ) == [1, 2, 4, 3]
    result = replay_chronicle(
        [*history, Corrected(target=3, replacement=on("2026-11-27", fought(survived("f1"))))],
        find_toy,
    )
    assert [(conflict.sequence, conflict.code) for conflict in result.open_conflicts] == [
        (3, "fighter-gone")
    ]


def test_a_struck_battle_holds_no_place() -> None:
    history: list[AnyFact] = [
        MUSTERED,
        recruited("f1"),
        on(THIRD, fought(survived("f1"))),
        recruited("f2"),
    ]
    late = on(FIRST, fought(survived("f1")))
    assert places([*history, late]) == [1, 2, 5, 3, 4]
    assert places([*history, late, Corrected(target=3)]) == [1, 2, 4, 5]
    assert (
        replay_chronicle([*history, late, Corrected(target=3)], find_toy).state.last_played
        == late.played
    )


def test_later_fact_is_kept_despite_late_battle() -> None:
    later = on(THIRD, fought(survived("f1"), survived("f2")))
    late = on(FIRST, fought(died("f1")))
    history: list[AnyFact] = [MUSTERED, recruited("f1", "f2"), later, late]
    assert [
        conflict.sequence for conflict in replay_chronicle(history, find_toy).open_conflicts
    ] == [3]
    answered = Corrected(target=4, replacement=late, standing=(Standing(3, "nobody remembers"),))
    result = replay_chronicle([*history, answered], find_toy)
    assert not result.open_conflicts
    assert (result.state.fighters["f1"].battles, result.state.fighters["f2"].battles) == (1, 1)


def test_battles_of_before_are_passed_by_day_alone() -> None:
    before = replace(fought(survived("f1")), fought_on=THIRD)
    history: list[AnyFact] = [MUSTERED, recruited("f1"), before]
    assert places([*history, on(FIRST, fought(survived("f1")))]) == [1, 2, 4, 3]
    assert places([*history, on(THIRD, fought(survived("f1")))]) == [1, 2, 3, 4]
    assert places([*history, replace(before, fought_on=FIRST)]) == [1, 2, 3, 4]
