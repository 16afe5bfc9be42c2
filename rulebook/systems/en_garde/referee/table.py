"""The table of the referee: a battle under way, and how far everybody has come forward."""

from typing import Any

from rulebook.battle_log.dice_commitment import with_dice
from rulebook.dice.rolls import Generator
from rulebook.ruleset import BattleSetup, LoggedEvent
from rulebook.systems.en_garde.log.kinds import LOG
from rulebook.systems.en_garde.referee.quick_result import Story
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.turns.duels import duellists_alone, is_duellist
from rulebook.systems.en_garde.turns.fighters import present

DEPTH = 30
"""Inches between the two lines of deployment."""


class Referee(Story):
    """A battle under way, with every fighter's place on the line (inches forward from its own edge)."""

    def __init__(self, setup: BattleSetup, generator: Generator) -> None:
        super().__init__(setup, generator)
        self.places: dict[str, float] = dict.fromkeys(self.state.combatants, 0.0)

    def tell(self, kind: str, **data: Any) -> None:
        """Log one event, with its dice thrown."""
        logged = LoggedEvent(len(self.events) + 1, kind, data, self.turn)
        super().tell(kind, **with_dice(LOG, self.state, logged, self.luck).data)

    def now(self, fighter: str) -> Combatant:
        """A fighter as it is right now."""
        return present(self.state, fighter)

    def apart(self, one: str, other: str) -> float:
        """Inches between two enemies; none if they are in contact."""
        if other in self.state.table.of(one).contacts:
            return 0.0
        return max(1.0, DEPTH - self.places[one] - self.places[other])

    def engaged(self, fighter: str) -> bool:
        """Is it in contact with an enemy?"""
        return self.state.table.engaged(fighter)

    def duellists_only(self) -> bool:
        """Is it one of the first turns of a Duel, in which nobody else acts?"""
        return 0 < (self.turn or 0) <= duellists_alone(self.state)

    def may_act(self, fighter: str) -> bool:
        """Does the scenario let it act in this turn?"""
        return not self.duellists_only() or is_duellist(self.state, fighter)
