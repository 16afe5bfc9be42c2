"""Fates are shown in the language of the reader; terms of a rulebook stay in English."""

import pytest
from django.utils.translation import override

from core import ruleset_words
from core.ruleset_words import BATTLE_FATES, end_label, lost_parts, translated_word
from rulebook.at_table.light_way import casualty_board
from rulebook.registry import RULESETS, newest_ruleset
from rulebook.ruleset import Ruleset
from rulebook.systems.argad.book import GONE as ARGAD
from rulebook.systems.avant_garde.book import STATES
from rulebook.systems.avant_garde.state import GONE as AVANT_GARDE
from rulebook.systems.wards.book import GONE as WARDS
from rulebook.values.battles import Loss

STATES_OF_SYSTEMS = {
    "en-garde": ("", "critical"),
    "argad": ("", *ARGAD),
    "wards": ("", *WARDS),
    "avant-garde": (
        "",
        "shaken",
        "unhorsed",
        *AVANT_GARDE,
        *(each for each in STATES if each != "good"),
    ),
}
"""States of the systems of the books; those of any other system are what its casualty board
offers."""


def states_of(rules: Ruleset) -> tuple[str, ...]:
    """Return the states in which a system says that somebody ended; "" is a fighter without a
    record.
    """
    board = casualty_board(rules.log)
    offered = (value for each in (board.results if board else ()) for value in each.given.values())
    return STATES_OF_SYSTEMS.get(
        rules.key, ("", *(each for each in offered if isinstance(each, str)))
    )


def words_for_ends(rules: Ruleset) -> set[str]:
    """Return the translated words for what happened to somebody: Muster's, and those of the
    system.
    """
    return {*BATTLE_FATES, *rules.translations.get("de", {})}


@pytest.mark.parametrize("key", RULESETS)
def test_every_end_that_a_system_tells_in_everyday_words_is_known(key: str) -> None:
    rules = newest_ruleset(key)
    assert {rules.loss_phrase(each) for each in states_of(rules)} <= words_for_ends(rules)


@pytest.mark.parametrize("key", [key for key in RULESETS if key != "en-garde"])
def test_every_harm_that_a_system_tells_in_everyday_words_is_known(key: str) -> None:
    """En Garde! names wounds with the terms of its book."""
    rules = newest_ruleset(key)
    assert {rules.wound_phrase(each) for each in states_of(rules) if each} <= words_for_ends(rules)


def test_system_brings_german_for_words_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = newest_ruleset("argad")
    monkeypatch.setattr(
        rules, "translations", {"de": {"driven off": "vertrieben", "killed": "nicht gefragt"}}
    )
    monkeypatch.setattr(ruleset_words, "_catalogue", ruleset_words._catalogue.__wrapped__)
    with override("de"):
        assert (end_label("driven off"), translated_word("driven off")) == (
            "vertrieben",
            "vertrieben",
        )
        assert end_label("killed") == "getötet"
    assert (end_label("driven off"), translated_word("driven off")) == ("driven off", "driven off")


def test_losses_of_a_unit_are_listed() -> None:
    figures, colours = Loss("lost", "figures", "11", "24"), Loss("colours_lost", "its colours")
    assert lost_parts(()) == ""
    assert lost_parts((figures,)) == "11 of 24 figures lost"
    assert lost_parts((figures, colours)) == "11 of 24 figures lost, its colours lost"


def test_fates_are_translated_into_german() -> None:
    with override("de"):
        assert [end_label(each) for each in ("killed", "out of action", "Light wound")] == [
            "getötet",
            "außer Gefecht",
            "Light wound",
        ]
        assert all(str(translated) != phrase for phrase, translated in BATTLE_FATES.items())
    assert end_label("out of action") == "out of action"
