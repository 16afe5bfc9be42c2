"""Sentences about deeds of fighters and what happened to them."""

import pytest

from rulebook.ruleset import Deed
from rulebook.systems.en_garde.experience.awards import deed_phrase, wound_phrase


@pytest.mark.parametrize(
    ("deed", "words"),
    [
        (
            Deed("x", "wound", 2, victim_name="Otto", victim_rank=3, result="light"),
            "dealt Otto (Rank 3) a Light wound",
        ),
        (
            Deed("x", "wound", 2, victim_name="Otto", killed=True, means="great-sword"),
            "killed Otto (Rank 0) (great sword)",
        ),
        (
            Deed("x", "wound", 1, victim_name="Jill", friendly=True),
            "dealt Jill (Rank 0) a wound, a comrade",
        ),
        (Deed("x", "captive", 2, victim_name="Otto", victim_rank=1), "took Otto (Rank 1) captive"),
        (Deed("x", "banner", 2), "took a banner"),
        (Deed("x", "objective", 2), "gained the objective"),
    ],
)
def test_deed_phrases(deed: Deed, words: str) -> None:
    assert deed_phrase(deed) == words


def test_wound_phrases() -> None:
    assert [wound_phrase(each) for each in ("", "grievous", "unconscious")] == [
        "",
        "Grievous wound",
        "knocked unconscious",
    ]
