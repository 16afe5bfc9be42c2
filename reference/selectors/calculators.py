"""The calculators of rule systems and their answers.

No queries but those that find two fighters.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext

from core.errors import InvalidInput, NotFound
from rulebook.registry import newest_ruleset
from rulebook.ruleset import Calculator, Opponent, RulesError, Ruleset
from warbands.models import Fighter
from warbands.rulebook_values import ruleset_of_warband, warband_state

NUMBERS, FIGHTERS = "numbers", "fighters"
Values = Mapping[str, Any]


def ruleset_or_not_found(key: str) -> Ruleset:
    """Return the newest edition of a rule system. Raises NotFound "unknown-ruleset"."""
    try:
        return newest_ruleset(key)
    except RulesError as error:
        raise NotFound("unknown-ruleset", str(error)) from error


def calculators_about(
    rules: Ruleset, about: str = NUMBERS, group: str = ""
) -> tuple[Calculator, ...]:
    """Return the calculators of a rule system about numbers, fighters or a battle.

    With ``group``, only those of that group.
    """
    calculators = (each for each in rules.calculators.all() if each.about == about)
    return tuple(each for each in calculators if group in ("", each.group))


def calculator(rules: Ruleset, key: str, group: str = "") -> Calculator:
    """Return a calculator about numbers. Raises NotFound "unknown-calculator"."""
    return _named(
        key,
        calculators_about(rules, group=group),
        NotFound("unknown-calculator", f"There is no {key!r}."),
    )


def kind_of_odds(rules: Ruleset, key: str, about: str) -> Calculator:
    """Return a calculator of odds between two, the first one if ``key`` is empty.

    Raises InvalidInput "unknown-kind".
    """
    kinds = calculators_about(rules, about)
    if not key and kinds:
        return kinds[0]
    named = ", ".join(each.key for each in kinds)
    sentence = gettext("Unknown kind of odds “%(kind)s”. Use one of: %(known)s.")
    return _named(
        key,
        kinds,
        InvalidInput("unknown-kind", sentence % {"kind": key, "known": named}, field="kind"),
    )


def _named(key: str, calculators: Iterable[Calculator], error: Exception) -> Calculator:
    for calculator in calculators:
        if calculator.key == key:
            return calculator
    raise error


def told_values(lists: Iterable[tuple[str, list[Any]]], *without: str) -> dict[str, Any]:
    """Return the values in a URL, by name; a name that occurs several times has a list."""
    return {
        name: texts[0] if len(texts) == 1 else texts for name, texts in lists if name not in without
    }


def odds_between(fighter: Fighter, other: Fighter, kind: str, values: Values) -> Mapping[str, Any]:
    """Return the present odds between two fighters: an ``Answer`` as JSON.

    No query, if the warbands are selected with the fighters. Raises InvalidInput if their rule
    systems differ, RulesError for wrong values.
    """
    rules = ruleset_of_warband(fighter.warband)
    if rules is not ruleset_of_warband(other.warband):
        sentence = gettext(
            "These two belong to different rule systems or editions. Choose another opponent."
        )
        raise InvalidInput("other-rules", sentence, field="against")
    calculator = kind_of_odds(rules, kind, FIGHTERS)
    return rules.calculators.odds_between(
        calculator.key, _opponent(fighter), _opponent(other), values
    )


def _opponent(fighter: Fighter) -> Opponent:
    terms = warband_state(fighter.warband, {}).terms
    return Opponent(str(fighter.pk), fighter.name, fighter.state["build"], terms, fighter.condition)
