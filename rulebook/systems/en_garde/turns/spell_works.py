"""What spells do in the log once they are cast. Rule book: "Spells". Rulings B30, B31, B32."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from rulebook.ruleset import FieldedFighter, LoggedEvent
from rulebook.systems.en_garde.play.play_state import CombatantState, PlayState
from rulebook.systems.en_garde.table.magic import SUMMONED, healed
from rulebook.systems.en_garde.table.wounds import WoundResult
from rulebook.systems.en_garde.turns.blasts import blast_result, hits_mount
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.harm import Means, WoundEvent, harm
from rulebook.systems.en_garde.turns.shot_events import SpellCast


def _armour(state: PlayState, event: SpellCast, logged: LoggedEvent) -> PlayState:
    return _mark(state, event, armoured_until=state.table.turn + 1)


def _transfix(state: PlayState, event: SpellCast, logged: LoggedEvent) -> PlayState:
    return _mark(state, event, transfixed=state.table.turn)


def _mark(state: PlayState, event: SpellCast, **changes: object) -> PlayState:
    assert event.target is not None  # noqa: S101 - the check saw to it; this tells the type checker
    return replace(state, table=state.table.with_fighter(event.target, **changes))


def _mist(state: PlayState, event: SpellCast, logged: LoggedEvent) -> PlayState:
    return replace(state, table=replace(state.table, mist_until=state.table.turn + 1))


def _undergrowth(state: PlayState, event: SpellCast, logged: LoggedEvent) -> PlayState:
    return replace(state, table=replace(state.table, undergrowth_until=state.table.turn + 1))


def _drain(state: PlayState, event: SpellCast, logged: LoggedEvent) -> PlayState:
    assert event.target is not None  # noqa: S101 - the check saw to it; this tells the type checker
    return harm(state, logged, _by_magic(event, event.target, WoundResult.LIGHT))


def _heal(state: PlayState, event: SpellCast, logged: LoggedEvent) -> PlayState:
    target = event.target or ""
    wounds = healed(present(state, target))
    if target in state.civilians:
        return state.with_civilian(replace(state.civilians[target], wounds=wounds))
    patient = replace(state.combatants[target], wounds=wounds)
    return state.with_combatant(replace(patient, out_since=None, out_turn=None) if patient.standing else patient)


def _blast(state: PlayState, event: SpellCast, logged: LoggedEvent) -> PlayState:
    result = blast_result(state, event)
    if result is None:
        return state
    wound = replace(_by_magic(event, event.target or "", result), on_mount=hits_mount(state, event))
    return harm(state, logged, wound)


def _stun(state: PlayState, event: SpellCast, logged: LoggedEvent) -> PlayState:
    for victim, counters in zip(event.victims, event.counters, strict=True):
        for _ in range(counters):
            if state.somebody(victim).on_table:
                state = harm(state, logged, _by_magic(event, victim, WoundResult.STUNNED))
    return state


def _summon(state: PlayState, event: SpellCast, logged: LoggedEvent) -> PlayState:
    """A fighter of this battle alone, on no roster: it goes when it is killed, or with the battle. Ruling B32."""
    number = sum(there.summoned for there in state.combatants.values()) + 1
    name = event.named.strip() or f"Summoned {number}"
    newcomer = FieldedFighter(f"summoned-{number}", name, SUMMONED, rank=1, points=0)
    side = state.side_of(event.magician)
    return state.with_combatant(CombatantState(fighter=newcomer, side=side, summoned=True))


def _by_magic(event: SpellCast, victim: str, result: WoundResult) -> WoundEvent:
    return WoundEvent(
        victim=victim, result=result, means=Means.SPELL, attacker=event.magician, weapon=event.spell, die=event.die
    )


WORKS: Mapping[str, Callable[[PlayState, SpellCast, LoggedEvent], PlayState]] = {
    "armour": _armour,
    "transfix": _transfix,
    "mist": _mist,
    "undergrowth": _undergrowth,
    "drain-life": _drain,
    "heal": _heal,
    "power-blast": _blast,
    "stun": _stun,
    "summon": _summon,
}
"""What each spell does. Where an Undergrowth lies is the players' to see; a move says that it leads through it."""
