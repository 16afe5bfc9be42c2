"""The rule systems answer today what they answered when the playthroughs were written: `make
playthroughs`."""

from difflib import unified_diff
from itertools import islice, pairwise

import pytest

from rulebook.registry import newest_ruleset
from tests.playthroughs.condensed import SCENARIO, SCENARIO_LINES, condensed
from tests.playthroughs.corpus import (
    FOLDER,
    FULL_TEXTS,
    SYSTEMS,
    full_text,
    playthroughs,
    stored_text,
)
from tests.playthroughs.logs import read_log

PLAYTHROUGHS = playthroughs()
SHOWN = 60
"""So many lines of a difference are shown."""
WITHOUT_FULL_TEXT = (
    "To compare every line behind a digest, run `make playthroughs` on the commit before the "
    "change."
)


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_a_playthrough_is_what_was_written_down(name: str) -> None:
    kept = (FOLDER / name).read_text(encoding="utf-8")
    full = full_text(PLAYTHROUGHS[name])
    now = stored_text(full)
    if now != kept:
        lines = [f"{name}; if that is meant: make playthroughs", *difference(kept, now)]
        pytest.fail("\n".join([*lines, "", *full_difference(name, kept, full)]), pytrace=False)


def difference(kept: str, now: str) -> list[str]:
    """Return the first lines of a unified diff."""
    changes = unified_diff(kept.splitlines(), now.splitlines(), "kept", "now", n=1, lineterm="")
    return [*islice(changes, SHOWN)]


def full_difference(name: str, kept: str, full: str) -> list[str]:
    """Return the changes of the full text, if `make playthroughs` stored the one of the kept
    file.
    """
    path = FULL_TEXTS / name
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    return (
        ["In full:", *difference(before, full)]
        if stored_text(before) == kept
        else [WITHOUT_FULL_TEXT]
    )


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_scenario_of_a_playthrough_can_be_read(name: str) -> None:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    starts = [place for place, line in enumerate(lines) if line.startswith(SCENARIO)]
    bounds = [0, *starts, len(lines)]
    assert max(end - start for start, end in pairwise(bounds)) <= SCENARIO_LINES


def test_every_line_of_a_full_text_changes_its_stored_text() -> None:
    name = "en-garde/battles/duel.txt"
    lines = full_text(PLAYTHROUGHS[name]).splitlines()
    stored = [*condensed(lines)]
    glossary = lines.index("== What the marks stand for")
    for place in range(0, glossary, 25):
        changed = [*lines[:place], f"{lines[place]}!", *lines[place + 1 :]]
        assert not lines[place] or [*condensed(changed)] != stored, lines[place]


def test_no_playthrough_is_left_over() -> None:
    assert {path.relative_to(FOLDER).as_posix() for path in FOLDER.glob("*/**/*.txt")} == set(
        PLAYTHROUGHS
    )


def test_systems_of_the_books_have_playthroughs() -> None:
    assert {"en-garde", "argad", "wards", "avant-garde"} <= set(SYSTEMS)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_scenario_has_a_playthrough(system: str) -> None:
    played = {read_log(path).setup.scenario for path in (FOLDER / system / "logs").glob("*.json")}
    assert played == {scenario.key for scenario in newest_ruleset(system).scenarios()}
