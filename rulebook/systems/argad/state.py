"""A battle as its log has come to it: who stands, what is loaded, what everybody has done in this
turn."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulebook.systems.argad.book import USUAL, HouseRules, settled
from rulebook.systems.argad.fighters import Fighter
from rulebook.systems.argad.melee import Contender
from rulebook.systems.argad.roster import read_build
from rulebook.values.battles import BattleSetup, Deed


class Combatant(Struct, frozen=True):
    """Somebody in a battle. ``gone`` is one of ``GONE``, "" while he stands; ``gone_by`` is the
    attacker's name.

    ``reload_left`` counts turns still missing, ``fouled`` is a musket used in melee.
    ``melee_turns`` counts his turns of melee on end. ``done`` holds marks of this turn: "moved",
    "shot", "stood still" to shoot, "reloaded", "fought", "recoiled".
    """

    id: str
    name: str
    side: str
    fighter: Fighter
    gone: str = ""
    gone_by: str = ""
    reload_left: int = 0
    fouled: bool = False
    melee_turns: int = 0
    done: tuple[str, ...] = ()

    def contender(self, stances: tuple[str, ...] = ()) -> Contender:
        """As he fights now, standing like this."""
        return Contender(self.fighter, self.melee_turns + ("fought" not in self.done), stances)

    def does(self, *marks: str, **changes: Any) -> "Combatant":
        """Return the same once he has done this; a turn of reloading that he breaks off adds none.
        Ruling A-S15."""
        broken_off = "reloaded" in self.done
        done = tuple(each for each in self.done if each != "reloaded")
        return replace(
            self,
            **{"reload_left": self.reload_left + broken_off, "done": (*done, *marks), **changes},
        )

    def fights(self) -> "Combatant":
        """Return the same in his melee of this turn; a musket is out for the day."""
        fouled, again = self.fouled or self.fighter.firearm == "musket", "fought" in self.done
        return self.does("fought", fouled=fouled, melee_turns=self.melee_turns + (not again))

    def next_turn(self) -> "Combatant":
        """Return the same when a turn begins: he has done nothing in it yet."""
        return replace(self, melee_turns=self.melee_turns if "fought" in self.done else 0, done=())


class State(Struct, frozen=True):
    """The state of play. ``winner`` and ``field`` are keys of sides, by the players' word; "" for
    nobody.

    ``light`` says that this turn is logged by its casualties alone.
    """

    combatants: Mapping[str, Combatant]
    sides: Mapping[str, str]
    settings: HouseRules = USUAL
    turn: int = 0
    deeds: tuple[Deed, ...] = ()
    ended: bool = False
    winner: str = ""
    field: str = ""
    light: bool = False

    def of(self, side: str) -> tuple[Combatant, ...]:
        """Return the fighters of a side."""
        return tuple(each for each in self.combatants.values() if each.side == side)

    def updating(self, *changed: Combatant) -> "State":
        """Return the state with these combatants as they are now."""
        return replace(self, combatants={**self.combatants, **{each.id: each for each in changed}})

    def lost(self, victim: str, gone: str, by: str, means: str) -> "State":
        """Return the state after a fighter is gone; it is a deed of the attacker."""
        fallen = self.combatants[victim]
        attacker = self.combatants.get(by) if by != victim else None
        state = self.updating(replace(fallen, gone=gone, gone_by=attacker.name if attacker else ""))
        if attacker is None:
            return state
        arms = {"shot": attacker.fighter.firearm, "melee": attacker.fighter.weapon}
        weapon = arms.get(means, "") if gone != "captured" else ""
        deed = Deed(
            fighter=by,
            kind="captive" if gone == "captured" else "wound",
            rank=attacker.fighter.class_,
            victim=victim,
            victim_name=fallen.name,
            victim_rank=fallen.fighter.class_,
            result=gone,
            means=means,
            killed=gone == "killed",
            turn=self.turn or None,
            friendly=attacker.side == fallen.side,
            detail={"weapon": weapon} if weapon else {},
        )
        return replace(state, deeds=(*state.deeds, deed))


def opening(setup: BattleSetup) -> State:
    """Return the state before the first event: everybody stands, and everything is loaded (A-S14).

    Raise RulesError.
    """
    rules = settled(setup.settings)
    combatants = {}
    for side in setup.sides:
        for each in side.fighters:
            combatants[each.id] = Combatant(
                each.id, each.name, side.key, read_build(each.build, rules)
            )
    return State(combatants, {side.key: side.name for side in setup.sides}, rules)
