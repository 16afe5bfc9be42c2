"""The kinds of movement: moves, changes of formation, falling back, general advances, and orders of other sorts."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from rulebook.battle_log.kinds import ReplayStep, Text, one_of, titled
from rulebook.dice.cup import Cup
from rulebook.systems.avant_garde import movement
from rulebook.systems.avant_garde.book import Disorder, book, broken, figures, problem
from rulebook.systems.avant_garde.events import (
    ALL_ARMS,
    MOVES,
    RIDES,
    TROOPS,
    Dice,
    Pool,
    Tested,
    TurnEvent,
    Who,
    die_of,
    kind,
)
from rulebook.systems.avant_garde.fighters import one_change
from rulebook.systems.avant_garde.morale import BROKEN, Nerve
from rulebook.systems.avant_garde.odds import settled
from rulebook.systems.avant_garde.state import Combatant, State
from rulebook.values.battles import LoggedEvent
from rulebook.values.problems import Problem, Violation

PACES = {
    "": "As usual",
    "slow": "Slow",
    "normal": "Normal",
    "road": "On a road",
    "walk": "Walk",
    "trot": "Trot",
    "canter": "Canter",
    "back": "Back or sideways",
}
GROUNDS = {key: each.name for key, each in book().ground.items()}
FORMATIONS = {key: each.name for key, each in book().formation.items()}
Modifier = Annotated[int, Meta(ge=-12, le=0)]
TenFaces = Annotated[int, Meta(ge=1, le=10, extra={"dice": True})]
FORDS = 'Slide 32: "Fording Rivers"'
MOVING = (*MOVES, *RIDES)


class OnGround(Tested, frozen=True, kw_only=True):
    """Something that leads through ground, which may disorder. Slides 6, 22 and 30. Rulings N-V3, N-V10."""

    ground: Annotated[str, one_of(GROUNDS), titled("Through", "The worst ground.")] = "clear"
    modifier: Annotated[Modifier | None, titled("Modifier of the ground", "Where it is not in the source (N-V3).")] = (
        None
    )

    def pace_of(self, state: State) -> str:
        """The pace at which it goes through it."""
        return {"cavalry": "trot"}.get(state.combatants[self.fighter].fighter.arm, "normal")

    def effect(self, state: State) -> Disorder:
        """What the ground does. Raises RulesError "not-in-source" for a cell that is lost and has not been typed."""
        one, pace = state.combatants[self.fighter], self.pace_of(state)
        free = one.skirmishing or one.fighter.cossacks
        found = movement.disorder(self.ground, pace, mounted=one.cavalry, free=free, typed=self.modifier)
        lacks = found is None and not one.battery
        return settled(None, f"What {GROUNDS[self.ground].lower()} does", "modifier") if lacks else found

    def tests(self, state: State) -> bool:
        return isinstance(self.effect(state), int)

    def nerve(self, state: State) -> Nerve:
        effect = self.effect(state)
        return movement.ground_nerve(self.usual(state), effect if isinstance(effect, int) else 0, self.ground)

    def through(self, before: State, state: State) -> State:
        """The state after it has gone through the ground, as it was before."""
        auto = self.effect(before) == "auto" and not before.combatants[self.fighter].disordered
        return state.lowered(self.fighter) if auto or not self.passed(before) else state


@kind("move", "Move", 'Slide 6: "Movement"', "{fighter} moves", steps=(*MOVING, "reserve"), arms=ALL_ARMS, riding=True)
class Moved(OnGround, frozen=True, kw_only=True):
    """A unit moves: in its side's movement, cavalry in the cavalry's, whoever has not acted with the reserves."""

    pace: Annotated[str, one_of(PACES), titled("Pace")] = ""

    def pace_of(self, state: State) -> str:
        return self.pace or super().pace_of(state)

    def ordered(self, state: State) -> str:
        one, reserve = state.combatants[self.fighter], self.now(state) == "reserve"
        free = one.blown or (one.skirmishing and not one.cavalry)
        if free or (reserve and book().formation[one.formation].reserve == "free"):
            return ""
        return "reserve-move" if reserve and not one.battery else "move"

    def marks(self, state: State) -> tuple[str, ...]:
        return (f"move {self.fighter} {self.now(state)}",)

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one, where = state.combatants[self.fighter], self.now(state)
        formation, acted = book().formation[one.formation], {"fired", "charged", "fought"} & {*one.did}
        either = one_change(one.fighter, state.nations[one.side], state.settings)
        reserve = where == "reserve"
        yield from super().violations(state, logged)
        yield from broken(
            (one.order == BROKEN, "runs"),
            (not one.battery and self.pace_of(state) not in (*formation.paces, "back"), "no-such-pace"),
            (self.effect(state) == "barred", "barred-ground"),
            (either and "formed" in one.did and where in MOVES, "formed-instead"),
            (reserve and (bool(acted) or not one.ready), "no-reserve-move"),
            (reserve and formation.reserve == "no", "no-reserve-formation"),
            (one.guards and self.pace_of(state) not in movement.STEADY_PACES, "guards-prisoners"),
            name=one.name,
            formation=formation.name.lower(),
            ground=GROUNDS[self.ground].lower(),
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return self.through(state, super().apply(state, logged)).did(self.fighter, "moved")


@kind("ford", "Look for a ford", FORDS, "{fighter} looks for a ford: {name}", steps=MOVING, arms=ALL_ARMS, riding=True)
class Forded(TurnEvent, frozen=True, kw_only=True):
    """A unit at the river’s edge looks for a ford: a second die, of ten faces, no higher than the first."""

    fighter: Who
    name: Annotated[Text, titled("Which stretch", "By its name.", min_length=1, max_length=60)] = "The river"
    dice: Annotated[Pool, titled("First die")] = ()
    second: Annotated[TenFaces | None, titled("Second die", "Of ten faces; of Cossacks a second one of six.")] = None

    def cossacks(self, state: State) -> bool:
        """Do Cossacks look for it, who find it more easily?"""
        return state.combatants[self.fighter].fighter.cossacks

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": 1}
        yield {"second": 1}

    def throw(self, state: State, cup: Cup) -> "Forded":
        faces = 6 if self.cossacks(state) else int(figures("movement")["river_faces"])
        return replace(self, dice=self.dice or cup.some(1), second=self.second or die_of(cup, faces))

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        if self.cossacks(state) and (self.second or 0) > 6:
            yield problem(
                "no-such-face",
                field="second",
                value=str(self.second),
                name=state.combatants[self.fighter].name,
                faces="six",
            )

    def found(self, state: State) -> bool:
        """Is there a ford?"""
        return movement.fords(self.dice[0], self.second or 0, cossacks=self.cossacks(state))

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        return broken((self.name in state.fords, "stretch-tried"), name=self.name)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return replace(state, fords={**state.fords, self.name: self.found(state)})

    def told(self, step: ReplayStep[State]) -> Iterable[str]:
        yield "There is a ford." if self.found(step.before) else "There is no ford here."


@kind("form", "Change formation", 'Slide 7: "Change Formation"', "{fighter}: {formation}", steps=MOVES, arms=ALL_ARMS)
class Formed(Tested, frozen=True, kw_only=True):
    """A unit changes its formation; with the enemy near it has to pass a test, or stays as it is."""

    formation: Annotated[str, one_of(FORMATIONS), titled("Into")]
    near: Annotated[bool, titled("Enemies within 8″ have it in their charge arc")] = False

    def ordered(self, state: State) -> str:
        guns = "limber" if self.formation == "limbered" else "unlimber"
        return guns if state.combatants[self.fighter].battery else "formation"

    def tests(self, state: State) -> bool:
        return self.near and not state.combatants[self.fighter].battery

    def marks(self, state: State) -> tuple[str, ...]:
        return (f"form {self.fighter} {self.now(state)}",)

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        yield from super().input_errors(state, logged)
        one, formation = state.combatants[self.fighter], book().formation[self.formation]
        foreign = formation.nations and state.nations[one.side] not in formation.nations
        if one.fighter.arm not in formation.arms or foreign:
            yield problem("not-its-formation", field="formation", value=self.formation, name=one.name)

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one = state.combatants[self.fighter]
        either = one_change(one.fighter, state.nations[one.side], state.settings)
        moved = either and "moved" in one.did
        known = ((one.order == BROKEN, "runs"), (one.disordered, "disordered-forms"), (moved, "moved-instead"))
        yield from super().violations(state, logged)
        yield from broken(*(() if one.battery else known), name=one.name)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        passed, state = self.passed(state), super().apply(state, logged)
        return state.changed(self.fighter, formation=self.formation).did(self.fighter, "formed") if passed else state


@kind(
    "fall-back",
    "Fall back",
    'Slide 6: "Fall back in Good order"',
    "{fighter} falls back",
    steps=MOVING,
    arms=TROOPS,
    riding=True,
)
class FellBack(Tested, frozen=True, kw_only=True):
    """A unit falls back in good order, and tests at the end of it; who is disordered and fails runs. Ruling N-V7."""

    order: ClassVar[str] = "fall-back"

    fast: Annotated[bool, titled("Fast", "A die more, and -1.")] = False
    alone: Annotated[bool, titled("Of its own accord", "Out of command: no pip, but who fails breaks.")] = False
    modifier: Annotated[Modifier, titled("Modifier of the ground")] = 0
    inches: Annotated[Pool, titled("Inches")] = ()

    def ordered(self, state: State) -> str:
        return "" if self.alone else self.order

    def nerve(self, state: State) -> Nerve:
        return movement.fall_back_nerve(self.usual(state), fast=self.fast, ground=self.modifier)

    def dice_wanted(self, state: State) -> Dice:
        yield from super().dice_wanted(state)
        yield {"inches": movement.fall_back_dice(mounted=state.combatants[self.fighter].cavalry, fast=self.fast)}

    def marks(self, state: State) -> tuple[str, ...]:
        return (f"move {self.fighter} {self.now(state)}",)

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one = state.combatants[self.fighter]
        yield from super().violations(state, logged)
        yield from broken((one.order == BROKEN, "runs"), name=one.name)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        passed, state = self.passed(state), super().apply(state, logged).did(self.fighter, "moved")
        fails = state.put(self.fighter, BROKEN) if self.alone else state.lowered(self.fighter)
        return state if passed else fails

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        yield f"{sum(self.inches)} inches back."
        yield from super().told(step)


@kind("advance", "General advance", 'Slide 3: "Orders"', "The brigade of {fighter} advances", steps=(*MOVES, "reserve"))
class Advanced(TurnEvent, frozen=True, kw_only=True):
    """A brigade moves forward with all who stand in a column, for one pip of the commander who is named."""

    arms: ClassVar[tuple[str, ...]] = ("commander",)

    fighter: Who

    def advancing(self, state: State) -> tuple[Combatant, ...]:
        """The units in some column that advance."""
        troops = state.brigades().get(state.combatants[self.fighter].brigade, ())
        columns = ("column", "march", "cavalry-column", "limbered")
        return tuple(each for each in troops if each.on_table and each.order != BROKEN and each.formation in columns)

    def price(self, state: State) -> Mapping[str, int]:
        return {self.fighter: book().order["advance"].pips}

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        one = state.combatants[self.fighter]
        return broken((not self.advancing(state), "nobody-in-column"), (one.joined, "has-joined"), name=one.name)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        for each in self.advancing(state):
            state = state.did(each.id, "moved")
        return state

    def told(self, step: ReplayStep[State]) -> Iterable[str]:
        yield f"{', '.join(each.name for each in self.advancing(step.before))}."


ORDERS = {
    **{key: book().order[key].name for key in ("passage", "separate", "dismount", "recall-skirmishers", "recall")},
    "restrain": "Hold cavalry back that would charge",
}


@kind(
    "order",
    "Another order",
    'Slide 3: "Orders"',
    "{fighter}: {what}",
    steps=("rally", *MOVING, "reserve"),
    arms=TROOPS,
    riding=True,
)
class OrderGiven(Tested, frozen=True, kw_only=True):
    """An order that costs pips, and a test where the rules ask for one: what it does on the table is the players'.

    Cavalry that holds itself back costs none (N-C5); blown cavalry that is recalled stays blown (N-K2).
    """

    what: Annotated[str, one_of(ORDERS), titled("What")] = "passage"
    inches: Annotated[Pool, titled("Inches back", "Of cavalry that is recalled.")] = ()

    def ordered(self, state: State) -> str:
        return "" if self.what == "restrain" else self.what

    def tests(self, state: State) -> bool:
        return self.what == "restrain" or book().order[self.what].test

    def dice_wanted(self, state: State) -> Dice:
        yield from super().dice_wanted(state)
        yield {"inches": 3 * (self.what == "recall" and self.passed(state))}

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one = state.combatants[self.fighter]
        mounted = self.what in ("recall", "restrain", "separate", "dismount")
        skirmishes = self.what == "recall-skirmishers"
        yield from super().violations(state, logged)
        yield from broken(
            (mounted and not one.cavalry, "cavalry-alone"),
            (not mounted and one.cavalry and not skirmishes, "infantry-alone"),
            (self.what == "recall" and not one.blown, "not-blown"),
            name=one.name,
        )
