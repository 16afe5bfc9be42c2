"""Who may join a round of combat: how many of which size, in ride-by attacks, in duels, and coming from another combat.

Rule book: "Combat", "Ride-by attacks", "Duels", "Initiating a new combat".
"""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from rulebook.ruleset import Problem
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.table.pools import Split, most_against, split_violations
from rulebook.systems.en_garde.table.rounds import moved_on, new_combat_violations
from rulebook.systems.en_garde.table.surroundings import attackers_through
from rulebook.systems.en_garde.table.wounds import WoundTable
from rulebook.systems.en_garde.turns.combat_events import CombatOpened
from rulebook.systems.en_garde.turns.duels import in_a_duel, in_duel_with
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.values.problems import Violation

RIDE_BY = 'Rule book: "Ride-by attacks"'
NEW_COMBAT = 'Rule book: "Initiating a new combat"'


def in_combat(event: CombatOpened) -> tuple[str, ...]:
    """Everybody in the combat."""
    return tuple(fighter for fighters in event.fighters.values() for fighter in fighters)


def has_large_base(fighter: Combatant) -> bool:
    """Does it stand on a larger base than a fighter on foot? Riders, and large and huge bodies, do."""
    return fighter.mounted or fighter.table is not WoundTable.STANDARD


def crowd_violations(state: PlayState, event: CombatOpened) -> Iterator[Violation]:
    """One side has one fighter only, and no more against it than find room around its base."""
    smaller, larger = sorted(event.fighters.values(), key=len)
    rule = 'Rule book: "Combat"'
    if len(smaller) > 1:
        yield Violation("both-sides-many", "Only one side of a combat has several fighters.", rule)
        return
    most = room_around(state, smaller[0], larger)
    if len(larger) > most:
        yield Violation("too-many", f"At most {most} fight it at once.", rule)


def room_around(state: PlayState, one: str, many: Iterable[str]) -> int:
    """How many of these may fight that one."""
    return most_against(base_of(present(state, one), tuple(present(state, each) for each in many)))


def base_of(one: Combatant, many: tuple[Combatant, ...]) -> str:
    """The base of one fighter beside those against it: "larger" or "smaller" than every one of theirs, else "same"."""
    large = {has_large_base(each) for each in many}
    if large == {not has_large_base(one)}:
        return "larger" if has_large_base(one) else "smaller"
    return "same"


def opening_violations(state: PlayState, event: CombatOpened) -> Iterator[Violation]:
    """No more than two fight somebody in a doorway, and one at a window. Rule book: "Buildings"."""
    for opening, fighter in (("doorway", event.doorway), ("window", event.window)):
        foes = foes_of(event, fighter) if fighter else ()
        if len(foes) > attackers_through(opening):
            most = attackers_through(opening)
            sentence = f"Through a {opening} no more than {most} {'fights' if most == 1 else 'fight'} it."
            yield Violation("too-many", sentence, 'Rule book: "Buildings"')


def foes_of(event: CombatOpened, fighter: str) -> tuple[str, ...]:
    """Everybody in the combat on the other side."""
    own = {side for side, fighters in event.fighters.items() if fighter in fighters}
    return tuple(each for side, fighters in event.fighters.items() if side not in own for each in fighters)


def rides_by(state: PlayState, event: CombatOpened, fighter: str) -> bool:
    """Is it the rider of a ride-by attack: the one who is named, else mounted, free, and not moved this turn?"""
    return event.ride_by and (fighter == event.rider if event.rider else _may_ride_by(state, fighter))


def _may_ride_by(state: PlayState, fighter: str) -> bool:
    free = not state.table.engaged(fighter) and state.table.of(fighter).moved != state.table.turn
    return free and present(state, fighter).mounted


def rider_input_errors(state: PlayState, event: CombatOpened) -> Iterator[Problem]:
    """Is it clear who rides by?"""
    if event.rider and not event.ride_by:
        sentence = "Nobody rides by here: leave 'rider' out, or say 'ride_by' too."
        yield Problem("no-ride-by", sentence, field="rider", value=event.rider, source=RIDE_BY)
    riders = [state.named(fighter) for fighter in in_combat(event) if rides_by(state, event, fighter)]
    if len(riders) > 1:
        sentence = f"One rides by, and {' and '.join(riders)} could: name the one as 'rider'."
        yield Problem("rider-needed", sentence, field="rider", source=RIDE_BY)


