"""The kinds of event of a log that are not combats: the steps of a turn, and what a result sheet tells.

Combats stand in ``combats.py``; notes and corrections are the engine's.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from rulebook.battle_log.kinds import (
    Die,
    EventKind,
    Few,
    FighterId,
    FighterIds,
    Names,
    ReplayStep,
    RuledEvent,
    SideKey,
    Text,
    TwoDice,
    one_of,
)
from rulebook.calculators.wording import reasoned
from rulebook.systems.wards.book import book, broken, figures
from rulebook.systems.wards.morale import fails, morale_dice, morale_lines, outcome_of, thrown_again
from rulebook.systems.wards.moving import MOVES, move_dice, move_succeeds
from rulebook.systems.wards.pools import successes
from rulebook.systems.wards.shooting import faces_turned
from rulebook.systems.wards.state import GONE, Combatant, State, next_turn, ward_name, wards_of
from rulebook.systems.wards.units import bases_in_words
from rulebook.values.battles import LoggedEvent
from rulebook.values.problems import Problem, Violation
from rulebook.values.table import EventOutcome

WardKey = Annotated[str, Meta(extra={"kind": "text"}, min_length=3, max_length=120)]
"""A Ward by its key: "side/name"."""
Dice = Iterator[Mapping[str, int]]
Pool = Annotated[tuple[Die, ...], Meta(max_length=60)]
"""Dice in the order in which they were thrown."""
PLACES = {"front": "The front", "rear": "The rear"}


class Event(EventKind[State], frozen=True, kw_only=True):
    """An event of a log of Wards: ``acting`` names fields of who cannot be gone, ``wards`` those that hold a Ward.

    ``says`` is its sentence, with the names of its fields in braces.
    """

    acting: ClassVar[tuple[str, ...]] = ()
    wards: ClassVar[tuple[str, ...]] = ()
    says: ClassVar[str] = ""

    def sentence(self, names: Names) -> str:
        """What ``says`` has, with people and Wards by their names."""
        told = {
            field: getattr(self, field)
            for field in (*self.wards, *self.acting, "fighter", "side")
            if hasattr(self, field)
        }
        return self.says.format(**{key: names.get(value, ward_name(value)) for key, value in told.items()})


class TurnEvent(Event, RuledEvent[State], frozen=True, kw_only=True, omit_defaults=True):
    """Something that happens in a step of a turn; ``phase`` is the step's key."""

    turn_by_turn: ClassVar[bool] = True
    anybody: ClassVar[bool] = False

    def actor(self, state: State) -> str:
        """The side whose doing it is, "" where it is either's."""
        for field in (*self.acting[:1], *self.wards[:1]) if not self.anybody else ():
            key: str = getattr(self, field)
            return key.split("/", 1)[0] if field in self.wards else state.combatants[key].side
        return ""


class TurnBegan(Event, frozen=True, kw_only=True):
    """A turn of one player begins."""

    key: ClassVar[str] = "turn"
    label: ClassVar[str] = "A turn begins"
    says: ClassVar[str] = "The turn of {side} begins"
    turn_by_turn: ClassVar[bool] = True
    starts_turn: ClassVar[bool] = True

    side: Annotated[SideKey, Meta(title="Whose turn")]

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return next_turn(state, self.side)


