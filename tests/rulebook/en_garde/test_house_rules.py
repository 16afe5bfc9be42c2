"""House rules: well-formed, with legal defaults, and strict about what they are given."""

import pytest

from rulebook.ruleset import HouseRule, RulesError
from rulebook.systems.en_garde.book.house_rules import allows, complete_settings, defaults, house_rules, setting

RULES = pytest.mark.parametrize("rule", house_rules(), ids=lambda rule: rule.key)


@RULES
def test_each_house_rule_is_explained_and_allows_its_default(rule: HouseRule):
    assert rule.label
    assert rule.help.endswith((".", "?"))
    assert rule.source
    assert allows(rule, rule.default)


@RULES
def test_each_kind_of_house_rule_has_what_a_form_needs(rule: HouseRule):
    assert rule.kind in {"choice", "flag", "number"}
    assert (len(rule.choices) > 1) == (rule.kind == "choice")
    assert (rule.least is not None and rule.most is not None) == (rule.kind == "number")


def test_keys_are_unique_and_every_rule_of_muster_is_marked_as_its_own():
    keys = [rule.key for rule in house_rules()]
    assert len(set(keys)) == len(keys)
    assert {rule.key for rule in house_rules() if not rule.book} == {"legality", "dice", "concession"}


def test_settings_are_completed_with_the_defaults():
    settings = complete_settings({"captives": "held"})
    assert settings == {**defaults(), "captives": "held"}
    assert setting({}, "below_quarter_morale") == 3


def test_everything_wrong_with_settings_is_named_at_once():
    wrong = {"captivs": "held", "captives": "eaten", "third_stun_counts": 1, "below_quarter_morale": True}
    with pytest.raises(RulesError) as errors:
        complete_settings(wrong)
    assert [(problem.code, problem.field) for problem in errors.value.problems] == [
        ("unknown-house-rule", "captivs"),
        ("wrong-house-rule-value", "captives"),
        ("wrong-house-rule-value", "third_stun_counts"),
        ("wrong-house-rule-value", "below_quarter_morale"),
    ]
    assert "'eaten'" in str(errors.value)
    assert "miss-next, return, held" in str(errors.value)


@pytest.mark.parametrize("value", [1, 4, "3", None, 2.5])
def test_a_number_outside_its_bounds_is_refused(value: object):
    with pytest.raises(RulesError, match="from 2 to 3"):
        complete_settings({"below_quarter_morale": value})
