"""Shooting: what is needed, what is added, what cannot fire, and reloading.

Sheet: "Firearms", "Reloading", "Shooting modifiers", "Terrain". Rulings A-S1 to A-S17.
"""

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct

from rulebook.ruleset import Settings
from rulebook.systems.argad.book import NO_FIREARM, Band, book, setting
from rulebook.systems.argad.dice import Dice, natural, throws
from rulebook.systems.argad.fighters import Fighter
from rulebook.values.answers import ReasonLine
from rulebook.values.problems import Violation

FIREARMS = 'Sheet: "Firearms"'
RELOADING = 'Sheet: "Reloading"'
MODIFIERS = 'Sheet: "Shooting modifiers"'
FREE, COMING, IN_CONTACT = "free", "coming", "in-contact"
CONTACTS = (
    (FREE, "No enemy reaches him"),
    (COMING, "Comes into contact in this turn"),
    (IN_CONTACT, "In contact when the turn began"),
)


class Shot(Struct, frozen=True):
    """A shot to be taken, at a distance in centimetres.

    ``contact`` is one of ``CONTACTS``; ``volley`` is by a close order on command at a group, ``group_die`` the +1 of
    one musket against a group (A-S2); ``reload_left`` counts the turns still missing, ``fouled`` is a musket used in
    melee.
    """

    shooter: Fighter
    target: Fighter
    cm: int
    moving: bool = False
    contact: str = FREE
    volley: bool = False
    group_die: bool = False
    disorder: bool = False
    circumstances: tuple[str, ...] = ()
    reload_left: int = 0
    fouled: bool = False

    @property
    def in_contact_pistol(self) -> bool:
        """Is it a pistol fired in contact?"""
        return self.shooter.firearm == "pistol" and self.contact == IN_CONTACT

    @property
    def supposed_moving(self) -> bool:
        """Does he count as moving? The mounted do as soon as an enemy will reach them. Sheet: "Reloading"."""
        return self.moving or (self.contact == COMING and not self.shooter.on_foot)


class ShotResult(Struct, frozen=True):
    """What a shot came to: the dice with their modifiers against the total that hits."""

    natural: int
    lines: tuple[ReasonLine, ...]
    total: int
    need: int
    hit: bool


def band_of(firearm: str, cm: int, *, volley: bool = False) -> Band | None:
    """The range band of a distance, None out of range or without a firearm. Ruling A-S1."""
    if firearm == NO_FIREARM:
        return None
    known = book().firearm[firearm]
    return next((band for band in (known.volley if volley else known.bands) if cm <= band.upto), None)


def shot_violations(shot: Shot) -> tuple[Violation, ...]:
    """Everything that forbids a shot. Sheet: "Firearms", "Reloading", "Terrain"."""
    shooter, gun = shot.shooter, shot.shooter.firearm
    if gun == NO_FIREARM:
        return (Violation("no-firearm", "He has no firearm. Choose another shooter.", FIREARMS),)
    name, musket, moving = book().firearm[gun].name, gun == "musket", shot.supposed_moving
    turns = f"{shot.reload_left} more turn{'s' * (shot.reload_left != 1)}"
    unable_to_move = shooter.mounted_infantry and moving and shot.contact == FREE
    checks = (
        (shot.reload_left > 0, "not-loaded", f"Reload first: {turns} without moving.", RELOADING),
        (shot.fouled, "musket-out", "A musket used in melee does not fire again that day.", RELOADING),
        (
            shot.contact == IN_CONTACT and gun != "pistol",
            "in-contact",
            "In contact nothing but a pistol is fired. Strike instead.",
            RELOADING,
        ),
        (
            band_of(gun, shot.cm) is None,
            "out-of-range",
            f"{name}: {book().firearm[gun].bands[-1].upto} cm at most. Come closer.",
            FIREARMS,
        ),
        (musket and not shooter.on_foot, "musket-mounted", "A matchlock musket is fired on foot. Dismount.", FIREARMS),
        (musket and moving, "musket-moving", "A matchlock musket is fired standing still.", FIREARMS),
        (
            gun == "arquebus" and shooter.on_foot and moving and shot.cm > 10,
            "arquebus-moving",
            "On foot an arquebus is fired on the move up to 10 cm only. Stand still, or come closer.",
            RELOADING,
        ),
        (
            unable_to_move,
            "mounted-infantry-moving",
            "Mounted infantry fires on the move only when it comes into contact. Stand still, or dismount.",
            "Ruling A-S16",
        ),
        *((True, key, book().circumstance[key].forbids, 'Sheet: "Terrain"') for key in shot.circumstances),
        *_group_checks(shot),
    )
    return tuple(Violation(code, sentence, rule) for wrong, code, sentence, rule in checks if wrong and sentence)


def _group_checks(shot: Shot) -> tuple[tuple[bool, str, str, str], ...]:
    gun, rule = shot.shooter.firearm, "Ruling A-S9"
    return (
        (
            shot.volley and (gun != "musket" or not shot.shooter.close_order),
            "no-volley",
            "Volleys are for matchlock muskets in close order. Shoot singly.",
            rule,
        ),
        (shot.volley and shot.group_die, "volley-and-group", "A volley has the +1 in it already. Take one away.", rule),
        (
            shot.group_die and gun != "musket",
            "no-group-die",
            "The +1 is for matchlock muskets. Take it away.",
            FIREARMS,
        ),
    )


