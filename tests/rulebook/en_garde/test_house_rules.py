"""House rules: well-formed, each with one legal default, and strict about what they are given."""

from typing import get_args, get_type_hints

import pytest

from rulebook.ruleset import HouseRule, RulesError
from rulebook.systems.en_garde.book.house_rules import HOUSE_RULES, HouseRules, settled
from rulebook.values.fields import takes

RULES = pytest.mark.parametrize("rule", HOUSE_RULES.rules, ids=lambda rule: rule.key)
TYPES = get_type_hints(HouseRules)


@RULES
def test_each_house_rule_is_explained_and_allows_its_default(rule: HouseRule):
    assert rule.label
    assert rule.help.endswith((".", "?"))
    assert rule.source
    assert takes(rule, rule.default)


@RULES
def test_each_kind_of_house_rule_has_what_a_form_needs(rule: HouseRule):
    assert rule.kind in {"choice", "flag", "number"}
    assert (len(rule.choices) > 1) == (rule.kind == "choice")
    assert (rule.least is not None and rule.most is not None) == (rule.kind == "number")


@RULES
def test_what_can_be_chosen_is_what_the_rules_know(rule: HouseRule):
    assert [key for key, _ in rule.choices] == [*get_args(TYPES[rule.key])]


def test_every_house_rule_is_asked_once_and_every_rule_of_muster_is_marked_as_its_own():
    assert [rule.key for rule in HOUSE_RULES.rules] == [*HouseRules.__struct_fields__]
    assert {rule.key for rule in HOUSE_RULES.rules if not rule.book} == {
        "legality",
        "dice",
        "concession",
    }


def test_settings_are_completed_with_the_defaults():
    assert HOUSE_RULES.complete({"captives": "held"}) == HouseRules(captives="held")
    assert settled({}) == HouseRules()
    assert settled({}).below_quarter_morale == 3


def test_what_was_settled_once_is_the_same_thing_again():
    assert settled({"captives": "held"}) is settled({"captives": "held"})


def test_settings_that_are_none_of_the_systems_are_passed_over_where_they_are_only_read():
    assert settled({"poison": True, "weather": "fair"}) == HouseRules(poison=True)


def test_everything_wrong_with_settings_is_named_at_once():
    wrong = {
        "captivs": "held",
        "captives": "eaten",
        "third_stun_counts": 1,
        "below_quarter_morale": True,
    }
    with pytest.raises(RulesError) as refused:
        HOUSE_RULES.complete(wrong)
    assert [(problem.code, problem.field) for problem in refused.value.problems] == [
        ("unknown-house-rule", "captivs"),
        ("wrong-house-rule-value", "captives"),
        ("wrong-house-rule-value", "third_stun_counts"),
        ("wrong-house-rule-value", "below_quarter_morale"),
    ]
    assert "'eaten'" in str(refused.value)
    assert "miss-next, return, held" in str(refused.value)


@pytest.mark.parametrize("value", [1, 4, "3", None, 2.5, [], {}])
def test_a_number_outside_its_bounds_is_refused(value: object):
    with pytest.raises(RulesError, match="from 2 to 3"):
        HOUSE_RULES.complete({"below_quarter_morale": value})


@pytest.mark.parametrize("value", ["3", None, 2.5, [], {}])
def test_stored_settings_of_the_wrong_type_are_refused_too(value: object):
    with pytest.raises(RulesError, match="cannot be read") as refused:
        settled({"below_quarter_morale": value})
    assert refused.value.problems[0].code == "bad-setting"


def test_a_flag_is_told_apart_from_a_number_however_often_it_was_read():
    assert settled({"poison": True}).poison
    with pytest.raises(RulesError, match="Expected `bool`"):
        settled({"poison": 1})
