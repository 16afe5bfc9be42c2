"""Record an act in the transaction that performs it, so that a rollback also removes the entry."""

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
from audit.models import AuditEntry, Change
from audit.origin import current_origin, present_request
from audit.services.chaining import append_entries, club_of, lock_chain
from audit.verbs import TRAVELLING, Verb

MAX_NAME_LENGTH = 200
NAMELESS = "membership"
"""The kind of subjects that are recorded without a name.

Members are recorded by id. Their names are read for display, so that they can be forgotten.
"""
LONGEST = 120
"""The longest text, in characters, whose old and new values are recorded.

Of longer texts, only the fact that they changed is recorded.
"""

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
    """Record that the user did this to ``subject``, in the current transaction. Three queries.

    One more if other programs may read about it (``audit.verbs.TRAVELLING``).

    ``club`` defaults to the club of the campaign. Without either the entry belongs to no club, and
    only the administrators of the installation see it. ``name`` is the name of the subject, by
    default its ``str()``, and "" for a member. ``person`` is the id of the account that is
    affected. ``details`` must not contain secrets or names of people; empty values are left out.
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
        # Lock the end of the chain until the transaction ends: the seal of the next entry covers
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
        if verb in TRAVELLING:
            Change.objects.create(entry=entry)


@contextmanager
def audit_suppressed() -> Iterator[None]:
    """Record nothing inside the block: the caller records everything in one entry."""
    token = _told.set(True)
    try:
        yield
    finally:
        _told.reset(token)


def differences(row: Model, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the old and new value of each field that ``values`` would change.

    The pair is None for long texts, which are not recorded.
    """
    pairs = {field: (getattr(row, field), value) for field, value in values.items()}
    return {field: told_pair(*pair) for field, pair in pairs.items() if pair[0] != pair[1]}


def changed_keys(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Return the old and new value of each key that differs, with None where the key is missing."""
    keys = sorted({*before, *after})
    return {
        key: [before.get(key), after.get(key)] for key in keys if before.get(key) != after.get(key)
    }


def told_pair(before: Any, after: Any) -> list[Any] | None:
    """Return two values as details store them, or None if either is a long text."""
    long = any(isinstance(each, str) and len(each) > LONGEST for each in (before, after))
    return None if long else [before, after]
