"""The heads of chronicles as they are printed: an old print proves a later forgery
(docs/decisions/keyed-seals.md)."""

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from warbands.models import ChronicleEntry, Warband

DIGITS = 20
"""Of a seal in print: 80 bits, more than anybody can try."""


class Head(Struct, frozen=True):
    """A warband, how many entries its chronicle has, and how the seal of the last one begins: five
    digits at a time."""

    name: str
    sequence: int
    seal: str


def heads_of(warbands: Iterable[Warband]) -> tuple[Head, ...]:
    """The heads of these chronicles as they are now, by name. No queries."""
    rows = sorted(warbands, key=lambda warband: (warband.name, str(warband.pk)))
    return tuple(Head(row.name, row.sequence, group_digits(row.head_seal)) for row in rows)


def group_digits(seal: str) -> str:
    """How a seal begins, as it is printed."""
    return " ".join(re.findall(".{5}", seal[:DIGITS]))


def bears(warbands: Sequence[Warband], sequence: int, seal: str) -> Warband | None:
    """Whose chronicle bears this printed seal in this place, among these warbands; None if nobody's
    does any more."""
    digits = "".join(seal.split()).lower()
    entries = ChronicleEntry.objects.filter(
        warband__in=warbands, sequence=sequence, seal__startswith=digits
    )
    entry = entries.select_related("warband").first() if len(digits) == DIGITS else None
    return entry.warband if entry else None
