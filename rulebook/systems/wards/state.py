"""A battle as its log has come to it: who stands where in which order, and what every Ward has done in this turn."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulebook.systems.wards.book import HOUSE_RULES, HouseRules, figures
from rulebook.systems.wards.fights import Party
from rulebook.systems.wards.morale import Nerve
from rulebook.systems.wards.roster import CAVALRY, read_build
from rulebook.systems.wards.units import Standing, Unit
from rulebook.values.battles import BattleSetup, Deed

GONE = {
    "destroyed": "destroyed",
    "routed": "routed",
    "killed": "killed",
    "lost": "lost to the enemy",
}
"""What may become of a unit, a gun or a General in a battle, and how people say it."""
ON_TABLE = ("front", "rear")


class Combatant(Struct, frozen=True):
    """A unit, a gun or a General in a battle. ``gone`` is one of ``GONE``, "" while it stands.

    ``halves`` are half bases left, ``casualties`` its markers. ``with_unit`` is the unit with which a General stands;
    ``faces`` how many faces a gun has been turned since it ``fired``. ``fights_won`` counts those of this battle.
    """

    id: str
    name: str
    side: str
    unit: Unit
    halves: int
    ward: str = ""
    place: str = "front"
    casualties: int = 0
    out_of_order: bool = False
    low: bool = False
    winning: bool = False
    with_unit: str = ""
    faces: int = 0
    fired: bool = False
    fights_won: int = 0
    gone: str = ""

    @property
    def on_table(self) -> bool:
        """Does it stand on the table, in the front or the rear of its Ward or as a gun?"""
        return not self.gone and self.place in ON_TABLE

    @property
    def key(self) -> str:
        """The key of its Ward, "" without one."""
        return f"{self.side}/{self.ward}" if self.ward else ""


class Ward(Struct, frozen=True):
    """What a Ward carries through its turn and beyond. ``morale`` is the outcome of this turn, "" before the test.

    ``failed_move`` is a move of an earlier turn that did not succeed; ``done`` holds marks of this turn: "moved",
    "shot", "fought", "pulled in". ``fights_won`` counts those of the battle.
    """

    morale: str = ""
    failed_move: bool = False
    done: tuple[str, ...] = ()
    fights_won: int = 0


class State(Struct, frozen=True):
    """The state of play. ``active`` and ``winner`` are keys of sides, ``struck`` Generals who have yet to be saved.

    ``step`` is the place of the step of the turn that play has come to, from 0. ``clock`` holds the dice of the battle
    clock, ``judged`` those unreliable Generals who have thrown their dice.
    """

    combatants: Mapping[str, Combatant]
    sides: Mapping[str, str]
    settings: HouseRules = HouseRules()
    wards: Mapping[str, Ward] = {}
    turn: int = 0
    active: str = ""
    struck: tuple[str, ...] = ()
    judged: tuple[str, ...] = ()
    clock: tuple[int, ...] = ()
    deeds: tuple[Deed, ...] = ()
    step: int = 0
    ended: bool = False
    winner: str = ""
    reason: str = ""

    def at_step(self, place: int) -> "State":
        """The state once this step of the turn has been reached."""
        return replace(self, step=place) if place > self.step else self

    def of(self, side: str) -> tuple[Combatant, ...]:
        """Everything that a side has fielded."""
        return tuple(each for each in self.combatants.values() if each.side == side)

    def units(self, ward: str, place: str = "") -> tuple[Combatant, ...]:
        """The units of a Ward on the table, Generals and guns apart; those of one place if it is given."""
        return tuple(
            each
            for each in self.combatants.values()
            if each.key == ward and each.on_table and each.halves and (not place or each.place == place)
        )

    def general_of(self, ward: str) -> Combatant | None:
        """The General who stands in a Ward, None without one."""
        own = {each.id for each in self.units(ward)}
        return next((each for each in self.combatants.values() if each.with_unit in own and not each.gone), None)

    def ward(self, key: str) -> Ward:
        """What a Ward carries."""
        return self.wards.get(key, Ward())

    def standing(self, one: Combatant) -> Standing:
        """A unit as it stands, with its General."""
        with_general = any(each.with_unit == one.id and not each.gone for each in self.combatants.values())
        return Standing(one.unit, one.halves, with_general, one.winning)

    def better_units(self, ward: str) -> int:
        """How many units of a Ward are better ones. Sheet: "Better units"."""
        return sum(self.standing(each).better for each in self.units(ward))

    def nerve(self, ward: str, hostile_faces: int, *, on_hill: bool) -> Nerve:
        """What the morale of a Ward depends on now."""
        units, general = self.units(ward), self.general_of(ward)
        return Nerve(
            sum(each.casualties for each in units),
            hostile_faces,
            any(self.standing(each).quality == "levy" for each in units),
            "" if general is None else "morale" if "morale" in general.unit.attributes else "present",
            self.better_units(ward),
            on_hill,
        )

    def party(self, ward: str, *, assaults: bool, leading: int = 0, into_ground: bool = False) -> Party:
        """A Ward as one side of a fight."""
        general, foot = self.general_of(ward), not ward.endswith(f"/{CAVALRY}")
        fits = "assaulter" if assaults else "target"
        return Party(
            tuple(self.standing(each).frontage for each in self.units(ward, "front")),
            sum(each.halves for each in self.units(ward, "rear")) / 2,
            foot,
            "" if general is None else "attribute" if fits in general.unit.attributes else "present",
            leading,
            self.better_units(ward),
            sum(self.standing(each).quality == "levy" for each in self.units(ward)),
            into_ground,
        )

    def with_(self, *changed: Combatant) -> "State":
        """The state with these combatants as they are now."""
        return replace(self, combatants={**self.combatants, **{each.id: each for each in changed}})

    def with_ward(self, key: str, *marks: str, **changes: Any) -> "State":
        """The state with this Ward as it is now, and what it has done in this turn."""
        ward = self.ward(key)
        changed = replace(ward, **{"done": (*ward.done, *marks), **changes})
        return replace(self, wards={**self.wards, key: changed})

    def losing(self, one: str, halves: int) -> "State":
        """The state after a unit has lost half bases; without any left it is destroyed."""
        there = self.combatants[one]
        left = max(0, there.halves - halves)
        return self.with_(replace(there, halves=left, gone="" if left else "destroyed"))

    def to_reserve(self, one: str, *, halves: int = 1) -> "State":
        """The state after a unit went to the reserves with so many half bases fewer, in order and without markers."""
        state = self.losing(one, halves)
        return state.with_(replace(state.combatants[one], place="reserve", casualties=0, out_of_order=False))

    def marked(self, casualties: Mapping[str, int]) -> "State":
        """The state with so many more casualty markers on these units; bases are not lost by them. Ruling W-S5."""
        there = self.combatants
        return self.with_(
            *(replace(there[one], casualties=there[one].casualties + count) for one, count in casualties.items())
        )

    def disordered(self, units: Iterable[str]) -> "State":
        """The state with these units out of order."""
        return self.with_(*(replace(self.combatants[one], out_of_order=True) for one in units))

    def gone(self, one: str, how: str, by: str = "", means: str = "") -> "State":
        """The state after something is gone; it is the deed of whoever did it, if that is known."""
        fallen, doer = self.combatants[one], self.combatants.get(by)
        state = self.with_(replace(fallen, gone=how, with_unit=""))
        if doer is None:
            return state
        deed = Deed(
            fighter=by,
            kind="wound",
            rank=0,
            victim=one,
            victim_name=fallen.name,
            victim_rank=0,
            result=how,
            means=means,
            killed=how in ("killed", "destroyed"),
            turn=self.turn or None,
            friendly=doer.side == fallen.side,
        )
        return replace(state, deeds=(*state.deeds, deed))


def ward_name(key: str) -> str:
    """What people call a Ward."""
    return key.split("/", 1)[-1]


def wards_of(state: State, side: str = "") -> tuple[str, ...]:
    """The keys of all Wards with a unit on the table, in the order of the rosters; those of one side if it is given."""
    units = (each for each in state.combatants.values() if each.key and each.on_table and each.halves)
    return tuple(dict.fromkeys(each.key for each in units if not side or each.side == side))


def next_turn(state: State, active: str) -> State:
    """The state when a turn begins: no Ward has tested, moved, shot or fought in it yet."""
    wards = {key: replace(ward, morale="", done=()) for key, ward in state.wards.items()}
    judged = () if state.settings.unreliable_dice == "turn" else state.judged
    return replace(state, turn=state.turn + 1, step=0, active=active, wards=wards, judged=judged)


def opening(setup: BattleSetup) -> State:
    """The state before the first event. Who stands in a front of 1½ or 2 bases is out of order. Raises RulesError."""
    combatants: dict[str, Combatant] = {}
    settings = HOUSE_RULES.settled(setup.settings)
    for side in setup.sides:
        for each in side.fighters:
            unit = read_build(each.build)
            halves = max(0, unit.halves - int(each.condition.get("lost", 0)))
            combatants[each.id] = Combatant(
                each.id, each.name, side.key, unit, halves, unit.ward, unit.place, with_unit=""
            )
    state = State(combatants, {side.key: side.name for side in setup.sides}, settings)
    return state.disordered(key for key, one in combatants.items() if narrow(state, one))


def narrow(state: State, one: Combatant) -> bool:
    """Does it stand in front, so narrow that it falls out of order? Sheet: "Out of order". Ruling W-O1."""
    low, high = figures("turn")["narrow_front"]
    return one.place == "front" and bool(one.halves) and low <= state.standing(one).frontage <= high
