"""Small arms: how many fire, what each die has to show, casualties, and low ammunition.

Slides 10 to 12, 25, 30, 31, 35. Rulings N-S1 to N-S9.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import ceil, comb
from typing import Literal

from msgspec import Struct

from rulebook.dice.pools import Chances, chance_of, pool, thinned
from rulebook.systems.avant_garde.book import Weapon, book, figures
from rulebook.systems.avant_garde.odds import NEVER, total
from rulebook.values.answers import ReasonLine, counting

SHOOTING = 'Slide 10: "Shooting"'
CHARGERS = 'Slide 12: "Shooting at Chargers"'
Cover = Literal["none", "soft", "hard"]
Manner = Literal["half", "volley", "all", "quarter"]
MANNERS: Mapping[str, str] = {
    "half": "Half of the front rank",
    "volley": "Volley of the full front rank",
    "all": "All figures, as skirmishers do",
    "quarter": "Volley of one side of a square",
}


class Fire(Struct, frozen=True):
    """Small arms that fire: ``figures`` are those of the front rank in range and arc, or all skirmishers.

    In a building ``figures`` are those that face the target. ``skill`` comes from the grade, ``national`` and
    ``four_dice`` from the nation; ``tapped`` rifles are loaded fast and count as muskets. ``cover`` and what follows
    is true of the target; it is ``charging`` the shooters.
    """

    weapon: str = "musket"
    inches: float = 4
    figures: int = 12
    manner: Manner = "half"
    skill: int = 0
    national: int = 0
    disordered: bool = False
    four_dice: bool = False
    tapped: bool = False
    mounted: bool = False
    cover: Cover = "none"
    charging: bool = False
    skirmishers: bool = False
    deployed_guns: bool = False

    @property
    def arm(self) -> Weapon:
        """The weapon as it is loaded."""
        return book().weapon["musket" if self.tapped and self.weapon == "rifle" else self.weapon]

    @property
    def volley(self) -> bool:
        """Is it a volley?"""
        return self.manner in ("volley", "quarter")


def reach(fire: Fire) -> int:
    """How far these shots go, in inches. Ruling N-S2."""
    return (fire.arm.volley or fire.arm.upto) if fire.volley else fire.arm.upto


def firers(fire: Fire) -> int:
    """How many figures fire: half of the rank rounded up, the full rank, everybody, or a square's side."""
    share = {"half": Fraction(1, 2), "quarter": Fraction(1, 4)}.get(fire.manner, Fraction(1))
    return ceil(fire.figures * share)


def fire_dice(fire: Fire) -> int:
    """How many dice they throw; who rolls four for three gets one more for each full three. Ruling N-S6."""
    number = firers(fire)
    return number + number // 3 * fire.four_dice


def fire_lines(fire: Fire, musket_long: int = 5) -> tuple[ReasonLine, ...]:
    """What goes on each die that shoots, line by line. Rulings N-S1, N-S5, N-S7: one cover, skirmishers once.

    ``musket_long`` is where long range begins for muskets; point blank counts against chargers alone.
    """
    known, begins = figures("shooting"), musket_long if fire.arm.key == "musket" else fire.arm.long
    cover = 0 if fire.cover == "none" or fire.charging else known[f"{fire.cover}_cover"]
    near = fire.charging and fire.inches <= known["point_blank_within"]
    return counting(
        ReasonLine(fire.skill, "skill of the grade", SHOOTING),
        ReasonLine(fire.national, "national rule", 'Slide 35: "National Rules"'),
        ReasonLine(known["disordered"] * fire.disordered, "disordered", SHOOTING),
        ReasonLine(known["long"] * (begins is not None and fire.inches > begins), "long range", "Ruling N-S1"),
        ReasonLine(cover, f"{fire.cover} cover", "Ruling N-S5"),
        ReasonLine(known["charging"] * fire.charging, "at a charging enemy", CHARGERS),
        ReasonLine(known["point_blank"] * near, "point blank", CHARGERS),
        ReasonLine(known["skirmishers"] * fire.skirmishers, "at skirmishers", "Ruling N-S7"),
        ReasonLine(known["deployed_guns"] * fire.deployed_guns, "at deployed artillery", "Ruling N-S8"),
        ReasonLine(known["mounted"] * fire.mounted, "mounted", 'Slide 25: "Shooting"'),
    )


def fire_need(fire: Fire, musket_long: int = 5) -> int:
    """What each die has to show; from 7 on the unit holds its fire."""
    return int(figures("shooting")["hits_on"]) - total(fire_lines(fire, musket_long))


def holds_fire(fire: Fire, musket_long: int = 5) -> bool:
    """Does it not fire at all, out of reach or needing 7 or more? Slide 10: "7+ to hit?"."""
    return fire.inches > reach(fire) or fire_need(fire, musket_long) >= figures("shooting")["never_from"]


def hit_odds(fire: Fire, musket_long: int = 5) -> Chances:
    """The chance of each number of hits; of those on deployed guns some strike the gun itself and do nothing.

    Rulings N-S8, N-A7.
    """
    if holds_fire(fire, musket_long):
        return pool(0, Fraction(1))
    chance = chance_of(fire_need(fire, musket_long))
    return pool(fire_dice(fire), chance * crew_share() if fire.deployed_guns else chance)


def crew_share() -> Fraction:
    """The share of hits on a deployed gun that strike its crew."""
    return 1 - chance_of(int(figures("artillery")["gun_location"]))


def loss_odds(fire: Fire, musket_long: int = 5) -> Chances:
    """The chance of each number of casualties."""
    return thinned(hit_odds(fire, musket_long), chance_of(int(figures("shooting")["kills_on"])))


def runs_low(dice: tuple[int, ...]) -> bool:
    """Is a unit low on ammunition after these dice of a volley: more sixes than ones? Ruling N-S9."""
    return dice.count(NEVER - 1) > dice.count(1)


@cache
def low_chance(dice: int) -> Fraction:
    """The chance that a volley of so many dice leaves a unit low on ammunition."""
    even = (comb(dice, k) * comb(dice - k, k) * Fraction(4, 6) ** (dice - 2 * k) / 36**k for k in range(dice // 2 + 1))
    return (1 - sum(even, Fraction(0))) / 2
