"""Draw the lots of a classic campaign: its scenarios, and the role of each warband in them.

Die number n of a campaign follows from its secret seed, its id and n. The seed's SHA-256 is public
from the beginning, and the seed itself once the orders are revealed, so that anyone can repeat the
rolls.
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
    """Return the rules of a classic campaign. Raises InvalidInput "not-classic" for others."""
    rules = ruleset_of_campaign(campaign).classic
    if campaign.format != Format.CLASSIC or rules is None:
        raise InvalidInput(
            "not-classic",
            gettext("Only a classic campaign has sealed orders and a final."),
            field="format",
        )
    return rules


def choose_scenarios(campaign: Campaign, scenarios: tuple[str, ...]) -> None:
    """Set the scenarios of the small games, chosen by the players or drawn by lot.

    The caller saves ``scenarios`` and ``lots``. Raises InvalidInput "no-small-games" or
    "scenarios-are-drawn", and RulesError for unsuitable scenarios.
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
                gettext("The house rules draw the scenarios by lot. Leave them out."),
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
    """Roll the next die of the campaign, from 1 to ``faces``, and add it to ``lots``.

    The caller saves ``lots``.
    """
    number = CommittedDice(campaign.dice_seed, str(campaign.pk), used=len(campaign.lots)).randint(
        1, faces
    )
    campaign.lots = [*campaign.lots, {"for": purpose, "faces": faces, "number": number}]
    return number


def parts_by_lot(
    campaign: Campaign, scenario: str, roles: tuple[ScenarioRole, ...]
) -> tuple[str, str]:
    """Return the roles of the first and the second warband.

    If the roles differ, a die decides: on 1 to 3 the first warband gets the first role.
    """
    first, last = roles[0].key, roles[-1].key
    if first == last:
        return first, first
    return (first, last) if cast_lot(campaign, scenario, 6) <= 3 else (last, first)
