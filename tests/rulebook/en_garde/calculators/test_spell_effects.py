"""Effects of spells: equal to every throw in the live log, including resistance."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.calculators.registry import ask
from rulebook.systems.en_garde.calculators.spells import blast_outcomes
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.table.magic import blasted
from rulebook.systems.en_garde.table.wounds import WoundTable, converted, needs_die

DIE = range(1, 7)


def chances(answer, key):
    (rows,) = (table["rows"] for table in answer["tables"] if table["key"] == key)
    return {row["key"]: Fraction(row["chance"]) for row in rows}


def figures(answer):
    return {each["key"]: each["value"] for each in answer["figures"]}


@pytest.mark.parametrize("spell", list(catalogue().spells))
def test_every_spell_is_answered_with_what_it_does(spell):
    answer = ask("spell", {"spell": spell})
    values = figures(answer)
    assert values["effect"] == catalogue().spells[spell].note
    tables = [table for table in answer["tables"] if table["key"] != "outcomes"]
    extra = set(values) - {"cost", "effect", "range", "radius"}
    assert tables or answer["grids"] or extra or spell in ("mist", "undergrowth")
    assert all(sum(Fraction(row["chance"]) for row in table["rows"]) == 1 for table in tables)


@settings(max_examples=40)
@given(st.integers(0, 3), st.integers(0, 4), st.booleans(), st.sampled_from(WoundTable))
def test_a_power_blast_equals_every_throw(shoot, worn, shield, table):
    magician = Combatant("m", "M", 5, shoot=shoot, attributes={"magician": ("power-blast",)})
    target = Combatant("t", "T", 2, worn=worn, shield=shield, table=table)
    counted: Counter[str] = Counter()
    for dice, die in product(product(DIE, repeat=2), DIE):
        result = blasted(magician, target, dice)
        if result is None:
            counted["miss"] += 1
        else:
            counted[converted(result, table, die if needs_die(result, table) else None).value] += 1
    by_result = {
        result: chance for result, chance in blast_outcomes(magician, target).items() if chance
    }
    assert by_result == {result: Fraction(ways, 216) for result, ways in counted.items()}


def test_a_power_blast_is_resisted_misses_or_wounds():
    values = {"spell": "power-blast", "rank": "4", "shoot": "1", "target_armour": "2"}
    answer = ask("spell", values)
    cast = Fraction(answer["outcomes"]["cast"])
    results = chances(answer, "results")
    assert results["resisted"] == 1 - cast
    # Two dice and Shoot 1 less 6: a miss below 6, a scratch never, for the blast's 2 make up for
    # the armour.
    assert results["miss"] == cast * Fraction(10, 36)
    assert results["stunned"] == cast * Fraction(5, 36)
    assert results["critical"] == cast * Fraction(3, 36)
    assert chances(answer, "target-after")["dead"] == results["critical"]
    assert [each["total"] for each in answer["sums"]][2:] == [-5, 0]


def test_an_open_shoot_is_that_of_the_base_profile():
    open_one, given = (
        ask("spell", {"spell": "power-blast"}),
        ask("spell", {"spell": "power-blast", "shoot": "2"}),
    )
    assert chances(open_one, "results") == chances(given, "results"), "Rank 5"


def test_drain_life_wounds_for_certain_where_it_is_cast():
    answer = ask("spell", {"spell": "drain-life", "target_wound": "light"})
    cast = Fraction(answer["outcomes"]["cast"])
    assert chances(answer, "target-after") == {"light": 1 - cast, "grievous": cast}
    huge = ask("spell", {"spell": "drain-life", "target_table": "large", "resisted_by": "nobody"})
    assert chances(huge, "target-after") == {"stunned": 1}


def test_heal_takes_every_counter():
    answer = ask("spell", {"spell": "heal", "target_wound": "grievous", "target_stunned": "1"})
    cast = Fraction(answer["outcomes"]["cast"])
    assert chances(answer, "target-after") == {"": cast, "grievous-and-stunned": 1 - cast}


def test_stun_gives_one_to_three_counters():
    answer = ask("spell", {"spell": "stun", "resisted_by": "nobody"})
    third = Fraction(1, 3)
    assert chances(answer, "target-after") == {
        "stunned": third,
        "stunned-twice": third,
        "light": third,
    }
    assert chances(answer, "counters")["resisted"] == 0


def test_spell_effects_are_shown_in_figures():
    assert figures(ask("spell", {"spell": "armour", "target_armour": "1"}))["armour"] == "1 → 4"
    summoned = figures(ask("spell", {"spell": "summon"}))["summoned"]
    assert summoned == "Rank 1, Combat Pool 1, Initiative 1, Fight 1"
    numbers, moves = ask("spell", {"spell": "transfix"})["grids"]
    assert list(numbers["rows"][0]["cells"]) == ["0", "1", "1", "2", "2", "3"]
    infantry = next(row["cells"] for row in moves["rows"] if row["label"] == "Infantry")
    assert list(infantry) == ["3 → 1", "6 → 3", "9 → 4"]
