"""Rule systems as lists and catalogues show them. No queries."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from rulebook.registry import newest_ruleset, rulesets
from rulebook.ruleset import HouseRule, ReadyBuild, Scenario, SheetColumn, Tally, Words
from rulebook.values.battles import EventForm
from rulebook.values.fields import LengthMeasure
from warbands.words import spoken


class RulesetRow(Struct, frozen=True):
    """A rule system in a list: the edition is the one that new warbands get."""

    key: str
    name: str
    edition: str
    words: Words
    factions: tuple[str, ...]


class RulesetCatalogue(Struct, frozen=True):
    """The whole catalogue of a rule system under its default house rules.

    ``length`` is the unit in which its table is measured, ``columns`` are those of a printed roster, ``tallies`` what a
    service record counts, ``ready_builds`` builds that are fielded often, by faction. The entries of ``factions`` to
    ``attributes`` are the rule system's own; it may give more keys than these.
    """

    key: str
    name: str
    edition: str
    words: Words
    length: LengthMeasure | None
    columns: tuple[SheetColumn, ...]
    tallies: tuple[Tally, ...]
    house_rules: tuple[HouseRule, ...]
    scenarios: tuple[Scenario, ...]
    event_kinds: tuple[EventForm, ...]
    factions: tuple[Mapping[str, Any], ...]
    weapons: tuple[Mapping[str, Any], ...]
    armour: tuple[Mapping[str, Any], ...]
    mounts: tuple[Mapping[str, Any], ...]
    attributes: tuple[Mapping[str, Any], ...]
    ready_builds: Mapping[str, tuple[ReadyBuild, ...]] = {}


def ruleset_rows() -> tuple[RulesetRow, ...]:
    """The newest edition of every rule system."""
    return tuple(
        RulesetRow(
            rules.key,
            rules.name,
            rules.edition,
            spoken(rules.words),
            tuple(faction["key"] for faction in rules.catalogue({})["factions"]),
        )
        for rules in rulesets()
    )


def ruleset_catalogue(key: str) -> dict[str, Any]:
    """Everything that a program needs to build warbands, plan battles and log them: a ``RulesetCatalogue`` as JSON,
    with whatever else the rule system lists. Raises RulesError "unknown-ruleset"."""
    rules = newest_ruleset(key)
    head: dict[str, Any] = {
        "key": rules.key,
        "name": rules.name,
        "edition": rules.edition,
        "words": spoken(rules.words),
        "length": rules.length,
        "columns": rules.columns,
        "tallies": rules.tallies,
        "house_rules": rules.house_rules(),
        "scenarios": rules.scenarios(),
        "event_kinds": rules.log.forms(),
    }
    catalogue = rules.catalogue({})
    head["ready_builds"] = {each["key"]: rules.ready_builds(each["key"]) for each in catalogue["factions"]}
    lists: dict[str, Any] = {field: [] for field in RulesetCatalogue.__struct_fields__ if field not in head}
    whole: dict[str, Any] = msgspec.to_builtins({**lists, **catalogue, **head})
    return whole
