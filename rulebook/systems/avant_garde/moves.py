"""The kinds of movement: moves, changes of formation, falling back, general advances, and orders of
other sorts."""

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from rulebook.battle_log.kinds import ReplayStep, Text, TwoDice, choice_meta, field_meta
from rulebook.calculators.wording import reasoned
from rulebook.dice.cup import Cup
from rulebook.systems.avant_garde import movement
from rulebook.systems.avant_garde.book import Disorder, book, figures, words
from rulebook.systems.avant_garde.events import (
    MOVES,
    RIDES,
    STEPS,
    Checks,
    Dice,
    FighterEvent,
    Pool,
    Tested,
    kind,
)
from rulebook.systems.avant_garde.fighters import can_skirmish, one_change
from rulebook.systems.avant_garde.morale import BROKEN, Nerve, nerve_lines, target
from rulebook.systems.avant_garde.odds import passes, settled
from rulebook.systems.avant_garde.skirmishers import formations_of
from rulebook.systems.avant_garde.state import Combatant, State, inches_told
from rulebook.values.answers import ReasonedSum
from rulebook.values.battles import LoggedEvent
from rulebook.values.fields import Choices

PACES = words("paces")
COLUMNS = ("column", "march", "cavalry-column", "limbered")
"""Formations in which a unit takes part in a general advance."""
GROUNDS = {key: each.name for key, each in book().ground.items()}
PINNED = figures("command")["pinned_within"]
"""The distance at which enemies pin a unit, so that it changes its formation only by a test."""
FORMATIONS = {key: each.name for key, each in book().formation.items()}
ORDERS = words("orders")
NEAR = (
    "An enemy within {reserve_from_enemy}″ sees it, or it comes within {reserve_to_enemy}″ of one."
).format_map(figures("movement"))
Modifier = Annotated[int, Meta(ge=-12, le=0)]
TenFaces = Annotated[int, Meta(ge=1, le=10, extra={"dice": True})]


class OnGround(Tested, frozen=True, kw_only=True):
    """Something that leads through ground, which may disorder. Slides 6, 22 and 30. Rulings N-V3,
    N-V10."""

    ground: Annotated[str, choice_meta(GROUNDS), field_meta("Through", "The worst ground.")] = (
        "clear"
    )
    modifier: Annotated[
        Modifier | None,
        field_meta("Modifier for the ground", "Used where the source does not give it (N-V3)."),
    ] = None

    def pace_of(self, state: State) -> str:
        """Return the pace at which it goes through it."""
        return "trot" if self.combatant(state).cavalry else "normal"

    def effect(self, state: State) -> Disorder:
        """Return what the ground does.

        Raise RulesError "not-in-source" for a cell that is lost and has not been typed.
        """
        combatant, pace = self.combatant(state), self.pace_of(state)
        free = combatant.skirmishing or combatant.fighter.cossacks
        effect = movement.disorder(
            self.ground, pace, mounted=combatant.cavalry, free=free, typed=self.modifier
        )
        lacks = effect is None and not combatant.battery
        return (
            settled(None, f"Effect of {GROUNDS[self.ground].lower()}", "modifier")
            if lacks
            else effect
        )

    def test(self, state: State) -> Nerve | None:
        effect = self.effect(state)
        return (
            movement.ground_nerve(self.usual(state), effect, self.ground)
            if isinstance(effect, int)
            else None
        )

    def no_guns(self, state: State) -> bool:
        """Return whether guns have to be limbered in this ground, where none unlimbers. Slides 30
        and 32."""
        return self.combatant(state).battery and not book().ground[self.ground].guns

    def through(self, state: State, *, passed: bool) -> State:
        """Return the state after it has gone through the ground."""
        auto = self.effect(state) == "auto" and not self.combatant(state).disordered
        return state.lowered(self.fighter) if auto or not passed else state


