"""Texts of pages, e-mails and documents are in every language, in the .po and the .mo file."""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import allauth
import django
import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po
from django.conf import settings

from scripts.packages import APPS
from scripts.translations import (
    LANGUAGES,
    LIBRARY_WORDS,
    compiled,
    compiled_words,
    marked,
    strings,
    translated,
)
from tests.house.unmarked import TEMPLATES, unmarked
from tests.house.unmarked_code import faces, unmarked_code

PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]")


def texts(catalog: Catalog) -> set[tuple[str | None, str | tuple[str, ...]]]:
    return {
        (message.context, tuple(message.id) if message.pluralizable else str(message.id))
        for message in catalog
        if message.id
    }


def said_by(compiled: bytes) -> list[tuple[object, ...]]:
    return [
        (message.context, message.id, message.string)
        for message in read_mo(BytesIO(compiled))
        if message.id
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_marked_text_is_known_and_no_other_one(language: str) -> None:
    """`make translations` gathers them."""
    assert texts(translated(language)) == texts(marked())


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_lacks_its_translation(language: str) -> None:
    assert [
        message.id
        for message in translated(language)
        if message.id and (message.fuzzy or not all(strings(message)))
    ] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_asks_for_nothing_that_its_text_does_not_give(language: str) -> None:
    for message in (entry for entry in translated(language) if entry.id):
        for text in filter(None, strings(message)):
            assert set(PLACEHOLDER.findall(text)) <= set(PLACEHOLDER.findall(str(message.id))), (
                message.id
            )


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_django_reads_says_what_translators_wrote(language: str) -> None:
    """`make translations` makes the .mo from the .po."""
    fresh = BytesIO()
    write_mo(fresh, translated(language))
    assert said_by(compiled(language)) == said_by(fresh.getvalue())


def test_no_template_says_a_word_that_is_not_marked() -> None:
    complaints = [f"{path}:{line}: {text}" for path, line, text in everywhere()]
    assert complaints == []


def test_an_unmarked_word_is_found_wherever_it_stands() -> None:
    source = """{% load i18n %}<p title="Left out">{{ name }} fell</p>
        {% translate "Not me" %}<i data-title="nor {{ x }}">{% icon "warn" "Beware" %}{{ x|default:"nobody" }}
        <style>p { color: red }</style><input type="submit" value="Go"><input name="x" value="busy">
        {% include "parts/problems.html" with heading="To do" tone="warn" %}{% if x == "under-way" %}{% endif %}
        {{ day|date:"j F" }}{{ day|date:_("j F") }}{% blocktranslate %}nor me{% endblocktranslate %}<b class="a">XP"""
    expected = {
        1: ("Left out", "fell"),
        2: ("nor", "Beware", "nobody"),
        3: ("Go",),
        4: ("To do",),
        5: ("j F",),
    }
    assert sorted(unmarked(source)) == sorted(
        (line, text) for line, texts in expected.items() for text in texts
    )


def test_no_page_says_a_sentence_of_its_own_that_is_not_marked() -> None:
    files = sorted(faces())
    complaints = [
        f"{file}:{line}: {text}"
        for file in files
        for line, text in unmarked_code(file.read_text("utf-8"))
    ]
    assert len(files) > 100
    assert complaints == []


def test_an_unmarked_sentence_of_code_is_found_wherever_it_stands() -> None:
    source = """
'''Not me.'''
def told(name, key):
    '''Nor am I a sentence.'''
    if key == "under way":
        raise ValueError(f"{name} may be English here")
    said = gettext("Nor me, since I am marked") + "key" + "two words"
    return f"{name}, against {key}" + f"{name} – {key}" + _("Not me either") + f"attachment; filename={name}.json"
"""
    assert unmarked_code(source) == [(5, "under way"), (7, "two words"), (8, ", against ")]


def test_no_text_is_marked_within_another_string() -> None:
    """An f-string is one token for some Pythons and several for others: the texts within it would
    come and go."""
    files = [path for app in APPS for path in Path(settings.BASE_DIR, app).rglob("*.py")]
    within = re.compile(r"\{(n?p?gettext(_lazy)?|_)\(")
    assert [str(path) for path in files if within.search(path.read_text(encoding="utf-8"))] == []


def everywhere() -> Iterator[tuple[str, int, str]]:
    """Yield the untranslatable texts of every template: path, line and text.

    Those of the admin site are left out: it is in English.
    """
    for path in sorted(TEMPLATES.rglob("*.*")):
        if path.suffix in (".html", ".txt") and "admin" not in path.parts:
            for line, text in unmarked(path.read_text(encoding="utf-8")):
                yield str(path.relative_to(TEMPLATES)), line, text


LIBRARIES = (
    Path(allauth.__file__).parent / "locale/de/LC_MESSAGES/django.po",
    Path(django.__file__).parent / "contrib/auth/locale/de/LC_MESSAGES/django.po",
    Path(django.__file__).parent / "conf/locale/de/LC_MESSAGES/django.po",
)


def words(path: Path) -> Catalog:
    """Return a catalogue."""
    with path.open("rb") as file:
        return read_po(file, locale="de")


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_words_for_libraries_are_compiled_and_complete(language: str) -> None:
    path = LIBRARY_WORDS / language / "LC_MESSAGES" / "django.po"
    own = words(path)
    assert path.with_suffix(".mo").read_bytes() == compiled_words(path)
    assert texts(own) == texts(words(LIBRARY_WORDS / "en" / "LC_MESSAGES" / "django.po"))
    for message in (entry for entry in own if entry.id):
        assert all(strings(message)), message.id
        for text in strings(message):
            assert set(PLACEHOLDER.findall(text)) == set(PLACEHOLDER.findall(str(message.id)))


def test_libraries_still_have_the_texts_that_have_words_here() -> None:
    library_texts = {text for path in LIBRARIES for text in texts(words(path))}
    own = texts(words(LIBRARY_WORDS / "en" / "LC_MESSAGES" / "django.po"))
    assert own - library_texts == set()
