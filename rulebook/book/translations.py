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
STOPS = frozenset(".!?:;")
SENTENCE_END = re.compile(
    "".join(rf"(?<!\b{short}\.)" for short in ABBREVIATIONS) + r"(?<!\b[A-Z]\.)(?<=[.!?:;]) "
)
NUMBER = r"[-+−]?\d[\d.,/]*[½¼¾⅓⅔]?|[½¼¾⅓⅔]"
WITHIN = rf"(?:(?!{SENTENCE_END.pattern}).)+?"
"""Any text that goes over no end of a sentence."""
SHORTEST: Final = 5
"""A template with fewer letters of its own, such as "{*first} and {*last}", joins words only."""
CLAUSE = re.compile(
    r"\b(?:a|an|the(?! [A-Z])|that|who|what|which|is|are|has|have|to|it|its|his|her|their)\b"
)
"""Matches a word that shows that a text is not a name or a term. "Piet the Elder" is a name."""
REMEMBERED: Final = 20_000
"""The number of translated texts that are remembered for each language."""


class Template:
    """A sentence with gaps, and its translation.

    A gap ``{#points}`` holds a number. A gap ``{name}`` holds any text, and stays as it is. A gap
    ``{*reason}`` holds text that is translated in its turn.
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
        self.joins = sum(letter.isalpha() for text in literals for letter in text) < SHORTEST
        self.stop = stop_of(literals[-1])
        self.strict = re.compile(_pattern_of(english, WITHIN))
        self.loose = re.compile(_pattern_of(english, ".+?"))

    def translate(self, text: str, catalogue: "Catalogue", *, strict: bool) -> str | None:
        """Return the translation of a text with the same full stop, or None if it does not match.

        ``strict`` is for a single sentence: no gap goes over the end of one.
        """
        pattern = self.strict if strict else self.loose
        if not (match := pattern.fullmatch(text)):
            return None
        values = {
            name: catalogue.text(value) if name in self.translated_gaps else value
            for name, value in match.groupdict().items()
        }
        if self.joins and any(
            values[name] == value and CLAUSE.search(value)
            for name, value in match.groupdict().items()
        ):
            # Another sentence, or the name of a campaign: only half of it would be translated.
            return None
        return GAP.sub(lambda gap: values[gap[2]], self.translation)


class Catalogue:
    """The translations into one language, from the catalogues of all rule systems.

    Raises DataError if a translation has other gaps than its sentence.
    """

    def __init__(self, entries: Mapping[str, str]) -> None:
        self.texts = {text: meant for text, meant in entries.items() if not GAP.search(text)}
        templates = [Template(*entry) for entry in entries.items() if GAP.search(entry[0])]
        # The template with the most text of its own is the most specific.
        templates.sort(key=lambda template: -template.length)
        self.templates: dict[str, list[Template]] = {}
        """The templates by their full stop, the most specific first."""
        for template in templates:
            self.templates.setdefault(template.stop, []).append(template)
        self.text = lru_cache(maxsize=REMEMBERED)(self._text)

    def _text(self, text: str) -> str:
        """Return a text in this language: as a whole, or else as the longest parts that are known.

        What has no translation stays as it is.
        """
        sentences = SENTENCE_END.split(text)
        parts, start = [], 0
        while start < len(sentences):
            part, start = self._longest(sentences, start)
            parts.append(part)
        translation = " ".join(parts)
        if translation != text:
            return translation
        # A name may look like the end of a sentence.
        return self._whole(text, strict=False) or text

    def _longest(self, sentences: list[str], start: int) -> tuple[str, int]:
        """Return the translation of the longest known text from a sentence on, and where to
        continue."""
        for end in range(len(sentences), start, -1):
            whole = self._whole(" ".join(sentences[start:end]), strict=True)
            if whole is not None:
                return whole, end
        return self._without_full_stop(sentences[start]), start + 1

    def _without_full_stop(self, text: str) -> str:
        stop = stop_of(text)
        if not stop or stop == text:
            return text
        return (self._whole(text.removesuffix(stop), strict=True) or text[:-1]) + stop

    def _whole(self, text: str, *, strict: bool) -> str | None:
        if text in self.texts:
            return self.texts[text]
        translations = (
            template.translate(text, self, strict=strict)
            for template in self.templates.get(stop_of(text), ())
            if template.anchor in text
        )
        return next((translation for translation in translations if translation is not None), None)


def stop_of(text: str) -> str:
    """Return the full stop, colon or the like at the end of a text, or "" if there is none."""
    return text[-1:] if text[-1:] in STOPS else ""


def _pattern_of(english: str, anything: str) -> str:
    pieces: Iterator[str] = iter(GAP.split(english))
    pattern, seen = re.escape(next(pieces)), set[str]()
    for kind, name, literal in zip(pieces, pieces, pieces, strict=True):
        pattern += (
            f"(?P={name})" if name in seen else f"(?P<{name}>{NUMBER if kind == '#' else anything})"
        )
        pattern += re.escape(literal)
        seen.add(name)
    return pattern
