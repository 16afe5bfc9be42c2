"""The referee: whole battles by the rules, for every list and scenario."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulebook.ruleset import BattleSetup, Fate, FieldedSide, LoggedEvent
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.book.scenarios import scenario_facts
from scripts.demo.referees.en_garde import referee
from tests.rulebook.en_garde.logs import event_problems, replay, result
from tests.rulebook.en_garde.turns.tables import man

LISTS = [key for key in catalogue().factions if key != "custom"]


def force(key: str, faction: str, role: str, size: int, luck: Random) -> FieldedSide:
    """Return a side of random fighters of one list."""
    profiles = [luck.choice(catalogue().factions[faction].profiles) for _ in range(size)]
    fighters = tuple(
        man(f"{key}{place}", f"{faction}/{profile.key}", profile.rank, leader=place == 0)
        for place, profile in enumerate(profiles)
    )
    return FieldedSide(key, key, role, faction, fighters)


def random_battle(seed: int) -> BattleSetup:
    """Return a battle between two random forces in a random scenario and weather."""
    luck = Random(seed)
    facts = luck.choice(scenario_facts())
    roles = [role.key for role in facts.roles for _ in range(role.least)][:2]
    sides = tuple(
        force(key, luck.choice(LISTS), role, luck.randint(3, 9), luck)
        for key, role in zip("ab", roles, strict=True)
    )
    day = {
        "weather": luck.choice(["fair", "rain", "wind", "mist"]),
        "hour": luck.choice(["day", "night", "dusk"]),
    }
    return BattleSetup(facts.key, sides, {"fantastical": True}, day)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 100_000))
def test_every_battle_of_the_referee_adds_up(seed):
    setup = random_battle(seed)
    sheet = result(setup, referee(setup, Random(seed)))
    for side in sheet.sides:
        assert side.victory_points == sum(line.points for line in side.lines)
        assert not [
            record
            for record in side.records
            if record.wounds == "critical" and record.fate is not Fate.DEAD
        ]
    dead = {
        record.fighter
        for side in sheet.sides
        for record in side.records
        if record.fate is Fate.DEAD
    }
    killed = {
        deed.victim for side in sheet.sides for deed in side.deeds if deed.killed and deed.victim
    }
    assert killed <= dead


@pytest.mark.soak("refereed battles whose events pass the checks for players", each=1, sample=4)
@pytest.mark.parametrize("seed", range(12))
def test_its_events_pass_the_checks_of_a_humans_one_by_one(seed):
    setup = random_battle(seed)
    events = referee(setup, Random(seed))
    for place, event in enumerate(events[:80]):
        assert event_problems(setup, events[:place], event) == ()


@pytest.mark.parametrize("seed", range(12))
def test_the_same_seed_plays_the_same_battle_and_replays_to_the_same_state(seed):
    setup = random_battle(seed)
    events = referee(setup, Random(seed))
    assert referee(setup, Random(seed)) == events
    assert replay(setup, events) == replay(setup, events)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.floats(0, 1))
def test_a_prefix_of_a_log_is_a_log(seed, share):
    setup = random_battle(seed)
    events = referee(setup, Random(seed))
    state = replay(setup, events[: int(len(events) * share)])
    for combatant in state.combatants.values():
        assert not (combatant.dead and combatant.standing)
        assert 0 <= combatant.wounds.stunned <= 2
    for key, table_state in state.table.fighters.items():
        assert all(counters >= 0 for counters in table_state.reload.values())
        assert all(key in state.table.of(other).contacts for other in table_state.contacts)


def test_striking_an_event_of_a_referees_log_either_works_or_is_refused_with_reasons():
    setup = random_battle(3)
    events = referee(setup, Random(3))
    for target in range(1, len(events), 7):
        correction = LoggedEvent(
            len(events) + 1, "correction", {"event": target, "reason": "A slip of the pen"}
        )
        problems = event_problems(setup, events, correction)
        assert all(problem.code and problem.sentence for problem in problems)
