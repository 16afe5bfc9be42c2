"""The catalogue as JSON: the keys that programs lean on, and both prices."""

import json

import pytest

from rulebook.ruleset import CampaignTerms, RulesError
from rulebook.systems.en_garde.reference import catalogue_json
from rulebook.systems.en_garde.rosters.forms import clean_build
from rulebook.systems.en_garde.rosters.sheets import fighter_facts

WHOLE = catalogue_json({})
PROFILE_KEYS = {
    "key",
    "name",
    "unique",
    "rank",
    "move",
    "combat_pool",
    "initiative",
    "fight",
    "shoot",
    "armour_rating",
    "points",
    "printed_points",
    "equipment",
    "attributes",
    "options",
}


def profile(faction: str, key: str, whole=WHOLE):
    army_list = next(each for each in whole["factions"] if each["key"] == faction)
    return next(each for each in army_list["profiles"] if each["key"] == key)


def test_the_catalogue_is_json():
    assert json.loads(json.dumps(WHOLE)) == WHOLE


def test_it_has_every_part():
    parts = {
        "factions",
        "weapons",
        "armour",
        "mounts",
        "attributes",
        "spells",
        "magic_items",
        "ordnance",
    }
    assert parts | {"base_profiles", "customisation", "morale"} <= WHOLE.keys()


def test_every_faction_and_profile_has_the_agreed_keys():
    for faction in WHOLE["factions"]:
        assert {"key", "name", "morale", "banner", "composition", "profiles"} <= faction.keys()
        assert all(each.keys() >= PROFILE_KEYS for each in faction["profiles"])


def test_points_are_what_is_charged_and_printed_points_what_is_printed():
    officer = profile("cardinals-guard", "senior-officer")
    assert (officer["points"], officer["printed_points"]) == (24, 18)
    printed = profile("cardinals-guard", "senior-officer", catalogue_json({"prices": "printed"}))
    assert (printed["points"], printed["printed_points"]) == (18, 18)


def test_the_17_general_attributes_come_first_and_the_others_are_marked():
    assert [each["fantastical"] for each in WHOLE["attributes"]] == [False] * 17 + [True] * 7
    assert {"key", "name", "points"} <= WHOLE["attributes"][0].keys()


def test_an_option_offers_what_a_form_needs():
    exchange = profile("landsknechts", "landsknecht")["options"][0]
    assert exchange["label"] == "Instead of pike"
    assert exchange["items"] == [
        {"key": "matchlock", "name": "Matchlock", "points": 1},
        {"key": "crossbow", "name": "Crossbow", "points": 1},
    ]
    attributes = profile("border-reivers", "lord")["options"][-1]
    assert (attributes["most"], len(attributes["items"])) == (3, 17)
    assert (
        next(each for each in attributes["items"] if each["key"] == "weapon-master")["weapon"]
        == "close-combat"
    )


def test_attributes_are_offered_to_the_ranks_that_may_have_them():
    def offered(faction: str, key: str) -> set[str]:
        whole = catalogue_json({"fantastical": True})
        return {item["key"] for item in profile(faction, key, whole)["options"][-1]["items"]}

    assert {"lucky", "magician"} <= offered("border-reivers", "lord")
    assert offered("landsknechts", "hauptmann") & {"lucky", "magician"} == {"magician"}
    assert not offered("custom", "rank-2") & {"lucky", "magician"}


def test_house_rules_open_more_of_the_catalogue():
    whole = catalogue_json({"fantastical": True, "barding_for_lists": True})
    options = {each["key"]: each for each in profile("landsknechts", "oberst", whole)["options"]}
    assert len(options["attributes"]["items"]) == 24
    assert "barding" in options
    assert "barding" not in {each["key"] for each in profile("landsknechts", "oberst")["options"]}


def goods(**settings: object) -> dict[str, int]:
    """Return the equipment that custom fighters may buy, with its points."""
    return {each["key"]: each["points"] for each in catalogue_json(settings)["goods"]}


def test_custom_fighters_are_offered_everything_that_is_for_sale_under_the_house_rules():
    plain, strange = goods(), goods(poison=True, fantastical=True)
    on = CampaignTerms("custom", {}, {"poison": True, "fantastical": True})
    assert plain["musket"] == 5
    assert not plain.keys() & {
        "natural-armour",
        "staff-of-solomon",
        "pistol-in-close-combat",
        "holy-relic",
    }
    assert {
        "poison:dagger": 3,
        "weapon-of-wounding:bow": 2,
        "holy-relic": 10,
    }.items() <= strange.items()
    for key, points in strange.items():
        equipment = [
            key,
            *needed_for(key.partition(":")[2] or key),
            *([key.partition(":")[2]] if ":" in key else []),
        ]
        built = clean_build({"profile": "rank-1", "equipment": equipment}, on)
        assert fighter_facts(built, on).points == 4 + points + sum(
            plain[each] for each in equipment[1:]
        )


def needed_for(key: str) -> list[str]:
    return {"bayonet": ["musket"], "light-barding": ["horse"], "heavy-barding": ["horse"]}.get(
        key, []
    )


def sources(faction: str, **settings: object) -> dict[str, int]:
    """Return the lists from which a warband recruits, with their numbers of profiles."""
    army_list = next(
        each for each in catalogue_json(settings)["factions"] if each["key"] == faction
    )
    return {each["list"]: len(each["profiles"]) for each in army_list["recruits_from"]}


def test_a_list_tells_where_its_warbands_recruit():
    assert sources("landsknechts") == {"landsknechts": 4}
    assert sources("conquistadors") == {"conquistadors": 8, "aztecs": 6}
    assert sources("aztecs", fantastical=True) == {"aztecs": 6, "fantastical": 6}
    assert sources("fantastical", fantastical=True) == {"fantastical": 6}
    assert sources("landsknechts", rank_1_recruits="base") == {"landsknechts": 4, "custom": 1}
    assert sources("aztecs", rank_1_recruits="base") == {"aztecs": 6}


def test_composition_is_described_in_sentences():
    guard = next(each for each in WHOLE["factions"] if each["key"] == "cardinals-guard")
    assert "Rank 5: 1 at most." in guard["composition"]
    assert "Milady de Winter: one only." in guard["composition"]


def test_a_house_rule_of_the_wrong_kind_is_refused():
    with pytest.raises(RulesError):
        catalogue_json({"prices": "cheap"})
