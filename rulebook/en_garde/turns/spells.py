"""Spells in the log. Rule book: "Appendix B: The fantastical"."""

from collections.abc import Callable, Iterator, Mapping

from msgspec.structs import replace

from rulebook.en_garde.catalogue import catalogue
from rulebook.en_garde.events import Means, WoundEvent
from rulebook.en_garde.play_state import PlayState
from rulebook.en_garde.table.combatant import Refusal
from rulebook.en_garde.table.magic import (
    Casting,
    blasted,
    cast_refusals,
    healed,
    magic_points,
    may_resist,
    resolve_casting,
)
from rulebook.en_garde.turns.checking import (
    acts,
    missing_dice,
    once_a_turn,
    out_of_action,
    same_side,
    unknown_among,
    unknown_fighters,
)
from rulebook.en_garde.turns.events import SpellCast
from rulebook.en_garde.turns.fighters import present
from rulebook.en_garde.turns.harm import die_wanted, harm
from rulebook.en_garde.turns.turn_rule import Rules, TurnRule
from rulebook.en_garde.wounds import WoundResult
from rulebook.ruleset import LoggedEvent, Problem

AIMED = frozenset({"armour", "drain-life", "heal", "power-blast", "transfix"})
"""Spells with one target."""


def spell_slips(state: PlayState, event: SpellCast, logged: LoggedEvent) -> Iterator[Problem]:
    """Is everybody and the spell known, is there a target where one is needed, and are the dice there?"""
    named = {"magician": event.magician, "target": event.target, "resisted_by": event.resisted_by}
    unknown = (*unknown_fighters(state, **named), *unknown_among(state, "victims", event.victims))
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
    yield from _dice(state, event)


def _dice(state: PlayState, event: SpellCast) -> Iterator[Problem]:
    lacking = (
        *missing_dice("dice", event.dice, 2),
        *missing_dice("resisting_dice", event.resisting_dice, 2 if event.resisted_by else 0),
    )
    yield from lacking
    if lacking:
        return
    worked = casting(state, event).cast
    lacking = (
        *missing_dice("blast_dice", event.blast_dice, 2 if worked and event.spell == "power-blast" else 0),
        *missing_dice("counters", event.counters, len(event.victims) if worked and event.spell == "stun" else 0),
    )
    yield from lacking
    if not lacking:
        yield from missing_dice("die", event.die, int(large_die_wanted(state, event)))


def casting(state: PlayState, event: SpellCast) -> Casting:
    """The attempt with its dice."""
    first, second = event.dice
    resisting = present(state, event.resisted_by) if event.resisted_by else None
    against = (event.resisting_dice[0], event.resisting_dice[1]) if event.resisting_dice else None
    return resolve_casting(present(state, event.magician), event.spell, (first, second), resisting, against)


def large_die_wanted(state: PlayState, event: SpellCast) -> bool:
    """Does a Power Blast on a large body ask for a die?"""
    if event.spell != "power-blast" or not event.blast_dice or event.target is None:
        return False
    result = blast_result(state, event)
    return result is not None and die_wanted(state, event.target, result)


def blast_result(state: PlayState, event: SpellCast) -> WoundResult | None:
    """What a Power Blast does, None for a miss."""
    assert event.target is not None  # noqa: S101 - the check saw to it; this tells the type checker
    first, second = event.blast_dice
    return blasted(present(state, event.magician), present(state, event.target), (first, second), state.settings)


def points_left(state: PlayState, magician: str) -> int:
    """Magic Points that a Magician still has."""
    return magic_points(present(state, magician)) - state.table.of(magician).magic


def spell_refusals(state: PlayState, event: SpellCast, logged: LoggedEvent) -> tuple[Refusal, ...]:
    """Everything that forbids the spell or the resistance to it."""
    forbidden = cast_refusals(
        present(state, event.magician),
        event.spell,
        points_left(state, event.magician),
        inches=event.inches,
        engaged=state.table.engaged(event.magician),
        cast_this_turn=state.table.of(event.magician).cast == state.table.turn > 0,
    )
    spent = once_a_turn(state, event.magician, after_step=True) if not forbidden else ()
    return (*out_of_action(state, event.magician), *spent, *forbidden, *_resistance(state, event))


