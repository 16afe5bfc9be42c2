"""House rules: the typed settings that a rule system lets a campaign change."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import replace

from rulebook.book.house_rules import setting_problems
from rulebook.ruleset import HouseRule, Problem, RulesError, Ruleset
from warbands.rule_changes import in_words

CLASSIC = "classic"
"""The format for which the rule system itself sets some house rules."""


class HouseRuleValue(Struct, frozen=True):
    """A house rule with its value in a campaign.

    ``shown`` and ``default_shown`` are values as text.
    """

    rule: HouseRule
    value: str | bool | int | None
    shown: str
    default_shown: str

    @property
    def changed(self) -> bool:
        """True if the value differs from the default."""
        return self.value != self.rule.default


def clean_house_rules(rules: Ruleset, raw: Mapping[str, Any]) -> dict[str, str | bool | int | None]:
    """Return the house rules that differ from the defaults.

    Raises RulesError with every unknown key and every impossible value.
    """
    rule_list = rules.house_rules()
    problems = setting_problems(rule_list, raw)
    if problems:
        raise RulesError(
            *(replace(problem, field=f"house_rules.{problem.field}") for problem in problems)
        )
    return {
        rule.key: raw[rule.key]
        for rule in rule_list
        if rule.key in raw and raw[rule.key] != rule.default
    }


def campaign_settings(
    rules: Ruleset, format: str, raw: Mapping[str, Any]
) -> dict[str, str | bool | int | None]:
    """Return the house rules that differ from the defaults, plus those of a classic campaign.

    Raises RulesError with every unknown key and impossible value, and "no-classic-campaign" if the
    rule system has no campaign of that format.
    """
    cleaned = clean_house_rules(rules, raw)
    if format != CLASSIC:
        return cleaned
    if rules.classic is None:
        sentence = gettext(
            "%(name)s has no classic format. Choose a campaign with experience, or a league."
        ) % {"name": rules.name}
        raise RulesError(Problem("no-classic-campaign", sentence, field="format", value=format))
    return clean_house_rules(rules, rules.classic.settings(cleaned))


def without_classic(rules: Ruleset, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return house rules without those of the classic format, for a change to another format."""
    laid_down = {} if rules.classic is None else rules.classic.settings({})
    return {key: value for key, value in settings.items() if key not in laid_down}


def house_rule_values(rules: Ruleset, settings: Mapping[str, Any]) -> tuple[HouseRuleValue, ...]:
    """Return every house rule of a rule system with its value under these settings."""
    values = ((rule, settings.get(rule.key, rule.default)) for rule in rules.house_rules())
    return tuple(
        HouseRuleValue(rule, value, in_words(rule, value), in_words(rule, rule.default))
        for rule, value in values
    )
