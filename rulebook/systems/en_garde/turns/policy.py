"""What holds for every event of a log, whatever its kind: whose turn it is, who may act, what follows by itself.

Sides take turns in the Move Phase, one fighter each, the side with Priority first. Who is Engaged, has wavered or is a
Civilian keeps nobody waiting: such fighters seldom act, and may still do so when it is their side's turn. Where nobody
has rolled for Priority, nothing is held to an order. Free attacks come before the short move that they are made for.
Those who fall leave their combat, the Engaged drop what is heavy, poison works, however a wound was logged.
Rule book: "Turn sequence", "Move phase", "Routing", "Check victory conditions", "Move". Rulings B7, B25, B27, B33.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile

from msgspec.structs import replace

from rulebook.battle_log.forms import dice_of
from rulebook.battle_log.kinds import EventKind, ReplayStep, missing_dice
from rulebook.battle_log.policy import DiceBy, Policy, turn_problems
from rulebook.dice.cup import Cup
from rulebook.systems.en_garde.book.violations import problem, violation
from rulebook.systems.en_garde.play.checking import once_a_turn, out_of_action, side_of
from rulebook.systems.en_garde.play.play_state import Event, PlayState, Somebody
from rulebook.systems.en_garde.play.scenario_events import secrets_open
from rulebook.systems.en_garde.play.turn_state import NOTHING_LOGGED, TurnPhase, with_contacts
from rulebook.systems.en_garde.play.words import changes
from rulebook.systems.en_garde.table.orders import UNTOLD
from rulebook.systems.en_garde.table.rounds import fallen, knocked_out
from rulebook.systems.en_garde.table.wounds import WoundResult
from rulebook.systems.en_garde.turns.duels import duellist_violations, duellists_alone, is_duellist, with_offences
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.harm import WoundCause, WoundEvent, harm
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
    """The rules of every event. Result sheets know no turns: of their events only what makes no sense is refused."""

    settled_when_logged = frozenset({OUT_OF_TURN, UNTOLD})

    def before(self, state: PlayState, event: Kind, logged: LoggedEvent) -> PlayState:
        """The state with this turn's poison at work, if the event shows that its time has come. Ruling B27."""
        ends = isinstance(event, Event) and event.ends_combat_phase
        return _followed(state, after_poison(state, logged.sequence), event) if ends else state

    def end_of(self, state: PlayState, who: str) -> str:
        """Return how a fighter was killed, captured or left the table. The unconscious may yet be killed or captured.

        What became of a Civilian is the last word on it, and its death earns nobody anything (Ruling X20).
        """
        combatant = state.combatants.get(who)
        if combatant is None or combatant.on_table:
            return ""
        name = combatant.fighter.name
        if combatant.dead:
            return f"{name} was killed by {combatant.killed_by}" if combatant.killed_by else f"{name} was killed"
        if combatant.captor:
            return f"{name} was captured by {state.named(combatant.captor)}"
        return f"{name} routed off the table" if combatant.routed else f"{name} left the table"

    def input_errors(self, state: PlayState, event: Kind, logged: LoggedEvent) -> Iterable[Problem]:
        """What makes no sense: kinds that the scenario does not know, wrong turns, dice of the wrong hand."""
        misplaced = turn_problems(logged) + _misplaced(state, event)
        if misplaced or not isinstance(event, TurnEvent):
            return misplaced or event.input_errors(state, logged)
        return (*_wrong_turn_or_dice(state, event, logged), *self._own_errors(state, event, logged))

    def violations(self, state: PlayState, event: Kind, logged: LoggedEvent) -> Iterable[Violation]:
        """What the rules forbid; who runs instead of acting is asked no more than whether it can act."""
        if not isinstance(event, TurnEvent):
            return event.violations(state, logged)
        general = (
            *gone_violations(state, event),
            *phase_violations(state, event),
            *alternation_violations(state, event),
            *duellist_violations(state, event),
            *(() if self.is_light(state, event) else parting_violations(state, event)),
        )
        if not bolts(state, event):
            return (*general, *event.violations(state, logged))
        return (*general, *out_of_action(state, event.actor), *once_a_turn(state, event.actor))

    def obligations(self, state: PlayState) -> Iterator[Obligation]:
        """Yield the combats, tests and rolls that a turn still owes, those of this turn's poison included."""
        yield from obligations(after_poison(state))

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
        if logged.turn is not None and not state.ended and logged.turn > (state.turns or 0):
            state = replace(state, turns=logged.turn)
        after = _followed(state, self._taken(state, event, logged), event)
        unmoved = after.table.fighters is state.table.fighters and after.combatants is state.combatants
        return after if unmoved else unburdened(after)

    def outcome_of(self, step: ReplayStep[PlayState]) -> EventOutcome:
        """What the event came to, and who is worse or better off than before."""
        event = step.event
        if isinstance(event, TurnEvent) and bolts(step.before, event):
            sentence = f"{step.before.named(event.actor)} loses its nerve and runs for the nearest edge."
            outcome = EventOutcome((sentence,), (), ('Rule book: "Routing"',))
        else:
            outcome = event.outcome_of(step)
        return replace(outcome, sentences=(*outcome.sentences, *changes(step.before, step.after)))

    def correction_problems(
        self, setup: BattleSetup, events: Sequence[LoggedEvent], corrections: Sequence[LoggedEvent], state: PlayState
    ) -> Iterable[Problem]:
        """Once secret minor objectives are open a battle does not go on. Ruling S4."""
        if not state.ended and secrets_open(setup, events):
            value = str(corrections[-1].data.get("event"))
            yield problem("secrets-open", value=value)

    def _own_errors(self, state: PlayState, event: TurnEvent, logged: LoggedEvent) -> tuple[Problem, ...]:
        """The errors of its kind, and then those of its dice; who runs instead of acting needs no more of them."""
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
        own_phase = event.turn_phase(state)
        starter, phase = _starts(state, event, own_phase), phase_reached(state, own_phase)
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
    """Does the scenario know it? And turn by turn, nobody is hurt or leaves once the battle has ended."""
    scenario = state.scenario
    if event.some_battles and event.key not in scenario.event_kinds:
        return (problem("kind-not-in-scenario", value=event.key, name=scenario.name, source=scenario.source),)
    over = state.ended and state.table.turn and isinstance(event, Event) and event.hurts
    return (problem("ended-already"),) if over else ()


