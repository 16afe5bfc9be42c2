"""Forces before a battle: roles, Leaders, banners, Rank 5, limits and ratios."""

import pytest
from msgspec.structs import replace

from rulebook.ruleset import BattleSetup, RulesError, Severity
from rulebook.systems.en_garde.book.scenarios import (
    find_scenario,
    minor_objective,
    scenario_facts,
    scenarios,
)
from rulebook.systems.en_garde.rosters.forces import (
    bystanders,
    civilians_in,
    force_points,
    force_problems,
    role_limit,
)
from tests.rulebook.en_garde.battlefield import SCENARIOS, battle, fielded, side

FORCES = {
    "defence": ((4, 4), (4,)),
    "escort": ((4, 4), (4,)),
    "hold-the-bridge": ((4, 4), (4, 3)),
    "raid": ((4, 4), (4, 3)),
}


def found(setup: BattleSetup) -> dict[str, Severity]:
    return {problem.code: problem.severity for problem in force_problems(setup)}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_forces_of_the_wanted_ratio_are_good(scenario: str):
    assert found(battle(scenario, *FORCES.get(scenario, ((4, 3), (4, 3))))) == {}


def test_all_eight_scenarios_have_words_of_their_own():
    assert [scenario.key for scenario in scenarios()] == list(SCENARIOS)
    assert all(
        each.summary and each.victory and each.length and each.source for each in scenarios()
    )
    assert [minor_objective(die).rolled for die in range(1, 7)] == [1, 2, 3, 4, 5, 6]
    assert all(facts.turns or facts.dice or facts.rising for facts in scenario_facts())


@pytest.mark.parametrize(
    ("scenario", "role", "agreed", "limit"),
    [
        ("skirmish", "warband", 200, 200),
        ("defence", "attacker", 201, 201),
        ("defence", "defender", 201, 100),
        ("escort", "escort", 100, 50),
        ("hold-the-bridge", "attacker", 101, 121),
        ("raid", "attacker", 200, 240),
        ("raid", "defender", 200, 200),
    ],
)
def test_limits_follow_the_share_of_a_role_rounded_down(
    scenario: str, role: str, agreed: int, limit: int
):
    assert role_limit(find_scenario(scenario), role, agreed) == limit


def test_force_points_hold_banner_and_guns():
    plain = side("a", (4, 3))
    assert force_points(plain) == 42
    bought = {"banner": True, "ordnance": [{"gun": "swivel-gun"}]}
    assert force_points(replace(plain, extras=bought)) == 42 + 5 + 10


def fielding(faction: str, extras: dict[str, object], *profiles: str) -> dict[str, Severity]:
    """Return the problems of a force of these profiles, led by the first one."""
    fighters = tuple(
        fielded(
            f"a{place}",
            2,
            build={"profile": profile},
            leader=place == 1,
            banner=place == 1 and "banner" in extras,
        )
        for place, profile in enumerate(profiles, start=1)
    )
    first, second = battle("skirmish").sides
    enemy = replace(
        second,
        fighters=tuple(replace(fighters[0], id=f"b{place}") for place, _ in enumerate(fighters)),
    )
    ours = replace(first, faction=faction, fighters=fighters, extras=extras)
    problems = force_problems(BattleSetup("skirmish", (ours, enemy)))
    return {
        problem.code: problem.severity
        for problem in problems
        if problem.sentence.startswith("Alsatians")
    }


LANDSKNECHT, SOLDIER, HOUND = (
    "landsknechts/landsknecht",
    "conquistadors/soldier",
    "conquistadors/warhound",
)


def test_guns_without_a_crew_and_hounds_without_handlers_are_warned_of_in_the_field():
    """Ruling C3."""
    gun: dict[str, object] = {"ordnance": [{"gun": "swivel-gun"}]}
    assert fielding("landsknechts", gun, LANDSKNECHT, LANDSKNECHT) == {}
    assert fielding("landsknechts", gun, LANDSKNECHT) == {"gun-crew-missing": Severity.WARNS}
    elsewhere: dict[str, object] = {"ordnance": [{"gun": "swivel-gun", "crew": ["a1", "x9"]}]}
    assert fielding("landsknechts", elsewhere, LANDSKNECHT) == {
        "gun-crew-unknown": Severity.WARNS,
        "gun-crew-missing": Severity.WARNS,
    }
    assert fielding("conquistadors", {}, SOLDIER, *[HOUND] * 3) == {}
    assert fielding("conquistadors", {}, SOLDIER, *[HOUND] * 4) == {
        "too-few-handlers": Severity.WARNS
    }


def test_a_banner_that_nobody_bears_is_warned_of():
    """Ruling P25."""
    assert fielding("landsknechts", {"banner": True}, LANDSKNECHT) == {}
    bare = replace(battle("skirmish").sides[0], extras={"banner": True}, faction="landsknechts")
    problems = force_problems(BattleSetup("skirmish", (bare, battle("skirmish").sides[1])))
    assert ("bearer-missing", Severity.WARNS) in {
        (problem.code, problem.severity) for problem in problems
    }


def test_unequal_forces_only_ever_warn():
    assert found(battle("skirmish", (4, 4), (4,))) == {"uneven-forces": Severity.WARNS}
    assert found(battle("defence", (4,), (4,))) == {"uneven-forces": Severity.WARNS}
    (problem,) = force_problems(battle("raid", (4,), (4,)))
    assert "forces of 6 to 5 (Alsatians, Basques). These have 24 to 24 points" in problem.sentence


