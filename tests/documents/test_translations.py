"""What the documents' templates say stands in every language of documents, in the .po file and in the .mo beside it."""

import re
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo, write_mo
from django.conf import settings

from scripts.translations import LANGUAGES, compiled, marked, strings, translated

TEMPLATES = Path(settings.BASE_DIR) / "templates" / "print"
PLACEHOLDER = re.compile(r"%\((\w+)\)s")
MARKED = re.compile(r"\{%\s*blocktranslate.*?endblocktranslate\s*%\}|\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", re.DOTALL)
TAG = re.compile(r"<[^>]*>", re.DOTALL)
SPOKEN = re.compile(r"""(?:title|alt|aria-label|data-title|data-chapter)="([^"]*)\"""")
WORD = re.compile(r"[^\W\d_]{2,}")


def texts(catalog: Catalog) -> set[tuple[str | None, str | tuple[str, ...]]]:
    return {(one.context, tuple(one.id) if one.pluralizable else str(one.id)) for one in catalog if one.id}


def said_by(compiled: bytes) -> list[tuple[object, ...]]:
    return [(one.context, one.id, one.string) for one in read_mo(BytesIO(compiled)) if one.id]


def unmarked(source: str) -> list[str]:
    """The words of a template that no translator gets to see."""
    bare = MARKED.sub(" ", source)
    said = [*SPOKEN.findall(bare), TAG.sub(" ", bare)]
    return [word for text in said for word in WORD.findall(text)]


def templates() -> list[Path]:
    return sorted(TEMPLATES.rglob("*.html"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_marked_text_is_known_and_no_other_one(language: str) -> None:
    """`make translations` gathers them."""
    assert texts(translated(language)) == texts(marked())


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_lacks_its_translation(language: str) -> None:
    assert [one.id for one in translated(language) if one.id and (one.fuzzy or not all(strings(one)))] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_asks_for_nothing_that_its_text_does_not_give(language: str) -> None:
    for message in (one for one in translated(language) if one.id):
        asked = set(PLACEHOLDER.findall(" ".join(strings(message))))
        assert asked <= set(PLACEHOLDER.findall(str(message.id))), message.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_django_reads_says_what_translators_wrote(language: str) -> None:
    """`make translations` makes the .mo from the .po."""
    fresh = BytesIO()
    write_mo(fresh, translated(language))
    assert said_by(compiled(language)) == said_by(fresh.getvalue())


@pytest.mark.parametrize("template", templates(), ids=lambda path: path.name)
def test_no_template_says_a_word_that_is_not_marked(template: Path) -> None:
    assert unmarked(template.read_text(encoding="utf-8")) == []


def test_an_unmarked_word_is_found_wherever_it_stands() -> None:
    source = (
        '{% load i18n %}<p title="Left out">{{ name }} fell</p>{% translate "Not me" %}<i data-title="nor {{ x }}">'
    )
    assert unmarked(source) == ["Left", "out", "nor", "fell"]


def test_no_text_is_marked_within_another_string() -> None:
    """An f-string is one token for some Pythons and several for others: the texts within it would come and go."""
    files = Path(settings.BASE_DIR, "documents").rglob("*.py")
    assert [str(path) for path in files if re.search(r"\{n?p?gettext\(", path.read_text(encoding="utf-8"))] == []
