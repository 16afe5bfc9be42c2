"""Prices of custom fighters, set-ups, sizes of forces."""

from fractions import Fraction

import pytest

from rulebook.ruleset import RulesError
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.book.scenarios import scenario_facts
from rulebook.systems.en_garde.calculators.preparation import last_turns
from rulebook.systems.en_garde.calculators.registry import ask


def figures(key, **values):
    return {figure["key"]: figure["value"] for figure in ask(key, values)["figures"]}


def problems(key, **values):
    with pytest.raises(RulesError) as caught:
        ask(key, values)
    return [(problem.code, problem.field) for problem in caught.value.problems]


@pytest.mark.parametrize("rank", range(1, 6))
def test_each_base_profile_costs_what_the_book_prints(rank):
    assert figures("custom-fighter", rank=str(rank))["points"] == str(
        catalogue().base_profiles[rank].points
    )


def test_a_custom_fighter_is_priced_line_by_line():
    values = {
        "rank": "3",
        "fight": "4",
        "equipment": "sword,light-armour,horse",
        "on_weapons": "poison:sword",
        "attributes": "powerful",
        "weapon_master": "sword",
        "morale": "8",
    }
    answer = ask("custom-fighter", values)
    (total,) = answer["sums"]
    assert {line["reason"]: line["amount"] for line in total["lines"]} == {
        "Combat Pool 3": 6,
        "Initiative 2": 1,
        "Fight 4": 8,
        "Shoot 1": 2,
        "Light armour": 2,
        "Horse": 10,
        "Poison (sword)": 3,
        "Powerful": 3,
        "Weapon Master (sword)": 3,
        "Morale 8": 1,
    }
    assert total["total"] == 39
    assert all(line["rule"].startswith(("Ruling", "Rule book")) for line in total["lines"])


def test_a_second_pistol_is_priced_as_well():
    first, second = (
        figures("custom-fighter", rank="3", equipment=pistols)["points"]
        for pistols in ("pistol", "pistol,pistol")
    )
    assert (first, second) == ("20", "25")
    assert figures("custom-fighter", rank="3", equipment=["pistol", "pistol"])["points"] == "25"


def test_what_a_custom_fighter_cannot_have_is_refused_by_its_field():
    assert problems("custom-fighter", fight="11") == [("out-of-range", "fight")]
    assert problems("custom-fighter", equipment="light-armour,heavy-armour") == [
        ("slot-taken", "equipment")
    ]
    assert set(problems("custom-fighter", equipment="sword,sword")) == {
        ("already-carried", "equipment")
    }
    assert problems("custom-fighter", attributes="powerful,powerful") == [
        ("attribute-twice", "attributes")
    ]
    assert problems("custom-fighter", attributes="lucky") == [("wrong-rank", "attributes")]
    assert problems("custom-fighter", on_weapons="poison:spoon") == [
        ("unknown-weapon", "on_weapons")
    ]


@pytest.mark.parametrize("scenario", [facts.key for facts in scenario_facts()])
def test_the_same_seed_gives_the_same_table(scenario):
    values = {"scenario": scenario, "seed": "tuesday", "points": "150"}
    assert ask("set-up", values) == ask("set-up", values)
    others = [ask("set-up", {**values, "seed": str(seed)})["rolled"] for seed in range(5)]
    assert any(rolled != ask("set-up", values)["rolled"] for rolled in others)


def test_dice_of_the_table_are_taken_in_the_order_of_the_rolls():
    answer = ask(
        "set-up", {"scenario": "skirmish", "points": "100", "dice": "2,3,5,6,6,1,4,6,1,2,5,4,3"}
    )
    by_key = {figure["key"]: figure["value"] for figure in answer["figures"]}
    assert by_key["location"].startswith("Rural")
    assert by_key["terrain"] == "6: 2 large, 4 small"
    assert (by_key["weather"], by_key["hour"], by_key["length"]) == (
        "Wind and rain",
        "Night",
        "10 turns",
    )
    assert len(answer["rolled"]) == 13


def test_dice_that_are_missing_left_over_or_too_high_are_refused():
    with pytest.raises(RulesError, match="Add one more die from 1 to 6"):
        ask("set-up", {"dice": "2,3,4,5"})
    with pytest.raises(RulesError, match=r"1 dice too many\. This setup uses 11"):
        ask("set-up", {"dice": "2,3,4,5,5,6,1,2,5,4,3,1"})
    with pytest.raises(RulesError, match="Give a die from 1 to 3 instead of 5"):
        ask("set-up", {"dice": "2,5,4,5,5"})
    assert problems("set-up", dice="2", roles="lot") == [("wrong-dice", "roles")]


def test_too_many_sides_are_refused():
    assert problems("set-up", scenario="raid", sides="3") == [("out-of-range", "sides")]
    assert (
        "the fourth side" in ask("set-up", {"scenario": "occupy", "sides": "4"})["assumptions"][1]
    )


def test_attacker_is_given_or_drawn():
    assumption = ask("set-up", {"scenario": "raid", "roles": "second"})["assumptions"][1]
    assert "the second side is Attacker" in assumption
    drawn = {
        ask("set-up", {"scenario": "raid", "roles": "lot", "seed": str(seed)})["assumptions"][1]
        for seed in range(9)
    }
    assert len(drawn) == 2


def test_the_last_turn_falls_as_ruled():
    ruled = ("1/6", "5/18", "5/18", "5/27", "25/324", "5/324")
    assert last_turns(4) == dict(zip(range(5, 11), map(Fraction, ruled), strict=True))
    (table,) = ask("set-up", {"scenario": "occupy"})["tables"]
    assert [row["chance"] for row in table["rows"]] == list(ruled)


SHARES = [
    ("skirmish", {"Warband": "150"}),
    ("defence", {"Attacker": "150", "Defender": "75"}),
    ("escort", {"Attacker": "150", "Escort": "75"}),
    ("hold-the-bridge", {"Attacker": "180", "Defender": "150"}),
    ("raid", {"Attacker": "180", "Defender": "150"}),
]


@pytest.mark.parametrize(("scenario", "points"), SHARES)
def test_each_role_has_its_share_of_the_points(scenario, points):
    (grid,) = ask("forces", {"scenario": scenario, "points": "150"})["grids"]
    assert {row["label"]: row["cells"][1] for row in grid["rows"]} == points


def test_the_share_follows_what_was_really_spent_rounded_down():
    (grid,) = ask("forces", {"scenario": "raid", "points": "150", "spent": "141"})["grids"]
    assert [row["cells"][1] for row in grid["rows"]] == ["169", "141"]
    assert figures("forces", scenario="raid", points="150", spent="141")["civilians"] == "5"


def test_reserves_come_in_three_waves():
    assert figures("forces", fighters="9")["reserves"] == "5 / 2 / 2"
