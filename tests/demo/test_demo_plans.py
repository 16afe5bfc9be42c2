"""Plans of the demonstration: legal warbands, a season of every scenario, enough names."""

from collections import Counter
from io import BytesIO
from random import Random

import pytest
from PIL import Image

from rulebook.registry import newest_ruleset
from rulebook.ruleset import CampaignTerms, Roster, RosterFighter, RosterPurpose
from scripts.demo.names import Names, name_lists
from scripts.demo.plans import WarbandPlan, season_plan, warband_plans
from scripts.demo.playing import shares_of
from scripts.demo.scenes import draw_scene

RULES = newest_ruleset("en-garde")


def roster(plan: WarbandPlan) -> Roster:
    """Return the planned warband as a roster of the rules."""
    bare = CampaignTerms(plan.faction)
    terms = CampaignTerms(plan.faction, RULES.clean_extras(plan.extras, bare))
    builds = [
        RULES.clean_build(line.build, terms) for line in plan.fighters for _ in range(line.count)
    ]
    fighters = tuple(
        RosterFighter(f"f{place}", f"f{place}", build) for place, build in enumerate(builds)
    )
    return Roster(terms, fighters, {"leader": ("f0",)}, season_plan().points)


@pytest.mark.parametrize("plan", warband_plans(), ids=lambda plan: plan.faction)
def test_every_planned_warband_is_legal_and_nearly_as_dear_as_agreed(plan):
    planned = roster(plan)
    assert RULES.roster_problems(planned, RosterPurpose.ENROL) == ()
    assert 285 <= RULES.roster_totals(planned).points <= season_plan().points


@pytest.mark.parametrize("plan", warband_plans(), ids=lambda plan: plan.faction)
def test_a_list_with_a_banner_has_somebody_to_bear_it(plan):
    listed = next(each for each in RULES.catalogue({})["factions"] if each["key"] == plan.faction)
    bearers = [line for line in plan.fighters if line.bears == "banner"]
    assert bool(listed["banner"]) == bool(plan.extras.get("banner")) == bool(bearers)


def test_four_lists_are_played_and_one_player_has_no_account():
    assert len({plan.faction for plan in warband_plans()}) == 4
    assert Counter(plan.account for plan in warband_plans()) == {True: 3, False: 1}


def test_the_season_has_every_scenario_and_the_same_number_of_games_for_each():
    battles = season_plan().battles
    assert len(battles) >= 9
    assert {battle.scenario for battle in battles} == {
        scenario.key for scenario in RULES.scenarios()
    }
    games = Counter(faction for battle in battles for faction, _ in battle.sides)
    assert games == dict.fromkeys((plan.faction for plan in warband_plans()), season_plan().games)


def test_the_season_has_a_dispute_stories_and_roles_that_its_scenarios_know():
    battles = season_plan().battles
    assert sum(bool(battle.disputed and battle.decided) for battle in battles) == 1
    assert any(battle.story for battle in battles)
    assert all(role in shares_of(battle.scenario) for battle in battles for _, role in battle.sides)


def test_recruits_are_of_the_first_rank():
    for plan in warband_plans():
        if plan.recruit:
            terms = CampaignTerms(plan.faction)
            assert (
                RULES.fighter_facts(RULES.clean_build(plan.recruit.build, terms), terms).rank == 1
            )


def test_nobody_is_called_like_somebody_else_and_the_same_seed_gives_the_same_names():
    hounds = len(name_lists()["hounds"]["given"])
    names = Names(Random(1))
    drawn = [names.draw("hounds") for _ in range(hounds)]
    assert len(set(drawn)) == hounds
    with pytest.raises(ValueError, match="empty range"):
        names.draw("hounds")
    again = Names(Random(1))
    assert [again.draw("hounds") for _ in range(hounds)] == drawn


def test_season_has_pictures_in_photo_formats_and_a_journal():
    season = season_plan()
    photos = [photo for battle in season.battles for photo in battle.photos]
    assert all(photo.caption.endswith("A drawing.") for photo in photos)
    assert [photo.scene.portrait for photo in photos].count(True) == 2
    assert (len(photos), len(season.journal)) == (6, 3)
    first, portrait = photos[0].scene, next(each.scene for each in photos if each.scene.portrait)
    drawn = draw_scene(first)
    assert drawn == draw_scene(first), "the same scene is the same picture"
    sizes = [Image.open(BytesIO(file)).size for file in (drawn, draw_scene(portrait))]
    assert sizes == [(1600, 1200), (1200, 1600)]


def test_every_list_has_names_enough():
    for plan in warband_plans():
        for line in plan.fighters:
            source = name_lists()[line.names or plan.faction]
            assert len(source["given"]) * len(source.get("family", [""])) >= line.count
