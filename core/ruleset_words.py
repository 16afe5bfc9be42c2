"""The words of a rule system in the active language.

The terms of a rulebook stay as they are (docs/decisions/languages.md). These nouns are used within
sentences of Muster.
"""

import re
from collections import ChainMap
from collections.abc import Iterable
from functools import cache, lru_cache

from django.utils.formats import get_format
from django.utils.translation import get_language, gettext, gettext_lazy, pgettext, pgettext_lazy
from msgspec.structs import asdict, replace

from rulebook.book.data import read_toml
from rulebook.book.translations import SHARED, Catalogue
from rulebook.registry import rulesets
from rulebook.ruleset import Loss, Words
from rulebook.values.rosters import Tally

ENGINE_NUMBER = re.compile(r"(?<![\d.])\d+(?:\.\d+)?%|(?<![\d.])\d+\.\d\d(?![\d.])")
"""Matches a percentage or an average of the engine, such as "58.3%" and "0.67"."""

STATE_LABELS = {
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
    "struck": pgettext_lazy("off a roster", "removed"),
    "under-way": gettext_lazy("under way"),
    "submitted": gettext_lazy("submitted"),
    "disputed": gettext_lazy("disputed"),
    "confirmed": gettext_lazy("confirmed"),
    "void": gettext_lazy("void"),
    "open": gettext_lazy("open"),
    "overdue": gettext_lazy("overdue"),
    "queued": gettext_lazy("queued"),
    "rendering": gettext_lazy("being created"),
    "ready": gettext_lazy("ready"),
    "failed": gettext_lazy("failed"),
    "organiser": gettext_lazy("organiser"),
    "player": gettext_lazy("player"),
    "spectator": gettext_lazy("spectator"),
    "won": pgettext_lazy("outcome", "won"),
    "drew": pgettext_lazy("outcome", "drew"),
    "lost": pgettext_lazy("outcome", "lost"),
}
"""Labels of keys that pages show without a label of their own."""

BATTLE_FATES = {
    "killed": pgettext_lazy("fate in a battle", "killed"),
    "captured": pgettext_lazy("fate in a battle", "captured"),
    "missing": pgettext_lazy("fate in a battle", "missing"),
    "out of action": pgettext_lazy("fate in a battle", "out of action"),
    "lost": pgettext_lazy("fate in a battle", "lost"),
    "lost to the enemy": pgettext_lazy("fate in a battle", "lost to the enemy"),
    "destroyed": pgettext_lazy("fate in a battle", "destroyed"),
    "routed": pgettext_lazy("fate in a battle", "routed"),
    "shattered": pgettext_lazy("fate in a battle", "shattered"),
    "broken": pgettext_lazy("fate in a battle", "broken"),
    "disordered": pgettext_lazy("fate in a battle", "disordered"),
    "shaken": pgettext_lazy("fate in a battle", "shaken"),
    "unhorsed": pgettext_lazy("fate in a battle", "unhorsed"),
    "surrendered": pgettext_lazy("fate in a battle", "surrendered"),
    "made to surrender": pgettext_lazy("fate in a battle", "made to surrender"),
    "off the table": pgettext_lazy("fate in a battle", "off the table"),
    "without guns": pgettext_lazy("fate in a battle", "without guns"),
    "knocked unconscious": pgettext_lazy("fate in a battle", "knocked unconscious"),
}
"""Fates of a fighter or unit in a battle, in everyday words of several rule systems
(``Ruleset.loss_phrase``).

A rule system translates its own words in ``Ruleset.translations``.
"""

PARTS = {
    "figures": pgettext_lazy("losses of a unit", "figures"),
    "gunners": pgettext_lazy("losses of a unit", "gunners"),
    "guns": pgettext_lazy("losses of a unit", "guns"),
    "bases": pgettext_lazy("losses of a unit", "bases"),
    "its colours": pgettext_lazy("loss of a unit", "its colours"),
}
"""The parts that a unit may have lost, as rule systems name them (``Loss.parts``)."""


