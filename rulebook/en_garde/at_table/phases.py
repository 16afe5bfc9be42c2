"""The four phases of a turn, and what is due in each. Rule book: "Turn sequence"."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.at_table import Due, Phase
from rulebook.en_garde.at_table.making import COMBAT, END, MOVE, PRIORITY
from rulebook.en_garde.at_table.meetings import meetings
from rulebook.en_garde.play_state import PlayState
from rulebook.en_garde.table.morale import must_test
from rulebook.en_garde.table.rounds import may_strike
from rulebook.en_garde.table.setting_up import rising_end
from rulebook.en_garde.turns.nerve import sides_to_test, warband_of
from rulebook.en_garde.turns.poison import after_poison

IN_COMBAT = frozenset({"combat", "attack", "pass", "switch_weapon"})
AT_THE_END = frozenset({"morale", "stun_roll"})


def phases(state: PlayState, kinds: tuple[str, ...]) -> tuple[Phase, ...]:
    """The phases with what is due; ``kinds`` are those of this turn's events, by which we know how far it has come."""
    found = (
        Phase(PRIORITY, "Priority Phase", tuple(_priority(state))),
        Phase(MOVE, "Move Phase", tuple(_move(state))),
        Phase(COMBAT, "Combat Phase", tuple(_combat(state))),
        Phase(END, "End Phase", tuple(_end(state))),
    )
    now = _now(state, kinds)
    return tuple(replace(each, now=each.key == now) for each in found)


def _now(state: PlayState, kinds: tuple[str, ...]) -> str:
    if state.ended:
        return ""
    if AT_THE_END & {*kinds}:
        return END
    if IN_COMBAT & {*kinds}:
        return COMBAT
    return MOVE if state.table.priority else PRIORITY


def _priority(state: PlayState) -> Iterator[Due]:
    if state.ended:
        return
    if not state.table.turn:
        yield Due("Begin the first turn.", do="turn", rule='Rule book: "Turn sequence"')
    elif not state.table.priority:
        yield Due("Roll for Priority.", do="priority", rule='Rule book: "Determine priority"')


def _move(state: PlayState) -> Iterator[Due]:
    if state.ended or not state.table.priority:
        return
    for side in state.sides:
        idle = [there for there in state.own(side) if there.standing and not _has_acted(state, there.fighter.id)]
        if idle:
            number = f"{len(idle)} {'has' if len(idle) == 1 else 'have'} not acted"
            yield Due(f"{state.side(side).name}: {number}.")


def _has_acted(state: PlayState, fighter: str) -> bool:
    known = state.table.of(fighter)
    return state.table.turn in (known.acted, known.fought) or bool(known.contacts)


def _combat(state: PlayState) -> Iterator[Due]:
    fight = state.table.fight
    following = fight.next if fight is not None and not state.ended else None
    if fight is not None and following is not None:
        name = state.named(following.id)
        if following.passes or not may_strike(fight, following):
            yield Due(f"{name} has to let an opportunity go.", following.id, "pass", 'Rule book: "Combat procedure"')
        else:
            yield Due(f"{name} has the next opportunity.", following.id, "attack", 'Rule book: "Combat procedure"')
    for meeting in meetings(state) if state.table.turn and not state.ended else ():
        first, second = meeting.values()
        against = " and ".join(state.named(each) for each in second)
        yield Due(f"{state.named(first[0])} against {against}.", first[0], "combat", 'Rule book: "Combat"')


def _end(state: PlayState) -> Iterator[Due]:
    if state.ended or not state.table.turn:
        return
    for side in sides_to_test(state):
        reasons = ", ".join(must_test(warband_of(state, side)))
        yield Due(f"{state.side(side).name} tests its Morale: {reasons}.", side, "morale", 'Rule book: "Test morale"')
    for fighter, there in after_poison(state).combatants.items():
        rolled = state.table.of(fighter).rolled_stun == state.table.turn
        if there.on_table and there.wounds.stunned and not rolled:
            rule = 'Rule book: "Remove stunned counters"'
            yield Due(f"{there.fighter.name} tries to shake off Stunned.", fighter, "stun_roll", rule)
    yield from _over(state)


def _over(state: PlayState) -> Iterator[Due]:
    """Is it time to stop, or to begin the next turn?"""
    turn, facts = state.table.turn, state.scenario
    if last_turn(state) is not None and turn >= (last_turn(state) or 0):
        yield Due(f"Turn {turn} is the last one: the battle ends.", do="ended", rule=facts.source)
        return
    if facts.rising is not None and turn >= facts.rising:
        least = next(die for die in range(1, 7) if rising_end(turn, facts.rising, die))
        faces = "a 6" if least == 6 else f"{least} or more"
        yield Due(f"Throw a die: on {faces} the next turn is the last one.", rule=f"{facts.source}; Ruling S15")
    yield Due(f"Begin turn {turn + 1}.", do="turn", rule='Rule book: "Turn sequence"')


def last_turn(state: PlayState) -> int | None:
    """The number of the last turn, None where that is not settled beforehand."""
    told = state.setup.set_up.get("turns")
    return int(told) if isinstance(told, int) else state.scenario.turns
