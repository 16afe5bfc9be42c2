"""What Muster throws for an event of the log, so that nobody can peek at dice or pass others off as Muster's.

Nothing is thrown for an event that is not legal whatever the dice show: a refusal tells nothing of them. Whose the dice
of an event are is for Muster to say, not for whoever sends it. A corrected event keeps the dice that it had.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec.structs import replace

from rulebook.dice.committed import CommittedDice, KeptDice
from rulebook.dice.rolls import Generator
from rulebook.ruleset import BattleSetup, LoggedEvent, RulesError, Thrown
from rulebook.systems.en_garde.log.battle_log import CORRECTION, corrected, effective_events, problems_of, replay
from rulebook.systems.en_garde.log.event_forms import read_event
from rulebook.systems.en_garde.log.throwing import throw_dice as throw
from rulebook.systems.en_garde.play.events import Correction, Event
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.scenario_events import MinorObjectiveRolled
from rulebook.systems.en_garde.turns.event_parts import DICE, TurnEvent
from rulebook.systems.en_garde.turns.shot_events import SpellCast

THROWN = "thrown"
ACTORS = ("attacker", "shooter", "magician", "fighter", "fighters", "side")
"""Fields that name who acts, the foremost first."""
LOW, HIGH, MIXED = (1, 1, 1, 1), (6, 6, 6, 6), ()
"""Dice that none of Muster's throws shows, to try an event with. They are few: ties of equal dice have an end."""


def throw_dice(
    setup: BattleSetup, events: tuple[LoggedEvent, ...], event: LoggedEvent, generator: Generator | None
) -> Thrown:
    """The event with every die that it still needs; without a generator nothing is thrown.

    Raises RulesError if log or event cannot be read, and with what is wrong with an event that Muster would have to
    throw for if it is not legal whatever the dice show.
    """
    event = _unsigned(event)
    if event.kind == CORRECTION:
        return _corrected(setup, events, event, generator)
    kept = KeptDice(_taken_back(events, event), generator)
    thrown = _thrown(replay(setup, events), event, kept if generator is not None else None)
    return replace(thrown, dice=thrown.dice[kept.used :])


def _unsigned(event: LoggedEvent) -> LoggedEvent:
    """The event without its own word on whose dice it holds."""
    return replace(event, data={key: value for key, value in event.data.items() if key != THROWN})


def _thrown(state: PlayState, event: LoggedEvent, generator: Generator | None) -> Thrown:
    trial = throw(state, event, _decoy(MIXED))
    if not trial.tells:
        return trial
    for first in (LOW, HIGH, MIXED):
        tried = replace(event, data=throw(state, event, _decoy(first)).data)
        problems = problems_of(state, read_event(tried), tried)
        if problems:
            raise RulesError(*problems)
    return throw(state, event, generator) if generator is not None else Thrown(event.data)


def _decoy(first: Sequence[int]) -> Generator:
    return KeptDice(first, CommittedDice("decoy", "decoy"))


# What is taken back and told anew.


def _taken_back(events: tuple[LoggedEvent, ...], event: LoggedEvent) -> Iterator[int]:
    """Muster's dice of such events by the same fighter that were struck out in this turn and not told anew since.

    Who takes a throw back shall not throw again: it falls as it fell.
    """
    effective = effective_events(events)
    standing = {(each.sequence, each.kind) for each in effective}
    since = max((each.sequence for each in effective if each.kind == "turn"), default=0)
    struck = {each.data.get("event"): each.sequence for each in events if each.kind == CORRECTION}
    alike = [each for each in events if each.dice and each.kind == event.kind and _who(each) == _who(event)]
    for old in alike:
        if old.sequence > since and (old.sequence, old.kind) not in standing:
            anew = (each for each in effective if each.kind == old.kind and _who(each) == _who(old))
            yield from () if any(each.sequence > struck[old.sequence] for each in anew) else old.dice


