"""Find texts in templates that are not marked for translation."""

import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

from django.conf import settings
from django.template.base import DebugLexer, Token, TokenType

TEMPLATES = Path(settings.BASE_DIR) / "templates"
SPOKEN = frozenset(
    {"title", "alt", "placeholder", "aria-label", "label", "data-title", "data-text", "data-label"}
)
"""Attributes that are shown or read aloud."""
MUTE = frozenset({"style", "script", "path", "code"})
ATTRIBUTE = re.compile(r"""(?:\s*,?\s*[\w-]+=(?:"[^"]*"|[\w-]+))+""")
"""The attributes that a block adds to a tag of the page that it fills."""
WORD = re.compile(r"[^\W\d_]{2,}")
NAMES = frozenset(
    {
        "Deutsch",
        "English",
        "Muster",
        "API",
        "XP",
        "QR",
        "CSV",
        "JSON",
        "PDF",
        "EB",
        "Garamond",
        "Alegreya",
        "Sans",
        "iCalendar",
    }
)
"""Texts that are the same in every language."""
SILENT_TAGS = frozenset(
    {
        "load",
        "extends",
        "url",
        "static",
        "block",
        "if",
        "elif",
        "comment",
        "translate",
        "cache",
        "querystring",
    }
)
"""Tags whose strings are names, addresses, or values to compare."""
SAYING = re.compile(
    r"""\|(default|default_if_none|yesno|pluralize|join|date|time|add):("[^"]*"|'[^']*')"""
)
STRING = re.compile(r""""[^"]*"|'[^']*'""")
MARKED = re.compile(r"""_\((?:"[^"]*"|'[^']*')\)""")
BARE = re.compile(r"[A-Z]|\w\s+\w")
"""A string in a tag is a text if it has a capital letter or several words; others are keys."""
FORMATS = frozenset({"Y-m-d", "Y-m", "c", "H:i", "Y", "j"})
"""Date formats that are the same in every language, or are read by machines."""

KEYS = frozenset({"light dark"})
"""Strings that browsers read, although they look like words."""


def unmarked(source: str) -> list[tuple[int, str]]:
    """Return the untranslatable texts of a template, each with its line."""
    texts: list[tuple[int, str]] = []
    html, within, commented = [], False, False
    for token in DebugLexer(source).tokenize():
        shown = token.contents if token.token_type is TokenType.TEXT else ""
        if token.token_type is TokenType.BLOCK:
            name = token.split_contents()[0]
            commented = name == "comment" or (commented and name != "endcomment")
            within = name in ("blocktranslate", "blocktrans") or (
                within and not name.startswith("endblocktrans")
            )
        if not within and not commented and token.token_type in (TokenType.BLOCK, TokenType.VAR):
            texts += [(token.lineno or 0, text) for text in _strings(token)]
        html.append("\n" * shown.count("\n") if within or commented else shown)
        if not shown:
            html.append(
                "\n" * source[slice(*token.position)].count("\n") + " " if token.position else " "
            )
    reader = _Reader()
    reader.feed("".join(html))
    reader.close()
    return [*texts, *((line, text) for line, text in reader.found if _words(text))]


def _strings(token: Token) -> Iterator[str]:
    """Yield the strings of a tag or a variable that are texts for people."""
    bare = MARKED.sub("", token.contents)
    for name, text in SAYING.findall(bare):
        if _words(text) or (name in ("date", "time") and text[1:-1] not in FORMATS):
            yield text[1:-1]
    if token.token_type is TokenType.BLOCK:
        name, _, rest = SAYING.sub("", bare).partition(" ")
        if name not in SILENT_TAGS:
            texts = (text[1:-1] for text in STRING.findall(rest) if text[1:-1] not in KEYS)
            yield from (
                text for text in texts if BARE.search(text) and _words(text) and "/" not in text
            )


def _words(text: str) -> list[str]:
    return [word for word in WORD.findall(unescape(text)) if word not in NAMES]


class _Reader(HTMLParser):
    """A parser of what is shown and read aloud; ``found`` has each text with its line."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[int, str]] = []
        self.mute = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.mute += tag in MUTE
        button = tag == "input" and named.get("type") in ("submit", "button")
        for name, value in attrs:
            spoken = name in SPOKEN or (name == "value" and button)
            if value and spoken:
                self._say(value)

    def handle_endtag(self, tag: str) -> None:
        self.mute -= tag in MUTE and self.mute > 0

    def handle_data(self, data: str) -> None:
        if not self.mute:
            self._say(data)

    def _say(self, text: str) -> None:
        """Note a text with the line of its first word."""
        lead = text[: len(text) - len(text.lstrip())]
        if text.strip() and not ATTRIBUTE.fullmatch(text.strip()):
            self.found.append((self.getpos()[0] + lead.count("\n"), " ".join(text.split())))
