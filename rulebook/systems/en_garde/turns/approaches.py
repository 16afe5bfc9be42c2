"""Coming into contact in the Combat Phase: riders who ride by, and fighters who go on to a new enemy.

Shaken riders roll their resolve, and whoever comes near the Terrifying its nerve; if that fails there is no combat.
Rule book: "Wavering", "Routing", "Ride-by attacks", "Initiating a new combat", "Terrifying". Ruling B16.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.ruleset import Problem
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.morale import Morale, needs_resolve, resolve_holds
from rulebook.systems.en_garde.table.rounds import needs_nerve, nerve_holds
from rulebook.systems.en_garde.turns.activation import run_off
from rulebook.systems.en_garde.turns.checking import missing_dice
from rulebook.systems.en_garde.turns.combat_events import CombatOpened
from rulebook.systems.en_garde.turns.combat_membership import foes_of, in_combat, marked_moved_on, rides_by
from rulebook.systems.en_garde.turns.fighters import present


def comer(state: PlayState, event: CombatOpened) -> str:
    """Who comes into contact by this combat: the rider of a ride-by attack, or who has moved on; "" if nobody."""
    riders = (fighter for fighter in in_combat(event) if rides_by(state, event, fighter))
    return event.moved_on or next(riders, "")


def approach_dice(state: PlayState, event: CombatOpened) -> Iterator[Problem]:
    """Are the dice there that the shaken and the timid need?"""
    yield from missing_dice("resolve", event.resolve, int(shaken(state, event)))
    yield from missing_dice("nerve", event.nerve, int(frightened(state, event)))


def shaken(state: PlayState, event: CombatOpened) -> bool:
    """Does the rider have to roll before it rides into contact? It is activated for it, who moves on is not."""
    rider = comer(state, event)
    if not event.ride_by or rider not in state.combatants:
        return False
    morale = state.table.morale_of(state.side_of(rider))
    if morale is Morale.ROUTING and state.table.of(rider).resolved == state.table.turn:
        return False
    return needs_resolve(present(state, rider), morale, into_contact=True)


def frightened(state: PlayState, event: CombatOpened) -> bool:
    """Is somebody Terrifying among those whom it comes to?"""
    who = comer(state, event)
    if not who:
        return False
    there = present(state, who)
    return any(needs_nerve(there, present(state, foe)) == "terrifying" for foe in foes_of(event, who))


def comes(state: PlayState, event: CombatOpened) -> bool:
    """Does it come into contact, by the dice that were asked for?"""
    return _holds(state, event) and _dares(state, event)


def _holds(state: PlayState, event: CombatOpened) -> bool:
    return event.resolve is None or resolve_holds(present(state, comer(state, event)).rank, event.resolve)


def _dares(state: PlayState, event: CombatOpened) -> bool:
    equal = state.settings["beguiling_roll"] == "equal"
    rank = present(state, comer(state, event)).rank if event.nerve is not None else 0
    return event.nerve is None or nerve_holds(rank, event.nerve, equal_will_do=equal)


def stays_away(state: PlayState, event: CombatOpened) -> PlayState:
    """The state after an approach that came to nothing: the opportunity is gone, and who Routs runs."""
    who = comer(state, event)
    if event.moved_on:
        return marked_moved_on(state, event.moved_on)
    if not _holds(state, event) and state.table.morale_of(state.side_of(who)) is Morale.ROUTING:
        return run_off(state, who)
    return replace(state, table=state.table.with_fighter(who, shied=state.table.turn))
