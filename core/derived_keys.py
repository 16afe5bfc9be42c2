"""Keys of the installation: each derived from its secret key, for one purpose, and never stored.

They lock (``lock``) and sign (``core.signatures``). `SECRET_KEY_FALLBACKS` names the secret keys
that it had before: what was locked or signed by them is still read, and `manage.py renew_keys`
locks and signs it anew, so that the old ones can go.
"""

import base64
from functools import lru_cache

from cryptography.fernet import Fernet, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


def keys(purpose: bytes) -> tuple[bytes, ...]:
    """32 bytes for one purpose: from the present secret key first, then from those before."""
    return _derived((settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS), purpose)


@lru_cache(maxsize=32)
def _derived(secrets: tuple[str, ...], purpose: bytes) -> tuple[bytes, ...]:
    return tuple(
        HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose).derive(each.encode())
        for each in secrets
    )


def lock(purpose: bytes) -> MultiFernet:
    """What locks and unlocks bytes for one purpose, by the secret key of today or one that was
    before."""
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in keys(purpose)])
