"""Morale, shooting, fights and moves in dice: how many, what each has to show, and the exact
chances.

Sheet: "Morale", "Shooting", "Fight D6", "Fight result", "Movement". Rulings W-M1 to W-M11, W-H1,
W-H2, W-F1 to W-F10, W-V1 to W-V3.
"""

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct

from rulebook.dice.pools import Chances, added, chance_of, pool, successes
from rulebook.dice.rolls import distribution
from rulebook.systems.wards.book import figures, read_data
from rulebook.systems.wards.fighters import bases_in_words
from rulebook.values.answers import ReasonLine, counting

MORALE, FIGHT = 'Sheet: "Morale"', 'Sheet: "Fight D6"'
MODES = {"normal": "As usual", "intense": "Intense, at those who touch front or rear"}
DIRECTIONS = {
    "": "Not said",
    "front": "It touches the front",
    "rear": "It touches the rear",
    "side": "Sideways",
    "apart": "It does not touch",
}
"""Where the target of shots stands: intense shooting is for those who touch front or rear."""
MOVES = {key: move["name"] for key, move in read_data("moves").items()}
"""The moves of a Ward in the movement step."""
ROLLED = ("sideways", "scenery", "assault-sideways", "assault-scenery")
"""Moves that take dice. Ruling W-V3: to assault straight forward or backward takes none."""


class Nerve(Struct, frozen=True):
    """The terms of a Ward's morale: casualty markers, hostile faces, Levy, a General, better units,
    a hill.

    ``general`` is "" without one, else "present", or "attribute" where he is one for morale.
    """

    casualties: int = 0
    hostile_faces: int = 0
    levy: bool = False
    general: str = "present"
    better: int = 0
    on_hill: bool = False


def morale_lines(nerve: Nerve) -> tuple[ReasonLine, ...]:
    """Return the dice of the test, line by line. Rulings W-M1, W-M5."""
    rules = figures("morale")
    better = rules["better_units"]
    return counting(
        ReasonLine(
            min(nerve.casualties, rules["casualties"]["most"]), "casualties, four at most", MORALE
        ),
        ReasonLine(
            min(nerve.hostile_faces, rules["hostile_faces"]["most"]),
            "hostile faces, four at most",
            MORALE,
        ),
        ReasonLine(rules["levy"] if nerve.levy else 0, "Levy in the Ward", MORALE),
        ReasonLine(0 if nerve.general else rules["no_general"], "no General", "Ruling W-M1"),
        ReasonLine(
            better["each"] * min(nerve.better, better["most"]), "better units, two at most", MORALE
        ),
        ReasonLine(rules["hill"] if nerve.on_hill else 0, "on a hill", "Ruling W-M5"),
    )


def morale_dice(nerve: Nerve) -> int:
    """Return how many dice are thrown: none below one. Ruling W-M2."""
    return max(0, sum(line.amount for line in morale_lines(nerve)))


def fails(dice: tuple[int, ...], again: tuple[int, ...]) -> int:
    """Return how many dice fail, three at most; thrown again, the second throw counts. Ruling
    W-M3."""
    rules = figures("morale")
    return min(int(rules["worst"]), successes(again or dice, rules["fails_on"]))


def outcome_of(failed: int) -> Mapping[str, str]:
    """Return what so many fails come to: its ``key``, ``name`` and what it ``says``. Ruling
    W-M4."""
    outcome: Mapping[str, str] = figures("morale")["outcome"][str(failed)]
    return outcome


def morale_odds(nerve: Nerve) -> Mapping[str, Fraction]:
    """Return the exact chance of each outcome, by its key, from steady to rout."""
    rules, dice = figures("morale"), morale_dice(nerve)
    once = chance_of(rules["fails_on"])
    # A General for morale has failed dice thrown again: a die fails if it does so twice.
    fail_odds = pool(dice, once * once if nerve.general == "attribute" else once)
    odds: dict[str, Fraction] = {}
    for failed in range(rules["worst"]):
        odds[outcome_of(failed)["key"]] = fail_odds.get(failed, Fraction(0))
    # More fails than the worst are as bad as that. Ruling W-M3.
    worst = outcome_of(rules["worst"])["key"]
    return {**odds, worst: 1 - sum(odds.values(), Fraction(0))}


def rout_odds() -> Chances:
    """The chance of each number of half-bases lost when the owner keeps the lower of two throws.
    Rulings W-M7, W-M8.

    The owner throws again whenever the first throw is above the average of the second, which is 7.
    """
    first = distribution("2D6")
    again = sum(chance for total, chance in first.items() if total > 7)
    # The first throw counts where it is kept, the second where it is not.
    odds = {}
    for total, chance in first.items():
        kept = chance if total <= 7 else Fraction(0)
        odds[total] = kept + again * chance
    return odds


