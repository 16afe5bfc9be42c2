"""The members' preferences, their dismissed cards, and what was sent to them.

The notices make sure that nothing is sent twice.
"""

import uuid
from hashlib import sha256
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.time_zones import REGIONS

TIME_ZONES = (
    "UTC",
    *sorted(name for name in available_timezones() if name.partition("/")[0] in REGIONS),
)
"""The names that a member can choose from, such as "Europe/Berlin"."""


class Mail(models.TextChoices):
    """When a member wants e-mails about their cards."""

    THIS_WEEK = "this-week", _("Immediately for this week's tasks, daily for the rest")
    AT_ONCE = "at-once", _("Immediately")
    DAILY = "daily", _("Daily, if there is something new")
    WEEKLY = "weekly", _("Weekly on Mondays, if there is something to do")
    NEVER = "never", _("Never")


WITH_LETTERS_AT_ONCE = (Mail.THIS_WEEK, Mail.AT_ONCE)
WITH_DIGESTS = (Mail.THIS_WEEK, Mail.DAILY, Mail.WEEKLY)


class Preferences(models.Model):
    """The preferences of a member. Without a choice, there is no row or one with the defaults."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="inbox_preferences"
    )
    mail = models.CharField(max_length=10, choices=Mail, default=Mail.THIS_WEEK)
    time_zone = models.CharField(max_length=64, blank=True, default="")
    """A zoneinfo name; "" for the zone of this installation."""
    language = models.CharField(max_length=10, choices=settings.LANGUAGES, blank=True, default="")
    """The language of pages and letters.

    "" means the browser's language on pages, and the installation's language in letters.
    """
    digested_on = models.DateField(null=True, blank=True)
    """The last day, in the member's zone, whose digest is finished: sent, or found to be empty."""
    looked_at = models.DateTimeField(default=timezone.now)
    """When a periodic task last checked whether to send a letter at once."""

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
    """An e-mail with cards. It is claimed before it is sent, and marked afterwards.

    A letter that was claimed but never marked is not sent again.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="letters")
    kind = models.CharField(max_length=10, choices=Mail)
    day = models.DateField()
    """The day of the digest, in the member's zone."""
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
    """An e-mail about a change of an account. The row is deleted once the e-mail is sent.

    It has no foreign key to the account: it must reach an address that was just removed, or the
    owner of an account that may be deleted.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    address = models.EmailField(max_length=320)
    subject = models.CharField(max_length=200)
    body = models.TextField()
    written_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True, blank=True)
    """When a worker last claimed it for sending."""

    class Meta:
        ordering = ("written_at", "id")

    def __str__(self) -> str:
        return self.subject


class Notice(models.Model):
    """A card that was in a letter.

    ``occasion`` distinguishes repeated cards of the same subject.
    """

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
    """A browser that shows notifications of a member, with its push subscription.

    See RFC 8030 and RFC 8291.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="devices")
    name = models.CharField(max_length=60)
    """The name for the member, such as "Firefox, Android"."""
    endpoint = models.CharField(max_length=1000, unique=True)
    """The address at the push service.

    Anyone with it and the keys can show something on the device.
    """
    key = models.CharField(max_length=100)
    """The public key to encrypt messages for the device, in base64url ("p256dh")."""
    secret = models.CharField(max_length=40)
    """The shared secret of the subscription, in base64url ("auth")."""
    added_at = models.DateTimeField()
    told_at = models.DateTimeField(null=True, blank=True)
    """When the push service last accepted a message."""
    looked_at = models.DateTimeField(default=timezone.now, db_index=True)
    """When a periodic task last checked for new cards to show."""

    class Meta:
        ordering = ("-added_at", "id")

    def __str__(self) -> str:
        return self.name

    @property
    def trace(self) -> str:
        """A hash by which a page recognises the browser's own device, without the endpoint."""
        return sha256(self.endpoint.encode()).hexdigest()


class DeviceNotice(models.Model):
    """A card that the device has shown, or that existed before the device was added."""

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
    """A card that a member has dismissed, such as that of a campaign they do not want to enter."""

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
