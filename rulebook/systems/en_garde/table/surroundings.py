"""Doors, windows, decks, wagons and other surroundings that a log can tell of.

Rule book: "Terrain" (Buildings), "Line of sight and cover", "Ships", "Wagons", "Spells" (Undergrowth).
"""

from collections.abc import Mapping
from enum import StrEnum

from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.table.moving import Gait, Terrain, jump
from rulebook.systems.en_garde.table.shooting import Cover
from rulebook.values.problems import Violation

DOOR_COST = 1
"""Inches that opening or closing an unlocked door or window takes off a move."""
WAGON_RATE = "fast"
"""The rate of a wagon that is drawn; it is activated like a fighter."""
INDOORS = Terrain.DIFFICULT
"""The ground inside a building, stairs included: they are walked, not climbed."""
ABOARD = Terrain.DIFFICULT
"""The ground aboard a ship; to leap from deck to deck or into a boat takes a Dexterity Check."""


class Place(StrEnum):
    """Where a move leads that has ground of its own."""

    FIELD = "field"
    BUILDING = "building"
    SHIP = "ship"


class Shelter(StrEnum):
    """What a target stands behind, for those who do not have the grades of cover by heart."""

    NONE = "none"
    SHRUBS = "shrubs"
    FENCE = "fence"
    LOW_WALL = "low-wall"
    STONE_WALL = "stone-wall"
    EMBANKMENT = "embankment"
    PALISADE = "palisade"
    BUILDING = "building"
    WAGON = "wagon"
    ARMOURED_WAGON = "armoured-wagon"


GROUND: Mapping[Place, Terrain] = {Place.FIELD: Terrain.OPEN, Place.BUILDING: INDOORS, Place.SHIP: ABOARD}
TERRAINS = tuple(Terrain)
WORSENED: Mapping[Terrain, Terrain] = {Terrain.OPEN: Terrain.DIFFICULT, Terrain.DIFFICULT: Terrain.IMPASSABLE}
"""What an Undergrowth makes of the ground; what cannot be crossed stays so."""
SHELTERS: Mapping[Shelter, Cover] = {
    Shelter.NONE: Cover.NONE,
    Shelter.SHRUBS: Cover.LIGHT,
    Shelter.FENCE: Cover.MEDIUM,
    Shelter.LOW_WALL: Cover.MEDIUM,
    Shelter.STONE_WALL: Cover.HEAVY,
    Shelter.EMBANKMENT: Cover.HEAVY,
    Shelter.PALISADE: Cover.HEAVY,
    Shelter.BUILDING: Cover.HEAVY,
    Shelter.WAGON: Cover.MEDIUM,
    Shelter.ARMOURED_WAGON: Cover.HEAVY,
}


def ground(terrain: Terrain, place: Place = Place.FIELD, *, undergrowth: bool = False) -> Terrain:
    """The worst ground of a move: difficult at least inside buildings and aboard; an Undergrowth makes it worse."""
    worst = max(terrain, GROUND[place], key=TERRAINS.index)
    return WORSENED.get(worst, worst) if undergrowth else worst


def cover_behind(shelter: Shelter, cover: Cover = Cover.NONE) -> Cover:
    """The cover of a target: what it stands behind gives, or what was told, the better of the two."""
    return max(cover, SHELTERS[shelter], key=list(Cover).index)


def attackers_through(opening: str) -> int:
    """How many may fight somebody who stands in a "doorway" (2) or at a "window" (1). Raises KeyError for others."""
    return {"doorway": 2, "window": 1}[opening]


def takes_check(fighter: Combatant, *, jumps: float = 0, climbs: float = 0, leaps_aboard: bool = False) -> bool:
    """Does a move with a jump or climb (in inches) take a Dexterity Check? Nobody who flies makes one."""
    if fighter.has("fly"):
        return False
    return leaps_aboard or climbs > 0 or (jumps > 0 and jump(jumps).needs_check)


def leap_violations(fighter: Combatant, gait: Gait, *, jumps: float = 0, climbs: float = 0) -> tuple[Violation, ...]:
    """Everything that forbids to jump or climb in a move of this gait. Rule book: "Jumping", "Climbing"."""
    if fighter.has("fly") or not (jumps or climbs):
        return ()
    asked = jump(jumps)
    hurried = asked.gait is Gait.SHORT and gait is not Gait.SHORT
    checks = (
        (not asked.possible, "too-far-to-jump", 'Nobody jumps more than 2".', "Jumping"),
        (asked.possible and hurried, "jump-needs-short-move", 'More than 1" is jumped in a short move.', "Jumping"),
        (climbs > 0 and gait is not Gait.SHORT, "climb-needs-short-move", "Climbing is a short move.", "Climbing"),
    )
    return tuple(Violation(code, sentence, f'Rule book: "{rule}"') for wrong, code, sentence, rule in checks if wrong)
