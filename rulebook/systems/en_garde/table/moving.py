"""Moving: how far, over and through what, and what can go wrong on the way.

Rule book: "Move" to "Reduced movement", "Terrain", "Ships", "Wagons", "Spells" (Undergrowth).
"""

from collections.abc import Mapping
from enum import StrEnum
from math import ceil

from msgspec import Struct

from rulebook.systems.en_garde.book import broken
from rulebook.systems.en_garde.book.arms import Rate
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.table.combatant import Combatant, Modifier, added, total
from rulebook.systems.en_garde.table.wounds import WoundResult, WoundTable, wound_result
from rulebook.values.problems import Violation

DEXTERITY_NEEDED = 8
FALL_ABSORBED = 8
TURN_COST = 2
RIVER_SWEEPS_ON = 6
HOUND_OBEYS = 4
SCOUT_MOVE = 12


class Gait(StrEnum):
    """The ways to move in one action."""

    SHORT = "short"
    NORMAL = "normal"
    RUN = "run"


class Terrain(StrEnum):
    """The worst ground that a move touches."""

    OPEN = "open"
    DIFFICULT = "difficult"
    IMPASSABLE = "impassable"
    DEEP_WATER = "deep-water"


class Reach(Struct, frozen=True):
    """The reach of a move in inches, and its rate."""

    rate: str
    inches: float
    violations: tuple[Violation, ...] = ()


def reach(
    fighter: Combatant,
    gait: Gait,
    terrain: Terrain = Terrain.OPEN,
    *,
    carries_heavy: bool = False,
    extra_turns: int = 0,
    passes_enemy: bool = False,
) -> Reach:
    """Return how far a fighter may go this way, with everything that forbids it.

    A turn of up to 180 degrees is free, each further one costs 2". Rule book: "Move", "Terrain",
    "Objects".
    """
    rate = rate_over(fighter, terrain, carries_heavy=carries_heavy)
    inches = rate.normal
    if gait is not Gait.NORMAL:
        inches = rate.run if gait is Gait.RUN else rate.short
    violations = move_violations(fighter, gait, terrain, passes_enemy=passes_enemy)
    return Reach(rate.key, max(0, inches - TURN_COST * extra_turns), violations)


def rate_over(
    fighter: Combatant, terrain: Terrain = Terrain.OPEN, *, carries_heavy: bool = False
) -> Rate:
    """Return the rate at which a fighter crosses this ground."""
    rate = moving_rate(fighter)
    if terrain is Terrain.OPEN and not carries_heavy:
        return catalogue().rates[rate]
    return slowed(rate, slowing_steps(fighter, terrain, carries_heavy=carries_heavy))


def moving_rate(fighter: Combatant) -> str:
    """Return the rate at which it moves on open ground: its mount's, if it has one; Fast for a
    flier.

    Rule book: "Fly".
    """
    if fighter.mounted:
        return "cavalry"
    return "fast" if fighter.has("fly") else fighter.rate


def slowing_steps(fighter: Combatant, terrain: Terrain, *, carries_heavy: bool = False) -> int:
    """Return how many rates lower it moves. Rule book: "Terrain", "Objects", "Agile", "Fly"."""
    load = int(carries_heavy and not fighter.mounted)
    if fighter.has("fly"):
        return load
    if terrain is Terrain.DIFFICULT:
        return load + int(not fighter.has("agile"))
    if terrain is Terrain.IMPASSABLE and fighter.has("agile"):
        return load + 1
    return load


def slowed(rate: str, steps: int) -> Rate:
    """Return the rate so many steps lower; below Slow there is half of Slow and nothing less.

    Ruling D6.
    """
    book = catalogue()
    if not steps:
        return book.rates[rate]
    rates = list(book.rates.values())
    place = [each.key for each in rates].index(rate) - steps
    return rates[place] if place >= 0 else book.floor


