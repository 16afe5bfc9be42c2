"""The headings of the rulebook: each is listed and decided by an existing function, and every
ruling has its place."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from rulebook.book.headings import headings_json, rulings_json
from rulebook.systems.en_garde.book.house_rules import HEADINGS, HOUSE_RULES
from rulebook.systems.en_garde.calculators.registry import questions

PACKAGE = Path(__file__).parent.parent.parent.parent / "rulebook" / "systems" / "en_garde"
NAMES = {name.lower() for each in HEADINGS.heading for name in (each.name, *each.also)}
ID = re.compile(r"\b[DPBSCX]\d+\b")


@pytest.mark.parametrize("heading", HEADINGS.heading, ids=lambda each: each.name)
def test_what_decides_a_heading_is_there(heading):
    assert heading.decided_by
    for reference in heading.decided_by:
        module, _, name = f"rulebook.systems.en_garde.{reference}".rpartition(".")
        target = getattr(import_module(module), name, None) or import_module(f"{module}.{name}")
        assert target.__doc__ or not callable(target)


def test_every_ruling_has_a_heading_or_a_reason_to_have_none():
    placed = {key for each in HEADINGS.heading for key in each.rulings}
    assert placed | set(HEADINGS.not_applicable) == set(HEADINGS.rulings)
    assert not placed & set(HEADINGS.not_applicable)
    counts = {
        letter: sum(key.startswith(letter) for key in HEADINGS.rulings) for letter in "DPBSCX"
    }
    assert counts == {"D": 23, "P": 31, "B": 41, "S": 16, "C": 19, "X": 21}


def test_names_of_headings_are_told_apart():
    names = [name.lower() for each in HEADINGS.heading for name in (each.name, *each.also)]
    assert len(names) == len(set(names))


def named_in_code() -> set[str]:
    """Return every heading that the code names as a rule, as in 'Rule book: "Move", "Terrain"'."""
    texts = [path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")]
    headings = [
        each
        for text in texts
        for each in re.findall(r"'Rule book: ((?:\"[^\"'{]+\"(?:, )?)+)'", text)
    ]
    return {name for each in headings for name in re.findall(r'"([^"]+)"', each)}


def test_every_heading_that_the_code_names_is_one():
    assert len(named_in_code()) > 40
    assert {name for name in named_in_code() if name.lower() not in NAMES} == set()


def test_every_ruling_that_the_code_names_is_one():
    for path in PACKAGE.rglob("*.py"):
        citations = re.findall(
            r"Rulings? ([DPBSCX]\d+(?:(?:, | and | to )[DPBSCX]\d+)*)",
            path.read_text(encoding="utf-8"),
        )
        assert {key for each in citations for key in ID.findall(each)} <= set(HEADINGS.rulings), (
            path
        )


def test_every_calculator_leads_to_a_heading():
    for question in questions("numbers"):
        name = re.findall(r'"([^"]+)"', question.calculator.source)[0]
        assert name.lower() in NAMES


def test_rulings_name_their_house_rules():
    house_rules = {
        each["house_rule"] for each in rulings_json(HEADINGS.rulings, HOUSE_RULES.rules)
    } - {""}
    of_rulings = {rule.key for rule in HOUSE_RULES.rules if ID.search(rule.source)}
    assert house_rules <= of_rulings
    assert {"riposte_dice", "stun_penalty", "promotion_price"} <= house_rules


def test_headings_json_omits_code():
    assert set(headings_json(HEADINGS.heading)[0]) == {"name", "chapter", "says", "rulings", "also"}
