"""Encrypt the stored secrets of second factors with the present key."""

from collections.abc import Callable
from typing import Any

from core.derived_keys import lock

PURPOSE = b"muster second factors"
LOCKED = "gAAAAA"
"""The prefix of every text that Fernet has encrypted. allauth never writes it."""


def rewritten(data: dict[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    """Return an authenticator's data with each secret changed: key, seed and migrated codes."""
    changed: dict[str, Any] = {
        name: change(data[name]) for name in ("secret", "seed") if name in data
    }
    codes = (
        {"migrated_codes": [change(code) for code in data["migrated_codes"]]}
        if "migrated_codes" in data
        else {}
    )
    return {**data, **changed, **codes}


def lock_secret(text: str) -> str:
    """Return the secret encrypted with the present key, whether or not it was encrypted before."""
    if text.startswith(LOCKED):
        return lock(PURPOSE).rotate(text.encode()).decode()
    return lock(PURPOSE).encrypt(text.encode()).decode()


def unlock_secret(text: str) -> str:
    """Return the decrypted secret as allauth stores it."""
    return lock(PURPOSE).decrypt(text.encode()).decode() if text.startswith(LOCKED) else text
