"""Sign and verify: the one module that makes seals, signatures and fingerprints.

Three kinds of proof, from the weakest to the strongest:

- a seal is the SHA-256 of some content and of the seal before it, so that a chain of rows cannot be
  changed in the middle. Anyone can compute it;
- a signature of this installation is an HMAC-SHA256 with a key derived from its secret key
  (``core.derived_keys``). It proves only to this installation that it wrote the content;
- an Ed25519 signature proves to everyone who wrote some bytes. Archives and passports have one.

The modules of the rows say what each seal or signature covers: ``warbands.chronicle_seals``,
``warbands.signed``, ``battles.log_seals``, ``audit.chains``, ``exchange.signing``. The rule book
computes the seal of a fact itself (``rulebook.chronicle.facts.seal``) because it does not import
Django; that seal is built like ``seal``.

Every function here decides what stored rows must contain: ``tests/house/test_signatures.py`` fixes
their values.
"""

import hashlib
import hmac
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from core.derived_keys import keys

FIELD = 2**255 - 19
"""The prime of Ed25519's field (RFC 8032, 5.1)."""
ORDER_8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
"""The y of two points of order 8. The other two have ``FIELD - ORDER_8``."""
SMALL_ORDER = frozenset({0, 1, FIELD - 1, ORDER_8, FIELD - ORDER_8})
"""The y of the eight points of order 1, 2, 4 or 8. With such a key, anyone can make valid
signatures."""


# Canonical bytes and seals


def canonical_bytes(content: Any) -> bytes:
    """Return content as JSON with a stable encoding: sorted keys, no spaces, UTF-8."""
    return msgspec.json.encode(content, order="deterministic")


def canonical_moment(moment: datetime) -> str:
    """Return a moment as text for signatures: in UTC, to the microsecond."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def digest(content: bytes | memoryview) -> str:
    """Return the SHA-256 of bytes as 64 hex digits."""
    return hashlib.sha256(content).hexdigest()


def seal(previous: str, content: Any) -> str:
    """Return the seal (64 hex digits) of content after the seal ``previous``, "" for the first."""
    return digest(canonical_bytes([previous, content]))


# Signatures of this installation, for itself


def sign(purpose: bytes, content: Sequence[Any], key: bytes | None = None) -> str:
    """Return the signature (64 hex digits) of JSON content, by default with the present key.

    Each ``purpose`` has its own key, so the signature of one kind of row is never valid for
    another.
    """
    return hmac.digest(key or keys(purpose)[0], canonical_bytes(content), "sha256").hex()


def signing_key(purpose: bytes, content: Sequence[Any], signature: str) -> bytes | None:
    """Return the present or former key that made a signature, or None."""
    for key in keys(purpose):
        # Compare in constant time, so that timing does not reveal how many digits are right.
        if hmac.compare_digest(sign(purpose, content, key).encode(), signature.encode()):
            return key
    return None


def is_signed(purpose: bytes, content: Sequence[Any], signature: str) -> bool:
    """Return whether this installation made the signature with its present or a former key."""
    return signing_key(purpose, content, signature) is not None


# Ed25519 signatures, for everybody


class PublicKey(Struct, frozen=True):
    """A public key: 32 bytes as 64 hex digits."""

    public: str

    @property
    def fingerprint(self) -> str:
        """The first 32 hex digits of the key's SHA-256, for people to compare."""
        return fingerprint_of(self.public)

    @property
    def groups(self) -> str:
        """The fingerprint in eight groups of four digits, for reading aloud."""
        return in_groups(self.fingerprint)


class Signature(Struct, frozen=True):
    """A signature (128 hex digits) and the fingerprint of its key (32 hex digits)."""

    key: str
    signature: str


def fingerprint_of(public: str) -> str:
    """Return the fingerprint of a public key. Raises ValueError if it is not hexadecimal."""
    return digest(bytes.fromhex(public))[:32]


def in_groups(fingerprint: str) -> str:
    """Return a fingerprint in groups of four digits, for reading aloud."""
    return " ".join(fingerprint[start : start + 4] for start in range(0, len(fingerprint), 4))


def fresh_private_key() -> bytes:
    """Return the 32 bytes of a new private key."""
    return Ed25519PrivateKey.generate().private_bytes_raw()


def public_part(private: bytes) -> PublicKey:
    """Return the public key of a private key (32 bytes)."""
    return PublicKey(
        Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw().hex()
    )


def sign_bytes(body: bytes, private: bytes) -> str:
    """Return the signature (128 hex digits) of bytes with a private key (32 bytes)."""
    return Ed25519PrivateKey.from_private_bytes(private).sign(body).hex()


def is_sound_point(encoded: bytes) -> bool:
    """Return whether 32 bytes are the only encoding of a point, and it has no small order.

    The highest bit is the sign of x and does not matter: y = 1 and y = -1, where x is 0, have a
    small order anyway.
    """
    y = int.from_bytes(encoded, "little") & (2**255 - 1)
    return len(encoded) == 32 and y < FIELD and y not in SMALL_ORDER


def verify(body: bytes, signature: Signature, public: str) -> bool:
    """Return whether this key (64 hex digits) made the signature and has its fingerprint.

    Refuses keys, and first halves of signatures, of small order: OpenSSL accepts them, but they are
    valid for many texts.
    """
    try:
        encoded, signed = bytes.fromhex(public), bytes.fromhex(signature.signature)
        if not (is_sound_point(encoded) and is_sound_point(signed[:32])):
            return False
        Ed25519PublicKey.from_public_bytes(encoded).verify(signed, body)
    except (InvalidSignature, ValueError):
        return False
    return fingerprint_of(public) == signature.key
