"""What pictures can show. The apps whose rows these are register them in ``ready()``: pictures know
none of them."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.auth.models import User as Account
from django.db import models
from django.db.models import Model, QuerySet
from django.utils.translation import gettext_lazy
from msgspec import Struct

from audit.verbs import Verb
from core.users import User


class PictureKind(models.TextChoices):
    """What a picture shows."""

    FIGHTER = "fighter", gettext_lazy("Portrait of a fighter")
    WARBAND = "warband", gettext_lazy("Crest of a warband")
    CLUB = "club", gettext_lazy("Crest of a club")
    BATTLE = "battle", gettext_lazy("Photo of a battle")


Rows = QuerySet[Any, Any]
Subjects = Mapping[PictureKind, Rows]
"""The rows that pictures of each kind may show."""


class SubjectKind(Struct, frozen=True, kw_only=True):
    """Rows that pictures of one kind show.

    ``owners`` gives rows with ``visible_to``, ``listed_for`` and ``editable_by``; ``of`` gives the
    rows that pictures show of these. ``record`` writes an act into the activity log of the club to
    which a row belongs.
    """

    owners: Callable[[], Any]
    of: Callable[[Any], Rows] = lambda owners: owners
    record: Callable[[Verb, Any, Account], None]


_kinds: dict[PictureKind, SubjectKind] = {}


def register(kind: PictureKind, subject: SubjectKind) -> None:
    """Register the rows that pictures of a kind show."""
    _kinds[kind] = subject


def visible_subjects(user: User) -> Subjects:
    """Return what the user may see."""
    return _rows(lambda owners: owners.visible_to(user))


def listed_subjects(user: User) -> Subjects:
    """Return what lists show to the user: as ``visible_subjects``, without what is merely
    unlisted."""
    return _rows(lambda owners: owners.listed_for(user))


def editable_subjects(user: User) -> Subjects:
    """Return what the user may change, and therefore give pictures."""
    return _rows(lambda owners: owners.editable_by(user))


def all_subjects() -> Subjects:
    """Return all rows that pictures can show."""
    return _rows(lambda owners: owners)


def record_subject(verb: Verb, kind: PictureKind, row: Model, user: Account) -> None:
    """Record an act about a row in the club to which it belongs."""
    _kinds[kind].record(verb, row, user)


def _rows(narrow: Callable[[Any], Any]) -> Subjects:
    return {kind: _kinds[kind].of(narrow(_kinds[kind].owners())) for kind in PictureKind}
