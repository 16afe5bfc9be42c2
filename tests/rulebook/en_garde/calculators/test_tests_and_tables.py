"""Morale, Stunned counters, feats, falls, water, spells, Priority: against every throw at the
table."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulebook.ruleset import RulesError
from rulebook.systems.en_garde.calculators.checks import chance_to_pass, fall_outcomes
from rulebook.systems.en_garde.calculators.registry import ask
from rulebook.systems.en_garde.calculators.spells import chance_to_cast
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.table.magic import resolve_casting
from rulebook.systems.en_garde.table.morale import (
    Morale,
    WarbandInBattle,
    resolve_morale,
    stun_modifiers,
    stuns_removed,
)
from rulebook.systems.en_garde.table.moving import check_dexterity, fall
from rulebook.systems.en_garde.table.wounds import WoundTable

DIE = range(1, 7)
PAIRS = list(product(DIE, repeat=2))
WARBANDS = st.builds(
    WarbandInBattle,
    rating=st.integers(4, 11),
    start=st.just(8),
    strength=st.integers(0, 8),
    morale=st.sampled_from([Morale.STEADY, Morale.WAVERING]),
    commander=st.booleans(),
    banner=st.booleans(),
    inspiring=st.booleans(),
    inspired_already=st.booleans(),
)


def chances(key, **values):
    return {name: Fraction(chance) for name, chance in ask(key, values)["outcomes"].items()}


def rolled(key, **values):
    return {figure["key"]: figure["value"] for figure in ask(key, values)["rolled"]}


@given(WARBANDS)
def test_the_chance_to_keep_ones_nerve_equals_every_pair_of_throws(warband):
    passed = 0
    for first, second in product(PAIRS, repeat=2):
        test = resolve_morale(warband, first)
        passed += (resolve_morale(warband, second) if test.may_reroll else test).passed
    assert chance_to_pass(warband) == Fraction(passed, 36**2)


def test_a_banner_gives_a_failed_test_a_second_throw():
    plain = chances("morale", rating="7", strength="4", banner="false")["passed"]
    borne = chances("morale", rating="7", strength="4", banner="true")["passed"]
    assert plain == Fraction(15, 36)
    assert borne == plain + (1 - plain) * plain


def test_morale_shows_reasons_and_outcomes():
    answer = ask(
        "morale",
        {"start": "10", "strength": "4", "killed": "3", "leader_killed": "1", "morale": "wavering"},
    )
    reasons = next(each["value"] for each in answer["figures"] if each["key"] == "reasons")
    assert reasons == "Wavering, a quarter killed in one turn, Leader killed"
    (after,) = (table for table in answer["tables"] if table["key"] == "after")
    assert [row["key"] for row in after["rows"]] == ["steady", "routing"]
    assert [line["reason"] for line in answer["sums"][0]["lines"]] == [
        "Less than half strength",
        "Wavering",
    ]


def test_an_inspiring_fighter_saves_the_first_test():
    assert chances("morale", rating="2", inspiring="true")["passed"] == 1
    assert chances("morale", rating="2", inspiring="true", inspired_already="true")["passed"] < 1


def test_given_dice_of_morale_are_read():
    assert rolled("morale", rating="7", dice="4,4") == {
        "score": "8",
        "result": "failed",
        "after": "wavering",
    }
    second = rolled("morale", rating="7", banner="1", dice="4,4", reroll="1,2")
    assert second == {"score": "3", "result": "passed", "after": "steady"}
    with pytest.raises(RulesError, match="if a banner is in play"):
        ask("morale", {"dice": "4,4", "reroll": "1,2"})
    with pytest.raises(RulesError, match="Only 10 fighters started"):
        ask("morale", {"strength": "11"})


@pytest.mark.parametrize("engaged", [False, True])
@pytest.mark.parametrize("rested", [False, True])
@pytest.mark.parametrize("tough", [False, True])
@pytest.mark.parametrize("counters", [1, 2])
def test_stunned_counters_go_as_at_the_table(engaged, rested, tough, counters):
    fighter = Combatant("f", "F", 1, attributes={"tough": ()} if tough else {})
    added = sum(each.amount for each in stun_modifiers(fighter, engaged=engaged, rested=rested))
    left = [max(0, counters - stuns_removed(die + added)) for die in DIE]
    flags = {"engaged": engaged, "rested": rested, "tough": tough}
    odds = chances(
        "stun-removal", counters=str(counters), **{key: str(each) for key, each in flags.items()}
    )
    assert odds == {str(each): Fraction(left.count(each), 6) for each in range(counters, -1, -1)}


def test_a_large_body_shakes_a_counter_off_without_a_roll():
    assert chances("stun-removal", counters="2", large="true") == {"1": 1}
    assert rolled("stun-removal", counters="2", rested="1", die="5") == {
        "score": "7",
        "result": "0",
    }


@pytest.mark.parametrize("initiative", [0, 2])
@pytest.mark.parametrize("armour", [0, 2, 3])
@pytest.mark.parametrize("agile", [False, True])
def test_the_chance_of_a_feat_equals_every_throw(initiative, armour, agile):
    fighter = Combatant(
        "f", "F", 1, initiative=initiative, worn=armour, attributes={"agile": ()} if agile else {}
    )
    passed = sum(check_dexterity(fighter, pair).passed for pair in PAIRS)
    kwargs = {"initiative": str(initiative), "armour": str(armour), "agile": str(agile)}
    assert chances("dexterity", **kwargs)["passed"] == Fraction(passed, 36)


def test_given_dice_of_a_feat_are_read():
    assert rolled("dexterity", initiative="1", dice="3,4") == {"score": "8", "result": "succeeds"}
    with pytest.raises(RulesError, match="give both"):
        ask("dexterity", {"dice": "3"})


@pytest.mark.parametrize("inches", [1, 3.5, 6, 12])
@pytest.mark.parametrize("table", [WoundTable.STANDARD, WoundTable.HUGE])
def test_a_fall_does_what_every_throw_does(inches, table):
    results = [fall(pair, inches, table).result.value for pair in PAIRS]
    outcomes = fall_outcomes(inches, table)
    assert outcomes == {key: Fraction(results.count(key), 36) for key in outcomes}


def test_a_large_body_falls_more_softly():
    assert (
        chances("fall", inches="6", table="large")["critical"]
        < chances("fall", inches="6")["critical"]
    )
    assert rolled("fall", inches="6.5", dice="3,5") == {
        "wound-score": "7",
        "result": "Critical wound",
    }
    assert (
        rolled("fall", inches="6.5", dice="3,5", table="large", die="3")["result"]
        == "Grievous wound"
    )
    with pytest.raises(RulesError, match="one more die"):
        ask("fall", {"inches": "6.5", "dice": "3,5", "table": "large"})


def test_who_drowns():
    assert chances("drowning")["drowns"] == Fraction(1, 6)
    assert chances("drowning", heavy_armour="1")["drowns"] == Fraction(1, 3)
    assert chances("drowning", heavy_armour="1", entering="1")["drowns"] == Fraction(1, 18)
    assert rolled("drowning", heavy_armour="1", die="5") == {"result": "drowns"}
    assert rolled("drowning", die="5") == {"result": "lives"}


@pytest.mark.parametrize("rank", [3, 5])
@pytest.mark.parametrize("attributes", [{}, {"magician": ()}, {"priest": ()}])
def test_the_chance_to_cast_equals_every_pair_of_throws(rank, attributes):
    magician = Combatant("m", "M", rank, attributes={"magician": ("stun",)})
    other = Combatant("o", "O", 4, attributes=attributes)
    cast = sum(
        resolve_casting(magician, "stun", mine, other, theirs).cast
        for mine, theirs in product(PAIRS, repeat=2)
    )
    assert chance_to_cast(magician, "stun", other) == Fraction(cast, 36**2)


def test_spells_without_resistance_work_and_given_dice_are_read():
    assert chances("spell", resisted_by="nobody")["cast"] == 1
    kwargs = {"rank": "4", "resisted_by": "magician", "resisting_rank": "3"}
    assert rolled("spell", **kwargs, dice="3,3", resisting_dice="4,3") == {
        "score": "10",
        "against": "10",
        "result": "resisted",
    }
    with pytest.raises(RulesError) as caught:
        ask("spell", {"dice": "3,3"})
    assert [problem.field for problem in caught.value.problems] == ["resisting_dice"]


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"first_scouts": "3"},
        {"second_scouts": "1", "turn": "1"},
        {"turn": "2", "first_scouts": "9"},
    ],
)
def test_the_chance_of_priority_solves_the_throwing_again_of_ties(values):
    lead = 2 if values.get("turn", "1") == "1" else 0
    lead *= int(values.get("first_scouts", 0) != 0) - int(values.get("second_scouts", 0) != 0)
    won = sum(mine + lead > theirs for mine, theirs in PAIRS)
    tied = sum(mine + lead == theirs for mine, theirs in PAIRS)
    first = chances("priority", **values)["first"]
    assert first == Fraction(won, 36) + Fraction(tied, 36) * first


def test_the_only_tactician_is_first_and_given_dice_are_read():
    assert chances("priority", second_tactician="1")["second"] == 1
    assert chances("priority", first_tactician="1", second_tactician="1")["second"] == Fraction(
        1, 2
    )
    assert rolled("priority", dice="3,3")["result"] == "a tie: roll again"
    assert rolled("priority", first_scouts="1", dice="3,3")["result"] == "The first side"
