"""Which battles of a book begin a page, and what is set in smaller type: a battle a page, short ones together, no page
under half full, and a roster a page.

Heights are estimated from what a battle has to say, in millimetres, and rather too high than too low: the printer lays
out a page once, and whatever it is told has to hold on every paper. What fits by this estimate fits on Letter; what is
half a page by it is half of A4.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from math import ceil

from documents.content.pieces import BattleTale, Casualty, Label, Noted, RosterSheet, SideTale

FULL, HALF = 231.0, 144.0
"""The text of a page of Letter, and somewhat more than half of a page of A4."""
AIRY, ENDS, LOWER = 2.5, 40.0, 0.84
"""So many pages a battle may take in its own document before its type becomes small; the title and the last lines of
that, and how tall it is in type that is a little smaller."""
TIGHT = 0.78
"""How tall a battle in smaller type is, of what it is otherwise."""
SURE = 1.03
"""By so much may the estimate be above what there is room for: it is too high by more."""
OPENING = 30.0
BETWEEN = 9.0
TITLE, STAMP, SCORE, BAR, TABLE_HEAD, SUM = 13.0, 9.0, 37.0, 7.0, 14.0, 6.5
ABREAST = 4
"""So many sides stand beside each other in the score."""
TEXT_LINE, TEXT_LETTERS = 5.1, 98
NOTE_LINE, NOTE_LETTERS = 4.5, 115
CELL_LINE, CELL = 4.0, 66.0
"""The height of a line in the table, and how wide it is on either side."""
ROSTER, STRIP, ABREAST_AT_HEAD, ROW, UNDER, GROUP, FOOT, FOOT_LETTERS = 82.0, 12.0, 6, 6.0, 3.7, 9.0, 4.5, 105
"""The head of a roster, a second row of sums in it, and how many stand in one; a row, what stands under it, the name of
a group, a line of the foot, and how many letters stand in that."""
SANS, SERIF, SMALL = 1.3, 1.75, 1.25
"""How wide a letter of the table is at most, on average: of a reason, of a name, of what befell somebody."""


def fresh(battles: Sequence[BattleTale], words: Label) -> tuple[str, ...]:
    """The ids of the battles that begin a page; the first one stands below the title of its part.

    A battle that does not fit below what stands on a page already begins the next one if the page is half full; else
    it begins there and goes on overleaf.
    """
    found = []
    filled = OPENING
    small = tight(battles, words)
    for place, battle in enumerate(battles):
        tall = height(battle, words, small=battle.id in small)
        needed = tall + (BETWEEN if place else 0)
        if place and filled + needed > FULL and filled >= HALF:
            found.append(battle.id)
            filled, needed = 0.0, tall
        filled += needed
        while filled > FULL:
            filled -= FULL
    return tuple(found)


def tight(battles: Sequence[BattleTale], words: Label) -> tuple[str, ...]:
    """The ids of the battles that take more than a page in the usual type; the first one has the title of its part."""
    room = [FULL - OPENING * (not place) for place in range(len(battles))]
    return tuple(battle.id for battle, most in zip(battles, room, strict=True) if height(battle, words) > SURE * most)


def tight_rosters(rosters: Sequence[RosterSheet]) -> tuple[str, ...]:
    """The ids of the rosters that take more than a page in the usual type."""
    return tuple(roster.id for roster in rosters if roster_height(roster) > FULL)


def roster_height(roster: RosterSheet) -> float:
    """About how tall a roster of a book is on paper, in millimetres."""
    rows = [row for group in roster.groups for row in group.rows]
    groups = sum(bool(group.name) for group in roster.groups)
    under = sum(bool(row.arms or row.carried) for row in rows)
    story = sum(TEXT_LINE * _lines(len(each), TEXT_LETTERS) for each in roster.story.splitlines() if each.strip())
    said = sum(len(item.name) + len(item.note) + 3 for item in roster.attributes)
    bought = sum(len(line.sentence) + 8 for line in roster.bought)
    foot = sum(FOOT * _lines(letters, FOOT_LETTERS) for letters in (said, bought) if letters)
    head = ROSTER + STRIP * (len(roster.boxes) > ABREAST_AT_HEAD)
    return head + story + ROW * len(rows) + UNDER * under + GROUP * groups + foot


def height(battle: BattleTale, words: Label, *, small: bool = False) -> float:
    """About how tall a battle is on paper, in millimetres; ``small``: in smaller type."""
    rows = [battle.sides[start : start + 2] for start in range(0, len(battle.sides), 2)]
    head = TITLE + STAMP * bool(battle.state) + SCORE * -(-len(battle.sides) // ABREAST)
    verdict = TEXT_LINE * _lines(len(battle.verdict), TEXT_LETTERS - 8) + 5 if battle.verdict else 0.0
    paragraphs = [paragraph for paragraph in battle.story.splitlines() if paragraph.strip()]
    paragraphs += [" ".join(f"{told.sentence} a" for told in paragraph) for paragraph in battle.told.paragraphs]
    story = sum(TEXT_LINE * _lines(len(paragraph), TEXT_LETTERS) for paragraph in paragraphs) + 7 * bool(paragraphs)
    set_up = sum(len(item.name) + len(item.note) + 3 for item in battle.set_up)
    bars = (BAR * len(battle.sides) + 4) * words.shown.victory_points
    tables = sum(_table_height(row, words, in_runs=small and battle.in_runs) for row in rows)
    cited = sum(len(rule) + 4 for rule in battle.citations) + 40 * battle.remembered
    notes = sum(NOTE_LINE * _lines(len(reason) + 10, NOTE_LETTERS) + 3 for reason in battle.corrections)
    grounds = sum(len(note.text) + 3 for note in battle.told.notes)
    tall = head + verdict + story + _note(set_up) + bars + tables + _note(cited) + _note(grounds) + notes
    return tall * TIGHT if small else tall


def type_of_summary(battle: BattleTale, words: Label) -> str:
    """In what type a battle stands in its own document: "dense" to be told in three pages, "tight" where that spares a
    page that would bear little, else ""."""
    pages = (summary_height(battle, words) + ENDS) / FULL
    if pages > AIRY:
        return "dense"
    return "tight" if ceil(pages * LOWER) < ceil(pages) else ""


def summary_height(battle: BattleTale, words: Label) -> float:
    """About how tall a battle is with all that was earned, in millimetres."""
    earned = sum(
        1.2 + CELL_LINE * max(_wide(SMALL * (len(item.name) + len(item.note))) for item in row)
        for start in range(0, len(battle.sides), 2)
        for row in zip_longest(*(side.earned for side in battle.sides[start : start + 2]), fillvalue=Noted(""))
    )
    return height(battle, words) + earned * words.shown.experience


def _note(letters: int) -> float:
    return (NOTE_LINE * _lines(letters, NOTE_LETTERS) + 4) if letters else 0.0


def _table_height(sides: Sequence[SideTale], words: Label, *, in_runs: bool) -> float:
    told = [_cells(side, words, in_runs=in_runs) for side in sides]
    sections = zip(*told, strict=True)
    rows = (rows for section in sections for rows in _abreast(section))
    points = SUM if words.shown.victory_points else 0.0
    tall = sum(1.2 + CELL_LINE * max(row) for row in rows)
    return TABLE_HEAD + points + 3 + tall if tall or points else 0.0


def _abreast(columns: Iterable[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    columns = list(columns)
    for row in range(max(map(len, columns), default=0)):
        yield tuple(column[row] if row < len(column) else 0 for column in columns)


def _cells(side: SideTale, words: Label, *, in_runs: bool) -> tuple[list[int], list[int]]:
    """How many lines each cell of a side has: its points, and what befell its people."""
    reasons = [_wide(SANS * (len(line.sentence) + 2)) for line in side.lines] if words.shown.victory_points else []
    harmed = side.harmed_in_a_run if in_runs else side.harmed
    return reasons, [_wide(sum(map(_harm_width, cell))) for cell in harmed]


def _harm_width(casualty: Casualty) -> float:
    if not casualty.harm:
        return SERIF * (len(casualty.name) + 5)
    by = sum(len(doer.name) + 2 for doer in casualty.by)
    return SERIF * (len(casualty.name) + 4) + SMALL * (len(casualty.harm) + by + 5)


def _wide(millimetres: float) -> int:
    return _lines(round(millimetres), round(CELL))


def _lines(length: int, room: int) -> int:
    return max(1, -(-length // room))
