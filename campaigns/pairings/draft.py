"""Fixtures before they are written."""

from msgspec import Struct


class DraftFixture(Struct, frozen=True, kw_only=True):
    """Two who are to play, or one with a bye.

    ``home_from`` and ``away_from`` name an earlier fixture of the same draft by its round and its
    place, both from 0: its winner comes on; ``of_losers``: its loser.
    """

    home: str = ""
    away: str = ""
    home_from: tuple[int, int] | None = None
    away_from: tuple[int, int] | None = None
    of_losers: bool = False
    bye: bool = False
    group: str = ""


class DraftRound(Struct, frozen=True):
    """Fixtures that are played side by side. Without a name it is known by its number."""

    fixtures: tuple[DraftFixture, ...]
    name: str = ""


def pair(home: str, away: str, *, group: str = "") -> DraftFixture:
    """The fixture of two; a bye for the one where the other is ""."""
    return DraftFixture(home=home, away=away, bye=not away, group=group)
