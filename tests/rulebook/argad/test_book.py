"""The data of Argad!: every ruling named is one, and what is Muster's own says so."""

import re
from pathlib import Path

import rulebook.systems.argad as package
from rulebook.systems.argad.book import book, house_rules, rulings, setting

ID = re.compile(r"\bA-[GVSM]\d+\b")
HERE = Path(package.__file__).parent


def test_every_ruling_that_code_and_data_name_is_one():
    for path in [*HERE.rglob("*.py"), *HERE.rglob("*.toml")]:
        assert set(ID.findall(path.read_text(encoding="utf-8"))) <= set(rulings()), path


def test_every_house_rule_has_a_ruling_or_is_our_own():
    for rule in house_rules():
        assert rule.book == bool(ID.search(rule.source)), rule.key
        assert rule.book or rule.default in (False, 0) or "Only where Renown" in rule.help


def test_a_setting_has_its_default():
    assert setting({}, "shot_effect") == "out"
    assert setting({"shot_effect": "killed"}, "shot_effect") == "killed"


def test_every_weapon_has_a_length_or_a_suggestion():
    suggested = {rule.key for rule in house_rules() if rule.key.startswith("length_")}
    for weapon in book().weapon.values():
        assert bool(weapon.length) != (weapon.length_rule in suggested)
