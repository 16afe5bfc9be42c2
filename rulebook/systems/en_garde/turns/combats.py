"""Rounds of hand-to-hand combat are opened in the log.

Rule book: "Combat phase", "Combat procedure", "Mounted combat", "Ride-by attacks", "Lucky".
"""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.ruleset import LoggedEvent, Problem
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.turn_state import Table, touched
from rulebook.systems.en_garde.table.arms_in_hand import Grip, grip_violations, initiative_modifiers
from rulebook.systems.en_garde.table.combatant import present_numbers, total
from rulebook.systems.en_garde.table.pools import Split, split_violations
from rulebook.systems.en_garde.table.rounds import Fencer, Round, open_round
from rulebook.systems.en_garde.turns.approaches import approach_dice, comes, stays_away
from rulebook.systems.en_garde.turns.checking import civilians_idle, named_twice, out_of_action, side_of, unknown_among
from rulebook.systems.en_garde.turns.combat_events import CombatOpened
from rulebook.systems.en_garde.turns.combat_membership import (
    crowd_violations,
    duel_violations,
    foes_of,
    has_fought,
    in_combat,
    marked_moved_on,
    moving_on_violations,
    opening_violations,
    ride_by_violations,
    rider_input_errors,
    rides_by,
)
from rulebook.systems.en_garde.turns.contacts import apart_violations
from rulebook.systems.en_garde.turns.fighters import present, weapon_now
from rulebook.systems.en_garde.turns.loading import fewest_counters
from rulebook.systems.en_garde.turns.luck import luck_used, lucky_violations
from rulebook.systems.en_garde.turns.simplified import (
    pool_violations,
    rank_violations,
    reaches,
    roller_input_errors,
    rollers,
)
from rulebook.systems.en_garde.turns.turn_rule import Rules, TurnRule
from rulebook.values.problems import Violation

RULE = 'Rule book: "Combat"'


def combat_input_errors(state: PlayState, event: CombatOpened, logged: LoggedEvent) -> Iterator[Problem]:
    """Two sides with fighters and counters each, dice for everybody, ties rolled off, weapons that there are."""
    if len(event.fighters) != 2 or not all(event.fighters.values()):
        yield Problem("wrong-sides", "A combat has two sides with somebody in each.", field="fighters")
        return
    unknown = (*_unknown(state, event), *named_twice("fighters", in_combat(event)), *_elsewhere(event))
    unknown = unknown or tuple(rider_input_errors(state, event))
    yield from unknown
    if unknown:
        return
    lacking = tuple(approach_dice(state, event))
    if lacking or not comes(state, event):
        yield from lacking
        return
    if set(event.counters) != set(event.fighters):
        yield Problem("wrong-sides", "Give the counters of these two sides.", field="counters")
    yield from _initiative(state, event)


def _unknown(state: PlayState, event: CombatOpened) -> Iterator[Problem]:
    for side, fighters in event.fighters.items():
        unknown = tuple(unknown_among(state, "fighters", fighters))
        yield from unknown
        strangers = () if unknown else [each for each in fighters if side_of(state, each) != side]
        if strangers:
            yield Problem("other-side", f"Not of side {side!r}.", fighters=tuple(strangers), field="fighters")
    for fighter, weapon in event.weapons.items():
        yield from unknown_weapon(weapon, "weapons", fighter)
    yield from civilians_idle(state, "moved_on", event.moved_on)


def unknown_weapon(weapon: str, field: str, fighter: str) -> Iterator[Problem]:
    """Is it a close combat weapon, or a pistol?"""
    if weapon not in catalogue().arms.close_combat and weapon != "pistol":
        sentence = "There is no such close combat weapon: name one by its key in the tables of arms."
        yield Problem("unknown-weapon", sentence, fighters=(fighter,), field=field, value=weapon)