def width_dice(table: str, frontage: float) -> int:
    """Return the dice of one unit in "shooting" or in a "fight": from three bases abreast on it is
    wide.

    Ruling W-F1.
    """
    dice: int = figures(table)["unit"]["wide" if frontage >= figures(table)["wide"] else "narrow"]
    return dice


def needs(mode: str, *, low: bool = False) -> int:
    """Return the lowest die that hits."""
    hits_on: Mapping[str, int] = figures("shooting")["hits_on"]
    return hits_on["low" if low else mode]


class Party(Struct, frozen=True):
    """One side of a fight: what its dice depend on.

    ``frontages`` are bases abreast of each unit in the front rank (W-F3), ``rear`` bases in the
    rear rank. ``general`` is "" without one, else "present" or "attribute" where his fits
    (assaulter or target); ``leading`` is 0, 1 or 2 dice for leading from the front (W-F4). ``foot``
    is a Ward on foot: cavalry gets neither its dice nor rear support (W-F2).
    """

    frontages: tuple[float, ...] = (4.0,)
    rear: float = 0
    foot: bool = True
    general: str = "present"
    leading: int = 0
    better: int = 0
    levies: int = 0
    into_ground: bool = False


def fight_lines(own: Party, other: Party) -> tuple[ReasonLine, ...]:
    """Return the dice of a side, line by line, the least number that anybody throws included.

    Rulings W-F1, W-F5, W-F10.
    """
    rules = figures("fight")
    better = rules["better_units"]
    levy = rules["levy"]
    support = rules["rear_support"]
    fewer = min(max(0, other.better - own.better), better["most"])

    # Every unit of the front rank throws its own dice. Ruling W-F3.
    combatants = []
    for frontage in own.frontages:
        bases = bases_in_words(int(frontage * 2))
        combatants.append(
            ReasonLine(width_dice("fight", frontage), f"a unit {bases} bases wide", FIGHT)
        )
    supported = own.foot and own.rear > support["above"]
    attribute = own.general == "attribute"
    lines = counting(
        ReasonLine(rules["foot_ward"] if own.foot else 0, "a Ward on foot", FIGHT),
        *combatants,
        ReasonLine(support["dice"] if supported else 0, "rear support", FIGHT),
        ReasonLine(rules["attribute"] if attribute else 0, "the General's attribute", FIGHT),
        ReasonLine(
            own.leading if own.general else 0, "the General leads from the front", "Ruling W-F4"
        ),
        ReasonLine(better["each"] * fewer, "better enemies, two at most", FIGHT),
        ReasonLine(0 if own.general else rules["no_general"], "no General", FIGHT),
        ReasonLine(levy["each"] * min(own.levies, levy["most"]), "Levy, three at most", FIGHT),
        ReasonLine(rules["ground"] if own.into_ground else 0, "into scenery", "Ruling W-F10"),
    )

    # What is missing to the least number comes last, after everything that is taken off.
    short = max(0, rules["fewest"] - sum(line.amount for line in lines))
    return (*lines, *counting(ReasonLine(short, "nobody throws fewer than five", "Ruling W-F5")))


def fight_dice(own: Party, other: Party) -> int:
    """Return how many dice a side throws."""
    return sum(line.amount for line in fight_lines(own, other))


def assaulter_wins(hits: int, against: int) -> bool:
    """Return whether the assaulter wins: by two hits or more, without casualties. Ruling W-F7."""
    return bool(hits - against >= figures("fight")["winning"])


def fight_odds(assaulter: Chances, target: Chances) -> Mapping[str, Fraction]:
    """The exact chances that the assaulter wins, that the target wins by two hits, and of a draw,
    which is its own."""
    odds = {"assaulter": Fraction(0), "target": Fraction(0), "draw": Fraction(0)}
    for lead, chance in added(
        assaulter, {-hits: chance for hits, chance in target.items()}
    ).items():
        if assaulter_wins(lead, 0):
            odds["assaulter"] += chance
        elif assaulter_wins(0, lead):
            odds["target"] += chance
        else:
            odds["draw"] += chance
    return odds


def move_dice(move: str, *, failed_before: bool = False, no_enemy: bool = False) -> int:
    """Return how many dice a move takes; either reason for a fourth is enough, and both make no
    fifth. Ruling W-V1."""
    dice: int = figures("sideways")["more" if failed_before or no_enemy else "dice"]
    return dice if move in ROLLED else 0


def move_succeeds(dice: tuple[int, ...]) -> bool:
    """Return whether the Ward moves: the dice are added up. Ruling W-V2."""
    return not dice or sum(dice) >= figures("sideways")["need"]
