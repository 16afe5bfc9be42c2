"""What sentences of every language share: choice of words, names that read from the right, a true minus."""

import re
from hashlib import sha256

import msgspec

from documents.prose.facts import Deaths, Fact, Slaying

MOST_TITLES = 3
"""So many battles are named in a sentence; more are counted."""
FROM_THE_RIGHT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
ISOLATE, END = "\u2068", "\u2069"


def chosen(fact: Fact, *wordings: str) -> str:
    """One of several ways to say a fact: always the same for the same fact, and another one for many others."""
    seal = sha256(msgspec.json.encode(fact, order="deterministic")).digest()
    return wordings[seal[0] % len(wordings)]


def name(text: str) -> str:
    """A name within a sentence: one that reads from the right keeps its order and that of what stands around it."""
    return f"{ISOLATE}{text}{END}" if FROM_THE_RIGHT.search(text) else text


def minus(number: int) -> str:
    """The number with a true minus: "−3"."""
    return str(number).replace("-", "−")


def capital(text: str) -> str:
    """A word at the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def parted(fact: Deaths) -> tuple[tuple[Slaying, ...], tuple[str, ...]]:
    """Whom somebody is known to have slain, and those of whom nobody knows it."""
    unknown = tuple(slain for each in fact.slayings if not each.by for slain in each.slain)
    return tuple(each for each in fact.slayings if each.by), unknown