def _elsewhere(event: CombatOpened) -> Iterator[Problem]:
    """Whoever is named beside the two sides has to be in one of them."""
    named = {
        "in_river": event.in_river,
        "moved_on": (event.moved_on,),
        "doorway": (event.doorway,),
        "window": (event.window,),
        "lucky": (event.lucky,),
        "rider": (event.rider,),
        "initiative_by": event.initiative_by,
        "behind": (*event.behind, *event.behind.values()),
    }
    for field, fighters in named.items():
        strangers = [each for each in fighters if each and each not in in_combat(event)]
        if strangers:
            sentence = "Name somebody who is in this combat."
            yield Problem("not-in-combat", sentence, field=field, value=", ".join(strangers))


def _initiative(state: PlayState, event: CombatOpened) -> Iterator[Problem]:
    input_errors = tuple(roller_input_errors(event))
    yield from input_errors
    everybody = rollers(event)
    complete = set(event.initiative) == set(everybody) and all(event.initiative.values())
    if not input_errors and not complete:
        sentence = f"These throw a die of Initiative: {', '.join(state.named(each) for each in everybody)}."
        yield Problem("wrong-dice", sentence, field="initiative", source='Rule book: "Combat procedure"')
    if input_errors or not complete:
        return
    order = [initiative_of(state, event, fighter) for fighter in everybody]
    if len(set(order)) < len(order):
        tied = " and ".join(
            state.named(each) for each, score in zip(everybody, order, strict=True) if order.count(score) > 1
        )
        sentence = f"{tied} tie: they throw again; add the new dice behind the first."
        yield Problem(
            "tied-initiative", sentence, field="initiative", value=tied, source='Rule book: "Combat procedure"'
        )


def initiative_of(state: PlayState, event: CombatOpened, fighter: str) -> tuple[int, ...]:
    """The score of initiative, and the dice of roll-offs after it: higher goes first."""
    there = present(state, fighter)
    grip = grip_of(state, fighter, event)
    modifiers = initiative_modifiers(
        there,
        grip,
        ride_by=rides_by(state, event, fighter),
        in_river=fighter in event.in_river or _stands_in_river(state, event, fighter),
        settings=state.settings,
    )
    score = present_numbers(there, state.settings).initiative + total(modifiers)
    first, *more = event.initiative[fighter]
    return (score + first, *more)


def _stands_in_river(state: PlayState, event: CombatOpened, fighter: str) -> bool:
    """Does the log know it in the river of that scenario, against somebody on dry ground?"""
    wet = state.scenario.key == "hold-the-bridge" and state.table.of(fighter).in_water
    return wet and not all(state.table.of(foe).in_water for foe in foes_of(event, fighter))


def grip_of(state: PlayState, fighter: str, event: CombatOpened | None = None, *, declared: str = "") -> Grip:
    """How a fighter fights: the weapon declared, in this event or else, or that in its hand."""
    known = state.table.of(fighter)
    weapon = declared or (event.weapons.get(fighter) if event else None) or weapon_now(state, fighter)
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


def combat_violations(state: PlayState, event: CombatOpened, logged: LoggedEvent) -> tuple[Violation, ...]:
    """Everything that forbids the round: numbers, counters, weapons, who has fought already, duels of others."""
    found = [*ride_by_violations(state, event), *moving_on_violations(state, event), *opening_violations(state, event)]
    found += rank_violations(state, event) if event.simplified else crowd_violations(state, event)
    found += (*apart_violations(state, event), *lucky_violations(state, event.lucky, *in_combat(event)))
    if not comes(state, event):
        return tuple(found)
    for side, fighters in event.fighters.items():
        found += _counters(state, event, side)
        for fighter in fighters:
            found += _fighter(state, event, fighter)
    return tuple(found)


def _counters(state: PlayState, event: CombatOpened, side: str) -> tuple[Violation, ...]:
    if event.moved_on in event.fighters[side]:
        return ()
    if event.simplified:
        return tuple(pool_violations(state, event, side))
    fighters = tuple(present(state, fighter) for fighter in event.fighters[side])
    attack, defence = event.counters[side]
    return split_violations(fighters, Split(attack, defence), ride_by=event.ride_by)


