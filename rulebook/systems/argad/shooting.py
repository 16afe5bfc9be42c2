"""Shooting: what is needed, what is added, what cannot fire, and reloading.

Sheet: "Firearms", "Reloading", "Shooting modifiers", "Terrain". Rulings A-S1 to A-S17.
"""

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct

from rulebook.dice.open_ended import Dice, throws
from rulebook.systems.argad.book import NO_FIREARM, Band, HouseRules, book, broken, natural
from rulebook.systems.argad.fighters import Fighter
from rulebook.values.answers import ReasonLine
from rulebook.values.problems import Violation, plural

FIREARMS = 'Sheet: "Firearms"'
MODIFIERS = 'Sheet: "Shooting modifiers"'
CONTACTS = {
    "free": "None",
    "coming": "Comes into contact in this turn",
    "in-contact": "In contact since it began",
}


class Shot(Struct, frozen=True):
    """A shot to be taken, at a distance in centimetres.

    ``contact`` is one of ``CONTACTS``; ``volley`` is by a close order on command at a group,
    ``group_die`` the +1 of one musket against a group (A-S2); ``reload_left`` counts turns still
    missing, ``fouled`` is a musket used in melee.
    """

    shooter: Fighter
    target: Fighter
    cm: int
    moving: bool = False
    contact: str = "free"
    volley: bool = False
    group_die: bool = False
    disorder: bool = False
    circumstances: tuple[str, ...] = ()
    reload_left: int = 0
    fouled: bool = False

    @property
    def band(self) -> Band | None:
        """Return its range band, None out of range or without a firearm. Ruling A-S1."""
        gun = book().firearm[self.shooter.firearm]
        return next(
            (
                band
                for band in (gun.volley if self.volley else gun.bands)
                if self.cm <= band.at_most
            ),
            None,
        )

    @property
    def supposed_moving(self) -> bool:
        """Return whether he counts as moving.

        The mounted do as soon as an enemy will reach them. Sheet: "Reloading".
        """
        return self.moving or (self.contact == "coming" and not self.shooter.on_foot)


class ShotResult(Struct, frozen=True):
    """The outcome of a shot: the dice with their modifiers against the total that hits."""

    natural: int
    lines: tuple[ReasonLine, ...]
    total: int
    need: int
    hit: bool


def shot_violations(shot: Shot) -> tuple[Violation, ...]:
    """Return everything that forbids a shot. Sheet: "Firearms", "Reloading", "Terrain"; rulings
    A-S9, A-S10, A-S16."""
    shooter, moving = shot.shooter, shot.supposed_moving
    if shooter.firearm == NO_FIREARM:
        return broken((True, "no-firearm"))
    gun = book().firearm[shooter.firearm]
    musket, volley = gun.key == "musket", bool(gun.volley) and shooter.close_order
    return broken(
        (shot.reload_left > 0, "not-loaded"),
        (shot.fouled, "musket-out"),
        (shot.contact == "in-contact" and gun.key != "pistol", "in-contact"),
        (shot.cm > gun.bands[-1].at_most, "out-of-range"),
        (musket and not shooter.on_foot, "musket-mounted"),
        (musket and moving, "musket-moving"),
        (
            gun.key == "arquebus" and shooter.on_foot and moving and shot.cm > gun.bands[0].at_most,
            "arquebus-moving",
        ),
        (
            shooter.mount == "mounted-infantry" and moving and shot.contact == "free",
            "mounted-infantry-moving",
        ),
        *((book().circumstance[key].forbids, key) for key in shot.circumstances),
        (shot.volley and not volley, "no-volley"),
        (shot.volley and shot.group_die, "volley-and-group"),
        (shot.group_die and not musket, "no-group-die"),
        turns=plural(shot.reload_left, "turn"),
        gun=gun.name,
        cm=gun.bands[-1].at_most,
    )


def shot_modifiers(shot: Shot) -> tuple[ReasonLine, ...]:
    """Return the modifiers of the die. Each cell counts once; terrain and target share a cap of -2.

    Armour counts where the band says so, but not against a pistol in contact. Rulings A-S8, A-S11.
    """
    capped, armour = [*_ticked(shot, "terrain"), *_ticked(shot, "target")], shot.target.armour
    contact = shot.shooter.firearm == "pistol" and shot.contact == "in-contact"
    if shot.band and 0 < shot.band.armour_from <= armour and not contact:
        capped.append(ReasonLine(-1, f"armour {armour} at this range", FIREARMS))
    spared = book().cap - sum(line.amount for line in capped)
    if spared > 0:
        capped.append(ReasonLine(spared, "terrain and target: no worse than -2", MODIFIERS))
    bonus = (ReasonLine(1, "one die against a group", "Ruling A-S2"),) if shot.group_die else ()
    return (*capped, *_shooter(shot), *bonus)


def _ticked(shot: Shot, cause: str) -> list[ReasonLine]:
    """Return what is ticked, of each cell the worst alone; what is for a target on foot passes
    riders by."""
    worst: dict[str, ReasonLine] = {}
    for key in shot.circumstances:
        row = book().circumstance[key]
        if row.cause == cause and row.amount and (shot.target.on_foot or not row.foot):
            line = ReasonLine(row.amount, row.label, MODIFIERS)
            worst[row.cell] = min(worst.get(row.cell, line), line, key=lambda line: line.amount)
    return list(worst.values())


def _shooter(shot: Shot) -> tuple[ReasonLine, ...]:
    """Return what the shooter causes: movement or furtive once, mounted infantry or low class once.

    Rulings A-S6, A-S10.
    """
    shooter, lines = shot.shooter, _ticked(shot, "shooter")

    # With a pistol in contact, or about to be, moving costs nobody on foot (A-S8).
    steady = shooter.on_foot and shooter.firearm == "pistol" and shot.contact != "free"
    if shot.supposed_moving and not steady and not lines:
        lines = [ReasonLine(-1, "on the move", MODIFIERS)]
    if shooter.mount == "mounted-infantry":
        lines.append(ReasonLine(-1, "mounted infantry, mounted", MODIFIERS))
    elif shooter.class_ <= 2:
        lines.append(ReasonLine(-1, f"class {shooter.class_}", MODIFIERS))
    return tuple(lines)


def shot_dice(settings: HouseRules) -> int:
    """Return how many dice a shot throws at most: a second after a 6, a third by house rule. Ruling
    A-S5."""
    return 3 if settings.triple_six_shooting else 2


def resolve_shot(shot: Shot, dice: Dice, settings: HouseRules) -> ShotResult | None:
    """Return what these dice come to, None where nothing reaches. Rulings A-S3 to A-S6."""
    if shot.band is None:
        return None
    shown = natural(dice, disorder=shot.disorder, triple=8 if settings.triple_six_shooting else 7)
    lines = shot_modifiers(shot)
    total = shown + sum(line.amount for line in lines)
    return ShotResult(shown, lines, total, shot.band.need, total >= shot.band.need)


def shot_odds(shot: Shot, settings: HouseRules) -> Mapping[str, Fraction]:
    """Return the exact chances of "hit" and "miss", whatever forbids the shot; out of range nothing
    hits."""
    results = (
        (resolve_shot(shot, dice, settings), chance)
        for dice, chance in throws(shot_dice(settings)).items()
    )
    hit = sum((chance for result, chance in results if result and result.hit), Fraction(0))
    return {"hit": hit, "miss": 1 - hit}
