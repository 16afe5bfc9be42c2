"""Small arms: how many fire, what each die has to show, casualties, and low ammunition.

Slides 10 to 12, 25, 30, 31, 35. Rulings N-S1 to N-S9.
"""

from fractions import Fraction
from functools import cache
from math import ceil, comb

from msgspec import Struct

from rulebook.dice.pools import Chances, chance_of, pool, thinned
from rulebook.systems.avant_garde.book import Weapon, book, figures, words
from rulebook.systems.avant_garde.odds import NEVER, modifiers, total
from rulebook.values.answers import ReasonLine

MANNERS = words("manners")


class Fire(Struct, frozen=True):
    """Small arms that fire: ``figures`` counts the front rank in range and arc, or all
    skirmishers.

    In a building ``figures`` counts those that face the target. ``skill`` comes from the grade,
    ``national`` and ``four_dice`` from the nation; ``tapped`` rifles are loaded fast and count as
    muskets. ``cover`` and what follows is true of the target; it is ``charging`` the shooters. Long
    range of muskets begins beyond ``musket_long`` (N-S1).
    """

    weapon: str = "musket"
    inches: float = 4
    figures: int = 12
    manner: str = "half"
    skill: int = 0
    national: int = 0
    disordered: bool = False
    four_dice: bool = False
    tapped: bool = False
    mounted: bool = False
    cover: str = "none"
    charging: bool = False
    skirmishers: bool = False
    deployed_guns: bool = False
    musket_long: int = 5

    @property
    def arm(self) -> Weapon:
        """Return the weapon as it is loaded."""
        return book().weapon["musket" if self.tapped and self.weapon == "rifle" else self.weapon]

    @property
    def volley(self) -> bool:
        """Return whether it is a volley."""
        return self.manner in ("volley", "quarter")

    @property
    def long(self) -> bool:
        """Return whether it is at long range. Ruling N-S1."""
        begins = self.musket_long if self.arm.key == "musket" else self.arm.long
        return begins is not None and self.inches > begins


def reach(fire: Fire) -> int:
    """Return how far these shots go, in inches. Ruling N-S2."""
    return (fire.arm.volley or fire.arm.at_most) if fire.volley else fire.arm.at_most


def fire_dice(fire: Fire) -> int:
    """Return how many dice they throw: for half of the rank rounded up, the full rank, everybody,
    or a square's side.

    Who rolls four for three gets one more for each full three. Ruling N-S6.
    """
    number = ceil(fire.figures / {"half": 2, "quarter": 4}.get(fire.manner, 1))
    return number + number // 3 * fire.four_dice


def fire_lines(fire: Fire) -> tuple[ReasonLine, ...]:
    """Return what goes on each die that shoots, line by line. Rulings N-S1, N-S5, N-S7: one cover,
    skirmishers once.

    Point blank counts against chargers alone, cover against all others.
    """
    covered = {
        f"{kind}_cover": fire.cover == kind and not fire.charging for kind in ("soft", "hard")
    }
    point_blank = fire.charging and fire.inches <= figures("shooting")["point_blank_within"]
    return modifiers("fire", fire, **covered, point_blank=point_blank)


def fire_need(fire: Fire) -> int:
    """Return what each die has to show; from 7 on the unit holds its fire."""
    return figures("shooting")["hits_on"] - total(fire_lines(fire))


def holds_fire(fire: Fire) -> bool:
    """Return whether it holds its fire: out of reach, or 7 or more needed.

    Slide 10: "7+ to hit?".
    """
    return fire.inches > reach(fire) or fire_need(fire) >= figures("shooting")["never_from"]


def hit_odds(fire: Fire) -> Chances:
    """Return the chance of each number of hits; of those on deployed guns some strike the gun
    itself and do nothing.

    Rulings N-S8, N-A7.
    """
    if holds_fire(fire):
        return pool(0, Fraction(1))
    chance = chance_of(fire_need(fire))
    return pool(fire_dice(fire), chance * crew_share() if fire.deployed_guns else chance)


def crew_share() -> Fraction:
    """Return the share of hits on a deployed gun that strike its crew."""
    return 1 - chance_of(figures("artillery")["gun_location"])


def loss_odds(fire: Fire) -> Chances:
    """Return the chance of each number of casualties."""
    return thinned(hit_odds(fire), chance_of(figures("shooting")["kills_on"]))


def runs_low(dice: tuple[int, ...]) -> bool:
    """Return whether a unit is low on ammunition after a volley: more sixes than ones. Ruling
    N-S9."""
    return dice.count(NEVER - 1) > dice.count(1)


@cache
def low_chance(dice: int) -> Fraction:
    """Return the chance that a volley of this number of dice leaves a unit low on ammunition."""
    even = (
        comb(dice, k) * comb(dice - k, k) * Fraction(4, 6) ** (dice - 2 * k) / 36**k
        for k in range(dice // 2 + 1)
    )
    return (1 - sum(even, Fraction(0))) / 2
