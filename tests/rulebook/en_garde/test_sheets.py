"""Cards: characteristics with their notes, weapons, items, Attributes; and the numbers that go into
battle."""

import pytest

from rulebook.ruleset import Sheet
from rulebook.systems.en_garde.rosters.builds import from_json, house_terms
from rulebook.systems.en_garde.rosters.sheets import (
    COLUMNS,
    fighter_facts,
    numbers_in_battle,
    sheet,
    tick_boxes,
)
from tests.rulebook.en_garde.rosters import build, terms


def card(list_key: str, raw, **settings) -> Sheet:
    on = terms(list_key, **settings)
    return sheet(build(raw, on), on)


def values(sheet: Sheet) -> dict[str, str]:
    return {each.abbreviation: each.value for each in sheet.characteristics}


def note(sheet: Sheet, key: str) -> str:
    return next(each.note for each in sheet.characteristics if each.key == key)


def test_a_card_shows_the_printed_characteristics():
    sheet = card("landsknechts", "doppelsoldner")
    assert values(sheet) == {"M": "Infantry", "CP": "3", "I": "1", "F": "3", "S": "1", "AR": "2"}
    assert (sheet.profile_name, sheet.rank, sheet.points) == ("Doppelsoldner", 3, 22)
    assert (sheet.unique, sheet.unfit_for) == (False, ())


def test_heavy_armour_forbids_to_run():
    heavy = card("landsknechts", {"profile": "oberst", "options": {"exchange-medium-armour": True}})
    assert note(heavy, "move") == "3″, 6″, no run"
    assert note(card("landsknechts", "oberst"), "move") == "3″, 6″, 9″"


def test_a_shield_counts_in_the_printed_rating_and_the_note_says_when():
    sheet = card("aztecs", "macehualli")
    assert values(sheet)["AR"] == "1"
    assert note(sheet, "armour_rating") == "0 on the body; 1 against shots from the front"


def numbers_of(raw, on):
    return numbers_in_battle(from_json(raw), house_terms(on))


def test_a_buckler_counts_in_close_combat():
    on = terms("border-reivers")
    armour = numbers_of(build({"profile": "lord", "options": {"weapon": "buckler"}}, on), on).armour
    assert (armour.body, armour.close_combat, armour.front_shots, armour.printed) == (2, 3, 2, 3)


def test_barding_protects_the_mount_alone():
    on = terms("custom")
    armour = numbers_of(
        build({"profile": "rank-3", "equipment": ["horse", "heavy-barding"]}, on), on
    ).armour
    assert (armour.body, armour.printed, armour.mount) == (0, 0, 2)


def test_natural_armour_is_armour():
    on = terms("fantastical", fantastical=True)
    assert numbers_of(build("barbarian", on), on).armour.body == 1


@pytest.mark.parametrize(
    ("list_key", "raw", "setting", "pool"),
    [
        ("three-musketeers", "athos", "outside", 6),
        ("three-musketeers", "athos", "inside", 5),
        ("three-musketeers", "porthos", "outside", 5),
        ("fantastical", "barbarian", "outside", 6),
        ("fantastical", "thief", "inside", 6),
        (
            "landsknechts",
            {"profile": "oberst", "options": {"attributes": ["duellist"]}},
            "inside",
            6,
        ),
    ],
)
def test_duellist_adds_to_the_combat_pool_unless_it_is_in_it(list_key, raw, setting, pool):
    on = terms(list_key, fantastical=True, musketeers_duellist=setting)
    assert numbers_of(build(raw, on), on).combat_pool == pool


def test_a_duellists_card_shows_both_figures():
    assert values(card("three-musketeers", "athos"))["CP"] == "5 (6)"
    assert note(card("three-musketeers", "athos"), "combat_pool") == "6 in battle: Duellist"


