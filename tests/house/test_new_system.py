"""`make new-system`: what it creates is a rule system that conforms, and what it refuses leaves
nothing behind."""

import ast
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from random import Random

import pytest

from rulebook import systems
from rulebook.battle_log.play import replay
from rulebook.ruleset import Ruleset
from scripts.new_system import ROOT, RefusedName, create_system, main
from scripts.skeleton.system import Skeleton
from tests.rulebook.conformance import (
    check_battle,
    check_builds,
    check_double_entries,
    check_reference,
    check_table,
    random_play,
)
from tests.rulebook.sample_battles import sample_events, sample_setup


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a folder with a copy of the rulebook package only."""
    shutil.copytree(
        ROOT / "rulebook", tmp_path / "rulebook", ignore=shutil.ignore_patterns("__pycache__")
    )
    return tmp_path


def files_below(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def conforms(rules: Ruleset) -> None:
    setup = sample_setup(rules)
    check_reference(rules)
    check_builds(rules, setup)
    for seed in range(3):
        played = sample_events(rules, setup, seed)
        assert any(event.dice for event in played)
        for events in (played, random_play(rules, setup, Random(seed), 40)):
            assert len(events) > 20
            check_battle(rules, setup, events)
            check_table(rules, replay(rules.log, setup, events))
    assert check_double_entries(rules, setup, played, Random(7)) > 5


def test_skeleton_conforms() -> None:
    conforms(Skeleton())


def test_new_system_conforms(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = files_below(ROOT / "rulebook")
    folder = create_system("night_raid", title="Raid by Night", root=checkout)
    # Found as if it lay in the checkout, and forgotten afterwards.
    monkeypatch.setattr(systems, "__path__", [*systems.__path__, str(folder.parent)])
    for module in ("", ".book", ".battle", ".system"):
        name = f"rulebook.systems.night_raid{module}"
        monkeypatch.setitem(sys.modules, name, import_module(name))
    rules = import_module("rulebook.systems.night_raid.system").NightRaid()
    assert (rules.key, rules.name, rules.edition) == ("night-raid", "Raid by Night", "1")
    conforms(rules)
    assert files_below(ROOT / "rulebook") == before


def test_new_system_is_in_the_registry_and_placeholders_are_gone(checkout: Path) -> None:
    folder = create_system("duel", root=checkout)
    texts = [path.read_text(encoding="utf-8") for path in folder.rglob("*.*")]
    assert len(texts) == 7
    assert not any("skeleton" in text.lower() for text in texts)
    registry = (checkout / "rulebook" / "registry.py").read_text(encoding="utf-8")
    before = (ROOT / "rulebook" / "registry.py").read_text(encoding="utf-8")
    added = [line for line in registry.splitlines() if line not in before.splitlines()]
    assert added == [
        "from rulebook.systems.duel.system import Duel",
        "    Duel.key: {Duel.edition: Duel()},",
    ]
    ask = "from rulebook.registry import newest_ruleset; print(newest_ruleset('duel').name)"
    answer = subprocess.run(
        [sys.executable, "-c", ask], cwd=checkout, capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "Duel"


def test_new_system_needs_no_formatting(checkout: Path) -> None:
    folder = create_system("the_very_long_war_of_the_two_roses", root=checkout)
    paths = [str(folder), str(checkout / "rulebook" / "registry.py")]
    for command in (["check"], ["format", "--check"]):
        ruff = [
            sys.executable,
            "-m",
            "ruff",
            *command,
            "--config",
            str(ROOT / "pyproject.toml"),
            *paths,
        ]
        assert subprocess.run(ruff, check=False, capture_output=True).returncode == 0, command
    for path in folder.rglob("*.py"):
        ast.parse(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("name", "title", "why"),
    [
        ("", "", "is not a name for a rule system"),
        ("Duel!", "", "“Duel!” is not a name for a rule system. Use lower-case letters"),
        ("night-raid", "", "Example: night_raid."),
        ("7years", "", "begin with a letter"),
        ("class", "", "no word of Python's own"),
        ("../duel", "", "is not a name"),
        ("duel\n", "", "is not a name"),
        ("wards", "", "“wards” is taken: rulebook/systems/wards exists."),
        ("points", "", "“points” is taken: the rule book has a name Points already."),
        ("problem", "", "the rule book has a name Problem already."),
        ("duel", 'A "Duel"', "is not a title"),
        ("duel", "{name}", "is not a title"),
        ("duel", "en garde!", "is called so. Give a TITLE."),
    ],
)
def test_bad_name_is_refused_and_nothing_is_written(
    checkout: Path, name: str, title: str, why: str
) -> None:
    before = files_below(checkout)
    with pytest.raises(RefusedName) as refused:
        create_system(name, title=title, root=checkout)
    assert why in str(refused.value)
    assert files_below(checkout) == before


def test_key_of_another_system_is_refused(checkout: Path) -> None:
    shutil.move(
        checkout / "rulebook" / "systems" / "wards", checkout / "rulebook" / "systems" / "medieval"
    )
    with pytest.raises(RefusedName, match="rulebook/systems/medieval has its key"):
        create_system("wards", title="Of the Same Key", root=checkout)


def test_command_says_what_comes_next_or_what_is_wrong(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["duel", "--root", str(checkout)]) == 0
    assert "docs/rulesets.md" in capsys.readouterr().out
    assert main(["duel", "--root", str(checkout)]) == 1
    assert "“duel” is taken" in capsys.readouterr().err
