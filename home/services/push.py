"""Notifications on devices: new cards, encrypted for the browser and sent to its push service.

They are claimed before sending, like letters (``home.services.letters``): what was claimed and may
have arrived is never sent again. The claim is released only if the push service was unavailable or
asked to try later.
"""

import logging
import time
from collections.abc import Sequence
from email.utils import parseaddr
from urllib.parse import urlsplit
from uuid import UUID

import http_ece
import msgspec
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from django.conf import settings
from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import ngettext
from py_vapid import Vapid02
from urllib3 import PoolManager, Timeout
from urllib3.exceptions import (
    ConnectTimeoutError,
    HTTPError,
    NameResolutionError,
    NewConnectionError,
    SSLError,
)

from home.models import Device, DeviceNotice
from home.selectors.card_kinds import Card
from home.selectors.cards import OF_ONES_OWN, cards_for
from home.services.devices import decoded, of_push_service
from home.services.letters import NotSent, waits_for_morning
from home.services.preferences import preferences_of

DAY = 24 * 3600
"""The time for which a push service keeps an undelivered message, in seconds.

Our signature is valid for half of it.
"""
LONGEST = {"title": 120, "body": 300}
"""The limits of a message in characters.

A push service accepts 4,096 bytes, and a phone shows two lines.
"""
GONE = (404, 410)
LATER = (408, 425, 429)
NEVER_THERE = (NewConnectionError, NameResolutionError, ConnectTimeoutError, SSLError)

service = PoolManager(num_pools=4, timeout=Timeout(connect=5, read=10), retries=False)
"""The HTTP client for push services. It follows no redirects and never retries."""
logger = logging.getLogger("muster.inbox")


def notify(*, device_id: UUID) -> bool:
    """Show the new cards on a device, in one message. Return whether it was sent.

    Cards that the device has shown are not shown again. May run twice, at the same time, or after
    an incomplete run. A device that its push service no longer knows is deleted. Raises
    Device.DoesNotExist and NotSent.
    """
    with transaction.atomic():
        device = (
            Device.objects.select_for_update(of=("self",)).select_related("user").get(pk=device_id)
        )
        message, claimed = _claim(device)
    return message is not None and _deliver(device, message, claimed)


class Message(msgspec.Struct, frozen=True):
    """The message that a device shows: two lines, and the path of the page that opens.

    The next message with the same ``tag`` replaces it.
    """

    title: str
    body: str
    url: str
    tag: str


def _claim(device: Device) -> tuple[Message | None, list[int]]:
    """Return the message for a device, and the keys of the notices that claim it.

    Runs in the transaction of the caller. Without anything to show, return None and no keys.
    """
    if (
        not device.user.is_active
        or not settings.VAPID_PRIVATE_KEY
        or not of_push_service(device.endpoint)
    ):
        return None, []
    preferences = preferences_of(device.user)
    with timezone.override(preferences.zone), translation.override(preferences.written):
        shown = set(device.notices.values_list("kind", "subject", "occasion"))
        cards = [
            card
            for card in cards_for(device.user, timezone.localdate())
            if card.kind not in OF_ONES_OWN
        ]
        news = [
            card
            for card in cards
            if (card.kind, card.subject, card.occasion) not in shown and not waits_for_morning(card)
        ]
        if not news:
            return None, []
        notices = DeviceNotice.objects.bulk_create(
            DeviceNotice(
                device=device, kind=card.kind, subject=card.subject, occasion=card.occasion
            )
            for card in news
        )
        return message_of(news), [notice.pk for notice in notices]


def message_of(news: Sequence[Card]) -> Message:
    """Return the message for new cards, in the active language."""
    first = news[0]
    if len(news) == 1:
        message = Message(first.title, first.sentence, first.url, f"{first.kind} {first.subject}")
    else:
        counted = ngettext(
            "You have %(number)s new task", "You have %(number)s new tasks", len(news)
        )
        titles = " · ".join(dict.fromkeys(card.title for card in news))
        message = Message(counted % {"number": len(news)}, titles, "/", "")
    return msgspec.structs.replace(
        message, **{name: _cut(getattr(message, name), most) for name, most in LONGEST.items()}
    )


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _deliver(device: Device, message: Message, claimed: Sequence[int]) -> bool:
    """Send a claimed message outside of any transaction. Raises NotSent."""
    try:
        answer = service.request(
            "POST",
            device.endpoint,
            body=_encrypted(device, message),
            headers=_headers(device.endpoint),
            redirect=False,
        )
    except NEVER_THERE as error:
        raise _not_sent(claimed, type(error).__name__) from error
    except HTTPError:
        # The connection broke, so it may have arrived: no message is better than two.
        logger.warning(
            "Whether a device was notified is not known",
            extra={"device": str(device.pk)},
            exc_info=True,
        )
        return False
    if answer.status in GONE:
        device.delete()
        return False
    if answer.status in LATER or answer.status >= 500:
        raise _not_sent(claimed, f"{answer.status}")
    if answer.status not in (200, 201, 202, 204):
        logger.warning(
            "A push service refused a message: %s", answer.status, extra={"device": str(device.pk)}
        )
        return False
    Device.objects.filter(pk=device.pk).update(told_at=timezone.now())
    return True


def _not_sent(claimed: Sequence[int], why: str) -> NotSent:
    DeviceNotice.objects.filter(pk__in=claimed).delete()
    return NotSent(f"The push service: {why}")


def _encrypted(device: Device, message: Message) -> bytes:
    """Encrypt the message for the browser (RFC 8291). The push service cannot read it."""
    sealed: bytes = http_ece.encrypt(
        msgspec.json.encode(message),
        private_key=generate_private_key(SECP256R1()),
        dh=decoded(device.key),
        auth_secret=decoded(device.secret),
        version="aes128gcm",
    )
    return sealed


def _headers(endpoint: str) -> dict[str, str]:
    """Return the headers, with our signature for this push service (RFC 8292)."""
    claims = {
        "sub": _contact(),
        "aud": f"https://{urlsplit(endpoint).netloc}",
        "exp": int(time.time()) + DAY // 2,
    }
    signed: dict[str, str] = Vapid02.from_raw(settings.VAPID_PRIVATE_KEY.encode()).sign(claims)
    plain = {"Content-Type": "application/octet-stream", "Content-Encoding": "aes128gcm"}
    return {**plain, **signed, "TTL": str(DAY), "Urgency": "normal"}


def _contact() -> str:
    """Return the contact of this installation for push services.

    This is the site's address if it has HTTPS, or else the sender of its e-mails.
    """
    site = urlsplit(settings.SITE_URL)
    if site.scheme == "https" and site.hostname:
        return f"https://{site.hostname}"
    return f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"
