"""What an event of a log of Avant-garde is: steps of the turn, orders that cost pips, tests with two dice.

The kinds stand in ``commanding.py`` (command, rally, initiative), ``moves.py``, ``charging.py``, ``firing.py``,
``fighting.py`` and ``ending.py``; notes and corrections are the engine's.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, TypeVar

from msgspec import Meta
from msgspec.structs import replace

from rulebook.battle_log import kinds
from rulebook.battle_log.kinds import (
    Die,
    EventKind,
    FighterId,
    Names,
    ReplayStep,
    RuledEvent,
    TwoDice,
    titled,
)
from rulebook.calculators.wording import reasoned
from rulebook.systems.avant_garde.book import Inches, book, broken, problem
from rulebook.systems.avant_garde.command import gun_order_pips, may_reroll, order_pips, radius, unhorsed
from rulebook.systems.avant_garde.fighters import grade_of, rating_of
from rulebook.systems.avant_garde.morale import BROKEN, Nerve, nerve_lines, target
from rulebook.systems.avant_garde.odds import passes, settled
from rulebook.systems.avant_garde.state import Combatant, State
from rulebook.values.answers import ReasonedSum
from rulebook.values.battles import LoggedEvent
from rulebook.values.problems import Problem, Violation

Dice = Iterator[Mapping[str, int]]
Pool = Annotated[tuple[Die, ...], Meta(max_length=80)]
"""Dice in the order in which they were thrown."""
Influence = Annotated[FighterId, titled("A commander lends his influence", "A double 5 or 6 unhorses him.")]
Away = Annotated[Inches, titled("Distance from the commander", "0: within his radius. Each radius more costs a pip.")]
STEPS = tuple(book().step)
MOVES, FIRES, FIGHTS = ("move-a", "move-b"), ("fire-1", "fire-2"), ("combat-1", "combat-2")
RIDES = ("cavalry-a", "cavalry-b")
TROOPS = ("infantry", "cavalry")
ALL_ARMS = (*TROOPS, "artillery")


class Event(EventKind[State], frozen=True, kw_only=True):
    """An event of a log of Avant-garde. ``says`` is its sentence, with the names of its fields in braces.

    ``arms`` are those of its "fighter", where not everybody's.
    """

    arms: ClassVar[tuple[str, ...]] = ()
    says: ClassVar[str] = ""
    steps: ClassVar[tuple[str, ...]] = ()

    def sentence(self, names: Names) -> str:
        told = {key: names.get(getattr(self, key, ""), "") for key in ("fighter", "target", "side", "by")}
        return self.says.format(**told, brigade=brigade_title(getattr(self, "brigade", "/"), names))


Kind = TypeVar("Kind", bound=type[Event])


def kind(key: str, label: str, rule: str = "", says: str = "", **told: Any) -> Callable[[Kind], Kind]:
    """Names a kind, with what else of ``EventKind``, ``Event`` and ``TurnEvent`` is its own.

    It happens in the step of the same key, if there is one and no others are told as ``steps``.
    """
    known = {"key": key, "label": label, "rule": rule, "says": says, "steps": (key,) * (key in STEPS), **told}

    def named(found: Kind) -> Kind:
        fields = found.__struct_fields__
        about = next((each for each in ("fighter", "brigade", "side") if each in fields), "fighter")
        usual = {"about": about, "phase": (known["steps"] or ("",))[0]}
        return kinds.kind(**{**usual, **known})(found)

    return named


def brigade_title(key: str, sides: Mapping[str, str]) -> str:
    """A brigade with its side's name: "1st Brigade (Reds)"."""
    side, _, name = key.partition("/")
    return f"{name} ({sides.get(side, side)})"


class TurnEvent(Event, RuledEvent[State], frozen=True, kw_only=True, omit_defaults=True):
    """Something that happens in one of the ``steps`` of a turn, in any if there are none.

    Whoever does it does it once a turn, unless it happens ``often``; ``anybody`` marks what is not only for the side
    whose step it is.
    """

    turn_by_turn: ClassVar[bool] = True
    often: ClassVar[bool] = True
    anybody: ClassVar[bool] = False

    def actor(self, state: State) -> str:
        """The side that does it, "" if it is nobody's in particular."""
        fighter = state.combatants.get(getattr(self, "fighter", ""))
        brigade: str = getattr(self, "brigade", "")
        return "" if self.anybody else fighter.side if fighter else brigade.split("/", 1)[0]

    def step(self, state: State) -> int | None:
        """The place of the step in which it happens: the one that play has come to, or the next that fits."""
        return self.next_step(state, self.actor(state))

    @classmethod
    def next_step(cls, state: State, own: str) -> int | None:
        """The place of the next of its steps in which a side may do it, the one that play has come to included."""
        if not cls.steps:
            return state.step
        for place in range(state.step, len(STEPS)):
            active = replace(state, step=place).active
            if STEPS[place] in cls.steps and (not own or not active or own == active):
                return place
        return None

    def price(self, state: State) -> Mapping[str, int]:
        """The pips that it costs, by who pays them."""
        return {}

    def marks(self, state: State) -> tuple[str, ...]:
        """What it leaves among what has been done in this turn: whatever leaves the same is not done in it again."""
        who = next((getattr(self, each) for each in ("fighter", "brigade", "side") if hasattr(self, each)), "")
        return () if self.often else (f"{self.key} {who}",)


