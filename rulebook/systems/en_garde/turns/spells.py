"""Spells in the log. Rule book: "Appendix B: The fantastical"."""

from collections.abc import Iterator

from rulebook.ruleset import LoggedEvent, Problem
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.magic import Casting, cast_violations, magic_points, may_resist, resolve_casting
from rulebook.systems.en_garde.turns.blasts import (
    blast_input_errors,
    blast_violations,
    dares,
    nerve_wanted,
    with_struck,
)
from rulebook.systems.en_garde.turns.checking import (
    acts,
    civilians_idle,
    missing_dice,
    once_a_turn,
    out_of_action,
    same_side,
    unknown_among,
    unknown_fighters,
)
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.luck import luck_used, lucky_violations
from rulebook.systems.en_garde.turns.shot_events import SpellCast
from rulebook.systems.en_garde.turns.spell_works import WORKS
from rulebook.systems.en_garde.turns.turn_rule import Rules, TurnRule
from rulebook.values.problems import Violation

AIMED = frozenset({"armour", "drain-life", "heal", "power-blast", "transfix"})
"""Spells with one target."""


def spell_input_errors(state: PlayState, event: SpellCast, logged: LoggedEvent) -> Iterator[Problem]:
    """Is everybody and the spell known, is there a target where one is needed, and are the dice there?"""
    named = {"magician": event.magician, "target": event.target, "resisted_by": event.resisted_by}
    named["lucky"] = event.lucky or None
    unknown = (
        *unknown_fighters(state, **named),
        *unknown_among(state, "victims", event.victims),
        *civilians_idle(state, "magician", event.magician),
    )
    yield from unknown
    if unknown:
        return
    if event.spell not in catalogue().spells:
        known = ", ".join(catalogue().spells)
        yield Problem("unknown-spell", f"There is no such spell. Known: {known}.", field="spell", value=event.spell)
        return
    if event.spell in AIMED and event.target is None:
        yield Problem("target-needed", "This spell needs a target.", field="target")
        return
    yield from _named_twice(event) or _dice(state, event)


def _named_twice(event: SpellCast) -> tuple[Problem, ...]:
    """Stun reaches everybody once."""
    twice = dict.fromkeys(each for each in event.victims if event.victims.count(each) > 1)
    sentence = "Stun reaches everybody once: name each of them once."
    return tuple(Problem("named-twice", sentence, field="victims", value=each) for each in twice)


def _dice(state: PlayState, event: SpellCast) -> Iterator[Problem]:
    lacking = tuple(missing_dice("nerve", event.nerve, int(nerve_wanted(state, event))))
    if lacking or not dares(state, event):
        yield from lacking
        return
    lacking = (
        *missing_dice("dice", event.dice, 2),
        *missing_dice("resisting_dice", event.resisting_dice, 2 if event.resisted_by else 0),
    )
    yield from lacking
    if lacking:
        return
    worked = casting(state, event).cast
    stunned = len(event.victims) if worked and event.spell == "stun" else 0
    yield from missing_dice("counters", event.counters, stunned)
    yield from blast_input_errors(state, event, worked=worked)


def casting(state: PlayState, event: SpellCast) -> Casting:
    """The attempt with its dice."""
    first, second = event.dice
    resisting = present(state, event.resisted_by) if event.resisted_by else None
    against = (event.resisting_dice[0], event.resisting_dice[1]) if event.resisting_dice else None
    return resolve_casting(present(state, event.magician), event.spell, (first, second), resisting, against)


def points_left(state: PlayState, magician: str) -> int:
    """Magic Points that a Magician still has."""
    return magic_points(present(state, magician)) - state.table.of(magician).magic


def spell_violations(state: PlayState, event: SpellCast, logged: LoggedEvent) -> tuple[Violation, ...]:
    """Everything that forbids the spell or the resistance to it."""
    forbidden = cast_violations(
        present(state, event.magician),
        event.spell,
        points_left(state, event.magician),
        inches=event.inches,
        engaged=state.table.engaged(event.magician),
        cast_this_turn=state.table.of(event.magician).cast == state.table.turn > 0,
    )
    spent = once_a_turn(state, event.magician, after_step=True) if not forbidden else ()
    return (
        *out_of_action(state, event.magician),
        *spent,
        *forbidden,
        *_resistance(state, event),
        *_stuns_itself(event),
        *blast_violations(state, event),
        *lucky_violations(state, event.lucky, event.magician, event.target or ""),
    )


def _stuns_itself(event: SpellCast) -> tuple[Violation, ...]:
    """Stun reaches everybody near but the Magician."""
    if event.spell != "stun" or event.magician not in event.victims:
        return ()
    return (Violation("stuns-itself", "The Magician is spared by its own spell.", "Ruling B31"),)


def _resistance(state: PlayState, event: SpellCast) -> tuple[Violation, ...]:
    if event.resisted_by is None:
        return ()
    able = may_resist(
        present(state, event.resisted_by),
        is_target=event.spell in AIMED and event.resisted_by == event.target,
        of_enemy=not same_side(state, event.resisted_by, event.magician),
    )
    if able:
        return ()
    sentence = "The enemy target resists, or an enemy Magician."
    return (Violation("may-not-resist", sentence, 'Rule book: "Casting a spell"'),)


def take_spell(state: PlayState, event: SpellCast, logged: LoggedEvent) -> PlayState:
    """The state after the attempt: points are gone, the spell does its work if it was cast.

    Who does not dare to blast the Beguiling has spent its action and no points (Ruling B16).
    """
    turn = state.table.turn
    known = state.table.of(event.magician)
    step = 0 if known.moved_short == turn else turn
    if not dares(state, event):
        return acts(state, event.magician, may_step=step)
    attempt = casting(state, event)
    state = acts(state, event.magician, magic=known.magic + attempt.points_spent, cast=turn, may_step=step)
    work = WORKS.get(event.spell)
    if not attempt.cast or work is None:
        return state
    return work(with_struck(luck_used(state, event.lucky), event), event, logged)


RULES: Rules = {SpellCast: TurnRule(spell_input_errors, spell_violations, take_spell)}
