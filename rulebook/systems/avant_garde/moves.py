"""The kinds of movement: moves, changes of formation, falling back, general advances, and orders of other sorts."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

from msgspec import Meta

from rulebook.battle_log.kinds import Names, ReplayStep, one_of, titled
from rulebook.systems.avant_garde.book import STATES, Disorder, book, broken, problem
from rulebook.systems.avant_garde.commanding import BrigadeKey
from rulebook.systems.avant_garde.events import (
    ALL_ARMS,
    MOVES,
    RIDES,
    STEPS,
    TROOPS,
    Dice,
    Pool,
    Tested,
    TurnEvent,
    kind,
)
from rulebook.systems.avant_garde.fighters import grade_of
from rulebook.systems.avant_garde.morale import BROKEN, Nerve
from rulebook.systems.avant_garde.movement import (
    disorder,
    fall_back_dice,
    fall_back_nerve,
    ground_nerve,
)
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
Ground = Annotated[
    str, one_of({key: each.name for key, each in book().ground.items()}), titled("Through", "The worst ground.")
]
Modifier = Annotated[
    Annotated[int, Meta(ge=-12, le=0)] | None, titled("Modifier of the ground", "Where it is not in the source (N-V3).")
]
FORMATIONS = {key: each.name for key, each in book().formation.items()}
OTHERS = ("passage", "separate", "dismount", "recall-skirmishers")
OTHER_ORDERS = {key: book().order[key].name for key in OTHERS}


def usual_pace(one: Combatant) -> str:
    """The pace at which a unit moves where nobody says another."""
    return {"cavalry": "trot", "artillery": "limbered"}.get(one.fighter.arm, "normal")


class _OnGround(Tested, frozen=True, kw_only=True):
    """Something that leads through ground, which may disorder. Slides 6, 22 and 30. Rulings N-V3, N-V10."""

    ground: Ground = "clear"
    modifier: Modifier = None

    def effect(self, state: State) -> Disorder:
        """What the ground does. Raises RulesError "not-in-source" for a cell that is lost and has not been typed."""
        one, pace = state.combatants[self.fighter], self.pace_of(state)
        free = one.skirmishing or one.fighter.cossacks
        found = disorder(self.ground, pace, mounted=one.cavalry, free=free, typed=self.modifier)
        if one.battery:
            return "none"
        return (
            settled(None, f"What {book().ground[self.ground].name.lower()} does at this pace", "modifier")
            if found is None
            else found
        )

    def pace_of(self, state: State) -> str:
        """The pace at which it goes through it."""
        return usual_pace(state.combatants[self.fighter])

    def tests(self, state: State) -> bool:
        return isinstance(self.effect(state), int)

    def nerve(self, state: State) -> Nerve:
        effect = self.effect(state)
        return ground_nerve(self.usual(state), effect if isinstance(effect, int) else 0, self.ground)

    def through(self, state: State, before: State) -> State:
        """The state after it has gone through the ground."""
        auto = self.effect(before) == "auto" and not before.combatants[self.fighter].disordered
        return state.lowered(self.fighter) if auto or not self.passed(before) else state


@kind("move", "Move", 'Slide 6: "Movement"', "{fighter} moves", steps=(*MOVES, *RIDES, "reserve"), arms=ALL_ARMS)
class Moved(_OnGround, frozen=True, kw_only=True):
    """A unit moves, on its side's movement, cavalry in the cavalry's, whoever has not acted among the reserves."""

    pace: Annotated[str, one_of(PACES), titled("Pace")] = ""

    def pace_of(self, state: State) -> str:
        return self.pace or super().pace_of(state)

    def _where(self, state: State) -> str:
        place = self.step(state)
        return STEPS[state.step if place is None else place]

    def ordered(self, state: State) -> str:
        one = state.combatants[self.fighter]
        free = one.blown or (one.skirmishing and not one.cavalry)
        if self._where(state) == "reserve":
            return (
                ""
                if free or book().formation[one.formation].reserve == "free"
                else "move"
                if one.battery
                else "reserve-move"
            )
        return "" if free else "move"

    def marks(self, state: State) -> tuple[str, ...]:
        return (f"move {self.fighter} {self._where(state)}",)

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one, where = state.combatants[self.fighter], self._where(state)
        formation, acted = book().formation[one.formation], {"fired", "charged", "fought"} & set(one.did)
        slow = grade_of(one.fighter, state.settings).raw and "formed" in one.did and where in MOVES
        reserve = where == "reserve"
        yield from super().violations(state, logged)
        yield from broken(
            (one.order == BROKEN, "runs"),
            (not one.battery and self.pace_of(state) not in (*formation.paces, "back"), "no-such-pace"),
            (self.effect(state) == "barred", "barred-ground"),
            (where in RIDES and not one.cavalry, "cavalry-step"),
            (slow, "formed-instead"),
            (reserve and (bool(acted) or not one.ready), "no-reserve-move"),
            (reserve and formation.reserve == "no", "no-reserve-formation"),
            name=one.name,
            formation=formation.name.lower(),
            ground=book().ground[self.ground].name.lower(),
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return self.through(super().apply(state, logged), state).did(self.fighter, "moved")

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        yield from super().told(step)
        one, after = step.before.combatants[self.fighter], step.after.combatants[self.fighter]
        if after.order != one.order:
            yield f"{one.name} is {STATES[after.order]}."


@kind("form", "Change formation", 'Slide 7: "Change Formation"', steps=MOVES, arms=ALL_ARMS)
class Formed(Tested, frozen=True, kw_only=True):
    """A unit changes its formation; with the enemy near it has to pass a test, or stays as it is."""

    formation: Annotated[str, one_of(FORMATIONS), titled("Into")]
    near: Annotated[bool, titled("Enemies within 8″ have it in their charge arc")] = False

    def ordered(self, state: State) -> str:
        if state.combatants[self.fighter].battery:
            return "limber" if self.formation == "limbered" else "unlimber"
        return "formation"

    def tests(self, state: State) -> bool:
        return self.near and not state.combatants[self.fighter].battery

    def marks(self, state: State) -> tuple[str, ...]:
        return (f"form {self.fighter} {STEPS[state.step]}",)

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        yield from super().input_errors(state, logged)
        one, formation = state.combatants[self.fighter], book().formation[self.formation]
        foreign = formation.nations and state.nations[one.side] not in formation.nations
        if one.fighter.arm not in formation.arms or foreign:
            yield problem("not-its-formation", field="formation", value=self.formation, name=one.name)

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one = state.combatants[self.fighter]
        raw = grade_of(one.fighter, state.settings).raw and "moved" in one.did and not one.battery
        yield from super().violations(state, logged)
        yield from broken(
            (one.order == BROKEN, "runs"),
            (one.disordered and not one.battery, "disordered-forms"),
            (raw, "moved-instead"),
            name=one.name,
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        passed, state = self.passed(state), super().apply(state, logged)
        return state.changed(self.fighter, formation=self.formation).did(self.fighter, "formed") if passed else state

    def sentence(self, names: Names) -> str:
        return f"{names[self.fighter]}: {FORMATIONS[self.formation].lower()}"


@kind(
    "fall-back",
    "Fall back",
    'Slide 6: "Fall back in Good order"',
    "{fighter} falls back",
    steps=(*MOVES, *RIDES),
    arms=TROOPS,
)
class FellBack(Tested, frozen=True, kw_only=True):
    """A unit falls back in good order, and tests at the end of it; who is disordered and fails runs. Ruling N-V7."""

    fast: Annotated[bool, titled("Fast", "A die more, and -1.")] = False
    alone: Annotated[bool, titled("Of its own accord", "Out of command: no pip, but who fails breaks.")] = False
    modifier: Annotated[int, titled("Modifier of the ground", ge=-12, le=0)] = 0
    inches: Annotated[Pool, titled("Inches")] = ()

    def ordered(self, state: State) -> str:
        return "" if self.alone else "fall-back"

    def nerve(self, state: State) -> Nerve:
        return fall_back_nerve(self.usual(state), fast=self.fast, ground=self.modifier)

    def dice_wanted(self, state: State) -> Dice:
        yield from super().dice_wanted(state)
        yield {"inches": fall_back_dice(mounted=state.combatants[self.fighter].cavalry, fast=self.fast)}

    def marks(self, state: State) -> tuple[str, ...]:
        return (f"move {self.fighter} {STEPS[state.step]}",)

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one = state.combatants[self.fighter]
        yield from super().violations(state, logged)
        yield from broken((one.order == BROKEN, "runs"), name=one.name)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        passed, state = self.passed(state), super().apply(state, logged).did(self.fighter, "moved")
        if passed:
            return state
        return state.put(self.fighter, BROKEN) if self.alone else state.lowered(self.fighter)

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        yield f"{sum(self.inches)} inches back."
        yield from super().told(step)


@kind("advance", "General advance", 'Slide 3: "Orders"', "{brigade} advances", steps=(*MOVES, "reserve"))
class Advanced(TurnEvent, frozen=True, kw_only=True):
    """A whole brigade in columns moves forward for one pip of its commander."""

    brigade: Annotated[BrigadeKey, titled("Which brigade")]

    def advancing(self, state: State) -> tuple[Combatant, ...]:
        """The units in some column that advance."""
        columns = ("column", "march", "cavalry-column", "limbered")
        troops = state.brigades().get(self.brigade, ())
        return tuple(each for each in troops if each.on_table and each.order != BROKEN and each.formation in columns)

    def price(self, state: State) -> Mapping[str, int]:
        troops = self.advancing(state)
        leader = state.leader(troops[0]) if troops else None
        return {leader.id: book().order["advance"].pips} if leader else {}

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        if self.brigade not in state.brigades():
            yield problem("unknown-brigade", field="brigade", value=self.brigade, known=", ".join(state.brigades()))

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        troops = self.advancing(state)
        return broken(
            (not troops, "nobody-in-column"),
            (bool(troops) and state.leader(troops[0]) is None, "nobody-commands"),
            name=self.brigade,
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        for each in self.advancing(state):
            state = state.did(each.id, "moved")
        return state

    def told(self, step: ReplayStep[State]) -> Iterable[str]:
        yield f"{', '.join(each.name for each in self.advancing(step.before))}."


@kind("order", "Another order", 'Slide 3: "Orders"', steps=(*MOVES, *RIDES, "reserve"), arms=TROOPS)
class OrderGiven(Tested, frozen=True, kw_only=True):
    """An order that costs pips, and a test where the rules ask for one: what it does on the table is the players'."""

    what: Annotated[str, one_of(OTHER_ORDERS), titled("What")] = "passage"

    def ordered(self, state: State) -> str:
        return self.what

    def tests(self, state: State) -> bool:
        return book().order[self.what].test

    def sentence(self, names: Names) -> str:
        return f"{names[self.fighter]}: {OTHER_ORDERS[self.what].lower()}"
