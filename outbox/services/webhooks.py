"""Webhooks of a club: add, change, pause, resume and remove them. Only organisers can."""

import re
from functools import partial
from typing import Annotated, Any
from urllib.parse import urlsplit
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from msgspec import UNSET, UnsetType

from audit.services.recording import record
from audit.verbs import Verb
from clubs.services.permissions import find, locked, organised_club
from core.cleaning import field_error
from core.errors import StateConflict
from core.inputs import Input, column, field, validate_fields
from outbox.models import PostLanguage, Webhook, WebhookKind
from outbox.safe_requests import LONGEST_ADDRESS, Refused, check_address, is_exempt
from outbox.signing import fresh_webhook_secret
from warbands.outbox import send_or_keep

LEARN_GUILD = "outbox.tasks.learn_guild"
MOST = 10
"""The most webhooks of a club."""
DISCORD_HOSTS = ("discord.com", "discordapp.com", "ptb.discord.com", "canary.discord.com")
DISCORD_PATH = re.compile(r"/api(/v\d+)?/webhooks/\d{1,20}/[\w-]{1,100}")


class NewWebhook(Input, frozen=True, kw_only=True):
    """An address to send to, and what is there."""

    name: Annotated[str, column(Webhook, "name", line=True, min_length=1)]
    kind: Annotated[WebhookKind, field(_("Sends to"))] = WebhookKind.PROGRAM
    address: Annotated[
        str,
        field(
            _("Address"),
            _(
                "Starts with https://. In Discord: Server settings, Integrations, Webhooks, "
                "Copy webhook URL."
            ),
            line=True,
            min_length=1,
            max_length=LONGEST_ADDRESS,
        ),
    ]
    language: Annotated[PostLanguage, field(_("Language of posts in Discord"))] = (
        PostLanguage.ENGLISH
    )


@transaction.atomic
def add_webhook(
    *,
    club_id: UUID,
    user: User,
    name: str,
    address: str,
    kind: str = WebhookKind.PROGRAM,
    language: str = PostLanguage.ENGLISH,
) -> Webhook:
    """Add a webhook, which gets what happens from now on, and return it.

    Raises NotFound, Forbidden, InvalidInput ("webhook-address", "not-a-discord-webhook") and
    StateConflict "too-many-webhooks".
    """
    club = organised_club(club_id, user)
    given = {"name": name, "kind": kind, "address": address.strip(), "language": language}
    values = validate_fields(NewWebhook, given)
    expect_address(values["address"], WebhookKind(values["kind"]))
    if club.webhooks.count() >= MOST:
        sentence = gettext("A club can have %(number)s webhooks. Remove one first.")
        raise StateConflict("too-many-webhooks", sentence % {"number": MOST})
    webhook = Webhook(club=club, name=values["name"], kind=values["kind"])
    webhook.language = values["language"]
    webhook.seal(values["address"], fresh_webhook_secret())
    webhook.save()
    _audit(Verb.WEBHOOK_ADDED, webhook, user)
    if webhook.kind == WebhookKind.DISCORD:
        transaction.on_commit(partial(send_or_keep, LEARN_GUILD, [[str(webhook.pk)]]))
    return webhook


class WebhookEdit(Input, frozen=True, kw_only=True):
    """Changes of a webhook."""

    name: Annotated[str | UnsetType, column(Webhook, "name", line=True, min_length=1)] = UNSET
    address: Annotated[
        str | UnsetType,
        field(_("Address"), line=True, min_length=1, max_length=LONGEST_ADDRESS),
    ] = UNSET
    language: Annotated[PostLanguage | UnsetType, field(_("Language of posts in Discord"))] = UNSET
    active: Annotated[bool | UnsetType, field(_("Active"))] = UNSET


@transaction.atomic
def edit_webhook(*, webhook_id: UUID, user: User, **changes: Any) -> Webhook:
    """Change a webhook and return it. ``changes`` are fields of ``WebhookEdit``.

    The secret stays, so that a program that has moved still knows it. Raises NotFound, and
    InvalidInput as ``add_webhook``.
    """
    webhook = find(locked(Webhook.objects.visible_to(user)), webhook_id, "webhook")
    if "address" in changes:
        changes["address"] = changes["address"].strip()
    cleaned = validate_fields(WebhookEdit, changes)
    active = cleaned.pop("active", webhook.active)
    address = cleaned.pop("address", webhook.address)
    if address != webhook.address:
        expect_address(address, WebhookKind(webhook.kind))
        webhook.seal(address, webhook.secret)
        # The messages are in the old channel, and perhaps on another server.
        webhook.guild = webhook.channel = ""
        webhook.posts.all().delete()
        if webhook.kind == WebhookKind.DISCORD:
            transaction.on_commit(partial(send_or_keep, LEARN_GUILD, [[str(webhook.pk)]]))
        is_changed = True
    else:
        is_changed = any(getattr(webhook, name) != value for name, value in cleaned.items())
    for name, value in cleaned.items():
        setattr(webhook, name, value)
    webhook.save()
    if is_changed:
        _audit(Verb.WEBHOOK_CHANGED, webhook, user)
    return set_webhook_active(webhook_id=webhook_id, user=user, active=active)


@transaction.atomic
def set_webhook_active(*, webhook_id: UUID, user: User, active: bool) -> Webhook:
    """Pause or resume a webhook. What happens during a pause is not sent. Raises NotFound."""
    webhook = find(locked(Webhook.objects.visible_to(user)), webhook_id, "webhook")
    if webhook.active != active:
        webhook.active = active
        webhook.save(update_fields=["active"])
        _audit(Verb.WEBHOOK_RESUMED if active else Verb.WEBHOOK_PAUSED, webhook, user)
    return webhook


@transaction.atomic
def remove_webhook(*, webhook_id: UUID, user: User) -> None:
    """Remove a webhook with its deliveries. Raises NotFound."""
    webhook = find(locked(Webhook.objects.visible_to(user)), webhook_id, "webhook")
    _audit(Verb.WEBHOOK_REMOVED, webhook, user)
    webhook.delete()


def expect_address(address: str, kind: WebhookKind) -> None:
    """Check an address to which Muster will send.

    Raises InvalidInput "webhook-address" or "not-a-discord-webhook".
    """
    try:
        check_address(address)
    except Refused as refusal:
        sentence = gettext(
            "Muster cannot send to this address. Enter a public one that starts with https://."
        )
        raise field_error("address", "webhook-address", sentence, address[:40]) from refusal
    parts = urlsplit(address)
    host = parts.hostname or ""
    in_discord = host in DISCORD_HOSTS or is_exempt(host)
    if kind == WebhookKind.DISCORD and not (in_discord and DISCORD_PATH.fullmatch(parts.path)):
        sentence = gettext(
            "This is not the address of a Discord webhook. Example: "
            "https://discord.com/api/webhooks/123/abc."
        )
        raise field_error("address", "not-a-discord-webhook", sentence, address[:40])


def _audit(verb: Verb, webhook: Webhook, user: User) -> None:
    record(verb, webhook, user=user, club=webhook.club_id, host=webhook.host)
