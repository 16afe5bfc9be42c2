"""What sentences of every language share: choice of words, names that read from the right, a true
minus."""

import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

import msgspec

from documents.content.documents import CourseOfPlay, Fallen
from documents.prose.facts import Deaths, Fact, KillFact

MAX_TITLES = 3
"""So many battles are named in a sentence; more are counted."""
FROM_THE_RIGHT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
ISOLATE, END = "\u2068", "\u2069"


def chosen(fact: Fact, *wordings: str) -> str:
    """One of several ways to say a fact: always the same for the same fact, and another one for
    many others."""
    seal = sha256(msgspec.json.encode(fact, order="deterministic")).digest()
    return wordings[seal[0] % len(wordings)]


def name(text: str) -> str:
    """A name within a sentence: one that reads from the right keeps its order and that of what
    stands around it."""
    return f"{ISOLATE}{text}{END}" if FROM_THE_RIGHT.search(text) else text


def with_names(text: str, names: Iterable[str]) -> str:
    """A sentence that somebody else has made, in which names that read from the right keep their
    order."""
    if FROM_THE_RIGHT.search(text):
        for each in names:
            text = text.replace(each, name(each))
    return text


def minus(number: int) -> str:
    """The number with a true minus: "−3"."""
    return str(number).replace("-", "−")


def capital(text: str) -> str:
    """A word at the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def parted(fact: Deaths) -> tuple[tuple[KillFact, ...], tuple[str, ...]]:
    """Whom somebody is known to have slain, and those of whom nobody knows it."""
    unknown = tuple(slain for each in fact.slayings if not each.by for slain in each.slain)
    return tuple(each for each in fact.slayings if each.by), unknown


def by_slayer(fallen: Sequence[Fallen]) -> Mapping[str, Sequence[str]]:
    """The names of the fallen by whoever slew them, in their order; those whose slayer is known."""
    slain: dict[str, list[str]] = {}
    for casualty in fallen:
        if casualty.slayer:
            slain.setdefault(casualty.slayer.name, []).append(casualty.name)
    return slain


def final_order(course: CourseOfPlay) -> str:
    """The table as it stands at the end: "1. The Guard; 2. The Crew"."""
    ends = sorted(
        (row.positions[-1], row.warband)
        for row in course.rows
        if row.positions and row.positions[-1] is not None
    )
    return "; ".join(f"{position}. {warband}" for position, warband in ends)


def final_points(course: CourseOfPlay) -> str:
    """What everybody has in the table at the end: "The Guard 6; The Crew 3"."""
    return "; ".join(
        f"{row.warband} {row.points[-1]}"
        for row in course.rows
        if row.points and row.points[-1] is not None
    )


def first_and_last_strength(course: CourseOfPlay) -> Sequence[tuple[str, int, int]]:
    """What each warband brought to its first and to its last battle, of those that brought
    something known."""
    brought = {
        row.warband: [each for each in row.strengths if each is not None] for row in course.rows
    }
    return [(warband, line[0], line[-1]) for warband, line in brought.items() if line]
