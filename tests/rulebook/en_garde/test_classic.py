"""The classic campaign. Rule book: "Campaigns"."""

import pytest

from rulebook.chronicle.facts import AnyFact, Enrolled, Fought, Mustered, Recruit, Recruited
from rulebook.chronicle.replay import replay_chronicle
from rulebook.registry import find_ruleset
from rulebook.ruleset import CampaignTerms, Fate, Outcome, Record, Roster, RosterFighter
from rulebook.systems.en_garde.classic import (
    bounds,
    classic_settings,
    final_force,
    plan_problems,
    scenario_problems,
)
from rulebook.systems.en_garde.experience.awards import awards

GAMES = ("capture", "duel", "raid")
GUARDS = tuple(f"g{number}" for number in range(10))


def roster(settings=None, limit=None, **fates) -> Roster:
    """Return a roster of ten guards of 8 points each."""
    fighters = tuple(
        RosterFighter(key, key, {"profile": "cardinals-guard/guard"}, fate=fates.get(key, Fate.FIT))
        for key in GUARDS
    )
    return Roster(
        CampaignTerms("cardinals-guard", settings=settings or {}), fighters, points_limit=limit
    )


def codes(plan, **more):
    return [problem.code for problem in plan_problems(roster(**more), plan, GAMES)]


GOOD = {"capture": GUARDS[:3], "duel": GUARDS[3:6], "raid": GUARDS[6:10]}


def test_a_plan_of_three_small_warbands_is_good():
    assert codes(GOOD) == []


@pytest.mark.parametrize(("size", "good"), [(2, False), (3, True), (5, True), (6, False)])
def test_a_small_warband_costs_a_quarter_to_a_half_both_included(size, good):
    plan = {"capture": GUARDS[:size], "duel": GUARDS[:3], "raid": GUARDS[:3]}
    assert ("wrong-size" not in codes(plan, settings={"small_warbands": "overlapping"})) is good


def test_a_quarter_may_be_met_exactly():
    eight = Roster(roster().terms, roster().fighters[:8])
    plan = {"capture": GUARDS[:2], "duel": GUARDS[2:4], "raid": GUARDS[4:8]}
    assert plan_problems(eight, plan, GAMES) == ()


def test_the_agreed_points_are_the_base_by_house_rule():
    plan = {**GOOD, "duel": GUARDS[3:5]}
    assert codes(plan) == ["wrong-size"]
    assert codes(plan, settings={"small_warband_base": "agreed"}, limit=64) == []


def test_nobody_is_in_two_small_warbands_unless_the_club_allows_it():
    plan = {**GOOD, "duel": GUARDS[2:5]}
    assert codes(plan) == ["in-two-warbands"]
    assert codes(plan, settings={"small_warbands": "overlapping"}) == []


def test_every_scenario_gets_one_and_only_fit_fighters_serve():
    assert codes({"capture": GUARDS[:3], "duel": GUARDS[3:6]}) == ["wrong-scenarios"]
    assert codes(GOOD, g0=Fate.DEAD) == ["not-on-roster"]
    assert "named-twice" in codes({**GOOD, "capture": ("g0", "g0", "g1", "g2")})


def test_classic_needs_three_different_known_scenarios():
    assert scenario_problems(GAMES) == ()
    assert [problem.code for problem in scenario_problems(("duel", "duel", "raid"))] == [
        "three-scenarios"
    ]
    assert [problem.code for problem in scenario_problems(("duel", "siege", "raid"))] == [
        "unknown-scenario"
    ]


def test_the_final_is_for_all_who_are_fit_or_by_house_rule_for_those_who_fought():
    warband = roster(g0=Fate.DEAD, g1=Fate.RECOVERING, g2=Fate.CAPTURED)
    assert final_force(warband, frozenset()) == GUARDS[3:]
    strict = roster(settings={"final_muster": "fielded"}, g0=Fate.DEAD)
    assert final_force(strict, frozenset({"g0", "g4"})) == ("g4",)


def test_there_is_no_experience_unless_the_club_wants_it():
    record = (Record("g0", rank=2, fate=Fate.FIT),)
    assert awards(record, (), classic_settings({})) == ()
    assert len(awards(record, (), classic_settings({"classic_progression": True}))) == 1


BATTLE = "00000000-0000-0000-0000-00000000000"


def fought(number: int, *records: Record, parallel: bool = True) -> Fought:
    return Fought(
        battle=f"{BATTLE}{number}", outcome=Outcome.WON, records=records, parallel=parallel
    )


def campaign(*battles: Fought, settings=None):
    recruits = tuple(Recruit(key, key, {"profile": "cardinals-guard/guard"}) for key in GUARDS)
    edition = find_ruleset("en-garde", "2026.1").edition
    chronicle: list[AnyFact] = [
        Mustered(ruleset="en-garde", edition=edition, faction="cardinals-guard", name="Guard"),
        Recruited(recruits=recruits),
        Enrolled(
            campaign="00000000-0000-0000-0000-0000000000ff",
            settings=classic_settings(settings or {}),
        ),
        *battles,
    ]
    return replay_chronicle(chronicle, find_ruleset).state.fighters


def hurt(fighter: str, die: int) -> Record:
    return Record(fighter, rank=2, fate=Fate.FIT, wounds="grievous", recovery_roll=die)


def test_gravely_wounded_miss_only_the_final():
    small = fought(1, hurt("g0", 3), hurt("g1", 4))
    after = campaign(small, fought(2, Record("g3", rank=2, fate=Fate.FIT)))
    assert (after["g0"].fate, after["g1"].fate) == (Fate.RECOVERING, Fate.FIT)
    final = fought(3, Record("g1", rank=2, fate=Fate.FIT), parallel=False)
    assert campaign(small, final)["g0"].fate is Fate.FIT


def test_of_overlapping_games_the_worst_counts():
    again = fought(2, Record("g0", rank=2, fate=Fate.FIT))
    assert campaign(fought(1, hurt("g0", 1)), again)["g0"].fate is Fate.RECOVERING


def test_captives_miss_the_final():
    taken = Record("g0", rank=2, fate=Fate.CAPTURED, captured=True, survived=False)
    assert campaign(fought(1, taken), fought(2))["g0"].fate is Fate.CAPTURED


def test_banner_and_guns_are_part_of_what_a_quarter_is_taken_of():
    plain = [
        RosterFighter(str(number), "Hans", {"profile": "landsknechts/landsknecht"})
        for number in range(4)
    ]
    extras = {"banner": True, "ordnance": [{"gun": "swivel-gun"}]}
    assert bounds(Roster(CampaignTerms("landsknechts"), tuple(plain))) == (15, 30)
    assert bounds(Roster(CampaignTerms("landsknechts", extras), tuple(plain))) == (
        19,
        37,
    )  # of 60, and 5, and 10
