"""The demonstration waits only for what is not ready, and reports commands that run meanwhile."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scripts.demo import printing
from scripts.demo.client import Client, Unexpected
from scripts.demo.progress import Progress


class Answers(Client):
    """A client to which the document has these states, one after the other."""

    def __init__(self, *states: str) -> None:
        super().__init__("http://muster.invalid")
        self.states = list(states)

    def get(self, path: str, **query: Any) -> Any:
        return {"id": "1", "title": "Roster", "failure": "No ink.", "state": self.states.pop(0)}


@pytest.mark.parametrize("states", [("ready",), ("queued", "rendering", "ready")])
def test_waiting_pauses_only_between_questions(
    states: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("time.sleep", pauses.append)
    document = printing._ready(Answers(*states), {"id": "1"})
    assert document["state"] == "ready"
    assert len(pauses) == len(states) - 1


def test_failed_document_ends_the_waiting() -> None:
    with pytest.raises(Unexpected, match="No ink"):
        printing._ready(Answers("failed"), {"id": "1"})


REPORT = """
import sys
from pathlib import Path
from scripts.demo.__main__ import ManageCommand
from scripts.demo.progress import Progress

ManageCommand(Path(sys.argv[1]), *sys.argv[2:]).report(Progress())
"""


def report(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a fork of a new process, and report it."""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}
    return subprocess.run(
        [sys.executable, "-c", REPORT, folder, *command],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_output_of_a_command_is_reported_without_that_of_an_earlier_run(tmp_path: Path) -> None:
    for _ in range(2):
        lines = report(tmp_path, "version").stdout.split()
        assert len(lines) == 1
        assert "." in lines[0]


def test_failed_command_is_reported_with_its_errors(tmp_path: Path) -> None:
    failed = report(tmp_path, "no_such_command")
    assert failed.returncode == 1
    assert "Unexpected: no_such_command failed:" in failed.stderr
    assert "Unknown command" in failed.stderr


def test_lines_of_the_other_thread_are_kept_until_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    say = Progress()
    others = say.meanwhile()
    others.line("second")
    say.line("first")
    others.show_kept()
    others.line("third")
    assert capsys.readouterr().out.split() == ["first", "second", "third"]
