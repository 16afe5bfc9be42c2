"""Verify the signing keys of this installation."""

from collections.abc import Iterator
from functools import partial

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from core.derived_keys import lock
from exchange.models import SigningKey
from exchange.signing import SIGNING_KEYS, fingerprint_of
from warbands.services.verification import ProjectionMismatch, guarded


def check_keys() -> Iterator[ProjectionMismatch]:
    """Yield each key whose private part does not match its public part or cannot be decrypted."""
    for number in SigningKey.objects.order_by("number").values_list("number", flat=True):
        yield from guarded(f"signing key {number}", partial(_check_key, number))


def _check_key(number: int) -> Iterator[ProjectionMismatch]:
    key = SigningKey.objects.get(number=number)
    private = Ed25519PrivateKey.from_private_bytes(lock(SIGNING_KEYS).decrypt(bytes(key.sealed)))
    public = private.public_key().public_bytes_raw().hex()
    if (key.public, key.fingerprint) != (public, fingerprint_of(public)):
        yield ProjectionMismatch(f"signing key {number}", key.public, public)
