"""Write the log of a battle: each event is logged once, in order."""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID, uuid5

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from msgspec.structs import replace

from audit.verbs import Verb
from battles.models import Battle, BattleEvent, BattleState, Side
from battles.rulebook_values import sides_of
from battles.services.locking import (
    expect_logger,
    expect_shared_version,
    expect_state,
    lock_battle,
    record_battle,
    save_battle,
)
from battles.services.validation import (
    MAX_TURNS,
    Course,
    NewEvent,
    Placed,
    batch_slot,
    legal_course,
    legal_events,
)
from battles.stored_play import store_play
from core.cleaning import MAX_REASON, clean_json, clean_number, clean_text
from core.errors import InvalidInput, StateConflict

MAX_EVENTS = 500
"""The maximum number of events in one request."""
MAX_IN_LOG = 5_000
"""The maximum in one battle, with its corrections: twenty times a long log.

A log is always read as a whole.
"""
OVERRULED = "overruled"
"""The key of the reason for which players set the rules aside."""


def log_events(
    *, battle_id: UUID, events: Sequence[NewEvent], user: User, version: int | None = None
) -> tuple[BattleEvent, ...]:
    """Log the events, and return them in the order in which they were sent.

    Events that were sent before are returned as they were logged then. An event that Muster rolls
    dice for must come last. Raises InvalidInput "illegal-events" with every problem (none is logged
    then), "log-full"; StateConflict "event-differs" for a ``client_id`` known with other content,
    "stale-version", "wrong-state"; Forbidden; Unavailable "busy" for a batch while another one is
    validated.
    """
    with batch_slot(len(events)), transaction.atomic():
        return _logged(battle_id, events, user, version)


def _logged(
    battle_id: UUID, events: Sequence[NewEvent], user: User, version: int | None
) -> tuple[BattleEvent, ...]:
    battle = lock_battle(battle_id)
    expect_logger(battle, user)
    events = clean_events(events)
    stored = known_events(battle, events)
    new = fresh_events(events, stored)
    if new:
        expect_shared_version(battle, version)
        expect_state(battle, BattleState.UNDER_WAY)
        expect_place(battle, len(new))
        added = add_events(battle, sides_of(battle), new, user)
        stored |= {event.client_id: event for event in added}
        save_battle(battle, "last_sequence", "dice_used")
    return tuple(stored[event.client_id] for event in events)


def add_events(
    battle: Battle, sides: Sequence[Side], events: Sequence[NewEvent], user: User
) -> list[BattleEvent]:
    """Write new events at the end of the log of a locked battle, and return them.

    The sides hold warbands and combatants. The caller saves the battle (``last_sequence``,
    ``dice_used``). Raises InvalidInput "illegal-events" with every problem.
    """
    validated = legal_events(battle, sides, events)
    added = append_events(battle, events, validated.placed, user)
    store_play(battle, validated.before, validated.play)
    _record_overruling(battle, added, user)
    return added


def log_course(
    *, battle_id: UUID, event: NewEvent, course: Course, user: User, version: int | None = None
) -> tuple[BattleEvent, ...]:
    """Log an event and all follow-ups that the rules add, and return them.

    If the event was sent before, the events logged then are returned. All events have one version,
    so that they can be undone together. Raises what ``log_events`` raises.
    """
    with transaction.atomic():
        battle = lock_battle(battle_id)
        expect_logger(battle, user)
        (event,) = clean_events([event])
        course = replace(course, plan=clean_json("plan", course.plan))
        stored = known_events(battle, [event])
        # A repeated request gets its first answer, whatever has been logged since: it is not a
        # version conflict.
        if stored:
            return tuple(
                battle.events.filter(version=stored[event.client_id].version).order_by("sequence")
            )
        expect_shared_version(battle, version)
        expect_state(battle, BattleState.UNDER_WAY)
        validated, number = legal_course(battle, sides_of(battle), event, course)
        expect_place(battle, number)
        # The ids of the follow-ups are derived from the first event's id, so that a repeated
        # request cannot log them twice.
        events = [
            event,
            *(_sent(event, place, each) for place, each in enumerate(validated.placed) if place),
        ]
        added = append_events(battle, events, validated.placed, user)
        store_play(battle, validated.before, validated.play)
        save_battle(battle, "last_sequence", "dice_used")
        _record_overruling(battle, added, user)
        return tuple(added)


