"""What fighters do in the Move Phase beside moving and shooting: actions, orders, things, checks, water, challenges."""

from collections.abc import Iterator
from math import ceil

from msgspec.structs import replace

from rulebook.en_garde.events import Means, WoundEvent
from rulebook.en_garde.play_state import PlayState
from rulebook.en_garde.table.combatant import Refusal, present_numbers
from rulebook.en_garde.table.missiles import missile, reloaded
from rulebook.en_garde.table.moving import (
    check_dexterity,
    drowns,
    fall,
    order_refusals,
    swept_away,
)
from rulebook.en_garde.table.rounds import challenge_refusals
from rulebook.en_garde.turns import events as told
from rulebook.en_garde.turns.checking import (
    Rules,
    TurnRule,
    acts,
    missing_dice,
    no_refusals,
    once_a_turn,
    out_of_action,
    unknown_among,
    unknown_fighters,
)
from rulebook.en_garde.turns.fighters import present
from rulebook.en_garde.turns.harm import harm
from rulebook.en_garde.turns.loading import served_by, to_load, with_counters
from rulebook.en_garde.wounds import WoundResult
from rulebook.ruleset import LoggedEvent, Problem


def action_slips(state: PlayState, event: told.Acted, logged: LoggedEvent) -> Iterator[Problem]:
    """Is the fighter known, the weapon one that loads, the die for wet powder there?"""
    unknown = tuple(unknown_fighters(state, fighter=event.fighter))
    yield from unknown
    if unknown or event.what != "reload":
        return
    arms = (*present(state, event.fighter).weapons, *served_by(state, event.fighter))
    if event.weapon not in arms:
        yield Problem("not-carried", "Say which weapon is loaded.", field="weapon", value=event.weapon)
        return
    yield from missing_dice("die", event.die, int(powder_gets_wet(state, event.weapon)))


def powder_gets_wet(state: PlayState, weapon: str) -> bool:
    """Does it rain on a powder weapon? Rule book: "Powder"."""
    return "rain" in str(state.setup.set_up.get("weather", "")) and missile(weapon).powder


def action_refusals(state: PlayState, event: told.Acted, logged: LoggedEvent) -> tuple[Refusal, ...]:
    """Everything that forbids the action."""
    engaged = state.table.engaged(event.fighter)
    fighter = present(state, event.fighter)
    known = state.table.of(event.fighter)
    started_mounted = known.dismounted
    checks = (
        (engaged and event.what in ("aim", "hide", "rest", "reload"), "engaged", "Not while Engaged."),
        (event.what == "reload" and not _unready(state, event), "loaded", "There is no counter to remove."),
        (event.what == "dismount" and not fighter.mounted, "on-foot", "It has no mount to leave."),
        (event.what == "mount" and not started_mounted, "no-mount", "Only who started mounted may mount again."),
    )
    found = (Refusal(code, sentence, 'Rule book: "Move phase"') for wrong, code, sentence in checks if wrong)
    order = "reload" if event.what == "reload" else ""
    return (*out_of_action(state, event.fighter), *once_a_turn(state, event.fighter, order), *found)


def _unready(state: PlayState, event: told.Acted) -> bool:
    return event.what == "reload" and to_load(state, event.fighter, event.weapon)[1] > 0


def take_action(state: PlayState, event: told.Acted, logged: LoggedEvent) -> PlayState:
    """The state after the action."""
    turn = state.table.turn
    if event.what == "reload":
        piece, counters = to_load(state, event.fighter, event.weapon)
        left = reloaded(counters, powder=missile(event.weapon).powder, rain_die=event.die)
        return acts(with_counters(state, event.fighter, piece, left), event.fighter)
    changes: dict[str, dict[str, object]] = {
        "aim": {"aimed": turn},
        "rest": {"rested": turn},
        "hide": {"rested": turn, "hidden": True},
        "mount": {"dismounted": False, "may_step": turn},
        "dismount": {"dismounted": True, "may_step": turn},
    }
    return acts(state, event.fighter, **changes.get(event.what, {}))


def order_slips(state: PlayState, event: told.Ordered, logged: LoggedEvent) -> Iterator[Problem]:
    """Is everybody known?"""
    yield from unknown_fighters(state, commander=event.commander, target=event.target)
    yield from unknown_among(state, "near", event.near)
    yield from unknown_among(state, "fighters", event.fighters)


def order_forbidden(state: PlayState, event: told.Ordered, logged: LoggedEvent) -> tuple[Refusal, ...]:
    """Everything that forbids the order; distances are the players' word."""
    commander = present(state, event.commander)
    ordered = tuple((present(state, fighter), 0.0) for fighter in event.fighters if fighter != event.commander)
    return (
        *out_of_action(state, event.commander),
        *once_a_turn(state, event.commander),
        *order_refusals(commander, ordered),
        *(refusal for fighter in event.fighters for refusal in once_a_turn(state, fighter)),
    )


def take_order(state: PlayState, event: told.Ordered, logged: LoggedEvent) -> PlayState:
    """The state in which those ordered may do it, as their action of the turn; the Commander has acted."""
    for fighter in dict.fromkeys((*event.fighters, event.commander)):
        known: dict[str, object] = {"acted": state.table.turn, "ordered": state.table.turn, "order": event.order.value}
        known["order_targets"] = (event.target, *event.near) if event.target else ()
        state = replace(state, table=state.table.with_fighter(fighter, **known))
    return state


def object_slips(state: PlayState, event: told.ObjectHandled, logged: LoggedEvent) -> Iterator[Problem]:
    """Is the fighter known?"""
    yield from unknown_fighters(state, fighter=event.fighter)


