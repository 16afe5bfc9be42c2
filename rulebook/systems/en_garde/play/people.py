"""Checks that many kinds of event share: who was fielded, on which side, and whether they can still act."""

from collections.abc import Iterable, Iterator

from rulebook.ruleset import LoggedEvent, Problem
from rulebook.systems.en_garde.play.play_state import CombatantState, PlayState


def side_problems(state: PlayState, key: str, field: str = "side") -> Iterator[Problem]:
    """Is there such a side?"""
    if key not in state.sides:
        sentence = f"There is no side {key!r} in this battle. Choose one of: {', '.join(state.sides)}."
        yield Problem("unknown-side", sentence, field=field, value=key)


def combatant_problems(state: PlayState, fighter: str, field: str) -> Iterator[Problem]:
    """Was this fighter fielded?"""
    if fighter not in state.combatants:
        sentence = f"{fighter!r} was not fielded in this battle: name somebody who was."
        yield Problem("unknown-combatant", sentence, field=field, value=fighter)


def cannot_act(state: PlayState, fighter: str, field: str, logged: LoggedEvent) -> Iterator[Problem]:
    """A fighter who is out of action does nothing more, unless the turns show that this came first."""
    combatant = state.combatants[fighter]
    if not combatant.standing and not happened_before(combatant, logged):
        yield out_of_action(combatant, field)


def happened_before(combatant: CombatantState, logged: LoggedEvent) -> bool:
    """Do the turns show that an event happened before this combatant was out of action?"""
    known = logged.turn is not None and combatant.out_turn is not None
    return known and (logged.turn or 0) <= (combatant.out_turn or 0)


def out_of_action(combatant: CombatantState, field: str) -> Problem:
    """The problem of somebody who can do nothing more, with the way out."""
    fighter = combatant.fighter
    since = f"{fighter.name} is {combatant.why_out} since event {combatant.out_since}."
    sentence = f"{since} If this came before, give both events their turns; else correct that event."
    return Problem("out-of-action", sentence, fighters=(fighter.id,), field=field, value=fighter.id)


def not_of_side(state: PlayState, side: str, fighters: Iterable[str], field: str) -> Iterator[Problem]:
    """Are these all known, of that side, and each named once?"""
    listed = list(fighters)
    for fighter in dict.fromkeys(listed):
        unknown = list(combatant_problems(state, fighter, field))
        yield from unknown
        if not unknown and state.side_of(fighter) != side:
            sentence = f"{state.named(fighter)} does not belong to side {side!r}: name its own fighters."
            yield Problem("other-side", sentence, fighters=(fighter,), field=field, value=fighter)
        if listed.count(fighter) > 1:
            sentence = f"{fighter!r} is named more than once: name everybody once."
            yield Problem("named-twice", sentence, field=field, value=fighter)
