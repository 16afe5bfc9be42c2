"""Pictures as pages show them: whose there are, for this reader."""

from collections.abc import Iterable
from typing import Self
from uuid import UUID

from msgspec import Struct

from core.users import User
from pictures.models import Picture
from pictures.subjects import PictureKind, visible_subjects


class ShownPicture(Struct, frozen=True):
    """A picture: ``width`` and ``height`` are those of the small size, in pixels."""

    id: UUID
    subject: UUID
    caption: str
    width: int
    height: int

    @classmethod
    def of(cls, row: Picture) -> Self:
        """As the row says."""
        return cls(row.pk, row.subject, row.caption, row.small_width, row.small_height)


def pictures_of(
    kind: PictureKind, subjects: Iterable[UUID], user: User
) -> dict[UUID, ShownPicture]:
    """The portraits or crests of these subjects by their ids, of those that the user may see. One
    query, none for nobody's."""
    subject_ids = set(subjects)
    if not subject_ids:
        return {}
    seen = visible_subjects(user)[kind].filter(pk__in=subject_ids)
    rows = Picture.objects.filter(kind=kind, subject__in=seen.order_by().values("pk"))
    return {row.subject: ShownPicture.of(row) for row in rows}


def picture_of(kind: PictureKind, subject: UUID) -> ShownPicture | None:
    """The portrait or crest of a subject that the reader sees. One query."""
    row = Picture.objects.filter(kind=kind, subject=subject).first()
    return ShownPicture.of(row) if row else None


def photos_of(battle: UUID) -> tuple[ShownPicture, ...]:
    """The photos of a battle that the reader sees, in the order in which they were added. One
    query."""
    rows = Picture.objects.filter(kind=PictureKind.BATTLE, subject=battle)
    return tuple(ShownPicture.of(row) for row in rows)


class Crest(Struct, frozen=True):
    """The crest of a warband or a club: its picture if the reader may see one, and what it is drawn
    from else.

    ``colour`` is that of its latest campaign, "" without any.
    """

    name: str
    colour: str = ""
    faction: str = ""
    picture: ShownPicture | None = None