@kind("move")
class Moved(OnGround, frozen=True, kw_only=True):
    """A unit moves: in its side's movement, cavalry in the cavalry's, units that have not acted
    with the reserves."""

    pace: Annotated[str, choice_meta(PACES), field_meta("Pace")] = ""
    near: Annotated[bool, field_meta("Too near the enemy for a reserve move", NEAR)] = False
    bridge: Annotated[bool, field_meta("Over a bridge", "In march column, or limbered.")] = False
    enters: Annotated[
        bool,
        field_meta("Into a town or building", "From its very edge; it does not fire in this turn."),
    ] = False

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        """Return the paces of its formation; only in the reserve's step an enemy may be near."""
        combatant = state.combatants[actor]
        paces = tuple(
            (key, name)
            for key, name in PACES.items()
            if key in ("", "back", *combatant.formed.paces)
        )
        choices = {**super().choices_for(state, actor), "pace": paces}
        place = cls.next_for(state, combatant)
        return (
            choices if place is not None and STEPS[place] == "reserve" else {**choices, "near": ()}
        )

    def pace_of(self, state: State) -> str:
        return self.pace or super().pace_of(state)

    def ordered(self, state: State) -> str:
        combatant, reserve = self.combatant(state), self.now(state) == "reserve"
        free = combatant.blown or (combatant.skirmishing and not combatant.cavalry)
        if free or (reserve and combatant.formed.reserve == "free"):
            return ""
        return "reserve-move" if reserve and not combatant.battery else "move"

    def checks(self, state: State) -> Checks:
        combatant = self.combatant(state)
        pace = self.pace_of(state)
        now = self.now(state)
        reserve = now == "reserve"
        yield from super().checks(state)
        yield (
            not combatant.battery and pace not in (*combatant.formed.paces, "back"),
            "no-such-pace",
        )
        closed = combatant.battery and not book().ground[self.ground].limbered
        yield closed or self.effect(state) == "barred", "barred-ground"
        yield (
            self.no_guns(state) and not closed and combatant.formation != "limbered",
            "guns-cross-limbered",
        )
        yield self.bridge and not combatant.formed.bridge, "not-over-a-bridge"
        yield self.enters and reserve, "no-town-in-reserve"
        either = one_change(combatant.fighter, state.nations[combatant.side], state.settings)
        yield either and "formed" in combatant.did and now in MOVES, "formed-instead"
        yield reserve and not combatant.ready, "not-in-good-order"
        yield reserve and {"fired", "charged", "fought"} & {*combatant.did}, "no-reserve-move"
        yield reserve and combatant.formed.reserve == "no", "no-reserve-formation"
        yield reserve and self.near, "near-in-reserve"
        yield combatant.guards and pace not in movement.STEADY_PACES, "guards-prisoners"

    def follows(self, state: State, *, passed: bool) -> State:
        done = ("moved", "entered") if self.enters else ("moved",)
        return self.through(state, passed=passed).did(self.fighter, *done)


@kind("ford")
class Forded(FighterEvent, frozen=True, kw_only=True):
    """A unit at the river’s edge looks for a ford: a second die, of ten faces, no higher than the
    first."""

    name: Annotated[
        Text, field_meta("Which stretch", "By its name.", min_length=1, max_length=60)
    ] = "The river"
    dice: Annotated[Pool, field_meta("First die")] = ()
    second: Annotated[
        TenFaces | None, field_meta("Second die", "Of ten faces; of Cossacks a second one of six.")
    ] = None

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": 1}
        yield {"second": 1}

    def throw(self, state: State, cup: Cup) -> "Forded":
        faces = (
            6 if self.combatant(state).fighter.cossacks else int(figures("movement")["river_faces"])
        )
        return replace(self, dice=self.dice or cup.some(1), second=self.second or cup.faces(faces))

    def finds_ford(self, state: State) -> bool:
        """Return whether there is a ford. Slide 32."""
        return movement.fords(
            self.dice[0], self.second or 0, cossacks=self.combatant(state).fighter.cossacks
        )

    def checks(self, state: State) -> Checks:
        yield self.combatant(state).fighter.cossacks and (self.second or 0) > 6, "no-such-die"
        yield from super().checks(state)
        yield self.name in state.fords, "stretch-tried"

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return replace(state, fords={**state.fords, self.name: self.finds_ford(state)})

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        yield "There is a ford." if self.finds_ford(step.before) else "There is no ford here."


