"""Translations of the sentences of rule systems.

The engine speaks and stores English. A page in another language looks a finished sentence up in a
catalogue of templates with gaps, such as "{name} needs one Leader, not {number}."
(docs/decisions/languages.md).
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from rulebook.book.data import DataError

SHARED = Path(__file__).with_name("translations.toml")
"""The sentences of the engine itself, which every rule system uses."""
GAP = re.compile(r"\{([*#]?)(\w+)\}")
"""A gap of a template. Split by it, a template is text, kind, name, text and so on."""
ABBREVIATIONS = ("St", "Dr", "Mr", "Mrs", "Sgt", "Lt", "Capt", "Col", "Gen")
SENTENCE_END = re.compile(
    "".join(rf"(?<!\b{short}\.)" for short in ABBREVIATIONS) + r"(?<!\b[A-Z]\.)(?<=[.!?:;]) "
)
NUMBER = r"[-+−]?\d[\d.,/]*[½¼¾⅓⅔]?|[½¼¾⅓⅔]"
GAP_PATTERNS = {"": rf"(?:(?!{SENTENCE_END.pattern}).)+?", "#": NUMBER, "*": ".+?"}
"""What a gap may hold, by its kind."""
REMEMBERED: Final = 20_000
"""The number of translated texts that are remembered for each language."""


class Template:
    """A sentence with gaps, and its translation.

    A gap ``{#points}`` holds a number. A gap ``{name}`` holds any text within one sentence, and
    stays as it is. A gap ``{*reason}`` holds text that is translated in its turn.
    """

    def __init__(self, english: str, translation: str) -> None:
        self.translation = translation
        self.translated_gaps = frozenset(name for kind, name in GAP.findall(english) if kind == "*")
        gaps = {name for _, name in GAP.findall(english)}
        if {name for _, name in GAP.findall(translation)} != gaps:
            raise DataError(f"other gaps in the translation of {english!r}: {translation!r}")
        literals = GAP.split(english)[::3]
        self.anchor = max(literals, key=len)
        """The longest text between two gaps. A sentence without it cannot match."""
        self.length = sum(map(len, literals))
        self.pattern = re.compile(_pattern_of(english))

    def translate(self, text: str, translate: "Catalogue") -> str | None:
        """Return the translation of a text, or None if it does not match."""
        if self.anchor not in text or not (match := self.pattern.fullmatch(text)):
            return None
        values = {
            name: translate.text(value) if name in self.translated_gaps else value
            for name, value in match.groupdict().items()
        }
        return GAP.sub(lambda gap: values[gap[2]], self.translation)


class Catalogue:
    """The translations into one language, from the catalogues of all rule systems.

    Raises DataError if a translation has other gaps than its sentence.
    """

    def __init__(self, entries: Mapping[str, str]) -> None:
        self.texts = {text: meant for text, meant in entries.items() if not GAP.search(text)}
        templates = [Template(*entry) for entry in entries.items() if GAP.search(entry[0])]
        # The template with the most text of its own is the most specific.
        self.templates = sorted(templates, key=lambda template: -template.length)
        self.text = lru_cache(maxsize=REMEMBERED)(self._text)

    def _text(self, text: str) -> str:
        """Return a text in this language: as a whole, or else sentence by sentence.

        What has no translation stays as it is.
        """
        whole = self._whole(text)
        if whole is not None:
            return whole
        sentences = SENTENCE_END.split(text)
        if len(sentences) == 1:
            return text
        return " ".join(self.text(sentence) for sentence in sentences)

    def _whole(self, text: str) -> str | None:
        if text in self.texts:
            return self.texts[text]
        found = (template.translate(text, self) for template in self.templates)
        return next((translation for translation in found if translation is not None), None)


def _pattern_of(english: str) -> str:
    pieces: Iterator[str] = iter(GAP.split(english))
    pattern, seen = re.escape(next(pieces)), set[str]()
    for kind, name, literal in zip(pieces, pieces, pieces, strict=True):
        pattern += f"(?P={name})" if name in seen else f"(?P<{name}>{GAP_PATTERNS[kind]})"
        pattern += re.escape(literal)
        seen.add(name)
    return pattern
