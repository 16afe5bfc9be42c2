"""Opportunities within a round that are let go, or used to take another weapon. Rule book: "Which weapon?"."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.ruleset import LoggedEvent, Problem
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.arms_in_hand import Grip, grip_violations
from rulebook.systems.en_garde.table.rounds import its_turn, passed, switched_weapon
from rulebook.systems.en_garde.turns.checking import unknown_fighters
from rulebook.systems.en_garde.turns.combat_events import Passed, WeaponSwitched
from rulebook.systems.en_garde.turns.combats import fight_of, no_combat, unknown_weapon
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.loading import fewest_counters
from rulebook.systems.en_garde.turns.turn_rule import Rules, TurnRule
from rulebook.values.problems import Violation

SWITCH = 'Rule book: "Which weapon?"'


def pass_input_errors(state: PlayState, event: Passed, logged: LoggedEvent) -> Iterator[Problem]:
    """Is there an open combat with this fighter in it?"""
    unknown = tuple(unknown_fighters(state, fighter=event.fighter))
    yield from unknown
    if not unknown and fight_of(state, event.fighter) is None:
        yield no_combat("fighter", event.fighter)


def pass_violations(state: PlayState, event: Passed, logged: LoggedEvent) -> tuple[Violation, ...]:
    """Who lets an opportunity go has one."""
    return _not_its_opportunity(state, event.fighter, 'Rule book: "Combat procedure"')


def take_pass(state: PlayState, event: Passed, logged: LoggedEvent) -> PlayState:
    """The state after the opportunity was let go."""
    assert state.table.fight is not None  # noqa: S101 - the check saw to it; this tells the type checker
    return replace(state, table=replace(state.table, fight=passed(state.table.fight, event.fighter)))


def switch_input_errors(state: PlayState, event: WeaponSwitched, logged: LoggedEvent) -> Iterator[Problem]:
    """Is there such a weapon, and an open combat?"""
    unknown = tuple(unknown_fighters(state, fighter=event.fighter))
    yield from unknown
    if unknown:
        return
    yield from unknown_weapon(event.weapon, "weapon", event.fighter)
    if fight_of(state, event.fighter) is None:
        yield no_combat("fighter", event.fighter)


def switch_violations(state: PlayState, event: WeaponSwitched, logged: LoggedEvent) -> tuple[Violation, ...]:
    """Can it be held, and is it this fighter's opportunity?"""
    empty = fewest_counters(state, event.fighter, "pistol") if event.weapon == "pistol" else 0
    return (
        *grip_violations(present(state, event.fighter), Grip(event.weapon, pistol_reload=empty)),
        *_no_counter(state, event.fighter),
        *_not_its_opportunity(state, event.fighter, SWITCH),
    )


def _no_counter(state: PlayState, fighter: str) -> tuple[Violation, ...]:
    fight = fight_of(state, fighter)
    if fight is None or fight.pools[fight.fencer(fighter).side].attack > 0:
        return ()
    sentence = "It takes an Attack counter to take another weapon in hand, and none is left."
    return (Violation("no-counter", sentence, SWITCH),)


def _not_its_opportunity(state: PlayState, fighter: str, rule: str) -> tuple[Violation, ...]:
    """Switching stands in the place of an attack: it takes the fighter's own opportunity, as letting it go does."""
    fight = state.table.fight
    following = None if fight is None else fight.next
    if fight is not None and following is not None and its_turn(fight, fight.fencer(fighter)):
        return ()
    whose = "the round is over" if following is None else f"it is that of {state.named(following.id)}"
    sentence = f"{state.named(fighter)} has no opportunity now: {whose}."
    return (Violation("not-its-turn", sentence, rule),)


def take_switch(state: PlayState, event: WeaponSwitched, logged: LoggedEvent) -> PlayState:
    """The state with the other weapon in hand."""
    assert state.table.fight is not None  # noqa: S101 - the check saw to it; this tells the type checker
    fight = switched_weapon(state.table.fight, event.fighter)
    grips = {**state.table.grips, event.fighter: event.weapon}
    return replace(state, table=replace(state.table, fight=fight, grips=grips))


RULES: Rules = {
    Passed: TurnRule(pass_input_errors, pass_violations, take_pass),
    WeaponSwitched: TurnRule(switch_input_errors, switch_violations, take_switch),
}
