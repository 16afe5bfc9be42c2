"""Checks that many kinds of event share: who is known, on which side, which dice are missing, who
can act, who has."""

from collections.abc import Collection, Iterable, Iterator
from functools import cache

from rulebook.battle_log.forms import AnyKind, event_fields
from rulebook.battle_log.kinds import EventKind
from rulebook.systems.en_garde.book import problem, violation
from rulebook.systems.en_garde.play.play_state import CombatantState, PlayState
from rulebook.values.battles import LoggedEvent
from rulebook.values.problems import Problem, Violation

STEP = ("stepped", "may-step")
"""Marks of a step that is over with an action."""


def side_problems(state: PlayState, key: str, field: str = "side") -> Iterator[Problem]:
    """Yield the problem of an unknown side."""
    if key not in state.sides:
        yield problem("unknown-side", field=field, value=key, sides=", ".join(state.sides))


def combatant_problems(state: PlayState, fighter: str, field: str) -> Iterator[Problem]:
    """Yield the problem of a fighter who was not fielded."""
    if fighter not in state.combatants:
        yield problem("unknown-combatant", field=field, value=fighter)


def happened_before(combatant: CombatantState, logged: LoggedEvent) -> bool:
    """Return whether the turns show that an event happened before this combatant was out of
    action."""
    both_have_turns = logged.turn is not None and combatant.out_turn is not None
    return both_have_turns and (logged.turn or 0) <= (combatant.out_turn or 0)


def already_out(combatant: CombatantState, field: str) -> Problem:
    """Return the problem of somebody who can do nothing more, with the way out."""
    fighter = combatant.fighter
    since = f"{fighter.name} is {combatant.why_out} since event {combatant.out_since}."
    return problem(
        "out-of-action", fighters=(fighter.id,), field=field, value=fighter.id, since=since
    )


def not_of_side(
    state: PlayState, side: str, fighters: Iterable[str], field: str
) -> Iterator[Problem]:
    """Yield the problems of fighters who are unknown, of another side, or named twice."""
    listed = list(fighters)
    for fighter in dict.fromkeys(listed):
        unknown = list(combatant_problems(state, fighter, field))
        yield from unknown
        if not unknown and state.side_of(fighter) != side:
            yield problem(
                "other-side",
                fighters=(fighter,),
                field=field,
                value=fighter,
                name=state.named(fighter),
                side=side,
            )
        if listed.count(fighter) > 1:
            yield problem("named-twice", field=field, value=fighter)


def unknown_people(state: PlayState, event: EventKind[PlayState]) -> list[Problem]:
    """Return the problem of each fighter that an event names and that is not in the battle;
    Civilians are.

    "" names nobody.
    """
    wrong: list[Problem] = []
    for field in _fields_of_people(type(event)):
        named = getattr(event, field)
        if named and named not in state.combatants:
            for fighter in named if isinstance(named, tuple) else (named,):
                wrong += (
                    () if fighter in state.combatants else unknown_person(state, field, fighter)
                )
    return wrong


@cache
def _fields_of_people(kind: AnyKind) -> tuple[str, ...]:
    people = []
    for field in event_fields(kind):
        if field.kind == "combatant" or (field.kind == "list" and not field.choices):
            people.append(field.key)
    return tuple(people)


def unknown_person(state: PlayState, field: str, fighter: str) -> Iterator[Problem]:
    """Yield the problem of somebody who is neither a fighter nor a Civilian of the battle."""
    if fighter and fighter not in state.civilians:
        yield from combatant_problems(state, fighter, field)


def civilians_idle(state: PlayState, field: str, fighter: str) -> tuple[Problem, ...]:
    """Return the problem of a Civilian who is to fight or to lead, which earns nobody anything."""
    if fighter not in state.civilians:
        return ()
    return (problem("civilian-attacks", fighters=(fighter,), field=field, value=fighter),)


def named_twice(field: str, fighters: Iterable[str]) -> Iterator[Problem]:
    """Yield the problems of fighters who are named twice."""
    listed = list(fighters)
    if len({*listed}) == len(listed):
        return
    for fighter in [each for each in dict.fromkeys(listed) if listed.count(each) > 1]:
        yield problem("named-twice", fighters=(fighter,), field=field, value=fighter)


def out_of_action(state: PlayState, fighter: str) -> tuple[Violation, ...]:
    """Return the violation of a fighter who can do nothing: dead, unconscious, captured, gone
    or not yet on the table.
    """
    combatant = state.somebody(fighter)
    if state.table.of(fighter).reserve:
        return (violation("in-reserve", name=state.named(fighter)),)
    if combatant.standing:
        return ()
    return (violation("out-of-action", name=state.named(fighter), why_out=combatant.why_out),)


def once_a_turn(
    state: PlayState, fighter: str, order: str = "", *, after_step: bool = False
) -> tuple[Violation, ...]:
    """Return the violation of a fighter who has acted this turn.

    An order to the same effect is its action, and shots and spells go with a short move.

    Rule book: "Move phase", "Use a missile weapon", "Casting a spell".
    """
    on_table = state.table.of(fighter)
    if after_step and on_table.has("stepped"):
        return ()
    if not on_table.has("acted") or (order and on_table.order == order):
        return ()
    return (violation("acted-already", name=state.named(fighter)),)


def acts(
    state: PlayState,
    fighter: str,
    *marks: str,
    undone: Collection[str] = STEP,
    hidden: bool = False,
    **changes: object,
) -> PlayState:
    """Return the state after a fighter spent its action; an order is used up by it."""
    on_table = state.table.of(fighter).does(
        "acted", *marks, undone=undone, order="", hidden=hidden, **changes
    )
    return state.knowing(fighter, on_table)


def same_side(state: PlayState, first: str, second: str) -> bool:
    """Return whether two of the battle belong to the same side."""
    return side_of(state, first) == side_of(state, second)


def side_of(state: PlayState, fighter: str) -> str:
    """Return the key of anybody's side, Civilians included. Raises KeyError."""
    return state.somebody(fighter).side
