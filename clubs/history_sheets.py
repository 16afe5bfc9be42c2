"""Spreadsheets of old seasons: their columns, and the facts in their rows.

One sheet has everything. "Kind" says what a row is; without that column every row is a result.
Columns of any name can be mapped to these; the others are ignored.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from difflib import get_close_matches
from functools import cache
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext, gettext_noop
from msgspec import Struct

from clubs.models import PastFact, PastKind, PastOutcome
from core.csv_files import (
    CellError,
    Grid,
    GridLimits,
    GridRow,
    UnreadableSpreadsheet,
    column_name,
    plain,
    read_grid,
    unescape_cell,
    wrong_cells,
)

LIMITS: Final = GridLimits(most_bytes=2 * 1024 * 1024, most_rows=10_000, has_comments=False)
MOST_ERRORS: Final = 200
CHECKED: Final = ("kind", "day", "score", "opponent_score", "outcome")
"""The columns whose cells are not any text, and are checked on their own."""
SPREADSHEET_ERRORS: Final = frozenset(
    ("#REF!", "#N/A", "#VALUE!", "#DIV/0!", "#NAME?", "#NUM!", "#NULL!", "#SPILL!", "#CALC!")
)
"""Texts in place of the result of a formula, in Excel and LibreOffice."""
LARGEST_SCORE: Final = 100_000
SAMPLES, SIMILAR = 3, 0.8
Chosen = Mapping[Any, str]
BOTH_SCORES: Final = re.compile(r"(\d{1,5})\s*[:–-]\s*(\d{1,5})", re.ASCII)
DAY_FIRST: Final = re.compile(r"(\d{1,2})[./](\d{1,2})[./](\d{4})")


class Column(Struct, frozen=True):
    """A column: its key, its heading in English, other names, and the most letters of a cell."""

    key: str
    heading: str
    names: tuple[str, ...] = ()
    most: int = 100

    @property
    def title(self) -> str:
        """The heading in the reader's language."""
        return gettext(self.heading)


COLUMNS: Final = (
    Column("kind", gettext_noop("Kind"), ("Type", "Art", "Was")),
    Column("season", gettext_noop("Season"), ("Campaign", "League", "Saison", "Kampagne", "Liga")),
    Column("day", gettext_noop("Date"), ("Day", "Played on", "Datum", "Tag")),
    Column(
        "player",
        gettext_noop("Player"),
        ("Player 1", "Home", "Name", "Spieler", "Spieler 1", "Heim"),
        80,
    ),
    Column(
        "warband",
        gettext_noop("Warband"),
        ("Warband 1", "Team", "Team 1", "Army", "Trupp", "Trupp 1", "Armee"),
    ),
    Column("score", gettext_noop("Score"), ("Score 1", "Home score", "Ergebnis 1", "Wertung")),
    Column(
        "opponent",
        gettext_noop("Opponent"),
        ("Player 2", "Away", "Against", "Gegner", "Spieler 2", "Gast"),
        80,
    ),
    Column(
        "opponent_warband",
        gettext_noop("Opponent’s warband"),
        ("Opponent's warband", "Warband 2", "Team 2", "Trupp 2", "Trupp des Gegners"),
    ),
    Column(
        "opponent_score",
        gettext_noop("Opponent’s score"),
        ("Opponent's score", "Score 2", "Away score", "Ergebnis 2", "Wertung des Gegners"),
    ),
    Column("outcome", gettext_noop("Result"), ("Outcome", "W/D/L", "Ergebnis", "Ausgang")),
    Column("fighter", gettext_noop("Fighter"), ("Killed", "Fallen", "Kämpfer", "Gefallen")),
    Column("note", gettext_noop("Note"), ("Notes", "Comment", "Notiz", "Bemerkung"), 300),
)
KINDS: Final[Mapping[str, PastKind]] = {
    plain(word): kind
    for kind, words in {
        PastKind.RESULT: "result results game match battle ergebnis spiel schlacht",
        PastKind.CHAMPION: "champion champions winner meister sieger",
        PastKind.DEATH: "death deaths dead killed fallen tod tot gefallen gefallener",
        PastKind.MEMBER: "member members player mitglied mitglieder spieler",
    }.items()
    for word in words.split()
}
OUTCOMES: Final[Mapping[str, PastOutcome]] = {
    plain(word): outcome
    for outcome, words in {
        PastOutcome.WON: "won win w victory gewonnen sieg s g",
        PastOutcome.DREW: "drew draw drawn d tie unentschieden u",
        PastOutcome.LOST: "lost loss lose l defeat verloren niederlage n v",
    }.items()
    for word in words.split()
}


