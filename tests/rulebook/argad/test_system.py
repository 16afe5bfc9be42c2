"""Argad! through the protocol: no points, no ranks, everything else answered."""

from random import Random

import pytest
from msgspec import to_builtins

from rulebook.battle_log.play import replay
from rulebook.registry import newest_ruleset
from rulebook.ruleset import (
    CampaignTerms,
    Deed,
    Fate,
    Opponent,
    Roster,
    RosterFighter,
    RosterPurpose,
    RulesError,
)
from rulebook.systems.argad.book import book
from rulebook.systems.argad.system import Argad
from scripts.demo.referees.argad import ArgadReferee
from tests.rulebook.argad.field import Field, setup
from tests.rulebook.argad.sheets import fighter

RULES = newest_ruleset("argad")
TERMS = CampaignTerms("company")


def member(name, cell, **more):
    return RosterFighter(name, name.capitalize(), to_builtins(fighter(cell)), **more)


def test_it_is_registered_and_knows_neither_points_nor_ranks():
    assert isinstance(RULES, Argad)
    assert not RULES.visible_numbers({}).points
    assert not RULES.visible_numbers({}).ranks
    assert RULES.fighter_facts({}, TERMS).points == 0


def test_experience_is_shown_where_the_house_rule_renown_is_played_and_only_there():
    assert not RULES.visible_numbers({}).experience
    assert RULES.visible_numbers({"renown": True}).experience


def test_the_catalogue_says_what_the_sheet_says_and_what_it_does_not():
    catalogue = RULES.catalogue({})
    assert [each["key"] for each in catalogue["factions"]] == ["company"]
    assert {each["chapter"] for each in catalogue["headings"]} >= {"Movement", "Not in the sheet"}
    assert any(each["house_rule"] == "shot_effect" for each in catalogue["rulings"])
    with pytest.raises(RulesError):
        RULES.catalogue({"luck": True})


def test_a_build_is_asked_for_with_what_it_has():
    fields = {
        each.key: each.default for each in RULES.build_fields({"class": 5, "weapon": "pike"}, TERMS)
    }
    assert (fields["class"], fields["weapon"], fields["clothing"]) == (5, "pike", "light")
    build = RULES.clean_build({"profile": "character", "class": "4"}, TERMS)
    assert RULES.clean_build(build, TERMS) == build
    assert RULES.fighter_facts(build, TERMS).rank == 4
    card = RULES.sheet({**build, "firearm": "pistol"}, TERMS)
    assert card.points == 0
    assert [each["name"] for each in card.weapons] == ["Pistol", "Sword"]
    assert card.weapons[0]["rules"].startswith("0–10 cm 5+")


def test_a_roster_counts_heads_and_classes_of_those_who_serve():
    roster = Roster(
        TERMS,
        (member("alf", "class=4"), member("bert", "class=2"), member("carl", "-", fate=Fate.DEAD)),
    )
    totals = RULES.roster_totals(roster)
    assert (totals.points, totals.fighters, totals.figure("classes")) == (0, 2, 6)
    assert RULES.roster_problems(roster, RosterPurpose.ENROL) == ()


def test_groups_stand_together_in_the_order_of_the_roster():
    roster = Roster(
        TERMS, (member("alf", "group=Pikes"), member("bert", "-"), member("carl", "group=Pikes"))
    )
    assert [(each.name, each.fighters) for each in RULES.groups(roster)] == [
        ("Pikes", ("alf", "carl"))
    ]


def test_who_is_missing_carries_it_on():
    (line,) = RULES.condition_lines({}, TERMS, {"missing": True})
    assert line.label == "Missing"
    assert RULES.condition_lines({}, TERMS, {}) == ()


