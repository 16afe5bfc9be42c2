"""What befell somebody is told in the language of whoever reads it; terms of a rule book stay as they are."""

import pytest
from django.utils.translation import override

from core.ruleset_words import BEFELL, end_label, lost_parts
from rulebook.registry import newest_ruleset
from rulebook.systems.argad.book import GONE as ARGAD
from rulebook.systems.avant_garde.book import STATES
from rulebook.systems.avant_garde.state import GONE as AVANT_GARDE
from rulebook.systems.wards.book import GONE as WARDS
from rulebook.values.battles import Loss

STATES_OF_SYSTEMS = {
    "en-garde": ("", "critical"),
    "argad": ("", *ARGAD),
    "wards": ("", *WARDS),
    "avant-garde": ("", "shaken", "unhorsed", *AVANT_GARDE, *(each for each in STATES if each != "good")),
}


@pytest.mark.parametrize("key", STATES_OF_SYSTEMS)
def test_every_end_that_a_system_tells_in_everyday_words_is_known(key: str) -> None:
    rules = newest_ruleset(key)
    assert {rules.loss_phrase(each) for each in STATES_OF_SYSTEMS[key]} <= {*BEFELL}


@pytest.mark.parametrize("key", ["argad", "wards", "avant-garde"])
def test_every_harm_that_a_system_tells_in_everyday_words_is_known(key: str) -> None:
    rules = newest_ruleset(key)
    assert {rules.wound_phrase(each) for each in STATES_OF_SYSTEMS[key] if each} <= {*BEFELL}


def test_what_a_unit_has_lost_is_told_part_by_part() -> None:
    figures, colours = Loss("lost", "figures", "11", "24"), Loss("colours_lost", "its colours")
    assert lost_parts(()) == ""
    assert lost_parts((figures,)) == "11 of 24 figures lost"
    assert lost_parts((figures, colours)) == "11 of 24 figures lost, its colours lost"


def test_what_befell_somebody_is_told_in_german() -> None:
    with override("de"):
        assert [end_label(each) for each in ("killed", "out of action", "Light wound")] == [
            "getötet",
            "außer Gefecht",
            "Light wound",
        ]
        assert all(str(translated) != phrase for phrase, translated in BEFELL.items())
    assert end_label("out of action") == "out of action"
