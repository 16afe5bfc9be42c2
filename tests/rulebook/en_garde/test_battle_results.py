"""Result sheets by hand: each scenario won, lost and drawn by its own rule, its lines compared."""

import pytest
from msgspec.structs import replace

from rulebook.ruleset import BattleSetup, Fate, Outcome
from rulebook.systems.en_garde.book.scenarios import minor_objective
from tests.rulebook.en_garde.battlefield import (
    SCENARIOS,
    battle,
    fought,
    killed,
    lines,
    of,
    record,
    side,
    subdued,
    told,
    wound,
)
from tests.rulebook.en_garde.logs import result

WON, LOST, DREW = Outcome.WON, Outcome.LOST, Outcome.DREW


def outcomes(sheet):
    return [each.outcome for each in sheet.sides]


# The usual victory points.


def test_the_dead_and_the_routed_score_for_the_enemy():
    sheet = fought(
        battle("skirmish"), killed("b3", "a1"), told("routed", fighter="b2"), killed("a4", "b1")
    )
    assert lines(sheet, "a") == [(2, "routed"), (2, "killed")]
    assert lines(sheet, "b") == [(1, "killed")]
    assert of(sheet, "a").victory_points == 4
    assert outcomes(sheet) == [WON, LOST]
    assert sheet.winner == "a"
    assert sheet.verdict == "Victory for Alsatians: 4 victory points to 1."


@pytest.mark.parametrize(("rank", "points"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3)])
def test_a_routed_fighter_is_worth_half_its_rank_rounded_up(rank: int, points: int):
    sheet = fought(battle("skirmish", (4,), (4, rank)), told("routed", fighter="b2"))
    assert lines(sheet, "a") == [(points, "routed")]


def test_a_fighter_who_leaves_without_routing_is_worth_nothing_to_the_enemy():
    """Ruling S13."""
    assert lines(fought(battle("skirmish"), told("left", fighter="b1", edge="own")), "a") == []
    assert lines(fought(battle("skirmish"), told("routed", fighter="b1")), "a") == [(2, "routed")]


def test_death_without_killer_scores():
    sheet = fought(battle("skirmish"), killed("b2", means="fall"))
    assert lines(sheet, "a") == [(3, "killed")]
    assert record(sheet, "b2").killed_by == "a fall"


def test_wounds_add_up_to_a_death_across_the_log():
    sheet = fought(
        battle("skirmish"),
        wound("b2", "light", "a2"),
        wound("b2", "light", "a3"),
        wound("b2", "light", "a2"),
    )
    assert record(sheet, "b2").fate is Fate.DEAD
    assert record(sheet, "b2").killed_by == "A2 (Alsatians)"
    assert [(deed.fighter, deed.result, deed.killed) for deed in of(sheet, "a").deeds] == [
        ("a2", "light", False),
        ("a3", "light", False),
        ("a2", "light", True),
    ]


def test_a_captured_banner_scores_five():
    setup = with_banner(battle("skirmish"))
    sheet = fought(setup, killed("b2", "a2"), told("captured", banner="b", by="a3"))
    assert lines(sheet, "a") == [(3, "killed"), (5, "banner")]
    assert [
        (deed.kind, deed.victim_name) for deed in of(sheet, "a").deeds if deed.fighter == "a3"
    ] == [("banner", "the banner of Basques")]


def with_banner(setup: BattleSetup) -> BattleSetup:
    first, second = setup.sides
    bearers = tuple(
        replace(each, posts=("banner",) if each.id == "b2" else each.posts)
        for each in second.fighters
    )
    return replace(setup, sides=(first, replace(second, fighters=bearers, extras={"banner": True})))


def test_by_house_rule_killing_the_bearer_captures_the_banner():
    setup = replace(with_banner(battle("skirmish")), settings={"banner_capture": "bearer-killed"})
    assert lines(fought(setup, killed("b2", "a2")), "a") == [(3, "killed"), (5, "banner")]
    assert lines(fought(setup, killed("b2", means="fall")), "a") == [(3, "killed")]


def test_extra_points_stand_on_their_reason():
    extra = told("points", side="b", amount=3, reason="The bridge was blown up.")
    sheet = fought(battle("skirmish"), killed("b4", "a1"), extra)
    assert [line.sentence for line in of(sheet, "b").lines] == ["The bridge was blown up."]
    assert outcomes(sheet) == [LOST, WON]


