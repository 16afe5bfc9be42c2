"""Builds of characters: their one form, what does not go together, and what a card shows."""

import pytest
from msgspec import to_builtins

from rulebook.ruleset import RulesError
from rulebook.systems.argad.book import USUAL, HouseRules, book
from rulebook.systems.argad.roster import (
    attributes,
    build_fields,
    characteristics,
    class_total,
    equipment,
    profile_name,
    read_build,
    to_hit,
    weapon_note,
)
from tests.rulebook.argad.sheets import fighter


def codes(raw, **settings):
    try:
        read_build(raw, HouseRules(**settings))
    except RulesError as error:
        return [(problem.code, problem.field) for problem in error.problems]
    return []


def card(cell, **settings):
    return {each.key: each.value for each in characteristics(fighter(cell), HouseRules(**settings))}


def test_a_build_has_one_form_and_reads_itself_back():
    raw = {"class": 4, "weapon": "halberd", "role": "  Sergeant "}
    whole = to_builtins(read_build(raw, USUAL))
    assert whole["role"] == "Sergeant"
    assert to_builtins(read_build(whole, USUAL)) == whole
    assert set(whole) == {field.key for field in build_fields(USUAL)}


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ({}, []),
        ({"class": 7}, [("out-of-range", "class")]),
        ({"class": 0}, [("out-of-range", "class")]),
        ({"class": True}, [("not-a-number", "class")]),
        ({"class": "3"}, []),
        ({"wealth": 3}, [("unknown-field", "wealth")]),
        (
            {"clothing": "silk", "mount": "mule"},
            [("not-a-choice", "clothing"), ("not-a-choice", "mount")],
        ),
        ({"trained": "perhaps"}, [("not-a-flag", "trained")]),
        ({"role": "x" * 61}, [("too-long", "role")]),
        (
            {"mount": "mounted-infantry", "clothing": "half-armour"},
            [("clothing-not-mounted", "clothing")],
        ),
        (
            {"mount": "mounted-infantry", "clothing": "complete"},
            [("clothing-not-mounted", "clothing")],
        ),
        ({"mount": "mounted-infantry", "clothing": "breastplate"}, []),
        ({"mount": "farm-horse", "firearm": "musket"}, [("musket-mounted", "firearm")]),
        ({"mount": "cavalry", "close_order": True}, [("rides-in-close-order", "close_order")]),
    ],
)
def test_every_build_problem_names_its_field(raw, expected):
    assert codes(raw) == expected


def test_a_club_may_raise_the_highest_class():
    assert codes({"class": 8}, highest_class=8) == []


def test_a_card_shows_moves_armour_and_what_kills():
    shown = card("class=3, clothing=half-armour, mount=cavalry, firearm=pistol")
    assert shown == {
        "class": "3",
        "armour": "4*",
        "killed-by": "5+",
        "open": "36 cm",
        "difficult": "36 - 2D6 cm",
        "very-difficult": "18 - 2D6 cm",
        "reload": "1",
    }
    assert card("class=4")["killed-by"] == "5+"


@pytest.mark.parametrize(
    ("cell", "note"),
    [("class=2", "-1 when shooting and in melee"), ("class=1", "-1 when shooting")],
)
def test_a_low_class_is_shown_with_what_it_costs(cell, note):
    assert characteristics(fighter(cell), USUAL)[0].note == note


def test_a_card_says_what_a_firearm_needs_at_each_range():
    guns = book().firearm
    assert list(to_hit(guns["arquebus"])) == [
        "0–10 cm 5+",
        "10–20 cm 6+ (-1 at armour 5)",
        "20–40 cm 7+ (-1 at armour 4, 5)",
    ]
    assert next(reversed(list(to_hit(guns["musket"])))) == "40–60 cm (8) (-1 at armour 4, 5)"
    assert next(to_hit(guns["musket"], volley=True)) == "0–20 cm 5+"


def test_a_pike_out_of_close_order_says_that_a_sword_follows():
    assert "sword" in weapon_note(fighter("weapon=pike"), USUAL)
    assert weapon_note(fighter("weapon=pike, close_order"), USUAL) == "length: pike"
    assert weapon_note(fighter("weapon=dagger, length=short"), USUAL) == "length: short"


def test_equipment_names_everything_that_is_worn_and_carried():
    items = equipment(
        fighter("mount=cavalry, firearm=pistol, weapon=lance, clothing=complete, trained"), USUAL
    )
    assert [each.key for each in items] == ["complete", "cavalry", "pistol", "lance"]


def test_what_somebody_has_learnt_is_an_attribute_that_says_what_it_does():
    (trained,) = attributes(fighter("weapon=pike, trained"))
    assert (trained.kind, trained.source) == ("attribute", 'Sheet: "Melee modifiers"')
    assert "pole weapon" in trained.note
    assert attributes(fighter("weapon=pike")) == ()


def test_who_has_no_role_is_called_by_his_arms():
    assert profile_name(fighter("firearm=musket")) == "Matchlock musket"
    assert profile_name(fighter("mount=cavalry")) == "Cavalry: sword"
    assert profile_name(fighter("role=Ensign")) == "Ensign"


def test_the_total_of_classes_is_a_plain_count():
    assert class_total([fighter("class=2"), fighter("class=5")]) == 7


def test_close_order_is_a_tick_of_the_roster():
    ticked = read_build({"close_order": True, "group": "Pikes", "weapon": "pike"}, USUAL)
    assert (ticked.close_order, ticked.group) == (True, "Pikes")
    assert not read_build({"group": "Pikes"}, USUAL).close_order
