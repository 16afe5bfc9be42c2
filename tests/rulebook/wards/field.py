"""A battle of Wards for tests: two armies, and a log that is told event by event."""

from random import Random
from typing import Any

from msgspec import to_builtins

from rulebook.battle_log.play import Play, open_play
from rulebook.ruleset import BattleSetup, FieldedFighter, FieldedSide, LoggedEvent, RulesError
from rulebook.systems.wards.log import LOG
from rulebook.systems.wards.roster import read_build
from rulebook.systems.wards.state import Combatant, State

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


def setup(**settings: Any) -> BattleSetup:
    """The Reds against the Blues, under these house rules."""
    return BattleSetup("battle", (_side("red", "Reds"), _side("blue", "Blues")), settings)


def _side(key: str, name: str) -> FieldedSide:
    fielded = (
        FieldedFighter(f"{key}-{each}", f"{name} {each}", to_builtins(read_build(told)), 0, 0)
        for each, told in ARMY.items()
    )
    return FieldedSide(key, name, "side", "army", tuple(fielded))


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
        """Something as it stands now."""
        return self.play.state.combatants[who]

    @property
    def told(self) -> tuple[str, ...]:
        """What the last event came to."""
        outcome = self.play.outcome()
        return outcome.sentences if outcome else ()
