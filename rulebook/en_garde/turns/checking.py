"""What the handlers of all turn events share: a refusal may be overruled with a reason, a slip of the pen may not."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulebook.en_garde.events import Event
from rulebook.en_garde.log_people import combatant_problems
from rulebook.en_garde.play_state import PlayState
from rulebook.en_garde.table.combatant import Refusal
from rulebook.en_garde.turns.activation import actor_of, bolts, resolve_wanted, resolved, run_off
from rulebook.en_garde.turns.events import Activation, TurnEvent, TurnStarted, has_dice
from rulebook.en_garde.turns.state import Overruled
from rulebook.ruleset import LoggedEvent, Problem

LEAST_REASON = 3


class TurnRule(Struct, frozen=True):
    """How a kind of turn event is dealt with.

    ``slips`` finds what makes no sense whatever the table agrees (unknown fighters, missing dice); ``refusals`` what
    the rules forbid; ``apply`` gives the state afterwards.
    """

    slips: Callable[[PlayState, Any, LoggedEvent], Iterator[Problem]]
    refusals: Callable[[PlayState, Any, LoggedEvent], tuple[Refusal, ...]]
    apply: Callable[[PlayState, Any, LoggedEvent], PlayState]

    def check(self, state: PlayState, event: Any, logged: LoggedEvent) -> Iterator[Problem]:
        """Everything that is wrong with the event; refusals only if nobody has overruled them."""
        slips = (*_wrong_turn(state, event, logged), *_wrong_dice(state, event), *self._slips(state, event, logged))
        yield from slips
        if slips:
            return
        refusals = self._refusals(state, event, logged)
        if refusals and not is_overruled(event):
            yield from map(as_problem, refusals)
        else:
            yield from _needless_overruling(event, refusals)

    def _slips(self, state: PlayState, event: Any, logged: LoggedEvent) -> Iterator[Problem]:
        """Slips of the pen; who runs instead of acting needs no more dice."""
        if isinstance(event, Activation) and actor_of(event):
            lacking = tuple(missing_dice("resolve", event.resolve, int(resolve_wanted(state, event))))
            yield from lacking
            if lacking or bolts(state, event):
                return
        yield from self.slips(state, event, logged)

    def _refusals(self, state: PlayState, event: Any, logged: LoggedEvent) -> tuple[Refusal, ...]:
        if not bolts(state, event):
            return self.refusals(state, event, logged)
        return (*out_of_action(state, actor_of(event)), *once_a_turn(state, actor_of(event)))

    def _applied(self, state: PlayState, event: Any, logged: LoggedEvent) -> PlayState:
        if bolts(state, event):
            return run_off(state, actor_of(event))
        return self.apply(resolved(state, event), event, logged)

    def take(self, state: PlayState, event: Any, logged: LoggedEvent) -> PlayState:
        """The state after a good event, with every rule that was set aside noted."""
        if not is_overruled(event):
            return self._applied(state, event, logged)
        set_aside = tuple(
            Overruled(logged.sequence, refusal.code, refusal.rule, event.overruled)
            for refusal in self._refusals(state, event, logged)
        )
        after = self._applied(state, event, logged)
        return replace(after, table=replace(after.table, overruled=(*after.table.overruled, *set_aside)))


Rules = Mapping[type[Event], TurnRule]
"""Kinds of turn event and how each is dealt with."""


def _wrong_turn(state: PlayState, event: TurnEvent, logged: LoggedEvent) -> Iterator[Problem]:
    """Events belong to the turn that is being played; one that is given no turn does."""
    turn = state.table.turn
    if isinstance(event, TurnStarted):
        return
    if not turn:
        yield Problem("no-turn", "No turn has started: log an event of kind 'turn' first.", field="turn")
    elif logged.turn not in (None, turn):
        yield Problem("wrong-turn", f"Turn {turn} is being played.", field="turn", value=str(logged.turn))


def _wrong_dice(state: PlayState, event: TurnEvent) -> Iterator[Problem]:
    """A campaign may want all dice from Muster. House rule "dice"."""
    if state.settings["dice"] == "app" and event.thrown != "app" and has_dice(event):
        sentence = "In this campaign Muster throws the dice: leave them out."
        yield Problem("typed-dice", sentence, field="dice", source="House rule: dice")


def is_overruled(event: TurnEvent) -> bool:
    """Has somebody given a reason to set the rules aside?"""
    return len(event.overruled.strip()) >= LEAST_REASON


def as_problem(refusal: Refusal) -> Problem:
    """A refusal as a problem, with the way out: a reason to overrule it."""
    sentence = f"{refusal.sentence} Correct the event, or overrule the rule with a reason."
    return Problem(refusal.code, sentence, field="overruled", source=refusal.rule)


def _needless_overruling(event: TurnEvent, refusals: tuple[Refusal, ...]) -> Iterator[Problem]:
    if event.overruled and not refusals:
        sentence = "Nothing here needs to be overruled: leave 'overruled' out."
        yield Problem("nothing-to-overrule", sentence, field="overruled", value=event.overruled)


def unknown_fighters(state: PlayState, **named: str | None) -> Iterator[Problem]:
    """Is everybody who is named, field by field, in the battle? Civilians are."""
    for field, fighter in named.items():
        if fighter and fighter not in state.civilians:
            yield from combatant_problems(state, fighter, field)


def unknown_among(state: PlayState, field: str, fighters: Iterable[str]) -> Iterator[Problem]:
    """Is everybody in this list in the battle?"""
    for fighter in fighters:
        yield from unknown_fighters(state, **{field: fighter})


def missing_dice(field: str, given: tuple[int, ...] | int | None, wanted: int) -> Iterator[Problem]:
    """Are there as many dice as the event needs?"""
    number = len(given) if isinstance(given, tuple) else int(given is not None)
    if number == wanted:
        return
    sentence = f"{field!r} takes {wanted} dice here, not {number}: throw them, or let Muster throw."
    yield Problem("wrong-dice", sentence, field=field, value=str(given))


def out_of_action(state: PlayState, fighter: str) -> tuple[Refusal, ...]:
    """Is it dead, unconscious, captured or gone? Then it does nothing more."""
    there = state.combatants.get(fighter)
    if there is None or there.standing:
        return ()
    return (Refusal("out-of-action", f"{there.fighter.name} is {there.why_out}.", 'Rule book: "Wounds"'),)


def once_a_turn(state: PlayState, fighter: str, order: str = "", *, after_step: bool = False) -> tuple[Refusal, ...]:
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
    return (Refusal("acted-already", f"{state.named(fighter)} has acted this turn.", 'Rule book: "Move phase"'),)


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


def no_refusals(state: PlayState, event: TurnEvent, logged: LoggedEvent) -> tuple[Refusal, ...]:
    """Nothing to forbid."""
    return ()
