"""Who has led a warband, and to whom it is offered."""

from datetime import datetime

from django.db.models import QuerySet, prefetch_related_objects
from msgspec import Struct

from campaigns.models import HandOver, HandOverState
from warbands.models import Warband


class PastOwner(Struct, frozen=True):
    """Somebody who led a warband until a moment; the last line of a list is about the one who leads
    it now."""

    name: str
    until: datetime | None
    now: str
    """Who has led it since, for the last line."""


def with_people(rows: QuerySet[HandOver]) -> QuerySet[HandOver]:
    """Hand-overs with the warband and the people whom pages name."""
    return rows.select_related(
        "warband", "campaign", "giver", "receiver", "giver_seat", "receiver_seat", "made_by"
    )


class OwnerHistory(Struct, frozen=True):
    """Who led a warband before, the first one first, and the offer that waits for an answer."""

    past: tuple[PastOwner, ...]
    offer: HandOver | None


def owner_history(warband: Warband) -> OwnerHistory:
    """Return who has led a warband, and to whom it is offered. One query if it never changed
    hands."""
    rows = list(warband.hand_overs.filter(state__in=(HandOverState.DONE, HandOverState.OFFERED)))
    # Few warbands change hands: people are read only for those, which spares every other page a
    # query with six joins.
    prefetch_related_objects(
        rows, "warband", "giver", "receiver", "giver_seat", "receiver_seat", "made_by"
    )
    done = [row for row in rows if row.settled_at is not None and row.state == HandOverState.DONE]
    done.sort(key=lambda row: (row.settled_at, row.pk))
    past = tuple(PastOwner(row.giver_name, row.settled_at, row.receiver_name) for row in done)
    offer = next((row for row in rows if row.state == HandOverState.OFFERED), None)
    return OwnerHistory(past=past, offer=offer)


def open_offer(warband: Warband) -> HandOver | None:
    """The offer of the warband that waits for an answer. One query."""
    return with_people(warband.hand_overs.offered()).first()
