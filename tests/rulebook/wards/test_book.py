"""The data of Wards: every ruling named is one and has its test, and what is Muster's own says
so."""

import re
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

import rulebook.systems.wards as package
from rulebook.battle_log import steps
from rulebook.book.headings import Heading
from rulebook.ruleset import CampaignTerms, RulesError
from rulebook.systems.wards.book import (
    HOUSE_RULES,
    VIOLATIONS,
    book,
    broken,
    read_data,
    reference_tables,
)
from rulebook.systems.wards.log import KINDS, LOG
from rulebook.systems.wards.system import Wards
from tests.rulebook.wards.field import ARMY

ID = re.compile(r"\bW-[A-Z]\d+\b")
RULES = Wards()
HEADINGS = msgspec.convert(read_data("headings")["heading"], type=list[Heading])
RULINGS = read_data("rulings")["rulings"]
HERE = Path(package.__file__).parent
OUT = "Muster, not the sheet"


def named_in(text):
    """Return the headings that a source such as 'Sheet: "Fight D6", "Fight result"' names."""
    return set(re.findall('"(.+?)"', text))


def test_every_ruling_that_code_and_data_name_is_one():
    for path in [*HERE.rglob("*.py"), *HERE.rglob("*.toml")]:
        assert set(ID.findall(path.read_text(encoding="utf-8"))) <= set(RULINGS), path


def test_every_ruling_has_its_heading_and_its_test():
    assert {key for each in HEADINGS for key in each.rulings} == set(RULINGS)
    tests = (Path(__file__).parent / "test_rulings.py").read_text(encoding="utf-8")
    assert {f"W-{key.upper()}" for key in re.findall(r"def test_w_([a-z]\d+)_", tests)} == set(
        RULINGS
    )


def test_every_house_rule_has_a_ruling_or_is_our_own():
    for rule in HOUSE_RULES.rules:
        assert rule.book == bool(ID.search(rule.source)), rule.key
        assert rule.book or rule.default is False or "Only with Steadiness" in rule.help


@pytest.mark.parametrize("heading", HEADINGS, ids=lambda each: each.name)
def test_what_decides_a_heading_is_there(heading):
    assert heading.decided_by or heading.chapter == "Not in the source"
    for reference in heading.decided_by:
        module, _, name = f"rulebook.systems.wards.{reference}".rpartition(".")
        assert getattr(import_module(module), name).__doc__


def test_every_heading_that_code_and_data_name_is_one():
    texts = [
        path.read_text(encoding="utf-8") for path in (*HERE.rglob("*.py"), *HERE.rglob("*.toml"))
    ]
    named = {
        name
        for text in texts
        for headings in re.findall(r"'Sheet: ([^']+)'", text)
        for name in named_in(headings)
    }
    assert named - {"{rule}"} <= {each.name for each in HEADINGS}
    assert len(named) > 12


@pytest.mark.parametrize("key", list(ARMY))
def test_every_figure_of_a_card_names_its_heading_or_its_ruling(key):
    card = RULES.sheet(RULES.clean_build(ARMY[key], CampaignTerms("army")), CampaignTerms("army"))
    for each in card.characteristics:
        ruling = ID.search(each.source)
        assert (
            (ruling[0] in RULINGS)
            if ruling
            else named_in(each.source) <= {each.name for each in HEADINGS}
        )


def test_every_kind_of_event_names_its_rule():
    plain = {"turn", "loss", "ended"}
    for kind in KINDS:
        assert bool(kind.rule) != (kind.key in plain), kind.key
        assert kind.__doc__


def test_every_violation_of_the_data_is_one_that_the_code_finds_and_names_a_way_out():
    code = "".join(
        path.read_text(encoding="utf-8") for path in (*HERE.rglob("*.py"), Path(steps.__file__))
    )
    assert {key for key in VIOLATIONS.entries if f'"{key}"' not in code} == set()
    kwargs = {
        "name": "Van",
        "ward": "Van",
        "full": 3,
        "gone": "killed",
        "label": "Fight",
        "rule": 'Sheet: "Saves"',
        "active": "Reds",
        "have": 2,
    }
    for key in VIOLATIONS.entries:
        (each,) = broken((True, key), **kwargs, most=2)
        assert each.sentence.endswith(".")
        assert each.rule


def test_the_thirteen_steps_are_there_and_the_last_six_are_both_players():
    assert len(book().step) == 13
    assert [each.both for each in book().step.values()] == [False] * 7 + [True] * 6


def test_the_catalogue_says_what_the_sheet_says_and_what_it_does_not():
    catalogue = RULES.catalogue({})
    assert [each["key"] for each in catalogue["factions"]] == ["army"]
    assert {each["chapter"] for each in catalogue["headings"]} >= {"Fights", "Not in the source"}
    assert any(each["house_rule"] == "full_load" for each in catalogue["rulings"])
    with pytest.raises(RulesError):
        RULES.catalogue({"luck": True})


def test_it_knows_neither_points_nor_ranks_and_experience_by_house_rule_alone():
    shown = RULES.visible_numbers({})
    assert not (shown.points or shown.ranks or shown.experience or shown.victory_points)
    assert RULES.visible_numbers({"steadiness": True}).experience


def test_the_tables_of_the_reference_show_the_figures_of_the_sheet():
    by_anchor = {table.anchor: dict(row[:2] for row in table.rows) for table in reference_tables()}
    assert by_anchor["fight"]["A Ward on foot"] == "+3"
    assert by_anchor["fight"]["Each Levy"] == "-1, 3 at most"
    assert by_anchor["morale-dice"]["A die fails on"] == "4+"
    assert by_anchor["units"] | {"A General": ""} == {
        "Levy": "5+",
        "Retinue": "4+",
        "Household": "3+",
        "Guns": "3+",
        "A General": "",
        "A General who leads from the front": "3+",
    }
    cells = [cell for table in reference_tables() for row in table.rows for cell in row]
    assert not [cell for cell in cells if "{" in cell or not cell]


def test_nothing_is_measured():
    """Zones, faces, hills and scenery are ticked as the players see them: no event asks for a
    length."""
    kinds = {field.kind for kind in LOG.forms() for field in kind.fields}
    assert "length" not in kinds
    assert {"flag", "choice", "group"} <= kinds