class ForeignColumn(Struct, frozen=True):
    """A column of the file that is none of ours: its place, heading and first cells.

    ``chosen`` is the key of the column that it is taken for; "" if it is ignored.
    """

    place: int
    name: str
    heading: str
    samples: tuple[str, ...]
    chosen: str


class HistorySheet(Struct, frozen=True):
    """A spreadsheet as it was read: its facts, unsaved, and its foreign columns."""

    grid: Grid
    facts: tuple[PastFact, ...]
    foreign: tuple[ForeignColumn, ...]
    strangers: tuple[str, ...]
    """The names of players who are not members, by name."""
    repeated: int = 0
    """The number of facts that the club has imported already."""


class UnreadableHistory(UnreadableSpreadsheet):
    """The error for wrong cells, with the foreign columns of the file."""

    foreign: tuple[ForeignColumn, ...] = ()


def read_history(
    content: bytes | str, members: Mapping[str, UUID], chosen: Chosen | None = None
) -> HistorySheet:
    """Return the facts of a spreadsheet.

    Args:
        content: A workbook, a CSV file, or pasted cells.
        members: The ids of members by the plain form of their names.
        chosen: The keys of our columns by the headings of foreign ones, or by their numbers,
            counted from 0; "" to ignore one. Columns without an entry are mapped to the most
            similar one.

    Raises UnreadableSpreadsheet with every wrong cell, at most 200.
    """
    reader = _Reader(read_grid(content, _is_heading, LIMITS), members, chosen or {})
    return reader.read()


@cache
def names_of_columns() -> dict[str, str]:
    """Return the keys of columns by every plain name that they have."""
    names: dict[str, str] = {}
    for column in COLUMNS:
        titles = [column.heading, column.key]
        for language, _ in settings.LANGUAGES:
            with translation.override(language):
                titles.append(column.title)
        for name in (*titles, *column.names):
            names.setdefault(plain(name), column.key)
    return names


def _is_heading(heading: str) -> bool:
    return plain(unescape_cell(heading)) in names_of_columns()


