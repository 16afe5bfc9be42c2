"""Charges: who has to test, how far they go, what the target may do, and at what range it fires.

Slides 3, 12, 13, 17, 18, 26. Rulings N-V2, N-H1, N-H7, N-S4, N-M2.
"""

from fractions import Fraction
from itertools import product
from math import ceil

from msgspec import Struct
from msgspec.structs import replace

from rulebook.dice.pools import at_most, together
from rulebook.dice.rolls import distribution
from rulebook.systems.avant_garde.book import Grade, book, figures, words
from rulebook.systems.avant_garde.morale import GOOD, Nerve, UnderFire, casualty_odds
from rulebook.systems.avant_garde.odds import Odds, modifiers, pass_chance, settled
from rulebook.systems.avant_garde.shooting import Fire, loss_odds
from rulebook.values.answers import ReasonLine

REACTIONS = words("reactions")


class Charged(Struct, frozen=True):
    """The target of a charge: the ``arm`` of the unit, its formation and state, and ``mounted`` or
    formed chargers.

    ``evades`` are light cavalry, skirmishers and gunners, ``on_react`` has a reaction token.
    """

    arm: str = "infantry"
    formation: str = "line"
    state: str = GOOD
    loaded: bool = True
    evades: bool = False
    on_react: bool = False
    mounted: bool = False
    formed: bool = True


def reactions(charged: Charged) -> tuple[str, ...]:
    """Return what a unit may do when it is charged, of ``REACTIONS``.

    Skirmishers charged by formed troops must evade or flee (slide 26); infantry counter-charges no
    cavalry (slide 12).
    """
    formation = book().formation[charged.formation]
    stands = not (formation.skirmish and charged.formed)
    outridden = charged.arm == "infantry" and charged.mounted
    may_charge = "charge" in formation.paces and charged.state == GOOD and not outridden
    possible = {
        "stand": stands,
        "stand-and-shoot": stands and charged.loaded,
        "fire-and-flee": charged.loaded and not formation.square,
        "flee": True,
        "evade": charged.evades or formation.skirmish,
        "square": charged.arm == "infantry" and not formation.skirmish,
        "counter-charge": stands and charged.on_react and may_charge,
    }
    return tuple(key for key, open_ in possible.items() if open_)


def must_test_to_charge(
    *,
    formed: bool,
    in_good_order: bool,
    frontally: bool,
    own: int,
    enemy: int,
    aggressive: bool = False,
) -> bool:
    """Return whether a unit tests before it charges: not if it outnumbers them by more than 2 to 1.
    Slides 6, 12, 22.

    Who fails stays in the state that it has: only the charge is refused. Ruling N-M2.
    """
    outnumbered = own > figures("charge")["outnumber"] * enemy
    return formed and in_good_order and frontally and not outnumbered and not aggressive


def charge_reach(formation: str) -> tuple[int, int]:
    """Return inches that a charge goes for certain, and the dice that are added. Ruling N-V2.

    Raise RulesError "not-in-source" for a formation that does not charge.
    """
    row = book().formation[formation]
    return settled(
        row.paces.get("charge"), f"The charge of {row.name.lower()}", "formation"
    ), row.charge_dice


def reach_chance(formation: str, inches: float) -> Fraction:
    """Return the chance that a charge covers so many inches."""
    base, dice = charge_reach(formation)
    return 1 - at_most(distribution(f"{dice}D6"), ceil(inches - base) - 1)


def within_half(inches: float, charge: int) -> bool:
    """Return whether the chargers are within half of their rolled charge, rounded down. Rulings
    N-H1, N-H9."""
    return inches <= charge // 2


def close_chance(inches: float, formation: str, rolled: int | None = None) -> Fraction:
    """Return the chance that chargers of a formation are within half of their charge, which may be
    ``rolled`` already.

    Rulings N-H1, N-H9.
    """
    if rolled:
        return Fraction(within_half(inches, rolled))
    base, dice = charge_reach(formation)
    odds = distribution(f"{dice}D6").items()
    return sum((chance for run, chance in odds if within_half(inches, base + run)), Fraction(0))


def flight_dice(*, mounted: bool, shot_first: bool = False) -> int:
    """Return dice of inches that a unit runs: three mounted, else two, one fewer if it fired
    before. Ruling N-H7."""
    return figures("melee")["flight_cavalry" if mounted else "flight_infantry"] - shot_first


def flight_inches(dice: tuple[int, ...], *, limbers: bool = False) -> float:
    """Return how far a unit runs; horse guns that limber as they go run half of it. Slide 19.
    Ruling N-V8."""
    return sum(dice) / (2 if limbers else 1)


def square_nerve(nerve: Nerve, formation: str, *, close: bool) -> Nerve:
    """Return the test to form square from a formation; ``close``: the chargers are within half of
    their charge.

    Who fails stands as it was and is disordered; if it was that already it must flee. Slide 13.
    """
    return nerve.with_lines(
        *modifiers("square", close=close, line=formation == "line", march=formation == "march")
    )


def defence_lines(grade: Grade, *, disordered: bool = False) -> tuple[ReasonLine, ...]:
    """Return what is added to the die for the range at which a unit fires at chargers."""
    return modifiers("defence", grade, name=grade.name, disordered=disordered)


def fires_at(die: int, defence: int, distance: float) -> int | None:
    """Return the range in inches at which it fires, 0 at least; None if that is beyond the
    chargers: fired high.

    Slide 13.
    """
    inches = max(0, die + defence)
    return None if inches > distance else inches


class Charge(Struct, frozen=True):
    """A charge on a unit that may fire: who charges from how far, and the fire with what is added
    to its range.

    ``volley`` is the target of the test that lets the full rank fire; None where no volley is
    tried, ``fire`` None where nobody fires.
    """

    formation: str
    distance: float
    chargers: UnderFire
    fire: Fire | None = None
    defence: int = 0
    volley: int | None = None


def fire_odds(charge: Charge) -> Odds:
    """Return what defensive fire does to the chargers.

    The keys are their states, "no-test" for too few casualties, "high" for a miss.
    """
    if charge.fire is None:
        return {"no-test": Fraction(1)}
    parts: list[tuple[str, Fraction]] = []
    volleys = Fraction(0) if charge.volley is None else pass_chance(charge.volley)
    for die, (manner, share) in product(
        range(1, 7), (("volley", volleys), (charge.fire.manner, 1 - volleys))
    ):
        inches = fires_at(die, charge.defence, charge.distance)
        fire = replace(charge.fire, manner=manner, inches=inches or 0, charging=True)
        states = (
            {"high": Fraction(1)}
            if inches is None
            else casualty_odds(charge.chargers, loss_odds(fire))
        )
        parts += [(state, chance * share / 6) for state, chance in states.items()]
    return together(*parts)


def charge_odds(charge: Charge) -> Odds:
    """Return how a charge ends: "contact", "halted" an inch away by the fire, or "short".

    The fire comes in any case.
    """
    reaches, states = reach_chance(charge.formation, charge.distance), fire_odds(charge)
    steady = sum(
        (states.get(key, Fraction(0)) for key in ("no-test", "high", charge.chargers.state)),
        Fraction(0),
    )
    return {"contact": reaches * steady, "halted": reaches * (1 - steady), "short": 1 - reaches}
