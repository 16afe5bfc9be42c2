"""A battle as its log has come to it: who stands where in which order, and what every Ward has come
to in this turn."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulebook.systems.wards.book import CAVALRY, HOUSE_RULES, HouseRules, book, figures
from rulebook.systems.wards.dice import Nerve, Party
from rulebook.systems.wards.fighters import Fighter, Standing
from rulebook.systems.wards.roster import present, read_build
from rulebook.values.battles import BattleSetup, Deed
from rulebook.values.remembering import RemembersAnswers, remembered

ON_TABLE = ("front", "rear")


class Combatant(RemembersAnswers, frozen=True):
    """A unit, a gun or a General in a battle. ``gone`` is one of ``GONE``, "" while it stands.

    ``halves`` are half-bases left, ``casualties`` its markers. ``stands_with`` is the unit to which
    a General is attached; without one he is with the Ward in ``ward``, or elsewhere where that is
    "" (W-U4). ``returns_to`` is the Ward from which he joined the cavalry, and the unit to which he
    was attached there (W-C2). ``fell`` is how many fallen Generals a successor has replaced;
    ``faces`` how many faces a gun has been turned since it ``fired``.
    """

    id: str
    name: str
    side: str
    fighter: Fighter
    halves: int
    ward: str = ""
    place: str = "front"
    casualties: int = 0
    out_of_order: bool = False
    low: bool = False
    winning: bool = False
    stands_with: str = ""
    returns_to: tuple[str, str] = ("", "")
    fell: int = 0
    faces: int = 0
    fired: bool = False
    gone: str = ""

    @property
    def on_table(self) -> bool:
        """Return whether it stands on the table, in the front or the rear of its Ward or as a
        gun."""
        return not self.gone and self.place in ON_TABLE

    # The rules look for the units of a Ward among everybody, many times in an event.
    @cached_property
    def key(self) -> str:
        """Return the key of its Ward, "" without one."""
        return ward_key(self.side, self.ward)


class Ward(Struct, frozen=True):
    """The state of a Ward. ``morale`` is the outcome of this turn's test, "" before it; ``moved``
    its move of this turn, "failed" if the dice prevented it; ``failed_move`` says whether its last
    attempt failed, however long ago.
    """

    morale: str = ""
    moved: str = ""
    failed_move: bool = False
    fights_won: int = 0


class State(RemembersAnswers, frozen=True):
    """The state of play. ``active`` and ``winner`` are keys of sides, ``brought`` the half-bases
    with which each side came; ``struck`` are Generals who have yet to be saved, each with whether
    he led from the front.

    ``step`` is the place of the step of the turn that play has come to, from 0, ``last_step`` that
    of the last event; ``done`` what has been done in this turn that is done once; ``light`` says
    that the turn is logged by its casualties alone. ``clock`` holds the dice of the battle clock,
    ``judged`` unreliable Generals who threw.
    """

    combatants: Mapping[str, Combatant]
    sides: Mapping[str, str]
    settings: HouseRules = HouseRules()
    brought: Mapping[str, int] = {}
    wards: Mapping[str, Ward] = {}
    turn: int = 0
    active: str = ""
    struck: tuple[tuple[str, bool], ...] = ()
    judged: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    clock: tuple[int, ...] = ()
    deeds: tuple[Deed, ...] = ()
    step: int = 0
    last_step: int = 0
    ended: bool = False
    winner: str = ""
    reason: str = ""
    light: bool = False

    def at_step(self, place: int) -> "State":
        """Return the state in another step."""
        if place == self.step == self.last_step:
            return self
        return replace(self, last_step=self.step, step=place)

    def acts(self, side: str) -> bool:
        """Return whether this may side act in the step that play has come to. In the last six both
        may."""
        return side == self.active or tuple(book().step.values())[self.step].both

    def of(self, side: str) -> tuple[Combatant, ...]:
        """Return everything that a side has fielded."""
        return tuple(each for each in self.combatants.values() if each.side == side)

    @remembered
    def ranks(self, ward: str, place: str = "") -> tuple[Combatant, ...]:
        """Return the units of a Ward on the table, front before rear, without Generals and guns.

        Of one rank only if ``place`` is given.
        """
        combatants = (
            each
            for each in self.combatants.values()
            if each.key == ward and each.on_table and each.halves
        )
        return tuple(
            sorted(
                (each for each in combatants if place in ("", each.place)),
                key=lambda each: each.place,
            )
        )

    def guns(self, ward: str) -> tuple[Combatant, ...]:
        """Return the guns that stand with a Ward."""
        combatants = self.combatants.values()
        return tuple(
            each for each in combatants if each.fighter.gun and each.on_table and each.key == ward
        )

    def attached_to(self, ward: str) -> tuple[Combatant, ...]:
        """Return the Generals who are attached to units of a Ward."""
        own = {each.id for each in self.ranks(ward)}
        return tuple(each for each in self.combatants.values() if each.stands_with in own)

    @remembered
    def generals_of(self, ward: str) -> tuple[Combatant, ...]:
        """Return the Generals of a Ward: those attached to its units, and those who are with it.
        Ruling W-U4."""
        generals = (
            each for each in self.combatants.values() if each.fighter.general and each.on_table
        )
        return (
            *self.attached_to(ward),
            *(each for each in generals if each.key == ward and not each.stands_with),
        )

    def general_of(self, ward: str) -> Combatant | None:
        """Return the General of a Ward, None without one; who is attached comes first."""
        return next(iter(self.generals_of(ward)), None)

    def led_by(self, ward: str, attribute: str) -> str:
        """Return whether a Ward has a General: "" without one, "attribute" where one has it, else
        "present".

        Ruling W-U4.
        """
        generals = self.generals_of(ward)
        if any(attribute in each.fighter.attributes for each in generals):
            return "attribute"
        return "present" if generals else ""

    def ward(self, key: str) -> Ward:
        """Return what a Ward carries."""
        return self.wards.get(key, Ward())

    @remembered
    def _with_generals(self) -> frozenset[str]:
        """Return the ids of the units to which a General is attached."""
        return frozenset(each.stands_with for each in self.combatants.values())

    def standing(self, combatant: Combatant) -> Standing:
        """Return a unit as it stands, with its General."""
        with_general = combatant.id in self._with_generals()
        return Standing(combatant.fighter, combatant.halves, with_general, combatant.winning)

    def nerve(self, ward: str, hostile_faces: int, *, on_hill: bool) -> Nerve:
        """Return what the morale of a Ward depends on now."""
        ranks = self.ranks(ward)
        return Nerve(
            sum(each.casualties for each in ranks),
            hostile_faces,
            any(self.standing(each).quality == "levy" for each in ranks),
            self.led_by(ward, "morale"),
            sum(self.standing(each).better for each in ranks),
            on_hill,
        )

    def party(
        self, ward: str, *, assaults: bool, leading: int = 0, into_ground: bool = False
    ) -> Party:
        """Return a Ward as one side of a fight."""
        ranks = self.ranks(ward)
        return Party(
            tuple(self.standing(each).frontage for each in ranks if each.place == "front"),
            sum(each.halves for each in ranks if each.place == "rear") / 2,
            ward_name(ward) != CAVALRY,
            self.led_by(ward, "assaulter" if assaults else "target"),
            leading,
            sum(self.standing(each).better for each in ranks),
            sum(self.standing(each).quality == "levy" for each in ranks),
            into_ground,
        )

    def updating(self, *changed: Combatant) -> "State":
        """Return the state with these combatants as they are now."""
        return replace(self, combatants={**self.combatants, **{each.id: each for each in changed}})

    def with_ward(self, key: str, **changes: Any) -> "State":
        """Return the state with this Ward as it is now."""
        return replace(self, wards={**self.wards, key: replace(self.ward(key), **changes)})

    def losing(self, combatant_id: str, halves: int, by: str = "") -> "State":
        """Return the state after a unit has lost half-bases; without any left it is destroyed."""
        left = max(0, self.combatants[combatant_id].halves - halves)
        state = self.updating(replace(self.combatants[combatant_id], halves=left))
        return state if left else state.gone(combatant_id, "destroyed", by)

    def left_alone(self, combatant_id: str) -> "State":
        """The state in which Generals are no more attached to a unit: they stay with its Ward
        (W-U4), and return from the cavalry to where they came from, attached if they were attached
        there (W-C2).
        """
        left, state = self.combatants[combatant_id], self
        for general in self.combatants.values():
            if general.stands_with != combatant_id:
                continue
            ward, former = general.returns_to if left.fighter.arm == "cavalry" else (left.ward, "")
            back = self.combatants.get(former)
            joins = former if back and back.on_table and back.halves else ""
            state = state.updating(
                replace(general, ward=ward, stands_with=joins, returns_to=("", ""))
            )
        return state

    def to_reserve(self, combatant_id: str) -> "State":
        """Return the state after a unit went to the reserves with half a base less; its winning
        marker alone stays."""
        state = self.left_alone(combatant_id).losing(combatant_id, 1)
        left = state.combatants[combatant_id]
        return state.updating(
            replace(left, place="reserve", casualties=0, out_of_order=False, low=False)
        )

    def hurt(self, casualties: Mapping[str, int], by: str = "") -> "State":
        """Return the state with so many more casualty markers on units (W-S5); guns that are hit
        are gone (W-A4)."""
        state = self
        for combatant_id, count in casualties.items():
            combatant = state.combatants[combatant_id]
            marked = replace(combatant, casualties=combatant.casualties + count)
            state = (
                state.gone(combatant_id, "destroyed", by)
                if combatant.fighter.gun
                else state.updating(marked)
            )
        return state

    def disordered(self, who: Iterable[str]) -> "State":
        """Return the state with these units out of order."""
        return self.updating(
            *(replace(self.combatants[combatant_id], out_of_order=True) for combatant_id in who)
        )

    def gone(self, combatant_id: str, how: str, by: str = "") -> "State":
        """Return the state after a unit is gone; it is a deed of the fighter who is named, if any.

        A unit that routs keeps its bases.
        """
        fallen = self.combatants[combatant_id]
        halves = fallen.halves if how == "routed" else 0
        state = self.left_alone(combatant_id).updating(
            replace(fallen, gone=how, stands_with="", halves=halves)
        )
        state = replace(
            state, struck=tuple(each for each in state.struck if each[0] != combatant_id)
        )
        killed = how in ("killed", "destroyed")
        return state.did(
            by, "loss", victim=combatant_id, victim_name=fallen.name, result=how, killed=killed
        )

    def did(self, who: str, kind: str, **details: Any) -> "State":
        """Return the state with a deed of ``who``; the same where nobody is named."""
        if not who:
            return self
        victim = self.combatants.get(details.get("victim", ""))
        friendly = victim is not None and victim.side == self.combatants[who].side
        deed = Deed(
            fighter=who, kind=kind, rank=0, turn=self.turn or None, friendly=friendly, **details
        )
        return replace(self, deeds=(*self.deeds, deed))

    def fights_won(self, ward: str, over: str, number: int = 1) -> "State":
        """Return the state after a Ward won so many fights; they are deeds of its units in front.
        Ruling W-F11."""
        state = self.with_ward(ward, fights_won=self.ward(ward).fights_won + number)
        for each in self.ranks(ward, "front"):
            for _ in range(number):
                state = state.did(each.id, "won", victim_name=over, result="won")
        return state


def ward_key(side: str, ward: str) -> str:
    """Return the key of a side's Ward, "" without one: names of Wards are unique within a side
    alone."""
    return f"{side}/{ward}" if ward else ""


def ward_name(key: str) -> str:
    """Return what people call a Ward."""
    return key.split("/", 1)[-1]


def ward_title(key: str, sides: Mapping[str, str]) -> str:
    """Return a Ward with its side's name, for both may have one of the same name: "Van (Reds)"."""
    return f"{ward_name(key)} ({sides[key.split('/', maxsplit=1)[0]]})"


