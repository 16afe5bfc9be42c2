"""What holds for every event of a log, whatever its kind: whose turn it is, who may act, what follows by itself.

Rule book: "Turn sequence", "Move phase", "Routing", "Check victory conditions", "Move". Rulings B7, B25, B33.
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from rulebook.battle_log.forms import dice_of
from rulebook.battle_log.kinds import EventKind, ReplayStep
from rulebook.battle_log.policy import DiceBy, Policy, turn_problems
from rulebook.dice.cup import Cup
from rulebook.systems.en_garde.play.event import Event
from rulebook.systems.en_garde.play.minor_objectives import secrets_open
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.challenges import UNTOLD
from rulebook.systems.en_garde.turns.activation import bolts, resolve_wanted, resolved, run_off
from rulebook.systems.en_garde.turns.alternation import OUT_OF_TURN, after_activation, alternation_violations
from rulebook.systems.en_garde.turns.changes import changes
from rulebook.systems.en_garde.turns.checking import missing_dice, once_a_turn, out_of_action
from rulebook.systems.en_garde.turns.consequences import after_poison, settled, unburdened
from rulebook.systems.en_garde.turns.duels import duellist_violations, with_offences
from rulebook.systems.en_garde.turns.leaving import parted, parting_violations
from rulebook.systems.en_garde.turns.phases import gone_violations, in_phase, phase_violations
from rulebook.systems.en_garde.turns.turn_event import Activation, Opening, TurnEvent
from rulebook.systems.en_garde.turns.water import stunned_since
from rulebook.values.battles import BattleSetup, LoggedEvent
from rulebook.values.problems import Problem, Violation
from rulebook.values.table import EventOutcome

Kind = EventKind[PlayState]


class TurnPolicy(Policy[PlayState]):
    """The rules of every event. Result sheets know no turns: of their events only what makes no sense is refused."""

    settled_when_logged = frozenset({OUT_OF_TURN, UNTOLD})

    def before(self, state: PlayState, event: Kind, logged: LoggedEvent) -> PlayState:
        """The state with this turn's poison at work, if the event shows that its time has come. Ruling B27."""
        ends = isinstance(event, Event) and event.ends_combat_phase
        return after_poison(state, logged.sequence) if ends else state

    def input_errors(self, state: PlayState, event: Kind, logged: LoggedEvent) -> Iterable[Problem]:
        """What makes no sense: kinds that the scenario does not know, wrong turns, dice of the wrong hand."""
        misplaced = (*_unknown_kind(state, event), *turn_problems(logged), *_too_late(state, event))
        if misplaced:
            return misplaced
        if not isinstance(event, TurnEvent):
            return event.input_errors(state, logged)
        general = (*_wrong_turn(state, event, logged), *_wrong_dice(state, event))
        return (*general, *self._own_errors(state, event, logged))

    def violations(self, state: PlayState, event: Kind, logged: LoggedEvent) -> Iterable[Violation]:
        """What the rules forbid; who runs instead of acting is asked no more than whether it can act."""
        if not isinstance(event, TurnEvent):
            return event.violations(state, logged)
        general = (
            *gone_violations(state, event),
            *phase_violations(state, event),
            *alternation_violations(state, event),
            *duellist_violations(state, event),
            *parting_violations(state, event),
        )
        if not bolts(state, event):
            return (*general, *event.violations(state, logged))
        return (*general, *out_of_action(state, event.actor), *once_a_turn(state, event.actor))

    def comes_to_nothing(self, state: PlayState, event: Kind) -> bool:
        """Does it lose its nerve? That shall not tell what its die shows."""
        return isinstance(event, TurnEvent) and bolts(state, event)

    def dice_by(self, state: PlayState) -> DiceBy:
        """Who throws. House rule "dice"."""
        by: DiceBy = state.settings.dice
        return by

    def throw(self, state: PlayState, event: Kind, cup: Cup) -> Kind:
        """The event with its dice; whoever is shaken rolls first, and throws no more if it runs."""
        if self.dice_by(state) == "table" or dice_of(event):
            return event
        if isinstance(event, Activation) and event.resolve is None and resolve_wanted(state, event):
            event = replace(event, resolve=cup.one())
        if isinstance(event, TurnEvent) and bolts(state, event):
            return event
        return event.throw(state, cup)

    def apply(self, state: PlayState, event: Kind, logged: LoggedEvent) -> PlayState:
        """The state after a good event, with all that follows from wounds by itself."""
        if logged.turn is None and state.table.turn:
            logged = replace(logged, turn=state.table.turn)
        state = _followed(state, self.before(state, event, logged), event)
        if logged.turn is not None and not state.ended and logged.turn > (state.turns or 0):
            state = replace(state, turns=logged.turn)
        return unburdened(_followed(state, self._taken(state, event, logged), event))

    def outcome_of(self, step: ReplayStep[PlayState]) -> EventOutcome:
        """What the event came to, and who is worse or better off than before."""
        event = step.event
        if isinstance(event, TurnEvent) and bolts(step.before, event):
            sentence = f"{step.before.named(event.actor)} loses its nerve and runs for the nearest edge."
            found = EventOutcome((sentence,), (), ('Rule book: "Routing"',))
        else:
            found = event.outcome_of(step)
        return replace(found, sentences=(*found.sentences, *changes(step.before, step.after)))

    def correction_problems(
        self,
        setup: BattleSetup,
        events: Sequence[LoggedEvent],
        corrections: Sequence[LoggedEvent],
        state: PlayState,
    ) -> Iterable[Problem]:
        """Once secret minor objectives are open a battle does not go on. Ruling S4."""
        if not state.ended and secrets_open(setup, events):
            sentence = (
                "The secret minor objectives are open: the battle cannot go on. Its end may only be told differently."
            )
            value = str(corrections[-1].data.get("event"))
            yield Problem("secrets-open", sentence, field="event", value=value, source="Ruling S4")

    def _own_errors(self, state: PlayState, event: TurnEvent, logged: LoggedEvent) -> Iterator[Problem]:
        """The errors of its kind; who runs instead of acting needs no more dice."""
        if isinstance(event, Activation) and event.actor:
            lacking = tuple(missing_dice("resolve", event.resolve, int(resolve_wanted(state, event))))
            yield from lacking
            if lacking or bolts(state, event):
                return
        yield from event.input_errors(state, logged)

    def _taken(self, state: PlayState, event: Kind, logged: LoggedEvent) -> PlayState:
        if not isinstance(event, TurnEvent):
            return event.apply(state, logged)
        state = after_activation(in_phase(state, event), event)
        if bolts(state, event):
            return parted(run_off(state, event.actor), event)
        return parted(with_offences(event.apply(resolved(state, event), logged), event), event)


