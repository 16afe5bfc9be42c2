"""What of chronicles is signed: the head of each, and all of them together
(docs/decisions/keyed-seals.md)."""

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
    """The signature of a chronicle: of its warband, its length, and the seal of its last entry."""
    return sign(HEADS, _head(warband_id, sequence, head_seal))


def head_is_signed(warband_id: UUID, sequence: int, head_seal: str, signature: str) -> bool:
    """Whether the installation has signed this head."""
    return is_signed(HEADS, _head(warband_id, sequence, head_seal), signature)


def _head(warband_id: UUID, sequence: int, head_seal: str) -> list[Any]:
    return [str(warband_id), sequence, head_seal]


def enter(register: Any, warband_ids: Iterable[UUID]) -> None:
    """Count chronicles in; nothing is saved. A register that nobody has signed stays so: it is not
    made good."""
    key = _register_key(register)
    entered = list(warband_ids)
    register.digest = _digest(entered, key or keys(REGISTER)[0], int(register.digest or "0", 16))
    register.count += len(entered)
    if key:
        register.signature = sign(REGISTER, [register.count, register.digest], key)


def sign_register(register: Any, warband_ids: Iterable[UUID]) -> None:
    """Make the register of these chronicles and no others, under the key of today; nothing is
    saved."""
    entered = list(warband_ids)
    register.count, register.digest = len(entered), _digest(entered, keys(REGISTER)[0])
    register.signature = sign(REGISTER, [register.count, register.digest])


def register_holds(register: Any, warband_ids: Iterable[UUID]) -> bool:
    """Whether these are the chronicles that were counted in, all of them and no others."""
    key, ids = _register_key(register), list(warband_ids)
    return key is not None and register.count == len(ids) and register.digest == _digest(ids, key)


def _register_key(register: Any) -> bytes | None:
    if not register.count and not register.signature:
        return keys(REGISTER)[0]
    return signing_key(REGISTER, [register.count, register.digest], register.signature)


def _digest(warband_ids: Iterable[UUID], key: bytes, before: int = 0) -> str:
    hashes = (int(sign(REGISTER, [str(each)], key), 16) for each in warband_ids)
    return f"{reduce(xor, hashes, before):064x}"
