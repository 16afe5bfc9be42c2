"""Odds between two combatants of a battle, as its log leaves them."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from battles.models import Battle
from battles.reading import log_of, rules_of, setup_of, sides_of
from rulebook.ruleset import BattleSetup, LoggedEvent, Ruleset
from warbands.summaries.calculators import kind_of_odds
from warbands.summaries.opponents import Party

BATTLE = "battle"


class Encounter(Struct, frozen=True):
    """A battle as questions about two of it need it."""

    rules: Ruleset
    setup: BattleSetup
    log: tuple[LoggedEvent, ...]

    def odds(self, attacker: str, target: str, kind: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """The odds between two combatants now: an ``Answer`` as JSON.

        Raises Refused for an unknown kind, RulesError for values that are wrong and for somebody who is not there.
        """
        known = kind_of_odds(self.rules, kind, BATTLE)
        return self.rules.calculators.odds_in_battle(known.key, self.setup, self.log, attacker, target, values)

    @property
    def parties(self) -> tuple[Party, ...]:
        """Who is in it, by side; those who belong to no roster come last."""
        sides = (Party(side.name, tuple((each.id, each.name) for each in side.fighters)) for side in self.setup.sides)
        others = self.rules.bystanders(self.setup)
        return (*sides, *((Party("Bystanders", others),) if others else ()))


def encounter_of(battle: Battle) -> Encounter:
    """A battle ready for questions. Three queries, however long the log."""
    return Encounter(rules_of(battle), setup_of(battle, sides_of(battle)), log_of(battle))


def odds_in_battle(
    battle: Battle, attacker: str, target: str, kind: str, values: Mapping[str, Any]
) -> Mapping[str, Any]:
    """The odds between two combatants now, see ``Encounter.odds``. Three queries, however long the log."""
    return encounter_of(battle).odds(attacker, target, kind, values)
