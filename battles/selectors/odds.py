"""Odds between two combatants of a battle, as its log leaves them."""

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
    """A battle as questions about two of it need it."""

    rules: Ruleset
    play: Play[Any]

    def odds(
        self, attacker: str, target: str, kind: str, values: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """The odds between two combatants now: an ``Answer`` as JSON.

        Raises InvalidInput for an unknown kind, RulesError for values that are wrong and for
        somebody who is not there.
        """
        calculator = kind_of_odds(self.rules, kind, BATTLE)
        return self.rules.calculators.odds_in_battle(
            calculator.key, self.play, attacker, target, values
        )

    @property
    def parties(self) -> tuple[Party, ...]:
        """Who is in it, by side; those who belong to no roster come last."""
        sides = (
            Party(side.name, tuple((each.id, each.name) for each in side.fighters))
            for side in self.play.setup.sides
        )
        others = self.rules.bystanders(self.play.setup)
        return (*sides, *((Party(gettext("Bystanders"), others),) if others else ()))


def encounter_of(battle: Battle) -> Encounter:
    """A battle ready for questions. Four queries at most, however long the log."""
    return Encounter(ruleset_of_battle(battle), load_battle_play(battle, sides_of(battle)).play)


def odds_in_battle(
    battle: Battle, attacker: str, target: str, kind: str, values: Mapping[str, Any]
) -> Mapping[str, Any]:
    """The odds between two combatants now, see ``Encounter.odds``. Four queries at most, however
    long the log."""
    return encounter_of(battle).odds(attacker, target, kind, values)
