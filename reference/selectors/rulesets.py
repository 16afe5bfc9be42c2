"""Rule systems as lists and catalogues show them. No queries."""

from collections.abc import Mapping
from typing import Any

import msgspec
from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import replace

from core.ruleset_words import translated_words
from rulebook.registry import newest_ruleset, rulesets
from rulebook.ruleset import (
    BuildForm,
    HouseRule,
    ReadyBuild,
    Ruleset,
    Scenario,
    SheetColumn,
    Tally,
    Words,
)
from rulebook.values.battles import EventForm
from rulebook.values.fields import Field, LengthMeasure


class RulesetRow(Struct, frozen=True):
    """A rule system in a list; ``edition`` is the one for new warbands."""

    key: str
    name: str
    edition: str
    words: Words
    factions: tuple[str, ...]


class RulesetCatalogue(Struct, frozen=True):
    """The whole catalogue of a rule system under its default house rules.

    ``length`` is the unit of lengths on the table, ``columns`` belong to a printed roster,
    ``tallies`` the counts of a service record, ``build_fields`` the fields of a build for each
    profile of each faction, ``ready_builds`` builds that are often used, by faction. The entries of
    ``factions`` to ``attributes`` are the rule system's own; it may have more keys than these.
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
    build_fields: tuple[BuildForm, ...]
    factions: tuple[Mapping[str, Any], ...]
    weapons: tuple[Mapping[str, Any], ...]
    armour: tuple[Mapping[str, Any], ...]
    mounts: tuple[Mapping[str, Any], ...]
    attributes: tuple[Mapping[str, Any], ...]
    ready_builds: Mapping[str, tuple[ReadyBuild, ...]] = {}


def _event_kind(rules: Ruleset, form: EventForm) -> EventForm:
    """Return the form with a hint for API clients at each field for fighters, sides or groups.

    The hint says how to write them.
    """
    return replace(form, fields=tuple(_with_hint(rules, each) for each in form.fields))


def _with_hint(rules: Ruleset, field: Field) -> Field:
    hint = ""
    if field.kind == "combatant":
        hint = gettext("The ID of a fighter: `fighter` of each combatant in `battles/{id}/`.")
    elif field.kind == "list" and not field.choices:
        # A list without choices holds fighters: the log has no other lists of that kind.
        hint = gettext("A list of fighter IDs: `fighter` of each combatant in `battles/{id}/`.")
    elif field.kind == "side":
        hint = gettext(
            "The key of a side, such as “a”: the `key` given for each side in `battles/{id}/`."
        )
    elif field.kind == "group":
        example = rules.group_key("a", {rules.group_field: "Left"})
        hint = gettext(
            "The key of a group, such as “%(example)s”: `group` of each combatant in "
            "`battles/{id}/`."
        ) % {"example": example}
    return replace(field, help=f"{field.help} {hint}".strip()) if hint else field


def ruleset_rows() -> tuple[RulesetRow, ...]:
    """Return the newest edition of every rule system."""
    return tuple(
        RulesetRow(
            rules.key,
            rules.name,
            rules.edition,
            translated_words(rules.words),
            tuple(faction["key"] for faction in rules.catalogue({})["factions"]),
        )
        for rules in rulesets()
    )


def ruleset_catalogue(key: str) -> dict[str, Any]:
    """Return everything that a client needs to build warbands, plan battles and log them.

    It is a ``RulesetCatalogue`` as JSON, with whatever else the rule system lists. Raises
    RulesError "unknown-ruleset".
    """
    rules = newest_ruleset(key)
    head: dict[str, Any] = {
        "key": rules.key,
        "name": rules.name,
        "edition": rules.edition,
        "words": translated_words(rules.words),
        "length": rules.length,
        "columns": rules.columns,
        "tallies": rules.tallies,
        "house_rules": rules.house_rules(),
        "scenarios": rules.scenarios(),
        "event_kinds": tuple(_event_kind(rules, form) for form in rules.log.forms()),
        "build_fields": rules.build_forms,
    }
    catalogue = rules.catalogue({})
    head["ready_builds"] = {
        each["key"]: rules.ready_builds(each["key"]) for each in catalogue["factions"]
    }
    lists: dict[str, Any] = {
        field: [] for field in RulesetCatalogue.__struct_fields__ if field not in head
    }
    whole: dict[str, Any] = msgspec.to_builtins({**lists, **catalogue, **head})
    return whole
