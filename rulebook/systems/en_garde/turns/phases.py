"""The course of a battle: Scouts and reserves before it, its turns, Priority, its length, and what
is over.

Rule book: "Scout", "Deployment", "Turn sequence", "Determine priority", "Move phase", "Check
victory conditions". Rulings B28, B33, S14, S15.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Self

from msgspec.structs import replace

from rulebook.at_table.sentences import all_of, dice_in, die_in, name_of
from rulebook.battle_log.kinds import (
    CombatantNames,
    Die,
    FighterId,
    FighterIds,
    Light,
    ReplayStep,
    SideKey,
    field_meta,
    kind,
)
from rulebook.dice.cup import Cup
from rulebook.systems.en_garde.book import broken, problem, violation
from rulebook.systems.en_garde.play.checking import (
    combatant_problems,
    not_of_side,
    side_of,
    side_problems,
)
from rulebook.systems.en_garde.play.offers import FOLLOW_PRIORITY, own_on_table
from rulebook.systems.en_garde.play.play_state import PlayState, action_of, last_turn
from rulebook.systems.en_garde.play.turn_state import TurnPhase
from rulebook.systems.en_garde.table.morale import sides_with_priority
from rulebook.systems.en_garde.table.moving import scout_violations
from rulebook.systems.en_garde.table.setting_up import reserve_waves, rising_end
from rulebook.systems.en_garde.table.wounds import remove_stunned
from rulebook.systems.en_garde.turns.fighters import number_with, present, terms_of
from rulebook.systems.en_garde.turns.turn_event import Inches, Opening, TurnEvent
from rulebook.values.battles import LoggedEvent
from rulebook.values.fields import Choices, Field
from rulebook.values.problems import Problem, Violation
from rulebook.values.remembering import remembered
from rulebook.values.table import Action, EventOutcome


@kind("turn", "Turn", 'Rule book: "Turn sequence"', about="", starts_turn=True, offered_to="table")
class TurnStarted(TurnEvent, frozen=True, kw_only=True):
    """A new turn begins; its number is the event's turn."""

    light: Light = False

    @classmethod
    def offer(cls, state: PlayState, actor: str) -> Action:
        """Return the start of the next turn; Priority follows it, unless the table throws all
        dice."""
        turn = state.table.turn + 1
        begins = action_of(
            cls, state, f"Start turn {turn}", {}, phase=TurnPhase.PRIORITY.value, turn=turn
        )
        if state.settings.dice == "table":
            return begins
        return replace(begins, follow=FOLLOW_PRIORITY, plan=tuple(_priority_dice(state)))

    @property
    def ends_combat_phase(self) -> bool:
        return True

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        """Yield the problem of a turn out of sequence. An event without a number begins the next
        turn."""
        expected = state.table.turn + 1
        if logged.turn not in (None, expected):
            yield problem("wrong-turn", value=logged.turn, wanted=expected)

    def violations(self, state: PlayState, logged: LoggedEvent) -> Iterator[Violation]:
        """Yield the violation of a turn after the last one. The engine checks what this turn still
        owes."""
        last = last_turn(state)
        if last is not None and state.table.turn >= last:
            yield violation("last-turn-played", last=last, source=state.scenario.source)

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """Return the state at the start of the turn: nobody has acted, no combat is open,
        mounts have shaken off a counter.
        """
        for combatant in state.combatants.values():
            if combatant.mount.stunned:
                state = state.with_combatant(
                    replace(combatant, mount=remove_stunned(combatant.mount, 1))
                )
        table = replace(
            state.table,
            turn=state.table.turn + 1,
            light=self.light,
            phase=TurnPhase.PRIORITY,
            done=(),
            active="",
            priority="",
            fight=None,
            earlier=(),
            grips={},
            hands={},
            tested=(),
            poison_worked=False,
            end_rolled=False,
            fighters={key: on_table.next_turn() for key, on_table in state.table.fighters.items()},
            terms=state.table.terms or {side: terms_of(state, side) for side in state.sides},
        )
        return replace(state, table=table, turns=max(table.turn, state.turns or 0))

    def sentence(self, names: CombatantNames) -> str:
        return "A new turn"


