"""Quotas: how many documents and pictures a club may keep, and how much room they may take.

What belongs to a club counts against its quota, and everything else against that of the member who
made it (docs/decisions/documents.md). The apps that store files register their rows here, and
``clubs`` registers where the limits of a club are: those apps are above this one.
"""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext
from msgspec import Struct

from core.errors import StateConflict

MEGABYTE = 1024 * 1024


class Limits(Struct, frozen=True, kw_only=True):
    """The most that may be kept. 0 means no limit."""

    documents: int = 0
    pictures: int = 0
    megabytes: int = 0

    @property
    def is_open(self) -> bool:
        """True if nothing is limited."""
        return not (self.documents or self.pictures or self.megabytes)


class Use(Struct, kw_only=True):
    """The documents and pictures that are kept, or that are added."""

    documents: int = 0
    pictures: int = 0
    size: int = 0
    """In bytes."""


class StoredRows(Struct, frozen=True, kw_only=True):
    """Rows with files: a model with the columns ``club`` and ``size``, and one of its maker."""

    rows: Callable[[], QuerySet[Any]]
    maker: str
    """The column of the member who made a row."""


_stored: dict[str, StoredRows] = {}
_club_limits: list[Callable[[UUID], Limits]] = []


def register_rows(counted_as: str, rows: StoredRows) -> None:
    """Register rows that count as a field of ``Use``: ``documents`` or ``pictures``."""
    _stored[counted_as] = rows


def register_club_limits(lock_limits: Callable[[UUID], Limits]) -> None:
    """Register the function that returns the limits of a club, and locks them."""
    _club_limits[:] = [lock_limits]


def use_of(*, club: UUID | None, user_id: int | None = None) -> Use:
    """Return what a club keeps, or a member outside clubs. One query for each kind of rows."""
    use = Use()
    for counted_as, stored in _stored.items():
        rows = stored.rows().filter(club=club)
        if club is None:
            rows = rows.filter(**{stored.maker: user_id})
        sums = rows.order_by().aggregate(number=Count("pk"), size=Coalesce(Sum("size"), 0))
        setattr(use, counted_as, sums["number"])
        use.size += sums["size"]
    return use


@transaction.atomic
def expect_room(*, club: UUID | None, user_id: int | None, added: Use) -> None:
    """Check that a club, or a member outside clubs, may keep this in addition.

    Call it in the transaction that writes the rows: the limits stay locked until its end, so that
    of two who write at the same time the second one counts what the first one added. Raises
    StateConflict (`quota-reached`).
    """
    limits = _locked_limits(club, user_id)
    if limits.is_open:
        return
    use = use_of(club=club, user_id=user_id)
    if added.documents and limits.documents and use.documents + added.documents > limits.documents:
        raise _reached(_documents_sentence(club), use.documents, limits.documents)
    if added.pictures and limits.pictures and use.pictures + added.pictures > limits.pictures:
        raise _reached(_pictures_sentence(), use.pictures, limits.pictures)
    if added.size > 0 and limits.megabytes and use.size + added.size > limits.megabytes * MEGABYTE:
        raise _reached(_room_sentence(club), f"{use.size / MEGABYTE:.1f}", limits.megabytes)


def _locked_limits(club: UUID | None, user_id: int | None) -> Limits:
    if club is not None:
        return _club_limits[0](club)
    limits = Limits(documents=settings.MEMBER_MAX_DOCUMENTS, megabytes=settings.MEMBER_MAX_DISK_MB)
    if user_id is None:
        return Limits()
    if not limits.is_open:
        User.objects.select_for_update(no_key=True).filter(pk=user_id).first()
    return limits


def _documents_sentence(club: UUID | None) -> str:
    if club is None:
        return gettext(
            "Your documents outside of clubs have reached the limit (%(use)s of %(limit)s). Ask "
            "the person who runs this site to delete old ones, or to raise the limit."
        )
    return gettext(
        "The documents of this club have reached the limit (%(use)s of %(limit)s). Ask the person "
        "who runs this site to delete old ones, or to raise the limit."
    )


def _pictures_sentence() -> str:
    return gettext(
        "The pictures of this club have reached the limit (%(use)s of %(limit)s). Remove some "
        "first, or ask the person who runs this site to raise the limit."
    )


def _room_sentence(club: UUID | None) -> str:
    if club is None:
        return gettext(
            "Your documents and pictures outside of clubs have no more room (%(use)s of %(limit)s "
            "MB). Remove pictures first, or ask the person who runs this site to raise the limit."
        )
    return gettext(
        "The documents and pictures of this club have no more room (%(use)s of %(limit)s MB). "
        "Remove pictures first, or ask the person who runs this site to raise the limit."
    )


def _reached(sentence: str, use: int | str, limit: int) -> StateConflict:
    return StateConflict("quota-reached", sentence % {"use": use, "limit": limit})
