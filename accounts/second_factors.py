"""Locking the stored secrets of second factors, where they are not yet, or under the key of
today."""

from collections.abc import Callable
from typing import Any

from core.derived_keys import lock

PURPOSE = b"muster second factors"
LOCKED = "gAAAAA"
"""How every text begins that Fernet has locked, and none that allauth writes."""


def rewritten(data: dict[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    """The data of an authenticator with each secret in it changed: the key, the seed, codes of
    another program."""
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
    """The secret under the key of today, whether it was locked before or not."""
    if text.startswith(LOCKED):
        return lock(PURPOSE).rotate(text.encode()).decode()
    return lock(PURPOSE).encrypt(text.encode()).decode()


def unlock_secret(text: str) -> str:
    """The secret as allauth would write it by itself."""
    return lock(PURPOSE).decrypt(text.encode()).decode() if text.startswith(LOCKED) else text
