"""Fights between Wards: the dice of each side, hits, who wins, and the exact chances.

Sheet: "Fight D6", "Fight result", "Better units". Rulings W-F1 to W-F10.
"""

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct

from rulebook.systems.wards.book import figures
from rulebook.systems.wards.pools import Chances, chance_of, pool
from rulebook.values.answers import ReasonLine

FIGHT = 'Sheet: "Fight D6"'


class Party(Struct, frozen=True):
    """One side of a fight: what its dice depend on.

    ``frontages`` are bases abreast of each unit in the front rank (W-F3), ``rear`` bases in the rear rank. ``general``
    is "" without one, else "present" or "attribute" where his fits (assaulter or target); ``leading`` is 0, 1 or 2
    dice for leading from the front (W-F4). ``foot`` is a Ward on foot: cavalry gets neither its dice nor rear support
    (W-F2).
    """

    frontages: tuple[float, ...] = (4.0,)
    rear: float = 0
    foot: bool = True
    general: str = "present"
    leading: int = 0
    better_units: int = 0
    levy: int = 0
    into_ground: bool = False


def fight_lines(own: Party, other: Party) -> tuple[ReasonLine, ...]:
    """The dice of a side, line by line, the least number that anybody throws included. Rulings W-F1, W-F5, W-F10."""
    known = figures("fight")
    fewer = max(0, other.better_units - own.better_units)
    lines = [
        ReasonLine(known["foot_ward"] * own.foot, "a Ward on foot", FIGHT),
        *(ReasonLine(unit_dice(each), f"a unit {each:g} bases wide", FIGHT) for each in own.frontages),
        ReasonLine(_rear_support(own), "rear support", FIGHT),
        ReasonLine(known["attribute"] * (own.general == "attribute"), "the General's attribute", FIGHT),
        ReasonLine(own.leading * bool(own.general), "the General leads from the front", "Ruling W-F4"),
        ReasonLine(known["better_units"]["each"] * min(fewer, known["better_units"]["most"]), "better enemies", FIGHT),
        ReasonLine(known["no_general"] * (not own.general), "no General", FIGHT),
        ReasonLine(known["levy"]["each"] * min(own.levy, known["levy"]["most"]), "Levy, three at most", FIGHT),
        ReasonLine(known["ground"] * own.into_ground, "into scenery", "Ruling W-F10"),
    ]
    short = known["fewest"] - sum(line.amount for line in lines)
    lines.append(ReasonLine(max(0, short), "nobody throws fewer than five", "Ruling W-F5"))
    return tuple(line for line in lines if line.amount)


def unit_dice(frontage: float) -> int:
    """The dice of a unit of the front rank. Ruling W-F1."""
    known = figures("fight")
    dice: int = known["unit"]["wide" if frontage >= known["wide"] else "narrow"]
    return dice


def _rear_support(own: Party) -> int:
    known = figures("fight")["rear_support"]
    return known["dice"] if own.foot and own.rear > known["above"] else 0


def fight_dice(own: Party, other: Party) -> int:
    """How many dice a side throws."""
    return sum(line.amount for line in fight_lines(own, other))


def assaulter_wins(hits: int, against: int) -> bool:
    """Does the assaulter win? By two hits or more, casualties aside; else it is the defender's. Ruling W-F7."""
    return bool(hits - against >= figures("fight")["winning"])


def general_hits(hits: int) -> int:
    """How often the General of the side that takes so many hits is hit: every fifth time. Ruling W-F6."""
    return hits // int(figures("fight")["general_hit"])


def hit_odds(number: int, *, again: bool = False) -> Chances:
    """The chance of each number of hits with so many dice; ``again`` is a General who lets failed dice be rethrown."""
    return pool(number, chance_of(figures("fight")["hits_on"], again=again))


def fight_odds(assaulter: Chances, target: Chances) -> Mapping[str, Fraction]:
    """The exact chances that the assaulter wins, that the target wins by two hits, and of a draw, which is its own."""
    found = {"assaulter": Fraction(0), "target": Fraction(0), "draw": Fraction(0)}
    for hits, chance in assaulter.items():
        for against, other in target.items():
            won = assaulter_wins(hits, against)
            key = "assaulter" if won else "target" if assaulter_wins(against, hits) else "draw"
            found[key] += chance * other
    return found
