"""Merges of two members of a club, with the data to undo them."""

import uuid
from datetime import timedelta
from typing import Self

from django.conf import settings
from django.db import models

from clubs.models.clubs import Club, Membership, Role, clubs_of
from core.users import User
from warbands.signed import Signed

UNDO_WITHIN = timedelta(days=30)
"""The time in which a merge can be undone."""


class MergeQuerySet(models.QuerySet["Merge"]):
    """Merges, which organisers see and undo."""

    def visible_to(self, user: User) -> Self:
        """Return the merges in clubs that the user organises."""
        if not user.is_authenticated:
            return self.none()
        return self.filter(club__in=clubs_of(user, Role.ORGANISER))

    def standing(self) -> Self:
        """Return the merges that were not undone."""
        return self.filter(undone_at__isnull=True)


class Merge(Signed):
    """The merge of a member without an account into another member.

    It holds what an undo restores, since the merged member is deleted.
    """

    signed = (
        "club",
        "member",
        "role_before",
        "seat",
        "seat_user",
        "name",
        "role",
        "joined_at",
        "moved",
        "merged_by",
        "merged_at",
        "undone_at",
    )

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="merges")
    member = models.ForeignKey(Membership, models.CASCADE, related_name="merges")
    """The member who stayed and received everything."""
    role_before = models.CharField(max_length=10, choices=Role)
    """The role of ``member`` before the merge."""
    seat = models.UUIDField()
    """The id of the merged member, which an undo restores.

    The name, role and dates below were theirs too.
    """
    seat_user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    """The placeholder of an imported archive; None for a guest."""
    name = models.CharField(max_length=80)
    role = models.CharField(max_length=10, choices=Role)
    joined_at = models.DateTimeField()
    moved = models.JSONField(default=dict)
    """The rows that changed hands.

    These are the ids of enrolments, journal entries and answers; each warband with its owner and
    keeper before; and the merged member's answers about club nights that both had answered.
    """
    merged_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    merged_at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True, blank=True)

    objects = MergeQuerySet.as_manager()

    class Meta:
        ordering = ("-merged_at", "id")

    def __str__(self) -> str:
        return f"{self.name} into {self.member}"
