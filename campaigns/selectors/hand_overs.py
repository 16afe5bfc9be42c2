"""The players of a warband over time, and its open transfer."""

from datetime import datetime

from django.db.models import QuerySet, prefetch_related_objects
from msgspec import Struct

from campaigns.models import HandOver, HandOverState
from core.compiled_queries import CompiledQuery
from warbands.models import Warband


class PastOwner(Struct, frozen=True):
    """A former player of a warband, and the time at which they gave it away."""

    name: str
    until: datetime | None
    now: str
    """The player after this one; pages show it for the last entry only."""


def with_people(rows: QuerySet[HandOver]) -> QuerySet[HandOver]:
    """Return transfers with their warband and the people that pages name."""
    return rows.select_related(
        "warband", "campaign", "giver", "receiver", "giver_seat", "receiver_seat", "made_by"
    )


class OwnerHistory(Struct, frozen=True):
    """The former players of a warband, the first one first, and the open offer."""

    past: tuple[PastOwner, ...]
    offer: HandOver | None


def owner_history(warband: Warband) -> OwnerHistory:
    """Return the former players of a warband and its open offer. One query if there are none."""
    rows = HAND_OVERS.rows(warband.pk)
    # Few warbands are transferred: people are loaded only for those, which spares every other page
    # a query with six joins.
    prefetch_related_objects(
        rows, "warband", "giver", "receiver", "giver_seat", "receiver_seat", "made_by"
    )
    done = [row for row in rows if row.settled_at is not None and row.state == HandOverState.DONE]
    done.sort(key=lambda row: (row.settled_at, row.pk))
    past = tuple(PastOwner(row.giver_name, row.settled_at, row.receiver_name) for row in done)
    offer = next((row for row in rows if row.state == HandOverState.OFFERED), None)
    return OwnerHistory(past=past, offer=offer)


HAND_OVERS: CompiledQuery[HandOver] = CompiledQuery(
    lambda key, _: HandOver.objects.filter(
        warband=key, state__in=(HandOverState.DONE, HandOverState.OFFERED)
    )
)


def open_offer(warband: Warband) -> HandOver | None:
    """Return the open offer of the warband, or None. One query."""
    return with_people(warband.hand_overs.offered()).first()
