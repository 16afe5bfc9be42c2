"""Estimates of heights in print, in millimetres, from letter widths and the sizes of the page.

The sizes match static/print/print.css.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, zip_longest

from django.conf import settings
from fontTools.ttLib import TTFont
from msgspec import Struct
from msgspec.structs import replace

from documents.content.documents import FighterCareer
from documents.content.structs import (
    BattleNarrative,
    Casualty,
    Label,
    PrintedPicture,
    RosterSheet,
    SideNarrative,
    Written,
)
from drawings.bars import BAR, FRAME

MILLIMETRES = 25.4 / 72
"""The length of a point, in millimetres."""
UNKNOWN, WIDTH_OF_WIDE, FIRST_WIDE = 0.5, 1.0, 0x2E80
"""Widths of letters that a typeface lacks, as shares of their height.

The second one is for letters of scripts from ``FIRST_WIDE`` on, which are as wide as high.
"""

HANGING = 0.7
"""The part of the space after the last word that may extend beyond a line, in millimetres."""


class FontFace(Struct, frozen=True):
    """A typeface: its file name, its size in points, and its line height in millimetres."""

    file: str
    points: float
    line: float

    def words(self, text: str) -> list[float]:
        """Return the width of each word of a text with the space after it, in millimetres."""
        scale = self.points * MILLIMETRES
        return [scale * _wide(self.file, word) for word in text.split()]

    def tall(self, text: str, room: float) -> float:
        """Return the height of a paragraph in lines of this width, in mm; 0 without words."""
        return self.line * lines(self.words(text), room)


def serif(points: float, line: float) -> FontFace:
    """Return the typeface of people and stories; ``line`` is the line height as a multiple."""
    return FontFace("eb-garamond-regular", points, points * line * MILLIMETRES)


def sans(points: float, line: float) -> FontFace:
    """Return the typeface of tables; ``line`` is the line height as a multiple."""
    return FontFace("alegreya-sans-regular", points, points * line * MILLIMETRES)


def lines(words: Iterable[float], room: float) -> int:
    """Return the number of lines that words of these widths take.

    Only a word that is wider than a line is broken.
    """
    count, left, room = 0, 0.0, room + HANGING
    for word in words:
        if word <= left:
            left -= word
            continue
        rows = max(-(-word // room), 1)
        count, left = count + int(rows), rows * room - word
    return count


@lru_cache(maxsize=20_000)
def _wide(file: str, word: str) -> float:
    """Return the width of a word with the space after it, as a multiple of its height.

    Cached, because the same words occur often.
    """
    widths = _widths(file)
    return sum(widths.get(letter) or _unknown(letter) for letter in f"{word} ")


@lru_cache(maxsize=4)
def _widths(file: str) -> Mapping[str, float]:
    """Return the width of each letter, as a multiple of its height."""
    font = TTFont(settings.BASE_DIR / "static" / "fonts" / f"{file}.woff2", lazy=True)
    widths, height = font["hmtx"].metrics, font["head"].unitsPerEm
    return {chr(code): widths[glyph][0] / height for code, glyph in font.getBestCmap().items()}


def _unknown(letter: str) -> float:
    return WIDTH_OF_WIDE if ord(letter) >= FIRST_WIDE else UNKNOWN


WIDE = 168.0
"""The width of the text on A4, in mm; on Letter it is wider."""
ABREAST = 4
"""The most sides next to each other in the score."""
MAX_ABREAST = 3
"""The most photos next to each other."""
PAGE = 630
"""The greatest width of a chart, which is that of the text, in units of the drawings."""
TEXT, TITLE, NOTE, SOURCES = serif(10.6, 1.36), serif(17, 1.15), serif(9.4, 1.36), serif(8.2, 1.3)
WARBAND, SAID = serif(13, 1.12), serif(9.4, 1.36)
WARBAND_OF_MANY, SAID_OF_MANY = serif(11, 1.12), serif(8.4, 1.2)
STRIP, BAND, CREST = 6.7, 2.7, 15.0
"""Heights of a strip of casualties and of a colour band in the score; the width of a crest."""
CAPTION, PHOTO_GAP = (0.0, 120.0, 78.0, 53.2), 1.5
"""The width of a photo by the number in a row, and the gap between photo and caption."""
TEXT_LINE, TEXT_LETTERS = 5.1, 98
NOTE_LINE, NOTE_LETTERS = 4.5, 115
"""The heights of a line of text and of a note, and the letters in each."""
JOURNAL, ENTRY = 16.0, 8.5
ROSTER, STRIP_OF_SUMS, ABREAST_AT_HEAD, ROW, UNDER, GROUP, FOOT, FOOT_LETTERS = (
    82.0,
    12.0,
    6,
    6.0,
    3.7,
    9.0,
    4.5,
    105,
)
"""Heights of a roster, the totals in a row of its head, and the letters in a line of its foot.

