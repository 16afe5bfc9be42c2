"""The eight scenarios as data: roles, shares of the points, length, and the figures of their own
victory rules.

The facts are in ``data/scenarios.toml``. Rule book: "Scenarios".
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct

from rulebook.book.data import read_data
from rulebook.ruleset import RulesError, Scenario
from rulebook.systems.en_garde.book import problem

DATA = Path(__file__).parent.parent / "data" / "scenarios.toml"


class Civilians(Struct, frozen=True, forbid_unknown_fields=True):
    """The role that Civilians belong to, and their number: fixed, or one for a number of points.
    Ruling S10."""

    role: str
    number: int = 0
    points_each: int | None = None

    def number_for(self, points: int) -> int:
        """Return how many there are where their side spends a number of points."""
        return self.number if self.points_each is None else points // self.points_each


class ScenarioFacts(Scenario, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything about a scenario that is a figure or a name."""

    decided_by: str
    """"points", "control", "bridge" or "occupation"."""
    scoring: str = "standard"
    """"standard", "escort", "ground" or "raid"."""
    standard_points: bool = False
    turns: int | None = None
    dice: str = ""
    rising: int | None = None
    deployment: tuple[str, ...] = ()
    reserves: str = "none"
    standard_terrain: bool = True
    river: bool = False
    defender_chooses: bool = False
    score: Mapping[str, int] = {}
    special: Mapping[str, int] = {}
    civilians: Civilians | None = None
    civilian_outcomes: tuple[str, ...] = ()


class MinorObjective(Struct, frozen=True, forbid_unknown_fields=True):
    """A minor objective of the Skirmish: ``declared`` if the log cannot show it and a player has to
    say so, ``at_end`` if only the end of the battle decides it."""

    rolled: int
    key: str
    sentence: str
    declared: bool = False
    at_end: bool = False


class StandardPoints(Struct, frozen=True, forbid_unknown_fields=True):
    """The figures of the usual victory points."""

    banner: int
    source: str


class _ScenarioFile(Struct, frozen=True, forbid_unknown_fields=True):
    scenario: tuple[ScenarioFacts, ...]
    standard: StandardPoints
    minor_objective: tuple[MinorObjective, ...]


@cache
def _file() -> _ScenarioFile:
    return read_data(DATA, _ScenarioFile)


def scenario_facts() -> tuple[ScenarioFacts, ...]:
    """Return all scenarios, in the order of the rule book."""
    return _file().scenario


def find_scenario(key: str) -> ScenarioFacts:
    """Return the scenario of that key. Raises RulesError naming the key and those there are."""
    by_key = {facts.key: facts for facts in scenario_facts()}
    if key in by_key:
        return by_key[key]
    raise RulesError(problem("unknown-scenario", value=key, known=", ".join(by_key)))


@cache
def scenarios() -> tuple[Scenario, ...]:
    """Return all scenarios as other parts of Muster see them."""
    shown = Scenario.__struct_fields__
    return tuple(
        Scenario(*(getattr(facts, field) for field in shown)) for facts in scenario_facts()
    )


def minor_objective(rolled: int) -> MinorObjective:
    """Return the minor objective of a die from 1 to 6. Rule book: "Skirmish"."""
    return _file().minor_objective[rolled - 1]


def standard_points() -> StandardPoints:
    """Return the figures of the usual victory points. Rule book: "Victory Points"."""
    return _file().standard