def move_violations(
    fighter: Combatant, gait: Gait, terrain: Terrain, *, passes_enemy: bool = False
) -> tuple[Violation, ...]:
    """Return everything that forbids this move.

    Rule book: "Move", "Terrain", "Armour", "Mounts".
    """
    runs = gait is Gait.RUN
    flies = fighter.has("fly")
    barded = fighter.steed is not None and fighter.steed.heavy
    crosses = flies or fighter.has("agile")
    deep = terrain is Terrain.DEEP_WATER
    return broken(
        (runs and fighter.heavy_armour, "heavy-armour-runs"),
        (runs and barded, "heavy-barding-runs"),
        (runs and passes_enemy, "runs-past-enemy"),
        (deep and not flies, "deep-water"),
        (terrain is Terrain.IMPASSABLE and not crosses, "impassable"),
    )


def rout_reach(fighter: Combatant, terrain: Terrain = Terrain.OPEN) -> Reach:
    """Return how far it runs from a battle that it has had enough of: a run, or a normal move if it
    cannot run.

    Towards the nearest edge, round any enemy. Rule book: "Routing".
    """
    run = reach(fighter, Gait.RUN, terrain)
    return reach(fighter, Gait.NORMAL, terrain) if run.violations else run


class DexterityCheck(Struct, frozen=True):
    """A Dexterity Check: the dice, what was added, the score, and whether it reached 8."""

    dice: tuple[int, int]
    modifiers: tuple[Modifier, ...]
    score: int
    passed: bool


def dexterity_modifiers(fighter: Combatant, initiative: int | None = None) -> tuple[Modifier, ...]:
    """Return what is added to 2D6.

    Only worn armour of 3 or more hinders, and no spell (Ruling B17).

    Rule book: "Dexterity Check".
    """
    rule = 'Rule book: "Dexterity Check"'
    weight = fighter.worn - fighter.warded
    own = Modifier(fighter.initiative if initiative is None else initiative, "Initiative", rule)
    return own, *added(
        (-weight if weight >= 3 else 0, "heavy armour", "Ruling B17"),
        (2 if fighter.has("agile") else 0, "Agile", 'Rule book: "Agile"'),
    )


def check_dexterity(
    fighter: Combatant, dice: tuple[int, int], initiative: int | None = None
) -> DexterityCheck:
    """Return the check with these two dice; ``initiative`` is the present one if wounds have
    changed it."""
    modifiers = dexterity_modifiers(fighter, initiative)
    score = sum(dice) + total(modifiers)
    return DexterityCheck(dice, modifiers, score, score >= DEXTERITY_NEEDED)


class Jump(Struct, frozen=True):
    """The conditions of a jump: what forbids it, its gait, and whether it needs a Dexterity
    Check."""

    possible: bool
    gait: Gait
    needs_check: bool


def jump(inches: float) -> Jump:
    """Return the violations of a jump: up to 1 inch goes with any move, up to 2 inches with a
    short one and a check.

    Rule book: "Jumping".
    """
    if inches <= 1:
        return Jump(possible=True, gait=Gait.RUN, needs_check=False)
    return Jump(possible=inches <= 2, gait=Gait.SHORT, needs_check=True)


def scout_violations(fighter: Combatant, inches: float) -> tuple[Violation, ...]:
    """Return what forbids a move before the game: it is for Scouts, up to 12 inches.

    They may begin Hidden. Rule book: "Scout".
    """
    scouts = fighter.has("scout")
    return broken(
        (not scouts, "no-scout"),
        (scouts and inches > SCOUT_MOVE, "scout-too-far"),
        name=fighter.name,
        most=SCOUT_MOVE,
    )


class Fall(Struct, frozen=True):
    """A fall: the Wound Score after what a body absorbs, and what it comes to. Armour is of no
    use."""

    score: int
    result: WoundResult


