"""The base of referees that try events at random: each passes the same checks as a player's.

A player's event is judged with other dice too, so that nobody learns the dice of a refused one
(``rulebook.battle_log.dice_commitment``). A referee's is judged with the dice that fell.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, Generic, TypeVar

from rulebook.battle_log.dice_commitment import rolled_step
from rulebook.battle_log.log import BattleLog
from rulebook.ruleset import BattleSetup, LoggedEvent, RulesError

State = TypeVar("State")
Thing = TypeVar("Thing")


class Referee(ABC, Generic[State]):
    """A battle that a program plays.

    Dice come from the given generator: the same seed gives the same battle.
    """

    log: ClassVar[BattleLog[Any]]
    """The log of the rule system."""

    def __init__(self, setup: BattleSetup, luck: Random) -> None:
        self.state: State = self.log.opening(setup)
        self.events: list[LoggedEvent] = []
        self.luck = luck

    @abstractmethod
    def play_on(self) -> None:
        """Play from the first event to the last."""

    @classmethod
    def battle(cls, setup: BattleSetup, luck: Random) -> tuple[LoggedEvent, ...]:
        """Play a battle and return its whole log."""
        table = cls(setup, luck)
        table.play_on()
        return tuple(table.events)

    @property
    def turn(self) -> int:
        """The present turn, 0 before the first."""
        turn: int = getattr(self.state, "turn", 0)
        return turn

    def tell(self, kind: str, **data: Any) -> None:
        """Log an event, with its dice rolled. Raises RulesError if it is not legal."""
        turn = self.turn + self.log.kinds[kind].starts_turn
        event = LoggedEvent(len(self.events) + 1, kind, data, turn or None)
        step = rolled_step(self.log, self.state, event, self.luck)
        self.state = step.after
        self.events.append(step.logged)

    def tries(self, kind: str, **data: Any) -> bool:
        """Log an event if it is legal, and return whether it was."""
        luck = self.luck.getstate()
        try:
            self.tell(kind, **data)
        except RulesError:
            # A refused event uses up no dice.
            self.luck.setstate(luck)
            return False
        return True

    def one_of(self, some: Sequence[Thing]) -> Thing:
        """Return a random one of these. Raises IndexError if there are none."""
        return some[self.luck.randint(0, len(some) - 1)]
