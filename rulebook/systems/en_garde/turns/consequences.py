"""What follows from events by itself: those who fall leave their combat, the Engaged drop what is heavy, poison works.

For every kind of event: a wound may be logged in any way.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.turn_state import Table, touched
from rulebook.systems.en_garde.table.rounds import fallen, knocked_out
from rulebook.systems.en_garde.table.wounds import WoundResult
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.harm import Means, WoundEvent, harm
from rulebook.values.battles import LoggedEvent


def settled(before: PlayState, after: PlayState) -> PlayState:
    """The state in which whoever an event put out of action has left its combat and, if gone, its contacts.

    Nobody is Engaged by the unconscious either. For every kind of event: a wound may be logged in any way.
    """
    if not after.table.turn:
        return after
    table = after.table
    for key in fallen_since(before, after):
        table = _fallen(table, key, gone=not after.somebody(key).on_table)
    return after if table is after.table else replace(after, table=table)


def fallen_since(before: PlayState, after: PlayState) -> Iterator[str]:
    """Those who could act before and cannot now, or who were unconscious and are gone now."""
    for old, new in ((before.combatants, after.combatants), (before.civilians, after.civilians)):
        for key, there in old.items() if old is not new else ():
            now = after.somebody(key)
            if now is not there and (now.standing, now.on_table) != (there.standing, there.on_table):
                yield key


def _fallen(table: Table, fighter: str, *, gone: bool) -> Table:
    table = touched(table, fighter, ())
    if table.fight is not None and any(each.id == fighter for each in table.fight.fencers):
        table = replace(table, fight=(fallen if gone else knocked_out)(table.fight, fighter))
    return table


def unburdened(state: PlayState) -> PlayState:
    """The state in which everybody on foot who is Engaged has dropped what is heavy. Rule book: "Objects"."""
    for key, known in state.table.fighters.items():
        if known.contacts and any(known.carries.values()) and not present(state, key).mounted:
            light = {what: heavy for what, heavy in known.carries.items() if not heavy}
            state = replace(state, table=state.table.with_fighter(key, carries=light))
    return state


def after_poison(state: PlayState, sequence: int = 0) -> PlayState:
    """The state after poison has worked, once this turn's Combat Phase is over: a Stunned counter for each victim.

    A log has no event for that moment: the first event of the End Phase, or the next turn, shows that it has come.
    Rule book: "Poison". Ruling B27.
    """
    turn = state.table.turn
    if not turn or state.table.poison_worked == turn:
        return state
    state = replace(state, table=replace(state.table, poison_worked=turn))
    for victim, known in state.table.fighters.items():
        if known.poisoned and state.somebody(victim).on_table:
            tick = WoundEvent(victim=victim, result=WoundResult.STUNNED, means=Means.POISON)
            state = harm(state, LoggedEvent(sequence, "wound", {}, turn), tick)
    return state