def test_equal_points_are_a_draw_or_go_to_who_has_more_standing():
    events = (
        killed("b3", "a1"),
        killed("a4", "b1"),
        told("points", side="b", amount=1, reason="Agreed."),
    )
    drawn = fought(battle("skirmish"), *events)
    assert outcomes(drawn) == [DREW, DREW]
    assert drawn.winner is None
    assert drawn.verdict == "A draw: 2 victory points each."
    setup = battle("skirmish", (4, 3, 2, 1), (4, 3, 2, 1, 1), settings={"equal_points": "standing"})
    assert outcomes(fought(setup, *events)) == [LOST, WON]


def test_who_concedes_has_lost_unless_the_points_decide():
    events = (killed("b1", "a1"), told("conceded", side="a"))
    assert outcomes(fought(battle("skirmish"), *events)) == [LOST, WON]
    assert outcomes(fought(battle("skirmish", settings={"concession": "points"}), *events)) == [
        WON,
        LOST,
    ]


def test_who_withdraws_leaves_the_decision_to_the_points():
    assert outcomes(fought(battle("skirmish"), killed("b1", "a1"), told("withdrew", side="a"))) == [
        WON,
        LOST,
    ]


def test_if_everybody_concedes_the_points_decide():
    events = (killed("b1", "a1"), told("conceded", side="a"), told("conceded", side="b"))
    assert outcomes(fought(battle("skirmish"), *events)) == [WON, LOST]


# Skirmish.


def rolled(side: str, die: int, **more):
    return told("minor_objective", side=side, rolled=die, **more)


def achieved(setup: BattleSetup, *events) -> list[str]:
    """Return the sides that scored their minor objective."""
    sheet = fought(setup, *events)
    return [each.side for each in sheet.sides if (5, "minor-objective") in lines(sheet, each.side)]


def test_minor_objective_1_wants_a_captive_of_rank_2():
    setup = battle("skirmish")
    assert achieved(
        setup, rolled("a", 1), subdued("b3", "a1"), told("captured", fighter="b3", by="a1")
    ) == ["a"]
    assert (
        achieved(
            setup, rolled("a", 1), subdued("b4", "a1"), told("captured", fighter="b4", by="a1")
        )
        == []
    )
    assert achieved(setup, rolled("a", 1), subdued("b3", "a1")) == []


def test_minor_objective_2_is_declared():
    setup = battle("skirmish")
    assert (
        minor_objective(2).sentence
        == "Have more fighters than the enemy in each quarter of the table"
    )
    assert achieved(setup, rolled("a", 2, achieved=True), rolled("b", 2, achieved=False)) == ["a"]
    assert achieved(setup, rolled("a", 2), rolled("b", 2), rolled("b", 2, achieved=True)) == ["b"]


def test_minor_objective_3_wants_the_leader_dead():
    setup = battle("skirmish")
    assert achieved(setup, rolled("a", 3), killed("b1")) == ["a"]
    assert achieved(setup, rolled("a", 3), told("routed", fighter="b1"), killed("b2")) == []


def test_minor_objective_4_allows_a_quarter_of_the_force_to_be_lost():
    setup = battle("skirmish")
    assert achieved(setup, rolled("a", 4)) == ["a"]
    assert achieved(setup, rolled("a", 4), told("routed", fighter="a4")) == ["a"]
    assert achieved(setup, rolled("a", 4), told("routed", fighter="a4"), killed("a3")) == []
    captured = (subdued("a3", "b1"), told("captured", fighter="a3", by="b1"))
    assert achieved(setup, rolled("a", 4), *captured) == ["a"]
    assert achieved(setup, rolled("a", 4), *captured, killed("a4")) == []


def test_minor_objective_4_may_go_by_points():
    setup = battle("skirmish", settings={"lost_share": "points"})
    assert achieved(setup, rolled("a", 4), killed("a3"), killed("a4")) == ["a"]
    assert achieved(setup, rolled("a", 4), killed("a1")) == []


def test_minor_objective_5_wants_more_than_three_quarters_killed():
    setup = battle("skirmish")
    three = (killed("b2"), killed("b3"), killed("b4"))
    assert achieved(setup, rolled("a", 5), *three) == []
    assert achieved(setup, rolled("a", 5), *three, told("routed", fighter="b1")) == []
    assert achieved(setup, rolled("a", 5), *three, killed("b1")) == ["a"]


