"""The wording of facts: names by ids, and gettext's functions for the reader's language."""

from collections.abc import Iterable, Mapping
from unicodedata import bidirectional

from msgspec import Struct

NAMED = 4
"""The maximum number of names in a list. Further names are counted."""


def gettext_noop(text: str) -> str:
    """Mark a text for translation. It is translated where it is shown."""
    return text


def isolated(name: str) -> str:
    """Return the name; a right-to-left name is isolated so that it keeps the order around it."""
    from_the_right = any(bidirectional(letter) in {"R", "AL"} for letter in name)
    return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}" if from_the_right else name


def with_reason(phrase: str, reason: str) -> str:
    """Return the phrase, followed by a colon and the reason if there is one."""
    return f"{phrase}: {reason}" if reason else phrase


class Wording(Struct, frozen=True):
    """The argument of ``Fact.phrase``. This class writes English; subclasses translate.

    ``names`` has the names of fighters by id and of warband roles by key. ``rule_changes`` has a
    phrase for each house rule that the fact has changed.
    """

    names: Mapping[str, str] = {}
    rule_changes: tuple[str, ...] = ()

    def gettext(self, text: str) -> str:
        """Return the text in the reader's language."""
        return text

    def ngettext(self, singular: str, plural: str, number: int) -> str:
        """Return the text for this number, in the reader's language."""
        return singular if number == 1 else plural

    def pgettext(self, context: str, text: str) -> str:
        """Return the text in the reader's language; the context helps to translate it."""
        return text

    def state_label(self, key: str) -> str:
        """Return the label of a state, such as a fate."""
        return key

    def join_names(self, names: Iterable[str]) -> str:
        """Return a list of names as text: "A", "A and B", "A, B and C"; "" without names."""
        *most, last = [*names] or [""]
        return f"{', '.join(most)} and {last}" if most else last

    def list_names(self, names: Iterable[str]) -> str:
        """Return names as text: "A, B and C". If there are more than four, the rest is counted."""
        listed = [*names]
        if len(listed) > NAMED:
            others = len(listed) - (NAMED - 1)
            listed = [*listed[: NAMED - 1], self.gettext("%(number)s others") % {"number": others}]
        return self.join_names(listed)

    def fighter(self, key: str) -> str:
        """Return the name of a fighter, or "a fighter" if it is unknown."""
        return isolated(self.names.get(key, "")) or self.gettext("a fighter")
