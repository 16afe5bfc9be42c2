"""The kinds of the first steps of a turn: pips, reaction, the morale of brigades, arrivals, rallying, initiative."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from rulebook.battle_log.kinds import Few, FighterId, FighterIds, Names, ReplayStep, RuledEvent, SideKey, titled
from rulebook.calculators.wording import reasoned
from rulebook.dice.cup import Cup
from rulebook.systems.avant_garde.book import STATES, broken, problem
from rulebook.systems.avant_garde.command import initiative_lines, pips
from rulebook.systems.avant_garde.events import (
    ALL_ARMS,
    MOVES,
    Dice,
    Event,
    Ordered,
    Pool,
    Tested,
    TurnEvent,
    brigade_title,
    kind,
)
from rulebook.systems.avant_garde.fighters import grade_of, rating_of
from rulebook.systems.avant_garde.morale import (
    BROKEN,
    GOOD,
    Nerve,
    after_rallying,
    brigade_levels,
    brigade_nerve,
    target,
)
from rulebook.systems.avant_garde.odds import passes, total
from rulebook.systems.avant_garde.state import Combatant, State
from rulebook.values.answers import ReasonedSum, ReasonLine
from rulebook.values.battles import LoggedEvent
from rulebook.values.problems import Problem, Violation

BrigadeKey = Annotated[str, Meta(extra={"kind": "text"}, min_length=3, max_length=120)]
"""A brigade by its key: "side/name"."""


@kind("turn", "A turn begins", 'Slide 2: "The Turn"', "A turn begins", turn_by_turn=True, starts_turn=True)
class TurnBegan(Event, RuledEvent[State], frozen=True, kw_only=True, omit_defaults=True):
    """A turn begins: a die of pips for every commander and every battery, in the order of the rosters."""

    dice: Annotated[Pool, titled("Dice of pips", "One for each commander and battery, as in the rosters.")] = ()

    def receiving(self, state: State) -> tuple[Combatant, ...]:
        """Those who get pips."""
        return tuple(each for each in state.combatants.values() if each.on_table and (each.commander or each.battery))

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": len(self.receiving(state))}

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterable[Problem]:
        for each in self.receiving(state):
            self.pips_of(state, each, 1)
        return ()

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        return broken((state.over, "last-turn"))

    def pips_of(self, state: State, one: Combatant, die: int) -> int:
        """The pips of a commander or a battery on this die. Raises RulesError "not-in-source"."""
        return pips(die, rating_of(one.fighter, state.settings)) if one.commander else die

    def pips(self, state: State) -> Mapping[str, int]:
        """The pips of everybody who gets some."""
        pairs = zip(self.receiving(state), self.dice, strict=True)
        return {one.id: self.pips_of(state, one, die) for one, die in pairs}

    def apply(self, state: State, logged: LoggedEvent) -> State:
        given = self.pips(state)
        fresh = (
            replace(each, pips=given.get(each.id, 0), did=(), reacting=False, shot=0, enfiladed=False)
            for each in state.combatants.values()
        )
        behind = state.other(state.first) if state.first else state.behind
        state = replace(
            state, turn=state.turn + 1, step=0, last_step=0, first="", behind=behind, done=(), charges=(), combats=()
        )
        return state.with_(*fresh)

    def told(self, step: ReplayStep[State]) -> Iterable[str]:
        there, given = step.before.combatants, self.pips(step.before)
        yield f"Pips: {', '.join(f'{there[one].name} {number}' for one, number in given.items()) or 'none'}."


@kind("pips", "Assign pips", 'Slide 4: "Generals"', steps=("command",), arms=("commander",))
class PipsAssigned(TurnEvent, frozen=True, kw_only=True):
    """The Commander-in-Chief gives pips of his to a commander or a battery within his range."""

    fighter: Annotated[FighterId, titled("The Commander-in-Chief")]
    to: Annotated[FighterId, titled("To whom")]
    number: Annotated[int, titled("Pips", ge=1, le=9)] = 1

    def price(self, state: State) -> Mapping[str, int]:
        return {self.fighter: self.number}

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        one, other = state.combatants[self.fighter], state.combatants[self.to]
        if other.side != one.side or other.id == one.id or not (other.commander or other.battery):
            yield problem("no-receiver", field="to", value=self.to, name=other.name)

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        chief = state.chief(state.combatants[self.fighter].side)
        return broken((chief is None or chief.id != self.fighter, "not-chief"))

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return state.changed(self.to, pips=state.combatants[self.to].pips + self.number)

    def sentence(self, names: Names) -> str:
        return f"{names[self.fighter]} assigns {self.number} pip{'s' * (self.number != 1)} to {names[self.to]}"


@kind(
    "react", "Go on react", 'Slide 5: "Reaction"', "{fighter} goes on react", steps=("command", *MOVES), arms=ALL_ARMS
)
class WentOnReact(Ordered, frozen=True, kw_only=True):
    """A unit in good order gets a reaction token."""

    order: ClassVar[str] = "react"

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one = state.combatants[self.fighter]
        yield from super().violations(state, logged)
        yield from broken((not one.ready, "not-in-good-order"), (one.reacting, "reacting-already"), name=one.name)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return state.changed(self.fighter, reacting=True)


def losses_due(state: State, brigade: str) -> tuple[str, ...]:
    """The losses that a brigade has come to and not been tested for. Rulings N-M7, N-M11."""
    troops = state.brigades().get(brigade, ())
    reached = brigade_levels(*strength(state, troops))
    return tuple(each for each in reached if f"{brigade} {each}" not in state.checked)


def strength(state: State, troops: Iterable[Combatant]) -> tuple[int, int]:
    """What some units came with and what is left of it: figures, stands or units, as the club counts. Ruling N-M11."""
    counts, troops = state.settings.brigade_loss, tuple(troops)
    if counts == "units":
        return len(troops), sum(not each.gone for each in troops)
    stands = [each.fighter.stand if counts == "stands" else 1 for each in troops]
    start = sum(-(-each.start // size) for each, size in zip(troops, stands, strict=True))
    return start, sum(-(-(each.start - each.lost) // size) for each, size in zip(troops, stands, strict=True))


@kind("brigade", "Brigade morale", 'Slide 29: "Brigade Morale"', "{brigade} tests its morale", steps=("command",))
class BrigadeTested(TurnEvent, frozen=True, kw_only=True):
    """A brigade that falters or is broken: each of its units tests, and falls back or flees. Rulings N-M6, N-M7."""

    anybody: ClassVar[bool] = True

    brigade: Annotated[BrigadeKey, titled("Which brigade")]
    rerolls: Annotated[FighterIds, titled("Failed tests thrown again for a pip", "Whose.")] = ()
    dice: Annotated[Pool, titled("Dice of the tests", "Two for each unit, as in the roster.")] = ()
    again: Annotated[Pool, titled("Dice thrown again")] = ()
    disorder: Annotated[Pool, titled("Disorder tests", "Two for each unit that falls back in good order.")] = ()
    inches: Annotated[Pool, titled("Inches", "Two for each unit that falls back or flees.")] = ()

    def testing(self, state: State) -> tuple[Combatant, ...]:
        """The units that test: those on the table that do not run already."""
        troops = state.brigades().get(self.brigade, ())
        return tuple(each for each in troops if each.on_table and each.order != BROKEN)

    def nerve(self, state: State, one: Combatant) -> Nerve:
        """What the test of a unit depends on."""
        return Nerve(grade_of(one.fighter, state.settings).morale, one.jubilant, one.disordered)

    def _failing(self, state: State, troops: Iterable[Combatant], dice: tuple[int, ...]) -> tuple[Combatant, ...]:
        pairs = zip(troops, zip(dice[::2], dice[1::2], strict=True), strict=False)
        return tuple(one for one, two in pairs if not passes(two, target(self.nerve(state, one))))

    def failed(self, state: State) -> tuple[Combatant, ...]:
        """The units that have failed, second throws included."""
        first = self._failing(state, self.testing(state), self.dice)
        tried = tuple(each for each in first if each.id in self.rerolls)
        kept = {each.id for each in self._failing(state, tried, self.again)}
        return tuple(each for each in first if each not in tried or each.id in kept)

    def worst(self, state: State) -> str:
        """The worst of the losses for which it is tested."""
        return (losses_due(state, self.brigade) or ("faltering",))[-1]

    def dice_wanted(self, state: State) -> Dice:
        testing = self.testing(state)
        yield {"dice": 2 * len(testing)}
        first = self._failing(state, testing, self.dice)
        yield {"again": 2 * sum(each.id in self.rerolls for each in first)}
        failed = self.failed(state)
        yield {"disorder": 2 * sum(not each.disordered for each in failed), "inches": 2 * len(failed)}

    def price(self, state: State) -> Mapping[str, int]:
        first = self._failing(state, self.testing(state), self.dice)
        paying = [state.leader(each) for each in first if each.id in self.rerolls]
        return {one.id: sum(one == each for each in paying) for one in paying if one}

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        if self.brigade not in state.brigades():
            yield problem("unknown-brigade", field="brigade", value=self.brigade, known=", ".join(state.brigades()))

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        return broken(
            (not losses_due(state, self.brigade), "brigade-holds"), name=brigade_title(self.brigade, state.sides)
        )

    def disordered(self, state: State) -> tuple[Combatant, ...]:
        """Those in good order who fall back and fail the test of that, too."""
        back = [each for each in self.failed(state) if not each.disordered]
        pairs = zip(back, zip(self.disorder[::2], self.disorder[1::2], strict=True), strict=True)
        worst = self.worst(state)
        return tuple(one for one, two in pairs if not passes(two, target(brigade_nerve(self.nerve(state, one), worst))))

    def apply(self, state: State, logged: LoggedEvent) -> State:
        failed, disordered = self.failed(state), self.disordered(state)
        marks = tuple(f"{self.brigade} {each}" for each in losses_due(state, self.brigade))
        state = replace(state, checked=(*state.checked, *marks))
        for one in (*(each for each in failed if each.disordered), *disordered):
            state = state.lowered(one.id)
        return state

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        yield f"{brigade_title(self.brigade, step.before.sides)} is {self.worst(step.before)}."
        failed = self.failed(step.before)
        for one, inches in zip(failed, zip(self.inches[::2], self.inches[1::2], strict=True), strict=True):
            how = "flees" if one.disordered else "falls back"
            yield f"{one.name} {how} {sum(inches)} inches."
        if out := self.disordered(step.before):
            yield f"Disordered: {', '.join(each.name for each in out)}."


# Rally and initiative


@kind("rally", "Rally", 'Slide 27: "Rallying"', "{fighter} rallies", steps=("rally",), arms=ALL_ARMS, often=False)
class Rallied(Tested, frozen=True, kw_only=True):
    """A unit in disorder or in flight tries to come a state up. Ruling N-M3."""

    anybody: ClassVar[bool] = True

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one = state.combatants[self.fighter]
        yield from super().violations(state, logged)
        yield from broken((one.order == GOOD, "nothing-to-rally"), (one.blown, "blown"), name=one.name)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        one, state = state.combatants[self.fighter], super().apply(state, logged)
        if not self.passed(state):
            return state
        return state.changed(
            self.fighter, order=after_rallying(one.order, skirmishers=one.skirmishing, permanent=one.shaken)
        )

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        yield from super().told(step)
        one = step.after.combatants[self.fighter]
        yield f"{one.name} is {STATES[one.order]}{', and shaken' * one.shaken}."


@kind("initiative", "Initiative", 'Slide 2: "The Turn"', "Initiative")
class InitiativeRolled(TurnEvent, frozen=True, kw_only=True):
    """Both sides throw for initiative; who is higher is side A. Ties are thrown again. Rulings N-T1, N-T3."""

    often: ClassVar[bool] = False
    always_rolls: ClassVar[bool] = True

    spent: Annotated[Few, titled("Pips spent by the first side")] = 0
    other_spent: Annotated[Few, titled("Pips spent by the second side")] = 0
    napoleon: Annotated[SideKey, titled("Napoleon is with")] = ""
    dice: Annotated[Pool, titled("Dice", "One for each side; pairs until they are not alike.")] = ()

    def pairs(self) -> tuple[tuple[int, ...], ...]:
        """The dice, pair by pair."""
        return tuple(self.dice[place : place + 2] for place in range(0, len(self.dice), 2))

    def totals(self, state: State, pair: tuple[int, ...]) -> tuple[int, ...]:
        """What both sides come to with this pair of dice."""
        return tuple(die + total(self.lines(state, side)) for side, die in zip(state.sides, pair, strict=False))

    def lines(self, state: State, side: str) -> tuple[ReasonLine, ...]:
        """What a side adds to its die."""
        spent = self.spent if side == next(iter(state.sides)) else self.other_spent
        lost, napoleon = state.behind == side, self.napoleon == side
        return initiative_lines(state.nation(side), spent=spent, lost_last=lost, napoleon=napoleon)

    def throw(self, state: State, cup: Cup) -> "InitiativeRolled":
        dice = self.dice or cup.some(2)
        while len(set(self.totals(state, dice[-2:]))) == 1:
            dice = (*dice, *cup.some(2))
        return replace(self, dice=dice)

    def dice_errors(self, state: State) -> Iterator[Problem]:
        tied = [len(set(self.totals(state, pair))) == 1 for pair in self.pairs()]
        whole = len(self.dice) >= 2 and len(self.dice) % 2 == 0
        if not whole or tied[-1] or not all(tied[:-1]):
            yield problem("initiative-dice", field="dice", value=str(self.dice))

    def price(self, state: State) -> Mapping[str, int]:
        sides = zip(state.sides, (self.spent, self.other_spent), strict=False)
        return {chief.id: spent for side, spent in sides if spent and (chief := state.chief(side))}

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        sides = zip(state.sides, (self.spent, self.other_spent), strict=False)
        alone = any(spent and state.chief(side) is None for side, spent in sides)
        return broken((alone, "no-chief"))

    def apply(self, state: State, logged: LoggedEvent) -> State:
        first, other = self.totals(state, self.dice[-2:])
        return replace(state, first=tuple(state.sides)[0 if first > other else 1])

    def sums(self, step: ReplayStep[State]) -> Iterable[ReasonedSum]:
        for side, die in zip(step.before.sides, self.dice[-2:], strict=False):
            thrown = ReasonLine(die, "the die", 'Slide 2: "The Turn"')
            yield reasoned(f"Initiative of {step.before.sides[side]}", thrown, *self.lines(step.before, side))

    def told(self, step: ReplayStep[State]) -> Iterable[str]:
        yield f"{step.after.sides[step.after.first]} is side A."
