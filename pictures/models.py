"""Pictures that people bring: portraits, crests and photos, kept in two sizes beside the
documents."""

import uuid
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from core.queries import ids_of_any
from core.users import User
from pictures.subjects import (
    PictureKind,
    Subjects,
    all_subjects,
    editable_subjects,
    listed_subjects,
    visible_subjects,
)


class PictureQuerySet(models.QuerySet["Picture"]):
    """Who may see pictures: whoever may see what they show."""

    def visible_to(self, user: User) -> Self:
        """Pictures of visible fighters, warbands, clubs and battles."""
        return self._of(visible_subjects(user))

    def listed_for(self, user: User) -> Self:
        """What a list shows: as ``visible_to``, without what is merely unlisted."""
        return self._of(listed_subjects(user))

    def editable_by(self, user: User) -> Self:
        """Pictures of what the user may change."""
        return self._of(editable_subjects(user))

    def _of(self, subjects: Subjects) -> Self:
        """Pictures of these."""
        of_each = (Picture.objects.filter(_shows({kind: rows})) for kind, rows in subjects.items())
        return self.filter(pk__in=ids_of_any(*of_each))

    def without_subject(self) -> Self:
        """Pictures of what is not there any more."""
        return self.exclude(_shows(all_subjects()))


def _shows(subjects: Subjects) -> Q:
    shown = Q()
    for kind, rows in subjects.items():
        shown |= Q(kind=kind, subject__in=rows.order_by().values("pk"))
    return shown


class Picture(models.Model):
    """A picture of a subject, made anew from what was uploaded. It never changes, but for its
    caption: another picture is another row.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=10, choices=PictureKind)
    subject = models.UUIDField()
    """The fighter, warband, club or battle that it shows."""
    caption = models.CharField(max_length=200, blank=True, default="")
    """What a photo shows, in words; "" for portraits and crests, which their subject's name
    says."""
    digest = models.CharField(max_length=64)
    """SHA-256 of the large file."""
    large = models.FileField(max_length=200)
    small = models.FileField(max_length=200)
    large_width = models.PositiveIntegerField()
    large_height = models.PositiveIntegerField()
    small_width = models.PositiveIntegerField()
    small_height = models.PositiveIntegerField()
    added_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    added_at = models.DateTimeField()

    objects = PictureQuerySet.as_manager()

    class Meta:
        ordering = ("added_at", "id")
        indexes = (
            models.Index(fields=("kind", "subject"), name="picture_kind_subject"),
            models.Index(fields=("-added_at", "id"), name="picture_newest_first"),
        )
        constraints = (
            models.UniqueConstraint(
                fields=("kind", "subject"),
                condition=~Q(kind="battle"),
                name="one_picture_but_of_battles",
            ),
        )

    def __str__(self) -> str:
        return self.caption or f"{self.kind} {self.subject}"

    def is_visible_to(self, user: User) -> bool:
        """Whether the user may see what it shows. One query."""
        return visible_subjects(user)[PictureKind(self.kind)].filter(pk=self.subject).exists()


SIZES = ("small", "large")
FORMATS = {"jpg": "image/jpeg", "webp": "image/webp"}
"""How pictures are kept, by the ending of their files."""
