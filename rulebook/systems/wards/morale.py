"""Morale of a Ward: its dice, what they come to, and the exact chances. Sheet: "Morale". Rulings W-M1 to W-M10."""

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct

from rulebook.systems.wards.book import figures
from rulebook.systems.wards.pools import capped, chance_of, pool, successes
from rulebook.values.answers import ReasonLine

MORALE = 'Sheet: "Morale"'


class Nerve(Struct, frozen=True):
    """What a Ward's morale depends on: casualty markers, hostile faces, Levy, a General, better units, a hill.

    ``general`` is "" without one, else "present", or "morale" where he has that attribute.
    """

    casualties: int = 0
    hostile_faces: int = 0
    levy: bool = False
    general: str = "present"
    better_units: int = 0
    on_hill: bool = False


def morale_lines(nerve: Nerve) -> tuple[ReasonLine, ...]:
    """The dice of the test, line by line. Rulings W-M1, W-M5."""
    known = figures("morale")
    better = known["better_units"]
    lines = (
        ReasonLine(min(nerve.casualties, known["casualties"]["most"]), "casualties, four at most", MORALE),
        ReasonLine(min(nerve.hostile_faces, known["hostile_faces"]["most"]), "hostile faces, four at most", MORALE),
        ReasonLine(known["levy"] * nerve.levy, "Levy in the Ward", MORALE),
        ReasonLine(known["no_general"] * (not nerve.general), "no General", "Ruling W-M1"),
        ReasonLine(better["each"] * min(nerve.better_units, better["most"]), "better units, two at most", MORALE),
        ReasonLine(known["hill"] * nerve.on_hill, "on a hill", "Ruling W-M5"),
    )
    return tuple(line for line in lines if line.amount)


def morale_dice(nerve: Nerve) -> int:
    """How many dice are thrown: none below one. Ruling W-M2."""
    return max(0, sum(line.amount for line in morale_lines(nerve)))


def thrown_again(dice: tuple[int, ...], general: str) -> int:
    """How many dice a General with the attribute throws again: those that failed, once. Ruling W-G5."""
    return successes(dice, figures("morale")["fails_on"]) if general == "morale" else 0


def fails(dice: tuple[int, ...], again: tuple[int, ...]) -> int:
    """How many dice fail, three at most; thrown again, the second throw counts. Ruling W-M3."""
    known = figures("morale")
    counted = again if again else dice
    return min(int(known["worst"]), successes(counted, known["fails_on"]))


def outcome_of(failed: int) -> Mapping[str, str]:
    """What so many fails come to: its ``key``, ``name`` and what it ``says``."""
    found: Mapping[str, str] = figures("morale")["outcome"][str(failed)]
    return found


def morale_odds(nerve: Nerve) -> Mapping[str, Fraction]:
    """The exact chance of each outcome, by its key, from steady to rout."""
    known = figures("morale")
    once = chance_of(known["fails_on"])
    chance = once * once if nerve.general == "morale" else once
    found = capped(pool(morale_dice(nerve), chance), known["worst"])
    return {outcome_of(failed)["key"]: found.get(failed, Fraction(0)) for failed in range(known["worst"] + 1)}


def rout_odds() -> Mapping[int, Fraction]:
    """The chance of each number of half bases lost when the owner keeps the lower of two throws. Rulings W-M7, W-M8.

    The owner throws again whenever the first throw is above the average of the second, which is 7.
    """
    first = {total: Fraction(6 - abs(7 - total), 36) for total in range(2, 13)}
    again = sum(chance for total, chance in first.items() if total > 7)
    return {total: chance * (total <= 7) + again * chance for total, chance in first.items()}
