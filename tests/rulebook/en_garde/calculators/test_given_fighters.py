"""Odds between two given fighters: off their rosters, and as a battle's log leaves them."""

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from rulebook.ruleset import (
    BattleSetup,
    CampaignTerms,
    FieldedFighter,
    FieldedSide,
    LoggedEvent,
    Opponent,
    RulesError,
)
from rulebook.systems.en_garde.calculators.registry import ask, odds_between
from rulebook.systems.en_garde.turns.shots import ShotFired
from tests.rulebook.en_garde.logs import odds_in_battle, replay

DIE = range(1, 7)


def somebody(profile: str, name: str = "Jack", settings: Any = None, **build: Any) -> Opponent:
    """Return a fighter of a roster."""
    terms = CampaignTerms(profile.partition("/")[0], {}, settings or {})
    return Opponent(name.lower(), name, {"profile": profile, **build}, terms)


ATHOS = somebody("three-musketeers/athos", "Athos")
GUARD = somebody("cardinals-guard/guard", "Jussac")
REVENANT = somebody("fantastical/revenant", "Bones")


def between(kind, first, other, **values):
    return odds_between(kind, first, other, values)


def chance(answer, key):
    return Fraction(answer["outcomes"][key])


def test_a_blow_between_two_of_rosters_is_that_of_their_profiles():
    answer = between("attack", ATHOS, GUARD, parry="true")
    listed = {
        "profile": "three-musketeers/athos",
        "defender_profile": "cardinals-guard/guard",
        "parry": "true",
    }
    assert answer["outcomes"] == ask("resolve-attack", listed)["outcomes"]
    assert answer["calculator"] == "attack"
    assert answer["assumptions"][0].startswith("Both fighters are as on their rosters")


def test_wounds_that_are_asked_for_count():
    fresh, hurt = (
        between("attack", ATHOS, GUARD),
        between("attack", ATHOS, GUARD, wound="grievous", stunned="2"),
    )
    assert hurt["sums"][0]["total"] == fresh["sums"][0]["total"] - 3
    weaker = between("attack", ATHOS, GUARD, target_wound="light")
    assert chance(weaker, "miss") < chance(fresh, "miss")


def test_a_shot_takes_the_first_missile_weapon_unless_another_is_named():
    archer = somebody("three-musketeers/servant", "Planchet", options={"weapon": ["matchlock"]})
    assert between("shot", archer, GUARD, inches="8")["headline"].startswith("Matchlock")
    other = between("shot", archer, GUARD, weapon="longbow")
    assert [problem["code"] for problem in other["forbidden"]] == ["not-carried"]
    with pytest.raises(RulesError, match="Bones has no missile weapon"):
        between("shot", REVENANT, GUARD)


def test_house_rules_of_the_attackers_warband_hold():
    flat = somebody("three-musketeers/athos", "Athos", {"stun_penalty": "doubled"})
    plain = between("round", ATHOS, GUARD, stunned="2")
    doubled = between("round", flat, GUARD, stunned="2")
    assert plain["figures"][0]["value"] != doubled["figures"][0]["value"]


def test_a_round_between_two_of_rosters_names_them_and_counts_their_pools():
    answer = between("round", ATHOS, GUARD, riposte="true")
    assert answer["headline"].startswith("Jussac falls in ")
    assert (
        answer["assumptions"][2]
        == "Athos has 3 Attack and 3 Defence counters; it parries, ripostes."
    )
    assert answer["sums"][0]["title"] == "Athos: added to a die for the order"


def test_the_secret_choice_is_made_with_their_own_pools():
    answer = between("equilibrium", ATHOS, GUARD)
    assert len(answer["grids"][2]["rows"]) == 7
    assert len(answer["grids"][2]["columns"]) == 3
    best = between("best-split", ATHOS, GUARD, target_attack="2")
    assert len(best["grids"][0]["rows"]) == 7


def test_the_relentless_are_advised_to_attack_alone():
    best = between("best-split", REVENANT, GUARD, target_attack="2")
    assert [row["label"] for row in best["grids"][0]["rows"]] == ["2 Attack and 0 Defence counters"]
    mixed = between("equilibrium", GUARD, REVENANT)
    assert mixed["grids"][2]["columns"] == ("2/0",)
    assert len(mixed["grids"][2]["rows"]) == 3


def test_who_rides_nothing_has_no_mount_to_strike():
    with pytest.raises(RulesError, match="Jussac has no mount"):
        between("attack", ATHOS, GUARD, at_mount="true")
    with pytest.raises(RulesError, match="Athos has no mount"):
        between("attack", ATHOS, GUARD, by_mount="true")


def test_a_mount_is_struck_at_by_its_own_table():
    rider = somebody("border-reivers/reiver", "Wat", options={"mount": ["horse"]})
    answer = between("attack", ATHOS, rider, at_mount="true")
    assert "The attack is at Wat's horse." in answer["assumptions"]
    assert answer["sums"][1]["total"] == 1
    mounted = between("attack", rider, rider, at_mount="true")
    assert any("only attack a rider" in line for line in mounted["assumptions"])


