"""Secrets of links that are shown again: known by their digest, kept under the installation's key.

Whoever has a copy of the database, and not the key, can open none of them
(docs/decisions/links-shown-again.md).
"""

import secrets
from hashlib import sha256

from cryptography.fernet import InvalidToken
from django.urls import reverse
from django.utils.http import urlencode

from core.derived_keys import lock

INVITATIONS = b"muster invitations"
CALENDARS = b"muster calendars"


def fresh_secret() -> str:
    """43 characters that nobody can guess."""
    return secrets.token_urlsafe(32)


def digest_of(secret: str) -> str:
    """By what a link is found: the SHA-256 of its secret, 64 hex digits."""
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def sealed_secret(secret: str, purpose: bytes) -> bytes:
    """The secret as it is stored."""
    return lock(purpose).encrypt(secret.encode())


def opened_secret(sealed: bytes | memoryview, purpose: bytes) -> str:
    """The secret to be shown again; "" if none was kept, or the installation's key is another one
    by now."""
    try:
        return lock(purpose).decrypt(bytes(sealed)).decode() if sealed else ""
    except InvalidToken:
        return ""


def join_path(secret: str) -> str:
    """Where the link of an invitation leads. The secret is in the query, since paths are logged."""
    return f"{reverse('clubs:join')}?{urlencode({'secret': secret})}"


def calendar_path(path: str, secret: str) -> str:
    """The address of a calendar for whoever holds the secret; without one, for everybody."""
    return f"{path}?{urlencode({'key': secret})}" if secret else path
