"""Who has led a warband, and to whom it is offered."""

from datetime import datetime

from django.db.models import QuerySet
from msgspec import Struct

from campaigns.models import HandOver
from warbands.models import Warband


class PastOwner(Struct, frozen=True):
    """Somebody who led a warband until a moment; the last line of a list is about the one who leads it now."""

    name: str
    until: datetime | None
    now: str
    """Who has led it since, for the last line."""


def with_people(rows: QuerySet[HandOver]) -> QuerySet[HandOver]:
    """Hand-overs with the warband and the people whom pages name."""
    return rows.select_related("warband", "campaign", "giver", "receiver", "giver_seat", "receiver_seat", "made_by")


def past_owners(warband: Warband) -> tuple[PastOwner, ...]:
    """Who led the warband before others did, the first one first; empty if it never changed hands. One query."""
    rows = with_people(warband.hand_overs.done()).order_by("settled_at", "pk")
    return tuple(PastOwner(row.giver_name, row.settled_at, row.receiver_name) for row in rows)


def open_offer(warband: Warband) -> HandOver | None:
    """The offer of the warband that waits for an answer. One query."""
    return with_people(warband.hand_overs.offered()).first()
