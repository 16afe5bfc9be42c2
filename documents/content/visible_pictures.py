"""Uploaded pictures for contents: one query for all pictures that a document shows."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

import msgspec
from django.db.models import Q, QuerySet

from campaigns.models import Campaign
from clubs.models import Club
from core.display_names import display_name
from core.users import Visibility
from documents.content.structs import PrintedPicture
from pictures.models import Picture
from pictures.subjects import PictureKind
from warbands.models import Fighter, Warband


class Album:
    """Pictures by the ids of their subjects, in the order in which they were added."""

    def __init__(self, pictures: Mapping[str, tuple[PrintedPicture, ...]] | None = None) -> None:
        self.pictures = pictures or {}

    def all_of(self, subject: UUID | str) -> tuple[PrintedPicture, ...]:
        """Return all pictures of a subject."""
        return self.pictures.get(str(subject), ())

    def of(self, subject: UUID | str) -> PrintedPicture | None:
        """Return the portrait or crest of a subject, or None if nobody has uploaded one."""
        return next(iter(self.all_of(subject)), None)


def album(subjects: Mapping[PictureKind, Iterable[UUID] | QuerySet[Any, Any]]) -> Album:
    """Return the pictures of these subjects. One query.

    The caller must select subjects whose pictures may be shown: a document shows the same to all
    readers.
    """
    subject_filter = Q()
    for kind, keys in subjects.items():
        subject_filter |= Q(kind=kind, subject__in=keys)
    by_subject: dict[str, list[PrintedPicture]] = {}
    for row in Picture.objects.filter(subject_filter).select_related("added_by"):
        if row.kind == PictureKind.BATTLE:
            printed = PrintedPicture(
                str(row.large),
                row.digest,
                row.caption,
                row.large_width,
                row.large_height,
                display_name(row.added_by),
            )
        else:
            printed = PrintedPicture(str(row.small), row.digest, row.caption)
        by_subject.setdefault(str(row.subject), []).append(printed)
    return Album({subject: tuple(pictures) for subject, pictures in by_subject.items()})


def picture_files(content: Any) -> list[str]:
    """Return the paths of all uploaded pictures in a content, sorted, each once."""
    files = {picture.file for picture in _pictures_in(content)}
    return sorted(files)


def _pictures_in(value: Any) -> Iterator[PrintedPicture]:
    if isinstance(value, PrintedPicture):
        yield value
    elif isinstance(value, msgspec.Struct):
        for each in msgspec.structs.astuple(value):
            yield from _pictures_in(each)
    elif isinstance(value, (tuple, list)):
        for each in value:
            yield from _pictures_in(each)
    elif isinstance(value, Mapping):
        yield from _pictures_in([*value.values()])


def are_removed(files: Collection[str]) -> bool:
    """Return whether one of these pictures was removed or replaced. One query if there are any."""
    if not files:
        return False
    kept = Picture.objects.filter(Q(large__in=files) | Q(small__in=files)).order_by()
    present = {str(name) for names in kept.values_list("large", "small") for name in names}
    return not present.issuperset(files)


def fighters_of(warbands: Iterable[Warband]) -> QuerySet[Any, Any]:
    """Return the ids of all fighters of these warbands, as a subquery."""
    return (
        Fighter.objects.filter(warband__in=[warband.pk for warband in warbands])
        .order_by()
        .values("pk")
    )


def open_like(campaign: Campaign | None, of: Warband | Club) -> bool:
    """Return whether everyone who may see the campaign may also see the warband or club.

    Without a campaign, return whether everyone with the link may see it.
    """
    private = campaign is not None and campaign.visibility == Visibility.PRIVATE
    return private or of.visibility != Visibility.PRIVATE