def test_a_six_copies_the_opponents_minor_objective_and_two_are_none():
    setup = battle("skirmish")
    assert achieved(setup, rolled("a", 6), rolled("b", 3), killed("b1")) == ["a"]
    assert achieved(setup, rolled("a", 6), rolled("b", 3), killed("b1"), killed("a1")) == ["a", "b"]
    assert achieved(setup, rolled("a", 6), rolled("b", 6), killed("b1"), killed("a1")) == []
    assert achieved(setup, rolled("a", 6), killed("b1")) == []


# Capture, Duel.


def test_capture_gives_five_to_who_controls_the_objective():
    held = told("objective", side="b", by=["b2", "b3"], how="held", what="the relic")
    sheet = fought(battle("capture"), killed("b4", "a1"), held)
    assert (lines(sheet, "a"), lines(sheet, "b")) == ([(1, "killed")], [(5, "objective")])
    assert outcomes(sheet) == [LOST, WON]
    assert of(sheet, "b").lines[0].sentence == "B2 has the relic (held)."


def test_capture_the_last_word_on_the_objective_counts():
    setup = battle("capture")
    sheet = fought(
        setup, told("objective", side="b", by=["b2"]), told("objective", side="a", by=["a2"])
    )
    assert (lines(sheet, "a"), lines(sheet, "b")) == ([(5, "objective")], [])
    sheet = fought(setup, told("objective", side="b", by=["b2"]), told("objective"))
    assert lines(sheet, "b") == []
    assert outcomes(sheet) == [DREW, DREW]


def test_capture_who_has_carried_the_objective_off_controls_it():
    left = told("left", fighter="b2", edge="own")
    sheet = fought(
        battle("capture"), left, told("objective", side="b", by=["b2"], how="carried-off")
    )
    assert lines(sheet, "b") == [(5, "objective")]


def test_duel_offences_cost_two_each_and_points_may_be_negative():
    offences = (
        told("duel_penalty", side="a", which="attack"),
        told("duel_penalty", side="a", which="ground"),
    )
    sheet = fought(battle("duel"), *offences)
    assert lines(sheet, "a") == [(-2, "offence"), (-2, "offence")]
    assert of(sheet, "a").victory_points == -4
    assert outcomes(sheet) == [LOST, WON]


# Defence, Escort.


def test_defence_goes_to_who_controls_the_objective_whatever_the_points():
    sheet = fought(battle("defence"), killed("b1", "a1"), told("objective", side="b", by=["b2"]))
    assert lines(sheet, "a") == [(4, "killed")]
    assert lines(sheet, "b") == []
    assert outcomes(sheet) == [LOST, WON]
    assert outcomes(fought(battle("defence"), told("objective", side="a", by=["a2"]))) == [
        WON,
        LOST,
    ]


def test_defence_that_nobody_controls_is_a_draw_or_the_defenders():
    assert outcomes(fought(battle("defence"), killed("b1", "a1"))) == [DREW, DREW]
    setup = battle("defence", settings={"defence_draw": "defender"})
    assert outcomes(fought(setup, killed("b1", "a1"))) == [LOST, WON]


def left(fighter: str, edge: str):
    return told("left", fighter=fighter, edge=edge)


def test_escort_scores_for_everybody_across_and_the_civilian():
    sheet = fought(
        battle("escort"),
        left("b2", "opposite"),
        left("b3", "own"),
        left("a1", "opposite"),
        told("civilian", civilian="civilian-1", outcome="escorted"),
        killed("b4", "a2"),
    )
    assert lines(sheet, "b") == [(3, "escorted"), (10, "civilian-escorted")]
    assert lines(sheet, "a") == [(1, "killed")]
    assert outcomes(sheet) == [LOST, WON]


def test_escort_the_attacker_scores_for_the_dead_and_the_civilian():
    sheet = fought(
        battle("escort"),
        killed("b1", "a1"),
        killed("civilian-1", "a2"),
        told("routed", fighter="b2"),
    )
    assert lines(sheet, "a") == [(4, "killed"), (10, "civilian-killed")]
    result = fought(
        battle("escort"), told("civilian", civilian="civilian-1", outcome="killed", by="a1")
    )
    assert lines(result, "a") == [(10, "civilian-killed")]
    assert outcomes(result) == [WON, LOST]