def test_calculators_are_asked_about_numbers_fighters_and_battles():
    ask = RULES.calculators
    assert {each.about for each in ask.all()} == {"numbers", "fighters", "battle"}
    assert ask.ask("strike", {"second_class": "3"})["outcomes"]["kill"] == "1/2"
    alf, bert = (
        Opponent(name, name.capitalize(), to_builtins(fighter("class=4")), TERMS)
        for name in ("alf", "bert")
    )
    assert "Alf alone" in ask.odds_between("duel", alf, bert, {"turns": "1"})["headline"]
    play = Field().tell("turn").play
    assert ask.odds_in_battle("shot", play, "yves", "alf", {"cm": "10"})["calculator"] == "shot"
    with pytest.raises(RulesError, match="Unknown calculator"):
        ask.ask("weather", {})


def test_a_battle_is_seen_at_the_table_and_comes_to_a_result():
    play = replay(RULES.log, setup(), ArgadReferee.battle(setup(), Random(3)))
    assert RULES.at_table(play).ended
    assert RULES.play_state(play)["turn"] == play.state.turn
    assert "Losses:" in RULES.result(play).verdict


def test_states_are_said_as_people_say_them():
    assert RULES.wound_phrase("out") == "out of action"


@pytest.mark.parametrize(
    ("cell", "labels"),
    [
        ("firearm=none", [""]),
        ("firearm=pistol", ["Reloaded", ""]),
        ("firearm=musket", ["Reloaded", "Musket out", ""]),
    ],
)
def test_what_is_ticked_at_the_table_follows_the_firearm(cell, labels):
    ticked = RULES.tick_boxes(to_builtins(fighter(cell)), TERMS)
    assert [each.label for each in ticked] == labels
    assert ticked[-1].boxes == ("Killed", "Out of action", "Captured", "Missing")


def test_service_records_count_enemies_killed_put_out_and_captured():
    done = ("killed", "out", "missing", "captured")
    counted = [RULES.tallied(Deed("alf", "wound", 3, result=each)) for each in done]
    assert counted == [("killed",), ("out",), (), ("captured",)]
    assert RULES.tallied(Deed("alf", "wound", 3, result="killed", friendly=True)) == ()
    assert [tally.label for tally in RULES.tallies] == [
        "Captured",
        "Put out of action",
        "Brought down",
    ]
    assert RULES.columns[0].key == "class"


def test_a_silhouette_shows_the_mount_the_hat_and_the_firearm_before_the_weapon():
    shown = [
        RULES.sheet(to_builtins(fighter(cell)), TERMS).looks
        for cell in ("firearm=none", "firearm=pistol")
    ]
    assert shown == [("brim", "sword"), ("brim", "pistol")]


def test_a_roster_has_a_box_for_each_head_and_what_is_taken_off_a_shot():
    company = Roster(TERMS, (member("alf", "class=3"), member("bea", "class=4", fate=Fate.DEAD)))
    (losses,) = RULES.roster_boxes(company)
    assert (losses.boxes, RULES.roster_boxes(company, "Pikes")) == (("",), ())
    rows = {
        table.anchor: {row[0]: row[1] for row in table.rows}
        for table in RULES.roster_tables(company)
    }
    assert rows["shooting"]["Target swims"] == "-1"
    assert rows["melee"]["Its couched lance"] == "+1"
    assert rows["lengths"]["2. Long"].startswith("Spear or spontoon")
    assert rows["shot"]["A hit"] == "out of action"


def test_quick_reference_names_the_effect_of_a_hit_by_house_rule():
    company = Roster(CampaignTerms("company", {}, {"shot_effect": "killed"}), ())
    rows = {row[0]: row[1] for table in RULES.roster_tables(company) for row in table.rows}
    assert rows["A hit"] == "killed"


def test_quick_reference_names_all_pole_and_makeshift_weapons():
    (melee,) = (t for t in RULES.roster_tables(Roster(TERMS, ())) if t.anchor == "melee")
    labels = " ".join(row[0] for row in melee.rows)
    weapons = book().weapon.items()
    assert not [key for key, each in weapons if each.pole and key not in labels]
    makeshift = [key.replace("-", " ") for key, each in weapons if each.improvised]
    assert f"Makeshift weapon ({', '.join(sorted(makeshift, key=labels.index))})" in labels