def _sent(first: NewEvent, place: int, placed: Placed) -> NewEvent:
    """Return a follow-up in the form of a new event, as it was logged."""
    return NewEvent(
        uuid5(first.client_id, str(place)), placed.entry.kind, placed.entry.data, placed.entry.turn
    )


def _record_overruling(battle: Battle, added: Sequence[BattleEvent], user: User) -> None:
    """Record that rules were overridden, once for all events of a request.

    The rows of the events already say who logged them.
    """
    reasons = {row.sequence: row.data[OVERRULED] for row in added if row.data.get(OVERRULED)}
    if reasons:
        reason = "; ".join(dict.fromkeys(str(each) for each in reasons.values()))
        record_battle(
            Verb.EVENT_OVERRULED, battle, user, events=[*reasons], reason=reason[:MAX_REASON]
        )


def expect_place(battle: Battle, number: int) -> None:
    """Check that the log has room for this number of events. Raises InvalidInput "log-full"."""
    if battle.last_sequence + number > MAX_IN_LOG:
        sentence = gettext(
            "This battle log is full: it has %(number)s entries, and the limit is %(most)s."
        )
        raise InvalidInput(
            "log-full",
            sentence % {"number": battle.last_sequence, "most": MAX_IN_LOG},
            field="events",
        )


def clean_events(events: Sequence[NewEvent]) -> tuple[NewEvent, ...]:
    """Return the events with values that both databases can store.

    Raises InvalidInput that names the event and the field.
    """
    if len(events) > MAX_EVENTS:
        raise InvalidInput(
            "too-many-events",
            f"{len(events)} events; send {MAX_EVENTS} at most at once.",
            field="events",
        )
    return tuple(_cleaned(event, place) for place, event in enumerate(events))


def _cleaned(event: NewEvent, place: int) -> NewEvent:
    if event.turn is not None:
        clean_number(f"{place}.turn", event.turn, least=0, most=MAX_TURNS)
    return NewEvent(
        client_id=event.client_id,
        kind=clean_text(f"{place}.kind", event.kind, most=30, least=1),
        data=clean_json(f"{place}.data", event.data),
        turn=event.turn,
    )


def known_events(battle: Battle, events: Iterable[NewEvent]) -> dict[UUID, BattleEvent]:
    """Return the events that are in the log already, by ``client_id``. One query.

    Raises StateConflict "event-differs".
    """
    by_client_id = {event.client_id: event for event in events}
    stored = {row.client_id: row for row in battle.events.filter(client_id__in=by_client_id)}
    for client_id, row in stored.items():
        event = by_client_id[client_id]
        sent_then = row.data if row.asked is None else row.asked
        if (row.kind, sent_then, row.turn) != (event.kind, event.data, event.turn):
            raise _differs(client_id)
    return stored


def fresh_events(events: Iterable[NewEvent], stored: Mapping[UUID, BattleEvent]) -> list[NewEvent]:
    """Return the events that are not in the log yet, each once.

    Raises StateConflict "event-differs".
    """
    new: dict[UUID, NewEvent] = {}
    for event in events:
        if event.client_id not in stored and new.setdefault(event.client_id, event) != event:
            raise _differs(event.client_id)
    return list(new.values())


def _differs(client_id: UUID) -> StateConflict:
    sentence = (
        f"The client_id {client_id} names another event already. Make a new one for each event."
    )
    return StateConflict("event-differs", sentence, field="client_id")


def append_events(
    battle: Battle,
    events: Sequence[NewEvent],
    placed: Sequence[Placed],
    user: User,
    *,
    revision: int = 0,
) -> list[BattleEvent]:
    """Write events in their places and return them; the caller saves the battle. One query."""
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
