"""Recording an act, in the transaction that does it: what is rolled back is not told either."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model
from django.utils import timezone

from audit.chains import chain_of
from audit.models import AuditEntry
from audit.origin import current_origin, present_request
from audit.services.chaining import append_entries, club_of, lock_chain
from audit.verbs import Verb

MAX_NAME_LENGTH = 200
NAMELESS = "membership"
"""Members are known by their ids: what they are called is read when it is shown, so that it can be
forgotten."""
LONGEST = 120
"""Of a text that is told word by word when it is changed; of longer ones only that they were."""

_told: ContextVar[bool] = ContextVar("told", default=False)


def record(
    verb: Verb,
    subject: Model,
    *,
    user: User | None,
    club: UUID | None = None,
    campaign: UUID | str | None = None,
    name: str | None = None,
    person: int | None = None,
    **details: Any,
) -> None:
    """Write down that the user did this to ``subject``, in the transaction that is under way. Three
    queries.

    Without a ``club`` it is that of the campaign; without either it belongs to no club, and only
    whoever runs the installation sees it. ``name`` is what the subject is called, by default what
    it calls itself, and nothing for a member. ``person`` is the account that it concerns.
    ``details`` hold no secret and nobody's name; empty ones are left out.
    """
    if _told.get():
        return
    account = getattr(subject, "user_id", None)
    kind = str(subject._meta.model_name)
    if name is None:
        name = "" if kind == NAMELESS else str(subject)
    campaign_id = UUID(campaign) if isinstance(campaign, str) else campaign
    actor_id = None if user is None else user.pk
    with transaction.atomic(savepoint=False):
        if actor_id is None and club is None and campaign_id is not None:
            club = club_of(campaign_id)
        # The end of the chain is locked until the transaction ends: the next entry's seal covers
        # this one's.
        end = lock_chain(chain_of(actor_id, club), campaign=None if club else campaign_id)
        entry = AuditEntry(
            id=end.numbers[0],
            at=timezone.now(),
            actor_id=actor_id,
            club=club or end.club,
            campaign=campaign_id,
            verb=verb.value,
            subject_kind=kind,
            subject_id=subject.pk,
            subject_name=name[:MAX_NAME_LENGTH],
            person_id=account if person is None else person,
            details={
                key: value for key, value in details.items() if value not in (None, "", {}, ())
            },
            face=current_origin(),
            request=present_request()[:40],
        )
        append_entries(end, [entry])


@contextmanager
def audit_suppressed() -> Iterator[None]:
    """What is recorded inside is left out: the caller tells all of it in one entry."""
    token = _told.set(True)
    try:
        yield
    finally:
        _told.reset(token)


def differences(row: Model, values: Mapping[str, Any]) -> dict[str, Any]:
    """Before and after of each field of a row that these values change; None for long texts, which
    are not repeated."""
    pairs = {field: (getattr(row, field), value) for field, value in values.items()}
    return {field: told_pair(*pair) for field, pair in pairs.items() if pair[0] != pair[1]}


def changed_keys(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Before and after of each key that two mappings do not agree on; None where one of them lacks
    it."""
    keys = sorted({*before, *after})
    return {
        key: [before.get(key), after.get(key)] for key in keys if before.get(key) != after.get(key)
    }


def told_pair(before: Any, after: Any) -> list[Any] | None:
    """Two values as details keep them; None if either is a long text."""
    long = any(isinstance(each, str) and len(each) > LONGEST for each in (before, after))
    return None if long else [before, after]
