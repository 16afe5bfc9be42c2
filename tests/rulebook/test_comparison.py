"""Two replays side by side are equal to the replays of both histories from their beginnings."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rulebook.chronicle.comparison import Comparison, LineDifference, compare_replays
from rulebook.chronicle.facts import AnyFact, Corrected, Fought, Standing
from rulebook.chronicle.replay import FindRuleset, replay_chronicle
from rulebook.chronicle.states import LedgerLine
from rulebook.registry import find_ruleset
from tests.rulebook.test_chronicle import facts, find_toy, histories
from tests.rulebook.test_chronicle_of_real_lists import battle, campaigns
from tests.soak import made_up


def by_place(lines: tuple[LedgerLine, ...]) -> dict[tuple[int, int], LedgerLine]:
    """Return ledger lines by their fact and their number within it."""
    numbers: dict[int, int] = {}
    places: dict[tuple[int, int], LedgerLine] = {}
    for line in lines:
        numbers[line.sequence] = numbers.get(line.sequence, 0) + 1
        places[line.sequence, numbers[line.sequence]] = line
    return places


def expect_differences(comparison: Comparison) -> None:
    """Fail if a ledger line differs that the comparison does not list."""
    before, after = by_place(comparison.before.ledger), by_place(comparison.after.ledger)
    differ = {place for place in before | after if before.get(place) != after.get(place)}
    assert not {sequence for sequence, _ in differ} & comparison.unchanged
    if comparison.lines.moved:
        return
    assert [place for place in before if place in after] == list(after)
    for place in differ:
        was, now = before[place], after.get(place)
        whole = now is None or was != replace(now, balance=was.balance)
        assert (
            place[0] in comparison.lines.facts
            if whole
            else was.fighter in (comparison.lines.fighters)
        )


def expect_equal(history: list[AnyFact], added: list[AnyFact], find: FindRuleset) -> Comparison:
    comparison = compare_replays(history, added, find)
    assert comparison.before == replay_chronicle(history, find)
    assert comparison.after == replay_chronicle([*history, *added], find)
    for mine, proper in (
        (comparison.before, replay_chronicle(history, find)),
        (comparison.after, replay_chronicle([*history, *added], find)),
    ):
        assert list(mine.state.fighters) == list(proper.state.fighters)
    expect_differences(comparison)
    return comparison


@made_up("random chronicles of a warband", 200, sample=60)
@given(histories, facts, st.data())
def test_comparison_equals_both_replays(
    history: list[AnyFact], fact: AnyFact, data: st.DataObject
) -> None:
    target = data.draw(st.integers(1, len(history)))
    undone = data.draw(st.lists(st.integers(1, len(history)), max_size=2))
    standing = data.draw(st.lists(st.integers(1, len(history)), max_size=2))
    correction = Corrected(
        target=target,
        replacement=data.draw(st.sampled_from([None, fact])),
        undone=tuple(undone),
        standing=tuple(Standing(place, "so be it") for place in standing),
    )
    expect_equal(history, [correction], find_toy)


@made_up("random chronicles of a warband", 100, sample=30)
@given(histories, facts)
def test_comparison_with_one_fact_more_equals_both_replays(
    history: list[AnyFact], fact: AnyFact
) -> None:
    expect_equal(history, [fact], find_toy)


@made_up("corrections of real campaigns", 150, sample=40)
@given(campaigns(), st.data())
def test_comparison_of_corrected_battles_equals_both_replays(
    history: list[AnyFact], data: st.DataObject
) -> None:
    target, fought = data.draw(
        st.sampled_from(
            [(n, fact) for n, fact in enumerate(history, 1) if isinstance(fact, Fought)]
        )
    )
    state = replay_chronicle(history[: target - 1], find_ruleset).state
    fewer = replace(fought, deeds=fought.deeds[: data.draw(st.integers(0, len(fought.deeds)))])
    replacement = data.draw(st.sampled_from([fewer, None, battle(state, data.draw)]))
    expect_equal(history, [Corrected(target=target, replacement=replacement)], find_ruleset)


@made_up("corrections of real campaigns", 30, sample=10)
@given(campaigns(), st.data())
def test_fighters_untouched_by_a_correction_are_not_worked_out_again(
    history: list[AnyFact], data: st.DataObject
) -> None:
    target, fought = data.draw(
        st.sampled_from(
            [(n, fact) for n, fact in enumerate(history, 1) if isinstance(fact, Fought)]
        )
    )
    replacement = replace(fought, title="Another title")
    comparison = compare_replays(
        history, [Corrected(target=target, replacement=replacement)], find_ruleset
    )
    assert comparison.lines == LineDifference()
    before, after = comparison.before.state, comparison.after.state
    assert all(after.fighters[key] is fighter for key, fighter in before.fighters.items())
