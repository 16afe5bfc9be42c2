"""Avant-garde as the protocol asks for it."""

from random import Random

import pytest

from rulebook.book.names import suggested_name
from rulebook.ruleset import CampaignTerms, Deed, RosterFighter, RulesError
from rulebook.systems.avant_garde.book import ARMS
from rulebook.systems.avant_garde.log import KINDS
from rulebook.systems.avant_garde.system import AvantGarde
from tests.rulebook.avant_garde.armies import ARMY, roster

RULES, FRENCH = AvantGarde(), CampaignTerms("france")


def test_it_has_points_and_victory_points_and_experience_by_house_rule_alone():
    shown = RULES.visible_numbers({})
    assert shown.points
    assert shown.victory_points
    assert not (shown.ranks or shown.experience)
    assert RULES.visible_numbers({"seasoning": True}).experience


def test_the_catalogue_has_nations_tables_headings_and_rulings():
    catalogue = RULES.catalogue({})
    assert {"france", "russia", "minor"} <= {each["key"] for each in catalogue["factions"]}
    assert {each["key"] for each in catalogue["factions"][0]["profiles"]} == set(ARMS)
    assert {each["chapter"] for each in catalogue["headings"]} >= {"Morale", "Not in the source"}
    assert any(each["house_rule"] == "musket_long" for each in catalogue["rulings"])
    with pytest.raises(RulesError):
        RULES.catalogue({"luck": True})


@pytest.mark.parametrize("arm", ARMS)
def test_a_bare_profile_of_every_arm_has_a_form_and_a_card(arm):
    build = RULES.clean_build(RULES.bare_build("france", arm), FRENCH)
    assert RULES.sheet(build, FRENCH).profile == arm
    assert {field.key for field in RULES.build_fields(build, FRENCH)} == set(build) - {"profile"}


def test_forms_show_what_a_build_has():
    guns = RULES.clean_build({"profile": "artillery", "heavy": 3, "grade": "veteran"}, FRENCH)
    assert {field.key: field.default for field in RULES.build_fields(guns, FRENCH)}["heavy"] == 3


def test_brigades_are_groups_that_units_can_change():
    assert [(group.name, group.fighters[0]) for group in RULES.groups(roster())] == [
        ("First", "Morand"),
        ("Horse", "Nansouty"),
    ]
    moved = RULES.regrouped(RULES.clean_build(ARMY["17th Line"], FRENCH), "Horse", FRENCH)
    assert (moved["brigade"], moved["skirmishers"]) == ("Horse", 4)


def test_seasoned_units_are_offered_their_grade():
    seasoned = roster(settings={"seasoning": True})
    line = RosterFighter(
        "17th Line", "17th Line", RULES.clean_build(ARMY["17th Line"], FRENCH), experience=3
    )
    assert [(offer.name, offer.cost) for offer in RULES.progression.rank_ups(line, seasoned)] == [
        ("Veteran", 3)
    ]


def test_states_losses_and_deeds_have_phrases():
    assert (RULES.wound_phrase("good"), RULES.wound_phrase("shaken")) == ("good order", "shaken")
    assert RULES.loss_phrase("") == "lost"
    took = Deed("x", "colours", 0, victim="y", victim_name="the Guard", result="colours")
    assert RULES.deed_phrase(took) == "took the colours of the Guard"
    assert RULES.tallied(took) == ("colours",)


def test_both_scenarios_are_for_two_armies():
    assert [each.key for each in RULES.scenarios()] == ["meeting-engagement", "battle"]
    assert all(role.least == role.most == 2 for each in RULES.scenarios() for role in each.roles)


def test_every_kind_of_event_says_what_it_is():
    for kind in KINDS:
        assert kind.__doc__
        assert kind.label


WRONG_NAMES = (
    ({"profile": "cavalry", "mount": "light"}, ("Cuirassiers", "Dragons", "Dragoon Guards")),
    ({"profile": "cavalry"}, ("Cuirassiers", "Dragons", "Dragoon Guards")),
    (
        {"profile": "cavalry", "mount": "heavy"},
        ("Hussar", "Light Dragoons", "Chasseurs", "Uhlans", "Cossacks"),
    ),
    (
        {"profile": "cavalry", "mount": "cuirassier"},
        ("Hussar", "Light Dragoons", "Chasseurs", "Uhlans", "Cossacks"),
    ),
    ({"profile": "infantry"}, ("Light Infantry", "Léger", "Voltigeurs", "Jäger", "Caçadores")),
    (
        {"profile": "infantry", "light_infantry": True},
        (" Foot", "Highlanders", "Ligne", "Linha", "Grenadiers"),
    ),
    ({"profile": "artillery"}, ("troop", "horse")),
)


@pytest.mark.parametrize(("build", "wrong"), WRONG_NAMES)
def test_suggested_names_fit_the_kind_of_troops(build, wrong):
    for faction in RULES.catalogue({})["factions"]:
        for place in range(40):
            name = suggested_name(RULES.names, faction["key"], build, (), Random(place))
            assert name and not any(each in name for each in wrong), (faction["key"], name)