def test_nobody_is_warned_of_unequal_forces_before_every_side_has_one():
    assert "uneven-forces" not in found(battle("skirmish", (4, 4), ()))


def test_over_the_agreed_points_is_forbidden_where_the_campaign_is_strict():
    setup = replace(battle("skirmish", (4, 3), (4, 3)), points_limit=41)
    assert found(setup) == {"over-the-limit": Severity.FORBIDS}
    assert found(replace(setup, settings={"legality": "warn"})) == {
        "over-the-limit": Severity.WARNS
    }
    assert found(replace(setup, points_limit=42)) == {}


def test_over_a_limit_that_follows_from_the_other_side_only_warns():
    setup = replace(battle("defence", (4, 4), (4, 1)), points_limit=48)
    assert found(setup)["over-the-limit"] is Severity.WARNS


def test_each_role_has_its_number_of_sides():
    assert "wrong-number-of-sides" in found(battle("skirmish", (4,), (4,), (4,)))
    assert "wrong-number-of-sides" in found(battle("occupy", (4,)))
    assert found(battle("occupy", (4,), (4,), (4,), (4,))) == {}
    setup = battle("raid", (4, 4), (4, 3))
    both = replace(setup, sides=tuple(replace(each, role="attacker") for each in setup.sides))
    assert "wrong-number-of-sides" in found(both)


def test_an_unknown_role_is_named_with_those_there_are():
    setup = battle("raid", (4, 4), (4, 3))
    odd = replace(setup, sides=(replace(setup.sides[0], role="bystander"), setup.sides[1]))
    (problem, *_) = force_problems(odd)
    assert (problem.code, problem.value) == ("unknown-role", "bystander")
    assert "attacker, defender" in problem.sentence


def test_every_side_needs_one_leader_who_can_lead():
    setup = battle("skirmish", (4, 3), (4, 3))
    first, second = setup.sides
    nobody = replace(second, fighters=tuple(replace(each, posts=()) for each in second.fighters))
    both = replace(
        second, fighters=tuple(replace(each, posts=("leader",)) for each in second.fighters)
    )
    assert found(replace(setup, sides=(first, nobody))) == {"leader-needed": Severity.FORBIDS}
    assert found(replace(setup, sides=(first, both))) == {"leader-needed": Severity.FORBIDS}
    hound = fielded("b1", 1, build={"profile": "conquistadors/warhound"}, leader=True, points=42)
    assert found(replace(setup, sides=(first, replace(second, fighters=(hound,)))))["cannot-lead"]


def test_an_empty_side_and_repeated_names_are_found():
    setup = battle("skirmish", (4, 3), (4, 3))
    first, second = setup.sides
    assert "empty-side" in found(replace(setup, sides=(first, replace(second, fighters=()))))
    assert "repeated-side" in found(replace(setup, sides=(first, replace(second, key="a"))))
    assert "repeated-fighter" in found(
        replace(setup, sides=(first, replace(second, fighters=first.fighters)))
    )


def test_one_bearer_for_a_banner_that_was_bought():
    setup = battle("skirmish", (4, 3), (4, 3))
    first, second = setup.sides
    bearers = tuple(replace(each, posts=(*each.posts, "banner")) for each in second.fighters)
    assert "one-banner" in found(replace(setup, sides=(first, replace(second, fighters=bearers))))
    pair = (second.fighters[0], bearers[1])
    assert "no-banner" in found(replace(setup, sides=(first, replace(second, fighters=pair))))
    bought = replace(second, fighters=pair, extras={"banner": True})
    assert "no-banner" not in found(replace(setup, sides=(first, bought)))


def test_one_rank_5_takes_the_field_unless_list_or_house_rule_say_otherwise():
    setup = battle("skirmish", (5, 5), (5, 5))
    assert found(setup) == {"one-rank-5": Severity.FORBIDS}
    assert found(replace(setup, settings={"rank_5_limit": "any"})) == {}
    musketeers = tuple(replace(each, faction="three-musketeers") for each in setup.sides)
    assert found(replace(setup, sides=musketeers)) == {}
    templates = {"composition": "list-and-template"}
    assert found(replace(setup, sides=musketeers, settings=templates)) == {
        "one-rank-5": Severity.FORBIDS
    }
    custom = tuple(replace(each, faction="custom") for each in setup.sides)
    assert found(replace(setup, sides=custom)) == {"one-rank-5": Severity.FORBIDS}


def test_civilians_follow_points_or_the_set_up():
    assert civilians_in(battle("skirmish")) == 0
    assert civilians_in(battle("escort", (4,), (4, 4))) == 1
    assert civilians_in(battle("raid", (4, 4), (4, 4, 1))) == 2
    assert civilians_in(replace(battle("raid"), set_up={"civilians": 5})) == 5
    assert civilians_in(replace(battle("escort"), set_up={"civilians": "many"})) == 1


def test_an_unknown_scenario_and_a_wrong_house_rule_are_refused():
    with pytest.raises(RulesError, match="brawl"):
        force_problems(replace(battle("skirmish"), scenario="brawl"))
    with pytest.raises(RulesError, match="captivs"):
        force_problems(replace(battle("skirmish"), settings={"captivs": "held"}))


def test_bystanders_are_named_as_the_log_names_them() -> None:
    assert bystanders(battle("escort", (4,), (4, 4))) == (("civilian-1", "Civilian 1"),)
    assert bystanders(battle("skirmish")) == ()