def _fighter(state: PlayState, event: CombatOpened, fighter: str) -> Iterator[Violation]:
    if not present(state, fighter).wounds.unconscious:
        yield from out_of_action(state, fighter)
    if has_fought(state, event, fighter):
        yield Violation("fought-already", f"{state.named(fighter)} has fought this turn.", RULE)
    yield from duel_violations(state, event, fighter)
    yield from grip_violations(present(state, fighter), grip_of(state, fighter, event))


def take_combat(state: PlayState, event: CombatOpened, logged: LoggedEvent) -> PlayState:
    """The state with the round open: everybody in contact, counters drawn, order of initiative known."""
    if not comes(state, event):
        return stays_away(state, event)
    fight = _opened(state, event)
    table = _in_contact(state, event)
    for fighter in in_combat(event):
        rides = rides_by(state, event, fighter)
        changes = {"rode_by": table.turn, "acted": table.turn, "moved": table.turn} if rides else {}
        table = table.with_fighter(fighter, fought=table.turn, hidden=False, **changes)
    grips = {fighter: grip_of(state, fighter, event).weapon for fighter in in_combat(event)}
    table = replace(
        table,
        fight=fight,
        ride_by=event.ride_by,
        indoors=event.indoors,
        simplified=event.simplified,
        grips={**table.grips, **grips},
    )
    return marked_moved_on(luck_used(replace(state, table=table), event.lucky), event.moved_on)


def _in_contact(state: PlayState, event: CombatOpened) -> Table:
    """The table with everybody in contact with whom it fights, but for the unconscious, who engage nobody."""
    table = state.table
    reach = reaches(state, event) if event.simplified else {}
    for fighter in in_combat(event):
        if fighter in event.behind or present(state, fighter).wounds.unconscious:
            continue
        foes = reach.get(fighter) or foes_of(event, fighter)
        able = [each for each in foes if not present(state, each).wounds.unconscious]
        table = touched(table, fighter, tuple(dict.fromkeys((*table.of(fighter).contacts, *able))))
    return table


def _opened(state: PlayState, event: CombatOpened) -> Round:
    rolled = sorted(rollers(event), key=lambda fighter: initiative_of(state, event, fighter))
    ranked = [*(each for each in in_combat(event) if each not in rolled), *rolled]
    sides = {fighter: side for side, fighters in event.fighters.items() for fighter in fighters}
    places = tuple((present(state, fighter), sides[fighter], place) for place, fighter in enumerate(ranked))
    pools = {side: Split(*counters) for side, counters in event.counters.items()}
    reach = reaches(state, event) if event.simplified else None
    fight = open_round(places, pools, ride_by=event.ride_by, simplified=event.simplified, reach=reach)
    return replace(fight, fencers=tuple(_once_a_turn(state, event, each) for each in fight.fencers))


def _once_a_turn(state: PlayState, event: CombatOpened, fencer: Fencer) -> Fencer:
    """The fencer with what it has used up this turn of what is done once; who goes on keeps all that it has done."""
    known, turn, before = state.table.of(fencer.id), state.table.turn, fight_of(state, fencer.id)
    fencer = replace(
        fencer,
        feinted=known.feinted == turn > 0,
        riposted=known.riposted == turn > 0,
        doubled=known.doubled == turn > 0,
    )
    if before is None or fencer.id != event.moved_on or event.simplified:
        return fencer
    was = before.fencer(fencer.id)
    return replace(fencer, attacks=was.attacks, passes=was.passes)


def fight_of(state: PlayState, *fighters: str) -> Round | None:
    """The open round if all of these are in it."""
    fight = state.table.fight
    if fight is None or not {*fighters} <= {each.id for each in fight.fencers}:
        return None
    return fight


def no_combat(field: str, fighter: str) -> Problem:
    """The problem of a blow outside any combat."""
    sentence = "There is no open combat with these fighters: open one first."
    return Problem("no-combat", sentence, field=field, value=fighter, source='Rule book: "Combat procedure"')


RULES: Rules = {CombatOpened: TurnRule(combat_input_errors, combat_violations, take_combat)}
