"""Wounds that follow from turn events: they go through the same door as those of a result sheet."""

from msgspec.structs import replace

from rulebook.en_garde.events import WoundEvent
from rulebook.en_garde.log_wounds import take_wound
from rulebook.en_garde.play_state import PlayState, outfit, wound_table
from rulebook.en_garde.table.rounds import fallen
from rulebook.en_garde.turns.checking import same_side
from rulebook.en_garde.turns.fighters import present
from rulebook.en_garde.turns.state import Table, touched
from rulebook.en_garde.wounds import Wound, WoundResult, WoundTable, needs_die
from rulebook.ruleset import LoggedEvent


def harm(state: PlayState, logged: LoggedEvent, wound: WoundEvent) -> PlayState:
    """The state after the result of one attack or mishap; a scratch changes nothing.

    Whether it was friendly fire is worked out here, and a die that the victim's body does not need is left out.
    """
    if wound.result is WoundResult.SCRATCH:
        return state
    own = wound.attacker is not None and same_side(state, wound.attacker, wound.victim)
    die = wound.die if die_wanted(state, wound.victim, wound.result, on_mount=wound.on_mount) else None
    wound = replace(wound, friendly=own, die=die)
    return _poisoned(state, take_wound(state, wound, logged), wound)


def die_wanted(state: PlayState, victim: str, result: WoundResult, *, on_mount: bool = False) -> bool:
    """Does this result on this victim ask for the die of a large body?"""
    if victim in state.civilians:
        return False
    table = WoundTable.LARGE if on_mount else wound_table(state.combatants[victim].fighter)
    return needs_die(result, table)


def _poisoned(before: PlayState, after: PlayState, wound: WoundEvent) -> PlayState:
    """A wound from a poisoned weapon goes on to stun; one that a large body shook off does not. Rule book: "Poison"."""
    if wound.attacker is None or wound.on_mount or _wound(before, wound.victim) == _wound(after, wound.victim):
        return after
    carried = outfit(after.combatants[wound.attacker].fighter).equipment
    if f"poison:{wound.weapon}" not in carried:
        return after
    return replace(after, table=after.table.with_fighter(wound.victim, poisoned=True))


def _wound(state: PlayState, victim: str) -> Wound:
    return (state.civilians.get(victim) or state.combatants[victim]).wounds.wound


def settled(before: PlayState, after: PlayState) -> PlayState:
    """The state in which whoever an event put out of action has left its combat and, if dead, its contacts.

    For every kind of event: a wound may be logged in any way.
    """
    if not after.table.turn or after.combatants is before.combatants:
        return after
    table = after.table
    for key, there in after.combatants.items():
        if there is not before.combatants[key] and not there.standing and before.combatants[key].standing:
            table = _fallen(table, key, gone=not there.on_table)
    return after if table is after.table else replace(after, table=table)


def unburdened(state: PlayState) -> PlayState:
    """The state in which everybody on foot who is Engaged has dropped what is heavy. Rule book: "Objects"."""
    for key, known in state.table.fighters.items():
        if known.contacts and any(known.carries.values()) and not present(state, key).mounted:
            light = {what: heavy for what, heavy in known.carries.items() if not heavy}
            state = replace(state, table=state.table.with_fighter(key, carries=light))
    return state


def _fallen(table: Table, fighter: str, *, gone: bool) -> Table:
    table = touched(table, fighter, ()) if gone else table
    if table.fight is not None and any(each.id == fighter for each in table.fight.fencers):
        table = replace(table, fight=fallen(table.fight, fighter))
    return table
