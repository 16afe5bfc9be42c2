"""What an event of a log of Avant-garde is: something in a step of the turn, orders that cost pips, tests of two dice.

The kinds stand in ``commanding.py`` (pips, rally, initiative, arrivals), ``moves.py``, ``charging.py``, ``firing.py``,
``fighting.py`` and ``ending.py``; notes and corrections are the engine's.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from rulebook.battle_log.kinds import Die, FighterId, ReplayStep, TwoDice, titled
from rulebook.battle_log.steps import SaidEvent, StepEvent, kind
from rulebook.calculators.wording import reasoned
from rulebook.dice.cup import Cup
from rulebook.systems.avant_garde import command, morale
from rulebook.systems.avant_garde.book import STATES, Inches, book, broken, problem
from rulebook.systems.avant_garde.fighters import grade_of, rating_of
from rulebook.systems.avant_garde.odds import passes, settled
from rulebook.systems.avant_garde.state import GONE, Combatant, State
from rulebook.values.answers import ReasonedSum
from rulebook.values.battles import LoggedEvent
from rulebook.values.problems import Problem, Violation

__all__ = ["Event", "Ordered", "Tested", "TurnEvent", "changes_told", "kind", "order_price"]

Dice = Iterator[Mapping[str, int]]
Pool = Annotated[tuple[Die, ...], Meta(max_length=80)]
"""Dice in the order in which they were thrown."""
FightersDice = Annotated[Pool, titled("Inches")]
Who = Annotated[FighterId, titled("Who")]
STEPS = tuple(book().step)
MOVES, FIRES, FIGHTS = ("move-a", "move-b"), ("fire-1", "fire-2"), ("combat-1", "combat-2")
RIDES = ("cavalry-a", "cavalry-b")
TROOPS = ("infantry", "cavalry")
ALL_ARMS = (*TROOPS, "artillery")


class Event(SaidEvent[State], frozen=True, kw_only=True):
    """An event of a log of Avant-garde."""


class TurnEvent(StepEvent[State], frozen=True, kw_only=True, omit_defaults=True):
    """Something that happens in a step of a turn; ``riding``: in the cavalry’s steps by riders alone."""

    turn_steps: ClassVar[tuple[str, ...]] = STEPS
    riding: ClassVar[bool] = False

    def step(self, state: State) -> int | None:
        one = state.combatants.get(getattr(self, "fighter", ""))
        return self.next_for(state, one)

    @classmethod
    def next_for(cls, state: State, one: Combatant | None) -> int | None:
        """The place of the next of its steps in which somebody may do it."""
        barred = cls.riding and one is not None and not (one.cavalry or one.fighter.horse)
        return cls.next_step(state, "" if cls.anybody or one is None else one.side, RIDES if barred else ())

    def price(self, state: State) -> Mapping[str, int]:
        """The pips that it costs, by who pays them."""
        return {}

    def now(self, state: State) -> str:
        """The key of the step in which it happens."""
        place = self.step(state)
        return STEPS[state.step if place is None else place]


def changes_told(before: State, after: State) -> Iterator[str]:
    """What has become of everybody in an event: casualties, morale, blown horses, colours, who has gone."""
    for one in after.combatants.values():
        old = before.combatants[one.id]
        if lost := old.figures - one.figures:
            yield f"{one.name}: {casualties(lost)}."
        turned = (
            (one.gone != old.gone, GONE.get(one.gone, "")),
            (
                one.order != old.order and not one.gone,
                f"in {STATES[one.order]}" if one.order == "good" else STATES[one.order],
            ),
            (one.shaken and not old.shaken and not one.gone, "shaken"),
            (one.blown and not old.blown, "blown"),
            (one.low and not old.low, "low on ammunition"),
            (one.unhorsed and not old.unhorsed, "unhorsed"),
            (one.colours_lost and not old.colours_lost, "without its colours"),
            (one.jubilant > old.jubilant, "jubilant"),
        )
        words = [word for holds, word in turned if holds]
        if words:
            yield f"{one.name} is {' and '.join(words)}."


def casualties(number: int) -> str:
    """Casualties in words."""
    return "1 casualty" if number == 1 else f"{number or 'no'} casualties"


def added(one: Mapping[str, int], other: Mapping[str, int]) -> Mapping[str, int]:
    """Two prices together."""
    return {key: one.get(key, 0) + other.get(key, 0) for key in {**one, **other}}


def radius_of(state: State, leader: Combatant | None) -> int:
    """How far the orders of a commander reach, in inches. Ruling N-C9."""
    return command.radius(rating_of(leader.fighter, state.settings) if leader else None)


def order_price(state: State, one: Combatant, order: str, away: float = 0) -> Mapping[str, int]:
    """The pips of an order, by who pays them: a battery its own, else the commander. Rulings N-C4, N-C9, N-A2."""
    leader = state.leader(one)
    if not order:
        return {}
    if one.battery:
        return {one.id: command.gun_order_pips(order, one.start, one.lost)}
    return {leader.id: command.order_pips(order, away, radius_of(state, leader))} if leader else {}


def die_of(cup: Cup, faces: int) -> int:
    """A die of so many faces, thrown with one or two of six; what is too high is thrown again."""
    most = 6 if faces <= 6 else 36
    while (thrown := cup.one() if most == 6 else 6 * cup.one() + cup.one() - 6) > most // faces * faces:
        pass
    return (thrown - 1) % faces + 1


class Ordered(TurnEvent, frozen=True, kw_only=True):
    """Something that a commander orders a unit to do for pips, or a battery does for its own. Slides 3, 4 and 19.

    ``order`` is the key of its price, "" for what needs none.
    """

    order: ClassVar[str] = ""

    fighter: Who
    away: Annotated[Inches, titled("Distance from the commander", "0: in his radius. Each radius more is a pip.")] = 0

    def ordered(self, state: State) -> str:
        """The key of the order."""
        return self.order

    def price(self, state: State) -> Mapping[str, int]:
        return order_price(state, state.combatants[self.fighter], self.ordered(state), self.away)

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one = state.combatants[self.fighter]
        alone = bool(self.ordered(state)) and not one.battery and state.leader(one) is None
        yield from broken((alone, "nobody-commands"), name=one.name)


class Tested(Ordered, frozen=True, kw_only=True):
    """Something that takes a test: two dice that stay within a target. Slides 3, 4 and 27. Rulings N-C7, N-C8."""

    influence: Annotated[FighterId, titled("A commander lends his influence", "A double 5 or 6 unhorses him.")] = ""
    general: Annotated[bool, titled("The Commander-in-Chief adds one", "For a pip of his.")] = False
    reroll: Annotated[bool, titled("Thrown again if it fails", "For a pip of its commander.")] = False
    dice: Annotated[TwoDice, titled("Dice of the test")] = ()
    again: Annotated[TwoDice, titled("Dice of the second try")] = ()

    def tests(self, state: State) -> bool:
        """Does it take a test at all?"""
        return True

    def nerve(self, state: State) -> morale.Nerve:
        """What the test depends on."""
        return self.usual(state)

    def usual(self, state: State) -> morale.Nerve:
        """What any test of the unit depends on, with the commanders who help it."""
        one, helper = state.combatants[self.fighter], state.combatants.get(self.influence)
        commands = helper is not None and helper.commander
        rating = rating_of(helper.fighter, state.settings) if helper and commands else None
        lent = settled(rating.influence, "His influence", "influence") if rating else 0
        return replace(nerve_of(state, one), influence=lent, general=self.general)

    def passed(self, state: State) -> bool:
        """Does it pass, or need no test?"""
        return not self.tests(state) or passes(self.again or self.dice, morale.target(self.nerve(state)))

    def dice_wanted(self, state: State) -> Dice:
        tests = self.tests(state)
        yield {"dice": 2 * tests}
        yield {"again": 2 * (self.reroll and tests and not passes(self.dice, morale.target(self.nerve(state))))}

    def price(self, state: State) -> Mapping[str, int]:
        one = state.combatants[self.fighter]
        helps = ((self.general, state.chief(one.side)), (bool(self.again), state.leader(one)))
        price = super().price(state)
        for leader in (each for holds, each in helps if holds and each):
            price = added(price, {leader.id: 1})
        return price

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        helper = state.combatants.get(self.influence)
        if helper and (not helper.commander or helper.side != state.combatants[self.fighter].side):
            yield problem("no-commander", field="influence", value=self.influence, name=helper.name)

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one = state.combatants[self.fighter]
        leader = state.leader(one)
        alone = (self.general and state.chief(one.side) is None) or (self.reroll and leader is None)
        far = self.reroll and leader is not None and self.away > radius_of(state, leader)
        yield from super().violations(state, logged)
        yield from broken((alone, "nobody-commands"), (far, "too-far-for-another-try"), name=one.name)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        """The state with what the test has done to a commander who lent his influence."""
        falls = self.influence and (command.unhorsed(self.dice) or command.unhorsed(self.again))
        return state.changed(self.influence, unhorsed=True, pips=0) if falls else state

    def sums(self, step: ReplayStep[State]) -> Iterable[ReasonedSum]:
        if self.tests(step.before):
            yield reasoned("Test, two dice within", *morale.nerve_lines(self.nerve(step.before)))

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        if self.tests(step.before):
            yield f"{sum(self.again or self.dice)}: {'passed' if self.passed(step.before) else 'failed'}."


def nerve_of(state: State, one: Combatant) -> morale.Nerve:
    """What any test of a unit depends on, without anybody's help."""
    shaky = one.disordered or one.order == morale.BROKEN
    return morale.Nerve(grade_of(one.fighter, state.settings).morale, one.jubilant, shaky)
