"""Opportunities within a round that are let go, or used to take another weapon. Rule book: "Which weapon?"."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.en_garde.play_state import PlayState
from rulebook.en_garde.table.arms_in_hand import Grip, grip_refusals
from rulebook.en_garde.table.combatant import Refusal
from rulebook.en_garde.table.rounds import its_turn, passed, switched_weapon
from rulebook.en_garde.turns.checking import unknown_fighters
from rulebook.en_garde.turns.combat_events import Passed, WeaponSwitched
from rulebook.en_garde.turns.combats import fight_of, no_combat, unknown_weapon
from rulebook.en_garde.turns.fighters import present
from rulebook.en_garde.turns.loading import fewest_counters
from rulebook.en_garde.turns.turn_rule import Rules, TurnRule, no_refusals
from rulebook.ruleset import LoggedEvent, Problem


def pass_slips(state: PlayState, event: Passed, logged: LoggedEvent) -> Iterator[Problem]:
    """Is it this fighter's opportunity to let go?"""
    unknown = tuple(unknown_fighters(state, fighter=event.fighter))
    yield from unknown
    if unknown:
        return
    fight = fight_of(state, event.fighter)
    if fight is None:
        yield no_combat("fighter", event.fighter)
    elif fight.next is None or not its_turn(fight, fight.fencer(event.fighter)):
        sentence = "It is not this fighter's opportunity."
        yield Problem("not-its-turn", sentence, field="fighter", value=event.fighter)


def take_pass(state: PlayState, event: Passed, logged: LoggedEvent) -> PlayState:
    """The state after the opportunity was let go."""
    assert state.table.fight is not None  # noqa: S101 - the check saw to it; this tells the type checker
    return replace(state, table=replace(state.table, fight=passed(state.table.fight, event.fighter)))


def switch_slips(state: PlayState, event: WeaponSwitched, logged: LoggedEvent) -> Iterator[Problem]:
    """Is there such a weapon, and an open combat?"""
    unknown = tuple(unknown_fighters(state, fighter=event.fighter))
    yield from unknown
    if unknown:
        return
    yield from unknown_weapon(event.weapon, "weapon", event.fighter)
    fight = fight_of(state, event.fighter)
    if fight is None:
        yield no_combat("fighter", event.fighter)
    elif fight.pools[fight.fencer(event.fighter).side].attack < 1:
        yield Problem("no-counter", "It takes an Attack counter.", field="fighter", value=event.fighter)


def switch_refusals(state: PlayState, event: WeaponSwitched, logged: LoggedEvent) -> tuple[Refusal, ...]:
    """Can it be held, and is it this fighter's opportunity?"""
    empty = fewest_counters(state, event.fighter, "pistol") if event.weapon == "pistol" else 0
    return (
        *grip_refusals(present(state, event.fighter), Grip(event.weapon, pistol_reload=empty)),
        *_not_its_opportunity(state, event.fighter),
    )


def _not_its_opportunity(state: PlayState, fighter: str) -> tuple[Refusal, ...]:
    """Switching stands in the place of an attack: it takes the fighter's own opportunity."""
    fight = state.table.fight
    if fight is not None and fight.next is not None and its_turn(fight, fight.fencer(fighter)):
        return ()
    return (Refusal("not-its-turn", "It is not this fighter's opportunity.", 'Rule book: "Which weapon?"'),)


def take_switch(state: PlayState, event: WeaponSwitched, logged: LoggedEvent) -> PlayState:
    """The state with the other weapon in hand."""
    assert state.table.fight is not None  # noqa: S101 - the check saw to it; this tells the type checker
    fight = switched_weapon(state.table.fight, event.fighter)
    grips = {**state.table.grips, event.fighter: event.weapon}
    return replace(state, table=replace(state.table, fight=fight, grips=grips))


RULES: Rules = {
    Passed: TurnRule(pass_slips, no_refusals, take_pass),
    WeaponSwitched: TurnRule(switch_slips, switch_refusals, take_switch),
}
