"""The odds between two combatants of a battle, in the state after its log."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext
from msgspec import Struct

from battles.models import Battle
from battles.rulebook_values import ruleset_of_battle, sides_of
from battles.selectors.opponents import Party
from battles.stored_play import load_battle_play
from reference.selectors.calculators import kind_of_odds
from rulebook.battle_log.play import Play
from rulebook.ruleset import Ruleset

BATTLE = "battle"


class Encounter(Struct, frozen=True):
    """A battle with its rules and its present play, for odds between two of its fighters."""

    rules: Ruleset
    play: Play[Any]

    def odds(
        self, attacker: str, target: str, kind: str, values: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Return the odds between two combatants now: an ``Answer`` as JSON.

        Raises InvalidInput for an unknown kind, RulesError for wrong values and for a fighter who
        is not in the battle.
        """
        calculator = kind_of_odds(self.rules, kind, BATTLE)
        return self.rules.calculators.odds_in_battle(
            calculator.key, self.play, attacker, target, values
        )

    @property
    def parties(self) -> tuple[Party, ...]:
        """The fighters by side; those who belong to no roster come last."""
        sides = (
            Party(side.name, tuple((each.id, each.name) for each in side.fighters))
            for side in self.play.setup.sides
        )
        others = self.rules.bystanders(self.play.setup)
        return (*sides, *((Party(gettext("Bystanders"), others),) if others else ()))


def encounter_of(battle: Battle) -> Encounter:
    """Return a battle that is ready for odds. At most four queries, however long the log."""
    return Encounter(ruleset_of_battle(battle), load_battle_play(battle, sides_of(battle)).play)


def odds_in_battle(
    battle: Battle, attacker: str, target: str, kind: str, values: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return the odds between two combatants now, see ``Encounter.odds``.

    At most four queries, however long the log.
    """
    return encounter_of(battle).odds(attacker, target, kind, values)
