"""What a rule system calls things, in the language that is spoken.

A book's own names stay as they are (docs/decisions/languages.md); these nouns stand within sentences of the house.
"""

from collections.abc import Iterable
from functools import lru_cache

from django.utils.translation import get_language, gettext, gettext_lazy, gettext_noop, pgettext, pgettext_lazy
from msgspec.structs import asdict

from rulebook.ruleset import Words

SAID = {
    "planned": gettext_lazy("planned"),
    "running": gettext_lazy("running"),
    "finished": gettext_lazy("finished"),
    "fit": gettext_lazy("fit"),
    "recovering": gettext_lazy("recovering"),
    "captured": gettext_lazy("captured"),
    "dead": pgettext_lazy("word", "dead"),
    "retired": gettext_lazy("retired"),
    "dismissed": gettext_lazy("dismissed"),
    "deserted": gettext_lazy("deserted"),
    "struck": pgettext_lazy("off a roster", "struck"),
    "under-way": gettext_lazy("under way"),
    "submitted": gettext_lazy("submitted"),
    "disputed": gettext_lazy("disputed"),
    "confirmed": gettext_lazy("confirmed"),
    "void": gettext_lazy("void"),
    "open": gettext_lazy("open"),
    "overdue": gettext_lazy("overdue"),
    "queued": gettext_lazy("queued"),
    "rendering": gettext_lazy("rendering"),
    "ready": gettext_lazy("ready"),
    "failed": gettext_lazy("failed"),
    "organiser": gettext_lazy("organiser"),
    "player": gettext_lazy("player"),
    "spectator": gettext_lazy("spectator"),
    "won": pgettext_lazy("outcome", "won"),
    "drew": pgettext_lazy("outcome", "drew"),
    "lost": pgettext_lazy("outcome", "lost"),
}
"""How a key is said that stands on pages without a label of its own."""

KILLED = gettext_noop("killed")
"""How a rule system says it that has no words of its own for it (``Ruleset.loss_phrase``)."""


def spoken(words: Words) -> Words:
    """The words of a rule system in the active language, for pages and letters."""
    return _spoken(words, get_language())


@lru_cache(maxsize=100)
def _spoken(words: Words, language: str | None) -> Words:
    return Words(**{key: pgettext("word", word) for key, word in asdict(words).items()})


def said(key: str | None) -> str:
    """A state, an outcome or a fate in a word: "won", "recovering"; "" for none."""
    return str(SAID.get(str(key), str(key or "").replace("-", " ")))


def listed(names: Iterable[str]) -> str:
    """Names as a person lists them: "A", "A and B", "A, B and C"; "" for none."""
    *most, last = [*names] or [""]
    return gettext("%(most)s and %(last)s") % {"most": ", ".join(most), "last": last} if most else last


def ended_by(phrase: str) -> str:
    """How somebody came to an end: in the words of the rule book, else in those of the active language."""
    return gettext(KILLED) if phrase == KILLED else phrase