class _Reader:
    """The reader of one grid. It collects wrong cells in ``errors``."""

    def __init__(self, grid: Grid, members: Mapping[str, UUID], chosen: Chosen) -> None:
        self.grid, self.members = grid, members
        self.errors: list[CellError] = []
        self.places: dict[str, int] = {}
        self.foreign = tuple(self._read_headings(chosen))

    def read(self) -> HistorySheet:
        """Return the facts of all rows. Raises UnreadableSpreadsheet."""
        if not self.errors:
            self._refuse_missing_columns()
        facts = [] if self.errors else [self._fact(row) for row in self.grid.rows]
        if not facts and not self.errors:
            self._refuse(self.grid.headings, "player", "no-facts", gettext("No rows to import."))
        if self.errors:
            refusal = wrong_cells(self.errors[:MOST_ERRORS], self.grid)
            error = UnreadableHistory(refusal.code, refusal.sentence, refusal.cells, self.grid)
            error.foreign = self.foreign
            raise error
        strangers = {
            name
            for fact in facts
            for name, member in (
                (fact.player, fact.member_id),
                (fact.opponent, fact.opponent_member_id),
            )
            if name and member is None
        }
        return HistorySheet(self.grid, tuple(facts), self.foreign, tuple(sorted(strangers)))

    # Headings

    def _read_headings(self, chosen: Chosen) -> Iterable[ForeignColumn]:
        names = names_of_columns()
        unknown = []
        for place, cell in enumerate(self.grid.headings.cells):
            heading = unescape_cell(cell)
            key = names.get(plain(heading))
            is_chosen = place in chosen or heading in chosen
            if key is None or is_chosen or key in self.places:
                if heading:
                    unknown.append((place, heading))
            else:
                self.places[key] = place
        for place, heading in unknown:
            key = chosen.get(place, chosen.get(heading))
            if key is None:
                key = self._suggested(heading, names)
            yield ForeignColumn(
                place, column_name(place), heading, self._samples(place), self._taken(place, key)
            )

    def _taken(self, place: int, key: str) -> str:
        """Note that a foreign column is used, and return its key. An unknown key is ignored."""
        if key not in {column.key for column in COLUMNS}:
            return ""
        if key in self.places:
            sentence = gettext("Two columns are mapped to “%(name)s”. Ignore one of them.")
            title = next(each.title for each in COLUMNS if each.key == key)
            self.errors.append(
                CellError(
                    self.grid.headings.number, place, "heading-twice", sentence % {"name": title}
                )
            )
            return key
        self.places[key] = place
        return key

    def _suggested(self, heading: str, names: Mapping[str, str]) -> str:
        free = {name: key for name, key in names.items() if key not in self.places}
        close = get_close_matches(plain(heading)[:100], free, n=1, cutoff=SIMILAR)
        return free[close[0]] if close else ""

    def _samples(self, place: int) -> tuple[str, ...]:
        cells = (row.cell(place)[:40] for row in self.grid.rows[:50])
        return tuple(dict.fromkeys(each for each in cells if each))[:SAMPLES]

    def _refuse_missing_columns(self) -> None:
        for key in ("season", "player"):
            if key not in self.places:
                title = next(each.title for each in COLUMNS if each.key == key)
                sentence = gettext("There is no column “%(name)s”. Choose which column it is.")
                self.errors.append(
                    CellError(
                        self.grid.headings.number, 0, "no-heading", sentence % {"name": title}
                    )
                )

    # Rows

    def _fact(self, row: GridRow) -> PastFact:
        values: dict[str, Any] = {each.key: self._text(row, each) for each in COLUMNS}
        values["kind"] = self._word(row, "kind", KINDS, "unknown-kind") or PastKind.RESULT
        values["outcome"] = self._word(row, "outcome", OUTCOMES, "unknown-result")
        values["day"] = self._day(row)
        both = BOTH_SCORES.fullmatch(values["score"])
        if both and not values["opponent_score"]:
            values["score"], values["opponent_score"] = map(int, both.groups())
        else:
            values |= {key: self._number(row, key) for key in ("score", "opponent_score")}
        fact = PastFact(row=row.number, **values)
        fact.member_id = self.members.get(plain(fact.player)) if fact.player else None
        if fact.opponent:
            fact.opponent_member_id = self.members.get(plain(fact.opponent))
        self._check(row, fact)
        return fact

    def _check(self, row: GridRow, fact: PastFact) -> None:
        if self._is_wrong(row, "kind"):
            # What the row needs depends on its kind.
            return
        needed = {
            PastKind.RESULT: ("season", "player", "opponent"),
            PastKind.CHAMPION: ("season", "player"),
            PastKind.DEATH: ("season", "fighter"),
            PastKind.MEMBER: ("player",),
        }
        for key in needed[PastKind(fact.kind)]:
            if not getattr(fact, key) and not self._is_wrong(row, key):
                title = next(each.title for each in COLUMNS if each.key == key)
                sentence = gettext("“%(name)s” must not be blank in this row.")
                self._refuse(row, key, "required", sentence % {"name": title})
        if fact.kind != PastKind.RESULT:
            fact.outcome = ""
            return
        if fact.player and plain(fact.player) == plain(fact.opponent):
            sentence = gettext("The opponent must be another player.")
            self._refuse(row, "opponent", "same-player", sentence, fact.opponent)
        self._decide(row, fact)

    def _decide(self, row: GridRow, fact: PastFact) -> None:
        """Fill in the outcome from the scores, or check that both agree."""
        if fact.score is None or fact.opponent_score is None:
            if not fact.outcome and not any(
                self._is_wrong(row, key) for key in ("score", "opponent_score", "outcome")
            ):
                sentence = gettext("Enter both scores, or won, drew or lost as the result.")
                key = "outcome" if "outcome" in self.places else "score"
                self._refuse(row, key, "no-result", sentence)
            return
        if fact.score == fact.opponent_score:
            outcome = PastOutcome.DREW
        else:
            won = fact.score > fact.opponent_score
            outcome = PastOutcome.WON if won else PastOutcome.LOST
        # A game can be lost by the better score: what is written goes before the scores.
        fact.outcome = fact.outcome or outcome

    def _text(self, row: GridRow, column: Column) -> str:
        text = " ".join(self._cell(row, column.key).split())
        if text in SPREADSHEET_ERRORS and column.key not in CHECKED:
            sentence = gettext("“%(found)s” is an error of the spreadsheet. Enter the value.")
            self._refuse(row, column.key, "formula-error", sentence % {"found": text}, text)
            return ""
        if len(text) > column.most:
            sentence = gettext("Use at most %(most)s characters, not %(number)s.")
            values = {"most": column.most, "number": len(text)}
            self._refuse(row, column.key, "too-long", sentence % values, text[:40])
            return text[: column.most]
        return text

    def _word(self, row: GridRow, key: str, words: Mapping[str, Any], code: str) -> Any:
        text = self._cell(row, key)
        if not text:
            return ""
        if plain(text) in words:
            return words[plain(text)]
        close = get_close_matches(plain(text)[:40], words, n=1)
        kinds = dict.fromkeys(str(each.label) for each in words.values())
        sentence = gettext("Unknown value “%(found)s”. Use one of: %(words)s.") % {
            "found": text[:40],
            "words": ", ".join(kinds),
        }
        nearest = str(words[close[0]].label) if close else ""
        self._refuse(row, key, code, sentence, text[:40], nearest)
        return ""

    def _day(self, row: GridRow) -> date | None:
        text = self._cell(row, "day")
        if not text:
            return None
        day_first = DAY_FIRST.fullmatch(text)
        try:
            if day_first:
                day, month, year = map(int, day_first.groups())
                return date(year, month, day)
            return date.fromisoformat(text.partition("T")[0])
        except ValueError:
            sentence = gettext("“%(found)s” is not a date. Write 2019-03-27 or 27.3.2019.")
            self._refuse(row, "day", "not-a-date", sentence % {"found": text[:40]}, text[:40])
            return None

    def _number(self, row: GridRow, key: str) -> int | None:
        text = self._cell(row, key)
        if not text:
            return None
        whole = re.fullmatch(r"([+-]?\d{1,6})([.,]0+)?", text, re.ASCII)
        if whole and abs(int(whole[1])) <= LARGEST_SCORE:
            return int(whole[1])
        sentence = gettext("“%(found)s” is not a whole number.") % {"found": text[:40]}
        self._refuse(row, key, "not-a-number", sentence, text[:40])
        return None

    def _cell(self, row: GridRow, key: str) -> str:
        place = self.places.get(key)
        return "" if place is None else unescape_cell(row.cell(place)).strip()

    def _is_wrong(self, row: GridRow, key: str) -> bool:
        place = self.places.get(key, 0)
        return any(error.row == row.number and error.column == place for error in self.errors[-9:])

    def _refuse(
        self, row: GridRow, key: str, code: str, sentence: str, text: str = "", nearest: str = ""
    ) -> None:
        place = self.places.get(key, 0)
        self.errors.append(CellError(row.number, place, code, sentence, text, nearest))
