"""Two thousand battles of the referee, written down, read again, and replayed to the same
result."""

from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from rulebook.ruleset import BattleSetup, LoggedEvent
from rulebook.systems.en_garde.book.scenarios import scenario_facts
from rulebook.systems.en_garde.play.play_state import CombatantState, PlayState, opening
from rulebook.systems.en_garde.victory import score
from scripts.demo.referees.en_garde import referee
from tests.rulebook.en_garde.logs import problems_of, read_event, replay, result, take
from tests.rulebook.en_garde.refereed import battle

BATTLES = 2000
CHUNK = 25
SAMPLE = 2
SEVERITY = {"": 0, "stunned": 0, "light": 1, "grievous": 2, "unconscious": 2, "critical": 3}


@pytest.mark.soak(
    "refereed battles written down, read again and replayed", each=CHUNK, sample=SAMPLE
)
@pytest.mark.parametrize("first", range(0, BATTLES, CHUNK))
def test_refereed_battles_replay_to_the_same_result(first):
    for seed in range(first, first + CHUNK):
        setup = battle(seed)
        played = referee(setup, Random(seed))
        read = read_again(played)
        assert read == played, f"seed {seed}"
        last = step_by_step(setup, read, f"seed {seed}")
        assert replay(setup, read) == last, f"seed {seed}"
        assert result(setup, read) == result(setup, played), f"seed {seed}"


def test_every_scenario_is_among_the_sample() -> None:
    """In the run that everybody makes; `tests/soak.py` takes the chunks evenly spread."""
    firsts = [place * (BATTLES // CHUNK) // SAMPLE * CHUNK for place in range(SAMPLE)]
    played = {battle(seed).scenario for first in firsts for seed in range(first, first + CHUNK)}
    assert played == {facts.key for facts in scenario_facts()}


@pytest.mark.soak("battles refereed twice with the same seed", each=1, sample=4)
@pytest.mark.parametrize("seed", range(0, BATTLES, 100))
def test_the_same_seed_plays_the_same_battle(seed):
    assert referee(battle(seed), Random(seed)) == referee(battle(seed), Random(seed))


def read_again(events: tuple[LoggedEvent, ...]) -> tuple[LoggedEvent, ...]:
    """Return the log after a round trip through JSON."""
    return msgspec.json.decode(msgspec.json.encode(events), type=tuple[LoggedEvent, ...])


def step_by_step(setup: BattleSetup, events: tuple[LoggedEvent, ...], name: str) -> PlayState:
    """Return the last state of a log, and check that all events are valid and keep the
    invariants.
    """
    state = opening(setup)
    for logged in events:
        event = read_event(logged)
        assert problems_of(state, event, logged) == (), f"{name}, event {logged.sequence}"
        after = take(state, event, logged)
        assert list(broken(state, after)) == [], f"{name}, event {logged.sequence}"
        state = after
    return state


def broken(before: PlayState, after: PlayState) -> Iterator[str]:
    """Yield the invariants that an event breaks."""
    for key, combatant in after.combatants.items():
        yield from worse_only(key, before.combatants[key], combatant)
        table_state = after.table.of(key)
        if combatant.wounds.stunned not in (0, 1, 2):
            yield f"{key} has {combatant.wounds.stunned} Stunned counters"
        if table_state.contacts and not combatant.on_table:
            yield f"{key} is not on the table and in contact"
        if any(key not in after.table.of(other).contacts for other in table_state.contacts):
            yield f"{key} touches somebody who does not touch {key}"
        if any(left < 0 for left in table_state.reload.values()) or table_state.magic < 0:
            yield f"{key} has less than nothing to load or cast"
    fight = after.table.fight
    if fight is not None and any(
        pool.attack < 0 or pool.defence < 0 for pool in fight.pools.values()
    ):
        yield "a combat pool holds less than nothing"
    if after.ended and any(line.points == 0 for side in after.sides for line in score(after, side)):
        yield "a line of victory points is worth nothing"


def worse_only(key: str, was: CombatantState, now: CombatantState) -> Iterator[str]:
    """Yield violations of two rules: nobody rises from the dead, and no wound heals in a battle."""
    if was.dead and not now.dead:
        yield f"{key} rose from the dead"
    if now.dead and now.standing:
        yield f"{key} stands and is dead"
    if SEVERITY[now.wounds.worst] < SEVERITY[was.wounds.worst]:
        yield f"{key}'s {was.wounds.worst} wound healed"
