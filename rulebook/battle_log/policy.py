"""The policy of a rule system: what holds for every kind of its events. The engine calls the kinds
through it."""

from collections.abc import Iterable, Sequence
from typing import Generic, Literal

from msgspec import Struct

from rulebook.battle_log.kinds import EventKind, ReplayStep, State
from rulebook.dice.cup import Cup
from rulebook.values.battles import BattleSetup, LoggedEvent
from rulebook.values.problems import Obligation, Problem, Violation
from rulebook.values.table import EventOutcome


class ToldBefore(Struct, frozen=True):
    """A statement that the log has already: the field and the value that name the fighter.

    ``sentence`` says it to people without a full stop: "Anna was killed by Bo".
    """

    field: str
    value: str
    sentence: str


DiceBy = Literal["app", "table", "both"]
MAX_TURNS = 99


class Policy(Generic[State]):
    """The policy that asks each kind and adds nothing. A system overrides what it does differently.

    ``settled_when_logged`` are codes of violations that are judged once, when an event is logged: a
    correction of something before it does not change whose turn it was then.
    """

    settled_when_logged: frozenset[str] = frozenset()

    def before(self, state: State, event: EventKind[State], logged: LoggedEvent) -> State:
        """Return the state in which the rules see the event: with what time alone has brought about
        since the last one.

        Neither dice nor a reason to overrule a rule make a difference to that.
        """
        return state

    def input_errors(
        self, state: State, event: EventKind[State], logged: LoggedEvent
    ) -> Iterable[Problem]:
        """Return the errors of an event that no reason can overrule."""
        return (*turn_problems(logged), *event.input_errors(state, logged))

    def violations(
        self, state: State, event: EventKind[State], logged: LoggedEvent
    ) -> Iterable[Violation]:
        """Yield what the rules forbid."""
        yield from event.violations(state, logged)

    def end_of(self, state: State, who: str) -> str:
        """Return how somebody has ended in this battle: "Anna was killed by Bo"; "" while that has
        not come.

        Who is freed or replaced has not ended any more, and may end again.
        """
        return ""

    def told_before(
        self, state: State, event: EventKind[State], logged: LoggedEvent
    ) -> Iterable[ToldBefore]:
        """Yield what the event repeats that counts only once and that the log has already.

        A new event is refused for it, and no reason overrules that: the first entry is corrected
        instead. What was accepted before there was such a check stays valid.
        """
        for field, who in event.may_end(state, logged):
            if end := self.end_of(state, who):
                yield ToldBefore(field, who, end)

    def is_light(self, state: State, event: EventKind[State]) -> bool:
        """Return whether an event belongs to a light turn, or begins one.

        Nothing that is owed holds it up then: players have settled it on the table.
        """
        return bool(getattr(state, "light", False) or getattr(event, "light", False))

    def obligations(self, state: State) -> Iterable[Obligation]:
        """Yield what the rules demand before another turn begins or the battle ends: open combats,
        tests, saves.

        A battle that is over, or that nobody logs turn by turn, owes nothing. The engine refuses
        kinds that start a turn or end the battle while anything is owed; a table may overrule that
        with a reason. A light turn offers what is owed, and waits for none of it.
        """
        return ()

    def comes_to_nothing(self, state: State, event: EventKind[State]) -> bool:
        """Return whether its own dice stop the action: then nothing reports whether it needed
        overruling."""
        return False

    def dice_by(self, state: State) -> DiceBy:
        """Return who throws in this battle: Muster, the table, or either."""
        return "both"

    def throw(self, state: State, event: EventKind[State], cup: Cup) -> EventKind[State]:
        """Return an event without dice with those that it needs, if Muster throws them."""
        return event.throw(state, cup)

    def apply(self, state: State, event: EventKind[State], logged: LoggedEvent) -> State:
        """Return the state after a valid event and everything that follows from it.

        ``state`` is the result of ``before``.
        """
        return event.apply(state, logged)

    def outcome_of(self, step: ReplayStep[State]) -> EventOutcome:
        """Return what an event came to."""
        return step.event.outcome_of(step)

    def correction_problems(
        self,
        setup: BattleSetup,
        events: Sequence[LoggedEvent],
        corrections: Sequence[LoggedEvent],
        state: State,
    ) -> Iterable[Problem]:
        """Return what speaks against corrections behind these events, after which the log has come
        to this state."""
        return ()


def turn_problems(logged: LoggedEvent) -> tuple[Problem, ...]:
    """Return the problem of a turn number that a game cannot have."""
    if logged.turn is None or 1 <= logged.turn <= MAX_TURNS:
        return ()
    sentence = (
        f"There is no turn {logged.turn}: turns count from 1 to {MAX_TURNS}. Leave it out if "
        "you do not know."
    )
    return (Problem("no-such-turn", sentence, field="turn", value=str(logged.turn)),)
