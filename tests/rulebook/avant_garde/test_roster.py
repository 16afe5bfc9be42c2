"""Rosters of Avant-garde: builds, brigades, posts, sums, problems and cards."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulebook.ruleset import (
    BattleSetup,
    CampaignTerms,
    FieldedFighter,
    FieldedSide,
    RosterPurpose,
    RulesError,
)
from rulebook.systems.avant_garde.book import ARMS, book
from rulebook.systems.avant_garde.cards import condition_lines, sheet, tick_boxes
from rulebook.systems.avant_garde.fighters import (
    build_fields,
    build_of,
    present,
    read_build,
    read_sent_build,
)
from rulebook.systems.avant_garde.roster import (
    brigades,
    default_posts,
    force_problems,
    post_problem,
    posts,
    roster_boxes,
    roster_problems,
    roster_tables,
    roster_totals,
    serving,
)
from rulebook.values.rosters import Roster, RosterFighter
from tests.rulebook.avant_garde.armies import ARMY, roster

FRENCH = CampaignTerms("france")
TROOPS = {"profile": "infantry", "grade": "line"}


def card(build, terms=FRENCH, condition=None):
    """Return the figures of a card by abbreviation."""
    shown = sheet(build, terms, condition or {})
    return {each.abbreviation: each.value for each in shown.characteristics}


def codes(purpose=RosterPurpose.BUILD, **kwargs):
    """Return the codes of all problems of a roster."""
    return [
        problem.code
        for problem in roster_problems(roster(kwargs.pop("builds", ARMY), **kwargs), purpose)
    ]


@pytest.mark.parametrize("arm", ARMS)
def test_a_build_reads_back_as_it_was_written(arm):
    build = build_of(read_build({"profile": arm, **({"light": 1} if arm == "artillery" else {})}))
    assert build_of(read_build(build)) == build
    assert set(build) == {"profile", *(field.key for field in build_fields(arm))}


@pytest.mark.parametrize(
    ("build", "codes"),
    [
        ({}, ["no-profile"]),
        ({"profile": ""}, ["no-profile"]),
        ({"profile": None, "figures": 24}, ["no-profile"]),
        ({"figures": 24, "wand": 1}, ["unknown-field", "no-profile"]),
    ],
)
def test_build_that_is_sent_names_its_profile(build, codes):
    with pytest.raises(RulesError) as caught:
        read_sent_build(build)
    assert [each.code for each in caught.value.problems] == codes
    assert caught.value.problems[-1].field == "profile"


@pytest.mark.parametrize(
    ("build", "code"),
    [
        ({"profile": "ships"}, "unknown-profile"),
        ({"profile": "artillery", "heavy": 1, "horse": True}, "heavy-horse"),
        ({"profile": "cavalry", "mount": "heavy", "cossacks": True}, "heavy-cossacks"),
        ({"profile": "cavalry", "grade": "militia"}, "not-a-choice"),
        ({"profile": "cavalry", "firearm": "musket"}, "not-a-choice"),
        ({"profile": "infantry", "figures": 0}, "out-of-range"),
        ({"profile": "infantry", "lance": True}, "unknown-field"),
    ],
)
def test_what_does_not_go_together_is_refused(build, code):
    with pytest.raises(RulesError) as caught:
        read_build(build)
    assert [problem.code for problem in caught.value.problems] == [code]


@given(st.integers(0, 200), st.integers(1, 60), st.integers(0, 20))
def test_strength_is_never_negative(lost, heads, skirmishers):
    fighter = read_build({**TROOPS, "figures": heads, "skirmishers": skirmishers})
    assert present(fighter, {"lost": lost}) == max(0, heads + skirmishers - lost)


def test_brigades_follow_roster_order():
    builds = {key: ARMY[key] for key in ("17th Line", "Nansouty", "Morand", "2nd Cuirassiers")}
    assert [
        (name, [row.id for row in rows]) for name, rows in brigades(serving(roster(builds))).items()
    ] == [
        ("First", ["17th Line", "Morand"]),
        ("Horse", ["Nansouty", "2nd Cuirassiers"]),
    ]


def test_the_first_commander_without_a_brigade_is_in_chief_unless_another_is_named():
    leading = {"brigade-commander": ("Morand", "Nansouty")}
    assert default_posts(roster()) == {"commander-in-chief": ("Lannes",), **leading}
    named = roster(posts={"commander-in-chief": ("Morand",)})
    assert default_posts(named) == {"commander-in-chief": ("Morand",), **leading}


def test_only_commanders_fill_posts():
    chief, leader = (post.key for post in posts(FRENCH))
    assert post_problem(chief, ARMY["Lannes"], FRENCH) is None
    assert post_problem(leader, ARMY["Morand"], FRENCH) is None
    assert post_problem(leader, ARMY["Lannes"], FRENCH).code == "leads-nothing"
    assert post_problem(chief, TROOPS, FRENCH).code == "not-a-commander"
    assert sheet(TROOPS, FRENCH).unfit_for == (chief, leader)


def test_the_sums_count_what_marches_today():
    totals = roster_totals(roster(conditions={"13th Light": {"lost": 4}}))
    by_key = {figure.key: figure.value for figure in totals.figures}
    assert by_key == {"figures": 60, "guns": 3, "brigades": 2, "unpriced": 2}
    assert totals.points == 40 + 20 * 5 + 24 * 4 + 4 * 5 + 160 + 12 * 15
    settled = roster(settings={"price_competent": 60, "price_inspirational": 80})
    assert roster_totals(settled).figure("unpriced") is None


def test_legal_army_reports_only_lost_prices():
    assert codes() == ["no-price"]
    assert codes(settings={"price_competent": 60, "price_inspirational": 80}) == []


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"Lannes": None}, "no-commander-in-chief"),
        ({"Nansouty": None}, "brigade-without-commander"),
        ({"Davout": {"profile": "commander", "brigade": "First"}}, "brigade-with-two-commanders"),
        ({"Lost": {**TROOPS}}, "unit-without-brigade"),
        ({"Park": {"profile": "artillery", "brigade": "First"}}, "no-guns"),
        (
            {"Many": {**TROOPS, "light_infantry": True, "skirmishers": 25, "brigade": "First"}},
            "many-skirmishers",
        ),
    ],
)
def test_what_an_army_lacks_is_named(change, code):
    builds = {key: build for key, build in {**ARMY, **change}.items() if build}
    assert code in codes(builds=builds)


def test_a_brigade_that_has_lost_half_of_its_figures_is_named():
    assert "brigade-has-lost" not in codes(conditions={"17th Line": {"lost": 14}})
    halved = roster({"17th Line": ARMY["17th Line"]}, conditions={"17th Line": {"lost": 14}})
    (problem,) = (
        each
        for each in roster_problems(halved, RosterPurpose.CARRY_ON)
        if each.code == "brigade-has-lost"
    )
    assert problem.sentence.startswith("First has 14 of 28 figures left")
    assert problem.sentence.endswith("faltering.")


def test_points_are_limited_where_a_limit_is_typed():
    points = roster_totals(roster()).points
    assert "over-limit" not in codes(points_limit=points)
    assert "over-limit" in codes(points_limit=points - 1)
    assert "over-limit" not in codes(RosterPurpose.CARRY_ON, points_limit=points - 1)


def test_forces_are_held_to_the_limit_of_their_battle_and_have_somebody_in_chief():
    def judged(limit, *names):
        fielded = (FieldedFighter(name, name, ARMY[name], 0, 0) for name in names)
        side = FieldedSide("a", "The French", "army", "france", tuple(fielded))
        problems = force_problems(BattleSetup("battle", (side,), points_limit=limit))
        return [(problem.code, problem.sentence[:10]) for problem in problems]

    assert judged(120, "Lannes", "17th Line") == []
    assert judged(115, "Lannes", "17th Line") == [("over-limit", "The French")]
    assert judged(None, "Morand", "17th Line") == [("no-commander-in-chief", "The French")]
    assert judged(None) == []


def test_a_battle_has_two_sides():
    sides = tuple(FieldedSide(key, key, "army", "france", ()) for key in "abc")
    assert "two-sides" in [problem.code for problem in force_problems(BattleSetup("battle", sides))]
    assert "two-sides" not in [
        problem.code for problem in force_problems(BattleSetup("battle", sides[:2]))
    ]


def test_cards_show_the_figures_of_the_tables():
    assert card(TROOPS) == {
        "Fig": "24",
        "Mor": "8",
        "Test": "3",
        "Fire": "4+",
        "Fight": "4+",
        "Move": "6″ / 8″",
    }
    riders = {"profile": "cavalry", "grade": "veteran", "mount": "cuirassier"}
    assert card(riders) == {
        "Fig": "12",
        "Mor": "9",
        "Test": "3",
        "Fight": "3+",
        "Save": "4+",
        "Move": "10″",
    }
    guns = {"profile": "artillery", "grade": "raw", "light": 2}
    assert card(guns) == {
        "Guns": "2",
        "Crew": "8",
        "Mor": "7",
        "Test": "2",
        "Fire": "5+",
        "Move": "6″",
    }
    assert card({"profile": "commander", "rating": "uninspiring"}) == {
        "Ld": "7",
        "Pips": "-1",
        "Infl": "+1",
        "Rad": "7",
    }


def test_a_card_says_what_is_not_in_the_source():
    lost, uninspiring = (
        {"profile": "commander", "rating": rating} for rating in ("charismatic", "uninspiring")
    )
    assert set(card(lost).values()) == {"not in the source"}
    assert [item.name for item in sheet(lost, FRENCH).attributes] == ["No points in the source"]
    assert sheet(uninspiring, FRENCH).attributes == ()
    assert card({"profile": "artillery", "howitzer": 1})["Move"] == "not in the source"


def test_french_infantry_is_drilled_but_for_two_years_and_recruits():
    def drilled(build, **settings):
        return "drilled" in {
            item.key for item in sheet(build, CampaignTerms("france", settings=settings)).attributes
        }

    assert drilled(TROOPS) and drilled(TROOPS, year=1812)
    assert not drilled(TROOPS, year=1813)
    assert not drilled({**TROOPS, "grade": "conscripts"})
    assert "drilled" not in {item.key for item in sheet(TROOPS, CampaignTerms("russia")).attributes}


def test_what_is_carried_over_shows_on_card_and_condition():
    worn = {"lost": 6, "colours_lost": True}
    assert (card(TROOPS, condition=worn)["Fig"], card(TROOPS, condition=worn)["Test"]) == (
        "18",
        "2",
    )
    assert [(line.label, line.value) for line in condition_lines(TROOPS, FRENCH, worn)] == [
        ("Strength", "18 of 24"),
        ("Colours", "lost"),
    ]
    assert "Colours lost" in {item.name for item in sheet(TROOPS, FRENCH, worn).attributes}
    battery = {"profile": "artillery", "medium": 2}
    lines = condition_lines(battery, FRENCH, {"lost": 4, "guns": 1})
    assert [line.value for line in lines] == ["4 of 8", "1 of 2"]
    assert condition_lines(TROOPS, FRENCH, {}) == ()


def test_there_is_a_box_for_each_figure_that_is_left():
    left, state = tick_boxes(TROOPS, FRENCH, {"lost": 4})
    assert len(left.boxes) == 20
    assert state.boxes == ("Disordered", "Broken", "Low on ammunition", "Colours lost")
    assert [boxes.key for boxes in tick_boxes({"profile": "commander"}, FRENCH)] == ["state"]


def test_every_grade_of_every_arm_has_a_card():
    for arm in ("infantry", "cavalry", "artillery"):
        for grade in book().grades(arm):
            build = {
                "profile": arm,
                "grade": grade,
                **({"medium": 1} if arm == "artillery" else {}),
            }
            assert sheet(build, FRENCH).profile_name.startswith(book().grades(arm)[grade].name)


def test_strokes_stand_where_a_unit_is_shaken_and_where_it_is_shattered():
    assert tick_boxes(TROOPS, FRENCH)[0].strokes == (13, 19)
    assert tick_boxes(TROOPS, FRENCH, {"lost": 22})[0].strokes == (2, 2)
    assert tick_boxes(TROOPS, FRENCH, {"lost": 23})[0].strokes == (1, 1)


def test_seven_turns_are_ticked_and_two_more_behind_strokes():
    (turns,) = roster_boxes(roster())
    assert (turns.boxes[-1], turns.strokes) == ("9", (7, 8))


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ("figures", ("Faltering from 24 lost", "Broken from 29 lost")),
        ("units", ("Faltering from 1 lost", "Broken from 2 lost")),
    ],
)
def test_a_brigade_says_from_which_losses_it_falters_and_breaks(counts, words):
    on = CampaignTerms("france", {}, {"brigade_loss": counts})
    two = tuple(RosterFighter(f"u{n}", f"U{n}", TROOPS) for n in range(2))
    pips, reaction, group = roster_boxes(Roster(on, two), "First")
    assert (len(pips.boxes), len(reaction.boxes), group.boxes) == (7, 2, words)
    assert roster_boxes(Roster(on, ()), "First") == ()


def test_what_losses_make_of_units_and_brigades_stands_at_the_foot():
    table = {each.anchor: each for each in roster_tables(roster())}["losses"]
    assert [row[:2] for row in table.rows[:2]] == [
        ("Unit: shaken", "more than 50% lost"),
        ("Unit: shattered", "more than 75% lost"),
    ]


def test_a_silhouette_follows_the_arm_and_the_lance():
    assert sheet(TROOPS, FRENCH).looks == ("shako", "musket")
    assert sheet({"profile": "cavalry", "lance": True}, FRENCH).looks == (
        "mounted",
        "shako",
        "lance",
    )