def _wrong_turn_or_dice(state: PlayState, event: TurnEvent, logged: LoggedEvent) -> Iterator[Problem]:
    """Events belong to the turn that is being played, given none or not; those of the opening come before the first.

    A campaign may want all dice from Muster. House rule "dice".
    """
    turn = state.table.turn
    if state.ended:
        yield problem("ended-already")
    elif not turn and not event.starts_turn and not isinstance(event, Opening):
        yield problem("no-turn")
    elif turn and logged.turn != turn and logged.turn is not None and not event.starts_turn:
        yield problem("turn-being-played", value=logged.turn, turn=turn)
    if state.settings.dice == "app" and event.thrown != "app" and dice_of(event):
        yield problem("typed-dice")


def _followed(before: PlayState, after: PlayState, event: Kind) -> PlayState:
    """The state with what follows from wounds by itself, however they came about."""
    if after.combatants is before.combatants and after.civilians is before.civilians:
        return after
    if not after.table.turn:
        return after
    hurt = [*_changed(before.combatants, after.combatants), *_changed(before.civilians, after.civilians)]
    after = settled(after, hurt)
    return after if isinstance(event, Event) and event.drowning_told else stunned_since(after, hurt)


def alternation_violations(state: PlayState, event: TurnEvent) -> Iterator[Violation]:
    """A side waits while another one is next and has a fighter who is free to act. Ruling B38."""
    if isinstance(event, Activation) and event.as_given:
        return
    starter = _starts(state, event, event.turn_phase(state))
    first = waits_for(state, starter) if starter else ""
    if first:
        name, other = state.side(side_of(state, starter)).name, state.side(first).name
        yield violation("not-its-activation", other=other, name=name)


def waits_for(state: PlayState, fighter: str) -> str:
    """The key of the side that comes before this fighter's activation, "" if it may act as far as this goes."""
    over = state.table.phase.place > TurnPhase.MOVE.place
    if over or not state.table.priority or _begun(state, fighter):
        return ""
    own = side_of(state, fighter)
    before = takewhile(lambda side: side != own, _rotation(state))
    return next((side for side in before if any(free_fighters(state, side))), "")


def next_side(state: PlayState) -> str:
    """The side whose turn it is to activate a fighter; "" if none has anybody free, or nobody has Priority."""
    return next((side for side in _rotation(state) if any(free_fighters(state, side))), "")


