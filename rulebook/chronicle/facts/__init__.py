"""The facts of a warband's chronicle: what happened, in the order in which it was recorded.

A fact is a frozen value with a ``kind`` and a schema ``version``. Facts never change. To correct a
mistake, a ``Corrected`` fact replaces or voids it. ``encode`` and ``decode`` convert facts to JSON
and back. ``seal`` chains them, so that a later change to any of them can be detected.

Everything about a kind of fact is in its class (``base.Fact`` declares the methods); ``AnyFact``
lists all kinds.
"""

import hashlib
from collections.abc import Mapping
from typing import Any, get_args

import msgspec
from msgspec import Struct

from rulebook.chronicle.facts.base import VERSION, Death, Fact
from rulebook.chronicle.facts.battles import Fought
from rulebook.chronicle.facts.campaigns import (
    EditionAdopted,
    Enrolled,
    Mustered,
    RulesChanged,
    Withdrawn,
)
from rulebook.chronicle.facts.experience import Adjusted, RankedUp
from rulebook.chronicle.facts.rosters import (
    Appointed,
    Arranged,
    Equipped,
    Furnished,
    Left,
    Recruit,
    Recruited,
    Renamed,
)
from rulebook.chronicle.wording import Wording, gettext_noop, with_reason
from rulebook.ruleset import Problem, RulesError

__all__ = [
    "FACT_KINDS",
    "FIRST_SEAL",
    "VERSION",
    "Adjusted",
    "AnyFact",
    "Appointed",
    "Arranged",
    "Corrected",
    "Death",
    "EditionAdopted",
    "Enrolled",
    "Equipped",
    "Fact",
    "Fought",
    "Furnished",
    "Left",
    "Mustered",
    "RankedUp",
    "Recruit",
    "Recruited",
    "Renamed",
    "RulesChanged",
    "Standing",
    "Withdrawn",
    "decode",
    "decode_json",
    "encode",
    "seal",
]
FIRST_SEAL = "0" * 64


class Standing(Struct, frozen=True):
    """A later fact that stays in force although a correction made it impossible, and the reason."""

    sequence: int
    reason: str


class Corrected(Fact, frozen=True, tag="corrected"):
    """An earlier fact is replaced, or voided if there is no replacement.

    ``undone`` voids later facts with it. A replay takes corrections into account but never applies
    them: it applies ``effective``.
    """

    label = gettext_noop("Corrections")
    correctable = False

    target: int = 0
    replacement: "AnyFact | None" = None
    undone: tuple[int, ...] = ()
    standing: tuple[Standing, ...] = ()
    reason: str = ""

    @property
    def effective(self) -> Fact | None:
        return self.replacement

    @property
    def subject(self) -> str:
        return self.replacement.subject if self.replacement else ""

    @property
    def fighters(self) -> tuple[str, ...]:
        return self.replacement.fighters if self.replacement else ()

    def phrase(self, wording: Wording) -> str:
        if self.replacement is None:
            return with_reason(wording.gettext("voided an entry"), self.reason)
        correction = with_reason(wording.pgettext("entry", "corrected"), self.reason)
        return f"{self.replacement.phrase(wording)} ({correction})"


AnyFact = (
    Mustered
    | Enrolled
    | Withdrawn
    | RulesChanged
    | EditionAdopted
    | Recruited
    | Equipped
    | Furnished
    | Appointed
    | Arranged
    | Renamed
    | Fought
    | RankedUp
    | Left
    | Adjusted
    | Corrected
)
FACT_KINDS: Mapping[str, type[Fact]] = {
    str(kind.__struct_config__.tag): kind for kind in get_args(AnyFact)
}
"""All kinds of facts by the ``kind`` of their JSON, in the order in which logs list them."""


def encode(fact: Fact) -> dict[str, Any]:
    """Return the fact as JSON-ready data, with its ``kind`` and all values except defaults."""
    data: dict[str, Any] = msgspec.to_builtins(fact)
    return {**data, "version": fact.version}


def decode(data: Mapping[str, Any]) -> AnyFact:
    """Return the fact that ``encode`` wrote.

    Raises RulesError, with the field, if the data are invalid.
    """
    _expect_version(data.get("version") if isinstance(data, Mapping) else None)
    try:
        fact: AnyFact = msgspec.convert(data, type=AnyFact)
    except msgspec.ValidationError as error:
        raise RulesError(_unreadable(str(error))) from error
    return _readable(fact)


_read = msgspec.json.Decoder(AnyFact).decode


def decode_json(text: str) -> AnyFact:
    """Return the fact that ``encode`` wrote, from its JSON. Raises as ``decode`` does.

    Takes a third of the time of ``decode``, which needs the data first.
    """
    try:
        fact: AnyFact = _read(text)
    except msgspec.DecodeError:
        return _decode_slowly(text)
    _expect_version(fact.version)
    return _readable(fact)


def _decode_slowly(text: str) -> AnyFact:
    """Raise the error of ``decode``, which says if a fact is of a newer version."""
    try:
        data = msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise RulesError(_unreadable(str(error))) from error
    return decode(data)


def _expect_version(version: object) -> None:
    if isinstance(version, int) and version > VERSION:
        raise RulesError(
            _unreadable(f"fact version {version} is newer than this Muster ({VERSION})")
        )


def _readable(fact: AnyFact) -> AnyFact:
    if isinstance(fact, Corrected) and isinstance(fact.replacement, Corrected):
        raise RulesError(_unreadable("a correction cannot replace a fact"))
    return fact


def _unreadable(why: str) -> Problem:
    return Problem(
        code="unreadable-fact", sentence=f"The history has an entry that cannot be read: {why}."
    )


def seal(
    previous: str, *, warband: str, sequence: int, payload: Mapping[str, Any], recorded: str
) -> str:
    """Return the SHA-256 seal (64 hex digits) of an entry.

    It covers the entry, its place, its time and the seal before it.
    """
    body = msgspec.json.encode(
        [previous, warband, sequence, payload, recorded], order="deterministic"
    )
    return hashlib.sha256(body).hexdigest()