def test_unknown_kinds_and_wrong_values_are_refused():
    with pytest.raises(RulesError) as caught:
        between("wibble", ATHOS, GUARD)
    assert caught.value.problems[0].code == "unknown-calculator"
    with pytest.raises(RulesError) as caught:
        between("attack", ATHOS, GUARD, enemies="0", inches="3")
    assert [problem.field for problem in caught.value.problems] == ["inches", "enemies"]


# In a battle.


def man(id: str, profile: str, rank: int, **build: Any) -> FieldedFighter:
    posts = ("leader",) if build.pop("leader", False) else ()
    return FieldedFighter(id, id.capitalize(), {"profile": profile, **build}, rank, 10, posts)


SETUP = BattleSetup(
    "skirmish",
    (
        FieldedSide(
            "a",
            "A",
            "warband",
            "three-musketeers",
            (
                man("athos", "three-musketeers/athos", 5, leader=True),
                man("planchet", "three-musketeers/servant", 1, options={"weapon": ["matchlock"]}),
            ),
        ),
        FieldedSide(
            "b",
            "B",
            "warband",
            "cardinals-guard",
            (
                man("jussac", "cardinals-guard/officer", 3, leader=True),
                man("bernajoux", "cardinals-guard/guard", 2),
                man("biscarat", "cardinals-guard/guard", 2),
                man("milady", "cardinals-guard/milady-de-winter", 3),
            ),
        ),
    ),
)


def log(*entries: tuple[str, dict[str, Any]]) -> tuple[LoggedEvent, ...]:
    """Return a log of the first turn."""
    first = LoggedEvent(1, "turn", {}, 1)
    return first, *(
        LoggedEvent(place, kind, data, 1) for place, (kind, data) in enumerate(entries, start=2)
    )


def now(kind, first, other, events=(), setup=SETUP, **values):
    return odds_in_battle(kind, setup, events, first, other, values)


ATHOS_SIDE = ("athos", "planchet")


def wound(victim: str, result: str) -> tuple[str, dict[str, Any]]:
    return "wound", {
        "victim": victim,
        "result": result,
        "attacker": "milady" if victim in ATHOS_SIDE else "athos",
    }


def test_wounds_in_the_log_count():
    fresh = now("attack", "jussac", "athos")
    hurt = now("attack", "jussac", "athos", log(wound("jussac", "light")))
    assert hurt["sums"][0]["total"] == fresh["sums"][0]["total"] - 1
    assert hurt["assumptions"][0] == "Both fighters are as in the log, in turn 1."
    stunned = now("attack", "jussac", "athos", log(wound("athos", "stunned")))
    (after,) = (table for table in stunned["tables"] if table["key"] == "target-after")
    assert "stunned-twice" in [row["key"] for row in after["rows"]]


def test_a_shot_in_battle_equals_every_throw_that_the_log_would_take():
    setup = replace(SETUP, set_up={"weather": "wind"})
    events = log(wound("planchet", "light"), wound("bernajoux", "light"))
    answer = now(
        "shot", "planchet", "bernajoux", events, setup, inches="14", cover="light", moved="true"
    )
    state = replay(setup, events)
    counted: Counter[str] = Counter()
    for dice in product(DIE, repeat=2):
        fired = ShotFired(
            shooter="planchet",
            target="bernajoux",
            weapon="matchlock",
            inches=14,
            cover="light",
            moved=True,
            dice=dice,
        )
        result = fired.outcome(state).result
        counted["miss" if result is None else result.value] += 1
    assert answer["outcomes"] == {
        key: str(Fraction(counted[key], 36)) for key in answer["outcomes"]
    }
    assert "Wind" in [line["reason"] for line in answer["sums"][0]["lines"]]


def test_what_the_log_forbids_now_is_said():
    assert [
        each["code"] for each in now("shot", "planchet", "jussac", inches="8")["forbidden"]
    ] == []
    fired = {
        "shooter": "planchet",
        "target": "jussac",
        "weapon": "matchlock",
        "inches": 8,
        "dice": [3, 1],
    }
    shot = now("shot", "planchet", "jussac", log(("shot", fired)), inches="8")
    assert [each["code"] for each in shot["forbidden"]] == ["acted-already", "not-loaded"]


CHARGE = ("move", {"fighter": "athos", "contacts": ["jussac", "bernajoux", "biscarat"]})
OPEN = (
    "combat",
    {
        "fighters": {"a": ["athos"], "b": ["jussac", "bernajoux", "biscarat"]},
        "counters": {"a": [3, 3], "b": [4, 3]},
        "initiative": {"athos": [6], "jussac": [4], "bernajoux": [3], "biscarat": [1]},
    },
)


