"""What the checks of all turn events share: who is known, which dice are missing, who can act, and who has."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from rulebook.ruleset import Problem
from rulebook.systems.en_garde.play.people import combatant_problems
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.values.problems import Violation


def unknown_fighters(state: PlayState, **named: str | None) -> Iterator[Problem]:
    """Is everybody who is named, field by field, in the battle? Civilians are; who need not be named is None."""
    for field, fighter in named.items():
        if fighter is not None and fighter not in state.civilians:
            yield from combatant_problems(state, fighter, field)


def unknown_among(state: PlayState, field: str, fighters: Iterable[str]) -> Iterator[Problem]:
    """Is everybody in this list in the battle?"""
    for fighter in fighters:
        yield from unknown_fighters(state, **{field: fighter})


def civilians_idle(state: PlayState, field: str, fighter: str) -> Iterator[Problem]:
    """Is a Civilian told to fight or to lead? It has no weapon, and nobody is credited with what it might do."""
    if fighter in state.civilians:
        sentence = "Civilians move and defend themselves, and do nothing else: name one of the fighters."
        source = 'Rule book: "Civilians"'
        yield Problem("civilian-attacks", sentence, fighters=(fighter,), field=field, value=fighter, source=source)


def named_twice(field: str, fighters: Iterable[str]) -> Iterator[Problem]:
    """Is everybody in this list there once?"""
    listed = list(fighters)
    for fighter in dict.fromkeys(each for each in listed if listed.count(each) > 1):
        sentence = f"{fighter!r} is named more than once: name everybody once."
        yield Problem("named-twice", sentence, fighters=(fighter,), field=field, value=fighter)


def missing_dice(field: str, given: tuple[int, ...] | int | None, wanted: int) -> Iterator[Problem]:
    """Are there as many dice as the event needs?"""
    number = len(given) if isinstance(given, tuple) else int(given is not None)
    if number == wanted:
        return
    much = {0: "no die", 1: "one die"}.get(wanted, f"{wanted} dice")
    way_out = "type them as they fell, or leave them all out where Muster throws" if wanted else "leave it out"
    sentence = f"{field!r} takes {much} here, not {number}: {way_out}."
    yield Problem("wrong-dice", sentence, field=field, value=str(given))


def superfluous_die(field: str, die: int | None, sentence: str, rule: str) -> Iterator[Problem]:
    """The problem of a die that the rules do not ask for; the sentence says for whom they do."""
    if die is not None:
        yield Problem("wrong-dice", f"{sentence} Leave {field!r} out.", field=field, value=str(die), source=rule)


def out_of_action(state: PlayState, fighter: str) -> tuple[Violation, ...]:
    """Is it dead, unconscious, captured or gone, or not yet there? Then it does nothing."""
    there = state.somebody(fighter)
    if state.table.of(fighter).reserve:
        sentence = f"{state.named(fighter)} waits off the table: it comes on by a move."
        return (Violation("in-reserve", sentence, 'Rule book: "Deployment"'),)
    if there.standing:
        return ()
    return (Violation("out-of-action", f"{state.named(fighter)} is {there.why_out}.", 'Rule book: "Wounds"'),)


def once_a_turn(state: PlayState, fighter: str, order: str = "", *, after_step: bool = False) -> tuple[Violation, ...]:
    """Has it acted this turn? An order to the same effect is its action, and shots and spells go with a short move.

    Rule book: "Move phase", "Use a missile weapon", "Casting a spell".
    """
    known = state.table.of(fighter)
    if after_step and known.stepped == state.table.turn:
        return ()
    if known.acted != state.table.turn or not state.table.turn:
        return ()
    if order and known.ordered == state.table.turn and known.order == order:
        return ()
    return (Violation("acted-already", f"{state.named(fighter)} has acted this turn.", 'Rule book: "Move phase"'),)


def acts(state: PlayState, fighter: str, **changes: object) -> PlayState:
    """The state after a fighter spent its action; an order is used up by it."""
    changes = {"acted": state.table.turn, "hidden": False, "order": "", "stepped": 0, "may_step": 0, **changes}
    return replace(state, table=state.table.with_fighter(fighter, **changes))


def same_side(state: PlayState, one: str, other: str) -> bool:
    """Do two of the battle belong to the same side?"""
    return side_of(state, one) == side_of(state, other)


def side_of(state: PlayState, fighter: str) -> str:
    """The key of anybody's side, Civilians included. Raises KeyError."""
    return state.civilians[fighter].side if fighter in state.civilians else state.side_of(fighter)