@kind(
    "priority",
    "Priority",
    'Rule book: "Determine priority"',
    phase="priority",
    about="",
    always_rolls=True,
    offered_to="table",
    offered_as="Roll for Priority",
)
class PriorityRolled(TurnEvent, frozen=True, kw_only=True):
    """The roll for Priority: dice by side, thrown again by those who tie."""

    rolls: Annotated[tuple[dict[str, Die], ...], field_meta("Dice", max_length=20)] = ()

    @classmethod
    def offer(cls, state: PlayState, actor: str) -> Action:
        rolled = super().offer(state, actor)
        dice = tuple(_priority_dice(state))
        return replace(rolled, fields=(*rolled.fields, *dice), rule=cls.rule) if dice else rolled

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        """Yield what is wrong with the dice: every side throws, those who tie again until one is
        first."""
        winners: tuple[str, ...] = state.sides
        for roll in self.rolls:
            if set(roll) != set(winners):
                yield problem("wrong-priority-dice", value=dict(roll), sides=", ".join(winners))
                return
            winners = _first_by(state, roll)
        if len(winners) != 1 and not lone_tactician(state):
            yield problem("tied-priority", sides=", ".join(winners))

    def violations(self, state: PlayState, logged: LoggedEvent) -> Iterator[Violation]:
        """Yield the violation of a second roll in a turn."""
        first = state.table.priority
        if first:
            yield violation("priority-settled", name=state.side(first).name)

    def throw(self, state: PlayState, cup: Cup) -> Self:
        if self.rolls or lone_tactician(state):
            return self
        rolls: list[dict[str, int]] = []
        tied: tuple[str, ...] = state.sides
        while len(tied) > 1:
            rolls.append({side: cup.one() for side in tied})
            tied = _first_by(state, rolls[-1])
        return replace(self, rolls=tuple(rolls))

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        first = _first_by(state, self.rolls[-1])[0] if self.rolls else lone_tactician(state)
        return state.with_table(priority=first)

    def outcome_of(self, step: ReplayStep[PlayState]) -> EventOutcome:
        first = step.after.table.priority
        return EventOutcome(
            (f"{step.after.side(first).name} has Priority.",) if first else (), (), (self.rule,)
        )

    def sentence(self, names: CombatantNames) -> str:
        rolls = [
            ", ".join(f"{name_of(names, side)} {die}" for side, die in roll.items())
            for roll in self.rolls
        ]
        return f"Priority: {'; '.join(rolls)}" if rolls else "Priority without a roll"


def _priority_dice(state: PlayState) -> Iterator[Field]:
    """Yield the dice of Priority, where the table may type them: a throw for each side, and one
    after a tie."""
    if state.settings.dice == "app" or lone_tactician(state):
        return
    names = {side: f"Die of {state.side(side).name}" for side in state.sides}
    labels = [(f"rolls.0.{side}", name) for side, name in names.items()]
    labels += [(f"rolls.1.{side}", f"{name}, after a tie") for side, name in names.items()]
    for key, label in labels:
        yield Field(key, label, "number", False, least=1, most=6, group="dice")


def _first_by(state: PlayState, roll: dict[str, int]) -> tuple[str, ...]:
    """Return the sides that are first by these dice, with Tacticians and Scouts. Ruling B28."""
    first_turn = state.table.turn == 1
    scouts = {side: number_with(state, side, "scout") for side in state.sides} if first_turn else {}
    return sides_with_priority(
        roll, _with_tactician(state) & frozenset(roll), scouts, state.table.turn
    )


@remembered
def _with_tactician(state: PlayState) -> frozenset[str]:
    return frozenset(side for side in state.sides if number_with(state, side, "tactician"))


