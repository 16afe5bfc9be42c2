"""Chains of the activity log: which chain an entry joins, its seal, and the signature of a chain's
last entry.

Each entry has a place in a chain and a seal: the SHA-256 of all its columns and of the seal before.
The row of a chain keeps how long it is and its last seal, signed with a key of this installation
(docs/decisions/audit-chain.md).
"""

import json
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.serializers.json import DjangoJSONEncoder

from core.signatures import canonical_moment, digest, is_signed, sign

PURPOSE = b"muster activity log"
OWN_CHAINS = 256
"""Chains of what is recorded here. An account always writes to the same one, and few accounts share
it: writes wait for nobody else."""
IMPORT_CHAINS = 16
"""Chains of imported entries. An import holds its chain for minutes, and must not keep a member
waiting."""
CHAINS = OWN_CHAINS + IMPORT_CHAINS
EXACT = 2**53
"""Up to here every whole number is also a float."""
SEALED = (
    *(
        "chain",
        "place",
        "id",
        "at",
        "actor_id",
        "club",
        "campaign",
        "verb",
        "subject_kind",
        "subject_id",
    ),
    *(
        "subject_name",
        "person_id",
        "details",
        "face",
        "request",
        "origin",
        "number",
        "brought_by",
        "imported_at",
    ),
)
"""The columns that a seal covers: all but the seal."""


def chain_of(actor_id: int | None, club: UUID | None) -> int:
    """Return the chain of an entry recorded here: of its actor, or of its club where Muster itself
    acted."""
    number = club.int if club else 0
    if actor_id is not None:
        number = actor_id
    return number % OWN_CHAINS


def import_chain_of(club: UUID | None) -> int:
    """Return the chain of entries that are imported into a club."""
    return OWN_CHAINS + (club.int if club else 0) % IMPORT_CHAINS


def seal_of(entry: Any, previous: str) -> str:
    """Return the seal (64 hex digits) of an entry behind an entry with the seal ``previous`` ("":
    the first)."""
    values = [_canonical(getattr(entry, column)) for column in SEALED]
    # The spaces of json.dumps are part of every stored seal: this is not ``core.signatures.seal``.
    return digest(json.dumps([previous, *values], sort_keys=True).encode())


def sign_chain(chain: Any) -> None:
    """Sign the length and last seal of a chain with the present key; nothing is saved."""
    chain.signature = sign(PURPOSE, _head(chain))


def chain_is_signed(chain: Any) -> bool:
    """Return whether this installation signed the length and last seal of a chain."""
    return is_signed(PURPOSE, _head(chain), chain.signature)


def extend_chain(chain: Any, entries: list[Any]) -> None:
    """Give entries their places and seals, and move the end of the chain; nothing is saved.

    A chain whose end nobody signed stays unsigned: otherwise the next entry would make a forged
    chain good.
    """
    signed = chain_is_signed(chain)
    for entry in entries:
        chain.length += 1
        entry.chain, entry.place = chain.pk, chain.length
        entry.seal = chain.seal = seal_of(entry, chain.seal)
    if signed:
        sign_chain(chain)


def _head(chain: Any) -> list[Any]:
    return [chain.pk, chain.length, chain.seal]


def _canonical(value: Any) -> Any:
    """Return a column's value so that it is the same before it is stored and after it was read, on
    each database."""
    match value:
        case datetime():
            return canonical_moment(value)
        case UUID():
            return str(value)
        case dict() | list() | tuple():
            return _numbers(json.loads(json.dumps(value, cls=DjangoJSONEncoder)))
        case str():
            return str(value)
    return value


def _numbers(value: Any) -> Any:
    """Return JSON with each number written one way: PostgreSQL turns 1e20 into digits, and -0.0
    into 0.0."""
    match value:
        case dict():
            return {name: _numbers(inner) for name, inner in value.items()}
        case list():
            return [_numbers(inner) for inner in value]
        case float() if value.is_integer() and abs(value) <= EXACT:
            return int(value)
        case int() if abs(value) > EXACT:
            try:
                return float(value)
            except OverflowError:
                return value
    return value