@kind("form")
class Formed(OnGround, frozen=True, kw_only=True):
    """A unit changes its formation; with the enemy near it has to pass a test, or stays as it is.

    In difficult ground it tests for disorder as if it moved there at normal pace: with its
    ``dice``, or with those of ``steady`` where these were for the enemy who is near. Slides 7 and
    30.
    """

    formation: Annotated[str, choice_meta(FORMATIONS), field_meta("Into")]
    near: Annotated[bool, field_meta(f"Enemies within {PINNED}″ have it in their charge arc")] = (
        False
    )
    ground: Annotated[str, choice_meta(GROUNDS), field_meta("Where it stands")] = "clear"
    steady: Annotated[
        TwoDice, field_meta("Disorder test", "In difficult ground with enemies near.")
    ] = ()

    @classmethod
    def is_due(cls, state: State, combatant: Combatant) -> bool:
        return not combatant.dismounted

    @classmethod
    def next_for(cls, state: State, fighter: Combatant | None) -> int | None:
        """Return the next step in which it may: of the cavalry's steps in none but horse artillery.
        Slide 19."""
        horse = fighter is not None and fighter.fighter.horse
        return cls.next_step(state, fighter.side if fighter else "", () if horse else RIDES)

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        if not super().is_open_to(state, actor):
            return False
        combatant = state.combatants[actor]
        place = cls.next_for(state, combatant)
        unlimbers = (
            place is not None and STEPS[place] in RIDES and combatant.formation == "limbered"
        )
        return not unlimbers and not combatant.parent

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        combatant = state.combatants[actor]
        others = (
            key
            for key in formations_of(combatant.fighter, state.nations[combatant.side])
            if key != combatant.formation
        )
        formations = tuple((key, FORMATIONS[key]) for key in others)
        return {**super().choices_for(state, actor), "formation": formations}

    def ordered(self, state: State) -> str:
        guns = "limber" if self.formation == "limbered" else "unlimber"
        return guns if self.combatant(state).battery else "formation"

    def pinned(self, state: State) -> bool:
        """Return whether enemies are so near that it has to pass a test to change at all."""
        return self.near and not self.combatant(state).battery

    def test(self, state: State) -> Nerve | None:
        return self.usual(state) if self.pinned(state) else super().test(state)

    def changes(self, state: State) -> bool:
        """Return whether it takes the other formation. The ground may disorder it, but does not
        keep it from that."""
        return not self.pinned(state) or self.passed(state)

    def ground_test(self, state: State) -> Nerve | None:
        """Return what the disorder test depends on that comes after another test, None where there
        is none."""
        return super().test(state) if self.pinned(state) and self.passed(state) else None

    def dice_wanted(self, state: State) -> Dice:
        yield from super().dice_wanted(state)
        yield {"steady": 0 if self.ground_test(state) is None else 2}

    def checks(self, state: State) -> Checks:
        combatant, formation = self.combatant(state), book().formation[self.formation]
        foreign = formation.nations and state.nations[combatant.side] not in formation.nations
        yield combatant.fighter.arm not in formation.arms or foreign, "not-its-formation"
        yield "dismounted" in (self.formation, combatant.formation), "mounts-by-order"
        yield from super().checks(state)
        yield combatant.parent, "skirmishers-stay"
        yield (
            formation.skirmish and combatant.fighter.arm == "infantry" and not combatant.parent,
            "battalion-skirmishes",
        )
        yield (
            formation.skirmish and combatant.cavalry and not can_skirmish(combatant.fighter),
            "not-skirmish-capable",
        )
        yield self.effect(state) == "barred", "barred-ground"
        yield self.no_guns(state) and self.formation == "unlimbered", "no-guns-there"
        yield (
            combatant.fighter.horse and self.now(state) in RIDES and self.formation != "limbered",
            "horse-guns-limber",
        )
        if not combatant.battery:
            yield combatant.order == BROKEN, "runs"
            yield combatant.disordered, "disordered-forms"
            yield (
                one_change(combatant.fighter, state.nations[combatant.side], state.settings)
                and "moved" in combatant.did,
                "moved-instead",
            )

    def follows(self, state: State, *, passed: bool) -> State:
        if not self.changes(state):
            return state
        second = self.ground_test(state)
        steady = passes(self.steady, target(second)) if second else passed
        return (
            self.through(state, passed=steady)
            .changed(self.fighter, formation=self.formation)
            .did(self.fighter, "formed")
        )

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        yield from super().outcome_sentences(step)
        if second := self.ground_test(step.before):
            passed = passes(self.steady, target(second))
            yield f"Disorder by the ground, {sum(self.steady)}: {'passed' if passed else 'failed'}."


