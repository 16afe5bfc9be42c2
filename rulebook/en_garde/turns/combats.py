"""Rounds of hand-to-hand combat in the log: opened, fought blow by blow, and let go.

Rule book: "Combat phase", "Ploys", "Mounted combat", "Ride-by attacks", "Lucky".
"""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.en_garde.catalogue import catalogue
from rulebook.en_garde.play_state import PlayState
from rulebook.en_garde.table.arms_in_hand import Grip, grip_refusals, initiative_modifiers
from rulebook.en_garde.table.combatant import Refusal, present_numbers, total
from rulebook.en_garde.table.pools import Split, split_refusals
from rulebook.en_garde.table.rounds import Round, open_round, passed, switched_weapon
from rulebook.en_garde.turns import events as told
from rulebook.en_garde.turns.checking import out_of_action, unknown_among, unknown_fighters
from rulebook.en_garde.turns.fighters import present, weapon_now
from rulebook.en_garde.turns.joining import (
    crowd_refusals,
    duel_refusals,
    in_combat,
    marked_moved_on,
    moving_on_refusals,
    ride_by_refusals,
    rides_by,
    simplified_refusals,
)
from rulebook.en_garde.turns.loading import fewest_counters
from rulebook.en_garde.turns.state import touched
from rulebook.en_garde.turns.turn_rule import Rules, TurnRule, no_refusals
from rulebook.ruleset import LoggedEvent, Problem

RULE = 'Rule book: "Combat"'


def combat_slips(state: PlayState, event: told.CombatOpened, logged: LoggedEvent) -> Iterator[Problem]:
    """Two sides with fighters and counters each, dice for everybody, ties rolled off, weapons that there are."""
    if len(event.fighters) != 2 or not all(event.fighters.values()):
        yield Problem("wrong-sides", "A combat has two sides with somebody in each.", field="fighters")
        return
    named = unknown_among(state, "in_river", (*event.in_river, *((event.moved_on,) if event.moved_on else ())))
    unknown = (*named, *_unknown(state, event))
    yield from unknown
    if unknown:
        return
    if set(event.counters) != set(event.fighters):
        yield Problem("wrong-sides", "Give the counters of these two sides.", field="counters")
    yield from _initiative(state, event)


def _unknown(state: PlayState, event: told.CombatOpened) -> Iterator[Problem]:
    for side, fighters in event.fighters.items():
        unknown = tuple(unknown_among(state, "fighters", fighters))
        yield from unknown
        strangers = () if unknown else [each for each in fighters if _side(state, each) != side]
        if strangers:
            yield Problem("other-side", f"Not of side {side!r}.", fighters=tuple(strangers), field="fighters")
    for fighter, weapon in event.weapons.items():
        if weapon not in catalogue().arms.close_combat and weapon != "pistol":
            sentence = "There is no such weapon."
            yield Problem("unknown-weapon", sentence, fighters=(fighter,), field="weapons", value=weapon)


def _side(state: PlayState, fighter: str) -> str:
    return state.civilians[fighter].side if fighter in state.civilians else state.side_of(fighter)


def _initiative(state: PlayState, event: told.CombatOpened) -> Iterator[Problem]:
    everybody = in_combat(event)
    if set(event.initiative) != set(everybody):
        yield Problem("wrong-dice", "A die of initiative for everybody in it.", field="initiative")
        return
    order = [initiative_of(state, event, fighter) for fighter in everybody]
    if len(set(order)) < len(order):
        sentence = "Some tie: they throw again; add the new dice behind the first."
        yield Problem("tied-initiative", sentence, field="initiative")


def initiative_of(state: PlayState, event: told.CombatOpened, fighter: str) -> tuple[int, ...]:
    """The score of initiative, and the dice of roll-offs after it: higher goes first."""
    there = present(state, fighter)
    grip = grip_of(state, fighter, event)
    modifiers = initiative_modifiers(
        there,
        grip,
        ride_by=rides_by(state, event, fighter),
        in_river=fighter in event.in_river,
        settings=state.settings,
    )
    score = present_numbers(there, state.settings).initiative + total(modifiers)
    first, *more = event.initiative[fighter]
    return (score + first, *more)


