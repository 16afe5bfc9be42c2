"""A battle of Avant-garde for tests: two armies, and a log that grows event by event."""

from typing import Any

from rulebook.ruleset import BattleSetup, FieldedFighter, FieldedSide
from rulebook.systems.avant_garde.fighters import build_of, read_build
from rulebook.systems.avant_garde.log import LOG
from rulebook.systems.avant_garde.state import Combatant, State
from tests.rulebook.told import ToldBattle

ARMY: dict[str, dict[str, Any]] = {
    "marshal": {"profile": "commander", "rating": "competent"},
    "general": {"profile": "commander", "rating": "inspirational", "brigade": "1st Brigade"},
    "colonel": {"profile": "commander", "rating": "uninspiring", "brigade": "Horse"},
    "line": {"profile": "infantry", "figures": 24, "brigade": "1st Brigade"},
    "guard": {"profile": "infantry", "figures": 24, "grade": "guard", "brigade": "1st Brigade"},
    "militia": {"profile": "infantry", "figures": 18, "grade": "militia", "brigade": "1st Brigade"},
    "light": {
        "profile": "infantry",
        "figures": 24,
        "grade": "veteran",
        "light_infantry": True,
        "rifles": True,
        "brigade": "1st Brigade",
    },
    "guns": {"profile": "artillery", "medium": 2, "howitzer": 1, "brigade": "1st Brigade"},
    "hussars": {
        "profile": "cavalry",
        "figures": 12,
        "grade": "veteran",
        "firearm": "carbine",
        "brigade": "Horse",
    },
    "cuirassiers": {"profile": "cavalry", "figures": 12, "mount": "cuirassier", "brigade": "Horse"},
}


def setup(nations: tuple[str, str] = ("france", "britain"), **settings: Any) -> BattleSetup:
    """Return a battle of the Reds against the Blues, under these house rules."""
    sides = (_side("red", "Reds", nations[0]), _side("blue", "Blues", nations[1]))
    return BattleSetup("meeting-engagement", sides, settings)


def _side(key: str, name: str, nation: str) -> FieldedSide:
    fielded = (
        FieldedFighter(f"{key}-{each}", f"{name} {each}", build_of(read_build(text)), 0, 0)
        for each, text in ARMY.items()
    )
    return FieldedSide(key, name, "side", nation, tuple(fielded))


class Field(ToldBattle[State]):
    """A battle in progress under these house rules."""

    def __init__(self, nations: tuple[str, str] = ("france", "britain"), **settings: Any) -> None:
        super().__init__(LOG, setup(nations, **settings))

    def of(self, who: str) -> Combatant:
        """Return the current state of a combatant."""
        return self.play.state.combatants[who]
