"""The manual for organisers and players: its links, languages and the labels that it names."""

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from django.test import Client
from django.urls import get_resolver
from django.utils.translation import override

from core.manual import PAGES, PAGES_OF_VIEWS, manual_address, page_address
from scripts.manual import SOURCE
from scripts.translations import marked, strings, translated

pytestmark = pytest.mark.one_database

FOLDER = SOURCE / "pages"
NAMES = sorted({path.name.split(".")[0] for path in FOLDER.glob("*.md")})
VALUE = re.compile(r"%\(\w+\)s")
WORD = re.compile(r"[A-Za-z]{4}")
LONGEST_LABEL = 40
LABEL = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
"""Labels of buttons, links and pages are bold in the manual; "A → B" are several."""


def test_manual_builds_without_dead_links(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    built = subprocess.run(command, check=False, cwd=SOURCE, capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    assert (tmp_path / "de" / "results.html").exists()


@pytest.mark.parametrize("name", NAMES)
def test_page_is_in_both_languages(name: str) -> None:
    english, german = (FOLDER / f"{name}.{language}.md" for language in ("en", "de"))
    for mark in ("# ", "## "):
        headings = [
            sum(line.startswith(mark) for line in path.read_text("utf-8").splitlines())
            for path in (english, german)
        ]
        assert headings[0] == headings[1], f"{name}: other headings in German"


def test_linked_pages_exist() -> None:
    assert {*PAGES.values(), *PAGES_OF_VIEWS.values()} <= {*NAMES}


def test_mapped_addresses_exist() -> None:
    resolver = get_resolver()
    assert {*PAGES} <= {*resolver.namespace_dict}
    for name in PAGES_OF_VIEWS:
        namespace, _, view = name.rpartition(":")
        site = resolver.namespace_dict[namespace][1] if namespace else resolver
        assert view in site.reverse_dict, name


def test_address_is_in_the_language_of_the_reader() -> None:
    assert manual_address() == "/static/manual/index.html"
    with override("de"):
        assert manual_address() == "/static/manual/de/index.html"
        assert page_address("privacy") == "/static/manual/de/privacy.html"


@pytest.mark.django_db
def test_every_page_links_to_privacy(client: Client) -> None:
    assert f'href="{page_address("privacy")}"' in client.get("/accounts/login/").content.decode()


@pytest.mark.parametrize("name", NAMES)
def test_english_page_names_labels_of_the_site(name: str) -> None:
    assert unknown_labels(name, "en", english_labels()) == []


@pytest.mark.parametrize("name", NAMES)
def test_german_page_names_labels_of_the_site(name: str) -> None:
    assert unknown_labels(name, "de", german_labels()) == []


@cache
def english_labels() -> set[str]:
    return {str(message.id) for message in marked() if isinstance(message.id, str)}


@cache
def german_labels() -> set[str]:
    return {text for message in translated("de") for text in strings(message)}


def unknown_labels(name: str, language: str, labels: set[str]) -> list[str]:
    """Return the bold texts of a page that no page of the site has as a label."""
    text = (FOLDER / f"{name}.{language}.md").read_text(encoding="utf-8")
    bold = [" ".join(label.split()) for label in LABEL.findall(text)]
    each = [label.strip() for path in bold for label in path.split("→")]
    return [label for label in each if not is_label(label, labels) and label[0] != "("]


def is_label(text: str, labels: set[str]) -> bool:
    """Return whether a text is a label; a label with a value in it fits any value."""
    return text in labels or any(
        re.fullmatch(".+".join(map(re.escape, VALUE.split(label))), text)
        for label in labels
        if len(label) < LONGEST_LABEL and WORD.search(VALUE.sub("", label)) and "%(" in label
    )
