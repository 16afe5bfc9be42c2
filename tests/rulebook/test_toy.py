"""The toy in both forms holds to what every rule system has to hold to, and stays as small as its
promise."""

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import astuple

from rulebook.battle_log.play import replay
from rulebook.ruleset import BattleSetup, CampaignTerms, FieldedFighter, FieldedSide, Ruleset
from tests.rulebook.conformance import (
    check_battle,
    check_builds,
    check_double_entries,
    check_reference,
    check_table,
    random_play,
)
from tests.toy.ruleset import PlainToy, RankedToy

FORMS = pytest.mark.parametrize("rules", [PlainToy(), RankedToy()], ids=["plain", "ranked"])
TOY = Path(__file__).parents[1] / "toy"


def setup(rules: Ruleset) -> BattleSetup:
    """Return a battle of three against three, one of them weak from the last battle."""
    return BattleSetup(
        "brawl", (_side(rules, "red", "Anna Berta Clara"), _side(rules, "blue", "Xaver Yves Zeno"))
    )


def _side(rules: Ruleset, key: str, names: str) -> FieldedSide:
    fighters = []
    for name, profile in zip(names.split(), ("recruit", "veteran", "captain"), strict=True):
        build = rules.clean_build({"profile": profile, "options": ["sword"]}, CampaignTerms("reds"))
        facts = rules.fighter_facts(build, CampaignTerms("reds"))
        condition = {"strength": 2} if name == "Zeno" else {}
        fighters.append(
            FieldedFighter(name.lower(), name, build, facts.rank, facts.points, condition=condition)
        )
    return FieldedSide(key, key.capitalize(), "side", f"{key}s", tuple(fighters))


@FORMS
def test_reference_and_builds_conform(rules: Ruleset) -> None:
    check_reference(rules)
    check_builds(rules, setup(rules))


@FORMS
@pytest.mark.parametrize("seed", range(6))
def test_random_legal_play_conforms(rules: Ruleset, seed: int) -> None:
    field = setup(rules)
    events = random_play(rules, field, Random(seed), 30)
    assert len(events) > 20
    assert any(event.dice for event in events)
    check_battle(rules, field, events)
    check_table(rules, replay(rules.log, field, events))


@FORMS
def test_nobody_ends_twice(rules: Ruleset) -> None:
    field = setup(rules)
    assert (
        check_double_entries(rules, field, random_play(rules, field, Random(7), 30), Random(7)) > 5
    )


def test_both_forms_together_stay_under_500_lines() -> None:
    assert (
        sum(len(path.read_text(encoding="utf-8").splitlines()) for path in TOY.glob("*.py")) < 500
    )


def test_only_one_form_knows_points_ranks_and_experience() -> None:
    assert not any(astuple(PlainToy().visible_numbers({})))
    assert all(astuple(RankedToy().visible_numbers({})))