def ride_by_violations(state: PlayState, event: CombatOpened) -> Iterator[Violation]:
    """A ride-by attack takes one rider who is neither Engaged nor has moved, and has not wavered before an enemy."""
    riders = [fighter for fighter in in_combat(event) if rides_by(state, event, fighter)]
    if event.ride_by and not any(_may_ride_by(state, rider) for rider in riders):
        yield Violation("no-rider", "It takes a rider who is free and has not moved this turn.", RIDE_BY)
    if any(state.table.of(rider).shied == state.table.turn for rider in riders):
        yield Violation("wavered", "The rider has wavered: it comes near no enemy this turn.", RIDE_BY)
    if event.ride_by and event.simplified:
        sentence = "In the simplified procedure riders withdraw freely instead."
        yield Violation("no-ride-by", sentence, 'Rule book: "Appendix A"')


def duel_violations(state: PlayState, event: CombatOpened, fighter: str) -> Iterator[Violation]:
    """Who has a duel to fight fights nobody else, and nobody joins in, until one of the two is dead."""
    foe = in_duel_with(state, fighter)
    if foe and set(in_combat(event)) != {fighter, foe}:
        yield in_a_duel(state, fighter, foe)


def counters_brought(state: PlayState, event: CombatOpened) -> Split | None:
    """The counters of a fighter who goes on from the combat before, None if nobody does or nobody may."""
    fight = state.table.fight
    if not event.moved_on or fight is None or event.moved_on not in {each.id for each in fight.fencers}:
        return None
    return moved_on(fight, event.moved_on)


def moving_on_violations(state: PlayState, event: CombatOpened) -> Iterator[Violation]:
    """A fighter may go on to new opponents once a turn, for an Attack counter, with the counters that are left."""
    if not event.moved_on:
        return
    brought = counters_brought(state, event)
    if brought is None or state.table.fight is None:
        yield Violation("no-combat", "It comes from no combat of this turn.", NEW_COMBAT)
        return
    found = new_combat_violations(state.table.fight, event.moved_on)
    yield from found
    if state.table.engaged(event.moved_on) and "still-engaged" not in [each.code for each in found]:
        others = ", ".join(state.named(each) for each in state.table.of(event.moved_on).contacts)
        yield Violation("still-engaged", f"It still touches {others}.", NEW_COMBAT)
    yield from _counter_violations(state, event, brought)


def _counter_violations(state: PlayState, event: CombatOpened, brought: Split) -> Iterator[Violation]:
    """Its side has the counters that it brings, and beside them those that its friends there draw."""
    side = state.side_of(event.moved_on)
    friends = tuple(present(state, each) for each in event.fighters.get(side, ()) if each != event.moved_on)
    attack, defence = event.counters[side]
    drawn = Split(attack - brought.attack, defence - brought.defence)
    known = f"It brings {brought.attack} Attack and {brought.defence} Defence counters."
    for violation in split_violations(friends, drawn) if friends else _none_drawn(drawn):
        sentence = f"{known} Of its friends: {violation.sentence}" if friends else known
        yield Violation(violation.code, sentence, NEW_COMBAT)


def _none_drawn(drawn: Split) -> tuple[Violation, ...]:
    return () if drawn == Split(0, 0) else (Violation("wrong-pool", "", NEW_COMBAT),)


def has_fought(state: PlayState, event: CombatOpened, fighter: str) -> bool:
    """Has it had its combat of the turn? Who goes on has not, nor has whomever he goes to.

    Rule book: "Combat", "Initiating a new combat".
    """
    fresh = event.moved_on and (fighter == event.moved_on or fighter in foes_of(event, event.moved_on))
    return state.table.of(fighter).fought == state.table.turn > 0 and not fresh


def marked_moved_on(state: PlayState, fighter: str) -> PlayState:
    """The state in which a fighter has made its one such move of the turn."""
    fight = state.table.fight
    if not fighter or fight is None:
        return state
    fencers = tuple(replace(each, moved_on=True) if each.id == fighter else each for each in fight.fencers)
    return replace(state, table=replace(state.table, fight=replace(fight, fencers=fencers)))
