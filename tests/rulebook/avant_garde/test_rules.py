"""The rules of Avant-garde against the text and the rulings, row by row: ``data/rules.txt``."""

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from rulebook.ruleset import RulesError
from rulebook.systems.avant_garde import artillery, charges, command, morale, movement, shooting
from rulebook.systems.avant_garde.artillery import Shot
from rulebook.systems.avant_garde.book import HouseRules, book
from rulebook.systems.avant_garde.charges import Charge, Charged
from rulebook.systems.avant_garde.fighters import Fighter, rating
from rulebook.systems.avant_garde.morale import Nerve, UnderFire, target
from rulebook.systems.avant_garde.odds import pass_chance, passes, total
from rulebook.systems.avant_garde.shooting import Fire

ROWS = (Path(__file__).parent / "data" / "rules.txt").read_text(encoding="utf-8").splitlines()
KNOWN = {
    "Charge": Charge,
    "Charged": Charged,
    "Fighter": Fighter,
    "Fire": Fire,
    "Fraction": Fraction,
    "HouseRules": HouseRules,
    "Nerve": Nerve,
    "Shot": Shot,
    "artillery": artillery,
    "book": book,
    "charges": charges,
    "command": command,
    "morale": morale,
    "movement": movement,
    "pass_chance": pass_chance,
    "passes": passes,
    "rating": rating,
    "shooting": shooting,
    "target": target,
    "total": total,
    "INFANTRY": book().infantry,
    "CAVALRY": book().cavalry,
    "PAIRS": list(product(range(1, 7), repeat=2)),
    "CHARGERS": UnderFire(Nerve(8), 24, 10),
    "amounts": lambda lines: [line.amount for line in lines],
}


def rows():
    """Each row: where it stands, what is asked, what comes out."""
    for row in ROWS:
        if row and not row.startswith("#"):
            where, asked, told = (cell.strip() for cell in row.split(" | "))
            yield pytest.param(asked, told, id=f"{where}: {asked}")


@pytest.mark.parametrize(("asked", "told"), list(rows()))
def test_the_rules_say_what_is_printed_and_ruled(asked, told):
    if told == "RulesError":
        with pytest.raises(RulesError, match="not in the source"):
            eval(asked, KNOWN)
    else:
        assert eval(asked, KNOWN) == (Fraction(told) if "/" in told else eval(told, KNOWN))
