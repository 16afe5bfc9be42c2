"""Which battles of a book begin a page, and what is set in smaller type: a battle a page, short ones together, no page
under half full, and a roster a page.

Heights are estimated from what a battle has to say, in millimetres, and rather too high than too low: the printer lays
out a page once, and whatever it is told has to hold on every paper.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from math import ceil

from msgspec import Struct

from documents.content.kinds import FighterCareer
from documents.content.pieces import BattleTale, Casualty, Label, Noted, Pictured, RosterSheet, SideTale, Written

FULL, FULL_OF_A4, LITTLE = 231.0, 249.0, 77.0
"""The text of a page of Letter and of A4, and what is little beside a battle."""
PAPERS = (FULL, FULL_OF_A4)
AIRY, ENDS, LOWER = 2.5, 40.0, 0.84
"""So many pages a battle may take in its own document before its type becomes small; the title and the last lines of
that, and how tall it is in type that is a little smaller."""
TIGHT, PACKED = 0.78, 0.74
"""How tall a battle in smaller type is, and in the smallest, of what it is otherwise."""
LEAN, LEAN_OF_TEXT = 0.86, 0.92
"""How tall at least a battle turns out to be, and a text, of what is estimated."""
KEPT, KEPT_OF_TEXT = 60.0, 26.0
"""The head of a battle, and the first lines of a text with what stands above them, which no page break parts."""
SURE = 1.03
"""By so much may the estimate be above what there is room for: it is too high by more."""
OPENING, COLOPHON, JOURNAL, ENTRY = 30.0, 17.0, 16.0, 8.5
BETWEEN = 9.0
TITLE, STAMP, SCORE, BAR, TABLE_HEAD, SUM = 13.0, 9.0, 37.0, 7.0, 14.0, 6.5
ABREAST = 4
"""So many sides stand beside each other in the score."""
TITLE_LETTERS, HEAD_LETTERS, SCORE_LETTERS, SCORE_LETTERS_OF_MANY = 52, 45, (37, 52), (20, 27)
SAID_BY_ALL, CREST = 26, 8
"""How many letters stand in a line of a battle's title, of a table's head, and in the score of a warband's name and of
what is said below it; how many say how many were fielded, and for how many a crest leaves no room."""
TEXT_LINE, TEXT_LETTERS = 5.1, 98
NOTE_LINE, NOTE_LETTERS, NONE = 4.5, 115, 8.0
CELL_LINE, CELL = 4.0, 66.0
"""The height of a line in the table, and how wide it is on either side."""
ROSTER, STRIP, ABREAST_AT_HEAD, ROW, UNDER, GROUP, FOOT, FOOT_LETTERS = 82.0, 12.0, 6, 6.0, 3.7, 9.0, 4.5, 105
"""The head of a roster, a second row of sums in it, and how many stand in one; a row, what stands under it, the name of
a group, a line of the foot, and how many letters stand in that."""
PHOTOS, CAPTION_LINE, CAPTION_LETTERS = (0.0, 72.0, 66.5, 48.0), 3.9, (1, 70, 48, 33)
LOW, MOST_ABREAST = 37.0, len(PHOTOS) - 1
"""How high a row of one, two or three photos is, a line below them, and how many letters stand in that; a low row."""
SHORT, CLOSER = 0.35, 0.86
"""How much of a last page is little, and how tall a career is that stands close."""
CAREER, CHART, CHAPTER, DONE, LEDGER, LEDGER_LETTERS = 136.0, 48.0, 19.0, 5.0, 22.0, 100
"""The head of a career with its card, its chart, a battle, what was earned in it, the head of the ledger, and how many
letters stand in a line of that."""
SANS, SERIF, SMALL = 1.3, 1.75, 1.25
"""How wide a letter of the table is at most, on average: of a reason, of a name, of what befell somebody."""


class Typesetting(Struct, frozen=True):
    """How the battles of a book are set, by their ids: what begins a page (a battle, or as "journal-<id>" what was
    written before it), which are kept whole, which stand in smaller type, have their casualties in runs, and are set as
    close as can be read, without bars."""

    fresh: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()
    tight: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    packed: tuple[str, ...] = ()

    def begins(self, battle: BattleTale) -> bool:
        """Whether a page begins with the battle and all that was written before it."""
        return (f"journal-{battle.id}" if battle.journal else battle.id) in self.fresh


class Sheet:
    """How far a page of one paper is filled, in millimetres: at least, and at most, which may be on the next page."""

    def __init__(self, full: float, least: float = 0.0, most: float = 0.0) -> None:
        self.full, self.least, self.most = full, least, most

    @property
    def is_known(self) -> bool:
        """Whether it is known what page this is."""
        return self.most < self.full

    @property
    def is_half_full(self) -> bool:
        """Whether the page is half full in any case."""
        return self.least >= self.full / 2

    def has_room(self, tall: float) -> bool:
        """Whether something fits below what stands there in any case."""
        return self.is_known and self.most + tall <= SURE * self.full

    def may_push(self, tall: float) -> bool:
        """Whether something that is kept whole leaves no page less than half full: it fits, or the page is."""
        overleaf = 0.0 if self.is_known else self.most - self.full
        return self.has_room(tall) or (self.is_half_full and overleaf + tall <= SURE * self.full)

    def with_text(self, tall: float) -> "Sheet":
        """The page after a text below what stands there, which goes on overleaf if need be."""
        return self._running_on(tall * LEAN_OF_TEXT, tall, KEPT_OF_TEXT)

    def with_battle(self, tall: float) -> "Sheet":
        """The page after a battle that may be broken."""
        return self._running_on(tall * LEAN, tall, KEPT)

    def with_whole(self, tall: float) -> "Sheet":
        """The page after a battle below what stands there, or overleaf if it does not fit."""
        below = min(self.most + tall, self.full - 1) if self.is_known else self.most - self.full + tall
        return Sheet(self.full, tall * LEAN, max(below, tall))

    def _running_on(self, least: float, most: float, kept: float) -> "Sheet":
        """The page after so much, of which so much stands together, so that a gap may be left at the foot of a page."""
        if self.has_room(most):
            return Sheet(self.full, self.least + least, min(self.most + most, self.full - 1))
        pages = int((self.least + least) // self.full)
        after = self.most + most + kept - pages * self.full
        return Sheet(self.full, self.least + least - pages * self.full, min(after, 2 * self.full))


FORMS: Sequence[Mapping[str, bool]] = (
    {},
    {"small": True},
    {"small": True, "runs": True},
    {"small": True, "runs": True, "packed": True},
)
"""How a battle can be set, from the usual type to the closest."""


def typesetting(battles: Sequence[BattleTale], words: Label) -> Typesetting:
    """How the battles of a book are set; the first one stands below the title of its part.

    A battle that takes more than a page is set smaller. One that does not fit below what stands on a page already
    begins the next one if the page is half full; else it is set smaller, or goes on overleaf. What was written before
    it stands above it if that is little; else that is text that runs on from page to page.
    """
    found: dict[str, list[str]] = {"fresh": [], "whole": [], "tight": [], "runs": [], "packed": []}
    sheets = [Sheet(full, OPENING * LEAN, OPENING) for full in PAPERS]
    for place, battle in enumerate(battles):
        written, between = journal_height(battle.journal), BETWEEN * bool(place)
        above = between + (written if written < LITTLE else 0)
        tall = [above + height(battle, words, **form) for form in FORMS]
        room = SURE * (FULL - OPENING * (not place)) + between
        usual = next((form for form, each in enumerate(tall) if each <= room), len(FORMS) - 1)
        key = f"journal-{battle.id}" if battle.journal else battle.id
        if written >= LITTLE:
            below = [sheet.with_text(between + written) for sheet in sheets]
            alone = [Sheet(full).with_text(written) for full in PAPERS]
            if place and _ends_page(sheets) and not _stands(below, tall[usual]) and _stands(alone, tall[usual]):
                found["fresh"].append(key)
                below = alone
            sheets, key = below, battle.id
        form = usual
        if _fit(sheets, tall[usual]) or (not place and not battle.journal):
            sheets = [sheet.with_battle(tall[usual]) for sheet in sheets]
        elif _ends_page(sheets):
            found["fresh"].append(key)
            sheets = [Sheet(full).with_battle(tall[usual] - between) for full in PAPERS]
        else:
            safe = (each for each in range(usual, len(FORMS)) if all(sheet.may_push(tall[each]) for sheet in sheets))
            form = next(safe, -1)
            if form >= 0:
                found["whole"].append(battle.id)
                sheets = [sheet.with_whole(tall[form]) for sheet in sheets]
            else:
                form = usual
                sheets = [sheet.with_battle(tall[form]) for sheet in sheets]
        for name in ("tight", "runs", "packed")[:form]:
            found[name].append(battle.id)
    return Typesetting(**{name: tuple(ids) for name, ids in found.items()})


def _fit(sheets: Sequence[Sheet], tall: float) -> bool:
    return all(sheet.has_room(tall) for sheet in sheets)


def _ends_page(sheets: Sequence[Sheet]) -> bool:
    """Whether the page may end here on either paper."""
    return all(sheet.is_known and sheet.is_half_full for sheet in sheets)


def _stands(sheets: Sequence[Sheet], tall: float) -> bool:
    """Whether a battle fits below what stands on a page, or may begin the next one."""
    return _fit(sheets, tall) or _ends_page(sheets)


def tight_rosters(rosters: Sequence[RosterSheet]) -> tuple[str, ...]:
    """The ids of the rosters that take more than a page in the usual type; the last lines of a book stand below the
    last one."""
    room = [FULL - COLOPHON * (place == len(rosters)) for place in range(1, len(rosters) + 1)]
    return tuple(roster.id for roster, most in zip(rosters, room, strict=True) if roster_height(roster) > most)


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


def height(battle: BattleTale, words: Label, *, small: bool = False, runs: bool = False, packed: bool = False) -> float:
    """About how tall a battle is on paper, in millimetres; ``small``: in smaller type; ``runs``: its casualties stand
    one after the other, and low photos take the place of its bars; ``packed``: as close as can be read, without bars.
    """
    rows = [battle.sides[start : start + 2] for start in range(0, len(battle.sides), 2)]
    head = (
        TITLE + 7 * (_lines(len(battle.title), TITLE_LETTERS) - 1) + STAMP * bool(battle.state) + _score_height(battle)
    )
    verdict = TEXT_LINE * _lines(len(battle.verdict), TEXT_LETTERS - 8) + 5 if battle.verdict else 0.0
    paragraphs = [paragraph for paragraph in battle.story.splitlines() if paragraph.strip()]
    paragraphs += [" ".join(f"{told.sentence} a" for told in paragraph) for paragraph in battle.told.paragraphs]
    story = sum(TEXT_LINE * _lines(len(paragraph), TEXT_LETTERS) for paragraph in paragraphs) + 7 * bool(paragraphs)
    set_up = sum(len(item.name) + len(item.note) + 3 for item in battle.set_up)
    shown = battle.photos[:MOST_ABREAST]
    bars = (
        (BAR * len(battle.sides) + 4) * words.shown.victory_points * battle.scored * (not runs or not (shown or packed))
    )
    tables = sum(_table_height(row, words, runs=runs) for row in rows)
    cited = sum(len(rule) + 4 for rule in battle.citations) + 40 * battle.remembered
    none = NONE * (not battle.casualties)
    notes = none + sum(NOTE_LINE * _lines(len(reason) + 10, NOTE_LETTERS) + 3 for reason in battle.corrections)
    grounds = sum(len(note.text) + 3 for note in battle.told.notes)
    photos = _captions(shown) + (LOW * bool(shown) if runs else PHOTOS[len(shown)])
    tall = head + verdict + story + photos + _note(set_up) + bars + tables + _note(cited) + _note(grounds) + notes
    return tall * (PACKED if packed else TIGHT if small else 1)


def _score_height(battle: BattleTale) -> float:
    """That of the scores: taller where a name, or what is said below it, takes several lines, and where crests leave it
    less room."""
    tall = 0.0
    for start in range(0, len(battle.sides), ABREAST):
        row = battle.sides[start : start + ABREAST]
        names, said = SCORE_LETTERS_OF_MANY if len(row) > 2 else SCORE_LETTERS
        lines = max(_lines(len(side.warband), names - CREST * bool(side.crest)) for side in row)
        beside = max(len(side.role) + len(side.player) + SAID_BY_ALL + CREST * bool(side.crest) for side in row)
        below = _lines(beside, said)
        tall += SCORE + TEXT_LINE * (lines + below - 2)
    return tall


def journal_height(journal: Sequence[Written]) -> float:
    """About how tall some entries of the journal are on paper, in millimetres."""
    told = (each for entry in journal for each in entry.text.splitlines() if each.strip())
    lines = sum(_lines(len(each), TEXT_LETTERS - 6) for each in told)
    return JOURNAL + ENTRY * len(journal) + TEXT_LINE * lines if journal else 0.0


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
    more = range(MOST_ABREAST, len(battle.photos), MOST_ABREAST)
    photos = sum(PHOTOS[MOST_ABREAST] + _captions(battle.photos[start : start + MOST_ABREAST]) for start in more)
    return height(battle, words) + earned * words.shown.experience + photos


def _captions(photos: Sequence[Pictured]) -> float:
    room = CAPTION_LETTERS[len(photos)]
    return CAPTION_LINE * max((_lines(len(each.caption), room) for each in photos if each.caption), default=0)


def type_of_career(career: FighterCareer) -> str:
    """In what type a career stands: "tight" where its last page would bear little on either paper and goes then."""
    tall = career_height(career)
    pages = [(tall / full, tall * CLOSER / full) for full in (FULL, FULL_OF_A4)]
    return "tight" if any(usual % 1 < SHORT and ceil(lower) < ceil(usual) for usual, lower in pages) else ""


def career_height(career: FighterCareer) -> float:
    """About how tall a career is, in millimetres."""
    story = sum(TEXT_LINE * _lines(len(each), TEXT_LETTERS) for each in career.card.story.splitlines() if each.strip())
    said = sum(len(each.name) + len(each.note) + 4 for each in (*career.card.attributes, *career.card.equipment))
    price = sum(len(line.sentence) + 6 for line in career.price)
    head = CAREER + story + NOTE_LINE * (said // NOTE_LETTERS + len(career.card.weapons)) + _note(price)
    earns = career.words.shown.experience
    grew = any(each.gain if earns else each.deeds for each in career.chapters)
    chart = CHART * (len(career.chapters) > 1 and bool(grew))
    done = sum(bool(each.gain) + len(each.rank_ups) for each in career.chapters)
    told = sum(len(each.deeds) for each in career.chapters)
    chapters = CHAPTER * len(career.chapters) + TEXT_LINE * told + DONE * done
    rows = sum(2.0 + CELL_LINE * _lines(len(line.sentence) + len(line.rule), LEDGER_LETTERS) for line in career.ledger)
    return head + chart + chapters + (LEDGER + rows) * bool(career.ledger) + COLOPHON


def _note(letters: int) -> float:
    return (NOTE_LINE * _lines(letters, NOTE_LETTERS) + 4) if letters else 0.0


def _table_height(sides: Sequence[SideTale], words: Label, *, runs: bool) -> float:
    told = [_cells(side, words, runs=runs) for side in sides]
    sections = zip(*told, strict=True)
    rows = (rows for section in sections for rows in _abreast(section))
    points = SUM if words.shown.victory_points else 0.0
    tall = sum(1.2 + CELL_LINE * max(row) for row in rows)
    heads = TEXT_LINE * (max(_lines(len(side.warband), HEAD_LETTERS) for side in sides) - 1)
    return TABLE_HEAD + heads + points + 3 + tall if tall or points else 0.0


def _abreast(columns: Iterable[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    columns = list(columns)
    for row in range(max(map(len, columns), default=0)):
        yield tuple(column[row] if row < len(column) else 0 for column in columns)


def _cells(side: SideTale, words: Label, *, runs: bool) -> tuple[list[int], list[int]]:
    """How many lines each cell of a side has: its points, and what befell its people."""
    reasons = [_wide(SANS * (len(line.sentence) + 2)) for line in side.lines] if words.shown.victory_points else []
    harmed = side.harmed_in_a_run if runs else side.harmed
    return reasons, [_wide(sum(map(_harm_width, cell))) for cell in harmed]


def _harm_width(casualty: Casualty) -> float:
    if not casualty.harm:
        return SERIF * (len(casualty.name) + 5)
    by = sum(len(doer.name) + 2 for doer in casualty.by) + len(casualty.after)
    return SERIF * (len(casualty.name) + 4) + SMALL * (len(casualty.harm) + by + 5)


def _wide(millimetres: float) -> int:
    return _lines(round(millimetres), round(CELL))


def _lines(length: int, room: int) -> int:
    return max(1, -(-length // room))
