"""Keys of the installation: each is derived from the secret key for one purpose, and never stored.

They encrypt (``lock``) and sign (``core.signatures``). `SECRET_KEY_FALLBACKS` has the former secret
keys: data that they encrypted or signed can still be read. `manage.py renew_keys` encrypts and
signs it again with the present key, so that the former keys can be removed.
"""

import base64
from functools import lru_cache

from cryptography.fernet import Fernet, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


def keys(purpose: bytes) -> tuple[bytes, ...]:
    """Return 32-byte keys for one purpose: of the present secret key, then of former ones."""
    return _derived((settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS), purpose)


@lru_cache(maxsize=32)
def _derived(secrets: tuple[str, ...], purpose: bytes) -> tuple[bytes, ...]:
    return tuple(
        HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose).derive(each.encode())
        for each in secrets
    )


def lock(purpose: bytes) -> MultiFernet:
    """Return the Fernet that encrypts for one purpose with the present secret key.

    It decrypts with the present and all former secret keys.
    """
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in keys(purpose)])
