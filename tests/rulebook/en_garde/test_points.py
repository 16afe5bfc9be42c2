"""Prices of fighters: the formula against every printed price, options, Morale, and the house rules
on prices."""

import math
from typing import Any

import pytest

from rulebook.ruleset import CampaignTerms, Roster, RosterFighter
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.experience.rank_ups import rank_ups
from rulebook.systems.en_garde.reference import catalogue_json
from rulebook.systems.en_garde.rosters.builds import from_json, house_terms
from rulebook.systems.en_garde.rosters.prices import price, profile_points
from tests.rulebook.en_garde.rosters import build, rows, terms

ARMS = catalogue.catalogue().arms

# Where the plain formula and the printed price disagree, and the ruling that settles it.
EXCEPTIONS = {
    "Officer of cardinals-guard": (16, 18),  # D2
    "Senior Officer of cardinals-guard": (18, 24),  # D2
    "D'Artagnan of three-musketeers": (38, 39),  # P3
    "Witch Hunter of fantastical": (55, 51),  # D15
    "Beast of fantastical": (36, 28),  # D14
    "Revenant of fantastical": (12, 15),  # D16
    "Barbarian of fantastical": (46, 48),  # P2, D17
    "Thief of fantastical": (48, 50),  # P2, D17
}
CORRECTED = {"Officer of cardinals-guard": 18, "Senior Officer of cardinals-guard": 24}


def plain_formula(row: list[str]) -> int:
    """Return the points by the formula from the printed row only, without rulings.

    Armour counts by the printed rating.
    """
    list_key, _, rank, move, pool, initiative, fight, shoot, rating, _ = row[:10]
    equipment, attributes = [*row[10:], "", ""][:2]
    mounted = "horse" in equipment
    step = 0 if mounted else 2 * ({"Slow": -1, "Infantry": 0, "Fast": 1}[move])
    sums = 2 * (int(pool) + int(fight) + int(shoot)) + math.ceil(int(initiative) / 2)
    armour = {0: 0, 1: 2, 2: 4, 3: 7}[int(rating)]
    if "shield" in equipment:
        armour = 2 + {1: 0, 2: 2}[int(rating)]
    surcharge = catalogue.morale_surcharge(catalogue.faction(list_key).morale)
    return (
        sums
        + arms_points(equipment)
        + armour
        + step
        + surcharge
        + attribute_points(attributes, int(rank))
    )


def arms_points(equipment: str) -> int:
    if " or " in equipment:
        return 0
    priced: dict[str, Any] = {**ARMS.close_combat, **ARMS.missiles, **ARMS.mounts}
    names = {entry.name.lower(): entry.points for entry in priced.values()}
    parts = (
        equipment.lower()
        .replace("2x pistols", "pistol, pistol")
        .replace("dagger (poisoned)", "dagger, poison")
    )
    return sum(names.get(part, 3 if part == "poison" else 0) for part in parts.split(", "))


def attribute_points(attributes: str, rank: int) -> int:
    """Return 3 for each attribute; fantastical ones have their own price, and Large has none."""
    plain = [
        part.split(" (")[0]
        for part in attributes.replace(", Drain", "").split(", ")
        if part[:1].isupper()
    ]
    own = {"Magician": 4 * rank, "Priest": 5, "Terrifying": 3, "Relentless": 3, "Large": 0}
    spells = {"Power Blast", "Stun", "Summon", "Summon)"}
    return sum(own.get(name, 3) for name in plain if name.rstrip(")") not in spells and name != "–")


@pytest.mark.parametrize("row", rows("profiles.txt"), ids=lambda row: f"{row[0]}-{row[1]}")
def test_the_formula_gives_the_printed_price_but_for_the_named_exceptions(row: list[str]):
    name = f"{row[1].rstrip('*')} of {row[0]}"
    printed, formula = EXCEPTIONS.get(name, (int(row[9]), int(row[9])))
    assert (int(row[9]), plain_formula(row)) == (printed, formula)


def test_51_of_the_59_printed_profiles_obey_the_plain_formula():
    assert sum(plain_formula(row) == int(row[9]) for row in rows("profiles.txt")) == 51


def test_with_the_rulings_only_two_profiles_are_misprinted():
    differing = {
        f"{profile.name} of {faction.key}": profile_points(profile, faction.key)
        for faction in catalogue.catalogue().factions.values()
        for profile in faction.profiles
        if faction.kind != "custom" and profile_points(profile, faction.key) != profile.points
    }
    assert differing == CORRECTED


@pytest.mark.parametrize("rank", [1, 2, 3, 4, 5])
def test_the_five_base_profiles_cost_what_the_formula_says(rank: int):
    terms_ = terms("custom")
    assert cost(f"rank-{rank}", terms_) == catalogue.base_profile(rank).points


def cost(raw, on: CampaignTerms) -> int:
    return price(from_json(build(raw, on)), house_terms(on)).points


def test_a_misprinted_price_is_corrected_unless_the_campaign_goes_by_the_print():
    assert cost("senior-officer", terms("cardinals-guard")) == 24
    assert cost("senior-officer", terms("cardinals-guard", prices="printed")) == 18


def test_price_includes_printed_and_corrected_points():
    on = terms("cardinals-guard")
    priced = price(from_json(build("officer", on)), house_terms(on))
    assert (priced.points, priced.printed) == (18, 16)


