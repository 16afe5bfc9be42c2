"""Chains of the activity log: the chain of an entry, seals, and the signature of a chain's end.

Each entry has a place in a chain and a seal: the SHA-256 of all its columns and of the previous
seal. The row of a chain stores its length and its last seal, signed with a key of this installation
(docs/decisions/integrity.md).
"""

import json
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.serializers.json import DjangoJSONEncoder

from core.signatures import canonical_moment, digest, is_signed, sign

PURPOSE = b"muster activity log"
OWN_CHAINS = 256
"""Number of chains for entries that are recorded here.

An account always writes to the same chain. Few accounts share one, so writers rarely wait for each
other.
"""
IMPORT_CHAINS = 16
"""Number of chains for imported entries.

An import locks its chain for minutes, and members must not wait for that.
"""
CHAINS = OWN_CHAINS + IMPORT_CHAINS
EXACT = 2**53
"""The largest size up to which every integer can be stored exactly as a float."""
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
"""The columns that a seal covers: all except ``seal``."""


def chain_of(actor_id: int | None, club: UUID | None) -> int:
    """Return the chain of an entry that is recorded here.

    The chain depends on the actor, or on the club if Muster itself acted.
    """
    number = club.int if club else 0
    if actor_id is not None:
        number = actor_id
    return number % OWN_CHAINS


def import_chain_of(club: UUID | None) -> int:
    """Return the chain of entries that are imported into a club."""
    return OWN_CHAINS + (club.int if club else 0) % IMPORT_CHAINS


def seal_of(entry: Any, previous: str) -> str:
    """Return the seal (64 hex digits) of an entry that follows an entry with the seal ``previous``.

    ``previous`` is "" for the first entry of a chain.
    """
    values = [_canonical(getattr(entry, column)) for column in SEALED]
    # The spaces of json.dumps are part of every stored seal, so ``core.signatures.seal`` cannot be
    # used here.
    return digest(json.dumps([previous, *values], sort_keys=True).encode())


def sign_chain(chain: Any) -> None:
    """Sign the length and last seal of a chain with the current key, without saving."""
    chain.signature = sign(PURPOSE, _head(chain))


def chain_is_signed(chain: Any) -> bool:
    """Return whether this installation signed the length and last seal of a chain."""
    return is_signed(PURPOSE, _head(chain), chain.signature)


def extend_chain(chain: Any, entries: list[Any]) -> None:
    """Set the places and seals of entries and move the end of the chain, without saving.

    A chain whose end is not signed stays unsigned. Otherwise the next entry would make a forged
    chain valid.
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
    """Return the value of a column in a form that is the same before storing and after reading.

    The form is the same on every database.
    """
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
    """Return JSON with each number in a single form.

    PostgreSQL stores 1e20 as digits, and -0.0 as 0.0.
    """
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
