"""Victory points by their reasons: what was scored several times for the same thing is told in one line."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby, takewhile

from documents.content.pieces import Line
from documents.prose.wording import capital
from rulebook.ruleset import ScoreLine

BEHIND_A_NAME = re.compile(r"(?: \((?P<brackets>[^)]*)\))? ?(?P<rest>.*)")
"""What follows a name in a sentence: "(Rank 2) was killed"."""
OF_ONE = re.compile("^(?:was|is) ")
"""What an ending begins with that speaks of one alone: "was killed". Without it the words are right of several too."""


def grouped(lines: Iterable[ScoreLine], unnamed: Collection[str] = ()) -> tuple[Line, ...]:
    """A line for each reason, in the order in which they were scored.

    Lines of one code and rule whose sentences end in the same words become one, which says once what happened and then
    to whom, in words that are right of one and of many. The ``unnamed`` are told of elsewhere: of them there stays what
    a sentence has in brackets, such as a rank.
    """
    by_reason = groupby(lines, key=lambda line: (line.code or line.sentence, line.rule))
    return tuple(line for _, alike in by_reason for line in _together(list(alike), unnamed))


def _together(lines: Sequence[ScoreLine], unnamed: Collection[str]) -> Iterator[Line]:
    sentences = [line.sentence.rstrip(".") for line in lines]
    subjects, ending = _common_ending(sentences) if len(lines) > 1 else _behind_a_name(sentences[0], unnamed)
    if not ending or not all(subjects):
        yield from (Line(line.points, line.sentence, line.rule) for line in lines)
        return
    shown = Counter(_shown(subject, unnamed) for subject in subjects)
    told = ", ".join(subject if times == 1 else f"{times} × {subject}" for subject, times in shown.items())
    points = sum(line.points for line in lines)
    yield Line(points, f"{capital(OF_ONE.sub('', ending))}: {told}.", lines[0].rule)


def _common_ending(sentences: Sequence[str]) -> tuple[list[str], str]:
    """What the sentences begin with, brackets and all, and the words in which all of them end."""
    words = [sentence.split(" ") for sentence in sentences]
    from_the_end = zip(*(reversed(each) for each in words), strict=False)
    common = sum(1 for _ in takewhile(lambda across: len(set(across)) == 1, from_the_end))
    shared = words[0][len(words[0]) - common :]
    brackets = max((place for place, word in enumerate(shared, start=1) if ")" in word), default=0)
    length = common - brackets
    return [" ".join(each[: len(each) - length]) for each in words], " ".join(shared[brackets:])


def _behind_a_name(sentence: str, unnamed: Collection[str]) -> tuple[list[str], str]:
    """The same of a single sentence that begins with somebody who is told of elsewhere; no ending for any other."""
    name = _name_in(sentence, unnamed)
    found = BEHIND_A_NAME.fullmatch(sentence[len(name) :]) if name else None
    if found is None:
        return [sentence], ""
    return [sentence.removesuffix(found["rest"]).rstrip()], found["rest"]


def _shown(subject: str, unnamed: Collection[str]) -> str:
    name = _name_in(subject, unnamed)
    found = BEHIND_A_NAME.fullmatch(subject[len(name) :]) if name else None
    return (found["brackets"] or "1") if found else subject


def _name_in(words: str, names: Collection[str]) -> str:
    """The longest of the names that some words begin with, "" if they begin with none."""
    return max((name for name in names if words == name or words.startswith(f"{name} ")), key=len, default="")
