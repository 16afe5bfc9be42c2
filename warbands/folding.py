"""Names as they are searched for: "Jörg d'Eßen" and "JORG D ESSEN" are one. Letters and digits alone, words apart."""

import unicodedata
from functools import lru_cache
from typing import Final

WITHOUT_MARKS: Final = str.maketrans(
    {"ı": "i", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "þ": "th", "æ": "ae", "œ": "oe"}
)
"""Letters that Unicode takes for letters of their own, and people type as plain ones."""
SPOKEN: Final = frozenset("LNM")
"""Letters, numbers, and what belongs to a letter in scripts that write vowels beside it."""


def fold(text: str) -> str:
    """The text in small letters without accents, its words divided by single spaces.

    >>> fold("  Señor d'Eßling-İnci ")
    'senor d essling inci'
    """
    return " ".join(_bare(text).split())


@lru_cache(maxsize=4096)
def _bare(text: str) -> str:
    if text.isascii():
        return "".join(letter if letter.isalnum() else " " for letter in text.lower())
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold()).translate(WITHOUT_MARKS)
    return "".join(
        letter if unicodedata.category(letter)[0] in SPOKEN else " "
        for letter in apart
        if not unicodedata.combining(letter)
    )


def words_of(query: str, most: int = 8) -> tuple[str, ...]:
    """The words of a query as they are looked for, so many at most, each once."""
    return tuple(dict.fromkeys(fold(query).split()))[:most]
