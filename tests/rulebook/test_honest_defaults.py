"""A rule system that answers the core alone has no points, no ranks, no set-up, no secrets and
nothing to ask."""

from random import Random
from typing import Any, cast

import pytest

from rulebook.ruleset import (
    BattleSetup,
    Calculators,
    CampaignTerms,
    Deed,
    Fate,
    Points,
    Progression,
    Record,
    Roster,
    RulesError,
    Ruleset,
    Secrets,
    SetUp,
    Tally,
    VisibleNumbers,
)

PLAIN = type("Plain", (Ruleset,), {name: lambda *args: {} for name in Ruleset.__abstractmethods__})
SETUP = BattleSetup("brawl", (), set_up={"weather": "fair"})
TERMS = CampaignTerms("reds")


def test_a_system_that_leaves_a_question_of_the_core_open_cannot_be_made() -> None:
    with pytest.raises(TypeError, match="abstract"):
        cast("Any", Ruleset)()


def test_a_plain_system_shows_no_points_no_experience_and_no_ranks() -> None:
    rules: Ruleset = PLAIN()
    assert rules.visible_numbers({}) == VisibleNumbers(
        points=False, experience=False, ranks=False, victory_points=False
    )
    assert (rules.posts(TERMS), rules.groups(Roster(TERMS, ())), rules.bystanders(SETUP)) == (
        (),
        (),
        (),
    )
    assert (rules.reference({}).lists, rules.reference({}).tables) == ((), ())
    assert rules.post_problem("leader", {}, TERMS) is None
    assert rules.default_posts(Roster(TERMS, (), {"captain": ("a",)})) == {"captain": ("a",)}
    assert (
        rules.wound_phrase("out-of-action"),
        rules.deed_phrase(Deed("a", "wound", 0, victim_name="Tom")),
    ) == (
        "out of action",
        "wound Tom",
    )


def test_what_a_plain_system_cannot_sell_is_refused() -> None:
    rules: Ruleset = PLAIN()
    assert rules.clean_extras({}, TERMS) == {}
    with pytest.raises(RulesError) as refused:
        rules.clean_extras({"banner": True}, TERMS)
    assert [problem.code for problem in refused.value.problems] == ["unknown-extra"]


def test_without_progression_nobody_earns_rises_or_recovers() -> None:
    record = Record("a", 0, Fate.DEAD)
    assert Progression().awards((record,), (), {}) == ()
    assert Progression().fate_after(record, {}) == (Fate.DEAD, 0)
    assert Progression().recovery_dice((record,), {}) == ()
    assert Progression().rank_up_cost({}, TERMS) is None
    with pytest.raises(RulesError, match="no step"):
        Progression().take_rank_up({}, TERMS, "captain", {})


def test_without_points_set_up_or_secrets_nothing_is_limited_rolled_or_hidden() -> None:
    assert Points().battle_limit(300, {}) is None
    assert SetUp().roll(SETUP, Random(1)) == {"weather": "fair"}
    assert (SetUp().fields(SETUP), SetUp().lines(SETUP)) == ((), ())
    assert Secrets().private_roll(SETUP, "a", Random(1)) is None


def test_without_calculators_every_question_is_unknown() -> None:
    assert Calculators().all() == ()
    for ask in (
        lambda: Calculators().ask("odds", {}),
        lambda: Calculators().odds_in_battle("odds", cast("Any", None), "a", "b", {}),
    ):
        with pytest.raises(RulesError, match="no calculator"):
            ask()


def test_a_plain_system_prints_no_columns_ticks_nothing_and_counts_deeds_by_their_kind_or_result() -> (
    None
):
    rules: Ruleset = PLAIN()
    assert (rules.columns, rules.tallies, rules.tick_boxes({}, TERMS)) == ((), (), ())
    assert (rules.roster_boxes(Roster(TERMS, ())), rules.roster_tables(Roster(TERMS, ()))) == (
        (),
        (),
    )
    rules.tallies = (Tally("charge", "Charges won", "C", "charge", "charges"),)
    assert (
        rules.tallied(Deed("a", "charge", 0))
        == rules.tallied(Deed("a", "fight", 0, result="charge"))
        == ("charge",)
    )
    assert rules.tallied(Deed("a", "charge", 0, friendly=True)) == ()
