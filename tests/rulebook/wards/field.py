"""A battle of Wards for tests: two armies, and a log that grows event by event."""

from typing import Any

from msgspec import to_builtins

from rulebook.ruleset import BattleSetup, FieldedFighter, FieldedSide
from rulebook.systems.wards.log import LOG
from rulebook.systems.wards.roster import read_build
from rulebook.systems.wards.state import Combatant, State
from tests.rulebook.told import ToldBattle

ARMY: dict[str, dict[str, Any]] = {
    "duke": {"arm": "general", "attributes": ["morale", "assaulter"]},
    "earl": {"arm": "general", "attributes": ["target"]},
    "baron": {"arm": "general", "unreliable": True},
    "spears": {"bases": 4, "ward": "Van", "quality": "household"},
    "bills": {"bases": 3, "ward": "Van"},
    "bows": {"bases": 5, "ward": "Van", "place": "rear"},
    "levies": {"bases": 3, "half": True, "ward": "Rearguard", "quality": "levy"},
    "pikes": {"bases": 4, "ward": "Rearguard", "place": "rear"},
    "shots": {"arm": "hand-gunners", "bases": 2, "ward": "Rearguard"},
    "bombard": {"arm": "heavy-gun", "ward": "Rearguard"},
    "culverin": {"arm": "light-gun", "ward": "Van"},
    "knights": {"arm": "cavalry", "bases": 3, "quality": "household"},
    "scouts": {"bases": 2, "ward": "Van", "place": "reserve"},
}


def setup(army: dict[str, dict[str, Any]] = ARMY, /, **settings: Any) -> BattleSetup:
    """Return a battle of Reds against Blues with the same army, under these house rules."""
    return BattleSetup(
        "battle", (_side("red", "Reds", army), _side("blue", "Blues", army)), settings
    )


def _side(key: str, name: str, army: dict[str, dict[str, Any]]) -> FieldedSide:
    fielded = (
        FieldedFighter(f"{key}-{each}", f"{name} {each}", to_builtins(read_build(text)), 0, 0)
        for each, text in army.items()
    )
    return FieldedSide(key, name, "side", "army", tuple(fielded))


class Field(ToldBattle[State]):
    """A battle in progress between two such armies, under these house rules."""

    def __init__(self, army: dict[str, dict[str, Any]] = ARMY, /, **settings: Any) -> None:
        super().__init__(LOG, setup(army, **settings))

    def of(self, who: str) -> Combatant:
        """Return the current state of a combatant."""
        return self.play.state.combatants[who]
