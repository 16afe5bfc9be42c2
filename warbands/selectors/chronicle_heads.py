"""The heads of chronicles in print: an old print proves a later forgery.

See docs/decisions/integrity.md.
"""

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from warbands.models import ChronicleEntry, Warband

DIGITS = 20
"""The printed digits of a seal: 80 bits, too many for anyone to try."""


class Head(Struct, frozen=True):
    """A warband, the length of its chronicle, and the start of its last seal.

    The seal's digits are in groups of five.
    """

    name: str
    sequence: int
    seal: str


def heads_of(warbands: Iterable[Warband]) -> tuple[Head, ...]:
    """Return the present heads of these chronicles, sorted by name. No queries."""
    rows = sorted(warbands, key=lambda warband: (warband.name, str(warband.pk)))
    return tuple(Head(row.name, row.sequence, group_digits(row.head_seal)) for row in rows)


def group_digits(seal: str) -> str:
    """Return the start of a seal as it is printed."""
    return " ".join(re.findall(".{5}", seal[:DIGITS]))


def bears(warbands: Sequence[Warband], sequence: int, seal: str) -> Warband | None:
    """Return the warband whose chronicle has this printed seal in this place, or None."""
    digits = "".join(seal.split()).lower()
    entries = ChronicleEntry.objects.filter(
        warband__in=warbands, sequence=sequence, seal__startswith=digits
    )
    entry = entries.select_related("warband").first() if len(digits) == DIGITS else None
    return entry.warband if entry else None
