"""Club nights with their times and answers, and secret addresses of calendars."""

import uuid
from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from clubs.models.clubs import Club, Membership, Role, clubs_of
from core.secret_links import CALENDARS, opened_secret
from core.users import User

DOORS_OPEN = timedelta(hours=6)
"""The time before its start from which members can check in."""


class EveningQuerySet(models.QuerySet["Evening"]):
    """Club nights by what a user may see and change."""

    def visible_to(self, user: User) -> Self:
        """Return the club nights of clubs that the user can see."""
        return self.filter(club__in=Club.objects.visible_to(user))

    def with_names_for(self, user: User) -> Self:
        """Return the club nights whose answers the user may read by name: of the user's clubs."""
        return self.filter(club__in=clubs_of(user)) if user.is_authenticated else self.none()

    def editable_by(self, user: User) -> Self:
        """Return the club nights of clubs that the user organises."""
        if not user.is_authenticated:
            return self.none()
        return self.filter(club__in=clubs_of(user, Role.ORGANISER))

    def ahead(self, now: datetime) -> Self:
        """Return those that are not over, the next one first, including cancelled ones."""
        return self.filter(ends_at__gt=now).order_by("starts_at", "id")


class Evening(models.Model):
    """A club night. A cancelled one stays, so that calendars can show that."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="evenings")
    series = models.UUIDField(null=True, blank=True, db_index=True)
    """The id that it shares with those created together with it; None for a single one."""
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    place = models.CharField(max_length=120, blank=True, default="")
    note = models.TextField(blank=True, default="")
    cancelled_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=300, blank=True, default="")
    """The reason why it was cancelled."""
    version = models.PositiveIntegerField(default=1)
    """The number of the version, which rises with every change that calendars need."""
    changed_at = models.DateTimeField()
    moved_at = models.DateTimeField(null=True, blank=True)
    """When it last got another start or place: earlier answers may be wrong then."""
    tables = models.PositiveSmallIntegerField(default=0)
    """The number of tables; 0 for as many as there are games."""
    large_tables = models.PositiveSmallIntegerField(default=0)
    """The number of large tables: tables 1 to this number."""
    pairing_seed = models.PositiveIntegerField(default=1)
    """The seed of its draft pairings: the same seed gives the same draft."""
    pairing_version = models.PositiveIntegerField(default=0)
    """The number of changes of its pairings; 0 while there is no draft."""
    published_at = models.DateTimeField(null=True, blank=True)
    """When its pairings were published: before, only organisers see them."""
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = EveningQuerySet.as_manager()

    class Meta:
        ordering = ("starts_at", "id")
        constraints = (
            models.CheckConstraint(
                condition=Q(ends_at__gt=F("starts_at")), name="evening_ends_later"
            ),
        )
        indexes = (models.Index(fields=("club", "starts_at"), name="evening_of_club"),)

    def __str__(self) -> str:
        return f"{self.club}, {self.local_start:%d %B %Y}"

    def takes_check_ins(self, now: datetime) -> bool:
        """Return whether members can check in: from six hours before until its end."""
        return self.cancelled_at is None and self.starts_at - DOORS_OPEN <= now < self.ends_at

    @property
    def later(self) -> "models.QuerySet[Evening]":
        """Return those of its series that come after it, the next one first."""
        after = Evening.objects.filter(series=self.series, starts_at__gt=self.starts_at)
        return after.order_by("starts_at", "id") if self.series else Evening.objects.none()

    @property
    def local_start(self) -> datetime:
        """Its start in the club's time zone; select the club with it."""
        return self.starts_at.astimezone(self.club.zone)

    @property
    def local_end(self) -> datetime:
        """Its end in the club's time zone; select the club with it."""
        return self.ends_at.astimezone(self.club.zone)


class Answer(models.TextChoices):
    """A member's answer about a club night."""

    COMING = "coming", _("Going")
    PERHAPS = "perhaps", _("Maybe")
    NOT_COMING = "not-coming", _("Not going")


class Loan(models.TextChoices):
    """A member's wish about a warband on loan at a club night."""

    NONE = "", _("I bring my own")
    NEEDED = "needed", _("I need one on loan")
    OFFERED = "offered", _("I can lend one")


class Attendance(models.Model):
    """The answer of one member about one club night, and whether the member was there."""

    id = models.BigAutoField(primary_key=True)
    evening = models.ForeignKey(Evening, models.CASCADE, related_name="attendances")
    member = models.ForeignKey(Membership, models.CASCADE, related_name="attendances")
    answer = models.CharField(max_length=10, choices=Answer)
    answered_at = models.DateTimeField()
    by_organiser = models.BooleanField(default=False)
    """True if an organiser gave the answer, for example for a member who phoned."""
    arrived_at = models.DateTimeField(null=True, blank=True)
    """When the member checked in."""
    no_show = models.BooleanField(default=False)
    """True if an organiser marked the member as absent."""
    seeks_opponent = models.BooleanField(default=False)
    """True if the member is looking for an opponent."""
    loan = models.CharField(max_length=7, choices=Loan, blank=True, default=Loan.NONE)

    class Meta:
        ordering = ("evening", "answered_at", "id")
        constraints = (
            models.UniqueConstraint(fields=("evening", "member"), name="one_answer_for_an_evening"),
        )

    def __str__(self) -> str:
        return f"{self.member}: {self.answer}"


class ForbiddenPair(models.Model):
    """Two members who are never paired at a club night. Only organisers see it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="forbidden_pairs")
    first = models.ForeignKey(Membership, models.CASCADE, related_name="+")
    second = models.ForeignKey(Membership, models.CASCADE, related_name="+")

    class Meta:
        ordering = ("club", "id")
        constraints = (
            models.UniqueConstraint(fields=("first", "second"), name="forbidden_pair_once"),
            models.CheckConstraint(condition=~Q(first=F("second")), name="forbidden_pair_of_two"),
        )

    def __str__(self) -> str:
        return f"{self.first} – {self.second}"


class CalendarLink(models.Model):
    """The secret calendar address of a user. A new or revoked one makes the old one invalid."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="calendar_link"
    )
    digest = models.CharField(max_length=64, unique=True)
    """The SHA-256 of the secret, by which the link is recognised."""
    sealed = models.BinaryField(editable=False)
    """The secret, encrypted with the installation's key, to show it to its owner again."""
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"calendar of {self.user}"

    @property
    def secret(self) -> str:
        """The secret, for its owner; "" if the site's key has changed."""
        return opened_secret(self.sealed, CALENDARS)
