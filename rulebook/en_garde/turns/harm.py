"""Wounds that follow from turn events: they go through the same door as those of a result sheet."""

from msgspec.structs import replace

from rulebook.en_garde.events import WoundEvent
from rulebook.en_garde.log_wounds import take_wound
from rulebook.en_garde.play_state import PlayState, outfit, wound_table
from rulebook.en_garde.table.rounds import fallen
from rulebook.en_garde.turns.checking import same_side
from rulebook.en_garde.turns.state import Losses, touched
from rulebook.en_garde.wounds import WoundResult, WoundTable, needs_die
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
    after = _poisoned(take_wound(state, wound, logged), wound)
    return _settled(state, after, wound.victim)


def die_wanted(state: PlayState, victim: str, result: WoundResult, *, on_mount: bool = False) -> bool:
    """Does this result on this victim ask for the die of a large body?"""
    if victim in state.civilians:
        return False
    table = WoundTable.LARGE if on_mount else wound_table(state.combatants[victim].fighter)
    return needs_die(result, table)


def _poisoned(state: PlayState, wound: WoundEvent) -> PlayState:
    """A wound from a poisoned weapon goes on to stun. Rule book: "Poison"."""
    if wound.attacker is None or wound.result not in (WoundResult.LIGHT, WoundResult.GRIEVOUS) or wound.on_mount:
        return state
    carried = outfit(state.combatants[wound.attacker].fighter).equipment
    if f"poison:{wound.weapon}" not in carried:
        return state
    return replace(state, table=state.table.with_fighter(wound.victim, poisoned=True))


def _settled(before: PlayState, after: PlayState, victim: str) -> PlayState:
    """Whoever is out of action leaves its combat and its contacts; a death is counted for Morale."""
    there, was = after.combatants.get(victim), before.combatants.get(victim)
    if there is None or was is None or there.standing or not was.standing:
        return after
    table = touched(after.table, victim, ()) if there.dead else after.table
    if table.fight is not None and any(each.id == victim for each in table.fight.fencers):
        table = replace(table, fight=fallen(table.fight, victim))
    if there.dead:
        loss = Losses(table.turn, there.side, leader=there.fighter.leader)
        table = replace(table, losses=(*table.losses, loss))
    return replace(after, table=table)
