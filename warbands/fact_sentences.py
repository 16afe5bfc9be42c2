"""Facts of a chronicle as phrases of a log, such as "won The Old Mill, 5 to 2".

The warband is the subject. Facts build their own phrases (``Fact.phrase``); this module passes them
the wording in the reader's language.
"""

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext, ngettext, pgettext

from core.ruleset_words import join_names, state_label
from rulebook.chronicle.facts import FACT_KINDS, Fact
from rulebook.chronicle.wording import Wording

Names = Mapping[str, str]
"""The names of fighters by their ids, and of posts by their keys."""

KINDS: Mapping[str, str] = {key: kind.label for key, kind in FACT_KINDS.items()}
"""The label of every kind of fact, for filters of a log; marked for translation, untranslated."""


class TranslatedWording(Wording, frozen=True):
    """The wording of facts in the active language."""

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
    """Return what the warband did or what happened to it, without a full stop.

    ``changes`` describe changed house rules.
    """
    return fact.phrase(TranslatedWording(names, tuple(changes)))


def joined(names: Iterable[str]) -> str:
    """Return names as a list: "A, B and C"; from the fifth on they are only counted."""
    return TranslatedWording().list_names(names)
