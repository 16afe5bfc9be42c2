"""The four phases of a turn, and what is due in each. Rule book: "Turn sequence"."""

from collections.abc import Iterator

from rulebook.systems.en_garde.at_table.action_building import COMBAT, END, MOVE, PRIORITY
from rulebook.systems.en_garde.at_table.combat_actions import pending_combats
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.morale import must_test
from rulebook.systems.en_garde.table.rounds import may_strike
from rulebook.systems.en_garde.table.setting_up import rising_end
from rulebook.systems.en_garde.turns.duels import duellists_alone
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.nerve import sides_to_test, warband_of
from rulebook.systems.en_garde.turns.phases import last_turn
from rulebook.systems.en_garde.turns.policy import after_poison, next_side
from rulebook.values.table import Due, Phase

PROCEDURE = 'Rule book: "Combat procedure"'
SEQUENCE = 'Rule book: "Turn sequence"'
NAMES = {PRIORITY: "Priority Phase", MOVE: "Move Phase", COMBAT: "Combat Phase", END: "End Phase"}


def phases_due(state: PlayState) -> tuple[Phase, ...]:
    """The phases with what is due in those that are not over; with Priority settled, the Move Phase has begun."""
    due = {PRIORITY: _priority, MOVE: _move, COMBAT: _combat, END: _end}
    reached = state.table.phase.value
    now = "" if state.ended else MOVE if reached == PRIORITY and state.table.priority else reached
    places = {key: place for place, key in enumerate(NAMES)}
    open_from = places[END] if state.ended else places[now]
    return tuple(
        Phase(key, name, tuple(due[key](state)) if places[key] >= open_from else (), now=key == now)
        for key, name in NAMES.items()
    )


def _priority(state: PlayState) -> Iterator[Due]:
    if not state.table.turn:
        yield from _opening(state)
        yield Due("Begin the first turn.", do="turn", rule=SEQUENCE, button="Begin", at_once=True)
    elif not state.table.priority:
        yield _roll(state, "Roll for Priority.", "", "priority", 'Rule book: "Determine priority"')


def _opening(state: PlayState) -> Iterator[Due]:
    """What comes before the first turn: duellists are named, Scouts may go ahead."""
    unnamed = [side for side in state.sides if duellists_alone(state) and side not in state.table.duellists]
    for side in unnamed:
        yield Due(f"{state.side(side).name} names its duellist.", side, "duellist", 'Rule book: "Duel"', "Name")
    if state.settings.minor_objectives != "secret":
        yield from _objectives(state)
    for fighter in state.combatants:
        if present(state, fighter).has("scout") and not state.table.of(fighter).scouted:
            yield Due(
                f"{state.named(fighter)} may go ahead as a Scout.", fighter, "scout", 'Rule book: "Scout"', "Place"
            )


def _objectives(state: PlayState) -> Iterator[Due]:
    """Minor objectives that are still unknown; secret ones are told once the battle is over. Ruling S4."""
    wanted = "minor_objective" in state.scenario.event_kinds
    for side in (each for each in state.sides if wanted and each not in state.rolled):
        sentence = f"{state.side(side).name} has a minor objective."
        yield _roll(state, sentence, side, "minor_objective", f"{state.scenario.source}; Ruling S4")


def _move(state: PlayState) -> Iterator[Due]:
    for side in state.sides if state.table.priority else ():
        known = [state.table.of(there.fighter.id) for there in state.own(side) if there.standing]
        idle = [each for each in known if not each.has("acted", "fought") and not each.contacts]
        if idle and side not in state.table.done:
            number = f"{len(idle)} {'has' if len(idle) == 1 else 'have'} not acted"
            name, rule = state.side(side).name, 'Rule book: "Move phase"'
            sentence = f"{name} is next: {number}." if side == next_side(state) else f"{name}: {number}."
            yield Due(sentence, side, "done", rule, "Pass", at_once=True, minor=True)


def _combat(state: PlayState) -> Iterator[Due]:
    fight = state.table.fight
    following = fight.next if fight is not None else None
    if fight is not None and following is not None:
        name = state.named(following.id)
        if following.passes or not may_strike(fight, following):
            sentence = f"{name} has to let an opportunity go."
            yield Due(sentence, following.id, "pass", PROCEDURE, "Let it go", at_once=True)
        else:
            yield Due(f"{name} has the next opportunity.", following.id, "attack", PROCEDURE, "Attack", or_else=True)
        return
    for pending in pending_combats(state) if state.table.turn else ():
        first, second = pending.values()
        against = " and ".join(state.named(each) for each in second)
        yield Due(
            f"{state.named(first[0])} against {against}.", first[0], "combat", 'Rule book: "Combat"', "Fight it out"
        )


def _end(state: PlayState) -> Iterator[Due]:
    if state.ended and state.settings.minor_objectives == "secret":
        yield from _objectives(state)
    if state.ended or not state.table.turn:
        return
    for side in sides_to_test(state):
        reasons = ", ".join(must_test(warband_of(state, side)))
        sentence = f"{state.side(side).name} tests its Morale: {reasons}."
        yield _roll(state, sentence, side, "morale", 'Rule book: "Test morale"')
    for fighter, there in after_poison(state).combatants.items():
        rolled = state.table.of(fighter).has("stun-rolled")
        if there.on_table and there.wounds.stunned and not rolled:
            rule = 'Rule book: "Remove stunned counters"'
            sentence = f"{there.fighter.name} tries to shake off Stunned."
            yield _roll(state, sentence, fighter, "stun_roll", rule)
    yield from _over(state)


def _over(state: PlayState) -> Iterator[Due]:
    """Is it time to stop, or to begin the next turn?"""
    turn, facts = state.table.turn, state.scenario
    if last_turn(state) is not None and turn >= (last_turn(state) or 0):
        yield Due(f"Turn {turn} is the last one: the battle ends.", do="ended", rule=facts.source, button="End it")
        return
    if facts.rising is not None and turn >= facts.rising and not state.table.end_rolled:
        least = next(die for die in range(1, 7) if rising_end(turn, facts.rising, die))
        faces = "a 6" if least == 6 else f"{least} or more"
        sentence = f"Throw a die: on {faces} the next turn is the last one."
        yield _roll(state, sentence, "", "length", f"{facts.source}; Ruling S15")
    if state.table.priority and not sides_to_test(state):
        yield Due(f"Begin turn {turn + 1}.", do="turn", rule=SEQUENCE, button="Begin", at_once=True)


def _roll(state: PlayState, sentence: str, who: str, do: str, rule: str) -> Due:
    """A roll is due: left to Muster at a tap, unless the house rule "dice" leaves all dice to the table."""
    return Due(sentence, who, do, rule, "Roll", rolls=True, at_once=state.settings.dice != "table")