def shot_modifiers(shot: Shot) -> tuple[ReasonLine, ...]:
    """All that is added to the die. What stands in one cell counts once; terrain and target share a cap of -2."""
    capped = [*_ticked(shot, "terrain"), *_armour(shot), *_ticked(shot, "target")]
    spared = book().cap - sum(line.amount for line in capped)
    if spared > 0:
        capped.append(ReasonLine(spared, "terrain and target: no worse than -2", MODIFIERS))
    bonus = (ReasonLine(1, "one die against a group", "Ruling A-S2"),) if shot.group_die else ()
    return (*capped, *_shooter(shot), *bonus)


def _ticked(shot: Shot, cause: str) -> list[ReasonLine]:
    """What is ticked, of each cell the worst alone; what is for a target on foot passes riders by."""
    worst: dict[str, ReasonLine] = {}
    for key in shot.circumstances:
        each = book().circumstance[key]
        if each.cause == cause and each.amount and (shot.target.on_foot or not each.foot):
            line = ReasonLine(each.amount, each.label, MODIFIERS)
            worst[each.cell] = min(worst.get(each.cell, line), line, key=lambda one: one.amount)
    return list(worst.values())


def _armour(shot: Shot) -> tuple[ReasonLine, ...]:
    """Armour takes 1 off where the band says so, but not from a pistol in contact. Rulings A-S8, A-S11."""
    band = band_of(shot.shooter.firearm, shot.cm, volley=shot.volley)
    if band is None or not band.armour_from or shot.target.armour < band.armour_from or shot.in_contact_pistol:
        return ()
    return (ReasonLine(-1, f"armour {shot.target.armour} at this range", FIREARMS),)


def _shooter(shot: Shot) -> tuple[ReasonLine, ...]:
    """What the shooter causes: movement or furtive once, mounted infantry or low class once. Rulings A-S6, A-S10."""
    shooter, found = shot.shooter, _ticked(shot, "shooter")
    steady = shooter.on_foot and shooter.firearm == "pistol" and shot.contact != FREE
    if shot.supposed_moving and not steady and not found:
        found = [ReasonLine(-1, "on the move", MODIFIERS)]
    if shooter.mounted_infantry:
        found.append(ReasonLine(-1, "mounted infantry, mounted", MODIFIERS))
    elif shooter.class_ <= 2:
        found.append(ReasonLine(-1, f"class {shooter.class_}", MODIFIERS))
    return tuple(found)


def shot_need(shot: Shot) -> int | None:
    """The total that hits, None where nothing reaches. Ruling A-S3."""
    band = band_of(shot.shooter.firearm, shot.cm, volley=shot.volley)
    return band.need if band else None


def shot_dice(settings: Settings) -> int:
    """How many dice a shot throws at most: a second after a 6, a third by house rule. Ruling A-S5."""
    return 3 if setting(settings, "triple_six_shooting") else 2


def resolve_shot(shot: Shot, dice: Dice, settings: Settings) -> ShotResult | None:
    """What these dice come to, None where nothing reaches. Rulings A-S3 to A-S6."""
    need = shot_need(shot)
    if need is None:
        return None
    shown = natural(dice, disorder=shot.disorder, triple=8 if setting(settings, "triple_six_shooting") else 7)
    lines = shot_modifiers(shot)
    total = shown + sum(line.amount for line in lines)
    return ShotResult(shown, lines, total, need, total >= need)


def chance_to_hit(shot: Shot, settings: Settings) -> Fraction:
    """The exact chance that a shot hits, whatever forbids it; 0 out of range."""
    found = Fraction(0)
    for dice, chance in throws(shot_dice(settings)).items():
        result = resolve_shot(shot, dice, settings)
        found += chance if result is not None and result.hit else 0
    return found


def shot_odds(shot: Shot, settings: Settings) -> Mapping[str, Fraction]:
    """The chances of "hit" and "miss"."""
    hit = chance_to_hit(shot, settings)
    return {"hit": hit, "miss": 1 - hit}


def reload_turns(firearm: str) -> int:
    """Whole turns, immobile, before it fires again; 0 for no firearm. Ruling A-S13."""
    return 0 if firearm == NO_FIREARM else book().firearm[firearm].reload


def reload_violations(firearm: str, left: int, *, moved: bool = False, fought: bool = False) -> tuple[Violation, ...]:
    """What forbids a turn of reloading to somebody with so many turns left. Rulings A-S13, A-S15."""
    checks = (
        (firearm == NO_FIREARM, "no-firearm", "He has no firearm. Choose somebody else."),
        (firearm != NO_FIREARM and left == 0, "loaded", "It is loaded already. Leave this out."),
        (moved, "reload-moving", "Reloading takes a whole turn without moving. Reload in another turn."),
        (fought, "reload-fighting", "Reloading takes a whole turn, without shot or melee. Reload in another turn."),
    )
    return tuple(Violation(code, sentence, RELOADING) for wrong, code, sentence in checks if wrong)
