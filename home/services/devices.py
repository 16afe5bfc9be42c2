"""The devices of a member: browsers that show notifications.

The browser itself adds its device. An endpoint is an address from a stranger to which we send
requests, so only those of known push services are accepted (``PUSH_SERVICES``), over HTTPS and at
the default port.
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
from core.users import expect_person
from home.models import Device, DeviceNotice
from home.selectors.cards import cards_for
from home.services.preferences import locked_preferences

MOST = 20
"""The number of devices that a member can have."""
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
    """Return the devices of a member, newest first."""
    return Device.objects.filter(user=user)


def public_key() -> str:
    """Return the VAPID public key of this installation in base64url.

    Return "" if it has no key; then no device gets notifications.
    """
    return _public(settings.VAPID_PRIVATE_KEY) if settings.VAPID_PRIVATE_KEY else ""


@cache
def _public(private_key: str) -> str:
    key = Vapid02.from_raw(private_key.encode()).public_key
    point: str = b64urlencode(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))
    return point


@transaction.atomic
def add_device(*, user: User, endpoint: str, key: str, secret: str, name: str = "") -> Device:
    """Add a device, which shows new cards from now on. A repeated call returns the same device.

    A browser that another member used is moved to the user who is signed in there now, if it knows
    the secret. Raises InvalidInput (`no-push`, `unknown-push-service`, `wrong-keys`,
    `too-many-devices`), and Forbidden "people-only" for a bot.
    """
    expect_person(user)
    if not public_key():
        raise InvalidInput("no-push", gettext("This site does not send notifications."))
    if not of_push_service(endpoint):
        raise InvalidInput(
            "unknown-push-service",
            gettext("This browser's push service is not supported here."),
            field="endpoint",
        )
    if not _are_keys(key, secret):
        raise InvalidInput(
            "wrong-keys", gettext("These are not valid push service keys."), field="keys"
        )
    # Lock the member's row first, so that devices added at the same time are counted one by one.
    preferences = locked_preferences(user)
    existing = Device.objects.select_for_update().filter(endpoint=endpoint).first()
    if (
        existing
        and existing.user_id == user.pk
        and (existing.key, existing.secret) == (key, secret)
    ):
        return existing
    # Only the browser itself knows the secret of its subscription, so nobody else can take over
    # the device.
    if existing and existing.secret != secret:
        raise InvalidInput(
            "wrong-keys", gettext("This device is registered with other keys."), field="keys"
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
    # Cards that exist already are not new for this device.
    with timezone.override(preferences.zone):
        cards = cards_for(user, timezone.localdate())
    DeviceNotice.objects.bulk_create(
        DeviceNotice(device=device, kind=card.kind, subject=card.subject, occasion=card.occasion)
        for card in cards
    )
    return device


def remove_device(*, user: User, device_id: UUID) -> None:
    """Remove a device of the user.

    Raises NotFound (`unknown-device`), also for those of other users.
    """
    removed, _ = devices_of(user).filter(pk=device_id).delete()
    if not removed:
        raise NotFound("unknown-device", gettext("Device not found."))


def of_push_service(endpoint: str) -> bool:
    """Return whether an address belongs to a known push service.

    It must use HTTPS and the default port, and have no user name.
    """
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
    """Return whether these are a point on the curve and sixteen bytes, as in RFC 8291."""
    try:
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), decoded(key))
        return len(decoded(secret)) == 16
    except ValueError:
        return False


def decoded(text: str) -> bytes:
    """Return the bytes of base64url text, with or without padding. Raises ValueError."""
    return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))


def browser_name(user_agent: str) -> str:
    """Return the name of a browser from its user agent, such as "Firefox, Android".

    Return "" if nothing in it is known.
    """
    browser = next((name for sign, name in BROWSERS.items() if f"{sign}/" in user_agent), "")
    system = next((name for sign, name in SYSTEMS.items() if sign in user_agent), "")
    return ", ".join(part for part in (browser, system) if part)
