"""The whole demonstration, cut short: real web server, real worker, everything over HTTP, and once
more."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pypdf import PdfReader

from scripts.demo.__main__ import embedded
from scripts.demo.campaigns import REFEREES, campaign_plan
from scripts.demo.printing import KINDS

ROOT = Path(__file__).parents[2]


def play(folder: Path, *wishes: str, battles: int = 1) -> subprocess.CompletedProcess[str]:
    """Run the demonstration with this many battles of each campaign."""
    command = [
        sys.executable,
        "-m",
        "scripts.demo",
        "--battles",
        str(battles),
        "--folder",
        str(folder),
        *wishes,
    ]
    return subprocess.run(
        command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=600
    )


@pytest.mark.worker
@pytest.mark.soak("demonstrations played, printed and played again", each=1, sample=1)
@pytest.mark.parametrize(("battles", "kinds"), [(1, ("campaign", "battle", "career")), (2, KINDS)])
def test_campaign_is_played_printed_and_played_again(tmp_path, battles, kinds):
    """The sample prints no rosters and no rank-ups: they are most of the work, and printed by many
    other tests."""
    folder = tmp_path / "demo"
    first = play(folder, "--print", *kinds, battles=battles)
    assert first.returncode == 0, first.stdout + first.stderr
    assert "Both are in, and open at the same moment." in first.stdout
    plans = {key: campaign_plan(key) for key in REFEREES}
    for plan in plans.values():
        assert all(f"{day.title}: " in first.stdout for day in plan.battle[:battles])
    warbands = 6 + 2 * len(plans)
    assert f"{warbands} warbands match their chronicles." in first.stdout
    files = sorted((folder / "prints-1").iterdir())
    others = {
        key: [file.name for file in files if file.name.startswith(f"{key}-")]
        for key in ("classic", *plans)
    }
    assert {key: len(others[key]) for key in plans} == dict.fromkeys(
        plans, 2 + 3 * ("roster" in kinds)
    )
    assert all(len(PdfReader(file).pages) >= 1 for file in files if file.suffix == ".pdf")
    counted = words_of(folder)
    assert counted.returncode == 0, counted.stdout + counted.stderr
    again = play(folder, "--seed", "3", "--no-classic", "--systems", "--print", "battle", "career")
    assert again.returncode == 0, again.stdout + again.stderr
    assert f"{warbands + 4} warbands match their chronicles." in again.stdout
    season = {
        file.name for file in files if not any(file.name in names for names in others.values())
    }
    rosters = sum(name.startswith("roster-") for name in season)
    assert rosters == 5 * ("roster" in kinds), "for the table, and one with cards"
    assert (
        {file.name for file in (folder / "prints-2").iterdir()}
        == {"battle-summary.pdf", "career.pdf"}
        < season
    )


def words_of(folder: Path) -> subprocess.CompletedProcess[str]:
    """Count the words of the stories of a played demonstration, in every language."""
    environment = {**os.environ, **embedded(folder)}
    command = [sys.executable, "-m", "scripts.prints.stories"]
    return subprocess.run(
        command, check=False, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600
    )


@pytest.mark.worker
@pytest.mark.soak("stories of all battles of the demonstration", each=1, sample=0)
def test_stories_of_the_whole_demonstration_have_60_to_150_words(tmp_path):
    folder = tmp_path / "demo"
    played = play(folder, "--print", battles=99)
    assert played.returncode == 0, played.stdout + played.stderr
    counted = words_of(folder)
    assert counted.returncode == 0, counted.stdout + counted.stderr
    assert counted.stdout.count("words (log)") == 2 * 27, "each battle in English and German"


@pytest.mark.worker
def test_a_port_that_nobody_listens_to_ends_the_demonstration_with_words(tmp_path):
    (tmp_path / "muster.sqlite3").write_text("this is no database")
    failed = play(tmp_path)
    assert failed.returncode == 1
    assert "The demonstration stops here." in failed.stderr
