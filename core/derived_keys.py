"""Keys of the installation: each derived from its secret key, for one purpose, and never stored.

`SECRET_KEY_FALLBACKS` names the secret keys that it had before: what was locked or signed by them is still read, and
`manage.py renew_keys` locks and signs it anew, so that the old ones can go.
"""

import base64
import hmac
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec
from cryptography.fernet import Fernet, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


def keys(purpose: bytes) -> tuple[bytes, ...]:
    """32 bytes for one purpose: from the present secret key first, then from those before."""
    return _derived((settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS), purpose)


@lru_cache(maxsize=32)
def _derived(secrets: tuple[str, ...], purpose: bytes) -> tuple[bytes, ...]:
    return tuple(HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose).derive(each.encode()) for each in secrets)


def lock(purpose: bytes) -> MultiFernet:
    """What locks and unlocks bytes for one purpose, by the secret key of today or one that was before."""
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in keys(purpose)])


def sign(purpose: bytes, content: Sequence[Any], key: bytes | None = None) -> str:
    """The signature (64 hex digits) of what can be told in JSON, under the key of today unless one is given."""
    body = msgspec.json.encode(content, order="deterministic")
    return hmac.digest(key or keys(purpose)[0], body, "sha256").hex()


def signing_key(purpose: bytes, content: Sequence[Any], signature: str) -> bytes | None:
    """The key of the installation, of today or before, by which this was signed; None: by none of them."""
    for key in keys(purpose):
        if hmac.compare_digest(sign(purpose, content, key).encode(), signature.encode()):
            return key
    return None
