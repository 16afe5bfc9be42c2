"""Fixtures before they are saved."""

from msgspec import Struct


class DraftFixture(Struct, frozen=True, kw_only=True):
    """Two entrants who are to play each other, or one with a bye.

    ``home_from`` and ``away_from`` name an earlier fixture of the same draft by its round and its
    place, both from 0. Its winner plays here, or its loser if ``of_losers`` is set.
    """

    home: str = ""
    away: str = ""
    home_from: tuple[int, int] | None = None
    away_from: tuple[int, int] | None = None
    of_losers: bool = False
    bye: bool = False
    group: str = ""


class DraftRound(Struct, frozen=True):
    """Fixtures that are played in the same round. Without a name it is shown by its number."""

    fixtures: tuple[DraftFixture, ...]
    name: str = ""


def pair(home: str, away: str, *, group: str = "") -> DraftFixture:
    """Return the fixture of two entrants, or a bye if one of them is ""."""
    return DraftFixture(home=home, away=away, bye=not away, group=group)