@kind("fall-back")
class FellBack(Tested, frozen=True, kw_only=True):
    """A unit falls back in good order, and tests at the end of it; who is disordered and fails
    runs. Ruling N-V7."""

    fast: Annotated[bool, field_meta("Fast", "One more die, and -1.")] = False
    alone: Annotated[
        bool,
        field_meta("Of its own accord", "Out of command: no pip, but a failed test breaks it."),
    ] = False
    modifier: Annotated[Modifier, field_meta("Modifier for the ground")] = 0
    inches: Annotated[Pool, field_meta("Inches")] = ()

    def test(self, state: State) -> Nerve:
        return movement.fall_back_nerve(self.usual(state), fast=self.fast, ground=self.modifier)

    def dice_wanted(self, state: State) -> Dice:
        yield from super().dice_wanted(state)
        yield {
            "inches": movement.fall_back_dice(mounted=self.combatant(state).cavalry, fast=self.fast)
        }

    def follows(self, state: State, *, passed: bool) -> State:
        state = state.did(self.fighter, "moved")
        if passed:
            return state
        return state.put(self.fighter, BROKEN) if self.alone else state.lowered(self.fighter)

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        yield f"{inches_told(sum(self.inches))} back."
        yield from super().outcome_sentences(step)


@kind("advance")
class Advanced(FighterEvent, frozen=True, kw_only=True):
    """A brigade moves forward with all who stand in a column, for one pip of the commander who is
    named.

    Each unit moves once in a step, whether by this order or by its own. With the reserves the units
    that have acted stay where they are. Slides 3 and 6.
    """

    @classmethod
    def is_due(cls, state: State, combatant: Combatant) -> bool:
        return bool(combatant.brigade)

    def advancing(self, state: State) -> tuple[Combatant, ...]:
        """Return the units in some column that advance."""
        troops = state.brigades().get(self.combatant(state).brigade, ())
        return tuple(each for each in troops if self.may_advance(state, each))

    def may_advance(self, state: State, fighter: Combatant) -> bool:
        """Return whether a unit stands in some column and can still move in this step."""
        now = self.now(state)
        if (
            fighter.formation not in COLUMNS
            or not fighter.on_table
            or f"move {fighter.id} {now}" in state.done
        ):
            return False
        if now == "reserve":
            return fighter.ready and {"fired", "charged", "fought"}.isdisjoint(fighter.did)
        bound = one_change(fighter.fighter, state.nations[fighter.side], state.settings)
        return fighter.order != BROKEN and not (bound and "formed" in fighter.did)

    def marks(self, state: State) -> tuple[str, ...]:
        now = self.now(state)
        return tuple(f"move {each.id} {now}" for each in self.advancing(state))

    def price(self, state: State) -> Mapping[str, int]:
        return {self.fighter: book().order["advance"].pips}

    def checks(self, state: State) -> Checks:
        yield from super().checks(state)
        yield not self.advancing(state), "nobody-in-column"

    def apply(self, state: State, logged: LoggedEvent) -> State:
        for each in self.advancing(state):
            state = state.did(each.id, "moved")
        return state

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        yield f"{', '.join(each.name for each in self.advancing(step.before))}."


