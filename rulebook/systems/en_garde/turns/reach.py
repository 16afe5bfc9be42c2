"""The way of a move in the log: its ground, doors, jumps and climbs, a wagon, and how many inches are left for it.

Rule book: "Move", "Terrain", "Buildings", "Ships", "Wagons", "Jumping", "Climbing", "Spells".
"""

from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.table.moving import Reach, reach
from rulebook.systems.en_garde.table.surroundings import DOOR_COST, WAGON_RATE, ground, leap_violations
from rulebook.systems.en_garde.turns.move_events import Moved
from rulebook.values.problems import Violation


def reach_violations(state: PlayState, event: Moved, mover: Combatant) -> tuple[Violation, ...]:
    """Everything on the way that forbids the move."""
    growing = 0 < state.table.turn <= state.table.undergrowth_until
    checks = (
        (event.undergrowth and not growing, "no-undergrowth", "No Undergrowth is there now.", "Spells"),
        (event.locked, "locked", "Only what is unlocked is opened in passing.", "Buildings"),
    )
    found = (Violation(code, sentence, f'Rule book: "{rule}"') for wrong, code, sentence, rule in checks if wrong)
    leaps = leap_violations(mover, event.gait, jumps=event.jumps, climbs=event.climbs)
    return (*found, *leaps, *_reach(state, event, mover).violations)


def inches_left(state: PlayState, event: Moved, mover: Combatant) -> float:
    """How many inches it may go, doors and turns on the spot taken off."""
    most = _reach(state, event, mover).inches
    slowed = state.table.of(event.fighter).transfixed == state.table.turn > 0
    return max(0, (most // 2 if slowed else most) - DOOR_COST * event.doors)


def _reach(state: PlayState, event: Moved, mover: Combatant) -> Reach:
    carries = any(state.table.of(event.fighter).carries.values())
    return reach(
        Combatant(id="wagon", name="The wagon", rank=0, rate=WAGON_RATE) if event.in_wagon else mover,
        event.gait,
        ground(event.terrain, event.place, undergrowth=event.undergrowth),
        carries_heavy=carries and not event.in_wagon,
        extra_turns=event.extra_turns,
        passes_enemy=event.passes_enemy,
    )
