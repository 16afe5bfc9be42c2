"""Riding on after a ride-by attack. Rule book: "Ride-by attacks"."""

from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.turns.checking import out_of_action
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.values.problems import Violation

RIDE_ON = 9


def rides_on(state: PlayState, fighter: str) -> bool:
    """Does a rider leave its ride-by attack by this move, the round being over? Rule book: "Ride-by attacks"."""
    fight, rode = state.table.fight, state.table.of(fighter).rode_by == state.table.turn > 0
    able = present(state, fighter).mounted and not out_of_action(state, fighter)
    return rode and able and (fight is None or fight.over)


def riding_on_violations(contacts: tuple[str, ...], inches: float, *, passes_enemy: bool) -> tuple[Violation, ...]:
    """Everything that forbids to ride on like this."""
    checks = (
        (bool(contacts), "rides-into-contact", "It rides on and away."),
        (passes_enemy, "rides-past-enemy", 'It keeps more than 1" from every enemy.'),
        (inches > RIDE_ON, "too-far", f'It rides on up to {RIDE_ON}".'),
    )
    return tuple(Violation(code, sentence, 'Rule book: "Ride-by attacks"') for wrong, code, sentence in checks if wrong)
