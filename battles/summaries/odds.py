"""Odds between two combatants of a battle, as its log leaves them."""

from collections.abc import Mapping
from typing import Any

from battles.models import Battle
from battles.reading import log_of, rules_of, setup_of, sides_of
from warbands.summaries.calculators import kind_of_odds

BATTLE = "battle"


def odds_in_battle(
    battle: Battle, attacker: str, target: str, kind: str, values: Mapping[str, Any]
) -> Mapping[str, Any]:
    """The odds between two combatants now: an ``Answer`` as JSON. Three queries, however long the log.

    Raises Refused for an unknown kind, RulesError for values that are wrong and for somebody who is not there.
    """
    rules = rules_of(battle)
    known = kind_of_odds(rules, kind, BATTLE)
    return rules.odds_in_battle(known.key, setup_of(battle, sides_of(battle)), log_of(battle), attacker, target, values)
