"""The data of Argad!: every ruling named is one, and what is Muster's own says so."""

import re
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

import rulebook.systems.argad as package
from rulebook.book.headings import Heading
from rulebook.systems.argad.book import HOUSE_RULES, VIOLATIONS, book, broken, read_data, settled

ID = re.compile(r"\bA-[GVSM]\d+\b")
HEADINGS = msgspec.convert(read_data("headings")["heading"], type=list[Heading])
RULINGS = read_data("rulings")["rulings"]
HERE = Path(package.__file__).parent


def test_every_ruling_that_code_and_data_name_is_one():
    for path in [*HERE.rglob("*.py"), *HERE.rglob("*.toml")]:
        assert set(ID.findall(path.read_text(encoding="utf-8"))) <= set(RULINGS), path


def test_every_house_rule_has_a_ruling_or_is_our_own():
    for rule in HOUSE_RULES.rules:
        assert rule.book == bool(ID.search(rule.source)), rule.key
        assert rule.book or rule.default in (False, 0) or "Only with Renown" in rule.help


def test_a_setting_has_its_default():
    assert settled({}).shot_effect == "out"
    assert settled({"shot_effect": "killed"}).shot_effect == "killed"


def test_every_weapon_has_a_length_or_a_suggestion():
    suggested = {rule.key for rule in HOUSE_RULES.rules if rule.key.startswith("length_")}
    for weapon in book().weapon.values():
        assert bool(weapon.length) != (weapon.length_rule in suggested)


@pytest.mark.parametrize("heading", HEADINGS, ids=lambda each: each.name)
def test_what_decides_a_heading_is_there(heading):
    assert heading.decided_by or heading.chapter == "Not in the sheet"
    for reference in heading.decided_by:
        module, _, name = f"rulebook.systems.argad.{reference}".rpartition(".")
        assert getattr(import_module(module), name).__doc__


def test_every_ruling_has_its_heading():
    assert {key for each in HEADINGS for key in each.rulings} == set(RULINGS)


def test_every_heading_that_the_code_names_is_one():
    texts = [path.read_text(encoding="utf-8") for path in HERE.rglob("*.py")]
    named = {
        name
        for text in texts
        for headings in re.findall(r"'Sheet: ([^']+)'", text)
        for name in re.findall('"(.+?)"', headings)
    }
    assert named <= {each.name for each in HEADINGS}
    assert len(named) > 5


def test_every_violation_of_the_data_is_one_that_the_code_finds():
    code = "".join(path.read_text(encoding="utf-8") for path in HERE.rglob("*.py"))
    ticks = {key for key, each in book().circumstance.items() if each.forbids}
    assert {key for key in VIOLATIONS.entries if f'"{key}"' not in code} <= ticks
    assert ticks <= set(VIOLATIONS.entries)


def test_every_sentence_of_a_violation_fills_in():
    kwargs = {
        "name": "Alf",
        "cm": 3,
        "gun": "Pistol",
        "turns": "1 turn",
        "clothing": "silk",
        "gone": "killed",
    }
    for key in VIOLATIONS.entries:
        (each,) = broken((True, key), **kwargs)
        assert each.sentence.endswith(".")
        assert each.rule
