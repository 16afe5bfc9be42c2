"""The files that each club keeps and its last activity, for the staff page."""

from datetime import datetime
from typing import Any

from django.db.models import Count, Model, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce
from msgspec import Struct

from audit.models import AuditEntry
from battles.models import BattleEvent
from campaigns.models import Campaign
from clubs.models import Club, ClubQuota
from clubs.quotas import limits_of
from core.quotas import MEGABYTE, Limits
from core.search_text import words_of
from documents.models import Document
from exchange.models import ArchiveKind, Export
from pictures.models import Picture

SORTS = {
    "name": "name",
    "documents": "document_count",
    "pictures": "picture_count",
    "disk": "disk",
    "archives": "archive_size",
    "events": "event_count",
    "activity": "last_activity",
}
"""The keys by which the list can be sorted, and the column of each."""
NEARLY = 0.9
"""The share of a limit from which a number is marked."""


class ClubUse(Struct, frozen=True, kw_only=True):
    """One line of the page."""

    club: Club
    limits: Limits
    documents: int
    pictures: int
    disk: float
    """In megabytes."""
    archives: int
    """The number of archives of the club and its campaigns that can be downloaded."""
    archive_disk: float
    """In megabytes."""
    events: int
    """The number of events in the logs of its campaigns' battles."""
    last_activity: datetime | None
    nearly: frozenset[str]
    """The names of the columns that are near their limit or above."""


def clubs_by_use(*, words: str = "", sort: str = "name") -> QuerySet[Club]:
    """Return the clubs whose name has these words, with what they keep.

    ``sort`` is a key of ``SORTS``, with a minus for the greatest first.
    """
    club = OuterRef("pk")
    archives = Export.objects.exclude(file="").filter(
        Q(kind=ArchiveKind.CLUB, subject=club)
        | Q(
            kind=ArchiveKind.CAMPAIGN,
            subject__in=Campaign.objects.filter(club=OuterRef(club)).order_by().values("pk"),
        )
    )
    rows = Club.objects.select_related("quota").annotate(
        document_count=_sum(Document, Count("pk")),
        picture_count=_sum(Picture, Count("pk")),
        disk=_sum(Document, Sum("size")) + _sum(Picture, Sum("size")),
        archive_count=_whole(archives, Count("pk")),
        archive_size=_whole(archives, Sum("size")),
        event_count=_whole(BattleEvent.objects.filter(battle__campaign__club=club), Count("pk")),
        last_activity=Subquery(
            AuditEntry.objects.filter(club=club).order_by("-at", "-id").values("at")[:1]
        ),
    )
    if folded := " ".join(words_of(words)):
        rows = rows.filter(folded__has_words=folded)
    column = SORTS[sort.removeprefix("-")]
    # The id decides between equal clubs, so that no club is on two pages.
    return rows.order_by(f"-{column}" if sort.startswith("-") else column, "name", "pk")


def described(club: Any) -> ClubUse:
    """Return the line of a club of ``clubs_by_use``. No query."""
    quota: ClubQuota | None = getattr(club, "quota", None)
    limits = limits_of(quota)
    disk = club.disk / MEGABYTE
    pairs = {
        "documents": (club.document_count, limits.documents),
        "pictures": (club.picture_count, limits.pictures),
        "disk": (disk, limits.megabytes),
    }
    return ClubUse(
        club=club,
        limits=limits,
        documents=club.document_count,
        pictures=club.picture_count,
        disk=disk,
        archives=club.archive_count,
        archive_disk=club.archive_size / MEGABYTE,
        events=club.event_count,
        last_activity=club.last_activity,
        nearly=frozenset(
            name for name, (use, limit) in pairs.items() if limit and use >= NEARLY * limit
        ),
    )


def _sum(model: type[Model], total: Count | Sum) -> Coalesce:
    """Return a total of the rows of a model that count for a club."""
    return _whole(model._default_manager.filter(club=OuterRef("pk")), total)


def _whole(rows: QuerySet[Any], total: Count | Sum) -> Coalesce:
    """Return a total of rows as a subquery; 0 for none."""
    every = rows.order_by().annotate(whole=Value(1)).values("whole")
    return Coalesce(Subquery(every.annotate(total=total).values("total")), 0)