@kind("order")
class OrderGiven(Tested, frozen=True, kw_only=True):
    """An order that costs pips, and a test where the rules ask for one: what it does on the table
    is the players'.

    Cavalry that holds itself back costs none (N-C5); blown cavalry that is recalled stays blown
    (N-K2), and tests for disorder at the end of its ride: who fails it flees, being disordered
    already (N-K6).
    """

    spare_dice: ClassVar[Mapping[str, tuple[str, str]]] = {"steady": ("", "")}

    what: Annotated[str, choice_meta(ORDERS), field_meta("What")] = "passage"
    modifier: Annotated[
        Modifier, field_meta("Modifier for the ground", "For cavalry that is recalled.")
    ] = 0
    inches: Annotated[Pool, field_meta("Inches back", "For cavalry that is recalled.")] = ()
    steady: Annotated[TwoDice, field_meta("Disorder test", "For cavalry that is recalled.")] = ()

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        fighter = state.combatants[actor]
        able = {
            "passage": fighter.fighter.arm == "infantry" and not fighter.parent,
            "separate": fighter.cavalry,
            "dismount": fighter.cavalry and not fighter.blown,
            "mount": fighter.dismounted,
            "recall": fighter.blown,
            "restrain": fighter.cavalry,
            "recall-skirmishers": bool(fighter.parent),
        }
        orders = tuple((key, name) for key, name in ORDERS.items() if able[key])
        return {**super().choices_for(state, actor), "what": orders}

    def test(self, state: State) -> Nerve | None:
        return (
            self.usual(state) if self.what == "restrain" or book().order[self.what].test else None
        )

    def dice_wanted(self, state: State) -> Dice:
        yield from super().dice_wanted(state)
        back = self.what == "recall" and self.passed(state)
        yield {
            "inches": figures("cavalry")["recall_dice"] if back else 0,
            "steady": 2 if back else 0,
        }

    def steady_nerve(self, state: State) -> Nerve:
        """Return the disorder test of recalled cavalry at the end of its ride. Slides 6 and 23.
        Ruling N-K6."""
        return movement.fall_back_nerve(self.usual(state), ground=self.modifier)

    def stays_steady(self, state: State) -> bool:
        """Return whether recalled cavalry passes its disorder test, or has none to take."""
        return not self.steady or passes(self.steady, target(self.steady_nerve(state)))

    def checks(self, state: State) -> Checks:
        combatant = self.combatant(state)
        mounted = self.what in ("recall", "restrain", "separate", "dismount")
        charging = any(combatant.id in (each.fighter, each.target) for each in state.charges)
        fights = charging or any(
            combatant.id in (each.fighter, each.target) for each in state.combats
        )
        yield from super().checks(state)
        yield mounted and not combatant.cavalry, "cavalry-alone"
        yield self.what == "passage" and combatant.fighter.arm != "infantry", "infantry-alone"
        yield self.what == "mount" and not combatant.dismounted, "not-dismounted"
        yield self.what in ("dismount", "mount", "recall-skirmishers") and fights, "in-combat"
        yield self.what == "dismount" and combatant.blown, "blown"
        yield self.what == "recall" and not combatant.blown, "not-blown"
        yield self.what == "recall-skirmishers" and not combatant.parent, "no-group-to-recall"
        yield self.what == "recall-skirmishers" and combatant.order == BROKEN, "runs"

    def follows(self, state: State, *, passed: bool) -> State:
        if self.what in ("dismount", "mount"):
            # They mount in line: the text does not say how. Ruling N-K8.
            return state.changed(
                self.fighter, formation="dismounted" if self.what == "dismount" else "cavalry-line"
            )
        combatant = self.combatant(state)
        if passed and self.what == "recall-skirmishers" and combatant.parent:
            return state.rejoined(combatant)
        return state if self.stays_steady(state) else state.lowered(self.fighter)

    def sums(self, step: ReplayStep[State]) -> Iterator[ReasonedSum]:
        yield from super().sums(step)
        if self.steady:
            yield reasoned(
                "Disorder test, two dice within", *nerve_lines(self.steady_nerve(step.before))
            )

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        yield from super().outcome_sentences(step)
        if self.inches:
            yield f"It rides {inches_told(sum(self.inches))} back."
        if self.steady:
            steady = self.stays_steady(step.before)
            yield f"Disorder test, {sum(self.steady)}: {'passed' if steady else 'failed'}."