def added(one: Mapping[str, int], other: Mapping[str, int]) -> Mapping[str, int]:
    """Two prices together."""
    return {key: one.get(key, 0) + other.get(key, 0) for key in {**one, **other}}


def order_price(state: State, one: Combatant, order: str, away: float = 0) -> Mapping[str, int]:
    """The pips of an order, by who pays them: a battery its own, else the commander. Rulings N-C4, N-C9, N-A2."""
    if not order:
        return {}
    if one.battery:
        return {one.id: gun_order_pips(order, one.start, one.start - one.figures)}
    leader = state.leader(one)
    return {leader.id: order_pips(order, away, radius_of(state, leader))} if leader else {}


def radius_of(state: State, leader: Combatant) -> int:
    """How far the orders of a commander reach, in inches. Ruling N-C9."""
    return radius(rating_of(leader.fighter, state.settings))


class Ordered(TurnEvent, frozen=True, kw_only=True):
    """Something that a commander orders a unit to do for pips, or a battery does for its own. Slides 3, 4 and 19.

    ``order`` is the key of its price.
    """

    order: ClassVar[str] = "move"

    fighter: Annotated[FighterId, titled("Who")]
    away: Away = 0

    def ordered(self, state: State) -> str:
        """The key of the order, "" for what needs none."""
        return self.order

    def price(self, state: State) -> Mapping[str, int]:
        return order_price(state, state.combatants[self.fighter], self.ordered(state), self.away)

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one = state.combatants[self.fighter]
        alone = bool(self.ordered(state)) and not one.battery and state.leader(one) is None
        yield from super().violations(state, logged)
        yield from broken((alone, "nobody-commands"), name=one.name)


class Tested(Ordered, frozen=True, kw_only=True):
    """Something that takes a test: two dice that stay within a target. Slides 3, 4 and 27. Rulings N-C7, N-C8."""

    order: ClassVar[str] = ""

    influence: Influence = ""
    general: Annotated[bool, titled("The Commander-in-Chief adds one", "For a pip of his.")] = False
    reroll: Annotated[bool, titled("Thrown again if it fails", "For a pip of its commander.")] = False
    dice: Annotated[TwoDice, titled("Dice of the test")] = ()
    again: Annotated[TwoDice, titled("Dice of the second try")] = ()

    def tests(self, state: State) -> bool:
        """Does it take a test at all?"""
        return True

    def nerve(self, state: State) -> Nerve:
        """What the test depends on."""
        return self.usual(state)

    def usual(self, state: State) -> Nerve:
        """What any test of the unit depends on, with the commanders who help it."""
        one, helper = state.combatants[self.fighter], state.combatants.get(self.influence)
        lent = 0
        if helper and helper.commander:
            lent = settled(rating_of(helper.fighter, state.settings).influence, "His influence", "influence")
        shaky = one.disordered or one.order == BROKEN
        morale = grade_of(one.fighter, state.settings).morale
        return Nerve(morale, one.jubilant, shaky, influence=lent, general=self.general)

    def passed(self, state: State) -> bool:
        """Does it pass, or need no test?"""
        return not self.tests(state) or passes(self.again or self.dice, target(self.nerve(state)))

    def dice_wanted(self, state: State) -> Dice:
        tests = self.tests(state)
        yield {"dice": 2 * tests}
        failed = tests and not passes(self.dice, target(self.nerve(state)))
        yield {"again": 2 * (self.reroll and failed)}

    def price(self, state: State) -> Mapping[str, int]:
        one = state.combatants[self.fighter]
        chief, leader = state.chief(one.side), state.leader(one)
        found = {chief.id: 1} if self.general and chief else {}
        again = {leader.id: 1} if self.again and leader else {}
        return added(super().price(state), added(found, again))

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        helper = state.combatants.get(self.influence)
        if helper and (not helper.commander or helper.side != state.combatants[self.fighter].side):
            yield problem("no-commander", field="influence", value=self.influence, name=helper.name)

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one = state.combatants[self.fighter]
        leader = state.leader(one)
        alone = (self.general and state.chief(one.side) is None) or (self.reroll and leader is None)
        far = self.reroll and leader is not None and not may_reroll(self.away, radius_of(state, leader))
        yield from super().violations(state, logged)
        yield from broken((alone, "nobody-commands"), (far, "too-far-for-another-try"), name=one.name)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        """The state with what the test has done to a commander who lent his influence."""
        falls = self.influence and (unhorsed(self.dice) or unhorsed(self.again))
        return state.changed(self.influence, unhorsed=True, pips=0) if falls else state

    def sums(self, step: ReplayStep[State]) -> Iterable[ReasonedSum]:
        if self.tests(step.before):
            yield reasoned("Test, two dice within", *nerve_lines(self.nerve(step.before)))

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        if self.tests(step.before):
            passed, shown = self.passed(step.before), sum(self.again or self.dice)
            yield f"{shown}: {'passed' if passed else 'failed'}."
        if self.influence and step.after.combatants[self.influence].unhorsed:
            yield f"{step.after.combatants[self.influence].name} is unhorsed (Ruling N-C8)."
