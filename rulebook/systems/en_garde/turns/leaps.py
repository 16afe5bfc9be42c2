"""Dexterity Checks and falls in the log, in a move and apart from it.

Rule book: "Dexterity Check", "Jumping", "Climbing", "Falling", "Ships".
"""

from collections.abc import Iterator
from math import ceil

from rulebook.ruleset import LoggedEvent, Problem
from rulebook.systems.en_garde.play.events import Means, WoundEvent
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.combatant import present_numbers
from rulebook.systems.en_garde.table.moving import check_dexterity, fall
from rulebook.systems.en_garde.table.surroundings import takes_check
from rulebook.systems.en_garde.table.wounds import WoundResult
from rulebook.systems.en_garde.turns.checking import missing_dice, unknown_fighters
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.harm import die_wanted, harm
from rulebook.systems.en_garde.turns.move_events import DexterityChecked, Moved
from rulebook.systems.en_garde.turns.turn_rule import Rules, TurnRule, no_violations

LEAP = Moved | DexterityChecked


def check_wanted(state: PlayState, event: LEAP) -> bool:
    """Does it take a Dexterity Check: by its kind, or by what the move is?"""
    if isinstance(event, DexterityChecked):
        return True
    mover = present(state, event.fighter)
    return takes_check(mover, jumps=event.jumps, climbs=event.climbs, leaps_aboard=event.leaps_aboard)


def check_dice(event: LEAP) -> tuple[int, ...]:
    """The dice of the check."""
    return event.dexterity if isinstance(event, Moved) else event.dice


def succeeds(state: PlayState, event: LEAP) -> bool:
    """Does the check succeed, if there is one? Its dice have to be there."""
    if not check_wanted(state, event):
        return True
    fighter = present(state, event.fighter)
    first, second = check_dice(event)
    return check_dexterity(fighter, (first, second), present_numbers(fighter, state.settings).initiative).passed


def falls(state: PlayState, event: LEAP) -> bool:
    """Does it fall? Who fails in a move does; apart from one, only if there is somewhere to fall to."""
    return not succeeds(state, event) and (isinstance(event, Moved) or event.falls > 0)


def inches_fallen(event: LEAP) -> float:
    """How deep it falls, in inches: a climber as far as it has climbed at least."""
    return max(event.falls, event.climbs) if isinstance(event, Moved) else event.falls


def fall_result(state: PlayState, event: LEAP) -> WoundResult:
    """What the fall comes to, by its dice."""
    first, second = event.fall_dice
    return fall((first, second), ceil(inches_fallen(event)), present(state, event.fighter).table).result


def fall_die_wanted(state: PlayState, event: LEAP) -> bool:
    """Does the fall of a large body ask for a die?"""
    return bool(event.fall_dice) and die_wanted(state, event.fighter, fall_result(state, event))


def leap_dice(state: PlayState, event: LEAP) -> Iterator[Problem]:
    """Are the dice of the check there, and those of the fall if it fails?"""
    field = "dexterity" if isinstance(event, Moved) else "dice"
    lacking = tuple(missing_dice(field, check_dice(event), 2 if check_wanted(state, event) else 0))
    if not lacking:
        lacking = tuple(missing_dice("fall_dice", event.fall_dice, 2 if falls(state, event) else 0))
    yield from lacking
    if not lacking:
        yield from missing_dice("die", event.die, int(fall_die_wanted(state, event)))


def after_fall(state: PlayState, event: LEAP, logged: LoggedEvent) -> PlayState:
    """The state after the fall, if there was one."""
    if not event.fall_dice:
        return state
    result = fall_result(state, event)
    return harm(state, logged, WoundEvent(victim=event.fighter, result=result, means=Means.FALL, die=event.die))


def dexterity_input_errors(state: PlayState, event: DexterityChecked, logged: LoggedEvent) -> Iterator[Problem]:
    """Two dice, and two more for a fall if the check fails."""
    unknown = tuple(unknown_fighters(state, fighter=event.fighter))
    yield from unknown or leap_dice(state, event)


RULES: Rules = {DexterityChecked: TurnRule(dexterity_input_errors, no_violations, after_fall)}
