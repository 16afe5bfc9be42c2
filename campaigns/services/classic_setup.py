"""The lots of a classic campaign: which scenarios are played, and who has which part in them.

Die number n of a campaign follows from its secret seed, its id and n; the seed's SHA-256 is
published from the beginning, the seed itself once the orders are open, so that anybody can throw
the dice again.
"""

from django.utils.translation import gettext

from campaigns.eligibility import ruleset_of_campaign
from campaigns.models import Campaign, Format
from core.cleaning import field_error
from core.errors import InvalidInput
from rulebook.dice.committed import CommittedDice
from rulebook.ruleset import ClassicFormat, RulesError, Ruleset
from rulebook.values.battles import ScenarioRole


def classic_of(campaign: Campaign) -> ClassicFormat:
    """The rules of a classic campaign. Raises InvalidInput "not-classic" for a campaign of another
    format."""
    rules = ruleset_of_campaign(campaign).classic
    if campaign.format != Format.CLASSIC or rules is None:
        raise InvalidInput(
            "not-classic",
            gettext("Only a classic campaign has sealed orders and a final."),
            field="format",
        )
    return rules


def choose_scenarios(campaign: Campaign, scenarios: tuple[str, ...]) -> None:
    """Settle the scenarios of the small games: those agreed on, or by lot. The caller saves
    ``scenarios``, ``lots``.

    Raises InvalidInput "no-small-games", "scenarios-are-drawn"; RulesError for scenarios that will
    not do.
    """
    if campaign.format != Format.CLASSIC:
        if scenarios:
            raise field_error(
                "scenarios",
                "no-small-games",
                gettext("Only a classic campaign starts with scenarios."),
            )
        return
    rules = classic_of(campaign)
    if rules.drawn(campaign.house_rules):
        if scenarios:
            raise field_error(
                "scenarios",
                "scenarios-are-drawn",
                gettext("By house rule the scenarios are drawn: name none."),
            )
        scenarios = _drawn(campaign, ruleset_of_campaign(campaign), rules.warbands)
    problems = rules.scenario_problems(scenarios)
    if problems:
        raise RulesError(*problems)
    campaign.scenarios = list(scenarios)


def _drawn(campaign: Campaign, rules: Ruleset, number: int) -> tuple[str, ...]:
    left = [scenario.key for scenario in rules.scenarios()]
    return tuple(left.pop(cast_lot(campaign, "scenario", len(left)) - 1) for _ in range(number))


def cast_lot(campaign: Campaign, purpose: str, faces: int) -> int:
    """The next die of the campaign, from 1 to ``faces``; it is noted in ``lots``, which the caller
    saves."""
    number = CommittedDice(campaign.dice_seed, str(campaign.pk), used=len(campaign.lots)).randint(
        1, faces
    )
    campaign.lots = [*campaign.lots, {"for": purpose, "faces": faces, "number": number}]
    return number


def parts_by_lot(
    campaign: Campaign, scenario: str, roles: tuple[ScenarioRole, ...]
) -> tuple[str, str]:
    """The roles of the first and the second warband. Where they differ, 1 to 3 on a die gives the
    first one to the first warband."""
    first, last = roles[0].key, roles[-1].key
    if first == last:
        return first, first
    return (first, last) if cast_lot(campaign, scenario, 6) <= 3 else (last, first)