def _who(event: LoggedEvent) -> Any:
    """Whom an event is about, as far as it takes to know it again."""
    return next((event.data[field] for field in ACTORS if field in event.data), None)


# Corrections.


def _corrected(
    setup: BattleSetup, events: tuple[LoggedEvent, ...], logged: LoggedEvent, generator: Generator | None
) -> Thrown:
    """A correction whose event says whose dice it holds, and has those of the event before if it names none.

    New dice are thrown for the newest event alone: what comes after an event may be at odds with them.
    """
    correction = read_event(logged)
    assert isinstance(correction, Correction)  # noqa: S101 - its kind says so; this tells the type checker
    former = tuple(_former(events, correction.event))
    new = corrected(former[0], correction) if former else None
    if new is None:
        return Thrown(logged.data)
    new = _unsigned(new)
    event = read_event(new)
    dice = _dice_of(event)
    if dice:
        return _with(logged, {**new.data, **_signed(event, "app" if _as_before(dice, former) else "table")})
    if _typed(former):
        return _with(logged, new.data)
    return _filled(setup, events, logged, new, former, generator)


def _filled(
    setup: BattleSetup,
    events: tuple[LoggedEvent, ...],
    logged: LoggedEvent,
    new: LoggedEvent,
    former: Sequence[LoggedEvent],
    generator: Generator | None,
) -> Thrown:
    """The correction with the dice of the event before, and new ones behind them."""
    effective = effective_events(events)
    newest = all(each.sequence <= new.sequence for each in effective)
    try:
        state = replay(setup, tuple(each for each in effective if each.sequence < new.sequence))
    except RulesError:
        # Corrections that belong together are judged together: this one may stand with those that follow.
        return _with(logged, new.data)
    kept = KeptDice((die for each in former for die in each.dice), generator if newest else None)
    thrown = _thrown(state, new, kept)
    return Thrown(_with(logged, thrown.data).data, thrown.dice[kept.used :])


def _former(events: Sequence[LoggedEvent], sequence: int) -> Iterator[LoggedEvent]:
    """The event and all that has been put in its place, in order, each with the dice that Muster threw for it."""
    for logged in events:
        if logged.sequence == sequence and logged.kind != CORRECTION:
            yield logged
        elif logged.kind == CORRECTION and logged.data.get("event") == sequence:
            data = logged.data.get("data")
            yield replace(logged, data=data if isinstance(data, Mapping) else {})


def _typed(former: Sequence[LoggedEvent]) -> bool:
    """Were the dice of the event typed in, as it stood last? Then nobody throws them again."""
    last = next((each.data for each in reversed(former) if each.data), {})
    return last.get(THROWN) == "table"


def _as_before(dice: Mapping[str, Any], former: Sequence[LoggedEvent]) -> bool:
    """Are these dice that Muster has thrown for this very event?"""
    thrown_by_muster = [each.data for each in former if each.data.get(THROWN) == "app"]
    return any(
        all(_plain(data.get(field)) == _plain(value) for field, value in dice.items()) for data in thrown_by_muster
    )


def _dice_of(event: Event) -> dict[str, Any]:
    """The dice that an event holds, by field; the counters of a spell are dice as well."""
    fields: tuple[str, ...] = ()
    if isinstance(event, MinorObjectiveRolled):
        fields = ("rolled",)
    elif isinstance(event, TurnEvent):
        fields = (*DICE, "counters") if isinstance(event, SpellCast) else DICE
    return {field: getattr(event, field) for field in fields if getattr(event, field, None)}


def _plain(value: Any) -> Any:
    """The same for dice from an event and from its JSON."""
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def _signed(event: Event, by: Literal["app", "table"]) -> dict[str, Any]:
    return {THROWN: by} if isinstance(event, TurnEvent | MinorObjectiveRolled) else {}


def _with(logged: LoggedEvent, data: Mapping[str, Any]) -> Thrown:
    return Thrown({**logged.data, "data": dict(data)})