def fall_modifiers(inches: float) -> tuple[Modifier, ...]:
    """Return what is added to 2D6 for the Final Wound Score of a fall; every started inch
    counts."""
    rule = 'Rule book: "Falling"'
    return (
        Modifier(ceil(inches), "inches fallen, rounded up", rule),
        Modifier(-FALL_ABSORBED, "taken off every fall", rule),
    )


def fall(dice: tuple[int, int], inches: float, table: WoundTable = WoundTable.STANDARD) -> Fall:
    """Return the result of a fall: 2D6 and the inches fallen, less 8; above 0 it is a Final Wound
    Score.

    Rule book: "Falling".

    ``table`` is the body's own; what a large body makes of the result is still to be converted.
    """
    score = sum(dice) + total(fall_modifiers(inches))
    return Fall(score, wound_result(max(0, score), table))


def drowns(die: int, *, heavy_armour: bool = False) -> bool:
    """Return whether a Stunned fighter in the water drowns: on a 6, in heavy armour on a 5 too.

    Rule book: "Terrain" (Water).
    """
    return die >= (5 if heavy_armour else 6)


def swept_away(die: int) -> bool:
    """Return whether the river takes a fighter who enters it: then 2D6 inches downstream and
    Stunned.

    Rule book: "Hold the Bridge".
    """
    return die >= RIVER_SWEEPS_ON


DOOR_COST = 1
"""Inches that opening or closing an unlocked door or window takes off a move."""
WAGON_RATE = "fast"
"""The rate of a wagon that is drawn; it is activated like a fighter."""


class Place(StrEnum):
    """Where a move leads that has ground of its own."""

    FIELD = "field"
    BUILDING = "building"
    SHIP = "ship"


GROUND = {
    Place.FIELD: Terrain.OPEN,
    Place.BUILDING: Terrain.DIFFICULT,
    Place.SHIP: Terrain.DIFFICULT,
}
"""The stairs of a building are walked, not climbed; a leap from deck to deck or into a boat takes a
Dexterity Check."""
TERRAINS = tuple(Terrain)
WORSENED: Mapping[Terrain, Terrain] = {
    Terrain.OPEN: Terrain.DIFFICULT,
    Terrain.DIFFICULT: Terrain.IMPASSABLE,
}
"""The ground under an Undergrowth; impassable ground stays so."""


def ground(terrain: Terrain, place: Place = Place.FIELD, *, undergrowth: bool = False) -> Terrain:
    """Return the worst ground of a move: difficult at least inside buildings and aboard.

    An Undergrowth makes it worse.
    """
    worst = max(terrain, GROUND[place], key=TERRAINS.index)
    return WORSENED.get(worst, worst) if undergrowth else worst


def attackers_through(opening: str) -> int:
    """Return how many can fight somebody in a "doorway" (2) or at a "window" (1).

    Raises KeyError for others.
    """
    return {"doorway": 2, "window": 1}[opening]


def takes_check(
    fighter: Combatant, *, jumps: float = 0, climbs: float = 0, leaps_aboard: bool = False
) -> bool:
    """Return whether a move with a jump or climb (in inches) takes a Dexterity Check.

    Nobody who flies makes one.
    """
    if fighter.has("fly"):
        return False
    return leaps_aboard or climbs > 0 or (jumps > 0 and jump(jumps).needs_check)


def leap_violations(
    fighter: Combatant, gait: Gait, *, jumps: float = 0, climbs: float = 0
) -> tuple[Violation, ...]:
    """Return everything that forbids to jump or climb in a move of this gait.

    Rule book: "Jumping", "Climbing".
    """
    if fighter.has("fly") or not (jumps or climbs):
        return ()
    leap = jump(jumps)
    hurried = leap.gait is Gait.SHORT and gait is not Gait.SHORT
    return broken(
        (not leap.possible, "too-far-to-jump"),
        (leap.possible and hurried, "jump-needs-short-move"),
        (climbs > 0 and gait is not Gait.SHORT, "climb-needs-short-move"),
    )