def test_escort_may_count_the_edge_it_set_out_from():
    setup = battle("escort", settings={"escort_edge": "own"})
    assert lines(fought(setup, left("b2", "opposite"), left("b3", "own")), "b") == [(2, "escorted")]


def test_escort_with_nobody_across_and_nobody_dead_is_a_draw():
    assert outcomes(fought(battle("escort"))) == [DREW, DREW]


# Hold the Bridge, Occupy.


def position(side: str, *fighters: str):
    return told("position", side=side, fighters=list(fighters))


@pytest.mark.parametrize(
    ("attackers", "defenders", "outcome"),
    [
        (["a1", "a4"], ["b1"], [WON, LOST]),
        (["a1"], ["b1"], [DREW, DREW]),
        (["a3"], ["b1"], [DREW, DREW]),
        (["a4"], ["b1"], [LOST, WON]),
        (["a4"], ["b3"], [DREW, DREW]),
        ([], ["b4"], [LOST, WON]),
        ([], [], [DREW, DREW]),
    ],
)
def test_the_bridge_is_held_with_more_than_twice_the_ranks(attackers, defenders, outcome):
    sheet = fought(battle("hold-the-bridge"), position("a", *attackers), position("b", *defenders))
    assert outcomes(sheet) == outcome


def test_bridge_counts_only_fighters_on_table():
    sheet = fought(
        battle("hold-the-bridge"),
        position("a", "a1", "a2"),
        killed("a1", "b1"),
        position("b", "b4"),
    )
    assert lines(sheet, "a") == [(3, "ground")]
    assert lines(sheet, "b") == [(1, "ground")]


def touching(side: str, *fighters: str):
    return told("touching", side=side, fighters=list(fighters))


def test_occupy_goes_to_the_highest_ranks_of_up_to_four_sides():
    setup = battle("occupy", (4, 3), (4, 2), (4, 1), (4, 1))
    sheet = fought(setup, touching("a", "a2"), touching("b", "b1", "b2"), touching("c", "c1"))
    assert [each.victory_points for each in sheet.sides] == [3, 6, 4, 0]
    assert outcomes(sheet) == [LOST, WON, LOST, LOST]
    assert sheet.verdict == "Victory for Basques: 6 victory points to 4, 3 and 0."


def test_one_victory_point_is_singular():
    sheet = fought(battle("occupy", (4, 1), (4, 1)), touching("a", "a2"))
    assert sheet.verdict == "Victory for Alsatians: 1 victory point to 0."


def test_verdict_lists_drawn_leaders_first():
    setup = battle("skirmish", (4, 3), (4, 3), (4, 3), (4, 3))
    agreed = {"a": 2, "b": 5, "c": 3, "d": 5}
    scored = [
        told("points", side=side, amount=amount, reason="Agreed.")
        for side, amount in agreed.items()
    ]
    assert (
        fought(setup, *scored).verdict
        == "A draw between Basques and Dragoons: 5 victory points each, to 3 and 2."
    )


def test_occupy_a_tie_goes_to_the_fewer_wounds_on_the_living():
    setup = battle("occupy", (4, 3), (4, 3), (4, 3))
    touched = [touching(key, f"{key}1") for key in "abc"]
    sheet = fought(setup, wound("a2", "light"), wound("b2", "stunned"), killed("c2"), *touched)
    assert outcomes(sheet) == [LOST, DREW, DREW]
    assert (
        sheet.verdict
        == "A draw between Basques and Catalans: 4 victory points each; wounds of the survivors decide."
    )
    assert outcomes(fought(setup, wound("a2", "light"), wound("b2", "grievous"), *touched)) == [
        LOST,
        LOST,
        WON,
    ]


def test_occupy_one_concession_of_three_does_not_end_the_others_contest():
    setup = battle("occupy", (4, 3), (4, 3), (4, 3))
    sheet = fought(setup, touching("a", "a1"), touching("b", "b2"), told("conceded", side="a"))
    assert outcomes(sheet) == [LOST, WON, LOST]


# Raid.


def civilian(number: int, outcome: str, **more):
    return told("civilian", civilian=f"civilian-{number}", outcome=outcome, **more)