def lone_tactician(state: PlayState) -> str:
    """Return the only side with a Tactician in play, "" if there is none or more than one."""
    sides = _with_tactician(state)
    return next(iter(sides)) if len(sides) == 1 else ""


@kind(
    "length",
    "Length of the battle",
    help="From turn 4 on, in Hold the Bridge and Occupy.",
    phase="end",
    about="",
    in_light=True,
    offered_to="table",
    offered_as="Roll for the end of the battle",
    asked_first=("die",),
)
class EndRolled(TurnEvent, frozen=True, kw_only=True):
    """The die at the end of a turn that may make the next one the last (Ruling S15)."""

    die: Annotated[Die | None, field_meta("Die", "Only if the result needs one.")] = None

    @classmethod
    def is_open_to(cls, state: PlayState, actor: str) -> bool:
        """Return whether it is the table, in a scenario whose length is rolled for."""
        return super().is_open_to(state, actor) and state.scenario.rising is not None

    @property
    def ends_combat_phase(self) -> bool:
        return True

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        scenario = state.scenario
        if scenario.rising is None:
            yield problem(
                "length-not-rolled", value=logged.kind, name=scenario.name, source=scenario.source
            )

    def dice_wanted(self, state: PlayState) -> tuple[Mapping[str, int], ...]:
        return ({"die": 1},)

    def violations(self, state: PlayState, logged: LoggedEvent) -> Iterator[Violation]:
        """Yield what forbids the roll: it is made from a certain turn on, once a turn. Ruling
        S15."""
        rising, turn = state.scenario.rising or 0, state.table.turn
        yield from broken(
            (turn < rising, "too-early"),
            (state.table.end_rolled, "length-rolled"),
            (state.table.final, "last-turn-known"),
            rising=rising,
            source=state.scenario.source,
            final=state.table.final,
        )

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        turn = state.table.turn
        ends = rising_end(turn, state.scenario.rising or 0, self.die or 0)
        return state.with_table(end_rolled=True, final=turn + 1 if ends else 0)

    def sentence(self, names: CombatantNames) -> str:
        return f"Roll for the end of the battle{dice_in(die_in(self.die))}"


# What is over is over: phases of the turn, sides that have passed, and sides that have given up.


def phase_violations(
    state: PlayState, event: TurnEvent, phase: TurnPhase | None
) -> Iterator[Violation]:
    """Yield the violations of a phase that is over in its turn, and of a side that has passed in
    the Move Phase.

    ``phase`` is that of the event.
    """
    if phase is not None and phase.place < state.table.phase.place:
        yield violation("phase-over", phase=phase.capitalize())
    passed = state.table.done
    if not passed or phase is not TurnPhase.MOVE:
        return
    for side in {side_of(state, actor) for actor in event.activated} & set(passed):
        yield violation("side-passed", name=state.side(side).name)


def phase_reached(state: PlayState, phase: TurnPhase | None) -> TurnPhase:
    """Return the phase to which an event of this one, if of any, brings the turn: an earlier
    one does not come again.
    """
    now = state.table.phase
    return now if phase is None or phase is now or phase.place < now.place else phase


def gone_violations(state: PlayState, event: TurnEvent) -> Iterator[Violation]:
    """Yield the violations of a side that has given up, and of a turn with one side left."""
    gone = (*state.conceded, *state.withdrew)
    if not gone:
        return
    for side in dict.fromkeys(event.sides_acting(state)):
        if side in gone:
            how = "conceded" if side in state.conceded else "withdrawn"
            yield violation("side-gone", name=state.side(side).name, how=how)
    left = [side for side in state.sides if side not in gone]
    if event.starts_turn and len(left) < 2:
        names = "".join(state.side(side).name for side in left) or "nobody"
        yield violation("one-side-left", names=names)


