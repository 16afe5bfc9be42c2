"""Labels of rules and records, as a printed page shows them."""

from datetime import date

from django.utils.formats import date_format, get_format
from django.utils.translation import gettext, gettext_noop, pgettext
from msgspec.structs import asdict

from core.ruleset_words import end_label, lost_parts, translated_word
from documents.content.structs import Figure, Label, Line
from rulebook.ruleset import Characteristic, Fate, Record, Ruleset, Settings, Sheet, SheetColumn

LONGEST_HEADING = 10
NOTHING = "–"
LABELS = (
    *(gettext_noop("Planned"), gettext_noop("Running"), gettext_noop("Finished")),
    gettext_noop("Campaign with experience"),
    gettext_noop("Classic: 2 players, three small battles and a final"),
    gettext_noop("League: battles count in standings"),
    gettext_noop("victory point difference"),
    gettext_noop("victory points scored"),
    gettext_noop("points from the battles between those who are equal"),
    gettext_noop("battles won"),
    gettext_noop("experience earned by the warband"),
    gettext_noop("points of all opponents (Buchholz)"),
    gettext_noop("points of beaten opponents, half for draws (Sonneborn-Berger)"),
)
"""The names of states, formats and tie-breakers from other apps that documents translate."""


def day(iso: str) -> str:
    """Return the day of an ISO date in the active language, "12 March 1648" or "12. März 1648".

    Return any other text as it is.
    """
    try:
        return date_format(date.fromisoformat(iso[:10]), f"{get_format('MONTH_DAY_FORMAT')} Y")
    except ValueError:
        return iso


def translated(name: str) -> str:
    """Return the translation of a name that another app defines."""
    return gettext(name) if name else ""


def fate(then: Fate) -> str:
    """Return the state of a fighter as a word, or "" for a fit one."""
    match then:
        case Fate.RECOVERING:
            return gettext("recovering")
        case Fate.CAPTURED:
            return gettext("captive")
        case Fate.DEAD:
            return pgettext("word", "dead")
        case Fate.RETIRED:
            return gettext("retired")
        case _:
            return ""


def label(rules: Ruleset, settings: Settings) -> Label:
    """Return the terms of a rule system and the numbers that it shows under these house rules."""
    words = {key: translated_word(word) for key, word in asdict(rules.words).items()}
    return Label(**words, shown=rules.visible_numbers(settings))


def figures(rules: Ruleset, sheet: Sheet) -> tuple[Figure, ...]:
    """Return the numbers of a profile, with headings that fit into a column, and with lengths."""
    return tuple(_figure(rules, each) for each in sheet.characteristics)


def columns(rules: Ruleset, sheet: Sheet) -> tuple[Figure, ...]:
    """Return the columns of a printed roster as the rule system describes them.

    Without a description, or if none of its columns has a number, return all numbers of the
    profile.
    """
    if not has_columns(rules, sheet):
        return figures(rules, sheet)
    by_key = {each.key: each for each in sheet.characteristics}
    by_key.setdefault(
        "rank", Characteristic("rank", rules.words.rank, rules.words.rank, str(sheet.rank))
    )
    return tuple(
        _column(rules, column, next((by_key[key] for key in _keys(column) if key in by_key), None))
        for column in rules.columns
    )


def has_columns(rules: Ruleset, sheet: Sheet) -> bool:
    """Return whether the columns of printed rosters have any of a profile's numbers."""
    keys = {key for column in rules.columns for key in _keys(column)}
    return any(each.key in keys for each in sheet.characteristics)


def _keys(column: SheetColumn) -> tuple[str, ...]:
    return (column.key, *column.also)


def _column(rules: Ruleset, column: SheetColumn, characteristic: Characteristic | None) -> Figure:
    value, note = (characteristic.value, characteristic.note) if characteristic else (NOTHING, "")
    label = translated_word(column.label) if column.label == rules.words.rank else column.label
    return Figure(column.short or label, label, value, note if _measures(rules, note) else "")


def _measures(rules: Ruleset, note: str) -> bool:
    """Return whether a note contains lengths, such as those of a Move rate."""
    return rules.length is not None and rules.length.sign in note


def price_lines(sheet: Sheet) -> tuple[Line, ...]:
    """Return the parts of a fighter's points, each with its rule."""
    return tuple(Line(line.points, line.label, line.source) for line in sheet.price.lines)


def _figure(rules: Ruleset, number: Characteristic) -> Figure:
    fits = len(number.label) <= LONGEST_HEADING
    return Figure(
        number.label if fits else number.abbreviation,
        number.label,
        number.value,
        number.note if _measures(rules, number.note) else "",
    )


def harm(rules: Ruleset, record: Record) -> str:
    """Return what happened to a fighter in a battle, or "" if nothing did."""
    ends = [
        end_label(
            (rules.loss_phrase if record.fate is Fate.DEAD else rules.wound_phrase)(record.wounds)
        ),
        gettext("captured") if record.captured or record.fate is Fate.CAPTURED else "",
        gettext("fled the field") if record.routed else "",
        gettext("has to recover") if record.fate is Fate.RECOVERING else "",
        lost_parts(record.losses),
    ]
    return ", ".join(end for end in ends if end)
