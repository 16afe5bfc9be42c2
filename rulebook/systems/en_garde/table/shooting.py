"""Shooting: weapons and loading, what can be seen, whether a shot is allowed, what is added to it,
what it does.

Rule book: "Use a missile weapon", "Missile weapons", "Ordinance", "Line of sight and cover",
"Shooting at mounted models".
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from rulebook.systems.en_garde.book import broken
from rulebook.systems.en_garde.book.arms import MissileWeapon
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.book.house_rules import USUAL, HouseRules
from rulebook.systems.en_garde.table.combatant import (
    Combatant,
    Modifier,
    added,
    armour_against_shot,
    present_numbers,
    total,
)
from rulebook.systems.en_garde.table.wounds import WoundResult, WoundTable, wound_result
from rulebook.values.problems import Violation


@cache
def missile(key: str, *, grapeshot: bool = False) -> MissileWeapon:
    """Return the missile weapon or gun of this key.

    ``grapeshot`` shortens a gun's range and spreads its shot.

    Raises KeyError for an unknown key. Rule book: "Missile weapons", "Ordinance".
    """
    arms = catalogue().arms
    if key in arms.missiles:
        return arms.missiles[key]
    gun, canister = arms.guns[key], arms.grapeshot
    if not (grapeshot and gun.grapeshot):
        return gun
    return replace(
        gun, range=canister.range, wound=gun.wound + canister.wound, spray=canister.spray
    )


def is_missile(key: str) -> bool:
    """Return whether this is the key of a missile weapon or a gun."""
    return key in catalogue().arms.missiles or key in catalogue().arms.guns


def reloaded(
    counters: int, crew_reloading: int = 1, *, powder: bool = False, rain_die: int | None = None
) -> int:
    """Return Reload counters after reloading.

    In the rain powder may have to be dried: on 1 or 2 a counter comes back.

    ``rain_die`` is given if it rains. Rule book: "Remove a reload counter", "Powder".
    """
    left = max(0, counters - crew_reloading)
    wet = powder and rain_die is not None and rain_die <= 2
    return left + int(wet)


HIT_ABSORBED = 6
PROCEDURE = 'Rule book: "Shooting procedure"'
ABSORBED = Modifier(-HIT_ABSORBED, "taken off every Shooting Attack Roll", PROCEDURE)
NOT_DODGED = frozenset({"matchlock", "musket", "pistol", "swivel-gun", "light-cannon", "cannon"})
"""Ruling B29: every cannon, but neither blunderbuss nor ballista."""
UNFAILING = frozenset(
    {"thrown-weapon", "throwing-axe", "throwing-dagger", "sling", "grenade", "javelin"}
)
"""Weapons that cannot misfire: no bow, no crossbow, no black powder."""


class Cover(StrEnum):
    """Cover between shooter and target."""

    NONE = "none"
    LIGHT = "light"
    MEDIUM = "medium"
    HEAVY = "heavy"


COVER = {Cover.NONE: 0, Cover.LIGHT: -1, Cover.MEDIUM: -2, Cover.HEAVY: -3}


class Shot(Struct, frozen=True):
    """The circumstances of a shot. ``inches`` is the range from base to base; ``sight`` the limit
    of sight in inches.

    ``twice`` marks both shots of an Archer who shoots twice, ``at_point`` a blast that is meant for
    a point of the table: what makes its victims easy or hard to hit does not count.
    """

    inches: float
    cover: Cover = Cover.NONE
    moved_short: bool = False
    aimed_last_turn: bool = False
    shooter_engaged: bool = False
    target_engaged: bool = False
    from_front: bool = True
    twice: bool = False
    grapeshot: bool = False
    at_point: bool = False
    wind: bool = False
    rain: bool = False
    mist_spell: bool = False
    sight: float | None = None
    line_of_sight: bool = True
    target_hidden: bool = False
    reload_counters: int = 0
    used_up: bool = False


def shot_violations(shooter: Combatant, weapon: MissileWeapon, shot: Shot) -> tuple[Violation, ...]:
    """Return everything that forbids a shot.

    Rule book: "Use a missile weapon", "Missile weapon special rules".
    """
    archer = shooter.has("archer") and weapon.key in ("bow", "longbow")
    too_dark = shot.sight is not None and shot.inches > shot.sight
    return broken(
        (shot.shooter_engaged, "shooter-engaged"),
        (shooter.wounds.out, "shooter-out"),
        (shot.inches > weapon.range, "out-of-range"),
        (not shot.line_of_sight, "no-line-of-sight"),
        (shot.target_hidden, "target-hidden"),
        (too_dark, "beyond-sight"),
        (shot.reload_counters > 0, "not-loaded"),
        (shot.grapeshot and not weapon.spray, "no-grapeshot"),
        (weapon.match and shot.rain, "match-wet"),
        (weapon.never_mounted and shooter.mounted, "never-mounted"),
        (shot.used_up, "used-up"),
        (shot.at_point and not weapon.blast, "no-blast"),
        (shot.twice and not archer, "not-an-archer"),
        name=shooter.name,
        weapon=weapon.name,
        range=weapon.range,
        arm=weapon.name.lower(),
    )


def range_modifier(inches: float) -> int:
    """Return what the range does: +1 up to 3", -1 from 12", -2 beyond 24", -3 beyond 36".

    Ruling B10.
    """
    if inches < 12:
        return int(inches <= 3)
    if inches <= 24:
        return -1
    return -2 if inches <= 36 else -3


BANDS: Mapping[int, str] = {
    3: "within 3″",
    11: "at 3″ to 12″",
    24: "at 12″ to 24″",
    36: "at 24″ to 36″",
}
"""The inches that stand for each band of range with a modifier of its own, and its name. Ruling
B10."""


def bands_of(reaches: Iterable[int], limit: float | None) -> tuple[int, ...]:
    """Return the ranges, in whole inches, that make a difference for weapons of these reaches.

    Each is the far end of a band; none lies beyond the farthest reach, nor beyond the ``limit`` of
    sight. Ruling B39.
    """
    ends = sorted({*BANDS, *reaches})
    farthest = (
        max(reaches, default=0) if limit is None else min(max(reaches, default=0), int(limit))
    )
    return tuple(dict.fromkeys((*(end for end in ends if end < farthest), farthest)))


def band_words(inches: float) -> str:
    """Return how people say the band of which these inches are the far end."""
    return BANDS.get(int(inches), f"at up to {inches:g}″")


def shooting_modifiers(
    shooter: Combatant,
    target: Combatant,
    weapon: MissileWeapon,
    shot: Shot,
    settings: HouseRules = USUAL,
) -> tuple[Modifier, ...]:
    """Return everything that is added to the roll besides Shoot; amounts of 0 are left out.

    Rule book: "Shooting procedure", "Attributes", "Mounted combat", "Spells". Rulings B9, B10, B29.
    """
    felt = shooter.bears_wound and settings.wounded_shot == "both"
    dodges = target.has("dodge") and shot.from_front and weapon.key not in NOT_DODGED
    unsteady = shooter.mounted and not shooter.has("horse-master")
    size = (
        2
        if target.table is WoundTable.HUGE
        else int(target.mounted or target.table is WoundTable.LARGE)
    )
    return added(
        (range_modifier(shot.inches), f'range {shot.inches:g}"', "Ruling B10"),
        (
            -1 if weapon.inaccurate and shot.inches > 12 else 0,
            'inaccurate beyond 12"',
            'Rule book: "Inaccurate"',
        ),
        (-2 if shot.target_engaged and not shot.at_point else 0, "target Engaged", PROCEDURE),
        (0 if shot.at_point else size, "big target", 'Rule book: "Large Models", "Huge"'),
        (-1 if shot.moved_short else 0, "moved", PROCEDURE),
        (-1 if felt else 0, "wounded", "Ruling B9"),
        (COVER[shot.cover], f"{shot.cover} cover", 'Rule book: "Line of sight and cover"'),
        (1 if shot.aimed_last_turn else 0, "aimed", "Ruling B11"),
        (-1 if shot.wind else 0, "wind", 'Rule book: "Weather"'),
        (-2 if shot.mist_spell else 0, "Mist", 'Rule book: "Spells"'),
        (-1 if shot.twice else 0, "two shots", 'Rule book: "Archer"'),
        (-2 if dodges and not shot.at_point else 0, "Dodge", "Ruling B29"),
        (-2 if unsteady else 0, "from horseback", 'Rule book: "Mounted combat"'),
        (
            1 if weapon.key in shooter.striking else 0,
            "Weapon of Striking",
            'Rule book: "Magic items"',
        ),
    )


class ShotResult(Struct, frozen=True):
    """The result of a shot. A ``hit_score`` of 0 or less is a miss without ``result``; ``reload``
    counts counters."""

    dice: tuple[int, int]
    modifiers: tuple[Modifier, ...]
    attack_roll: int
    hit_score: int
    hit: bool
    wound_modifiers: tuple[Modifier, ...] = ()
    armour_rating: int = 0
    final_score: int = 0
    result: WoundResult | None = None
    on_mount: bool = False
    misfired: bool = False
    reload: int = 0


def resolve_shot(
    shooter: Combatant,
    target: Combatant,
    weapon: MissileWeapon,
    shot: Shot,
    dice: tuple[int, int],
    *,
    rider_die: int | None = None,
    hit_score: int | None = None,
    settings: HouseRules = USUAL,
) -> ShotResult:
    """Return the result of a shot with these two dice (after any re-roll).

    ``rider_die`` chooses mount or rider: 1-4 hits the mount.

    ``hit_score`` is that of the blast by which this target is struck too: one roll is for all
    (Ruling B13). Raises ValueError if a hit on a mounted target lacks that die. Rule book:
    "Shooting procedure". Rulings B12, B14.
    """
    # The Hit Score: the roll of the shot itself, or that of the blast by which this target is
    # struck too.
    shared = hit_score is not None
    modifiers = () if shared else shooting_modifiers(shooter, target, weapon, shot, settings)
    attack_roll = sum(dice) + present_numbers(shooter, settings).shoot + total(modifiers)
    attack_roll = attack_roll if hit_score is None else hit_score + HIT_ABSORBED
    hit_score = attack_roll - HIT_ABSORBED
    if never_misses(weapon, settings):
        hit_score = max(1, hit_score)
    misfired = misfires(weapon, dice) and not shared
    missed = ShotResult(
        dice,
        modifiers,
        attack_roll,
        hit_score,
        hit_score >= 1,
        misfired=misfired,
        reload=weapon.reload + int(misfired),
    )
    if hit_score < 1:
        return missed
    # The Wound Score of a hit, against the mount or its rider.
    on_mount = target.mounted and hits_mount(rider_die)
    rating = rating_against(target, shot, on_mount=on_mount, settings=settings)
    extra = shot_wound_modifiers(shooter, weapon)
    score = hit_score + total(extra) - rating
    result = wound_result(score, WoundTable.LARGE if on_mount else target.table)
    return replace(
        missed,
        wound_modifiers=extra,
        armour_rating=rating,
        final_score=score,
        result=result,
        on_mount=on_mount,
    )


def never_misses(weapon: MissileWeapon, settings: HouseRules = USUAL) -> bool:
    """Return whether a spray hits everybody under its template, whatever the dice say.

    Ruling B12.
    """
    return bool(weapon.spray) and settings.spray_hits != "each-rolls"


def misfires(weapon: MissileWeapon, dice: tuple[int, int]) -> bool:
    """Return whether two ones make bow, crossbow or black powder misfire: one Reload counter more.

    Rule book: "Misfires". Ruling B14.
    """
    return dice == (1, 1) and weapon.key not in UNFAILING


def hits_mount(die: int | None) -> bool:
    """Return whether a hit strikes the mount: on 1-4.

    Raises ValueError without a die. Rule book: "Shooting at mounted models".
    """
    if die is None:
        raise ValueError("A hit on a mounted target needs a die: 1–4 the mount, 5–6 the rider.")
    return die <= 4


def rating_against(
    target: Combatant, shot: Shot, *, on_mount: bool = False, settings: HouseRules = USUAL
) -> int:
    """Return the Armour Rating that counts against a shot: the fighter's, or the barding of its
    mount."""
    if on_mount and target.steed is not None:
        return target.steed.armour_rating
    return armour_against_shot(target, from_front=shot.from_front, settings=settings)


def shot_wound_modifiers(shooter: Combatant, weapon: MissileWeapon) -> tuple[Modifier, ...]:
    """Return what is added to the Basic Wound Score of a shot.

    Rule book: "Missile weapons", "Magic items".
    """
    return added(
        (weapon.wound, weapon.name, 'Rule book: "Missile weapons", "Ordinance"'),
        (
            1 if weapon.key in shooter.wounding else 0,
            "Weapon of Wounding",
            'Rule book: "Magic items"',
        ),
    )


def may_reroll_shot(
    shooter: Combatant, weapon: MissileWeapon, dice: tuple[int, ...]
) -> tuple[int, ...]:
    """Return the dice (by their pips) of which a Sharpshooter may roll one again: ones and twos.

    Rule book: "Sharpshooter".
    """
    if not shooter.has_for("sharpshooter", weapon.key):
        return ()
    return tuple(die for die in dice if die <= 2)


LIGHT_COVER_BLOCKS = 2


class Sight(StrEnum):
    """The players' word on the line of sight past walls, hills and other things that no list
    names."""

    CLEAR = "clear"
    BLOCKED = "blocked"


def sight_limit(weather: str, hour: str, turn: int) -> float | None:
    """Return how far can be seen, in inches, None without a limit.

    Rule book: "Weather", "Time of day". Rulings D1, S16.
    """
    by_weather = {"mist": 12, "rain": 24, "wind-and-rain": 24}.get(weather)
    by_hour = None
    if hour == "night" or (hour == "dusk" and turn > 3):
        by_hour = 12
    elif (hour == "dusk" and turn == 3) or (hour == "dawn" and turn <= 2):
        by_hour = 18
    return min((limit for limit in (by_weather, by_hour) if limit is not None), default=None)


def sees(
    bodies_between: int,
    light_cover: float = 0,
    *,
    hidden: bool = False,
    over_a_friend: bool = False,
) -> bool:
    """Return whether there is a line of sight: bodies in between, more than 2 inches of light
    cover and hiding block it.

    ``light_cover`` is inches of it in between. ``over_a_friend``: one friend in base contact who
    shoots on the same order does not count among the bodies. Rule book: "Line of sight and cover",
    "Shoot order".
    """
    blocked = bodies_between > int(over_a_friend) or light_cover > LIGHT_COVER_BLOCKS
    return not (blocked or hidden)


class Shelter(StrEnum):
    """Shelters of a target, for players who do not know the grades of cover by heart."""

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


def cover_behind(shelter: Shelter, cover: Cover = Cover.NONE) -> Cover:
    """Return the cover of a target: from its shelter or as it was entered, the better of the
    two."""
    return max(cover, SHELTERS[shelter], key=list(Cover).index)
