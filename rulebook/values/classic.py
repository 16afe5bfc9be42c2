"""The classic campaign of a rule system, as the protocol requires it."""

from collections.abc import Mapping
from typing import Any, Protocol

from msgspec import Struct

from rulebook.values.battles import Deed, Outcome, Record
from rulebook.values.problems import Problem, Settings
from rulebook.values.rosters import Roster


class ClassicScore(Struct, frozen=True):
    """The score of a warband in a classic campaign.

    ``games`` has the victory points of each finished small game. ``final`` has those of the final,
    or None before it, and ``outcome`` is the outcome of the final.
    """

    warband: str
    name: str
    games: tuple[int, ...] = ()
    final: int | None = None
    outcome: Outcome | None = None

    @property
    def total(self) -> int:
        """Return the victory points of all its games."""
        return sum(self.games) + (self.final or 0)


class ClassicVerdict(Struct, frozen=True):
    """The winner of a classic campaign, and why.

    ``winner`` is None while that is ``open``, or if nobody has won. ``totals`` has the victory
    points of all games, the best first, if they decide instead of the final.
    """

    winner: str | None
    sentence: str
    rule: str
    open: bool = False
    totals: tuple[int, ...] = ()


class ClassicFormat(Protocol):
    """The classic campaign of a rule system.

    Players prepare small warbands in secret, play several games in parallel, and then a final.
    """

    warbands: int
    """The number of small warbands that each player prepares."""
    final: str
    """The scenario of the final."""
    orders_rule: str
    """The rule that sealed orders decide the games and their fighters."""

    def drawn(self, settings: Settings) -> bool:
        """Return whether the scenarios are drawn by lot instead of being agreed."""

    def bounds(self, roster: Roster) -> tuple[int, int]:
        """Return the minimum and maximum points of a small warband, both included."""

    def settings(self, settings: Settings) -> dict[str, Any]:
        """Return the house rules of the campaign, including those that the format fixes."""

    def scenario_problems(self, scenarios: tuple[str, ...]) -> tuple[Problem, ...]:
        """Return the problems of the scenarios chosen for the small games."""

    def plan_problems(
        self, roster: Roster, plan: Mapping[str, tuple[str, ...]], scenarios: tuple[str, ...]
    ) -> tuple[Problem, ...]:
        """Return the problems of a sealed plan: the fighters of small warbands by scenario key."""

    def final_force(self, roster: Roster, fought: frozenset[str]) -> tuple[str, ...]:
        """Return the fighters who may fight the final. ``fought`` are those in small warbands."""

    def final_wounds(self, records: tuple[Record, ...], settings: Settings) -> Mapping[str, str]:
        """Return fighters' wounds at the start of the final, from their records of small games."""

    def final_extras(
        self, extras: Mapping[str, Any], against: tuple[Deed, ...]
    ) -> Mapping[str, Any]:
        """Return the purchases of the whole warband that remain for the final.

        ``against`` are its opponents' deeds in the small games.
        """

    def final_limit(self, points: tuple[int, ...], settings: Settings) -> int | None:
        """Return the points limit of the final, from the points of each side, or None."""

    def verdict(self, scores: tuple[ClassicScore, ...], settings: Settings) -> ClassicVerdict:
        """Return who has won the campaign, and by which rule."""
