"""Webhooks of clubs, what was sent to them, and the messages that were posted in Discord."""

import uuid
from typing import Self
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from audit.models import Change
from clubs.models import Club, Role, clubs_of
from core.secret_links import opened_secret, sealed_secret
from core.users import User

WEBHOOKS = b"muster webhooks"
"""The purpose of the key that encrypts addresses and secrets."""


class WebhookKind(models.TextChoices):
    """The receiver: a program or a channel."""

    PROGRAM = "program", _("A program: signed JSON")
    DISCORD = "discord", _("A Discord channel: posts with pictures")


class PostLanguage(models.TextChoices):
    """The language of posts in Discord."""

    ENGLISH = "en-gb", "English"
    GERMAN = "de", "Deutsch"


class WebhookQuerySet(models.QuerySet["Webhook"]):
    """Webhooks by permission: only organisers see them, because the addresses are secrets."""

    def visible_to(self, user: User) -> Self:
        """Return the webhooks of clubs that the user organises."""
        if isinstance(user, AnonymousUser):
            return self.none()
        # Not those whose players may run battles: addresses and secrets are for organisers.
        return self.filter(club__in=clubs_of(user, Role.ORGANISER))

    def editable_by(self, user: User | AnonymousUser) -> Self:
        """Return the webhooks that the user may change: the same."""
        return self.visible_to(user)


class Webhook(models.Model):
    """An address to which a club sends what happens in it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="webhooks")
    kind = models.CharField(max_length=10, choices=WebhookKind, default=WebhookKind.PROGRAM)
    name = models.CharField(_("Name"), max_length=60)
    language = models.CharField(max_length=10, choices=PostLanguage, default=PostLanguage.ENGLISH)
    """The language of posts in Discord."""
    sealed = models.BinaryField()
    """The address and the secret that signs, encrypted: anyone with them can post as the club."""
    guild = models.CharField(max_length=30, blank=True, default="")
    """The id of the server in Discord, whose members can use commands about the club."""
    channel = models.CharField(max_length=30, blank=True, default="")
    """The id of the channel in Discord."""
    active = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now)

    objects = WebhookQuerySet.as_manager()

    class Meta:
        ordering = ("created_at", "id")
        indexes = (
            models.Index(fields=("guild",), condition=~Q(guild=""), name="webhooks_of_guild"),
        )

    def __str__(self) -> str:
        return self.name

    def seal(self, address: str, secret: str) -> None:
        """Set address and secret, without saving."""
        self.sealed = sealed_secret(f"{address}\n{secret}", WEBHOOKS)

    @property
    def address(self) -> str:
        """The address; "" if the installation's key was lost."""
        return opened_secret(self.sealed, WEBHOOKS).partition("\n")[0]

    @property
    def secret(self) -> str:
        """The secret that signs, as Standard Webhooks write it: "whsec_" and base64."""
        return opened_secret(self.sealed, WEBHOOKS).partition("\n")[2]

    @property
    def is_program(self) -> bool:
        """Return whether a program receives signed JSON, and not a channel posts."""
        return self.kind == WebhookKind.PROGRAM

    @property
    def host(self) -> str:
        """The host of the address: the path may be a secret."""
        return urlsplit(self.address).netloc


class DeliveryState(models.TextChoices):
    """The state of a delivery."""

    WAITING = "waiting", _("Waiting")
    SENT = "sent", _("Sent")
    FAILED = "failed", _("Failed")
    SKIPPED = "skipped", _("Nothing to send")


class Delivery(models.Model):
    """A change on its way to a webhook.

    A worker claims it before it sends, and writes the result afterwards. If the worker is killed
    between, the claim expires and another one sends the change again, with the same id.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    change = models.ForeignKey(Change, models.CASCADE, related_name="+")
    state = models.CharField(max_length=10, choices=DeliveryState, default=DeliveryState.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(default=timezone.now)
    claimed_until = models.DateTimeField(null=True, blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    """The HTTP status of the last answer, if there was one."""
    failure = models.CharField(max_length=30, blank=True, default="")
    """The code of the last failure (``outbox.failures``); "" if there was none."""
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-change__cursor", "id")
        verbose_name_plural = "deliveries"
        constraints = (
            # However often the fan-out runs: one delivery of a change to a webhook.
            models.UniqueConstraint(fields=("webhook", "change"), name="one_delivery_of_a_change"),
        )
        indexes = (
            models.Index(fields=("due_at",), condition=Q(state="waiting"), name="deliveries_due"),
            models.Index(
                fields=("finished_at",),
                condition=Q(finished_at__isnull=False),
                name="deliveries_finished",
            ),
        )

    def __str__(self) -> str:
        return f"{self.state} delivery"


class DiscordPost(models.Model):
    """A message in Discord. That about a battle or club night is edited when that changes."""

    id = models.BigAutoField(primary_key=True)
    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="posts")
    subject = models.UUIDField()
    message = models.CharField(max_length=30, blank=True, default="")
    """The id of the message in Discord; "" until it is posted."""
    begun_at = models.DateTimeField(null=True, blank=True)
    """When a new message was sent of which Discord's answer is not known: perhaps it is there."""
    claimed_until = models.DateTimeField(null=True, blank=True)
    """Until when a worker may post or edit it, so that two do not post it at the same time."""

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("webhook", "subject"), name="one_post_of_a_subject"),
        )

    def __str__(self) -> str:
        return self.message


class DiscordAccount(models.Model):
    """The account in Discord that a member has linked, so that commands there act for them."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="discord_account"
    )
    discord_id = models.CharField(max_length=30, unique=True)
    name = models.CharField(max_length=100, blank=True, default="")
    """The user name in Discord."""
    linked_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name
