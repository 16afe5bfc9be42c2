"""Signing for others: with the Ed25519 key of this installation, and proving what some installation has signed.

A key is known by its fingerprint. What is signed is bytes; what they say, and of which kind they are, is for whoever
signs (docs/passports.md). The keys of ``core.derived_keys`` prove to this installation alone; these prove to everybody.
"""

from hashlib import sha256
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.fernet import InvalidToken
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from msgspec import Struct

from core.derived_keys import lock
from core.errors import Unavailable
from exchange.models import SigningKey
from warbands.signed import sign_new, update_signed

SIGNING_KEYS = b"muster signing keys"
FIELD = 2**255 - 19
"""The prime of Ed25519's field (RFC 8032, 5.1)."""
ORDER_8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
"""The y of two points of order 8; the other two have ``FIELD - ORDER_8``."""
SMALL_ORDER = frozenset({0, 1, FIELD - 1, ORDER_8, FIELD - ORDER_8})
"""The y of the eight points whose order is 1, 2, 4 or 8. A key of these lets anybody make signatures that hold."""


class PublicKey(Struct, frozen=True):
    """A public key: its 32 bytes in 64 hex digits."""

    public: str

    @property
    def fingerprint(self) -> str:
        """What people compare: the first 32 hex digits of the key's SHA-256."""
        return fingerprint_of(self.public)

    @property
    def groups(self) -> str:
        """The fingerprint as it is read out: eight groups of four."""
        return in_groups(self.fingerprint)


class Signature(Struct, frozen=True):
    """Who has signed, by the key's fingerprint (32 hex digits), and the signature (128 hex digits)."""

    key: str
    signature: str


def fingerprint_of(public: str) -> str:
    """The fingerprint of a public key. Raises ValueError if these are not 64 hex digits."""
    return sha256(bytes.fromhex(public)).hexdigest()[:32]


def in_groups(fingerprint: str) -> str:
    """A fingerprint as people read it out, in groups of four."""
    return " ".join(fingerprint[start : start + 4] for start in range(0, len(fingerprint), 4))


def public_key() -> PublicKey:
    """The public part of the key that signs at present; it is made when first asked for."""
    return PublicKey(_present_key().public)


def installation() -> str:
    """The fingerprint of the first key of this installation, which names it for good, whichever key signs by now."""
    first = SigningKey.objects.order_by("number").values_list("fingerprint", flat=True).first()
    return first or public_key().fingerprint


def sign(body: bytes) -> Signature:
    """Sign bytes with the present key. Raises Unavailable "signing-key-locked" if no secret key opens it."""
    key = _present_key()
    try:
        private = lock(SIGNING_KEYS).decrypt(bytes(key.sealed))
    except InvalidToken as error:
        sentence = gettext("The key that signs cannot be opened: the installation has another SECRET_KEY than before.")
        raise Unavailable("signing-key-locked", sentence) from error
    return Signature(key.fingerprint, Ed25519PrivateKey.from_private_bytes(private).sign(body).hex())


def is_sound_point(encoded: bytes) -> bool:
    """Return whether 32 bytes are the only encoding of their point, and the point has no small order.

    The highest bit is the sign of x and decides neither: y = 1 and y = -1, where x is 0, are of small order anyhow.
    """
    y = int.from_bytes(encoded, "little") & (2**255 - 1)
    return len(encoded) == 32 and y < FIELD and y not in SMALL_ORDER


def verify(body: bytes, signature: Signature, public: str) -> bool:
    """Whether the key with these 64 hex digits, and the fingerprint that the signature names, has signed the bytes.

    A key, or a first half of a signature, of small order proves nothing: OpenSSL takes them, and they fit many texts.
    """
    try:
        encoded, signed = bytes.fromhex(public), bytes.fromhex(signature.signature)
        if not (is_sound_point(encoded) and is_sound_point(signed[:32])):
            return False
        Ed25519PublicKey.from_public_bytes(encoded).verify(signed, body)
    except (InvalidSignature, ValueError):
        return False
    return fingerprint_of(public) == signature.key


def own_key(fingerprint: str) -> str | None:
    """The public key of this installation with this fingerprint, present or retired; None if it is not its own."""
    return SigningKey.objects.filter(fingerprint=fingerprint).values_list("public", flat=True).first()


@transaction.atomic
def renew_signing_key() -> PublicKey:
    """Retire the key that signs and make another. Raises IntegrityError if somebody does so at the same time."""
    present = _present_key()
    new_key = _made(present.number + 1)
    new_key.save(force_insert=True)
    update_signed(SigningKey.objects.filter(pk=present.pk), retired_at=timezone.now())
    return PublicKey(new_key.public)


def _present_key() -> SigningKey:
    """The key that signs; of two who make the first one at once, both get the one that was quicker."""
    present = SigningKey.objects.first()
    if present is None:
        present, _ = SigningKey.objects.get_or_create(number=1, defaults=_columns(_made(1)))
    return present


def _columns(key: SigningKey) -> dict[str, Any]:
    names = ("fingerprint", "public", "sealed", "row_signature")
    return {name: getattr(key, name) for name in names}


def _made(number: int) -> SigningKey:
    """A fresh key, signed and not saved."""
    private = Ed25519PrivateKey.generate()
    public = private.public_key().public_bytes_raw().hex()
    sealed = lock(SIGNING_KEYS).encrypt(private.private_bytes_raw())
    key = SigningKey(number=number, fingerprint=fingerprint_of(public), public=public, sealed=sealed)
    return sign_new([key])[0]
