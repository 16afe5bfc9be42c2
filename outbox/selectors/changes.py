"""Changes for other programs: what happened, to what, and where to read more.

They have no values of the subject except its name. A program reads the subject itself, so it gets
the present state, and only as much as its user may see.
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext
from msgspec import Struct

from audit.models import AuditEntry, Change, ChangeCounter
from battles.models import Battle
from campaigns.models import Campaign
from clubs.models import Club, Evening
from core.errors import InvalidInput
from core.replica import PRIMARY
from core.users import User
from warbands.models import Warband

WINDOW = 500
"""The number of changes that one request looks at, however few of them its user may see."""
KINDS: dict[str, tuple[Any, str, str]] = {
    "battle": (Battle, "battles:battle", "battle-detail"),
    "campaign": (Campaign, "leagues:campaign", "campaign-detail"),
    "evening": (Evening, "home:evening", "evening-detail"),
    "warband": (Warband, "warbands:warband", "warband-detail"),
}
"""By kind of subject: its model, the name of its page and that of its address in the API."""
OF_CLUB = {
    "battle": "campaign__club",
    "campaign": "club",
    "evening": "club",
    "warband": "enrolments__campaign__club",
}
"""By kind of subject: the lookup of the club that it belongs to."""


class ChangeSubject(Struct, frozen=True):
    """The subject of a change: its kind, its id, and its name at that time.

    A club night has its day as its name.
    """

    kind: str
    id: UUID
    name: str


class ChangeLine(Struct, frozen=True, kw_only=True):
    """A change: its place in the order of changes, what happened, and to what.

    ``page`` and ``url`` are the addresses of the subject for people and in the API.
    """

    cursor: int
    id: UUID
    type: str
    at: datetime
    club: UUID | None
    campaign: UUID | None
    subject: ChangeSubject
    page: str
    url: str


class Changes(Struct, frozen=True):
    """Changes in order. Continue after ``next``; ``more`` is whether there are more already."""

    changes: tuple[ChangeLine, ...]
    next: int
    more: bool


def changes_after(
    cursor: int, user: User, *, site: str, club: UUID | None = None, limit: int = 100
) -> Changes:
    """Return the next changes of what the user may see now, or of one club. Five queries at most.

    ``site`` is the start of addresses, such as "https://muster.example". Raises InvalidInput
    "unknown-cursor" for one that no change has had yet.
    """
    rows = list(
        Change.objects.filter(cursor__gt=cursor)
        .select_related("entry")
        .order_by("cursor")[: WINDOW + 1]
    )
    if cursor and not rows:
        _expect_given(cursor)
    window = rows[:WINDOW]
    visible = _existing(
        [row.entry for row in window], lambda model, _: model.objects.visible_to(user)
    )
    lines: list[ChangeLine] = []
    for row in window:
        cursor = row.cursor or cursor
        subject = row.entry.subject_id
        if subject in visible and (club is None or row.entry.club == club):
            lines.append(change_line(row, site))
        if len(lines) == limit:
            break
    return Changes(tuple(lines), cursor, more=bool(rows) and cursor != rows[-1].cursor)


def _expect_given(cursor: int) -> None:
    """Check that a cursor is not beyond the end: its reader would wait for years, and miss all.

    Raises InvalidInput "unknown-cursor".
    """
    # From the primary server: a replica may not have yet what the reader was given there.
    last = ChangeCounter.objects.using(PRIMARY).values_list("last", flat=True).first() or 0
    if cursor > last:
        sentence = gettext(
            "No change has the cursor %(cursor)s yet: the newest has %(last)s. Send the “next” of "
            "your last answer from this site, after=%(last)s for what happens from now on, or "
            "after=0 for everything."
        )
        values = {"cursor": cursor, "last": last}
        raise InvalidInput("unknown-cursor", sentence % values, field="after")


def is_of_club(change: Change, club: Club) -> bool:
    """Return whether the subject of a change exists and belongs to the club now. One query.

    That is what each of its organisers may see.
    """
    kind = change.entry.subject_kind
    return bool(
        _existing([change.entry], lambda model, _: model.objects.filter(**{OF_CLUB[kind]: club.pk}))
    )


def change_line(change: Change, site: str) -> ChangeLine:
    """Return a change with a subject that exists, for the API and for webhooks. No queries."""
    entry = change.entry
    _, page, endpoint = KINDS[entry.subject_kind]
    assert entry.subject_id is not None  # noqa: S101 - of these kinds, every entry has one
    return ChangeLine(
        cursor=change.cursor or 0,
        id=change.pk,
        type=entry.verb,
        at=entry.at,
        club=entry.club,
        campaign=entry.campaign,
        subject=ChangeSubject(entry.subject_kind, entry.subject_id, entry.subject_name),
        page=f"{site}{reverse(page, args=[entry.subject_id])}",
        url=f"{site}{reverse(endpoint, args=[entry.subject_id])}",
    )


def _existing(
    entries: Iterable[AuditEntry], rows_of: Callable[[Any, str], "QuerySet[Any]"]
) -> frozenset[UUID]:
    """Return the ids of the subjects that are among some rows of their kind."""
    ids: dict[str, set[UUID]] = {}
    for entry in entries:
        if entry.subject_kind in KINDS and entry.subject_id is not None:
            ids.setdefault(entry.subject_kind, set()).add(entry.subject_id)
    return frozenset(
        key
        for kind, keys in ids.items()
        for key in rows_of(KINDS[kind][0], kind).filter(pk__in=keys).values_list("pk", flat=True)
    )