def object_refusals(state: PlayState, event: told.ObjectHandled, logged: LoggedEvent) -> tuple[Refusal, ...]:
    """A heavy thing takes an action and free hands. Rule book: "Objects"."""
    rule = 'Rule book: "Objects"'
    known = state.table.of(event.fighter)
    if event.how == "dropped":
        missing = event.what not in known.carries
        return (Refusal("not-carried", f"Nobody carries the {event.what} there.", rule),) if missing else ()
    engaged = event.heavy and state.table.engaged(event.fighter)
    held = (Refusal("engaged", "Who is Engaged picks up nothing heavy.", rule),) if engaged else ()
    action = once_a_turn(state, event.fighter) if event.heavy else ()
    return (*out_of_action(state, event.fighter), *action, *held)


def take_object(state: PlayState, event: told.ObjectHandled, logged: LoggedEvent) -> PlayState:
    """The state after something changed hands."""
    known = dict(state.table.of(event.fighter).carries)
    if event.how == "dropped":
        known.pop(event.what, None)
        return replace(state, table=state.table.with_fighter(event.fighter, carries=known))
    known[event.what] = event.heavy
    if event.heavy:
        return acts(state, event.fighter, carries=known)
    return replace(state, table=state.table.with_fighter(event.fighter, carries=known))


# Checks, falls, water, challenges.


def dexterity_slips(state: PlayState, event: told.DexterityChecked, logged: LoggedEvent) -> Iterator[Problem]:
    """Two dice, and two more for a fall if the check fails."""
    unknown = tuple(unknown_fighters(state, fighter=event.fighter))
    yield from unknown
    if unknown:
        return
    lacking = tuple(missing_dice("dice", event.dice, 2))
    yield from lacking
    if not lacking:
        falls = event.falls > 0 and not dexterity(state, event)
        yield from missing_dice("fall_dice", event.fall_dice, 2 if falls else 0)


def dexterity(state: PlayState, event: told.DexterityChecked) -> bool:
    """Does the check succeed?"""
    fighter = present(state, event.fighter)
    first, second = event.dice
    return check_dexterity(fighter, (first, second), present_numbers(fighter, state.settings).initiative).passed


def take_dexterity(state: PlayState, event: told.DexterityChecked, logged: LoggedEvent) -> PlayState:
    """The state after the check, and the fall if there was one."""
    if not event.fall_dice:
        return state
    first, second = event.fall_dice
    body = present(state, event.fighter).table
    result = fall((first, second), ceil(event.falls), body).result
    return harm(state, logged, WoundEvent(victim=event.fighter, result=result, means=Means.FALL, die=event.die or 6))


def water_slips(state: PlayState, event: told.InWater, logged: LoggedEvent) -> Iterator[Problem]:
    """A die for entering, and one against drowning for the Stunned."""
    unknown = tuple(unknown_fighters(state, fighter=event.fighter))
    yield from unknown
    if unknown:
        return
    yield from missing_dice("die", event.die, int(event.entering))
    if not event.entering or event.die is not None:
        yield from missing_dice("drowning", event.drowning, int(may_drown(event)))


def may_drown(event: told.InWater) -> bool:
    """Is there a roll against drowning: in the water already, or swept away on entering?"""
    return not event.entering or (event.die is not None and swept_away(event.die))


def take_water(state: PlayState, event: told.InWater, logged: LoggedEvent) -> PlayState:
    """The state after the water had its way. Rule book: "Terrain" (Water), "Hold the Bridge"."""
    if event.entering and may_drown(event):
        state = harm(state, logged, WoundEvent(victim=event.fighter, result=WoundResult.STUNNED, means=Means.OTHER))
    armoured = present(state, event.fighter).heavy_armour
    if event.drowning is None or not drowns(event.drowning, heavy_armour=armoured):
        return state
    drowned = WoundEvent(victim=event.fighter, result=WoundResult.CRITICAL, means=Means.DROWNING, die=6)
    return harm(state, logged, drowned)


def challenge_slips(state: PlayState, event: told.Challenged, logged: LoggedEvent) -> Iterator[Problem]:
    """Are both known?"""
    yield from unknown_fighters(state, challenger=event.challenger, challenged=event.challenged)


def challenge_forbidden(state: PlayState, event: told.Challenged, logged: LoggedEvent) -> tuple[Refusal, ...]:
    """Everything that forbids the challenge."""
    engaged = state.table.engaged(event.challenger) or state.table.engaged(event.challenged)
    return challenge_refusals(
        present(state, event.challenger), present(state, event.challenged), event.inches, engaged=engaged
    )


def take_challenge(state: PlayState, event: told.Challenged, logged: LoggedEvent) -> PlayState:
    """The state in which the two have a duel to fight, if it was accepted."""
    if not event.accepted:
        return state
    table = state.table.with_fighter(event.challenger, duel_with=event.challenged)
    return replace(state, table=table.with_fighter(event.challenged, duel_with=event.challenger))


RULES: Rules = {
    told.Acted: TurnRule(action_slips, action_refusals, take_action),
    told.Ordered: TurnRule(order_slips, order_forbidden, take_order),
    told.ObjectHandled: TurnRule(object_slips, object_refusals, take_object),
    told.DexterityChecked: TurnRule(dexterity_slips, no_refusals, take_dexterity),
    told.InWater: TurnRule(water_slips, no_refusals, take_water),
    told.Challenged: TurnRule(challenge_slips, challenge_forbidden, take_challenge),
}