@kind(
    "scout",
    "Scout",
    'Rule book: "Scout"',
    help="Before the first turn.",
    offered_to="fighter",
    offered_as="Go ahead as a Scout",
    asked_first=("inches", "hidden"),
)
class ScoutPlaced(Opening, frozen=True, kw_only=True):
    """A Scout moves before the game, or begins it Hidden, or both."""

    fighter: Annotated[FighterId, field_meta("Fighter")]
    inches: Annotated[Inches, field_meta("Inches", "How far ahead the fighter starts.")] = 0
    hidden: Annotated[bool, field_meta("Starts Hidden")] = False

    @classmethod
    def is_open_to(cls, state: PlayState, actor: str) -> bool:
        return super().is_open_to(state, actor) and present(state, actor).has("scout")

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        yield from combatant_problems(state, self.fighter, "fighter")

    def violations(self, state: PlayState, logged: LoggedEvent) -> Iterator[Violation]:
        """Yield what forbids it: only Scouts go ahead, once each, and before the first turn."""
        if state.table.turn > 0:
            yield violation("scouts-too-late")
        if state.table.of(self.fighter).scouted:
            yield violation("scouted-already")
        yield from scout_violations(present(state, self.fighter), self.inches)

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        return state.with_fighter(self.fighter, scouted=True, hidden=self.hidden)

    def sentence(self, names: CombatantNames) -> str:
        ahead = f"goes {self.inches:g}″ ahead" if self.inches else "waits"
        return f"{name_of(names, self.fighter)} {ahead}{', Hidden' if self.hidden else ''}"


@kind(
    "reserves",
    "Reserves",
    help="Before the first turn, if the scenario has reserves or both sides agree.",
    about="fighters",
    offered_to="side",
    offered_as="Keep reserves back",
    asked_first=("fighters",),
)
class ReservesKept(Opening, frozen=True, kw_only=True):
    """The fighters of a side who wait off the table; they come on by a move, in turn 2 or later."""

    side: Annotated[SideKey, field_meta("Side")]
    fighters: Annotated[FighterIds, field_meta("Fighters in reserve")]

    @classmethod
    def is_open_to(cls, state: PlayState, actor: str) -> bool:
        """Return whether it is a side that may have reserves before the first turn."""
        return super().is_open_to(state, actor) and state.scenario.reserves in (
            "agreed",
            state.side(actor).role,
        )

    @classmethod
    def choices_for(cls, state: PlayState, actor: str) -> Mapping[str, Choices]:
        return {"fighters": own_on_table(state, actor)}

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        wrong = tuple(side_problems(state, self.side))
        yield from wrong or not_of_side(state, self.side, self.fighters, "fighters")

    def violations(self, state: PlayState, logged: LoggedEvent) -> Iterator[Violation]:
        """Yield what forbids the reserves: half of a side, rounded down, before the first turn."""
        first, second, third = reserve_waves(len(state.own(self.side)))
        role = state.side(self.side).role
        allowed = state.scenario.reserves
        yield from broken(
            (state.table.turn > 0, "reserves-too-late"),
            (allowed not in ("agreed", role), "no-reserves"),
            (len(self.fighters) != second + third, "wrong-reserves"),
            name=state.scenario.name,
            reserves=second + third,
            first=first,
        )

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """Return the state with these fighters off the table, and no others of their side."""
        for combatant in state.own(self.side):
            waits = combatant.fighter.id in self.fighters
            state = state.with_fighter(combatant.fighter.id, reserve=waits)
        return state

    def sentence(self, names: CombatantNames) -> str:
        return f"{name_of(names, self.side)} keeps in reserve: {all_of(names, self.fighters)}"


def arrival_violations(state: PlayState, fighter: str) -> tuple[Violation, ...]:
    """Return the violation of a reserve that comes too early: half of them may come in turn 2, the
    others later."""
    side = state.side_of(fighter)
    waiting = sum(state.table.of(each.fighter.id).reserve for each in state.own(side))
    *_, third = reserve_waves(len(state.own(side)))
    early = state.table.turn < 2 or (state.table.turn == 2 and waiting <= third)
    return (violation("comes-later", name=state.named(fighter)),) if early else ()
