"""What rules and records say, in the words of a printed page."""

from django.utils.translation import pgettext
from msgspec.structs import asdict

from documents.content.pieces import Figure, Label, Line
from rulebook.ruleset import Characteristic, Fate, Record, Ruleset, Settings, Sheet, SheetColumn

LONGEST_HEADING = 10
NOTHING = "–"
FATES = {
    Fate.FIT: "",
    Fate.RECOVERING: "recovering",
    Fate.CAPTURED: "captive",
    Fate.DEAD: "dead",
    Fate.RETIRED: "retired",
}


def label(rules: Ruleset, settings: Settings) -> Label:
    """How a rule system names things, and which numbers it shows under these house rules."""
    words = {key: pgettext("word", word) for key, word in asdict(rules.words).items()}
    return Label(**words, shown=rules.shown(settings))


def figures(sheet: Sheet) -> tuple[Figure, ...]:
    """The numbers of a profile under headings that fit."""
    return tuple(_figure(each) for each in sheet.characteristics)


def columns(rules: Ruleset, sheet: Sheet) -> tuple[Figure, ...]:
    """The columns of a printed roster as the rule system describes them, else all numbers of the profile."""
    if not rules.columns:
        return figures(sheet)
    known = {each.key: each for each in sheet.characteristics}
    rank = Characteristic("rank", rules.words.rank, rules.words.rank, str(sheet.rank))
    return tuple(_column(each, known.get(each.key) or (rank if each.key == "rank" else None)) for each in rules.columns)


def _column(column: SheetColumn, found: Characteristic | None) -> Figure:
    value, note = (found.value, found.note) if found else (NOTHING, "")
    return Figure(column.short or column.label, column.label, value, note)


def price_lines(sheet: Sheet) -> tuple[Line, ...]:
    """What a fighter's points are made of, each with its rule."""
    return tuple(Line(line.points, line.label, line.source) for line in sheet.price.lines)


def _figure(number: Characteristic) -> Figure:
    fits = len(number.label) <= LONGEST_HEADING
    return Figure(number.label if fits else number.abbreviation, number.label, number.value, number.note)


def harm(rules: Ruleset, record: Record) -> str:
    """What befell a fighter in a battle, "" if nothing did."""
    ends = [
        (rules.loss_phrase if record.fate is Fate.DEAD else rules.wound_phrase)(record.wounds),
        "captured" if record.captured or record.fate is Fate.CAPTURED else "",
        "fled the field" if record.routed else "",
        "has to recover" if record.fate is Fate.RECOVERING else "",
    ]
    return ", ".join(end for end in ends if end)
