"""docs/api.md is one story: its blocks run from top to bottom, from an installation in which there
is nobody yet."""

import re
import subprocess
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils.module_loading import import_string

from documents.printing import Printed

ROOT = Path(__file__).parents[2]
ADDRESS = "http://127.0.0.1:8000"
PDF = b"%PDF-1.7 of the long winter"

pytestmark = pytest.mark.one_database


@pytest.fixture
def worker_in_the_house(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run tasks at once in this process. Documents are not really typeset here."""
    at_once = SimpleNamespace(send_task=lambda task, args, retry: import_string(task)(*args))
    monkeypatch.setattr("core.jobs.queue.current_app", at_once)
    monkeypatch.setattr(
        "documents.services.rendering.print_in_one_go", lambda *_, **__: Printed(PDF, 1, {})
    )


def story() -> str:
    """Return all bash blocks of the page."""
    page = (ROOT / "docs" / "api.md").read_text()
    return "\n".join(re.findall(r"^```bash\n(.*?)^```", page, re.MULTILINE | re.DOTALL))


def test_the_story_of_the_api_runs_from_an_empty_installation_to_its_end(
    worker_in_the_house: None, live_server: Any, tmp_path: Path
) -> None:
    assert not User.objects.exists()
    script = "set -euo pipefail\n" + story().replace(ADDRESS, live_server.url)
    done = subprocess.run(
        ["bash", "-x", "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    lines = done.stdout.splitlines()
    assert lines[:2] == ["alice", "player"]
    assert {"confirmed", "1. The Black Band: 3", "Hauptmann"} <= set(lines)
    assert (tmp_path / "the-long-winter.pdf").read_bytes() == PDF
    assert zipfile.is_zipfile(tmp_path / "the-friday-swords.zip")
    assert "The Black Band" in (tmp_path / "warbands.csv").read_text()
    assert set(User.objects.filter(club_bot=None).values_list("username", flat=True)) == {
        "alice",
        "bob",
    }