def grip_of(state: PlayState, fighter: str, event: told.CombatOpened | None = None) -> Grip:
    """How a fighter fights: the weapon declared in this event, or that in its hand."""
    known = state.table.of(fighter)
    weapon = (event.weapons.get(fighter) if event else None) or weapon_now(state, fighter)
    there = present(state, fighter)
    return Grip(
        weapon=weapon,
        two_handed=_in_both_hands(weapon, mounted=there.mounted, shielded=there.buckler or there.shield),
        first_round=not known.contacts or known.engaged_on == state.table.turn,
        indoors=event.indoors if event else state.table.indoors,
        pistol_reload=fewest_counters(state, fighter, "pistol") if weapon == "pistol" else 0,
    )


def _in_both_hands(weapon: str, *, mounted: bool, shielded: bool) -> bool:
    """Weapons for one or two hands are swung with both if there is nothing else to hold."""
    hands = catalogue().arms.close_combat.get(weapon)
    return hands is not None and hands.hands == "either" and not (mounted or shielded)


def combat_refusals(state: PlayState, event: told.CombatOpened, logged: LoggedEvent) -> tuple[Refusal, ...]:
    """Everything that forbids the round: numbers, counters, weapons, who has fought already, duels of others."""
    found = [*ride_by_refusals(state, event), *moving_on_refusals(state, event)]
    if not event.simplified:
        found += crowd_refusals(state, event)
    for side, fighters in event.fighters.items():
        found += _counters(state, event, side)
        for fighter in fighters:
            found += _fighter(state, event, fighter)
    return tuple(found)


def _counters(state: PlayState, event: told.CombatOpened, side: str) -> tuple[Refusal, ...]:
    if event.simplified:
        return tuple(simplified_refusals(state, event, side))
    if event.moved_on in event.fighters[side]:
        return ()
    fighters = tuple(present(state, fighter) for fighter in event.fighters[side])
    attack, defence = event.counters[side]
    return split_refusals(fighters, Split(attack, defence), ride_by=event.ride_by)


def _fighter(state: PlayState, event: told.CombatOpened, fighter: str) -> Iterator[Refusal]:
    known = state.table.of(fighter)
    if not present(state, fighter).wounds.unconscious:
        yield from out_of_action(state, fighter)
    if known.fought == state.table.turn > 0 and not event.moved_on:
        yield Refusal("fought-already", f"{state.named(fighter)} has fought this turn.", RULE)
    yield from duel_refusals(state, event, fighter)
    yield from grip_refusals(present(state, fighter), grip_of(state, fighter, event))


def take_combat(state: PlayState, event: told.CombatOpened, logged: LoggedEvent) -> PlayState:
    """The state with the round open: everybody in contact, counters drawn, order of initiative known."""
    first, second = event.fighters.values()
    fight = _opened(state, event)
    table = state.table
    for fighter, foes in [(each, second) for each in first] + [(each, first) for each in second]:
        known = table.of(fighter).contacts
        table = touched(table, fighter, known if known and event.simplified else tuple(dict.fromkeys((*known, *foes))))
        rides = rides_by(state, event, fighter)
        changes = {"rode_by": table.turn, "acted": table.turn} if rides else {}
        table = table.with_fighter(fighter, fought=table.turn, **changes)
    grips = {fighter: grip_of(state, fighter, event).weapon for fighter in in_combat(event)}
    table = replace(table, fight=fight, ride_by=event.ride_by, indoors=event.indoors, grips={**table.grips, **grips})
    return marked_moved_on(replace(state, table=table), event.moved_on)


def _opened(state: PlayState, event: told.CombatOpened) -> Round:
    ranked = sorted(in_combat(event), key=lambda fighter: initiative_of(state, event, fighter))
    sides = {fighter: side for side, fighters in event.fighters.items() for fighter in fighters}
    places = tuple((present(state, fighter), sides[fighter], place) for place, fighter in enumerate(ranked))
    pools = {side: Split(*counters) for side, counters in event.counters.items()}
    return open_round(places, pools, ride_by=event.ride_by, simplified=event.simplified)