def test_raid_scores_for_civilians_killed_taken_and_unharmed():
    setup = battle("raid", (4, 3), (4, 3, 2, 2, 2, 2, 2, 2, 2, 2))
    sheet = fought(
        setup, civilian(1, "killed", by="a1"), civilian(2, "taken", by="a2"), civilian(3, "harmed")
    )
    assert lines(sheet, "a") == [(1, "civilian-killed"), (5, "civilian-taken")]
    assert lines(sheet, "b") == [(2, "civilian-unharmed")]
    assert outcomes(sheet) == [WON, LOST]


def test_raid_has_a_civilian_for_every_25_points_of_the_defender_unless_told_otherwise():
    setup = battle("raid", (4, 3), (4, 3, 2))
    assert lines(fought(setup), "b") == [(2, "civilian-unharmed")] * 2
    assert lines(fought(replace(setup, set_up={"civilians": 1})), "b") == [(2, "civilian-unharmed")]


def test_raid_a_wounded_civilian_is_not_unharmed_and_a_killed_one_scores():
    setup = battle("raid", (4, 3), (4, 3, 2))
    sheet = fought(setup, wound("civilian-1", "light", "a1"), killed("civilian-2", "a2"))
    assert lines(sheet, "a") == [(1, "civilian-killed")]
    assert lines(sheet, "b") == []
    assert (
        lines(fought(setup, wound("civilian-1", "stunned", "a1")), "b")
        == [(2, "civilian-unharmed")] * 2
    )


def test_raid_counts_kills_only_by_house_rule():
    events = (killed("b3", "a1"), killed("a2", "b1"))
    assert lines(fought(battle("raid"), *events), "a") == []
    setup = battle("raid", settings={"raid_standard_points": True})
    assert lines(fought(setup, *events), "a") == [(2, "killed")]
    assert lines(fought(setup, *events), "b")[-1] == (3, "killed")


# Records.


def test_every_fielded_fighter_has_a_record():
    sheet = fought(
        battle("skirmish"),
        killed("a1", "b1"),
        told("routed", fighter="a2"),
        subdued("a3", "b2"),
        told("captured", fighter="a3", by="b2"),
        subdued("b4", "a4"),
        wound("b3", "light", "a4"),
        wound("b2", "stunned", "a4"),
        told("ended", turn=7, how="agreed"),
    )
    by_fighter = {each.fighter: each for side in sheet.sides for each in side.records}
    assert {key: (each.fate, each.survived, each.wounds) for key, each in by_fighter.items()} == {
        "a1": (Fate.DEAD, False, "critical"),
        "a2": (Fate.FIT, True, ""),
        "a3": (Fate.CAPTURED, False, "unconscious"),
        "a4": (Fate.FIT, True, ""),
        "b1": (Fate.FIT, True, ""),
        "b2": (Fate.FIT, True, "stunned"),
        "b3": (Fate.FIT, True, "light"),
        "b4": (Fate.FIT, True, "unconscious"),
    }
    assert by_fighter["a2"].routed
    assert by_fighter["a3"].captured
    assert of(sheet, "b").captives == ("a3",)
    assert sheet.turns == 7


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_an_empty_log_is_a_battle_without_losses(scenario: str):
    sheet = result(battle(scenario), ())
    assert all(record.survived for each in sheet.sides for record in each.records)
    assert sheet.turns is None


def test_a_thrown_rider_is_stunned_and_the_mount_earns_nothing():
    mounted = {"profile": "cardinals-guard/officer", "options": {"mount": ["horse"]}}
    first, second = battle("skirmish").sides
    fighters = (
        second.fighters[0],
        replace(second.fighters[1], build=mounted),
        *second.fighters[2:],
    )
    setup = replace(battle("skirmish"), sides=(first, replace(second, fighters=fighters)))
    sheet = fought(setup, wound("b2", "critical", "a1", on_mount=True, die=2))
    assert record(sheet, "b2").wounds == "stunned"
    assert of(sheet, "a").deeds == ()
    assert lines(sheet, "a") == []


def test_names_of_sides_are_used_for_the_fallen():
    lone = side("c", (4,))
    setup = replace(battle("occupy"), sides=(*battle("occupy").sides, lone))
    assert record(fought(setup, killed("c1", "a1")), "c1").killed_by == "A1 (Alsatians)"
    assert record(fought(setup, killed("c1", "a1")), "a1").killed_by == ""
