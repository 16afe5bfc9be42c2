"""The house rules that rosters read are those that a campaign can set."""

from typing import get_args, get_type_hints

import msgspec

from rulebook.systems.en_garde.book.house_rules import house_rules
from rulebook.systems.en_garde.rosters.terms import RosterRules, roster_rules
from tests.rulebook.en_garde.rosters import terms

OFFERED = {rule.key: rule for rule in house_rules()}
READ = get_type_hints(RosterRules)


def test_every_house_rule_of_rosters_can_be_set_with_the_same_default():
    assert {key: OFFERED[key].default for key in READ} == msgspec.structs.asdict(RosterRules())


def test_every_choice_that_is_offered_is_understood():
    for key, hint in READ.items():
        assert {choice for choice, _ in OFFERED[key].choices} == set(get_args(hint))


def test_settings_of_other_parts_are_passed_over():
    assert roster_rules(terms("custom", riposte_dice="two", poison=True)) == RosterRules(poison=True)
