"""The aftermath of a battle: strength carried over, and grades by Seasoning."""

import pytest

from rulebook.ruleset import CampaignTerms, Deed, Fate, Record, RosterFighter, RulesError
from rulebook.systems.avant_garde.aftermath import Seasoning, condition_after
from rulebook.systems.avant_garde.book import HouseRules
from tests.rulebook.avant_garde.armies import roster

SEASONING, SEASONED = Seasoning(), {"seasoning": True}


def record(wounds="", survived=True):
    """Return the record of the 17th."""
    return Record("17th Line", 0, Fate.FIT, survived=survived, wounds=wounds)


def won(friendly=False):
    """Return a deed: the 17th has won a fight."""
    return Deed(
        "17th Line",
        "won",
        0,
        victim="x",
        victim_name="the Grenadiers",
        friendly=friendly,
        result="won",
    )


def marks(*records, deeds=(), settings=SEASONED):
    """Return the awards of a battle with their codes."""
    return [
        (award.code, award.amount, award.clears)
        for award in SEASONING.awards(records, deeds, settings)
    ]


def test_casualties_guns_and_colours_carry_over_unless_the_club_says_otherwise():
    assert condition_after({}, lost=5, guns=1, colours_lost=True, rules=HouseRules()) == {
        "lost": 5,
        "guns": 1,
        "colours_lost": True,
    }
    assert condition_after({"lost": 2}, lost=0, rules=HouseRules()) == {}
    fresh = HouseRules(casualties_carry_over=False)
    assert condition_after({"lost": 2}, lost=9, rules=fresh) == {"lost": 2}


def test_there_is_no_experience_unless_seasoning_is_played():
    assert not SEASONING.experience({})
    assert marks(record(), deeds=(won(),), settings={}) == []


@pytest.mark.parametrize(
    ("record", "deeds", "expected"),
    [
        (record(), (), [("good-order", 1, False)]),
        (record("disordered"), (), []),
        (record(), (won(), won()), [("good-order", 1, False), ("won-fight", 1, False)]),
        (record("broken"), (won(),), [("won-fight", 1, False)]),
        (record(survived=False), (), []),
        (record(), (won(friendly=True),), [("good-order", 1, False)]),
        (record("shattered", survived=False), (won(),), [("shattered", 0, True)]),
    ],
)
def test_a_mark_for_good_order_another_for_a_fight_won_none_for_the_shattered(
    record, deeds, expected
):
    assert marks(record, deeds=deeds) == expected


@pytest.mark.parametrize(
    ("build", "better"),
    [
        ({"profile": "infantry", "grade": "militia"}, "conscripts"),
        ({"profile": "infantry", "grade": "conscripts"}, "line"),
        ({"profile": "infantry", "grade": "line"}, "veteran"),
        ({"profile": "infantry", "grade": "veteran"}, None),
        ({"profile": "infantry", "grade": "guard"}, None),
        ({"profile": "cavalry", "grade": "raw"}, "line"),
        ({"profile": "artillery", "grade": "line", "light": 1}, "veteran"),
        ({"profile": "commander"}, None),
    ],
)
def test_units_rise_a_grade_at_a_time_and_never_into_the_guard(build, better):
    step = SEASONING.next_step(build, CampaignTerms("france", settings=SEASONED))
    assert (step and step[0]) == better
    assert SEASONING.next_step(build, CampaignTerms("france")) is None


def test_a_grade_costs_its_marks_and_the_points_of_the_table():
    terms = CampaignTerms("france", settings={**SEASONED, "seasoning_marks": 4})
    line = {"profile": "infantry", "figures": 24, "skirmishers": 4, "brigade": "First"}
    (offer,) = SEASONING.rank_ups(
        RosterFighter("17th Line", "17th Line", line), roster(settings=terms.settings)
    )
    assert (offer.name, offer.cost, offer.build["grade"], offer.sheet.points) == (
        "Veteran",
        4,
        "veteran",
        144,
    )
    step = SEASONING.take_rank_up(line, terms, "veteran", {})
    assert (step.points, step.rule) == (144, "House rule: Seasoning")
    with pytest.raises(RulesError):
        SEASONING.take_rank_up(line, terms, "guard", {})