@remembered
def wards_of(state: State, side: str = "") -> tuple[str, ...]:
    """Return the keys of all Wards with a unit on the table, in the order of the rosters.

    With ``side`` only that side's.
    """
    ranks = (
        each for each in state.combatants.values() if each.key and each.on_table and each.halves
    )
    return tuple(dict.fromkeys(each.key for each in ranks if side in ("", each.side)))


def side_of(state: State, who: str) -> str:
    """Return the side of a fighter or a Ward; that of a side is itself, and that of the table
    ""."""
    fighter = state.combatants.get(who)
    return fighter.side if fighter else who.split("/", 1)[0]


def has_enemies(state: State, side: str) -> bool:
    """Return whether an enemy Ward is on the table that a side can shoot at or fight."""
    return any(not each.startswith(f"{side}/") for each in wards_of(state))


def opening(setup: BattleSetup) -> State:
    """Return the state before the first event.

    A unit in a front of 1½ or 2 bases is out of order. Raise RulesError.
    """
    settings, combatants = HOUSE_RULES.settled(setup.settings), dict[str, Combatant]()
    for side in setup.sides:
        for each in side.fighters:
            fighter = read_build(each.build)
            halves = present(fighter, each.condition).halves
            combatants[each.id] = Combatant(
                each.id, each.name, side.key, fighter, halves, fighter.ward, fighter.place
            )
    state = State(combatants, {side.key: side.name for side in setup.sides}, settings)
    state = replace(
        state, brought={key: sum(each.halves for each in state.of(key)) for key in state.sides}
    )
    return state.disordered(
        key for key, combatant in combatants.items() if narrow(state, combatant)
    )


def narrow(state: State, combatant: Combatant) -> bool:
    """Return whether it stands in front, so narrow that it falls out of order. Sheet: "Out of
    order". Ruling W-O1."""
    low, high = figures("turn")["narrow_front"]
    return (
        combatant.place == "front"
        and bool(combatant.halves)
        and low <= state.standing(combatant).frontage <= high
    )