class GeneralActed(TurnEvent, frozen=True, kw_only=True):
    """A General attaches himself to a unit, leaves it, or moves by himself."""

    key: ClassVar[str] = "general"
    label: ClassVar[str] = "General acts"
    phase: ClassVar[str] = "generals"
    rule: ClassVar[str] = 'Sheet: "Generals"'
    acting: ClassVar[tuple[str, ...]] = ("fighter",)

    fighter: Annotated[FighterId, Meta(title="Which General")]
    does: Annotated[
        str, one_of({"attach": "Attach", "detach": "Detach", "move": "Move by himself"}), Meta(title="What he does")
    ] = "attach"
    unit: Annotated[FighterId, Meta(title="To which unit")] = ""
    dice: Annotated[Pool, Meta(title="Die", description="1 fails.")] = ()

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": int(self.does == "move" or state.settings.general_actions)}

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        one, unit = state.combatants[self.fighter], state.combatants.get(self.unit)
        if not one.unit.general:
            yield Problem("no-general", f"{one.name} is no General.", field="fighter", value=self.fighter)
        if self.does == "attach" and (unit is None or unit.side != one.side or not unit.halves):
            sentence = "A General joins a unit of his own side. Name one."
            yield Problem("no-unit", sentence, field="unit", value=self.unit)

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        one, unit = state.combatants[self.fighter], state.combatants.get(self.unit)
        return broken(
            (self.does == "attach" and unit is not None and not unit.on_table, "unit-off-table"),
            (self.does == "detach" and not one.with_unit, "not-attached"),
            name=one.name,
        )

    def succeeds(self) -> bool:
        """Does he do it? A 1 fails."""
        return all(die >= figures("turn")["general_on"] for die in self.dice)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        if not self.succeeds():
            return state
        one = state.combatants[self.fighter]
        place = "off" if self.does != "attach" and one.place in ("reserve", "off") else "front"
        return state.with_(replace(one, with_unit=self.unit if self.does == "attach" else "", place=place))

    def outcome_of(self, step: ReplayStep[State]) -> EventOutcome:
        told = () if self.succeeds() else (f"{step.before.combatants[self.fighter].name} fails on a 1.",)
        return EventOutcome(told, (), (self.rule,))

    def sentence(self, names: Names) -> str:
        done = {"attach": f"joins {names.get(self.unit, 'a unit')}", "detach": "leaves his unit", "move": "moves"}
        return f"{names[self.fighter]} {done[self.does]}"


class MoraleTested(TurnEvent, frozen=True, kw_only=True):
    """A Ward tests its morale; its casualty markers go, whatever comes of it (W-M6)."""

    key: ClassVar[str] = "morale"
    label: ClassVar[str] = "Morale"
    says: ClassVar[str] = "{ward} tests its morale"
    phase: ClassVar[str] = "morale"
    rule: ClassVar[str] = 'Sheet: "Morale"'
    wards: ClassVar[tuple[str, ...]] = ("ward",)

    ward: Annotated[WardKey, Meta(title="Which Ward")]
    hostile_faces: Annotated[Few, Meta(title="Hostile faces")] = 0
    on_hill: Annotated[bool, Meta(title="On a hill")] = False
    dice: Annotated[Pool, Meta(title="Dice", description="4 or more fails.")] = ()
    again: Annotated[Pool, Meta(title="Failed dice thrown again", description="By a General for morale.")] = ()
    rout: Annotated[TwoDice, Meta(title="Half bases lost in a rout")] = ()
    keeps: Annotated[bool, Meta(title="The owner keeps the first throw of a rout")] = False
    rout_again: Annotated[TwoDice, Meta(title="The second throw of a rout")] = ()
    losses: Annotated[
        FighterIds,
        Meta(title="Who loses half bases", description="Once for each; else the units in turn, front first (W-M11)."),
    ] = ()

    def dice_wanted(self, state: State) -> Dice:
        nerve = state.nerve(self.ward, self.hostile_faces, on_hill=self.on_hill)
        yield {"dice": morale_dice(nerve)}
        yield {"again": thrown_again(self.dice, nerve.general)}
        routs = fails(self.dice, self.again) == figures("morale")["worst"]
        yield {"rout": 2 * routs}
        yield {"rout_again": 2 * (routs and not self.keeps)}

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        return broken((bool(state.ward(self.ward).morale), "tested-already"), name=ward_name(self.ward))

    def failed(self) -> int:
        """How many dice failed, three at most."""
        return fails(self.dice, self.again)

    def lost(self, state: State) -> tuple[str, ...]:
        """Who loses a half base each, in a rout. Rulings W-M8, W-M11."""
        halves = sum(self.rout_again or self.rout)
        return in_turn(state, self.ward, halves, self.losses)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        outcome = outcome_of(self.failed())["key"]
        units = state.units(self.ward)
        state = state.with_(*(replace(each, casualties=0) for each in units))
        state = state.with_ward(self.ward, morale=outcome)
        if outcome != "steady":
            state = state.disordered(each.id for each in units)
        if outcome == "rout":
            for one in self.lost(state):
                state = state.losing(one, 1)
            guns = (each for each in state.combatants.values() if each.unit.gun and each.key == self.ward)
            for gun in tuple(each for each in guns if not each.gone):
                state = state.gone(gun.id, "lost")
        return state

    def outcome_of(self, step: ReplayStep[State]) -> EventOutcome:
        nerve = step.before.nerve(self.ward, self.hostile_faces, on_hill=self.on_hill)
        found, name = outcome_of(self.failed()), ward_name(self.ward)
        told = [f"{name}: {found['name']} ({self.failed()} failed). {found['says']}"]
        if found["key"] == "rout":
            told.append(f"{name} loses {bases_in_words(len(self.lost(step.before)))} bases.")
        return EventOutcome(tuple(told), (reasoned(f"Dice of {name}", *morale_lines(nerve)),), (self.rule,))


