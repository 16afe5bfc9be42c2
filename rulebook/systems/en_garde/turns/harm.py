"""Wounds that follow from turn events: they are read as those of a result sheet."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.ruleset import LoggedEvent
from rulebook.systems.en_garde.play.events import Means, WoundEvent
from rulebook.systems.en_garde.play.play_state import PlayState, wound_table
from rulebook.systems.en_garde.play.turn_state import Table, touched
from rulebook.systems.en_garde.play.wounding import take_wound
from rulebook.systems.en_garde.table.rounds import fallen, knocked_out
from rulebook.systems.en_garde.table.wounds import Wound, WoundResult, WoundTable, needs_die
from rulebook.systems.en_garde.turns.checking import same_side
from rulebook.systems.en_garde.turns.fighters import present, weapon_now

HAND_TO_HAND = (Means.MELEE, Means.RIPOSTE, Means.FREE_ATTACK)


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


def take_plain_wound(state: PlayState, wound: WoundEvent, logged: LoggedEvent) -> PlayState:
    """The state after a wound that was told as such; turn by turn a poisoned weapon goes on to stun."""
    after = take_wound(state, wound, logged)
    return _poisoned(state, after, wound) if state.table.turn else after


def _poisoned(before: PlayState, after: PlayState, wound: WoundEvent) -> PlayState:
    """A wound from a poisoned weapon goes on to stun; one that a large body shook off does not. Rule book: "Poison"."""
    if wound.attacker is None or wound.on_mount or _wound(before, wound.victim) == _wound(after, wound.victim):
        return after
    if _weapon_of(before, wound) not in present(before, wound.attacker).poisoned:
        return after
    return replace(after, table=after.table.with_fighter(wound.victim, poisoned=True))


def _weapon_of(state: PlayState, wound: WoundEvent) -> str:
    """The key of the weapon: as it was told, else the one in hand if it was struck hand-to-hand."""
    if wound.weapon:
        return wound.weapon.strip().lower().replace(" ", "-")
    struck = wound.attacker is not None and wound.means in HAND_TO_HAND
    return weapon_now(state, wound.attacker or "") if struck else ""


def _wound(state: PlayState, victim: str) -> Wound:
    return state.somebody(victim).wounds.wound


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


def unburdened(state: PlayState) -> PlayState:
    """The state in which everybody on foot who is Engaged has dropped what is heavy. Rule book: "Objects"."""
    for key, known in state.table.fighters.items():
        if known.contacts and any(known.carries.values()) and not present(state, key).mounted:
            light = {what: heavy for what, heavy in known.carries.items() if not heavy}
            state = replace(state, table=state.table.with_fighter(key, carries=light))
    return state


def _fallen(table: Table, fighter: str, *, gone: bool) -> Table:
    table = touched(table, fighter, ())
    if table.fight is not None and any(each.id == fighter for each in table.fight.fencers):
        table = replace(table, fight=(fallen if gone else knocked_out)(table.fight, fighter))
    return table
