"""Reload counters in the log: on each of a fighter's weapons, and on guns, which belong to their side.

Of two of a kind (pistols, guns) each has counters of its own: the second is kept as "pistol:2". Rule book: "Reload",
"Pistol", "Ordinance special rules".
"""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from rulebook.ruleset import Problem
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.play.play_state import PlayState, outfit
from rulebook.systems.en_garde.rosters.builds import plain
from rulebook.systems.en_garde.rosters.extras import BoughtGun, read_extras
from rulebook.values.problems import Violation


def guns_of(state: PlayState, fighter: str) -> tuple[BoughtGun, ...]:
    """The guns that a fighter's warband brought."""
    if fighter in state.civilians:
        return ()
    bought = state.side(state.side_of(fighter)).extras.get("ordnance", ())
    return read_extras({"ordnance": bought}).ordnance


def served_by(state: PlayState, fighter: str) -> tuple[str, ...]:
    """The guns that it may serve: those that name it in their crew, and those that name nobody."""
    return tuple(bought.gun for bought in guns_of(state, fighter) if not bought.crew or fighter in bought.crew)


def gun_violations(state: PlayState, fighter: str, weapon: str) -> tuple[Violation, ...]:
    """A gun is served by its crew alone. Rule book: "Crew"."""
    brought = weapon in (bought.gun for bought in guns_of(state, fighter))
    if not brought or weapon in served_by(state, fighter):
        return ()
    name = catalogue().arms.guns[weapon].name.lower()
    return (Violation("not-of-the-crew", f"{state.named(fighter)} does not serve the {name}.", 'Rule book: "Crew"'),)


def unknown_gun(gun: str) -> Iterator[Problem]:
    """Is there such a gun, if one is named?"""
    if gun and gun not in catalogue().arms.guns:
        known = ", ".join(catalogue().arms.guns)
        yield Problem("unknown-weapon", f"There is no such gun. Known: {known}.", field="gun", value=gun)


def immobile_violations(gun: str) -> tuple[Violation, ...]:
    """An Immobile gun is turned on the spot and not moved; anything else is no gun. Rule book: "Immobile"."""
    row = catalogue().arms.guns.get(gun)
    if row is None or not row.immobile:
        return ()
    return (
        Violation("immobile", f"The {row.name.lower()} is turned on the spot, not moved.", 'Rule book: "Immobile"'),
    )


def gun_move_violations(state: PlayState, fighter: str, gun: str) -> tuple[Violation, ...]:
    """Everything that forbids to take a gun along; nothing if none is."""
    if not gun:
        return ()
    if gun not in (bought.gun for bought in guns_of(state, fighter)):
        name = catalogue().arms.guns[gun].name.lower()
        return (Violation("not-carried", f"{state.named(fighter)} has no {name}.", 'Rule book: "Ordinance"'),)
    return (*gun_violations(state, fighter, gun), *immobile_violations(gun))


def pieces(state: PlayState, fighter: str, weapon: str) -> tuple[str, ...]:
    """The names under which the counters of each such weapon are kept: one at least."""
    if weapon in catalogue().arms.guns:
        number = sum(bought.gun == weapon for bought in guns_of(state, fighter))
    else:
        there = state.combatants.get(fighter)
        number = 0 if there is None else [plain(key) for key in outfit(there.fighter).equipment].count(weapon)
    return (weapon, *(f"{weapon}:{place}" for place in range(2, number + 1)))


def counters_on(state: PlayState, fighter: str, weapon: str) -> Mapping[str, int]:
    """The Reload counters of each such weapon, piece by piece."""
    kept = state.table.of(fighter).reload
    if weapon in catalogue().arms.guns:
        kept = state.table.guns.get(state.side_of(fighter), {})
    return {piece: kept.get(piece, 0) for piece in pieces(state, fighter, weapon)}


def fewest_counters(state: PlayState, fighter: str, weapon: str) -> int:
    """Reload counters on the piece that is nearest to being ready: 0 if one can be fired."""
    return min(counters_on(state, fighter, weapon).values())


def to_load(state: PlayState, fighter: str, weapon: str) -> tuple[str, int]:
    """The piece that is loaded next, and its counters: the one nearest to being ready, of those that are not.

    0 counters if all are ready.
    """
    empty = [(counters, piece) for piece, counters in counters_on(state, fighter, weapon).items() if counters]
    counters, piece = min(empty, default=(0, weapon))
    return piece, counters


def readiest(state: PlayState, fighter: str, weapon: str) -> str:
    """The piece that is fired next: the first of those with the fewest counters."""
    known = counters_on(state, fighter, weapon)
    return min(known, key=lambda each: known[each])


def fired(state: PlayState, fighter: str, weapon: str, counters: int) -> PlayState:
    """The state after a shot, with so many counters more on the first piece that was ready."""
    piece = readiest(state, fighter, weapon)
    return with_counters(state, fighter, piece, counters_on(state, fighter, weapon)[piece] + counters)


def with_counters(state: PlayState, fighter: str, piece: str, counters: int) -> PlayState:
    """The state with so many counters on this piece."""
    if piece.partition(":")[0] not in catalogue().arms.guns:
        reload = {**state.table.of(fighter).reload, piece: counters}
        return replace(state, table=state.table.with_fighter(fighter, reload=reload))
    side = state.side_of(fighter)
    guns = {**state.table.guns, side: {**state.table.guns.get(side, {}), piece: counters}}
    return replace(state, table=replace(state.table, guns=guns))