def in_turn(state: State, ward: str, number: int, named: tuple[str, ...]) -> tuple[str, ...]:
    """The units of a Ward that take so many hits: those named, then all in turn, front first. Rulings W-S4, W-M11."""
    units = sorted(state.units(ward), key=lambda each: each.place != "front")
    turn = [each.id for each in units]
    return (*named[:number], *(turn[place % len(turn)] for place in range(number - len(named)))) if turn else ()


class PulledIn(TurnEvent, frozen=True, kw_only=True):
    """A Ward pulls one unit in; the unit falls out of order."""

    key: ClassVar[str] = "pull-in"
    label: ClassVar[str] = "Pull a unit in"
    says: ClassVar[str] = "{ward} pulls in {fighter}"
    phase: ClassVar[str] = "pull-in"
    rule: ClassVar[str] = 'Sheet: "Pulling units in"'
    acting: ClassVar[tuple[str, ...]] = ("fighter",)
    wards: ClassVar[tuple[str, ...]] = ("ward",)

    fighter: Annotated[FighterId, Meta(title="Which unit")]
    ward: Annotated[WardKey, Meta(title="Into which Ward")]
    place: Annotated[str, one_of(PLACES), Meta(title="Where")] = "front"

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        again = "pulled in" in state.ward(self.ward).done
        return broken((again, "pulled-in-already"), name=ward_name(self.ward))

    def apply(self, state: State, logged: LoggedEvent) -> State:
        one = replace(state.combatants[self.fighter], ward=ward_name(self.ward), place=self.place, out_of_order=True)
        return state.with_(one).with_ward(self.ward, "pulled in")


