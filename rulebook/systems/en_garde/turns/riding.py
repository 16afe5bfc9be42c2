"""Riding on after a ride-by attack. Rule book: "Ride-by attacks"."""

from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.turns.checking import out_of_action
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.move_events import Moved
from rulebook.values.problems import Violation

RIDE_ON = 9


def rides_on(state: PlayState, event: Moved) -> bool:
    """Does a rider leave its ride-by attack by this move, the round being over? Rule book: "Ride-by attacks"."""
    fight, rode = state.table.fight, state.table.of(event.fighter).rode_by == state.table.turn > 0
    able = present(state, event.fighter).mounted and not out_of_action(state, event.fighter)
    return rode and able and (fight is None or fight.over)


def riding_on_violations(event: Moved) -> tuple[Violation, ...]:
    """Everything that forbids to ride on like this."""
    checks = (
        (bool(event.contacts), "rides-into-contact", "It rides on and away."),
        (event.passes_enemy, "rides-past-enemy", 'It keeps more than 1" from every enemy.'),
        ((event.inches or 0) > RIDE_ON, "too-far", f'It rides on up to {RIDE_ON}".'),
    )
    return tuple(Violation(code, sentence, 'Rule book: "Ride-by attacks"') for wrong, code, sentence in checks if wrong)
