"""The edition of the printed page changes with its looks."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from documents.template_fingerprint import FOLDERS, edition


@pytest.fixture(autouse=True)
def forgetful() -> Iterator[None]:
    edition.cache_clear()
    yield
    edition.cache_clear()


@pytest.fixture
def house(tmp_path: Path, settings: Any) -> Path:
    """Return a copy of everything that the edition covers."""
    for folder in (*FOLDERS, "documents", "core"):
        source, copy = Path(settings.BASE_DIR) / folder, tmp_path / folder
        for file in source.rglob("*"):
            if file.suffix in (".html", ".css", ".py"):
                (copy / file.relative_to(source)).parent.mkdir(parents=True, exist_ok=True)
                (copy / file.relative_to(source)).write_bytes(file.read_bytes())
    settings.BASE_DIR = tmp_path
    return tmp_path


@pytest.mark.parametrize(
    "file", ["templates/print/_card.html", "static/print/print.css", "core/markdown.py"]
)
def test_a_change_of_looks_is_a_new_edition(house: Path, file: str) -> None:
    before = edition()
    edition.cache_clear()
    assert edition() == before
    edition.cache_clear()
    (house / file).write_text((house / file).read_text() + " ")
    assert edition() != before


def test_a_newer_printer_is_a_new_edition(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = edition()
    edition.cache_clear()
    monkeypatch.setattr("documents.template_fingerprint.version", {"weasyprint": "71.0"}.get)
    assert edition() != before
