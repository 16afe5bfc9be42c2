"""House rules of Avant-garde: what each of them changes, and what holds without it."""

import pytest

from rulebook.ruleset import RulesError
from rulebook.systems.avant_garde import melee
from rulebook.systems.avant_garde.book import HouseRules
from rulebook.systems.avant_garde.fighters import (
    Fighter,
    counted,
    easier_need,
    four_dice,
    grade_of,
    one_change,
    rating_of,
)
from tests.rulebook.avant_garde.field import Field
from tests.rulebook.avant_garde.test_log import PIPS

USUAL = HouseRules()


@pytest.mark.parametrize(("key", "arm", "grade", "usual"), [
    ("elite_cavalry_morale", "cavalry", "elite", 10),
    ("elite_cavalry_morale", "cavalry", "guard", 10),
    ("crew_morale_raw", "artillery", "raw", 7),
    ("crew_morale_regular", "artillery", "line", 8),
    ("crew_morale_veteran", "artillery", "veteran", 9),
    ("crew_morale_guard", "artillery", "guard", 10),
])  # fmt: skip
def test_morale_that_the_source_lacks_is_settled_by_the_club(key, arm, grade, usual):
    """Rulings N-P5 and N-M10."""
    fighter = Fighter(arm, grade=grade)
    assert grade_of(fighter, USUAL).morale == usual
    assert grade_of(fighter, HouseRules(**{key: 6})).morale == 6


@pytest.mark.parametrize("field", ["leadership", "pips", "influence", "radius"])
def test_charismatic_commander_has_only_what_the_club_settles(field):
    """Ruling N-C1."""
    fighter = Fighter("commander", rating="charismatic")
    assert getattr(rating_of(fighter, USUAL), field) is None
    assert getattr(rating_of(fighter, HouseRules(**{f"charismatic_{field}": 9})), field) == 9


def test_prussians_change_formation_or_move_up_to_the_year_that_the_club_sets():
    """Ruling N-V9."""
    assert not one_change(Fighter(), "prussia", USUAL)
    assert not one_change(Fighter(), "prussia", HouseRules(year=1806))
    for year, bound in ((1806, True), (1812, False)):
        assert one_change(Fighter(), "prussia", HouseRules(year=year, prussia_before=1807)) == bound


def test_russian_guns_hit_easier_up_to_the_year_that_the_club_sets():
    """Ruling N-V9."""
    guns = Fighter("artillery", medium=1)
    for rules, easier in ((USUAL, 0), (HouseRules(year=1806, russian_guns_before=1807), 1),
                          (HouseRules(year=1807, russian_guns_before=1807), 0)):  # fmt: skip
        assert easier_need(guns, "russia", "unlimbered", rules) == easier
    assert (
        easier_need(Fighter(), "russia", "line", HouseRules(year=1806, russian_guns_before=1807))
        == 0
    )


@pytest.mark.parametrize(
    ("played", "dice", "easier"), [("four-dice", True, 0), ("easier", False, 1)]
)
def test_portuguese_line_fires_as_the_club_plays_it(played, dice, easier):
    rules = HouseRules(portuguese_fire=played)
    assert (
        four_dice(Fighter(), "portugal", rules),
        easier_need(Fighter(), "portugal", "line", rules),
    ) == (
        dice,
        easier,
    )
    assert easier_need(Fighter(), "portugal", "column", rules) == 0
    assert four_dice(Fighter(), "britain", rules)


def test_recovery_of_elite_cavalry_is_asked_for_unless_the_club_settles_it():
    """Ruling N-K1."""
    guard = Fighter("cavalry", grade="guard")
    with pytest.raises(RulesError, match="not in the source"):
        melee.recovery_of(grade_of(guard, USUAL))
    assert melee.recovery_of(grade_of(guard, HouseRules(elite_recovery=3))) == 3


@pytest.mark.parametrize(("counts", "number"), [("figures", 9), ("stands", 3), ("units", 1)])
def test_losses_of_a_brigade_are_counted_as_the_club_plays_it(counts, number):
    """Ruling N-M11."""
    assert counted(Fighter(stand=4), 9, HouseRules(brigade_loss=counts)) == number


def test_colours_and_returns_go_by_the_house_rules():
    """Casualties come back only where they carry over, on the die of the club, and to nobody
    without colours."""
    field = Field(returns=True, returns_on=6).tell("loss", fighter="red-line", figures=2)
    field.tell("loss", fighter="red-guard", figures=2, colours=True).tell("ended")
    assert field.refused("returns", fighter="red-guard", dice=[6, 6]) == ["no-colours-no-returns"]
    assert field.tell("returns", fighter="red-line", dice=[5, 6]).of("red-line").lost == 1
    field = (
        Field(returns=True, casualties_carry_over=False)
        .tell("loss", fighter="red-line", figures=2)
        .tell("ended")
    )
    assert field.refused("returns", fighter="red-line", dice=[6, 6]) == ["no-returns"]


def test_nobody_recovers_from_disease():
    field = Field(disease=True, returns=True).tell("disease", side="red", dice=[6, 1, 1, 1, 4, 1])
    field.tell("loss", fighter="red-line", figures=1).tell("ended")
    assert field.refused("returns", fighter="red-line", dice=[6, 6]) == ["wrong-dice"]
    assert field.tell("returns", fighter="red-line", dice=[6]).of("red-line").figures == 18


def test_a_whole_brigade_may_wait_though_it_is_more_than_a_third():
    """Ruling N-R2."""
    brigade = [f"red-{each}" for each in ("general", "line", "guard", "militia", "light", "guns")]
    field = Field().tell("hold", side="red", fighters=brigade)
    assert not field.of("red-guard").on_table


def test_muskets_are_at_long_range_where_the_club_says_so():
    """Ruling N-S1."""
    fire = {"fighter": "red-line", "target": "blue-line", "front": 2, "inches": 5, "shots": [4]}
    for settings, codes in (({}, ["wrong-dice"]), ({"musket_long": 4}, [])):
        field = Field(**settings).tell("turn", dice=PIPS).tell("initiative", dice=[6, 1])
        assert field.refused("fire", **fire, kills=[]) == codes