def test_three_against_one_is_read_from_the_open_combat():
    answer = now("attack", "jussac", "athos", log(CHARGE, OPEN))
    assert [line["reason"] for line in answer["sums"][1]["lines"]] == [
        "Current Fight",
        "Against three or more",
    ]
    alone = now("attack", "jussac", "athos")
    assert chance(answer, "miss") < chance(alone, "miss")


def test_counters_left_in_the_open_round_are_what_a_round_is_counted_with():
    pair = (
        "combat",
        {
            **OPEN[1],
            "fighters": {"a": ["athos"], "b": ["bernajoux"]},
            "counters": {"a": [4, 2], "b": [1, 1]},
        },
    )
    pair[1]["initiative"] = {"athos": [6], "bernajoux": [3]}
    blow = (
        "attack",
        {
            "attacker": "athos",
            "target": "bernajoux",
            "dice": [1, 1],
            "reroll": 2,
            "defence_dice": [6],
        },
    )
    answer = now("round", "athos", "bernajoux", log(CHARGE, pair, blow))
    assert any("the counters left in the open round" in line for line in answer["assumptions"])
    assert any(
        "Athos has 3 Attack and 2 Defence counters" in line for line in answer["assumptions"]
    )
    chosen = now("round", "athos", "bernajoux", log(CHARGE, pair, blow), attack="1", defence="5")
    assert any(
        "Athos has 1 Attack and 5 Defence counters" in line for line in chosen["assumptions"]
    )


def test_ploys_without_counters_are_forbidden_in_the_open_round():
    pair = (
        "combat",
        {"fighters": {"a": ["athos"], "b": ["bernajoux"]}, "counters": {"a": [1, 5], "b": [2, 0]}},
    )
    pair[1]["initiative"] = {"athos": [6], "bernajoux": [3]}
    answer = now(
        "attack", "athos", "bernajoux", log(CHARGE, pair), mighty_blow="true", parry="true"
    )
    assert [each["code"] for each in answer["forbidden"]] == ["no-counter", "no-counter"]


def test_who_is_not_there_or_dead_is_refused_by_field():
    with pytest.raises(RulesError) as caught:
        now("attack", "nobody", "athos")
    assert [(each.code, each.field) for each in caught.value.problems] == [
        ("unknown-combatant", "attacker")
    ]
    with pytest.raises(RulesError) as caught:
        now("shot", "planchet", "jussac", log(wound("jussac", "critical")))
    assert [(each.code, each.field) for each in caught.value.problems] == [("dead", "target")]


def test_beguiling_ends_after_own_attack():
    free = {"attacker": "milady", "target": "athos", "dice": [1, 1], "defence_dice": [6]}
    moved = ("move", {"fighter": "milady", "contacts": ["athos"]})
    before = now("attack", "athos", "milady", log(moved))
    after = now("attack", "athos", "milady", log(moved, ("free_attack", free)))
    assert "nerve" in [figure["key"] for figure in before["figures"]]
    assert "nerve" not in [figure["key"] for figure in after["figures"]]


def test_another_weapon_than_the_one_in_hand_may_be_asked_about():
    own = now("round", "jussac", "athos")
    other = now("round", "jussac", "athos", weapon="dagger")
    assert own["figures"][0]["value"] != other["figures"][0]["value"]
    assert now("best-split", "athos", "jussac")["grids"]
    assert now("equilibrium", "athos", "jussac")["grids"]


def test_a_civilian_may_be_the_target_and_never_the_attacker():
    escort = replace(
        SETUP,
        scenario="escort",
        sides=(replace(SETUP.sides[0], role="escort"), replace(SETUP.sides[1], role="attacker")),
    )
    assert now("attack", "jussac", "civilian-1", setup=escort)["sums"][1]["total"] == 0
    with pytest.raises(RulesError, match="'civilian-1' is not in this battle"):
        now("attack", "civilian-1", "jussac", setup=escort)


def test_a_shot_into_an_open_combat_may_strike_each_of_the_others():
    answer = now("shot", "planchet", "bernajoux", log(CHARGE, OPEN), inches="8")
    others = {
        table["title"]: table for table in answer["tables"] if table["key"].startswith("other-")
    }
    names = [title.partition(" on ")[2].partition(" if ")[0] for title in others]
    assert sorted(names) == ["Athos", "Biscarat", "Jussac"]
    miss = chance(answer, "miss")
    for table in others.values():
        rows = {row["key"]: Fraction(row["chance"]) for row in table["rows"]}
        assert 1 - rows["miss"] < miss / 3, "one of three, and it may miss as well"
    assert not any("the others are not known" in line for line in answer["assumptions"])


def test_luck_is_for_the_lucky():
    answer = now("attack", "jussac", "athos", lucky="attacker")
    assert "no-luck" in [each["code"] for each in answer["forbidden"]]
    assert "no-luck" in [
        each["code"]
        for each in between("shot", ATHOS, GUARD, weapon="bow", lucky="target")["forbidden"]
    ]
    assert chance(answer, "miss") < chance(now("attack", "jussac", "athos"), "miss")
