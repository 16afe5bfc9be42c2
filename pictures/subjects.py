"""The subjects of pictures, which other apps register in ``ready()``."""

from collections.abc import Callable, Collection, Mapping
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User as Account
from django.db import models
from django.db.models import Model, QuerySet
from django.utils.translation import gettext_lazy
from msgspec import Struct

from audit.verbs import Verb
from core.users import User


class PictureKind(models.TextChoices):
    """The kind of subject that a picture shows."""

    FIGHTER = "fighter", gettext_lazy("Portrait of a fighter")
    WARBAND = "warband", gettext_lazy("Crest of a warband")
    CLUB = "club", gettext_lazy("Crest of a club")
    BATTLE = "battle", gettext_lazy("Photo of a battle")


Rows = QuerySet[Any, Any]
Subjects = Mapping[PictureKind, Rows]
"""The rows that pictures of each kind may show."""


class SubjectKind(Struct, frozen=True, kw_only=True):
    """The subjects of pictures of one kind.

    ``owners`` returns rows with ``visible_to``, ``listed_for`` and ``editable_by``; ``of`` returns
    the subjects that belong to these rows. ``record`` writes an act to the activity log of a
    subject's club. ``clubs`` returns the club of each subject that belongs to one.
    """

    owners: Callable[[], Any]
    of: Callable[[Any], Rows] = lambda owners: owners
    record: Callable[[Verb, Any, Account], None]
    clubs: Callable[[Collection[UUID]], Mapping[UUID, UUID]]


_kinds: dict[PictureKind, SubjectKind] = {}


def register(kind: PictureKind, subject: SubjectKind) -> None:
    """Register the subjects of a kind of picture."""
    _kinds[kind] = subject


def visible_subjects(user: User) -> Subjects:
    """Return the subjects that the user may see."""
    return _rows(lambda owners: owners.visible_to(user))


def listed_subjects(user: User) -> Subjects:
    """Return the subjects for lists: as ``visible_subjects``, without unlisted ones."""
    return _rows(lambda owners: owners.listed_for(user))


def editable_subjects(user: User) -> Subjects:
    """Return the subjects that the user may change, and whose pictures they may change."""
    return _rows(lambda owners: owners.editable_by(user))


def all_subjects() -> Subjects:
    """Return all subjects of pictures."""
    return _rows(lambda owners: owners)


def record_subject(verb: Verb, kind: PictureKind, row: Model, user: Account) -> None:
    """Record an act on a subject in the activity log of its club."""
    _kinds[kind].record(verb, row, user)


def clubs_of_subjects(kind: PictureKind, ids: Collection[UUID]) -> Mapping[UUID, UUID]:
    """Return the club of each of these subjects; those outside of clubs are left out."""
    return _kinds[kind].clubs(ids)


def _rows(narrow: Callable[[Any], Any]) -> Subjects:
    return {kind: _kinds[kind].of(narrow(_kinds[kind].owners())) for kind in PictureKind}
