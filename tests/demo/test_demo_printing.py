"""The demonstration waits only for what is not ready, and reports commands that run meanwhile."""

from typing import Any

import pytest

from scripts.demo import printing
from scripts.demo.__main__ import ManageCommand
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


def test_output_of_a_command_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    ManageCommand({"MUSTER_MODE": "embedded"}, "version").report(Progress())
    assert "." in capsys.readouterr().out


def test_failed_command_is_reported_with_its_errors() -> None:
    command = ManageCommand({"MUSTER_MODE": "embedded"}, "no_such_command")
    with pytest.raises(Unexpected, match=r"no_such_command failed:\n(.|\n)*Unknown command"):
        command.report(Progress())
