"""Evenings: when and where a club plays, and who comes; secret addresses of calendars."""

import uuid
from datetime import datetime
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from clubs.models.clubs import Club, Membership, Role, clubs_of
from core.secret_links import CALENDARS, opened_secret
from core.users import User


class EveningQuerySet(models.QuerySet["Evening"]):
    """Who may see and change evenings."""

    def visible_to(self, user: User) -> Self:
        """The evenings of clubs that one can see."""
        return self.filter(club__in=Club.objects.visible_to(user))

    def editable_by(self, user: User) -> Self:
        """The evenings of clubs that one organises."""
        if not user.is_authenticated:
            return self.none()
        return self.filter(club__in=clubs_of(user, Role.ORGANISER))

    def ahead(self, now: datetime) -> Self:
        """Those that are not over, the next one first; cancelled ones too."""
        return self.filter(ends_at__gt=now).order_by("starts_at", "id")


class Evening(models.Model):
    """A date on which a club plays. One that is cancelled stays, so that calendars can say so."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="evenings")
    series = models.UUIDField(null=True, blank=True, db_index=True)
    """What it shares with those that were made together with it; None for one that was made
    alone."""
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    place = models.CharField(max_length=120, blank=True, default="")
    note = models.TextField(blank=True, default="")
    cancelled_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=300, blank=True, default="")
    """Why it was cancelled."""
    version = models.PositiveIntegerField(default=1)
    """Goes up with every change that calendars have to hear of."""
    changed_at = models.DateTimeField()
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

    @property
    def later(self) -> "models.QuerySet[Evening]":
        """Those of its series that come after it, the next one first."""
        after = Evening.objects.filter(series=self.series, starts_at__gt=self.starts_at)
        return after.order_by("starts_at", "id") if self.series else Evening.objects.none()

    @property
    def local_start(self) -> datetime:
        """When it starts by the club's clocks; the club should be loaded with it."""
        return self.starts_at.astimezone(self.club.zone)

    @property
    def local_end(self) -> datetime:
        """When it ends by the club's clocks."""
        return self.ends_at.astimezone(self.club.zone)


class Answer(models.TextChoices):
    """What somebody says about an evening."""

    COMING = "coming", _("I come")
    PERHAPS = "perhaps", _("Perhaps")
    NOT_COMING = "not-coming", _("I cannot come")


class Attendance(models.Model):
    """What a member has answered about an evening."""

    id = models.BigAutoField(primary_key=True)
    evening = models.ForeignKey(Evening, models.CASCADE, related_name="attendances")
    member = models.ForeignKey(Membership, models.CASCADE, related_name="attendances")
    answer = models.CharField(max_length=10, choices=Answer)
    answered_at = models.DateTimeField()

    class Meta:
        ordering = ("evening", "answered_at", "id")
        constraints = (
            models.UniqueConstraint(fields=("evening", "member"), name="one_answer_for_an_evening"),
        )

    def __str__(self) -> str:
        return f"{self.member}: {self.answer}"


class CalendarLink(models.Model):
    """Somebody's secret calendar address. Made anew or revoked, the old one leads nowhere."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="calendar_link"
    )
    digest = models.CharField(max_length=64, unique=True)
    """SHA-256 of the secret, by which the link is known again."""
    sealed = models.BinaryField(editable=False)
    """The secret under the installation's key, to be shown to its owner again."""
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"calendar of {self.user}"

    @property
    def secret(self) -> str:
        """Its secret, for its owner's eyes; "" if the site has another key by now."""
        return opened_secret(self.sealed, CALENDARS)
