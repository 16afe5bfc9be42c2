"""The classic campaign of a rule system, as the protocol asks for it."""

from collections.abc import Mapping
from typing import Any, Protocol

from msgspec import Struct

from rulebook.values.battles import Deed, Outcome, Record
from rulebook.values.problems import Problem, Settings
from rulebook.values.rosters import Roster


class ClassicScore(Struct, frozen=True):
    """The score of a warband in a classic campaign: victory points game by game, and the outcome of
    its final.

    ``games`` are the victory points of the small games that are over, ``final`` those of the final,
    None before it.
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
    """Who has won a classic campaign, and why: ``winner`` is None while that is ``open``, or where
    nobody has.

    ``totals`` are the victory points of all games, the best first, where those decide and not the
    final.
    """

    winner: str | None
    sentence: str
    rule: str
    open: bool = False
    totals: tuple[int, ...] = ()


class ClassicFormat(Protocol):
    """The classic campaign of a rule system: small warbands prepared in secret, games side by side,
    a final."""

    warbands: int
    """The number of small warbands that each player prepares."""
    final: str
    """The scenario of the final."""
    orders_rule: str
    """The rule by which sealed orders decide what is played, and by whom."""

    def drawn(self, settings: Settings) -> bool:
        """Return whether the scenarios are drawn by lot, and not agreed on."""

    def bounds(self, roster: Roster) -> tuple[int, int]:
        """Return the least and the most points of a small warband of this roster, both included."""

    def settings(self, settings: Settings) -> dict[str, Any]:
        """Return the house rules of the campaign, with what the format itself lays down."""

    def scenario_problems(self, scenarios: tuple[str, ...]) -> tuple[Problem, ...]:
        """Return what is wrong with the scenarios chosen for the small games."""

    def plan_problems(
        self, roster: Roster, plan: Mapping[str, tuple[str, ...]], scenarios: tuple[str, ...]
    ) -> tuple[Problem, ...]:
        """Return what is wrong with a sealed plan: the fighters of each small warband, by the key
        of its scenario."""

    def final_force(self, roster: Roster, fought: frozenset[str]) -> tuple[str, ...]:
        """Return the fighters who may fight the final; ``fought`` are those who were in a small
        warband."""

    def final_wounds(self, records: tuple[Record, ...], settings: Settings) -> Mapping[str, str]:
        """Return the wounds with which fighters begin the final, by fighter, from their records of
        the small games."""

    def final_extras(
        self, extras: Mapping[str, Any], against: tuple[Deed, ...]
    ) -> Mapping[str, Any]:
        """Return what a warband still has as a whole in the final.

        ``against`` are its opponents' deeds in the small games.
        """

    def final_limit(self, points: tuple[int, ...], settings: Settings) -> int | None:
        """Return the points limit of the final, from what each side has available; None if there is
        none."""

    def verdict(self, scores: tuple[ClassicScore, ...], settings: Settings) -> ClassicVerdict:
        """Return who has won the campaign, and by which rule."""
