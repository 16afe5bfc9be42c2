"""The data of Avant-garde: every ruling and heading that is named is one, and the document says
what the data says."""

import re
from importlib import import_module
from pathlib import Path

import pytest

import rulebook.systems.avant_garde as package
from rulebook.book.headings import read_headings
from rulebook.systems.avant_garde.book import DATA, HOUSE_RULES, HouseRules

ID = re.compile(r"\bN-[A-Z]\d+\b")
TOLD = read_headings(DATA)
HEADINGS, RULINGS = TOLD.heading, TOLD.rulings
HERE = Path(package.__file__).parent
FILES = [*HERE.rglob("*.py"), *HERE.rglob("*.toml")]
OUT = "Muster, not the text"


def test_every_ruling_that_code_and_data_name_is_one():
    for path in FILES:
        assert set(ID.findall(path.read_text(encoding="utf-8"))) <= set(RULINGS), path


def test_every_ruling_has_its_heading():
    assert {key for each in HEADINGS for key in each.rulings} == set(RULINGS)


def test_every_ruling_has_a_test():
    here = Path(__file__)
    tests = (
        path
        for path in (*here.parent.glob("test_*.py"), *here.parent.glob("data/*.txt"))
        if path != here
    )
    named = {key for path in tests for key in ID.findall(path.read_text(encoding="utf-8"))}
    assert set(RULINGS) <= named


def test_every_heading_that_code_and_data_name_is_one():
    texts = (path.read_text(encoding="utf-8") for path in FILES)
    named = {
        name
        for text in texts
        for name in re.findall(r'Slides? [0-9, and]*: "([^"]+)"', " ".join(text.split()))
    }
    assert named <= {name for each in HEADINGS for name in (each.name, *each.also)}
    assert len(named) > 30


@pytest.mark.parametrize("heading", HEADINGS, ids=lambda each: each.name)
def test_what_decides_a_heading_is_there(heading):
    assert heading.decided_by or heading.chapter == "Not in the source"
    for reference in heading.decided_by:
        module, _, name = f"rulebook.systems.avant_garde.{reference}".rpartition(".")
        assert getattr(import_module(module), name).__doc__, reference


def test_every_house_rule_is_one_of_the_structure_and_has_its_source():
    assert {rule.key for rule in HOUSE_RULES.rules} == set(HouseRules.__struct_fields__)
    for rule in HOUSE_RULES.rules:
        named = {name for each in HEADINGS for name in (each.name, *each.also)}
        assert rule.book == (bool(ID.search(rule.source)) or rule.source in named), rule.key
