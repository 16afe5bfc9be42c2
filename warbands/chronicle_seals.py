"""Signatures of each chronicle's head and of all chronicles together.

See docs/decisions/integrity.md.
"""

from collections.abc import Iterable
from functools import reduce
from operator import xor
from typing import Any
from uuid import UUID

from core.derived_keys import keys
from core.signatures import is_signed, sign, signing_key

HEADS = b"muster heads of chronicles"
REGISTER = b"muster register of chronicles"


def head_signature(warband_id: UUID, sequence: int, head_seal: str) -> str:
    """Return the signature of a chronicle's head: its warband, length and last seal."""
    return sign(HEADS, _head(warband_id, sequence, head_seal))


def head_is_signed(warband_id: UUID, sequence: int, head_seal: str, signature: str) -> bool:
    """Return whether the installation has signed this head."""
    return is_signed(HEADS, _head(warband_id, sequence, head_seal), signature)


def _head(warband_id: UUID, sequence: int, head_seal: str) -> list[Any]:
    return [str(warband_id), sequence, head_seal]


def enter(register: Any, warband_ids: Iterable[UUID]) -> None:
    """Add chronicles to the register without saving it.

    A register without a valid signature does not get one.
    """
    key = _register_key(register)
    entered = list(warband_ids)
    register.digest = _digest(entered, key or keys(REGISTER)[0], int(register.digest or "0", 16))
    register.count += len(entered)
    if key:
        register.signature = sign(REGISTER, [register.count, register.digest], key)


def sign_register(register: Any, warband_ids: Iterable[UUID]) -> None:
    """Set the register to exactly these chronicles and sign it with the present key.

    Nothing is saved.
    """
    entered = list(warband_ids)
    register.count, register.digest = len(entered), _digest(entered, keys(REGISTER)[0])
    register.signature = sign(REGISTER, [register.count, register.digest])


def register_holds(register: Any, warband_ids: Iterable[UUID]) -> bool:
    """Return whether the register holds exactly these chronicles."""
    key, ids = _register_key(register), list(warband_ids)
    return key is not None and register.count == len(ids) and register.digest == _digest(ids, key)


def _register_key(register: Any) -> bytes | None:
    if not register.count and not register.signature:
        return keys(REGISTER)[0]
    return signing_key(REGISTER, [register.count, register.digest], register.signature)


def _digest(warband_ids: Iterable[UUID], key: bytes, before: int = 0) -> str:
    hashes = (int(sign(REGISTER, [str(each)], key), 16) for each in warband_ids)
    return f"{reduce(xor, hashes, before):064x}"
