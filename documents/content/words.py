"""What rules and records say, in the words of a printed page."""

from documents.content.pieces import Figure, Label, Line
from rulebook.ruleset import Characteristic, Fate, Record, Ruleset, Sheet

LONGEST_HEADING = 10
FATES = {
    Fate.FIT: "",
    Fate.RECOVERING: "recovering",
    Fate.CAPTURED: "captive",
    Fate.DEAD: "dead",
    Fate.RETIRED: "retired",
}


def label(rules: Ruleset) -> Label:
    """How a rule system names things."""
    words = rules.words
    return Label(words.fighter, words.fighters, words.warband, words.warbands, words.rank)


def figures(sheet: Sheet, rank_word: str = "") -> tuple[Figure, ...]:
    """The numbers of a profile under headings that fit; the rank first, if a word for it is given."""
    rank = (Figure(rank_word, rank_word, str(sheet.rank)),) if rank_word else ()
    return (*rank, *(_figure(each) for each in sheet.characteristics))


def price_lines(sheet: Sheet) -> tuple[Line, ...]:
    """What a fighter's points are made of, each with its rule."""
    return tuple(Line(line.points, line.label, line.source) for line in sheet.price.lines)


def _figure(number: Characteristic) -> Figure:
    fits = len(number.label) <= LONGEST_HEADING
    return Figure(number.label if fits else number.abbreviation, number.label, number.value, number.note)


def harm(rules: Ruleset, record: Record) -> str:
    """What befell a fighter in a battle, "" if nothing did."""
    ends = [
        "killed" if record.fate is Fate.DEAD else rules.wound_phrase(record.wounds),
        "captured" if record.captured or record.fate is Fate.CAPTURED else "",
        "fled the field" if record.routed else "",
        "has to recover" if record.fate is Fate.RECOVERING else "",
    ]
    return ", ".join(end for end in ends if end)