class WardMoved(TurnEvent, frozen=True, kw_only=True):
    """A Ward moves, or goes to assault. Who fails sideways or out of scenery stays, out of order."""

    key: ClassVar[str] = "move"
    label: ClassVar[str] = "Move a Ward"
    phase: ClassVar[str] = "movement"
    rule: ClassVar[str] = 'Sheet: "Movement"'
    wards: ClassVar[tuple[str, ...]] = ("ward",)

    ward: Annotated[WardKey, Meta(title="Which Ward")]
    move: Annotated[str, one_of(MOVES), Meta(title="How")] = "advance"
    no_enemy: Annotated[bool, Meta(title="No enemy on any face", description="Four dice instead of three.")] = False
    dice: Annotated[Pool, Meta(title="Dice", description="11 or more together.")] = ()

    def dice_wanted(self, state: State) -> Dice:
        failed = state.ward(self.ward).failed_move
        yield {"dice": move_dice(self.move, failed_before=failed, no_enemy=self.no_enemy)}

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        ward, name = state.ward(self.ward), ward_name(self.ward)
        return broken(
            ("moved" in ward.done, "moved-already"),
            (ward.morale in ("stand", "rout") and self.move != "stay", "stands"),
            name=name,
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        moved = move_succeeds(self.dice)
        state = state.with_ward(self.ward, "moved", failed_move=not moved)
        if not moved:
            return state.disordered(each.id for each in state.units(self.ward))
        if self.move != "swap":
            return state
        swapped = {"front": "rear", "rear": "front"}
        return state.with_(*(replace(each, place=swapped[each.place]) for each in state.units(self.ward)))

    def outcome_of(self, step: ReplayStep[State]) -> EventOutcome:
        told = f"{ward_name(self.ward)} {'succeeds' if move_succeeds(self.dice) else 'stays, out of order'}."
        return EventOutcome((f"{sum(self.dice)}: {told}",) if self.dice else (), (), (self.rule,))

    def sentence(self, names: Names) -> str:
        return f"{ward_name(self.ward)}: {MOVES[self.move].lower()}"


class Bundle(TurnEvent, frozen=True, kw_only=True):
    """A step in which both players throw one die for each unit that bears a ``mark``; ``need`` names what is good."""

    mark: ClassVar[str] = "out_of_order"
    need: ClassVar[str] = "order_on"

    dice: Annotated[Pool, Meta(title="Dice", description="One for each, in the order of the rosters.")] = ()

    def waiting(self, state: State) -> tuple[Combatant, ...]:
        """Those for whom a die is thrown."""
        return tuple(each for each in state.combatants.values() if each.on_table and getattr(each, self.mark))

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": len(self.waiting(state))}

    def good(self, state: State) -> tuple[Combatant, ...]:
        """Those whose die was good."""
        pairs = zip(self.waiting(state), self.dice, strict=True)
        return tuple(one for one, die in pairs if die >= figures("turn")[self.need])

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return state.with_(*(replace(one, **{self.mark: False}) for one in self.good(state)))

    def outcome_of(self, step: ReplayStep[State]) -> EventOutcome:
        names = ", ".join(each.name for each in self.good(step.before))
        return EventOutcome((f"{names or 'Nobody'}." if self.dice else "Nobody waited for it.",), (), (self.rule,))


class ArrowsRecovered(Bundle, frozen=True, kw_only=True):
    """Units that run low on arrows recover."""

    key: ClassVar[str] = "arrows"
    label: ClassVar[str] = "Recover arrows"
    says: ClassVar[str] = "Arrows are recovered"
    phase: ClassVar[str] = "arrows"
    rule: ClassVar[str] = 'Sheet: "Shooting"'
    mark: ClassVar[str] = "low"
    need: ClassVar[str] = "arrows_on"


class OrderRestored(Bundle, frozen=True, kw_only=True):
    """Units out of order come back to order."""

    key: ClassVar[str] = "order"
    label: ClassVar[str] = "Restore order"
    says: ClassVar[str] = "Order is restored"
    phase: ClassVar[str] = "order"
    rule: ClassVar[str] = 'Sheet: "Out of order"'


class WardsRestored(Bundle, frozen=True, kw_only=True):
    """Wards are restored: dice with an effect by house rule alone (W-G4)."""

    key: ClassVar[str] = "wards"
    label: ClassVar[str] = "Restore Wards"
    says: ClassVar[str] = "Wards are restored"
    phase: ClassVar[str] = "wards"
    rule: ClassVar[str] = "Ruling W-G4"
    need: ClassVar[str] = "ward_on"

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return super().apply(state, logged) if state.settings.restored_wards else state


class GunLoaded(TurnEvent, frozen=True, kw_only=True):
    """A gun is loaded: three dice, each 5 or 6 turns it by a face; a light gun throws failed dice again."""

    key: ClassVar[str] = "loading"
    label: ClassVar[str] = "Load a gun"
    says: ClassVar[str] = "{fighter} is loaded"
    phase: ClassVar[str] = "loading"
    rule: ClassVar[str] = 'Sheet: "Artillery"'
    acting: ClassVar[tuple[str, ...]] = ("fighter",)

    fighter: Annotated[FighterId, Meta(title="Which gun")]
    dice: Annotated[Pool, Meta(title="Dice")] = ()
    again: Annotated[Pool, Meta(title="Failed dice of a light gun")] = ()

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": figures("turn")["loading"]["dice"]}
        light = state.combatants[self.fighter].unit.arm == "light-gun"
        yield {"again": (len(self.dice) - faces_turned(self.dice)) * light}

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        if not state.combatants[self.fighter].unit.gun:
            yield Problem("no-gun", "Only guns are loaded. Name one.", field="fighter", value=self.fighter)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        one = state.combatants[self.fighter]
        return state.with_(replace(one, faces=one.faces + faces_turned(self.dice) + faces_turned(self.again)))

    def outcome_of(self, step: ReplayStep[State]) -> EventOutcome:
        gun = step.after.combatants[self.fighter]
        return EventOutcome((f"{gun.name} is turned by {gun.faces} in all.",), (), (self.rule, "Ruling W-A3"))


class Arrived(TurnEvent, frozen=True, kw_only=True):
    """Reserves arrive: one die for each name, which may be given several (W-A2)."""

    key: ClassVar[str] = "arrivals"
    label: ClassVar[str] = "Arrivals"
    says: ClassVar[str] = "Arrivals of {side}"
    phase: ClassVar[str] = "arrivals"
    rule: ClassVar[str] = 'Sheet: "Arrivals"'

    side: Annotated[SideKey, Meta(title="Whose")]
    fighters: Annotated[FighterIds, Meta(title="Dice for whom", description="A name for each die.", min_length=1)]
    place: Annotated[str, one_of(PLACES), Meta(title="Where in their Wards")] = "rear"
    dice: Annotated[Pool, Meta(title="Dice")] = ()

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": len(self.fighters)}

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        here = [each for each in self.fighters if state.combatants[each].on_table or state.combatants[each].gone]
        if here:
            sentence = f"{state.combatants[here[0]].name} does not wait to arrive. Leave that name out."
            yield Problem("not-waiting", sentence, field="fighters", value=here[0])

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        most = sum(not each.gone and not each.on_table for each in state.of(self.side) if each.unit.arm != "cavalry")
        foot = [each for each in self.fighters if state.combatants[each].unit.arm != "cavalry"]
        return broken((len(foot) > most, "too-many-dice"), most=most)

    def arrived(self) -> tuple[str, ...]:
        """Those one of whose dice was good, and nobody twice."""
        need = figures("turn")["arrival_on"]
        return tuple(dict.fromkeys(one for one, die in zip(self.fighters, self.dice, strict=True) if die >= need))

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return state.with_(*(replace(state.combatants[one], place=self.place) for one in self.arrived()))

    def outcome_of(self, step: ReplayStep[State]) -> EventOutcome:
        names = ", ".join(step.before.combatants[each].name for each in self.arrived())
        return EventOutcome((f"{names} arrive." if names else "Nobody arrives.",), (), (self.rule,))


class GeneralReplaced(TurnEvent, frozen=True, kw_only=True):
    """A dead General is replaced; his dice, one for each attribute, are written down (W-A6)."""

    key: ClassVar[str] = "new-general"
    label: ClassVar[str] = "Replace a General"
    says: ClassVar[str] = "{fighter} is replaced"
    phase: ClassVar[str] = "arrivals"
    rule: ClassVar[str] = 'Sheet: "Generals"'

    fighter: Annotated[FighterId, Meta(title="Who fell")]
    dice: Annotated[Pool, Meta(title="Dice, one for each attribute")] = ()

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": len(book().attribute)}

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        one = state.combatants[self.fighter]
        if not one.unit.general or not one.gone:
            yield Problem("not-fallen", f"{one.name} is no fallen General.", field="fighter", value=self.fighter)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return state.with_(replace(state.combatants[self.fighter], gone="", place="reserve", with_unit=""))

    def outcome_of(self, step: ReplayStep[State]) -> EventOutcome:
        dice = ", ".join(f"{name} {die}" for name, die in zip(book().attribute.values(), self.dice, strict=True))
        return EventOutcome((f"Dice of his successor: {dice}.",), (), (self.rule, "Ruling W-A6"))


class ClockRolled(TurnEvent, frozen=True, kw_only=True):
    """The battle clock: a die that may be thrown again. The sheet does not say what it does (W-G3)."""

    key: ClassVar[str] = "clock"
    label: ClassVar[str] = "Battle clock"
    phase: ClassVar[str] = "clock"
    rule: ClassVar[str] = "Ruling W-G3"

    dice: Annotated[Pool, Meta(title="Die")] = ()

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": 1}

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return replace(state, clock=(*state.clock, self.dice[0]))

    def sentence(self, names: Names) -> str:
        return f"The battle clock shows {self.dice[0]}" if self.dice else "The battle clock"


class Lost(Event, frozen=True, kw_only=True, omit_defaults=True):
    """What a unit, a gun or a General has lost, by the players' word: all that a result sheet needs to say."""

    key: ClassVar[str] = "loss"
    label: ClassVar[str] = "Bases lost, fights won, what became of it"
    acting: ClassVar[tuple[str, ...]] = ("fighter",)

    fighter: Annotated[FighterId, Meta(title="Who")]
    halves: Annotated[int, Meta(title="Half bases lost", ge=0, le=41)] = 0
    gone: Annotated[str, one_of({"": "Still there", **GONE}), Meta(title="What became of it")] = ""
    by: Annotated[FighterId, Meta(title="By whom")] = ""
    won: Annotated[Few, Meta(title="Fights won")] = 0

    def apply(self, state: State, logged: LoggedEvent) -> State:
        state = state.losing(self.fighter, self.halves) if self.halves else state
        one = state.combatants[self.fighter]
        state = state.with_(replace(one, fights_won=one.fights_won + self.won))
        return state.gone(self.fighter, self.gone, self.by) if self.gone else state

    def sentence(self, names: Names) -> str:
        won = (f"won {self.won} fight{'s' * (self.won != 1)}",) if self.won else ()
        bases = (f"lost {bases_in_words(self.halves)} bases",) if self.halves else ()
        gone = (f"is {GONE[self.gone]}",) if self.gone else ()
        told = " and ".join((*won, *bases, *gone)) or "is as it was"
        return f"{names[self.fighter]} {told}{f', by {names[self.by]}' if self.by else ''}"


class Refitted(TurnEvent, frozen=True, kw_only=True):
    """After the battle a unit refits: each half base lost comes back on a 5 or 6. Only by house rule."""

    key: ClassVar[str] = "refit"
    label: ClassVar[str] = "Refit"
    says: ClassVar[str] = "{fighter} refits"
    rule: ClassVar[str] = "House rule: Refit"
    turn_by_turn: ClassVar[bool] = False

    fighter: Annotated[FighterId, Meta(title="Which unit")]
    dice: Annotated[Pool, Meta(title="Dice", description="One for each half base lost.")] = ()

    def dice_wanted(self, state: State) -> Dice:
        one = state.combatants[self.fighter]
        yield {"dice": one.unit.halves - one.halves if one.halves else 0}

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        return broken((not (state.settings.refit and state.settings.losses_stay), "no-refit"))

    def apply(self, state: State, logged: LoggedEvent) -> State:
        one = state.combatants[self.fighter]
        return state.with_(replace(one, halves=one.halves + successes(self.dice, 5)))


class Ended(Event, frozen=True, kw_only=True, omit_defaults=True):
    """The battle is over, with the result that the players declare: the sheet has no rule for it."""

    key: ClassVar[str] = "ended"
    label: ClassVar[str] = "The battle ended"

    winner: Annotated[SideKey, Meta(title="Who has won", description="Nobody: a draw.")] = ""
    reason: Annotated[Text, Meta(title="Why", max_length=300)] = ""

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return replace(state, ended=True, winner=self.winner, reason=self.reason)

    def sentence(self, names: Names) -> str:
        won = f"{names[self.winner]} won" if self.winner else "The players call it a draw"
        return f"{won}{f': {self.reason}' if self.reason else ''}"


def unknown_wards(state: State, event: EventKind[State]) -> Iterator[Problem]:
    """Is every Ward that an event names on the table?"""
    known = wards_of(state)
    for field in event.wards if isinstance(event, Event) else ():
        if getattr(event, field) not in known:
            sentence = f"There is no Ward {getattr(event, field)!r} on the table: {', '.join(known) or 'none'}."
            yield Problem("unknown-ward", sentence, field=field, value=getattr(event, field))
