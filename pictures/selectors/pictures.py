"""Pictures as pages show them to a user."""

from collections.abc import Iterable, Mapping
from typing import Self
from uuid import UUID

from django.db.models import Q
from msgspec import Struct

from core.compiled_queries import CompiledQuery
from core.users import User
from pictures.models import Picture
from pictures.subjects import PictureKind, visible_subjects


class ShownPicture(Struct, frozen=True):
    """A picture; ``width`` and ``height`` describe the small size, in pixels."""

    id: UUID
    subject: UUID
    caption: str
    width: int
    height: int

    @classmethod
    def of(cls, row: Picture) -> Self:
        """Return the shown picture of a row."""
        return cls(row.pk, row.subject, row.caption, row.small_width, row.small_height)


def pictures_of(
    kind: PictureKind, subjects: Iterable[UUID], user: User
) -> dict[UUID, ShownPicture]:
    """Return the visible portraits or crests of these subjects, by the subjects' ids.

    One query; none without subjects.
    """
    subject_ids = set(subjects)
    if not subject_ids:
        return {}
    seen = visible_subjects(user)[kind].filter(pk__in=subject_ids)
    rows = Picture.objects.filter(kind=kind, subject__in=seen.order_by().values("pk"))
    return {row.subject: ShownPicture.of(row) for row in rows}


def pictures_seen(subjects: Mapping[PictureKind, Iterable[UUID]]) -> dict[UUID, ShownPicture]:
    """Return the portraits and crests of subjects that the reader may see, by the subjects' ids.

    One query for all kinds.
    """
    subjects_of_kinds = Q(pk__in=())
    for kind, ids in subjects.items():
        subjects_of_kinds |= Q(kind=kind, subject__in=list(ids))
    return {row.subject: ShownPicture.of(row) for row in Picture.objects.filter(subjects_of_kinds)}


OF_SUBJECT: dict[PictureKind, CompiledQuery[Picture]] = {
    kind: CompiledQuery(
        lambda key, _, kind=kind: Picture.objects.filter(kind=kind, subject=key)[:1]  # type: ignore[misc]
    )
    for kind in PictureKind
}


def picture_of(kind: PictureKind, subject: UUID) -> ShownPicture | None:
    """Return the portrait or crest of a subject that the reader may see. One query."""
    row = OF_SUBJECT[kind].first(subject)
    return ShownPicture.of(row) if row else None


def photos_of(battle: UUID) -> tuple[ShownPicture, ...]:
    """Return the photos of a battle that the reader may see, in the order of adding. One query."""
    rows = Picture.objects.filter(kind=PictureKind.BATTLE, subject=battle)
    return tuple(ShownPicture.of(row) for row in rows)


class Crest(Struct, frozen=True):
    """The crest of a warband or a club: its visible picture, or the data to draw one.

    The arms follow from ``seed`` (drawings.crests). ``colour`` is that of the latest campaign, ""
    if there is none.
    """

    seed: str
    colour: str = ""
    picture: ShownPicture | None = None
