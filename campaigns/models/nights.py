"""The games of a club night with their tables."""

import uuid
from typing import Self

from django.db import models
from django.db.models import F, Q

from campaigns.models.campaigns import Campaign
from campaigns.models.fixtures import Fixture
from clubs.models import Evening, Membership, Role, clubs_of
from core.users import User


class TableGameQuerySet(models.QuerySet["TableGame"]):
    """Games of club nights that users can see and change."""

    def visible_to(self, user: User) -> Self:
        """Return published games of the user's clubs, and drafts of clubs the user organises."""
        if not user.is_authenticated:
            return self.none()
        published = Q(evening__published_at__isnull=False, evening__club__in=clubs_of(user))
        return self.filter(published | Q(evening__club__in=clubs_of(user, Role.ORGANISER)))

    def editable_by(self, user: User) -> Self:
        """Return the games of clubs that the user organises."""
        if not user.is_authenticated:
            return self.none()
        return self.filter(evening__club__in=clubs_of(user, Role.ORGANISER))


class TableGame(models.Model):
    """Two members who play each other at a club night, or one who sits out.

    It is a draft until its evening is published.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    evening = models.ForeignKey(Evening, models.CASCADE, related_name="games")
    first = models.ForeignKey(Membership, models.CASCADE, related_name="+")
    second = models.ForeignKey(Membership, models.CASCADE, null=True, blank=True, related_name="+")
    """The opponent; None if ``first`` sits out."""
    table = models.PositiveSmallIntegerField(null=True, blank=True)
    """The number of its table; None if no table is free."""
    fixture = models.ForeignKey(
        Fixture, models.SET_NULL, null=True, blank=True, related_name="table_games"
    )
    campaign = models.ForeignKey(
        Campaign, models.SET_NULL, null=True, blank=True, related_name="table_games"
    )
    """The campaign in which both can play it; None for a friendly game."""
    started_at = models.DateTimeField(null=True, blank=True)
    """When an organiser or player marked it as begun. After that it is not changed."""

    objects = TableGameQuerySet.as_manager()

    class Meta:
        ordering = ("evening", F("table").asc(nulls_last=True), "id")
        constraints = (
            models.CheckConstraint(
                condition=Q(second__isnull=True) | ~Q(first=F("second")), name="table_game_of_two"
            ),
        )

    def __str__(self) -> str:
        return f"{self.first} – {self.second or '?'}"
