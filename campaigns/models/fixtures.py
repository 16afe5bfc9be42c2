"""Rounds and fixtures: the pairings and their deadlines.

The result of a fixture is derived from its battle and never stored.
"""

import uuid
from datetime import date
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from campaigns.models.campaigns import Campaign, Enrolment
from clubs.models.clubs import Membership
from core.users import User
from warbands.signed import Signed


class Method(models.TextChoices):
    """The ways to make the pairings of a round."""

    ROUND_ROBIN = "round-robin", _("Round robin")
    SWISS = "swiss", _("Swiss")
    KNOCKOUT = "knockout", _("Knockout")
    GROUPS = "groups", _("Group stage")
    LADDER = "ladder", _("Ladder")
    BY_HAND = "by-hand", _("By hand")


class Walkover(models.TextChoices):
    """A result that an organiser entered without a battle."""

    NONE = "", _("None")
    HOME = "home", _("The first wins by walkover")
    AWAY = "away", _("The second wins by walkover")
    NOBODY = "nobody", _("Both forfeit")


class RoundQuerySet(models.QuerySet["Round"]):
    """Rounds that users can see and change."""

    def visible_to(self, user: User) -> Self:
        """Return the rounds of campaigns that the user can see."""
        return self.filter(campaign__in=Campaign.objects.visible_to(user))

    def editable_by(self, user: User) -> Self:
        """Return the rounds of campaigns that the user organises."""
        return self.filter(campaign__in=Campaign.objects.editable_by(user))


class Round(Signed):
    """Fixtures of a campaign with one deadline. A ladder is one round without an end."""

    signed = ("campaign", "number", "name", "method", "deadline", "order", "reach")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=60, blank=True, default="")
    method = models.CharField(max_length=12, choices=Method, default=Method.BY_HAND)
    deadline = models.DateField(null=True, blank=True)
    """The last day on which its fixtures can be played; None for no deadline."""
    order = models.JSONField(default=list, blank=True)
    """Ladders only: the ids of the enrolments from the top down, as the ladder began."""
    reach = models.PositiveSmallIntegerField(null=True, blank=True)
    """Ladders only: how many places above the challenger an opponent can be."""
    version = models.PositiveIntegerField(default=1)

    objects = RoundQuerySet.as_manager()

    class Meta:
        ordering = ("campaign", "number")
        constraints = (
            models.UniqueConstraint(
                fields=("campaign", "number"), name="round_number_once_per_campaign"
            ),
        )

    def __str__(self) -> str:
        return self.name or gettext("Round %(number)s") % {"number": self.number}


class FixtureQuerySet(models.QuerySet["Fixture"]):
    """Fixtures that users can see and change."""

    def visible_to(self, user: User) -> Self:
        """Return the fixtures of campaigns that the user can see."""
        return self.filter(round__campaign__in=Campaign.objects.visible_to(user))

    def editable_by(self, user: User) -> Self:
        """Return the fixtures of campaigns that the user organises."""
        return self.filter(round__campaign__in=Campaign.objects.editable_by(user))


class Fixture(Signed):
    """Two warbands that are to play each other, or one that has a bye.

    A side is an enrolment, or in a knockout the winner or loser of an earlier fixture
    (``home_from``, ``away_from``).
    """

    signed = (
        "round",
        "place",
        "home",
        "away",
        "home_from",
        "away_from",
        "of_losers",
        "bye",
        "group",
        "deadline",
        "walkover",
        "reason",
        "given_up_by",
        "agreed",
        "postponed",
        "decided_by",
        "decided_at",
    )

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    round = models.ForeignKey(Round, models.CASCADE, related_name="fixtures")
    place = models.PositiveSmallIntegerField()
    """Its place in the round, from 0; in a knockout the place in the bracket."""
    home = models.ForeignKey(Enrolment, models.CASCADE, null=True, blank=True, related_name="+")
    away = models.ForeignKey(Enrolment, models.CASCADE, null=True, blank=True, related_name="+")
    home_from = models.ForeignKey("self", models.RESTRICT, null=True, blank=True, related_name="+")
    away_from = models.ForeignKey("self", models.RESTRICT, null=True, blank=True, related_name="+")
    of_losers = models.BooleanField(default=False)
    """True if the losers of the earlier fixtures play it: the third place."""
    bye = models.BooleanField(default=False)
    """Whether ``home`` has no opponent."""
    group = models.CharField(max_length=2, blank=True, default="")
    """Group stages only: A, B, ..."""
    deadline = models.DateField(null=True, blank=True)
    """Its own deadline if it differs from the round's."""
    walkover = models.CharField(max_length=6, choices=Walkover, blank=True, default=Walkover.NONE)
    """A result that an organiser entered. A confirmed battle with a winner takes precedence."""
    reason = models.TextField(blank=True, default="")
    """Why there is a walkover."""
    given_up_by = models.JSONField(default=list, blank=True)
    """The ids of enrolments that left before the fixture was played and returned later.

    For them it stays given up.
    """
    agreed = models.TextField(blank=True, default="")
    """Why a warband plays in it by agreement although it has another fixture in the round.

    Empty for a regular fixture.
    """
    postponed = models.TextField(blank=True, default="")
    """Why its deadline was moved."""
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=1)

    objects = FixtureQuerySet.as_manager()

    class Meta:
        ordering = ("round", "place", "id")
        indexes = (
            models.Index(
                fields=("deadline",),
                condition=Q(deadline__isnull=False),
                name="fixtures_with_own_deadline",
            ),
        )
        constraints = (
            models.CheckConstraint(
                condition=Q(home__isnull=True) | Q(away__isnull=True) | ~Q(home=F("away")),
                name="fixture_between_two",
            ),
            models.CheckConstraint(
                condition=Q(bye=False)
                | Q(home__isnull=False, away__isnull=True, away_from__isnull=True),
                name="bye_for_one",
            ),
            models.CheckConstraint(
                condition=(Q(home__isnull=False) | Q(home_from__isnull=False))
                & (Q(bye=True) | Q(away__isnull=False) | Q(away_from__isnull=False)),
                name="fixture_has_sides",
            ),
        )

    def __str__(self) -> str:
        return f"{self.round}, {self.place + 1}"

    def described(self) -> str:
        """Return the number of its round and its warbands, as far as they are known."""
        warbands = [str(entry.warband) if entry else "?" for entry in (self.home, self.away)]
        return f"of round {self.round.number}, " + (
            warbands[0] if self.bye else " – ".join(warbands)
        )

    @property
    def due(self) -> date | None:
        """The last day on which it can be played. One query unless the round was loaded."""
        return self.deadline or self.round.deadline


class Substitute(Signed):
    """A member who plays a fixture instead of the player of one of its two warbands.

    The fixture's battle copies it when it is planned or linked.
    """

    signed = ("fixture", "enrolment", "player")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    fixture = models.ForeignKey(Fixture, models.CASCADE, related_name="substitutes")
    enrolment = models.ForeignKey(Enrolment, models.CASCADE, related_name="+")
    player = models.ForeignKey(Membership, models.CASCADE, related_name="substituted_fixtures")

    class Meta:
        ordering = ("fixture", "id")
        constraints = (
            models.UniqueConstraint(
                fields=("fixture", "enrolment"), name="one_substitute_for_a_side_of_a_fixture"
            ),
        )

    def __str__(self) -> str:
        return str(self.player)
