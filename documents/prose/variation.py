"""Functions for sentences in every language: wordings, right-to-left names, a true minus sign."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

import msgspec

from documents.content.documents import CourseOfPlay, Fallen
from documents.content.structs import Casualty, SideNarrative
from documents.prose.facts import Deaths, Fact, KillFact

MAX_TITLES = 3
"""The most battles that are named in a sentence; more are counted."""
FROM_THE_RIGHT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
ARTICLE = re.compile(r"^The (?=\S)")
AFTER_PREPOSITION = re.compile(
    r"\b(An|an|Auf|auf|Aus|aus|Bei|bei|Durch|durch|Für|für|Gegen|gegen|Mit|mit|Ohne|ohne|Von|von|"
    r"Vor|vor|Zu|zu) The (?=\S)"
)
"""An English article after a German preposition, as in "von The Rifles"."""
ISOLATE, END = "\u2068", "\u2069"
SLOT = re.compile(r"\{(\w+)\}")
TAG = re.compile(r"^\((\w+)\) ")
"""The tag of a wording, which limits where it is used: "(gun) {who} shot {whom}"."""
Parts = tuple[str, ...]
"""A clause in the parts in which a language moves it about."""


def chosen(fact: Fact, *wordings: str) -> str:
    """Return one of several wordings of a fact, always the same one for the same fact."""
    seal = sha256(msgspec.json.encode(fact, order="deterministic")).digest()
    return wordings[seal[0] % len(wordings)]


def name(text: str) -> str:
    """Return a name for use in a sentence; a right-to-left name is isolated.

    So its own text direction does not change that of the words around it.
    """
    return f"{ISOLATE}{text}{END}" if FROM_THE_RIGHT.search(text) else text


def within(text: str) -> str:
    """Return an English name within a sentence: "the Crew" for "The Crew"."""
    return name(ARTICLE.sub("the ", text))


def without_articles(text: str) -> str:
    """Return a German text without English articles after prepositions: "von Tarras Riders".

    German declines articles by gender, which an English name does not have.
    """
    return AFTER_PREPOSITION.sub(r"\1 ", text)


def with_names(text: str, names: Iterable[str]) -> str:
    """Return a sentence with its right-to-left names isolated."""
    if FROM_THE_RIGHT.search(text):
        for each in names:
            text = text.replace(each, name(each))
    return text


def minus(number: int) -> str:
    """Return the number with a true minus: "−3"."""
    return str(number).replace("-", "−")


def capital(text: str) -> str:
    """Return a text that begins with a capital letter."""
    return text[:1].upper() + text[1:]


def by_place(
    sides: Sequence[SideNarrative],
) -> tuple[list[SideNarrative], list[SideNarrative], list[SideNarrative]]:
    """Return the winners of a battle, the best sides and the others.

    Without a winner, the best are those who drew.
    """
    winners = [side for side in sides if side.outcome == "won"]
    best = winners or [side for side in sides if side.outcome == "drew"]
    return winners, best, [side for side in sides if side not in best]


def decided_by_points(best: Sequence[SideNarrative], others: Sequence[SideNarrative]) -> bool:
    """Return whether the victory points agree with the outcome of a battle.

    They do if those who won have more than the others, and those who drew as many as each other.
    """
    if not best:
        return True
    least = min(side.victory_points for side in best)
    equal = all(side.victory_points == least for side in best) or best[0].outcome == "won"
    return equal and all(side.victory_points < least for side in others)


def parted(fact: Deaths) -> tuple[tuple[KillFact, ...], tuple[str, ...]]:
    """Return the killings by a known killer, and the names of the other victims."""
    unknown = tuple(slain for each in fact.slayings if not each.by for slain in each.victims)
    return tuple(each for each in fact.slayings if each.by), unknown


def by_killer(fallen: Sequence[Fallen]) -> Mapping[str, Sequence[str]]:
    """Return the names of the fallen by their killer, where known, in order."""
    slain: dict[str, list[str]] = {}
    for casualty in fallen:
        if casualty.killer:
            slain.setdefault(casualty.killer.name, []).append(casualty.name)
    return slain


def final_order(course: CourseOfPlay) -> str:
    """Return the final order of the table: "1. The Guard; 2. The Crew"."""
    ends = sorted(
        (row.positions[-1], row.warband)
        for row in course.rows
        if row.positions and row.positions[-1] is not None
    )
    return "; ".join(f"{position}. {warband}" for position, warband in ends)


def final_points(course: CourseOfPlay) -> str:
    """Return the final points of each warband: "The Guard 6; The Crew 3"."""
    return "; ".join(
        f"{row.warband} {row.points[-1]}"
        for row in course.rows
        if row.points and row.points[-1] is not None
    )


def first_and_last_strength(course: CourseOfPlay) -> Sequence[tuple[str, int, int]]:
    """Return the strength of each warband in its first and its last battle.

    Warbands of unknown strength are left out.
    """
    brought = {
        row.warband: [each for each in row.strengths if each is not None] for row in course.rows
    }
    return [(warband, line[0], line[-1]) for warband, line in brought.items() if line]


def slots_of(wording: str) -> frozenset[str]:
    """Return the names of the slots of a wording."""
    return frozenset(SLOT.findall(wording))


def tag_of(wording: str) -> str:
    """Return the tag of a wording, or ""."""
    tagged = TAG.match(wording)
    return tagged[1] if tagged else ""


def untagged(wording: str) -> str:
    """Return a wording without its tag."""
    return TAG.sub("", wording)


def filled_in(wording: str, filled: Mapping[str, str]) -> str:
    """Return a wording with its slots filled. What fills them is not read again."""
    return SLOT.sub(lambda slot: filled[slot[1]], wording)


def punctuated(clauses: Sequence[str]) -> tuple[str, ...]:
    """Return clauses as one sentence, in pieces: a capital first, semicolons, a full stop."""
    pieces = [*(f"{clause}; " for clause in clauses[:-1]), f"{clauses[-1]}."]
    return (capital(pieces[0]), *pieces[1:])


def count_of_ends(casualties: Iterable[Casualty], *, lost: str, reduced: str) -> Counter[str]:
    """Return the number of casualties of each kind.

    The dead count as ``lost``, and units that lost a part, such as "2 of 4 bases", as ``reduced``.
    """
    return Counter(
        lost if each.dead else reduced if each.harm[:1].isnumeric() else each.harm
        for each in casualties
    )