def _unknown_kind(state: PlayState, event: Kind) -> Iterator[Problem]:
    if event.some_battles and event.key not in state.scenario.event_kinds:
        sentence = f"{state.scenario.name} knows no event of kind {event.key!r}. Note it as a note instead."
        yield Problem("kind-not-in-scenario", sentence, field="kind", value=event.key, source=state.scenario.source)


def _too_late(state: PlayState, event: Kind) -> Iterator[Problem]:
    """Turn by turn, nobody is hurt or leaves once the battle has ended; what it came to may still be told."""
    hurts = isinstance(event, Event) and event.hurts
    if hurts and state.ended and state.table.turn:
        yield Problem("ended-already", "The battle has ended: correct that event if it goes on.", field="kind")


def _wrong_turn(state: PlayState, event: TurnEvent, logged: LoggedEvent) -> Iterator[Problem]:
    """Events belong to the turn that is being played, given none or not; those of the opening come before the first."""
    turn = state.table.turn
    if state.ended:
        yield Problem("ended-already", "The battle has ended: correct that event if it goes on.", field="kind")
        return
    if event.starts_turn or (isinstance(event, Opening) and not turn):
        return
    if not turn:
        yield Problem("no-turn", "No turn has started: log an event of kind 'turn' first.", field="turn")
    elif logged.turn not in (None, turn):
        yield Problem("wrong-turn", f"Turn {turn} is being played.", field="turn", value=str(logged.turn))


def _wrong_dice(state: PlayState, event: TurnEvent) -> Iterator[Problem]:
    """A campaign may want all dice from Muster. House rule "dice"."""
    if state.settings.dice == "app" and event.thrown != "app" and dice_of(event):
        sentence = "In this campaign Muster throws the dice: leave them out."
        yield Problem("typed-dice", sentence, field="dice", source="House rule: dice")


def _followed(before: PlayState, after: PlayState, event: Kind) -> PlayState:
    """The state with what follows from wounds by itself, however they came about."""
    told = isinstance(event, Event) and event.drowning_told
    settled_now = settled(before, after)
    return settled_now if told else stunned_since(before, settled_now)