def test_fast_is_in_dartagnans_initiative_and_on_top_of_everybody_elses():
    assert values(card("three-musketeers", "dartagnan"))["I"] == "3"
    fast = {"profile": "hauptmann", "options": {"attributes": ["fast"]}}
    assert values(card("landsknechts", fast))["I"] == "2 (3)"


def test_a_pistol_has_a_row_to_shoot_and_a_row_to_strike():
    sheet = card("three-musketeers", {"profile": "athos", "options": {"pistol": True}})
    assert [(row["name"], row["range"]) for row in sheet.weapons] == [
        ("Sword", "–"),
        ("Dagger", "–"),
        ("Pistol", "18″"),
        ("Pistol (close combat)", "–"),
    ]


def test_weapon_rows_tell_their_modifiers():
    sheet = card("landsknechts", "landsknecht")
    assert (
        sheet.weapons[0]["rules"] == "initiative +3, later -3; wound +1 against mounted; two-handed"
    )


def test_a_poisoned_dagger_says_so():
    sheet = card("cardinals-guard", "milady-de-winter")
    assert sheet.weapons == ({"name": "Dagger", "range": "–", "rules": "initiative -1; poison"},)
    assert [item.name for item in sheet.equipment] == ["Dagger", "Poison (dagger)"]


def test_a_magic_staff_is_a_staff():
    sheet = card("fantastical", "witch-hunter", fantastical=True)
    assert "Staff" in [row["name"] for row in sheet.weapons]
    assert [item.name for item in sheet.equipment].count("Pistol") == 2


def test_a_magicians_spells_stand_with_its_attributes():
    sheet = card("fantastical", "witch", fantastical=True)
    assert [item.key for item in sheet.attributes if item.kind == "spell"] == [
        "armour",
        "drain-life",
        "power-blast",
        "stun",
        "summon",
    ]


def test_a_hound_does_not_lead_and_has_no_weapons():
    sheet = card("conquistadors", "warhound")
    assert (sheet.unfit_for, sheet.weapons) == (("leader",), ())


def test_a_custom_fighter_goes_by_the_name_it_was_given():
    on = terms("custom")
    assert (
        fighter_facts(build({"profile": "rank-2", "name": "Highlander"}, on), on).profile_name
        == "Highlander"
    )
    assert fighter_facts(build("rank-2", on), on).profile_name == "Custom Rank 2"


def test_facts_are_rank_points_and_profile():
    on = terms("landsknechts")
    facts = fighter_facts(build("oberst", on), on)
    assert (facts.rank, facts.points, facts.profile_name) == (5, 33, "Oberst")


def ticked(list_key: str, raw) -> dict[str, tuple[str, ...]]:
    on = terms(list_key)
    return {each.label: each.boxes for each in tick_boxes(build(raw, on), on)}


def test_wounds_and_reload_counters_are_ticked_at_the_table():
    wounds = {"Stunned": ("", ""), "Wound": ("Light", "Grievous", "Critical")}
    assert ticked("landsknechts", "doppelsoldner") == wounds
    two = {"profile": "rank-3", "equipment": ["pistol", "pistol"]}
    assert ticked("custom", two) == wounds | {"Reload Pistol": ("", "")}
    rider = {"profile": "rank-3", "equipment": ["sword", "horse"]}
    assert ticked("custom", rider) == wounds | {"Mount": ("", "Stunned", "Light", "Grievous")}


def test_printed_roster_columns_match_card():
    sheet = card("landsknechts", "doppelsoldner")
    assert [column.key for column in COLUMNS] == [
        "rank",
        *(each.key for each in sheet.characteristics),
    ]


def test_a_silhouette_shows_mount_hat_the_most_striking_weapon_and_a_shield():
    assert card("landsknechts", "doppelsoldner").looks == ("morion", "pike")
    rider = {"profile": "rank-3", "equipment": ["sword", "lance", "shield", "horse"]}
    assert card("custom", rider).looks == ("brim", "mounted", "lance", "shield")
    assert card("aztecs", "macehualli").looks[0] == "feathers"
