"""The words in which facts are told: names by their ids, and gettext's functions for the reader's
language."""

from collections.abc import Iterable, Mapping
from unicodedata import bidirectional

from msgspec import Struct

NAMED = 4
"""So many names stand in a row; of more than that the last are counted."""


def gettext_noop(text: str) -> str:
    """Mark a text for translation. It is translated where it is shown."""
    return text


def isolated(name: str) -> str:
    """Return the name; written from right to left, within marks that keep what stands beside it in
    its order."""
    from_the_right = any(bidirectional(letter) in {"R", "AL"} for letter in name)
    return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}" if from_the_right else name


def with_reason(phrase: str, reason: str) -> str:
    """Return the phrase, and behind a colon the reason if there is any."""
    return f"{phrase}: {reason}" if reason else phrase


class Wording(Struct, frozen=True):
    """What ``Fact.phrase`` is handed. This wording is English; a subclass translates what it is
    given.

    ``names`` are those of fighters by their ids, and of posts by their keys. ``rule_changes`` are
    phrases, one for each house rule that the fact has changed.
    """

    names: Mapping[str, str] = {}
    rule_changes: tuple[str, ...] = ()

    def gettext(self, text: str) -> str:
        """Return the text in the reader's language."""
        return text

    def ngettext(self, singular: str, plural: str, number: int) -> str:
        """Return the text for this number of things, in the reader's language."""
        return singular if number == 1 else plural

    def pgettext(self, context: str, text: str) -> str:
        """Return the text in the reader's language, where it needs a context to be translated."""
        return text

    def state_label(self, key: str) -> str:
        """Return a state such as a fate in a word."""
        return key

    def join_names(self, names: Iterable[str]) -> str:
        """Return names as a person lists them: "A", "A and B", "A, B and C"; "" for none."""
        *most, last = [*names] or [""]
        return f"{', '.join(most)} and {last}" if most else last

    def list_names(self, names: Iterable[str]) -> str:
        """Return names in a row: "A, B and C"; beyond four the rest is counted."""
        listed = [*names]
        if len(listed) > NAMED:
            others = len(listed) - (NAMED - 1)
            listed = [*listed[: NAMED - 1], self.gettext("%(number)s others") % {"number": others}]
        return self.join_names(listed)

    def fighter(self, key: str) -> str:
        """Return the name of a fighter; "a fighter" where nobody knows it any more."""
        return isolated(self.names.get(key, "")) or self.gettext("a fighter")
