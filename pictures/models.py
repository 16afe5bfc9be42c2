"""Uploaded pictures: portraits, crests and photos, stored in two sizes."""

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
    """Pictures by visibility: users may see a picture if they may see its subject."""

    def visible_to(self, user: User) -> Self:
        """Return the pictures of visible fighters, warbands, clubs and battles."""
        return self._of(visible_subjects(user))

    def listed_for(self, user: User) -> Self:
        """Return the pictures for a list: as ``visible_to``, without unlisted ones."""
        return self._of(listed_subjects(user))

    def editable_by(self, user: User) -> Self:
        """Return the pictures of subjects that the user may change."""
        return self._of(editable_subjects(user))

    def _of(self, subjects: Subjects) -> Self:
        """Return the pictures of these subjects."""
        of_each = (Picture.objects.filter(_shows({kind: rows})) for kind, rows in subjects.items())
        return self.filter(pk__in=ids_of_any(*of_each))

    def without_subject(self) -> Self:
        """Return the pictures whose subject no longer exists."""
        return self.exclude(_shows(all_subjects()))


def _shows(subjects: Subjects) -> Q:
    shown = Q()
    for kind, rows in subjects.items():
        shown |= Q(kind=kind, subject__in=rows.order_by().values("pk"))
    return shown


class Picture(models.Model):
    """A picture of a subject, encoded again from an upload.

    Only its caption ever changes: another picture is another row.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=10, choices=PictureKind)
    subject = models.UUIDField()
    """The fighter, warband, club or battle that it shows."""
    caption = models.CharField(max_length=200, blank=True, default="")
    """The caption of a photo; "" for portraits and crests, which have the name of their subject."""
    digest = models.CharField(max_length=64)
    """The SHA-256 of the large file."""
    large = models.FileField(max_length=200)
    small = models.FileField(max_length=200)
    large_width = models.PositiveIntegerField()
    large_height = models.PositiveIntegerField()
    small_width = models.PositiveIntegerField()
    small_height = models.PositiveIntegerField()
    size = models.PositiveIntegerField(default=0)
    """The bytes of both files together."""
    club = models.UUIDField(null=True, blank=True, editable=False)
    """The club whose quota it counts against: that of its subject when it was added.

    None outside of clubs: then it counts for the member who added it.
    """
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
            models.Index(fields=("club",), name="picture_club"),
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
        """Return whether the user may see the subject. One query."""
        return visible_subjects(user)[PictureKind(self.kind)].filter(pk=self.subject).exists()


SIZES = ("small", "large")
FORMATS = {"jpg": "image/jpeg", "webp": "image/webp"}
"""The media types of stored pictures, by file extension."""
