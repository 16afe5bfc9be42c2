"""The rule systems answer today what they answered when the playthroughs were written: `make playthroughs`."""

from difflib import unified_diff
from itertools import islice

import pytest

from rulebook.registry import newest_ruleset
from tests.playthroughs.corpus import FOLDER, SYSTEMS, playthroughs, text_of
from tests.playthroughs.logs import read_log

PLAYTHROUGHS = playthroughs()
SHOWN = 60
"""So many lines of a difference are shown."""


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_a_playthrough_is_what_was_written_down(name: str) -> None:
    kept = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    now = text_of(PLAYTHROUGHS[name]).splitlines()
    if now != kept:
        changes = islice(unified_diff(kept, now, "kept", "now", n=2, lineterm=""), SHOWN)
        pytest.fail("\n".join([f"{name}; if that is meant: make playthroughs", *changes]), pytrace=False)


def test_no_playthrough_is_left_over() -> None:
    assert {path.relative_to(FOLDER).as_posix() for path in FOLDER.glob("*/**/*.txt")} == set(PLAYTHROUGHS)


def test_systems_of_the_books_have_playthroughs() -> None:
    assert {"en-garde", "argad", "wards", "avant-garde"} <= set(SYSTEMS)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_scenario_has_a_playthrough(system: str) -> None:
    played = {read_log(path).setup.scenario for path in (FOLDER / system / "logs").glob("*.json")}
    assert played == {scenario.key for scenario in newest_ruleset(system).scenarios()}
