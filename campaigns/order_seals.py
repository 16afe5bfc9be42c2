"""Encrypt a plan for this site only, and make a commitment that anyone can check.

The key is derived from the site's secret key, so that neither the database nor a copy of it reveals
an order. Sealed orders are padded to the same length where possible, so that the size does not
reveal the number of fighters.
"""

import json
import secrets
from collections.abc import Mapping

from cryptography.fernet import InvalidToken
from django.utils.translation import gettext
from msgspec import Struct

from core.derived_keys import lock
from core.errors import InvalidInput
from rulebook.dice.committed import commitment

ORDERS = b"muster sealed orders"

Plan = Mapping[str, tuple[str, ...]]
"""The ids of the fighters of each small warband, by the key of its scenario."""
BLOCK = 8192
"""Sealed orders are padded to a multiple of this many bytes."""


class OpenedSeal(Struct, frozen=True):
    """A plan, and the text whose SHA-256 was published when it was sealed."""

    plan: dict[str, tuple[str, ...]]
    text: str


def seal(plan: Plan) -> tuple[bytes, str]:
    """Return the encrypted plan and its commitment (64 hex digits)."""
    ordered = {scenario: sorted(plan[scenario]) for scenario in sorted(plan)}
    text = json.dumps({"secret": secrets.token_hex(32), "plan": ordered}, separators=(",", ":"))
    body = text.encode()
    return lock(ORDERS).encrypt(body.ljust(-(-len(body) // BLOCK) * BLOCK)), commitment(text)


def opened(sealed: bytes | memoryview) -> OpenedSeal:
    """Return the plan and the text of a sealed order.

    Raises InvalidInput ("unreadable-order") if the site's secret key has changed since.
    """
    try:
        text = lock(ORDERS).decrypt(bytes(sealed)).decode().rstrip()
    except InvalidToken as error:
        sentence = gettext(
            "An order cannot be opened because this site's secret key has changed. Seal it again."
        )
        raise InvalidInput("unreadable-order", sentence) from error
    return OpenedSeal(plan_in(text), text)


def plan_in(text: str) -> dict[str, tuple[str, ...]]:
    """Return the plan in the text of a revealed order."""
    return {scenario: tuple(fighters) for scenario, fighters in json.loads(text)["plan"].items()}
