"""House rules: what a campaign may settle for itself, and the settings that follow from it.

The rules are in ``data/house_rules.toml``, each with the ruling behind its default.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from rulebook.ruleset import HouseRule, Problem, RulesError, Settings

DATA = Path(__file__).parent.parent / "data" / "house_rules.toml"


@cache
def house_rules() -> tuple[HouseRule, ...]:
    """Every house rule, in the order in which a page shows them."""
    rows = tomllib.loads(DATA.read_text(encoding="utf-8"))["rule"]
    return msgspec.convert(rows, type=tuple[HouseRule, ...])


@cache
def defaults() -> Mapping[str, str | bool | int]:
    """The default of each house rule by its key."""
    return MappingProxyType({rule.key: rule.default for rule in house_rules()})


def setting(settings: Settings, key: str) -> Any:
    """What a campaign has settled for this house rule, its default if nothing. Raises KeyError for an unknown key."""
    return settings.get(key, defaults()[key])


def complete_settings(raw: Settings) -> dict[str, Any]:
    """All settings, defaults filled in, in the order of the house rules.

    Raises RulesError with every unknown key and every value that its house rule does not allow.
    """
    problems = setting_problems(raw)
    if problems:
        raise RulesError(*problems)
    return {**defaults(), **raw}


def setting_problems(raw: Settings) -> tuple[Problem, ...]:
    """Everything that is wrong with some settings; the empty tuple is good."""
    known = {rule.key: rule for rule in house_rules()}
    unknown = [_unknown(key, raw[key]) for key in raw if key not in known]
    wrong = [_wrong_value(known[key], raw[key]) for key in raw if key in known and not allows(known[key], raw[key])]
    return tuple(unknown + wrong)


def allows(rule: HouseRule, value: object) -> bool:
    """Is this a value of the house rule?"""
    if rule.kind == "flag":
        return isinstance(value, bool)
    if rule.kind == "choice":
        return value in [key for key, _ in rule.choices]
    return _is_number(value) and _within(rule, value)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _within(rule: HouseRule, value: Any) -> bool:
    above = rule.least is None or value >= rule.least
    return above and (rule.most is None or value <= rule.most)


def allowed_values(rule: HouseRule) -> str:
    """The values of a house rule, in words."""
    if rule.kind == "flag":
        return "true or false"
    if rule.kind == "choice":
        return ", ".join(key for key, _ in rule.choices)
    return f"a whole number from {rule.least} to {rule.most}"


def _unknown(key: str, value: object) -> Problem:
    return Problem(
        code="unknown-house-rule",
        sentence=f"There is no house rule {key!r}. Leave it out, or choose one of the catalogue's.",
        field=key,
        value=str(value),
    )


def _wrong_value(rule: HouseRule, value: object) -> Problem:
    return Problem(
        code="wrong-house-rule-value",
        sentence=f"The house rule {rule.key!r} cannot be {value!r}. Allowed: {allowed_values(rule)}.",
        field=rule.key,
        value=str(value),
        source=rule.source,
    )
