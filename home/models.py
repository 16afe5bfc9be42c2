"""What each member prefers, which cards were sent away, and what was told by mail: so that nothing
is told twice."""

import uuid
from hashlib import sha256
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

REGIONS = [
    "Africa",
    "America",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Europe",
    "Indian",
    "Pacific",
]
TIME_ZONES = (
    "UTC",
    *sorted(name for name in available_timezones() if name.partition("/")[0] in REGIONS),
)
"""The names that a member can choose from, as in "Europe/Berlin"."""


class Mail(models.TextChoices):
    """When a member wants to be told by mail of what waits."""

    AT_ONCE = "at-once", _("At once, when something new waits")
    DAILY = "daily", _("Every morning on which something new waits")
    WEEKLY = "weekly", _("On Monday mornings, when anything waits")
    NEVER = "never", _("Never")


class Preferences(models.Model):
    """What a member prefers. Who never said anything has no row, or one with the defaults."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="inbox_preferences"
    )
    mail = models.CharField(max_length=10, choices=Mail, default=Mail.DAILY)
    time_zone = models.CharField(max_length=64, blank=True, default="")
    """A name of the zoneinfo list; "" for the zone of this installation."""
    language = models.CharField(max_length=10, choices=settings.LANGUAGES, blank=True, default="")
    """Of pages and letters; "" for what the browser asks for, and in letters for that of this
    installation."""
    digested_on = models.DateField(null=True, blank=True)
    """The last day, in the member's own zone, whose digest is done with: sent, or found empty."""
    looked_at = models.DateTimeField(default=timezone.now)
    """When the clock last had it looked whether a letter is to be sent at once."""

    class Meta:
        verbose_name_plural = "preferences"
        indexes = (
            models.Index(fields=("mail", "time_zone", "digested_on"), name="preferences_digest"),
            models.Index(fields=("mail", "looked_at"), name="preferences_looked_at"),
        )

    def __str__(self) -> str:
        return f"mail {self.mail}"

    @property
    def zone(self) -> ZoneInfo:
        """The member's time zone."""
        return ZoneInfo(self.time_zone or settings.TIME_ZONE)

    @property
    def written(self) -> str:
        """The language of the member's letters."""
        return self.language or settings.LANGUAGE_CODE


class Letter(models.Model):
    """A mail: claimed before it is sent, marked after. One that was claimed and never marked is not
    sent again."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="letters")
    kind = models.CharField(max_length=10, choices=Mail)
    day = models.DateField()
    """The day that it is of, in the member's own zone."""
    claimed_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-claimed_at", "id")
        indexes = (models.Index(fields=("-claimed_at", "id"), name="letters_newest_first"),)
        constraints = (
            models.UniqueConstraint(
                fields=("user", "kind", "day"),
                condition=~Q(kind="at-once"),
                name="one_digest_a_day",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} of {self.day}"


class AccountLetter(models.Model):
    """A mail about a change of an account, waiting to be sent. The row is deleted once the mail has
    gone out.

    It belongs to no account by a column: it has to reach an address that was just removed, of an
    account that may be deleted.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    address = models.EmailField(max_length=320)
    subject = models.CharField(max_length=200)
    body = models.TextField()
    written_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True, blank=True)
    """When a worker last took it to send it."""

    class Meta:
        ordering = ("written_at", "id")

    def __str__(self) -> str:
        return self.subject


class Notice(models.Model):
    """Something that waits was told in a letter. ``occasion`` tells apart how often the same thing
    came to wait."""

    id = models.BigAutoField(primary_key=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices")
    letter = models.ForeignKey(Letter, models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=20)
    subject = models.UUIDField()
    occasion = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(
                fields=("user", "kind", "subject", "occasion"), name="told_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"


class Device(models.Model):
    """A browser that shows its member what waits, as its push service knows it (RFC 8030, RFC
    8291)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="devices")
    name = models.CharField(max_length=60)
    """For its member, as in "Firefox, Android"."""
    endpoint = models.CharField(max_length=1000, unique=True)
    """The address of its push service: whoever knows it and the keys can show something there."""
    key = models.CharField(max_length=100)
    """The public key for which news are encrypted, in base64url ("p256dh")."""
    secret = models.CharField(max_length=40)
    """The secret that goes with it ("auth")."""
    added_at = models.DateTimeField()
    told_at = models.DateTimeField(null=True, blank=True)
    """When its push service last took something."""
    looked_at = models.DateTimeField(default=timezone.now, db_index=True)
    """When the clock last had it looked whether it has something to show."""

    class Meta:
        ordering = ("-added_at", "id")

    def __str__(self) -> str:
        return self.name

    @property
    def trace(self) -> str:
        """By what its browser knows it on a page, without telling anybody how it is reached."""
        return sha256(self.endpoint.encode()).hexdigest()


class DeviceNotice(models.Model):
    """Something that waits was shown by a device, or waited already when the device was added."""

    id = models.BigAutoField(primary_key=True)
    device = models.ForeignKey(Device, models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=20)
    subject = models.UUIDField()
    occasion = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(
                fields=("device", "kind", "subject", "occasion"), name="shown_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"


class Dismissal(models.Model):
    """A card that a member does not want to see, such as that of a campaign that is nothing for
    them."""

    id = models.BigAutoField(primary_key=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="dismissals")
    kind = models.CharField(max_length=20)
    subject = models.UUIDField()

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(fields=("user", "kind", "subject"), name="dismissed_once"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"
