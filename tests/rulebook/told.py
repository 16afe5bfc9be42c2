"""A battle of any rule system that grows event by event."""

from random import Random
from typing import Any, Generic, Self, TypeVar

from rulebook.battle_log.log import BattleLog
from rulebook.battle_log.play import Play, open_play
from rulebook.ruleset import BattleSetup, LoggedEvent, RulesError

State = TypeVar("State")


class ToldBattle(Generic[State]):
    """A battle in progress: ``tell`` logs an event, with dice rolled if none are given."""

    def __init__(self, log: BattleLog[State], setup: BattleSetup) -> None:
        self.play: Play[State] = open_play(log, setup)
        self.random = Random(1)

    def tell(self, kind: str, **data: Any) -> Self:
        """Log an event. Raises RulesError."""
        event = LoggedEvent(self.play.sequence + 1, kind, data)
        thrown = self.play.throw(event, self.random)
        self.play = self.play.after(
            LoggedEvent(event.sequence, kind, thrown.data, None, thrown.dice)
        )
        return self

    def refused(self, kind: str, **data: Any) -> list[str]:
        """Return the codes of the problems of an event."""
        try:
            before, self.play = self.play, self.tell(kind, **data).play
        except RulesError as error:
            return [problem.code for problem in error.problems]
        self.play = before
        return []

    @property
    def told(self) -> tuple[str, ...]:
        """The sentences of the last event's outcome."""
        outcome = self.play.outcome()
        return outcome.sentences if outcome else ()
