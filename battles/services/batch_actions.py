"""Log the same action for several fighters.

All events are logged together, or one after the other where Muster rolls dice for each.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.contrib.auth.models import User
from msgspec import Struct
from msgspec.structs import replace

from battles.models import BattleEvent
from battles.services.logbook import OVERRULED, log_events
from battles.services.validation import NewEvent
from core.errors import InvalidInput, StateConflict
from rulebook.ruleset import Problem

SUPERFLUOUS = "nothing-to-overrule"
THROWN_APART = "throw-comes-last"


class BatchResult(Struct, frozen=True):
    """The events that were logged, and the problems of those that were not, by place."""

    logged: tuple[BattleEvent, ...]
    left: dict[int, tuple[Problem, ...]]


def log_together(
    *, battle_id: UUID, events: Sequence[NewEvent], user: User, version: int, reason: str = ""
) -> tuple[BattleEvent, ...]:
    """Log all events or none.

    ``reason`` overrides the rules for the events that they refuse, and for no other. Raises what
    ``log_events`` raises.
    """
    overruled: frozenset[int] = frozenset()
    tried: set[frozenset[int]] = set()
    while True:
        with_reasons = [
            _overruled(event, reason if place in overruled else "")
            for place, event in enumerate(events)
        ]
        try:
            return log_events(battle_id=battle_id, events=with_reasons, user=user, version=version)
        except InvalidInput as error:
            # A refused event is missing for the events after it, so the next attempt may refuse
            # more or fewer of them.
            tried.add(overruled)
            overruled = _refused(error, overruled)
            if not reason or overruled in tried or len(tried) > len(events):
                raise


def log_for_several(
    *, battle_id: UUID, events: Sequence[NewEvent], user: User, version: int, reason: str = ""
) -> BatchResult:
    """Log the actions of several fighters: all or none, or one by one where Muster rolls dice.

    Events of the request that are in the log already are returned as they were logged then. Raises
    what ``log_events`` raises if nothing is logged, with the problems of all events.
    """
    client_ids = [event.client_id for event in events]
    stored = {
        row.client_id: row
        for row in BattleEvent.objects.filter(battle=battle_id, client_id__in=client_ids)
    }
    if not stored:
        try:
            return BatchResult(
                log_together(
                    battle_id=battle_id, events=events, user=user, version=version, reason=reason
                ),
                {},
            )
        except InvalidInput as error:
            if all(problem.code != THROWN_APART for problem in error.problems):
                raise
    return _log_one_by_one(battle_id, events, user, version, reason, stored)


def _log_one_by_one(
    battle_id: UUID,
    events: Sequence[NewEvent],
    user: User,
    version: int,
    reason: str,
    stored: Mapping[UUID, BattleEvent],
) -> BatchResult:
    """Log each event separately, and return which were logged.

    A player could otherwise see a die that Muster rolled and then cancel it with an illegal event
    after it. A refused event does not stop the others; dice that were rolled stay.
    """
    logged: list[BattleEvent] = []
    left: dict[int, tuple[Problem, ...]] = {}
    version = max((version, *(row.version for row in stored.values())))
    for place, event in enumerate(events):
        if event.client_id in stored:
            logged.append(stored[event.client_id])
            continue
        try:
            logged += log_together(
                battle_id=battle_id, events=[event], user=user, version=version, reason=reason
            )
            version = logged[-1].version
        except InvalidInput as error:
            left[place] = tuple(
                replace(each, field=_moved(each.field, place)) for each in error.problems
            )
        except StateConflict as error:
            if not logged:
                raise
            left[place] = (Problem(error.code, str(error), field=f"{place}.version"),)
    if not logged:
        problems = [problem for event_problems in left.values() for problem in event_problems]
        raise InvalidInput("illegal-events", problems[0].sentence, problems=problems)
    return BatchResult(tuple(logged), left)


def _overruled(event: NewEvent, reason: str) -> NewEvent:
    return replace(event, data={**event.data, OVERRULED: reason}) if reason else event


def _refused(error: InvalidInput, overruled: frozenset[int]) -> frozenset[int]:
    """Return the places of the events that need the reason, from the problems of the last attempt.

    ``overruled`` are the places that had the reason in that attempt.
    """
    overrulable = {
        (_place(each.field), each.code)
        for each in error.problems
        if each.field.endswith(f".{OVERRULED}")
    }
    superfluous = {place for place, code in overrulable if code == SUPERFLUOUS}
    return (overruled | {place for place, _ in overrulable}) - superfluous


def _place(field: str) -> int:
    return int(field.partition(".")[0])


def _moved(field: str, place: int) -> str:
    return f"{place}.{field.partition('.')[2]}"