def fight_of(state: PlayState, *fighters: str) -> Round | None:
    """The open round if all of these are in it."""
    fight = state.table.fight
    if fight is None or not {*fighters} <= {each.id for each in fight.fencers}:
        return None
    return fight


def no_combat(field: str, fighter: str) -> Problem:
    """The problem of a blow outside any combat."""
    sentence = "There is no open combat with these fighters: open one first."
    return Problem("no-combat", sentence, field=field, value=fighter)


# Passing and switching weapons.


def pass_slips(state: PlayState, event: told.Passed, logged: LoggedEvent) -> Iterator[Problem]:
    """Is it this fighter's opportunity to let go?"""
    unknown = tuple(unknown_fighters(state, fighter=event.fighter))
    yield from unknown
    if unknown:
        return
    fight = fight_of(state, event.fighter)
    if fight is None:
        yield no_combat("fighter", event.fighter)
    elif fight.next is None or fight.next.id != event.fighter:
        sentence = "It is not this fighter's opportunity."
        yield Problem("not-its-turn", sentence, field="fighter", value=event.fighter)


def take_pass(state: PlayState, event: told.Passed, logged: LoggedEvent) -> PlayState:
    """The state after the opportunity was let go."""
    assert state.table.fight is not None  # noqa: S101 - the check saw to it; this tells the type checker
    return replace(state, table=replace(state.table, fight=passed(state.table.fight)))


def switch_slips(state: PlayState, event: told.WeaponSwitched, logged: LoggedEvent) -> Iterator[Problem]:
    """Is there such a weapon, and an open combat?"""
    unknown = tuple(unknown_fighters(state, fighter=event.fighter))
    yield from unknown
    if unknown:
        return
    if event.weapon not in catalogue().arms.close_combat and event.weapon != "pistol":
        yield Problem("unknown-weapon", "There is no such weapon.", field="weapon", value=event.weapon)
    fight = fight_of(state, event.fighter)
    if fight is None:
        yield no_combat("fighter", event.fighter)
    elif fight.pools[fight.fencer(event.fighter).side].attack < 1:
        yield Problem("no-counter", "It takes an Attack counter.", field="fighter", value=event.fighter)


def switch_refusals(state: PlayState, event: told.WeaponSwitched, logged: LoggedEvent) -> tuple[Refusal, ...]:
    """Can it be held, and is it this fighter's opportunity?"""
    empty = fewest_counters(state, event.fighter, "pistol") if event.weapon == "pistol" else 0
    return (
        *grip_refusals(present(state, event.fighter), Grip(event.weapon, pistol_reload=empty)),
        *_not_its_opportunity(state, event.fighter),
    )


def _not_its_opportunity(state: PlayState, fighter: str) -> tuple[Refusal, ...]:
    """Switching stands in the place of an attack: it takes the fighter's own opportunity."""
    fight = state.table.fight
    if fight is not None and fight.next is not None and fight.next.id == fighter:
        return ()
    return (Refusal("not-its-turn", "It is not this fighter's opportunity.", 'Rule book: "Which weapon?"'),)


def take_switch(state: PlayState, event: told.WeaponSwitched, logged: LoggedEvent) -> PlayState:
    """The state with the other weapon in hand."""
    assert state.table.fight is not None  # noqa: S101 - the check saw to it; this tells the type checker
    fight = switched_weapon(state.table.fight, event.fighter)
    grips = {**state.table.grips, event.fighter: event.weapon}
    return replace(state, table=replace(state.table, fight=fight, grips=grips))


RULES: Rules = {
    told.CombatOpened: TurnRule(combat_slips, combat_refusals, take_combat),
    told.Passed: TurnRule(pass_slips, no_refusals, take_pass),
    told.WeaponSwitched: TurnRule(switch_slips, switch_refusals, take_switch),
}
