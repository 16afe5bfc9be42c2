"""The setup as text: values that can be typed in, the origin of each part, and a side's guns."""

import re
from random import Random

import pytest

from rulebook.ruleset import BattleSetup, FieldedSide
from rulebook.systems.en_garde.book.scenarios import find_scenario, scenarios
from rulebook.systems.en_garde.rosters.extras import side_assets
from rulebook.systems.en_garde.table.set_up_forms import (
    deployment_in_words,
    given_lines,
    laid_table,
    set_up_fields,
    set_up_lines,
)
from tests.rulebook.en_garde.turns.tables import SWORDS, man, side

ROLES = {
    scenario.key: [role.key for role in scenario.roles for _ in range(role.least)]
    for scenario in scenarios()
}


def setup_for(scenario: str, **typed: object) -> BattleSetup:
    first, second = ROLES[scenario][:2]
    sides = tuple(
        FieldedSide(each.key, each.name, role, each.faction, each.fighters)
        for each, role in zip(SWORDS.sides, (first, second), strict=True)
    )
    return BattleSetup(scenario, sides, {}, typed, points_limit=200)


@pytest.mark.parametrize("scenario", sorted(ROLES))
def test_paper_says_how_a_scenario_is_set_up(scenario: str) -> None:
    facts, lines = find_scenario(scenario), given_lines(scenario)
    placed = [line.value for line in lines if line.label == "Deployment"]
    assert placed == [deployment_in_words(facts, key) for key in facts.deployment] != []
    rolled = [line.value for line in lines if line.how == "1D6"]
    assert len(rolled) == (6 if scenario == "skirmish" else 0)


@pytest.mark.parametrize("scenario", sorted(ROLES))
def test_whatever_is_asked_can_be_typed_in(scenario: str) -> None:
    for field in set_up_fields(setup_for(scenario)):
        if field.kind == "choice":
            for key, _ in field.choices:
                assert (
                    laid_table(setup_for(scenario, **{field.key: key}), Random(1))[field.key] == key
                )
    numbers = {"large": 2, "small": 1}
    assert laid_table(setup_for(scenario, terrain=numbers), Random(1))["terrain"] == {
        "total": 3,
        **numbers,
    }


@pytest.mark.parametrize("scenario", sorted(ROLES))
def test_rolled_setup_lines_name_their_rules(scenario: str) -> None:
    rolled = {**laid_table(setup_for(scenario), Random(3)), "typed": ["weather"]}
    lines = set_up_lines(BattleSetup(scenario, SWORDS.sides, {}, rolled))
    by_label = {line.label: line for line in lines}
    assert {"Playing area", "Location", "Terrain pieces", "Weather", "Time of day"} <= set(by_label)
    assert by_label["Weather"].how == "typed in" and by_label["Time of day"].how.startswith(
        "rolled "
    )
    assert all(line.rule and line.value for line in lines)


@pytest.mark.parametrize(
    ("scenario", "inches", "words"),
    [
        ("skirmish", {"2"}, "opposite edges"),
        ("duel", {"12", "6"}, "outside"),
        ("defence", {"12", "8"}, "the edge that the Defender chooses"),
        ("escort", {"15", "1"}, "a long edge"),
        ("hold-the-bridge", set[str](), "The Defender anywhere"),
        ("occupy", {"6"}, "not within"),
        ("raid", {"2"}, "The Defender anywhere"),
    ],
)
def test_deployment_text_has_its_distances(scenario: str, inches: set[str], words: str) -> None:
    facts = find_scenario(scenario)
    text = deployment_in_words(facts, facts.deployment[0])
    assert set(re.findall(r"(\d+)″", text)) == inches
    assert words in text
    rolled = laid_table(setup_for(scenario, deployment=facts.deployment[0]), Random(3))
    assert text in [
        line.value for line in set_up_lines(BattleSetup(scenario, SWORDS.sides, {}, rolled))
    ]


def test_setup_lines_are_empty_before_setup() -> None:
    assert set_up_lines(setup_for("skirmish", weather="rain")) == ()


def test_a_length_is_asked_for_only_where_it_is_rolled() -> None:
    by_scenario = {
        scenario: "turns" in {field.key for field in set_up_fields(setup_for(scenario))}
        for scenario in ROLES
    }
    assert by_scenario["skirmish"] and not by_scenario["capture"]


def test_a_gun_names_who_serves_it() -> None:
    guard = man("guard", "cardinals-guard/guard", 2)
    guns = [
        {"gun": "swivel-gun", "crew": ["guard", "gone"]},
        {"gun": "swivel-gun", "crew": ["gone"]},
        "swivel-gun",
    ]
    setup = BattleSetup(
        "skirmish", (side("a", "cardinals-guard", guard, extras={"ordnance": guns}),)
    )
    assert [line.value for line in side_assets(setup)["a"]] == [
        "served by GUARD", "its crew is not here", "served by anybody",
    ]  # fmt: skip
