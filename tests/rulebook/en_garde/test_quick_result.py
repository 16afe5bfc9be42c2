"""Invented battles of every scenario: good by every check, and the properties of every result
sheet."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rulebook.ruleset import BattleSetup, Fate, LoggedEvent, Outcome
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.book.lists import Faction
from rulebook.systems.en_garde.experience.awards import awards, fate_after
from scripts.demo.referees.quick_result import quick_result
from tests.rulebook.en_garde.battlefield import SCENARIOS, battle, fielded, side
from tests.rulebook.en_garde.logs import effective_events, event_problems, result
from tests.soak import made_up

RANKS = st.lists(st.integers(1, 4), min_size=2, max_size=8).map(tuple)
SEEDS = st.integers(0, 2**32)
HOUSE = st.fixed_dictionaries(
    {},
    optional={
        "subdue_kills": st.sampled_from(["unconscious", "dead"]),
        "banner_capture": st.sampled_from(["carried", "bearer-killed"]),
        "capture_needs": st.sampled_from(["unconscious", "any"]),
        "equal_points": st.sampled_from(["draw", "standing"]),
        "raid_standard_points": st.booleans(),
        "defence_draw": st.sampled_from(["draw", "defender"]),
        "escort_edge": st.sampled_from(["opposite", "own"]),
        "lost_share": st.sampled_from(["fighters", "points"]),
        "survival": st.sampled_from(["free", "alive", "standing"]),
    },
)


@st.composite
def battles(draw: st.DrawFn) -> BattleSetup:
    """Draw a battle of any scenario between forces of any Ranks, under any house rules."""
    scenario = draw(st.sampled_from(SCENARIOS))
    sides = draw(st.integers(2, 4)) if scenario == "occupy" else 2
    return battle(scenario, *[draw(RANKS) for _ in range(sides)], settings=draw(HOUSE))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_an_invented_battle_passes_every_check_event_by_event(scenario: str):
    setup = battle(scenario, (5, 4, 3, 2, 2, 1, 1, 1), (5, 3, 3, 2, 2, 2, 1, 1))
    for seed in range(5):
        events = quick_result(setup, Random(seed))
        for place, event in enumerate(events):
            assert event_problems(setup, events[:place], event) == ()


def test_the_same_seed_invents_the_same_battle_and_another_one_another():
    setup = battle("skirmish")
    assert quick_result(setup, Random(1)) == quick_result(setup, Random(1))
    assert quick_result(setup, Random(1)) != quick_result(setup, Random(2))


def test_invented_battles_have_wounds_and_survivors():
    setup = battle("skirmish", (4, 3, 2, 2, 2, 1, 1, 1), (4, 3, 2, 2, 2, 1, 1, 1))
    sheets = [result(setup, quick_result(setup, Random(seed))) for seed in range(20)]
    dead = sum(
        record.fate is Fate.DEAD
        for sheet in sheets
        for side in sheet.sides
        for record in side.records
    )
    assert 0.05 * 320 < dead < 0.7 * 320
    assert any(side.outcome is Outcome.WON for sheet in sheets for side in sheet.sides)


@pytest.mark.parametrize("faction", catalogue().factions.values(), ids=lambda faction: faction.key)
def test_fighters_of_every_list_can_fight(faction: Faction):
    fighters = tuple(
        fielded(
            f"b{place}",
            profile.rank,
            build={"profile": f"{faction.key}/{profile.key}"},
            leader=place == 0,
        )
        for place, profile in enumerate(faction.profiles)
    )
    setup = battle("skirmish", (5, 4, 3, 2, 1))
    listed = replace(side("b", ()), faction=faction.key, fighters=fighters or (fielded("b0", 1),))
    setup = replace(setup, sides=(setup.sides[0], listed))
    for seed in range(10):
        events = quick_result(setup, Random(seed))
        assert len(result(setup, events).sides[1].records) == len(listed.fighters)


@made_up("random result forms", 60, sample=15)
@given(battles(), SEEDS)
def test_every_result_sheet_adds_up(setup: BattleSetup, seed: int):
    events = quick_result(setup, Random(seed))
    sheet = result(setup, events)
    for force, each in zip(setup.sides, sheet.sides, strict=True):
        assert each.victory_points == sum(line.points for line in each.lines)
        assert [record.fighter for record in each.records] == [
            fighter.id for fighter in force.fighters
        ]
        assert all(line.sentence and line.rule and line.code for line in each.lines)
    assert sheet.verdict.endswith(".")


@made_up("random result forms", 60, sample=15)
@given(battles(), SEEDS)
def test_no_result_leaves_a_dead_fighter_fit(setup: BattleSetup, seed: int):
    sheet = result(setup, quick_result(setup, Random(seed)))
    for each in sheet.sides:
        fighters = {award.fighter for award in awards(each.records, each.deeds, setup.settings)}
        for record in each.records:
            dead = record.wounds == "critical"
            assert dead == (record.fate is Fate.DEAD)
            assert not (dead and (record.survived or record.fighter in fighters))
            assert dead == (fate_after(record, setup.settings)[0] is Fate.DEAD)


@made_up("random result forms", 60, sample=15)
@given(battles(), SEEDS)
def test_outcomes_agree_with_the_winner(setup: BattleSetup, seed: int):
    sheet = result(setup, quick_result(setup, Random(seed)))
    won = [side.side for side in sheet.sides if side.outcome is Outcome.WON]
    drew = [side.side for side in sheet.sides if side.outcome is Outcome.DREW]
    assert won == ([] if sheet.winner is None else [sheet.winner])
    assert bool(won) != (len(drew) > 1)


@made_up("random result forms", 40, sample=10)
@given(battles(), SEEDS, st.data())
def test_a_log_with_corrections_gives_the_same_result_as_the_corrected_log(
    setup: BattleSetup, seed: int, data: st.DataObject
):
    events = quick_result(setup, Random(seed))
    target = data.draw(st.sampled_from(events))
    instead = data.draw(
        st.sampled_from([None, {"kind": "note", "data": {"text": "Never happened."}}])
    )
    reason = {"event": target.sequence, "reason": "Misread.", **(instead or {})}
    correction = LoggedEvent(len(events) + 1, "correction", reason)
    mended = (*events, correction)
    if event_problems(setup, events, correction) == ():
        assert result(setup, mended) == result(setup, effective_events(mended))


@made_up("random result forms", 40, sample=10)
@given(battles(), SEEDS, st.data())
def test_every_beginning_of_a_good_log_is_good(setup: BattleSetup, seed: int, data: st.DataObject):
    events = quick_result(setup, Random(seed))
    place = data.draw(st.integers(0, len(events)))
    assert len(result(setup, events[:place]).sides) == len(setup.sides)


@made_up("random result forms", 100, sample=25)
@given(
    battles(),
    st.lists(st.tuples(st.sampled_from(SCENARIOS), SEEDS), min_size=1, max_size=3),
    st.randoms(),
)
def test_events_from_other_battles_are_taken_or_refused_and_never_crash(
    setup: BattleSetup, others: list[tuple[str, int]], luck: Random
):
    foreign = [event for name, seed in others for event in quick_result(battle(name), Random(seed))]
    luck.shuffle(foreign)
    taken: tuple[LoggedEvent, ...] = ()
    for event in foreign[:40]:
        moved = LoggedEvent(len(taken) + 1, event.kind, event.data, event.turn)
        if event_problems(setup, taken, moved) == ():
            taken = (*taken, moved)
    assert len(result(setup, taken).sides) == len(setup.sides)
