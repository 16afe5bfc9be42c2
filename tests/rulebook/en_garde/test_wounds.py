"""Wounds: the tables row by row, how wounds add up, large and huge models, Subdue, and what a state
costs."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulebook.systems.en_garde.table.wounds import (
    UNHURT,
    Penalties,
    Wound,
    WoundResult,
    WoundState,
    WoundTable,
    converted,
    needs_die,
    penalties,
    reduced,
    remove_stunned,
    stun,
    suffer,
    third_stun,
    wound_result,
)

DATA = Path(__file__).parent / "data"
RESULTS = st.sampled_from(WoundResult)


def rows(name: str) -> list[list[str]]:
    lines = (DATA / name).read_text().splitlines()
    return [line.split() for line in lines if line and not line.startswith("#")]


def suffered(*results: str, **options: object) -> WoundState:
    state = UNHURT
    for result in results:
        state = suffer(state, WoundResult(result), **options)  # type: ignore[arg-type]
    return state


@pytest.mark.parametrize(("table", "score", "result"), rows("wound_table.txt"))
def test_each_row_of_the_wound_tables(table: str, score: str, result: str):
    assert wound_result(int(score), WoundTable(table)) == result


@pytest.mark.parametrize("row", rows("wounds_added.txt"), ids=" ".join)
def test_wounds_add_up_and_cost_what_the_table_says(row: list[str]):
    *results, worst, stunned, initiative, fight, shoot = row
    state = suffered(*(result for result in results if result != "-"))
    assert state.worst == worst.replace("-", "")
    assert state.stunned == int(stunned)
    assert penalties(state) == Penalties(int(initiative), int(fight), int(shoot))


def test_a_large_body_takes_each_result_one_step_milder():
    assert converted(WoundResult.STUNNED, WoundTable.LARGE) == "stunned"
    assert converted(WoundResult.LIGHT, WoundTable.LARGE) == "stunned"
    assert converted(WoundResult.GRIEVOUS, WoundTable.LARGE) == "light"


@pytest.mark.parametrize(
    ("die", "result"), [(1, "grievous"), (3, "grievous"), (4, "critical"), (6, "critical")]
)
def test_a_large_body_dies_of_a_critical_wound_on_four_or_more(die: int, result: str):
    assert converted(WoundResult.CRITICAL, WoundTable.LARGE, die) == result


def test_a_critical_wound_on_a_large_body_asks_for_its_die():
    assert needs_die(WoundResult.CRITICAL, WoundTable.LARGE)
    assert not needs_die(WoundResult.CRITICAL, WoundTable.HUGE)
    with pytest.raises(ValueError, match="die"):
        suffer(UNHURT, WoundResult.CRITICAL, table=WoundTable.LARGE)


def test_a_light_wound_from_a_third_stunned_counter_is_not_made_milder_again():
    assert suffered("stunned", "stunned", "light", table=WoundTable.LARGE) == WoundState(
        wound=Wound.LIGHT
    )


def test_subdue_knocks_out_at_grievous_wound():
    assert suffered("grievous", subdue=True).worst == "unconscious"
    assert suffer(suffered("light"), WoundResult.LIGHT, subdue=True).unconscious
    assert suffer(
        suffered("light", "stunned", "stunned"), WoundResult.STUNNED, subdue=True
    ).unconscious


def test_subdue_does_not_knock_out_for_less():
    assert suffered("light", subdue=True) == WoundState(wound=Wound.LIGHT)
    assert not suffer(suffered("grievous"), WoundResult.STUNNED, subdue=True).unconscious


def test_a_critical_subdue_knocks_out_or_kills_as_the_house_rule_says():
    assert suffered("critical", subdue=True) == WoundState(wound=Wound.GRIEVOUS, unconscious=True)
    assert suffered("critical", subdue=True, subdue_kills="dead").dead


def test_an_unconscious_fighter_can_still_be_killed():
    assert suffer(suffered("grievous", subdue=True), WoundResult.LIGHT).dead


def test_a_third_stunned_counter_counted_at_the_table_is_a_light_wound_whatever_is_known():
    assert third_stun(UNHURT) == WoundState(wound=Wound.LIGHT)
    assert third_stun(suffered("light", "stunned")).worst == "grievous"
    assert third_stun(suffered("light"), subdue=True).unconscious


def test_each_stunned_counter_costs_again_under_the_house_rule():
    assert penalties(WoundState(stunned=2), stun_penalty="doubled") == Penalties(-2, -1, -2)
    assert penalties(WoundState(stunned=1), stun_penalty="doubled") == Penalties(-1, 0, -1)


def test_a_characteristic_never_falls_below_zero():
    assert reduced(1, -2) == 0
    assert reduced(3, -2) == 1


def test_stunned_counters_come_off_down_to_none():
    assert remove_stunned(WoundState(stunned=2), 1).stunned == 1
    assert remove_stunned(WoundState(stunned=1), 2).stunned == 0


def test_dead_fighter_cannot_be_wounded():
    with pytest.raises(ValueError, match="Dead"):
        suffer(suffered("critical"), WoundResult.LIGHT)


def test_light_and_grievous_counters_count_for_a_tie_break_and_stunned_ones_do_not():
    assert [
        suffered(result).counters for result in ("stunned", "light", "grievous", "critical")
    ] == [0, 1, 1, 0]


@given(
    st.lists(RESULTS, max_size=12), st.booleans(), st.sampled_from(WoundTable), st.integers(1, 6)
)
def test_wounds_only_ever_get_worse(
    results: list[WoundResult], subdue: bool, table: WoundTable, die: int
):
    order = ["", "light", "grievous", "critical"]
    state = UNHURT
    for result in results:
        if state.dead:
            break
        after = suffer(state, result, table=table, die=die, subdue=subdue)
        assert order.index(after.wound) >= order.index(state.wound)
        assert 0 <= after.stunned <= 2
        assert after.unconscious >= state.unconscious
        state = after


@given(st.integers(0, 2), st.sampled_from(Wound))
def test_one_more_stunned_counter_is_a_counter_or_a_wound(stunned: int, wound: Wound):
    before = WoundState(stunned=stunned, wound=wound)
    after = stun(before)
    assert (after.stunned == stunned + 1) != (after.stunned == 0 and after.wound != "")