def free_fighters(state: PlayState, side: str) -> Iterator[str]:
    """A side's fighters who keep the others waiting: those who can act, are not Engaged and have not acted."""
    table, turn = state.table, state.table.turn
    if side in (*table.done, *state.conceded, *state.withdrew):
        return
    alone = turn <= duellists_alone(state)
    for combatant in state.own(side):
        fighter = combatant.fighter.id
        on_table = table.fighters.get(fighter, NOTHING_LOGGED)
        acted = on_table.has("acted") or on_table.has("shied")
        # Nobody arrives from reserve in the first turn.
        waits = turn <= 1 and on_table.reserve
        free = not on_table.contacts and not acted and not waits
        if free and combatant.standing and (not alone or is_duellist(state, fighter)):
            yield fighter


def _starts(state: PlayState, event: TurnEvent, phase: TurnPhase | None) -> str:
    """Whose activation in the Move Phase begins with the event of this ``phase``, "" if nobody's."""
    actors = event.activated if phase is TurnPhase.MOVE else ()
    return actors[0] if actors and not _begun(state, actors[0]) else ""


def _begun(state: PlayState, fighter: str) -> bool:
    """Has its activation begun: has it acted, been ordered, or wavered in this turn?"""
    done = state.table.of(fighter).done
    return "acted" in done or "shied" in done


def _rotation(state: PlayState) -> tuple[str, ...]:
    """The sides from the next one on: the side with Priority first, then each after the one that has acted last."""
    table = state.table
    if not table.priority:
        return ()
    start = state.sides.index(table.priority)
    order = (*state.sides[start:], *state.sides[:start])
    after = order.index(table.active) + 1 if table.active else 0
    return (*order[after:], *order[:after])


def parting_violations(state: PlayState, event: TurnEvent) -> Iterator[Violation]:
    """After a free attack, its target leaves contact before anything else happens in this turn."""
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
    """Does the game go on by it? What belongs to no phase does no harm."""
    return event.starts_turn or event.turn_phase(state) is not None


def parted(state: PlayState, event: TurnEvent) -> PlayState:
    """The state with who leaves contact noted, or forgotten once that is done, or set aside by the table."""
    table = state.table
    if event.strikes_leaver:
        others = table.parting if table.leaver == event.strikes_leaver else ()
        return state.with_table(leaver=event.strikes_leaver, parting=(*others, event.striker))
    if table.leaver and (_matters(state, event) or table.leaver in event.activated):
        return state.with_table(leaver="", parting=())
    return state


def _changed(before: Mapping[str, Somebody], after: Mapping[str, Somebody]) -> list[tuple[str, Somebody, Somebody]]:
    """Those with whom something has happened, by their keys, before it and after it."""
    return [(key, was, after[key]) for key, was in before.items() if after[key] is not was]


def settled(state: PlayState, changed: Sequence[tuple[str, Somebody, Somebody]]) -> PlayState:
    """The state in which whoever an event put out of action has left its combat and, if gone, its contacts.

    Nobody is Engaged by the unconscious either. For every kind of event: a wound may be logged in any way.
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
    """The state in which everybody on foot who is Engaged has dropped what is heavy. Rule book: "Objects"."""
    if not state.table.laden:
        return state
    for key, on_table in state.table.fighters.items():
        if on_table.contacts and any(on_table.carries.values()) and not present(state, key).mounted:
            light = {what: heavy for what, heavy in on_table.carries.items() if not heavy}
            state = state.with_fighter(key, carries=light)
    return state


def after_poison(state: PlayState, sequence: int = 0) -> PlayState:
    """The state after poison has worked, once this turn's Combat Phase is over: a Stunned counter for each victim.

    A log has no event for that moment: the first event of the End Phase, or the next turn, shows that it has come.
    Rule book: "Poison". Ruling B27.
    """
    turn = state.table.turn
    if not turn or state.table.poison_worked:
        return state
    state = state.with_table(poison_worked=True)
    for victim, on_table in state.table.fighters.items():
        if on_table.poisoned and state.somebody(victim).on_table:
            tick = WoundEvent(victim=victim, result=WoundResult.STUNNED, means=WoundCause.POISON)
            state = harm(state, LoggedEvent(sequence, "wound", {}, turn), tick)
    return state
