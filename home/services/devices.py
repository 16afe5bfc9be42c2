"""The devices of a member: browsers that show what waits. Added by the browser itself, removed by
anybody it concerns.

An endpoint is an address that a stranger gives us and that we send to: only those of known push
services are taken (``PUSH_SERVICES``), by HTTPS, at its usual port.
"""

import re
from base64 import urlsafe_b64decode
from fnmatch import fnmatchcase
from functools import cache
from urllib.parse import urlsplit
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from py_vapid import Vapid02
from py_vapid.utils import b64urlencode

from core.errors import InvalidInput, NotFound
from home.models import Device, DeviceNotice
from home.selectors.cards import cards_for
from home.services.preferences import locked_preferences

MOST = 20
"""So many devices a member can have."""
BROWSERS = {
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
}
BROWSERS |= {"FxiOS": "Firefox", "CriOS": "Chrome", "Chrome": "Chrome", "Safari": "Safari"}
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "CrOS": "ChromeOS",
}
SYSTEMS |= {"Mac OS X": "macOS", "Linux": "Linux"}


def devices_of(user: User) -> QuerySet[Device]:
    """The devices of a member, the newest first."""
    return Device.objects.filter(user=user)


def public_key() -> str:
    """By what browsers know this installation, in base64url; "" where it has no key, and notifies
    no device."""
    return _public(settings.VAPID_PRIVATE_KEY) if settings.VAPID_PRIVATE_KEY else ""


@cache
def _public(private_key: str) -> str:
    key = Vapid02.from_raw(private_key.encode()).public_key
    point: str = b64urlencode(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))
    return point


@transaction.atomic
def add_device(*, user: User, endpoint: str, key: str, secret: str, name: str = "") -> Device:
    """Show on a device what comes to wait from now on; done twice it is done once.

    A browser that was somebody else's goes over to who is signed in there now, with its keys.
    Raises InvalidInput "no-push", "unknown-push-service", "wrong-keys", "too-many-devices".
    """
    if not public_key():
        raise InvalidInput("no-push", gettext("This installation notifies no devices."))
    if not of_push_service(endpoint):
        raise InvalidInput(
            "unknown-push-service",
            gettext("The browser names a push service that is not known here."),
            field="endpoint",
        )
    if not _are_keys(key, secret):
        raise InvalidInput(
            "wrong-keys", gettext("These are no keys for a push service."), field="keys"
        )
    # The member's row comes first, so that devices added at once are counted one after the other.
    preferences = locked_preferences(user)
    existing = Device.objects.select_for_update().filter(endpoint=endpoint).first()
    if (
        existing
        and existing.user_id == user.pk
        and (existing.key, existing.secret) == (key, secret)
    ):
        return existing
    # Only the browser itself knows the secret of its subscription: nobody else takes the device
    # over.
    if existing and existing.secret != secret:
        raise InvalidInput(
            "wrong-keys", gettext("This device is known by other keys."), field="keys"
        )
    if existing:
        existing.delete()
    if devices_of(user).count() >= MOST:
        raise InvalidInput(
            "too-many-devices",
            gettext("You have %(number)s devices. Remove one first.") % {"number": MOST},
        )
    named = {"name": name[:60] or gettext("A device"), "key": key, "secret": secret}
    device = Device.objects.create(user=user, endpoint=endpoint, added_at=timezone.now(), **named)
    # What waits already is no news for this device.
    with timezone.override(preferences.zone):
        cards = cards_for(user, timezone.localdate())
    DeviceNotice.objects.bulk_create(
        DeviceNotice(device=device, kind=card.kind, subject=card.subject, occasion=card.occasion)
        for card in cards
    )
    return device


def remove_device(*, user: User, device_id: UUID) -> None:
    """Show nothing more there. Raises NotFound "unknown-device" for other people's too."""
    removed, _ = devices_of(user).filter(pk=device_id).delete()
    if not removed:
        raise NotFound("unknown-device", gettext("You have no such device."))


def of_push_service(endpoint: str) -> bool:
    """Whether an address belongs to a push service that is known here: by HTTPS, at its usual port,
    without a name."""
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        return False
    plain = (
        len(endpoint) <= 1000
        and re.fullmatch(r"[!-~]+", endpoint)
        and "\\" not in endpoint
        and "@" not in endpoint
    )
    host = parts.hostname or ""
    is_push_service = any(fnmatchcase(host, pattern) for pattern in settings.PUSH_SERVICES)
    return bool(plain) and parts.scheme == "https" and port in (None, 443) and is_push_service


def _are_keys(key: str, secret: str) -> bool:
    """Whether they are a point on the curve and sixteen bytes, as RFC 8291 has them."""
    try:
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), decoded(key))
        return len(decoded(secret)) == 16
    except ValueError:
        return False


def decoded(text: str) -> bytes:
    """The bytes of base64url, with or without what fills it up. Raises ValueError."""
    return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))


def browser_name(user_agent: str) -> str:
    """What a browser is called, from what it says of itself, as in "Firefox, Android"; "" if it
    says nothing known."""
    browser = next((name for sign, name in BROWSERS.items() if f"{sign}/" in user_agent), "")
    system = next((name for sign, name in SYSTEMS.items() if sign in user_agent), "")
    return ", ".join(part for part in (browser, system) if part)
