"""Muster's dice for events of the log: nobody can see them in advance or pass other dice off as
Muster's.

Nothing is thrown for an event that is not legal whatever the dice show: a refusal reveals
no dice. Muster decides who rolled the dice of an event, not the sender. A corrected event keeps
the dice that it had.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from rulebook.battle_log.corrections import CORRECTION, corrected, effective_events, read_correction
from rulebook.battle_log.forms import dice_of, holds_dice
from rulebook.battle_log.kinds import EventKind, ReplayStep, State
from rulebook.battle_log.log import BattleLog
from rulebook.dice.committed import DecoyDice, KeptDice
from rulebook.dice.cup import Cup
from rulebook.dice.rolls import Generator
from rulebook.values.battles import BattleSetup, LoggedEvent, Thrown
from rulebook.values.problems import RulesError

THROWN = "thrown"
LOW, HIGH, MIXED = (1, 1, 1, 1), (6, 6, 6, 6), ()
"""Dice that none of Muster's throws shows, to try an event with. They are few: ties of equal dice
have an end."""


def throw_dice(
    log: BattleLog[State],
    state: State,
    event: LoggedEvent,
    kept: Iterable[int],
    generator: Generator | None,
) -> Thrown:
    """The event with every die that it lacks in this state, first those ``kept`` from a throw that
    was taken back.

    Raise RulesError if it cannot be read, and with what is wrong with an event that Muster would
    throw for if it is not legal whatever the dice show.
    """
    again = KeptDice(kept, generator)
    thrown = _fairly_thrown(log, state, _unsigned(event), again if generator is not None else None)
    return replace(thrown, dice=thrown.dice[again.used :])


def throw_for_correction(
    log: BattleLog[State],
    setup: BattleSetup,
    events: tuple[LoggedEvent, ...],
    logged: LoggedEvent,
    generator: Generator | None,
) -> Thrown:
    """Return a correction whose event says whose dice it holds, and has those of the event before
    if it names none.

    New dice are thrown for the newest event alone: what comes after an event may be at odds with
    them.
    """
    correction = read_correction(logged)
    former = tuple(_former(events, correction.event))
    new = corrected(former[0], correction) if former else None
    if new is None:
        return Thrown(logged.data)
    new = _unsigned(new)
    event = log.read(new)
    dice = dice_of(event)
    if dice:
        return _with(logged, {**new.data, THROWN: "app" if _as_before(dice, former) else "table"})
    if _typed(former):
        return _with(logged, new.data)
    effective = effective_events(events)
    newest = all(each.sequence <= new.sequence for each in effective)
    state = log.opening(setup)
    try:
        for step in log.steps(
            setup, [each for each in effective if each.sequence < correction.event]
        ):
            state = step.after
    except RulesError:
        # Corrections that belong together are judged together: this one may stand with those that
        # follow.
        return _with(logged, new.data)

    # The dice of the event before, and new ones behind them.
    kept = KeptDice((die for each in former for die in each.dice), generator if newest else None)
    thrown = _fairly_thrown(log, state, new, kept)
    return Thrown(_with(logged, thrown.data).data, thrown.dice[kept.used :])


def _unsigned(event: LoggedEvent) -> LoggedEvent:
    """Return the event without its own word on whose dice it holds."""
    return replace(event, data={key: value for key, value in event.data.items() if key != THROWN})


def _fairly_thrown(
    log: BattleLog[State], state: State, event: LoggedEvent, generator: Generator | None
) -> Thrown:
    trial = with_dice(log, state, event, _decoy(MIXED))
    if not trial.tells:
        return trial
    for first in (LOW, HIGH, MIXED):
        thrown = trial if first is MIXED else with_dice(log, state, event, _decoy(first))
        tried = replace(event, data=thrown.data)
        problems = log.problems(state, log.read(tried), tried)
        if problems:
            raise RulesError(*problems)
    return with_dice(log, state, event, generator) if generator is not None else Thrown(event.data)


def _decoy(first: Sequence[int]) -> Generator:
    return KeptDice(first, DecoyDice())


def with_dice(
    log: BattleLog[State], state: State, logged: LoggedEvent, generator: Generator
) -> Thrown:
    """The event's data with every die that it needs, and who threw: "app" for this generator,
    "table" for typed dice.

    What names nobody who is in the battle is left as it is: the checks will say so. Nothing is
    checked here.
    """
    event = log.read(logged)
    before = log.policy.before(state, event, logged)
    return rolled(log, before, event, logged, generator)[1]


def rolled(
    log: BattleLog[State],
    before: State,
    event: EventKind[State],
    logged: LoggedEvent,
    generator: Generator,
) -> tuple[EventKind[State], Thrown]:
    """Return an event that was read already with every die that it needs, and its data with them.

    ``before`` is the state that the policy has prepared. Otherwise as ``with_dice``.
    """
    if THROWN not in event.__struct_fields__:
        return event, Thrown(logged.data)
    cup = Cup(generator)
    try:
        thrown = event.complete(before)
        # All dice of one event come from one hand: Muster adds none to those that were typed in.
        typed = holds_dice(thrown)
        if not typed and log.policy.dice_by(before) != "table":
            thrown = log.policy.throw(before, thrown, cup)
    except (KeyError, IndexError, ValueError):
        return event, Thrown(logged.data)
    if not getattr(thrown, THROWN):
        if cup.thrown or cup.apart:
            thrown = replace(thrown, thrown="app")
        elif typed:
            thrown = replace(thrown, thrown="table")
    data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(thrown))
    return thrown, Thrown(data, tuple(cup.thrown), tuple(cup.apart))


def rolled_step(
    log: BattleLog[State],
    state: State,
    logged: LoggedEvent,
    generator: Generator,
    *,
    check: bool = True,
) -> ReplayStep[State]:
    """Return the step of a new event, with every die that it still needs.

    For a program that plays both sides, and logs no corrections. It is the same as ``Play.throw``
    and then ``Play.after``, but the event is judged only once, with the dice that fell: no player
    may learn the dice of an event that is refused, and a program may. Nothing of the battle is kept
    but the state, so a program plays a long log as fast as a short one.

    Without ``check`` the event is not judged at all. That is for a program that only logs what is
    legal, if its tests judge its logs. Raise RulesError for an event that cannot be read, and with
    what is wrong with it.
    """
    event = log.read(logged)
    before = log.policy.before(state, event, logged)
    event, thrown = rolled(log, before, event, logged, generator)
    logged = LoggedEvent(logged.sequence, logged.kind, thrown.data, logged.turn, thrown.dice)
    problems = log.judged(before, event, logged) if check else ()
    if problems:
        raise RulesError(*problems)
    return log.taken(before, event, logged)


# Corrections.


def _former(events: Sequence[LoggedEvent], sequence: int) -> Iterator[LoggedEvent]:
    """Yield the event and its replacements, in order, each with the dice that Muster rolled."""
    for logged in events:
        if logged.sequence == sequence and logged.kind != CORRECTION:
            yield logged
        elif logged.kind == CORRECTION and logged.data.get("event") == sequence:
            data = logged.data.get("data")
            yield replace(logged, data=data if isinstance(data, Mapping) else {})


def _typed(former: Sequence[LoggedEvent]) -> bool:
    """Return whether the dice of the event's last version were typed in: then nobody throws them
    again."""
    last: Mapping[str, Any] = next((each.data for each in reversed(former) if each.data), {})
    return last.get(THROWN) == "table"


def _as_before(dice: Mapping[str, Any], former: Sequence[LoggedEvent]) -> bool:
    """Return whether Muster has thrown these dice for this event."""
    mustered = [each.data for each in former if each.data.get(THROWN) == "app"]
    return any(
        all(_plain(data.get(field)) == _plain(value) for field, value in dice.items())
        for data in mustered
    )


def _plain(value: Any) -> Any:
    """Return the same for dice from an event and from its JSON."""
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def _with(logged: LoggedEvent, data: Mapping[str, Any]) -> Thrown:
    return Thrown({**logged.data, "data": dict(data)})