The heights are for the head, a second row of totals, a row, the line under a row, the name of a
group, and a line of the foot.
"""
CAREER, CHART, CHAPTER, DONE, LEDGER, LEDGER_LETTERS = 136.0, 48.0, 19.0, 5.0, 22.0, 100
"""Heights of a career, and the letters in a line of its ledger.

The heights are for the head with the card, the chart, a battle, a line of what was earned in it,
and the head of the ledger.
"""
COLOPHON, CELL_LINE, NOTE_GAP = 17.0, 4.0, 4.0


class PageBlock(Struct, frozen=True):
    """A separate block: its height, and its least margins above and below.

    Neighbouring blocks share their margins.
    """

    tall: float
    above: float = 0.0
    below: float = 0.0


class Form(Struct, frozen=True):
    """The typefaces and spaces of a battle.

    ``around``, ``table``, ``score`` and ``bars`` are the margins above and below blocks of text,
    tables, scores and bars; ``row`` is the space in a row of a table. ``wide`` is the width of the
    bars as a share of the page, and ``photos`` are the heights of photos by the number in a row.
    """

    story: FontFace
    cell: FontFace
    name: FontFace
    befell: FontFace
    rank: FontFace
    head: FontFace
    lost: FontFace
    caption: FontFace
    around: tuple[float, float]
    table: tuple[float, float]
    row: float
    heading: float
    closing: float
    score: tuple[float, float]
    verdict: float
    sources: float
    bars: tuple[float, float]
    wide: float
    photos: tuple[float, float, float, float]


USUAL = Form(
    story=TEXT,
    cell=sans(9.2, 1.22),
    name=serif(10.6, 1.2),
    befell=sans(8.8, 1.22),
    rank=sans(8.2, 1.22),
    head=serif(10.4, 1.2),
    lost=sans(8, 1.28),
    caption=serif(8.8, 1.25),
    around=(3.0, 4.0),
    table=(3.5, 4.0),
    row=1.2,
    heading=1.9,
    closing=1.8,
    score=(3.0, 2.0),
    verdict=2.4,
    sources=4.0,
    bars=(2.0, 1.0),
    wide=1.0,
    photos=(0.0, 64.0, 58.5, 39.9),
)
SMALL = Form(
    story=serif(9.8, 1.27),
    cell=sans(8.1, 1.16),
    name=serif(9.4, 1.1),
    befell=sans(7.9, 1.16),
    rank=sans(7.6, 1.16),
    head=serif(9.4, 1.2),
    lost=sans(7.4, 1.2),
    caption=serif(7.4, 1.2),
    around=(1.6, 2.0),
    table=(1.6, 2.0),
    row=0.7,
    heading=1.1,
    closing=1.1,
    score=(2.0, 1.0),
    verdict=1.4,
    sources=2.4,
    bars=(1.0, 0.0),
    wide=0.78,
    photos=(0.0, 50.0, 45.0, 30.9),
)
PACKED = replace(
    SMALL,
    story=serif(9.2, 1.2),
    cell=sans(7.6, 1.16),
    name=serif(8.6, 1.08),
    befell=sans(7.3, 1.16),
)
LOW = 22.0
"""The height of photos next to casualties that are set in one paragraph."""


def battle_height(
    battle: BattleNarrative,
    words: Label,
    *,
    small: bool = False,
    runs: bool = False,
    packed: bool = False,
) -> float:
    """Return the height of a battle in print, in mm.

    ``small`` is for smaller type. With ``runs`` the casualties are in one paragraph, and low photos
    replace the bars. ``packed`` is as close as is readable, without bars.
    """
    form = SMALL if small else USUAL
    if packed:
        form = PACKED
    scored = words.shown.victory_points and battle.scored
    blocks = [
        *_head(battle, words, form),
        *_stories(battle, form),
        *_photos(battle.photos[:MAX_ABREAST], form, low=runs),
        *_note(NOTE, (f"{item.name} {item.note} ·" for item in battle.set_up)),
        *([_bars(battle, form)] if scored and not packed and not (runs and battle.photos) else []),
        *_tables(battle, words, form, runs=runs),
        *([] if battle.casualties else [PageBlock(NOTE.line, 1.5, 1.5)]),
        *_sources(battle, form),
        *(block for reason in battle.corrections for block in _note(NOTE, ("Corrected", reason))),
    ]
    return stacked(blocks)


def stacked(blocks: Sequence[PageBlock]) -> float:
    """Return the height of blocks above each other.

    The distance between two blocks is the larger one of their margins.
    """
    between = sum(max(above.below, below.above) for above, below in pairwise(blocks))
    return sum(block.tall for block in blocks) + between


def _head(battle: BattleNarrative, words: Label, form: Form) -> Iterator[PageBlock]:
    yield PageBlock(TITLE.tall(f"{battle.number}. {battle.title}", WIDE - 32), 0, 0.6)
    yield PageBlock(TEXT.line)
    if battle.state:
        yield PageBlock(TEXT.line + 2, 2, 2)
    for start in range(0, len(battle.sides), ABREAST):
        above, below = form.score
        row = battle.sides[start : start + ABREAST]
        yield PageBlock(
            max(_score(side, len(row), words) for side in row), above if not start else 0, below
        )
    if battle.verdict:
        yield PageBlock(TEXT.tall(battle.verdict, WIDE - 12), form.verdict, form.verdict)


def _score(side: SideNarrative, abreast: int, words: Label) -> float:
    """Return the height of the score of a side, with this many sides next to each other."""
    many = abreast > 2
    named, detail = (WARBAND_OF_MANY, SAID_OF_MANY) if many else (WARBAND, SAID)
    room = WIDE / abreast - (4 if many else 3)
    brought = (
        f"{side.fielded} fielded, {side.points} points"
        if words.shown.points
        else f"{side.fielded} fielded"
    )
    about = " · ".join(filter(None, (side.role, side.player, brought)))
    above = 1.6 if many else 2.4
    if side.colour:
        above += BAND
    if side.marks:
        above += STRIP
    figure = 8.4 if many else 12.8
    bare = 0.0 if words.shown.victory_points else 4.2
    beside = room - CREST if side.crest else room
    return (
        above + named.tall(side.warband, beside) + detail.tall(about, beside) + figure - bare + 0.6
    )


def _stories(battle: BattleNarrative, form: Form) -> Iterator[PageBlock]:
    """Yield the text that a member wrote about the battle, and the story that Muster writes."""
    paragraphs = [each for each in battle.story.splitlines() if each.strip()]
    if paragraphs:
        grand = 4 * (len(battle.story) > 250)
        tall = sum(
            form.story.tall(each, WIDE - 16 * each.startswith(">") - 3) for each in paragraphs
        )
        above, below = form.around
        yield PageBlock(
            tall + 4 * sum(each.startswith(">") for each in paragraphs), above + grand, below
        )
    if battle.told.paragraphs:
        paragraph_texts = (
            " ".join(f"{each.sentence}ab" for each in paragraph)
            for paragraph in battle.told.paragraphs
        )
        yield PageBlock(
            sum(form.story.tall(each, WIDE - 5) for each in paragraph_texts), *form.around
        )


def _photos(
    shown: Sequence[PrintedPicture], form: Form, *, low: bool = False
) -> Iterator[PageBlock]:
    """Yield photos in rows."""
    for start in range(0, len(shown), MAX_ABREAST):
        row = shown[start : start + MAX_ABREAST]
        abreast = min(len(shown), MAX_ABREAST)
        captions = max(form.caption.tall(each.caption, CAPTION[abreast] - 4) for each in row)
        yield PageBlock((LOW if low else form.photos[abreast]) + PHOTO_GAP + captions, 2.4, 2.4)


def _note(
    face: FontFace, texts: Iterable[str], above: float = 1.5, below: float = 1.5
) -> Iterator[PageBlock]:
    """Yield a note with these texts one after the other; nothing if there are none."""
    words = [width for each in texts for width in face.words(each)]
    if words:
        yield PageBlock(face.line * lines(words, WIDE), above, below)


def _bars(battle: BattleNarrative, form: Form) -> PageBlock:
    return PageBlock((BAR * len(battle.sides) + FRAME) * WIDE / PAGE * form.wide, *form.bars)


def _sources(battle: BattleNarrative, form: Form) -> Iterator[PageBlock]:
    sources = [f"1 {rule}" for rule in battle.citations]
    sources += ["† For details, see In memoriam."] * battle.remembered
    sources += [f"a {note.text}" for note in battle.told.notes]
    return _note(SOURCES, sources, 0.6, form.sources)


def _tables(
    battle: BattleNarrative, words: Label, form: Form, *, runs: bool
) -> Iterator[PageBlock]:
    """Yield the tables of the sides, two next to each other: scores and casualties."""
    for start in range(0, len(battle.sides), 2):
        row = battle.sides[start : start + 2]
        scored, harmed = words.shown.victory_points, any(side.casualties for side in row)
        if not scored and not harmed:
            continue
        room = WIDE / len(row) - 16.5
        tall = form.heading + max(form.head.tall(side.warband, room) for side in row)
        if scored:
            points = (
                [lines(form.cell.words(f"{line.sentence}12"), room) for line in side.lines]
                for side in row
            )
            tall += sum(form.row + form.cell.line * count for count in _abreast(points))
            tall += form.cell.line + form.closing
        if harmed:
            hurt = (
                [_harm(cell, form, room, ranks=words.shown.ranks, runs=runs) for cell in cells]
                for cells in (side.harmed_in_a_run if runs else side.harmed for side in row)
            )
            tall += form.lost.line + 1.6 + sum(form.row + cell for cell in _abreast(hurt))
        yield PageBlock(tall + 0.6, *form.table)


def _abreast(columns: Iterable[Sequence[float]]) -> Iterator[float]:
    """Return the largest value of each row."""
    return (max(row) for row in zip_longest(*columns, fillvalue=0))


def _harm(cell: Sequence[Casualty], form: Form, room: float, *, ranks: bool, runs: bool) -> float:
    """Return the height of a cell with casualties.

    A line with a name in it is as high as the type of names.
    """
    words: list[float] = []
    for casualty in cell:
        words += form.name.words(f"{'† ' * (runs and casualty.dead)}{casualty.name}")
        words += form.rank.words("III") if ranks else []
        if casualty.harm:
            by = f", by {', '.join(doer.name for doer in casualty.by)}" if casualty.by else ""
            after = f", {casualty.after}" if casualty.after else ""
            words += form.befell.words(f"{casualty.harm}{by}{after}{' ·' * runs}")
    count = lines(words, room)
    return (
        form.name.line * count if len(cell) > 1 else form.name.line + form.befell.line * (count - 1)
    )


def summary_height(battle: BattleNarrative, words: Label, *, small: bool = False) -> float:
    """Return the height of a battle in its own document, with all experience and photos."""
    form = SMALL if small else USUAL
    earned = _earnings(battle, form) if words.shown.experience else ()
    blocks = [*_photos(battle.photos[MAX_ABREAST:], form), *earned]
    return battle_height(battle, words, small=small) + stacked(blocks)


def _earnings(battle: BattleNarrative, form: Form) -> Iterator[PageBlock]:
    """Yield the tables of experience earned, two sides next to each other."""
    note, name = sans(8.4, 1.22), serif(10, 1.2)
    for start in range(0, len(battle.sides), 2):
        row = battle.sides[start : start + 2]
        room = WIDE / len(row) - 6
        line_counts = (
            [lines([*name.words(item.name), *note.words(item.note)], room) for item in side.earned]
            for side in row
        )
        tall = sum(
            form.row + name.line + note.line * (count - 1) for count in _abreast(line_counts)
        )
        yield PageBlock(form.heading + form.head.line + tall, *form.around)


def journal_height(journal: Sequence[Written]) -> float:
    """Return the estimated height of journal entries, in millimetres."""
    paragraphs = (each for entry in journal for each in entry.text.splitlines() if each.strip())
    rows = sum(_rows(len(each), TEXT_LETTERS - 6) for each in paragraphs)
    return JOURNAL + ENTRY * len(journal) + TEXT_LINE * rows if journal else 0.0


def roster_height(roster: RosterSheet) -> float:
    """Return the estimated height of a roster in a book, in millimetres."""
    rows = [row for group in roster.groups for row in group.rows]
    groups = sum(bool(group.name) for group in roster.groups)
    under = sum(bool(row.arms or row.carried) for row in rows)
    story = sum(
        TEXT_LINE * _rows(len(each), TEXT_LETTERS)
        for each in roster.story.splitlines()
        if each.strip()
    )
    attribute_letters = sum(len(item.name) + len(item.note) + 3 for item in roster.attributes)
    bought = sum(len(line.sentence) + 8 for line in roster.bought)
    foot = sum(
        FOOT * _rows(letters, FOOT_LETTERS) for letters in (attribute_letters, bought) if letters
    )
    head = ROSTER + STRIP_OF_SUMS * (len(roster.boxes) > ABREAST_AT_HEAD)
    return head + story + ROW * len(rows) + UNDER * under + GROUP * groups + foot


def career_height(career: FighterCareer) -> float:
    """Return the estimated height of a career, in millimetres."""
    story = sum(
        TEXT_LINE * _rows(len(each), TEXT_LETTERS)
        for each in career.card.story.splitlines()
        if each.strip()
    )
    letters = sum(
        len(each.name) + len(each.note) + 4
        for each in (*career.card.attributes, *career.card.equipment)
    )
    price = sum(len(line.sentence) + 6 for line in career.price)
    priced = NOTE_LINE * _rows(price, NOTE_LETTERS) + NOTE_GAP if price else 0.0
    head = (
        CAREER + story + NOTE_LINE * (letters // NOTE_LETTERS + len(career.card.weapons)) + priced
    )
    earns = career.words.shown.experience
    grew = any(each.grown if earns else each.deeds for each in career.chapters)
    chart = CHART * (len(career.chapters) > 1 and bool(grew))
    done = sum(bool(each.gain) + len(each.rank_ups) for each in career.chapters)
    deed_count = sum(len(each.deeds) for each in career.chapters)
    chapters = CHAPTER * len(career.chapters) + TEXT_LINE * deed_count + DONE * done
    rows = sum(
        2.0 + CELL_LINE * _rows(len(line.sentence) + len(line.rule), LEDGER_LETTERS)
        for line in career.ledger
    )
    ledger = LEDGER + rows if career.ledger else 0.0
    return head + chart + chapters + ledger + COLOPHON


def _rows(length: int, room: int) -> int:
    return max(1, -(-length // room))
