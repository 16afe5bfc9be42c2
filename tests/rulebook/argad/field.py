"""A battle of Argad! for tests: two companies, and a log that is told event by event."""

from random import Random
from typing import Any

from msgspec import to_builtins

from rulebook.battle_log.play import Play, open_play
from rulebook.ruleset import BattleSetup, FieldedFighter, FieldedSide, LoggedEvent, RulesError
from rulebook.systems.argad.log import LOG
from rulebook.systems.argad.state import Combatant, State
from tests.rulebook.argad.sheets import fighter

REDS = {
    "alf": "class=4, weapon=sword, firearm=pistol, mount=cavalry, clothing=half-armour",
    "bert": "weapon=pike, trained",
    "carl": "class=2, firearm=musket",
}
BLUES = {
    "xaver": "class=3, weapon=halberd, trained",
    "yves": "class=3, firearm=arquebus",
    "zeno": "class=5, clothing=complete, weapon=two-handed",
}


def setup(**settings: Any) -> BattleSetup:
    """The Reds against the Blues, under these house rules."""
    return BattleSetup("battle", (_side("red", "Reds", REDS), _side("blue", "Blues", BLUES)), settings)


def _side(key: str, name: str, cells: dict[str, str]) -> FieldedSide:
    told = {each: fighter(cell) for each, cell in cells.items()}
    fielded = (FieldedFighter(each, each.capitalize(), to_builtins(one), one.class_, 0) for each, one in told.items())
    return FieldedSide(key, name, "side", "company", tuple(fielded))


class Field:
    """A battle under way: ``tell`` logs an event, with dice thrown for it if none are given."""

    def __init__(self, **settings: Any) -> None:
        self.play: Play[State] = open_play(LOG, setup(**settings))
        self.random = Random(1)

    def tell(self, kind: str, **data: Any) -> "Field":
        """One event further. Raises RulesError."""
        event = LoggedEvent(self.play.sequence + 1, kind, data)
        thrown = self.play.throw(event, self.random)
        self.play = self.play.after(LoggedEvent(event.sequence, kind, thrown.data, None, thrown.dice))
        return self

    def refused(self, kind: str, **data: Any) -> list[str]:
        """The codes of what is wrong with an event."""
        try:
            before, self.play = self.play, self.tell(kind, **data).play
        except RulesError as error:
            return [problem.code for problem in error.problems]
        self.play = before
        return []

    def of(self, who: str) -> Combatant:
        """Somebody as he stands now."""
        return self.play.state.combatants[who]

    @property
    def told(self) -> tuple[str, ...]:
        """What the last event came to."""
        outcome = self.play.outcome()
        return outcome.sentences if outcome else ()

    def two(self, first: str, second: str) -> Any:
        """These two of the battle, as calculators ask for them."""
        return lambda values: (self.play.state, first, second)