def test_a_printed_price_is_one_line_and_a_corrected_one_is_broken_down():
    on = terms("landsknechts")
    lines = price(from_json(build("landsknecht", on)), house_terms(on)).lines
    assert {line.label: line.points for line in lines} == {
        "Combat Pool 2": 4,
        "Fight 2": 4,
        "Pike": 2,
        "Medium armour": 4,
        "Morale 8": 1,
    }
    printed = terms("landsknechts", prices="printed")
    (line,) = price(from_json(build("landsknecht", printed)), house_terms(printed)).lines
    assert (line.label, line.points) == ("Landsknecht, as printed", 15)


@pytest.mark.parametrize("prices", ["corrected", "printed"])
@pytest.mark.parametrize(
    ("list_key", "raw", "points"),
    [
        ("landsknechts", {"profile": "landsknecht", "options": {"exchange-pike": "crossbow"}}, 16),
        (
            "landsknechts",
            {"profile": "oberst", "options": {"mount": "warhorse", "weapon": "halberd"}},
            51,
        ),
        (
            "conquistadors",
            {"profile": "knight", "options": {"upgrade-horse": True, "lance": True}},
            42,
        ),
        ("aztecs", {"profile": "macehualli", "options": {"exchange-shield": "great-weapon"}}, 10),
        (
            "english-civil-war",
            {"profile": "horse", "options": {"pistol": ["pistol", "pistol"]}},
            39,
        ),
        ("ottoman-empire", {"profile": "azab", "options": {"buckler": True, "weapon": "bow"}}, 13),
        (
            "border-reivers",
            {"profile": "lord", "options": {"attributes": ["lucky", "tough", "tactician"]}},
            41,
        ),
    ],
)
def test_options_cost_what_the_list_says(list_key, raw, points, prices):
    assert cost(raw, terms(list_key, prices=prices)) == points


def test_a_buckler_costs_2_with_the_ottomans_and_1_elsewhere():
    azab = {"profile": "azab", "options": {"buckler": True}}
    reiver = {"profile": "reiver", "options": {"weapon": "buckler"}}
    assert cost(azab, terms("ottoman-empire")) == 8 + 2
    assert cost(reiver, terms("border-reivers")) == 10 + 1


def test_by_house_rule_the_ottoman_buckler_costs_what_the_table_says():
    azab, on = (
        {"profile": "azab", "options": {"buckler": True}},
        terms("ottoman-empire", buckler_price="table"),
    )
    assert cost(azab, on) == 8 + 1
    kept = {"profile": "janissary", "kept": {"equipment": ["buckler"]}}
    assert (cost(kept, terms("ottoman-empire")), cost(kept, on)) == (15 + 2, 15 + 1)
    shown = catalogue_json({"buckler_price": "table"})["factions"]
    assert {points for faction in shown for points in buckler_prices(faction)} == {1}
    riser = RosterFighter("f", "F", build("yamak", on))
    rank_up, *_ = rank_ups(riser, Roster(on, (riser,)))
    assert ("buckler", "Buckler (+1)") in next(
        pick for pick in rank_up.picks if pick.key == "buckler"
    ).choices


def buckler_prices(faction: dict[str, Any]) -> set[int]:
    options = [option for profile in faction["profiles"] for option in profile["options"]]
    return {
        item["points"] for option in options for item in option["items"] if item["key"] == "buckler"
    }


def test_allies_keep_their_printed_price_unless_the_campaign_adjusts_it():
    assert cost("aztecs/peasant", terms("conquistadors")) == 4
    assert cost("aztecs/peasant", terms("conquistadors", ally_prices="adjusted")) == 6


def test_raising_the_morale_of_the_native_north_americans_costs_each_fighter_1():
    assert cost("peasant", terms("native-north-americans")) == 4
    assert cost("peasant", terms("native-north-americans", extras={"morale": 7})) == 5


@pytest.mark.parametrize(("morale", "points"), [(5, 7), (6, 8), (7, 9), (8, 10), (9, 11), (10, 12)])
def test_custom_fighters_pay_for_their_warbands_morale(morale: int, points: int):
    assert cost("rank-2", terms("custom", extras={"morale": morale})) == points


def test_a_fantastical_figure_pays_for_the_morale_of_the_warband_that_hires_it():
    assert cost("fantastical/beast", terms("landsknechts", fantastical=True)) == 36 + 1
    assert cost("fantastical/beast", terms("cardinals-guard", fantastical=True)) == 36


CUSTOM = terms("custom", poison=True, fantastical=True)


@pytest.mark.parametrize(
    ("more", "points"),
    [
        ({}, 15),
        ({"characteristics": {"shoot": 0}}, 13),
        ({"characteristics": {"initiative": 1}}, 15),
        ({"characteristics": {"initiative": 3}}, 16),
        ({"characteristics": {"combat_pool": 4, "fight": 4}}, 19),
        ({"move": "fast"}, 17),
        ({"move": "slow"}, 13),
        ({"equipment": ["horse"]}, 25),
        ({"equipment": ["horse"], "move": "fast"}, 23),
        ({"equipment": ["warhorse", "heavy-barding"]}, 35),
        ({"equipment": ["musket", "bayonet"]}, 21),
        ({"equipment": ["sword", "poison:sword"]}, 18),
        ({"equipment": ["heavy-armour", "buckler"]}, 23),
        ({"equipment": ["dagger", "weapon-of-striking:dagger"]}, 17),
        ({"equipment": ["holy-relic"]}, 25),
        ({"options": {"attributes": ["fly"]}}, 20),
        ({"options": {"attributes": ["magician"]}}, 27),
        ({"options": {"attributes": ["fearless", "tough"]}}, 21),
    ],
)
def test_the_calculator_prices_every_customisation(more, points):
    assert cost({"profile": "rank-3", **more}, CUSTOM) == points