class WrittenText(str):
    """A text that a user wrote: it is never read as a sentence of a rule system."""

    __slots__ = ()


def translated_word(word: str) -> str:
    """Return a word of a rule system in the active language.

    Uses Muster's translation, or else that of the rule system.
    """
    translation = pgettext("word", word)
    return rules_text(word) if translation == word else translation


def rules_text(text: str) -> str:
    """Return a sentence or label of a rule system in the active language.

    The engine speaks and stores English; a text without a translation stays English. A
    ``WrittenText`` stays as it is.
    """
    if isinstance(text, WrittenText):
        return text
    catalogue = _catalogue(get_language() or "")
    return _local_numbers(catalogue.text(text)) if catalogue else text


def _local_numbers(text: str) -> str:
    """Return a text with the decimal mark and percentages of the active language.

    The engine writes "58.3%" and averages such as "0.67". Other numbers with a point, such as
    "3.5", may be input that a form reads, and stay.
    """
    point = get_format("DECIMAL_SEPARATOR")
    if point == ".":
        return text
    return ENGINE_NUMBER.sub(
        lambda number: number[0].replace(".", point).replace("%", "\N{NO-BREAK SPACE}%"), text
    )


@cache
def _catalogue(language: str) -> Catalogue | None:
    """Return the translations of all rule systems, or None if a language has none.

    The translations of the engine come last: a rule system can replace them.
    """
    own = (rules.translations.get(language, {}) for rules in rulesets())
    entries = dict(ChainMap(*map(dict, own), read_toml(SHARED).get(language, {})))
    return Catalogue(entries) if entries else None


def translated_words(words: Words) -> Words:
    """Return the words of a rule system in the active language, for pages and e-mails."""
    return _spoken(words, get_language())


@lru_cache(maxsize=100)
def _spoken(words: Words, language: str | None) -> Words:
    return Words(**{key: translated_word(word) for key, word in asdict(words).items()})


def translated_tallies(tallies: tuple[Tally, ...]) -> tuple[Tally, ...]:
    """Return the tallies of a rule system in the active language, for pages and documents."""
    return _spoken_tallies(tallies, get_language())


@lru_cache(maxsize=100)
def _spoken_tallies(tallies: tuple[Tally, ...], language: str | None) -> tuple[Tally, ...]:
    return tuple(
        replace(
            each,
            **{name: translated_word(getattr(each, name)) for name in ("label", "one", "many")},
        )
        for each in tallies
    )


def state_label(key: str | None) -> str:
    """Return the label of a state, outcome or fate, such as "won". Returns "" for None."""
    return str(STATE_LABELS.get(str(key), str(key or "").replace("-", " ")))


def join_names(names: Iterable[str]) -> str:
    """Return a list of names as text: "A", "A and B", "A, B and C"; "" without names."""
    *most, last = [*names] or [""]
    return (
        gettext("%(most)s and %(last)s") % {"most": ", ".join(most), "last": last} if most else last
    )


def end_label(phrase: str) -> str:
    """Return what happened to a fighter, in the active language. Rulebook terms stay unchanged."""
    return str(BATTLE_FATES[phrase]) if phrase in BATTLE_FATES else rules_text(phrase)


def lost_parts(losses: Iterable[Loss]) -> str:
    """Return what a unit has lost, such as "11 of 24 figures lost, its colours lost", or ""."""
    return ", ".join(_lost(each) for each in losses)


def _lost(loss: Loss) -> str:
    parts = str(PARTS.get(loss.parts, loss.parts))
    if not loss.amount:
        return gettext("%(thing)s lost") % {"thing": parts}
    return gettext("%(amount)s of %(of)s %(parts)s lost") % {
        "amount": loss.amount,
        "of": loss.of,
        "parts": parts,
    }
