"""Secrets of links that can be shown again: found by their digest, stored encrypted.

A copy of the database without the installation's key opens none of these links
(docs/decisions/web.md).
"""

import secrets

from cryptography.fernet import InvalidToken
from django.urls import reverse
from django.utils.http import urlencode

from core.derived_keys import lock
from core.signatures import digest

INVITATIONS = b"muster invitations"
CALENDARS = b"muster calendars"


def fresh_secret() -> str:
    """Return a random secret of 43 characters."""
    return secrets.token_urlsafe(32)


def digest_of(secret: str) -> str:
    """Return the SHA-256 of a secret (64 hex digits), which finds its link."""
    return digest(secret.encode("utf-8", "surrogatepass"))


def sealed_secret(secret: str, purpose: bytes) -> bytes:
    """Return the encrypted secret for the database."""
    return lock(purpose).encrypt(secret.encode())


def opened_secret(sealed: bytes | memoryview, purpose: bytes) -> str:
    """Return the decrypted secret.

    Returns "" if none was stored or the installation's key has changed since.
    """
    try:
        return lock(purpose).decrypt(bytes(sealed)).decode() if sealed else ""
    except InvalidToken:
        return ""


def join_path(secret: str) -> str:
    """Return the path of an invitation link, with the secret in the query: paths are logged."""
    return f"{reverse('clubs:join')}?{urlencode({'secret': secret})}"


def calendar_path(path: str, secret: str) -> str:
    """Return the path of a calendar, with its secret, or without one for a public calendar."""
    return f"{path}?{urlencode({'key': secret})}" if secret else path
