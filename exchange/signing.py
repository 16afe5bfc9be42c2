"""Store, use and renew the Ed25519 keys of this installation (see ``core.signatures``).

A key is identified by its fingerprint. This module signs bytes and does not know their meaning;
the caller defines what they say (docs/passports.md). The keys of ``core.derived_keys`` prove data
only to this installation; the public part of these keys proves data to everybody.
"""

from typing import Any

from cryptography.fernet import InvalidToken
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from core.derived_keys import lock
from core.errors import Unavailable
from core.signatures import (
    PublicKey,
    Signature,
    fingerprint_of,
    fresh_private_key,
    is_sound_point,
    public_part,
    sign_bytes,
    verify,
)
from exchange.models import SigningKey
from warbands.signed import sign_new, update_signed

__all__ = ["PublicKey", "Signature", "fingerprint_of", "is_sound_point", "verify"]

SIGNING_KEYS = b"muster signing keys"


def public_key() -> PublicKey:
    """Return the public part of the current signing key. The first call creates the key."""
    return PublicKey(_present_key().public)


def installation() -> str:
    """Return the fingerprint of this installation's first key.

    It identifies the installation permanently, whichever key signs now.
    """
    first = SigningKey.objects.order_by("number").values_list("fingerprint", flat=True).first()
    return first or public_key().fingerprint


def sign(body: bytes) -> Signature:
    """Sign bytes with the current key.

    Raises Unavailable (`signing-key-locked`) if no secret key can decrypt it.
    """
    key = _present_key()
    try:
        private = lock(SIGNING_KEYS).decrypt(bytes(key.sealed))
    except InvalidToken as error:
        sentence = gettext(
            "The signing key cannot be opened: this site has another SECRET_KEY than before."
        )
        raise Unavailable("signing-key-locked", sentence) from error
    return Signature(key.fingerprint, sign_bytes(body, private))


def own_key(fingerprint: str) -> str | None:
    """Return the public key of this installation with this fingerprint, current or retired.

    Return None if this installation has no such key.
    """
    return (
        SigningKey.objects.filter(fingerprint=fingerprint).values_list("public", flat=True).first()
    )


@transaction.atomic
def renew_signing_key() -> PublicKey:
    """Retire the current signing key and create the next one.

    Raises IntegrityError if another request renews the key at the same time.
    """
    present = _present_key()
    new_key = _made(present.number + 1)
    new_key.save(force_insert=True)
    update_signed(SigningKey.objects.filter(pk=present.pk), retired_at=timezone.now())
    return PublicKey(new_key.public)


def _present_key() -> SigningKey:
    """Return the current signing key, and create the first one if there is none.

    If two requests create the first key at the same time, both get the one that was stored first.
    """
    present = SigningKey.objects.first()
    if present is None:
        present, _ = SigningKey.objects.get_or_create(number=1, defaults=_columns(_made(1)))
    return present


def _columns(key: SigningKey) -> dict[str, Any]:
    names = ("fingerprint", "public", "sealed", "row_signature")
    return {name: getattr(key, name) for name in names}


def _made(number: int) -> SigningKey:
    """Return a new key, signed but not saved."""
    private = fresh_private_key()
    public, sealed = public_part(private), lock(SIGNING_KEYS).encrypt(private)
    key = SigningKey(
        number=number, fingerprint=public.fingerprint, public=public.public, sealed=sealed
    )
    return sign_new([key])[0]
