"""The log of a battle: events come in, each once, in order."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from msgspec import Struct
from msgspec.structs import replace

from battles.models import Battle, BattleEvent, BattleState, Side
from battles.reading import dice_of, log_of, rules_of, setup_of, sides_of
from battles.services.hold import expect_logger, expect_state, expect_version, hold, keep
from rulebook.committed_dice import CommittedDice
from rulebook.ruleset import BattleSetup, LoggedEvent, Problem, RulesError, Ruleset
from warbands.errors import LostRace, Refused
from warbands.services.cleaning import clean_json, clean_number, clean_text

MOST_EVENTS = 500
"""In one request."""
MOST_TURNS = 999


class NewEvent(Struct, frozen=True):
    """An event to be logged. ``client_id`` is made by the client and names it for good."""

    client_id: UUID
    kind: str
    data: Mapping[str, Any] = {}
    turn: int | None = None


class Placed(Struct, frozen=True):
    """A new event in its place in the log, and the dice that Muster threw for it, from die number ``first_die``."""

    entry: LoggedEvent
    first_die: int | None = None
    dice: tuple[int, ...] = ()


@transaction.atomic
def log_events(
    *, battle_id: UUID, events: Sequence[NewEvent], user: User, version: int | None = None
) -> tuple[BattleEvent, ...]:
    """The events as logged, in the order in which they were sent; those sent before are answered as they were then.

    Raises Refused "illegal-events" with every problem (none is logged then), LostRace "event-differs" for a
    ``client_id`` known with other content, "stale-version", "wrong-state"; NotAllowed.
    """
    battle = hold(battle_id)
    expect_logger(battle, user)
    events = clean_events(events)
    known = known_events(battle, events)
    fresh = fresh_events(events, known)
    if fresh:
        expect_version(battle, version)
        expect_state(battle, BattleState.UNDER_WAY)
        sides = sides_of(battle)
        added = append_events(battle, fresh, legal_events(battle, sides, fresh), user)
        known |= {event.client_id: event for event in added}
        keep(battle, "last_sequence", "dice_used")
    return tuple(known[event.client_id] for event in events)


def clean_events(events: Sequence[NewEvent]) -> tuple[NewEvent, ...]:
    """The events with what both databases can hold. Raises Refused, naming event and field."""
    if len(events) > MOST_EVENTS:
        raise Refused("too-many-events", f"{len(events)} events; send {MOST_EVENTS} at most at once.", field="events")
    return tuple(_cleaned(event, place) for place, event in enumerate(events))


def _cleaned(event: NewEvent, place: int) -> NewEvent:
    if event.turn is not None:
        clean_number(f"{place}.turn", event.turn, least=0, most=MOST_TURNS)
    return NewEvent(
        client_id=event.client_id,
        kind=clean_text(f"{place}.kind", event.kind, most=30, least=1),
        data=clean_json(f"{place}.data", event.data),
        turn=event.turn,
    )


def known_events(battle: Battle, events: Iterable[NewEvent]) -> dict[UUID, BattleEvent]:
    """Those that are in the log already, by ``client_id``. Raises LostRace "event-differs". One query."""
    sent = {event.client_id: event for event in events}
    known = {row.client_id: row for row in battle.events.filter(client_id__in=sent)}
    for client_id, row in known.items():
        event = sent[client_id]
        sent_then = row.data if row.asked is None else row.asked
        if (row.kind, sent_then, row.turn) != (event.kind, event.data, event.turn):
            raise _differs(client_id)
    return known


def fresh_events(events: Iterable[NewEvent], known: Mapping[UUID, BattleEvent]) -> list[NewEvent]:
    """Those that are not in the log yet, each once. Raises LostRace "event-differs"."""
    fresh: dict[UUID, NewEvent] = {}
    for event in events:
        if event.client_id not in known and fresh.setdefault(event.client_id, event) != event:
            raise _differs(event.client_id)
    return list(fresh.values())


def _differs(client_id: UUID) -> LostRace:
    sentence = f"The client_id {client_id} names another event already. Make a new one for each event."
    return LostRace("event-differs", sentence, field="client_id")


def legal_events(battle: Battle, sides: Sequence[Side], events: Sequence[NewEvent]) -> tuple[Placed, ...]:
    """The new events with their places in the log. Raises Refused "illegal-events" with the problems of all.

    While the battle is under way Muster throws the dice that they lack; afterwards the seed is known and it does not.
    """
    rules, setup, log = rules_of(battle), setup_of(battle, sides), log_of(battle)
    dice = dice_of(battle) if battle.state == BattleState.UNDER_WAY else None
    problems: list[Problem] = []
    added: list[Placed] = []
    for place, event in enumerate(events):
        before = (*log, *entries_of(added))
        entry = LoggedEvent(battle.last_sequence + len(added) + 1, event.kind, event.data, event.turn)
        placed = _thrown(rules, setup, before, entry, dice)
        found = rules.event_problems(setup, before, placed.entry)
        if found:
            problems += [replace(problem, field=f"{place}.{problem.field}") for problem in found]
        else:
            added.append(placed)
    if problems:
        raise Refused("illegal-events", problems[0].sentence, problems=problems)
    return tuple(added)


def _thrown(
    rules: Ruleset,
    setup: BattleSetup,
    before: tuple[LoggedEvent, ...],
    entry: LoggedEvent,
    dice: CommittedDice | None,
) -> Placed:
    """The event with the dice that it lacks; one that cannot be read is left to the checks."""
    if dice is None:
        return Placed(entry)
    first = dice.used + 1
    try:
        thrown = rules.throw_dice(setup, before, entry, dice)
    except RulesError:
        return Placed(entry)
    return Placed(replace(entry, data=thrown.data), first if thrown.dice else None, thrown.dice)


def entries_of(placed: Iterable[Placed]) -> tuple[LoggedEvent, ...]:
    """The log entries alone."""
    return tuple(each.entry for each in placed)


def append_events(
    battle: Battle, events: Sequence[NewEvent], placed: Sequence[Placed], user: User, *, revision: int = 0
) -> list[BattleEvent]:
    """Write events in their places; the battle itself is left for the caller to save. One query."""
    now = timezone.now()
    battle.last_sequence += len(placed)
    battle.dice_used += sum(len(each.dice) for each in placed)
    return BattleEvent.objects.bulk_create(
        BattleEvent(
            battle=battle,
            sequence=each.entry.sequence,
            client_id=event.client_id,
            kind=each.entry.kind,
            data=each.entry.data,
            asked=None if each.entry.data == event.data else event.data,
            first_die=each.first_die,
            dice=list(each.dice),
            turn=each.entry.turn,
            version=battle.version + 1,
            revision=revision,
            recorded_by=user,
            recorded_at=now,
        )
        for event, each in zip(events, placed, strict=True)
    )
