"""En Garde! as a rule system: found in the registry, complete, and the same in and out as JSON."""

from random import Random

import msgspec
import pytest

from rulebook.registry import find_ruleset, newest_ruleset, rulesets
from rulebook.ruleset import (
    BattleResult,
    Calculators,
    Points,
    Progression,
    RulesError,
    Secrets,
    SetUp,
)
from rulebook.systems.en_garde.classic import ClassicFormat
from scripts.demo.referees.quick_result import quick_result
from tests.plays import result
from tests.rulebook.en_garde.battlefield import battle

EN_GARDE = newest_ruleset("en-garde")


def test_en_garde_is_registered_in_its_edition():
    assert find_ruleset("en-garde", EN_GARDE.edition) is EN_GARDE
    assert EN_GARDE in rulesets()
    with pytest.raises(RulesError, match="no edition '0'"):
        find_ruleset("en-garde", "0")
    with pytest.raises(RulesError, match="no rule system 'chess'"):
        newest_ruleset("chess")


ABILITIES = {
    "points": Points,
    "progression": Progression,
    "set_up": SetUp,
    "secrets": Secrets,
    "calculators": Calculators,
    "classic": ClassicFormat,
}


TRUE_BY_DEFAULT = {"clears_experience", "counts_steps", "laid_out"}
"""Abilities that are true of En Garde! by default."""


@pytest.mark.parametrize(("ability", "kind"), ABILITIES.items())
def test_every_ability_is_there_and_answers_for_itself(ability: str, kind: type):
    answered = getattr(EN_GARDE, ability)
    assert isinstance(answered, kind)
    own = set(vars(kind)) if kind is ClassicFormat else set(vars(type(answered)))
    assert own >= {name for name in vars(kind) if not name.startswith("_")} - TRUE_BY_DEFAULT


def test_the_catalogue_is_json_with_scenarios_and_house_rules_in_it():
    catalogue = EN_GARDE.catalogue({})
    assert [scenario["key"] for scenario in catalogue["scenarios"]] == [
        each.key for each in EN_GARDE.scenarios()
    ]
    assert [rule["key"] for rule in catalogue["house_rules"]] == [
        each.key for each in EN_GARDE.house_rules()
    ]
    assert {"factions", "weapons", "armour", "mounts", "attributes"} <= set(catalogue)
    assert set(msgspec.json.decode(msgspec.json.encode(catalogue))) == set(catalogue)


def test_the_catalogue_refuses_a_setting_that_no_house_rule_has():
    with pytest.raises(RulesError, match="captivs"):
        EN_GARDE.catalogue({"captivs": "held"})


def test_a_result_sheet_survives_being_written_as_json():
    setup = battle("raid")
    sheet = result(EN_GARDE, setup, quick_result(setup, Random(3)))
    assert msgspec.json.decode(msgspec.json.encode(sheet), type=BattleResult) == sheet
