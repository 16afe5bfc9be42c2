"""The rules of Avant-garde against the text and the rulings, row by row: ``data/rules.txt``."""

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace

from rulebook.dice.pools import successes
from rulebook.ruleset import RulesError
from rulebook.systems.avant_garde import (
    artillery,
    charges,
    command,
    melee,
    morale,
    movement,
    shooting,
    victory,
)
from rulebook.systems.avant_garde.artillery import Shot
from rulebook.systems.avant_garde.book import HouseRules, book, figures
from rulebook.systems.avant_garde.charges import Charge, Charged
from rulebook.systems.avant_garde.fighters import USUAL, Fighter, grade_of, one_change, rating_of
from rulebook.systems.avant_garde.melee import Fight, Party
from rulebook.systems.avant_garde.morale import Nerve, UnderFire, target
from rulebook.systems.avant_garde.odds import pass_chance, passes, total
from rulebook.systems.avant_garde.points import has_price, price
from rulebook.systems.avant_garde.shooting import Fire
from rulebook.systems.avant_garde.system import AvantGardePoints
from rulebook.systems.avant_garde.victory import Tally

ROWS = (Path(__file__).parent / "data" / "rules.txt").read_text(encoding="utf-8").splitlines()
KNOWN = {
    "AvantGardePoints": AvantGardePoints,
    "Charge": Charge,
    "Charged": Charged,
    "Fight": Fight,
    "Fighter": Fighter,
    "Fire": Fire,
    "Fraction": Fraction,
    "HouseRules": HouseRules,
    "Nerve": Nerve,
    "Party": Party,
    "Shot": Shot,
    "Tally": Tally,
    "artillery": artillery,
    "book": book,
    "charges": charges,
    "command": command,
    "melee": melee,
    "morale": morale,
    "figures": figures,
    "grade_of": grade_of,
    "movement": movement,
    "pace": lambda key, pace: {"back": book().formation[key].back, **book().formation[key].paces}[
        pace
    ],
    "pass_chance": pass_chance,
    "passes": passes,
    "USUAL": USUAL,
    "cost": lambda rules=USUAL, **kwargs: price(Fighter(**kwargs), rules).points,
    "has_price": has_price,
    "one_change": one_change,
    "successes": successes,
    "rating": lambda key, rules=USUAL: rating_of(Fighter("commander", rating=key), rules),
    "replace": replace,
    "shooting": shooting,
    "target": target,
    "total": total,
    "victory": victory,
    "INFANTRY": book().infantry,
    "CAVALRY": book().cavalry,
    "PAIRS": list(product(range(1, 7), repeat=2)),
    "FOOT": Party(8, 24, Nerve(8)),
    "HORSE": Party(
        6, 12, Nerve(8), mount="light", weapon="sabre", charging=True, formation="cavalry-line"
    ),
    "CHARGERS": UnderFire(Nerve(8), 24, 10),
    "amounts": lambda lines: [line.amount for line in lines],
}


def rows():
    """Yield each row: its source, its expression, and the expected value."""
    for row in ROWS:
        if row and not row.startswith("#"):
            where, expression, expected = (cell.strip() for cell in row.split(" | "))
            yield pytest.param(expression, expected, id=f"{where}: {expression}")


@pytest.mark.parametrize(("expression", "expected"), list(rows()))
def test_the_rules_say_what_is_printed_and_ruled(expression, expected):
    if expected == "RulesError":
        with pytest.raises(RulesError, match="not in the source"):
            eval(expression, KNOWN)
    else:
        assert eval(expression, KNOWN) == (
            Fraction(expected) if "/" in expected else eval(expected, KNOWN)
        )
