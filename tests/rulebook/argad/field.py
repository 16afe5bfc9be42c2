"""A battle of Argad! for tests: two companies, and a log that grows event by event."""

from typing import Any

from msgspec import to_builtins

from rulebook.ruleset import BattleSetup, FieldedFighter, FieldedSide
from rulebook.systems.argad.log import LOG
from rulebook.systems.argad.state import Combatant, State
from tests.rulebook.argad.sheets import fighter
from tests.rulebook.told import ToldBattle

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
    """Return a battle of the Reds against the Blues, under these house rules."""
    return BattleSetup(
        "battle", (_side("red", "Reds", REDS), _side("blue", "Blues", BLUES)), settings
    )


def _side(key: str, name: str, cells: dict[str, str]) -> FieldedSide:
    fighters = {each: fighter(cell) for each, cell in cells.items()}
    fielded = (
        FieldedFighter(each, each.capitalize(), to_builtins(build), build.class_, 0)
        for each, build in fighters.items()
    )
    return FieldedSide(key, name, "side", "company", tuple(fielded))


class Field(ToldBattle[State]):
    """A battle in progress under these house rules."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(LOG, setup(**settings))

    def of(self, who: str) -> Combatant:
        """Return the current state of a combatant."""
        return self.play.state.combatants[who]

    def two(self, first: str, second: str) -> Any:
        """Return two combatants in the form that calculators expect."""
        return lambda values: (self.play.state, first, second)