def _resistance(state: PlayState, event: SpellCast) -> tuple[Refusal, ...]:
    if event.resisted_by is None:
        return ()
    able = may_resist(
        present(state, event.resisted_by),
        is_target=event.resisted_by == event.target,
        of_enemy=not same_side(state, event.resisted_by, event.magician),
    )
    if able:
        return ()
    sentence = "The enemy target resists, or an enemy Magician."
    return (Refusal("may-not-resist", sentence, 'Rule book: "Casting a spell"'),)


def take_spell(state: PlayState, event: SpellCast, logged: LoggedEvent) -> PlayState:
    """The state after the attempt: points are gone, the spell does its work if it was cast."""
    turn = state.table.turn
    attempt = casting(state, event)
    known = state.table.of(event.magician)
    step = 0 if known.moved_short == turn else turn
    state = acts(state, event.magician, magic=known.magic + attempt.points_spent, cast=turn, may_step=step)
    work = WORKS.get(event.spell)
    return state if not attempt.cast or work is None else work(state, event, logged)


def _armour(state: PlayState, event: SpellCast, logged: LoggedEvent) -> PlayState:
    return _mark(state, event, armoured_until=state.table.turn + 1)


def _transfix(state: PlayState, event: SpellCast, logged: LoggedEvent) -> PlayState:
    return _mark(state, event, transfixed=state.table.turn)


def _mark(state: PlayState, event: SpellCast, **changes: object) -> PlayState:
    assert event.target is not None  # noqa: S101 - the check saw to it; this tells the type checker
    return replace(state, table=state.table.with_fighter(event.target, **changes))


def _mist(state: PlayState, event: SpellCast, logged: LoggedEvent) -> PlayState:
    return replace(state, table=replace(state.table, mist_until=state.table.turn + 1))


def _undergrowth(state: PlayState, event: SpellCast, logged: LoggedEvent) -> PlayState:
    return replace(state, table=replace(state.table, undergrowth_until=state.table.turn + 1))


def _drain(state: PlayState, event: SpellCast, logged: LoggedEvent) -> PlayState:
    assert event.target is not None  # noqa: S101 - the check saw to it; this tells the type checker
    return harm(state, logged, _by_magic(event, event.target, WoundResult.LIGHT))


def _heal(state: PlayState, event: SpellCast, logged: LoggedEvent) -> PlayState:
    there = state.combatants.get(event.target or "")
    return (
        state
        if there is None
        else state.with_combatant(replace(there, wounds=healed(present(state, there.fighter.id))))
    )


def _blast(state: PlayState, event: SpellCast, logged: LoggedEvent) -> PlayState:
    result = blast_result(state, event)
    return state if result is None else harm(state, logged, _by_magic(event, event.target or "", result))


def _stun(state: PlayState, event: SpellCast, logged: LoggedEvent) -> PlayState:
    for victim, counters in zip(event.victims, event.counters, strict=True):
        for _ in range(counters):
            if victim in state.civilians or state.combatants[victim].on_table:
                state = harm(state, logged, _by_magic(event, victim, WoundResult.STUNNED))
    return state


def _by_magic(event: SpellCast, victim: str, result: WoundResult) -> WoundEvent:
    return WoundEvent(
        victim=victim, result=result, means=Means.SPELL, attacker=event.magician, weapon=event.spell, die=event.die
    )


WORKS: Mapping[str, Callable[[PlayState, SpellCast, LoggedEvent], PlayState]] = {
    "armour": _armour,
    "transfix": _transfix,
    "mist": _mist,
    "undergrowth": _undergrowth,
    "drain-life": _drain,
    "heal": _heal,
    "power-blast": _blast,
    "stun": _stun,
}
"""What the log works out itself. Undergrowth changes the ground, and a summoned fighter is on no roster (Ruling B32):
both are the players' to keep."""

RULES: Rules = {SpellCast: TurnRule(spell_slips, spell_refusals, take_spell)}
