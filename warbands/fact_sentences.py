"""A fact of a chronicle as a phrase of a log, with the warband as its subject: "won The Old Mill, 5
to 2".

The facts word themselves (``Fact.phrase``); here they are handed the words of the reader's
language.
"""

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext, ngettext, pgettext

from core.ruleset_words import join_names, state_label
from rulebook.chronicle.facts import FACT_KINDS, Fact
from rulebook.chronicle.wording import Wording

Names = Mapping[str, str]
"""The names of fighters by their ids, and of posts by their keys."""

KINDS: Mapping[str, str] = {key: kind.label for key, kind in FACT_KINDS.items()}
"""Every kind of fact, with the words by which a log can be filtered, marked and not translated."""


class TranslatedWording(Wording, frozen=True):
    """The words of facts in the active language."""

    def gettext(self, text: str) -> str:
        return gettext(text)

    def ngettext(self, singular: str, plural: str, number: int) -> str:
        return ngettext(singular, plural, number)

    def pgettext(self, context: str, text: str) -> str:
        return pgettext(context, text)

    def state_label(self, key: str) -> str:
        return state_label(key)

    def join_names(self, names: Iterable[str]) -> str:
        return join_names(names)


def phrase(fact: Fact, names: Names, changes: Iterable[str] = ()) -> str:
    """What the warband did, or what was done to it, without a full stop; ``changes`` are those of
    house rules."""
    return fact.phrase(TranslatedWording(names, tuple(changes)))


def joined(names: Iterable[str]) -> str:
    """Names in a row: "A, B and C"; beyond four the rest is counted."""
    return TranslatedWording().list_names(names)
