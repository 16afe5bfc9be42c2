"""Texts of users are never read as sentences or labels of a rule system."""

import pytest
from django.utils.translation import override

from core.ruleset_words import WrittenText, rules_text
from core.templatetags.rule_texts import in_reader_language, language_of_rules


@pytest.mark.parametrize("read", [rules_text, in_reader_language])
def test_text_of_a_user_is_not_translated(read: object) -> None:
    with override("de"):
        assert callable(read)
        assert read("Destroyed") == "Vernichtet"
        assert read(WrittenText("Destroyed")) == "Destroyed"


def test_text_of_a_user_is_not_marked_as_english() -> None:
    with override("de"):
        assert language_of_rules("A sentence that nobody translated") == ' lang="en"'
        assert language_of_rules(WrittenText("A sentence that nobody translated")) == ""
