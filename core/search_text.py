"""Names in the form used by searches: "Jörg d'Eßen" and "JORG D ESSEN" are equal.

They contain only words of letters and digits, divided by spaces.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

WITHOUT_MARKS: Final = str.maketrans(
    {
        "ı": "i",
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "ħ": "h",
        "ŧ": "t",
        "þ": "th",
        "æ": "ae",
        "œ": "oe",
    }
)
"""Letters that Unicode does not decompose, but that people type as plain letters."""
APOSTROPHES: Final = (
    "\u2018\u2019\u201a\u201b\u02b9\u02bb\u02bc\u02bd\u2032\u2035\u00b4\u0060\uff07"
)
DASHES: Final = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
QUOTES: Final = "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\uff02"
UNSEEN: Final = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
PLAIN_SIGNS: Final = str.maketrans(
    dict.fromkeys(APOSTROPHES, "'")
    | dict.fromkeys(DASHES, "-")
    | dict.fromkeys(QUOTES, '"')
    | dict.fromkeys(UNSEEN)
)
"""Characters that phones, Macs and spreadsheets put in place of the characters that people type."""
WITHOUT_UNSEEN: Final = str.maketrans(dict.fromkeys(UNSEEN))
DIVIDED: Final = re.compile(r"[^\W_]+(?:['-][^\W_]+)+")
"""Matches a word with an apostrophe or a hyphen inside."""
SPOKEN: Final = frozenset("LNM")
"""Unicode categories of letters and numbers, and of vowel marks in scripts that need them."""


def plain_name(text: str) -> str:
    """Return a name for comparisons: NFKC, plain characters, single spaces.

    Case and accents stay.

    >>> plain_name("D\u2019Artagnan"), plain_name("Jo\u0308rg  \u2013 der Alte")
    ("D'Artagnan", 'J\xf6rg - der Alte')
    """
    if text.isascii():
        return " ".join(text.replace("`", "'").split())
    # Replace characters first: NFKC turns a single acute accent into a space with an accent.
    return " ".join(unicodedata.normalize("NFKC", text.translate(PLAIN_SIGNS)).split())


def same_name(first: str, second: str) -> bool:
    """Return whether two names look the same to a reader, regardless of case."""
    return plain_name(first).casefold() == plain_name(second).casefold()


def normalise(text: str) -> str:
    """Return the text in lower case, without accents, its words divided by single spaces.

    >>> normalise("  Señor d'Eßling-İnci ")
    'senor d essling inci'
    """
    return " ".join(_bare(text).split())


def found_by_words(text: str) -> str:
    """Return the normalised text, and after it each divided word as one word.

    The joined words let a search for "obrien" find O'Brien.

    >>> found_by_words("Miles O\u2019Brien"), found_by_words("Jean-Luc")
    ('miles o brien obrien', 'jean luc jeanluc')
    """
    divided = DIVIDED.findall(text.translate(PLAIN_SIGNS))
    return " ".join(
        (normalise(text), *(normalise(word.replace("'", "").replace("-", "")) for word in divided))
    )


@lru_cache(maxsize=4096)
def _bare(text: str) -> str:
    if text.isascii():
        return "".join(letter if letter.isalnum() else " " for letter in text.lower())
    seen = unicodedata.normalize("NFKD", text.translate(WITHOUT_UNSEEN))
    apart = unicodedata.normalize("NFKD", seen.casefold()).translate(WITHOUT_MARKS)
    return "".join(
        letter if unicodedata.category(letter)[0] in SPOKEN else " "
        for letter in apart
        if not unicodedata.combining(letter)
    )


def words_of(query: str, most: int = 8) -> tuple[str, ...]:
    """Return the normalised words of a query, each once, at most ``most``."""
    return tuple(dict.fromkeys(normalise(query).split()))[:most]
