"""Rules for every event of a log, whatever its kind: whose turn it is, who may act, what follows
automatically.

Free attacks come before the short move that they are made for. Those who fall leave their combat,
the Engaged drop what is heavy, poison works, however a wound was logged. Rule book: "Turn
sequence", "Routing", "Check victory conditions", "Move". Rulings B7, B25, B27.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from rulebook.battle_log.forms import holds_dice
from rulebook.battle_log.kinds import EventKind, ReplayStep, missing_dice
from rulebook.battle_log.policy import DiceBy, Policy, turn_problems
from rulebook.dice.cup import Cup
from rulebook.systems.en_garde.book import problem, violation
from rulebook.systems.en_garde.play.checking import once_a_turn, out_of_action, side_of
from rulebook.systems.en_garde.play.play_state import Event, PlayState, Somebody
from rulebook.systems.en_garde.play.scenario_events import secrets_open
from rulebook.systems.en_garde.play.turn_state import with_contacts
from rulebook.systems.en_garde.play.words import changes
from rulebook.systems.en_garde.table.orders import UNTOLD
from rulebook.systems.en_garde.table.rounds import fallen, knocked_out
from rulebook.systems.en_garde.turns.alternation import activation_begun_by, alternation_violations
from rulebook.systems.en_garde.turns.duels import duellist_violations, with_offences
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.harm import after_poison
from rulebook.systems.en_garde.turns.hazards import stunned_since
from rulebook.systems.en_garde.turns.nerve import bolts, resolve_wanted, resolved, run_off
from rulebook.systems.en_garde.turns.owed import obligations
from rulebook.systems.en_garde.turns.phases import gone_violations, phase_reached, phase_violations
from rulebook.systems.en_garde.turns.turn_event import Activation, Opening, TurnEvent
from rulebook.values.battles import BattleSetup, LoggedEvent
from rulebook.values.problems import Obligation, Problem, Violation, join_names
from rulebook.values.table import EventOutcome

OUT_OF_TURN = "not-its-activation"
Kind = EventKind[PlayState]


class TurnPolicy(Policy[PlayState]):
    """The rules of every event. Result sheets have no turns: of their events only input that makes
    no sense is refused.
    """

    settled_when_logged = frozenset({OUT_OF_TURN, UNTOLD})

    def before(self, state: PlayState, event: Kind, logged: LoggedEvent) -> PlayState:
        """Return the state with this turn's poison at work, if the event shows that its time has
        come.

        Ruling B27.
        """
        ends = isinstance(event, Event) and event.ends_combat_phase
        return _followed(state, after_poison(state, logged.sequence), event) if ends else state

    def end_of(self, state: PlayState, who: str) -> str:
        """Return how a fighter was killed, captured or left the table. The unconscious may yet be
        killed or captured.

        The logged fate of a Civilian is final, and its death earns nobody anything (Ruling X20).
        """
        combatant = state.combatants.get(who)
        if combatant is None or combatant.on_table:
            return ""
        name = combatant.fighter.name
        if combatant.dead:
            return (
                f"{name} was killed by {combatant.killed_by}"
                if combatant.killed_by
                else f"{name} was killed"
            )
        if combatant.captor:
            return f"{name} was captured by {state.named(combatant.captor)}"
        return f"{name} routed off the table" if combatant.routed else f"{name} left the table"

    def input_errors(self, state: PlayState, event: Kind, logged: LoggedEvent) -> Iterable[Problem]:
        """Return what makes no sense: kinds that the scenario does not know, wrong turns, dice of
        the wrong hand."""
        misplaced = turn_problems(logged) + _misplaced(state, event)
        if misplaced or not isinstance(event, TurnEvent):
            return misplaced or event.input_errors(state, logged)
        return (*_wrong_turn_or_dice(state, event, logged), *self._own_errors(state, event, logged))

    def violations(self, state: PlayState, event: Kind, logged: LoggedEvent) -> Iterable[Violation]:
        """Return what the rules forbid; who runs instead of acting is asked no more than whether it
        can act."""
        if not isinstance(event, TurnEvent):
            return event.violations(state, logged)
        phase = event.turn_phase(state)
        general = [
            *gone_violations(state, event),
            *phase_violations(state, event, phase),
            *alternation_violations(state, event, phase),
            *duellist_violations(state, event),
        ]
        if state.table.leaver and not self.is_light(state, event):
            general += parting_violations(state, event)
        if not bolts(state, event):
            return (*general, *event.violations(state, logged))
        return (*general, *out_of_action(state, event.actor), *once_a_turn(state, event.actor))

    def obligations(self, state: PlayState) -> Iterator[Obligation]:
        """Yield the combats, tests and rolls that a turn still owes, those of this turn's poison
        included."""
        yield from obligations(after_poison(state))

    def comes_to_nothing(self, state: PlayState, event: Kind) -> bool:
        """Return whether it loses its nerve.

        Muster then throws no die of what it would have done.
        """
        return isinstance(event, TurnEvent) and bolts(state, event)

    def dice_by(self, state: PlayState) -> DiceBy:
        """Return who throws. House rule "dice"."""
        by: DiceBy = state.settings.dice
        return by

    def throw(self, state: PlayState, event: Kind, cup: Cup) -> Kind:
        """Return the event with its dice; a shaken fighter rolls first, and throws no more dice if
        it runs."""
        if isinstance(event, Activation) and event.resolve is None and resolve_wanted(state, event):
            tested = replace(event, resolve=cup.one())
            return tested if bolts(state, tested) else tested.throw(state, cup)
        return event.throw(state, cup)

    def apply(self, state: PlayState, event: Kind, logged: LoggedEvent) -> PlayState:
        """Return the state after a good event, with the automatic consequences of wounds."""
        if logged.turn is None and state.table.turn:
            logged = replace(logged, turn=state.table.turn)
        if logged.turn is not None and not state.ended and logged.turn > (state.turns or 0):
            state = replace(state, turns=logged.turn)
        after = _followed(state, self._taken(state, event, logged), event)
        return unburdened(after) if after.table.laden else after

    def outcome_of(self, step: ReplayStep[PlayState]) -> EventOutcome:
        """Return what the event came to, and who is worse or better off than before."""
        event = step.event
        if isinstance(event, TurnEvent) and bolts(step.before, event):
            sentence = f"{step.before.named(event.actor)} is shaken and runs for the nearest edge."
            outcome = EventOutcome((sentence,), (), ('Rule book: "Routing"',))
        else:
            outcome = event.outcome_of(step)
        return replace(outcome, sentences=(*outcome.sentences, *changes(step.before, step.after)))

    def correction_problems(
        self,
        setup: BattleSetup,
        events: Sequence[LoggedEvent],
        corrections: Sequence[LoggedEvent],
        state: PlayState,
    ) -> Iterable[Problem]:
        """Yield the problem of a correction after secret minor objectives are open: the battle does
        not go on.

        Ruling S4.
        """
        if not state.ended and secrets_open(setup, events):
            value = str(corrections[-1].data.get("event"))
            yield problem("secrets-open", value=value)

    def _own_errors(
        self, state: PlayState, event: TurnEvent, logged: LoggedEvent
    ) -> tuple[Problem, ...]:
        """Return the errors of its kind, and then those of its dice.

        Who runs instead of acting needs no more of them.
        """
        if isinstance(event, Activation) and event.actor:
            needed = resolve_wanted(state, event)
            if needed or event.resolve is not None:
                wrong = tuple(missing_dice("resolve", event.resolve, int(needed)))
                if wrong or bolts(state, event):
                    return wrong
        wrong = tuple(event.misnamed(state)) or tuple(event.input_errors(state, logged))
        return wrong or tuple(event.dice_errors(state))

    def _taken(self, state: PlayState, event: Kind, logged: LoggedEvent) -> PlayState:
        if not isinstance(event, TurnEvent):
            return event.apply(state, logged)
        own_phase, phase = event.turn_phase(state), state.table.phase
        starter = activation_begun_by(state, event, own_phase)
        if own_phase is not phase:
            phase = phase_reached(state, own_phase)
        rolled = isinstance(event, Activation) and event.resolve is not None
        if rolled and bolts(state, event):
            after = run_off(state, event.actor)
        else:
            after = event.apply(resolved(state, event.actor) if rolled else state, logged)
            after = with_offences(after, event) if after.table.duellists else after
        after = parted(after, event)
        if starter:
            return after.with_table(active=side_of(state, starter), phase=phase)
        return after if phase is state.table.phase else after.with_table(phase=phase)


def _misplaced(state: PlayState, event: Kind) -> tuple[Problem, ...]:
    """Return the problems of a kind that the scenario does not know, or of harm after the end of
    the battle."""
    scenario = state.scenario
    if event.some_battles and event.key not in scenario.event_kinds:
        return (
            problem(
                "kind-not-in-scenario", value=event.key, name=scenario.name, source=scenario.source
            ),
        )
    over = state.ended and state.table.turn and isinstance(event, Event) and event.hurts
    return (problem("ended-already"),) if over else ()


def _wrong_turn_or_dice(
    state: PlayState, event: TurnEvent, logged: LoggedEvent
) -> Iterator[Problem]:
    """Yield the problems of an event of another turn, or with dice of the wrong hand.

    A campaign may want all dice from Muster. House rule "dice".
    """
    turn = state.table.turn
    if state.ended:
        yield problem("ended-already")
    elif not turn and not event.starts_turn and not isinstance(event, Opening):
        yield problem("no-turn")
    elif turn and logged.turn != turn and logged.turn is not None and not event.starts_turn:
        yield problem("turn-being-played", value=logged.turn, turn=turn)
    if state.settings.dice == "app" and event.thrown != "app" and holds_dice(event):
        yield problem("typed-dice")


def _followed(before: PlayState, after: PlayState, event: Kind) -> PlayState:
    """Return the state with what follows from wounds by itself, however they came about."""
    if after.combatants is before.combatants and after.civilians is before.civilians:
        return after
    if not after.table.turn:
        return after
    hurt = _changed(before.combatants, after.combatants)
    if after.civilians is not before.civilians:
        hurt += _changed(before.civilians, after.civilians)
    after = settled(after, hurt)
    return (
        after
        if isinstance(event, Event) and event.rolls_for_drowning
        else stunned_since(after, hurt)
    )


def parting_violations(state: PlayState, event: TurnEvent) -> Iterator[Violation]:
    """Yield the violation of anything that comes before the move of a fighter who has to leave
    contact."""
    leaver = state.table.leaver
    if not leaver or event.strikes_leaver == leaver or not state.somebody(leaver).standing:
        return
    if not set(state.table.parting) & set(state.table.of(leaver).contacts):
        return
    moves = event.mover == leaver
    stays = bool({*event.touching} & {*state.table.parting})
    if (moves and stays) or (event.turn_phase(state) is not None and not moves):
        who = join_names(state.named(each) for each in state.table.parting)
        yield violation("leaves-first", name=state.named(leaver), who=who)


def _matters(state: PlayState, event: TurnEvent) -> bool:
    """Return whether the game goes on by it. What belongs to no phase does no harm."""
    return event.starts_turn or event.turn_phase(state) is not None


def parted(state: PlayState, event: TurnEvent) -> PlayState:
    """Return the state with who leaves contact noted, or forgotten once that is done, or set aside
    by the table."""
    table = state.table
    if event.strikes_leaver:
        others = table.parting if table.leaver == event.strikes_leaver else ()
        return state.with_table(leaver=event.strikes_leaver, parting=(*others, event.striker))
    if table.leaver and (_matters(state, event) or table.leaver in event.activated):
        return state.with_table(leaver="", parting=())
    return state


def _changed(
    before: Mapping[str, Somebody], after: Mapping[str, Somebody]
) -> list[tuple[str, Somebody, Somebody]]:
    """Return those to which something has happened, by their keys, before it and after it."""
    return [(key, was, after[key]) for key, was in before.items() if after[key] is not was]


def settled(state: PlayState, changed: Sequence[tuple[str, Somebody, Somebody]]) -> PlayState:
    """Return the state in which those put out of action by an event have left their combat and, if
    gone, their contacts.

    Nobody is Engaged by the unconscious either. For every kind of event: a wound may be logged in
    any way.
    """
    table = state.table
    for key, was, now in changed:
        if now.standing == was.standing and (now.standing or now.on_table == was.on_table):
            continue
        table = with_contacts(table, key, ())
        if table.fight is not None and table.fight.holds(key):
            leaves = knocked_out if now.on_table else fallen
            table = replace(table, fight=leaves(table.fight, key))
    return state if table is state.table else replace(state, table=table)


def unburdened(state: PlayState) -> PlayState:
    """Return the state in which everybody on foot who is Engaged has dropped what is heavy.

    Rule book: "Objects".
    """
    for key, on_table in state.table.fighters.items():
        if on_table.contacts and any(on_table.carries.values()) and not present(state, key).mounted:
            light = {what: heavy for what, heavy in on_table.carries.items() if not heavy}
            state = state.with_fighter(key, carries=light)
    return state
