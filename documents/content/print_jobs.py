"""The plans of one run of the printer: for a whole document, or for the parts of a big one.

A big campaign's summary is split into front matter and body parts. Any worker can set a body part.
The front matter (title page and contents) is set last, when all page numbers are known. How the
battles of a plan share its pages is decided when it is printed (documents/pagination.py).
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Literal, TypeVar

from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import replace

from documents.content.documents import (
    AnyContent,
    BattleSummary,
    CampaignSummary,
    Ending,
    Fallen,
    WarbandBook,
    WarbandChapter,
    WarbandHistory,
)
from documents.content.structs import BattleNarrative, PrintedPicture, RosterSheet

IN_ONE_GO = 24
"""The most pages that are set in one run, for the memory of a worker and its time limit."""
PAGES_A_PART = 12
"""The usual number of pages of a part.

A worker needs about 150 MB for itself and 6 MB for each page.
"""
PAGES_A_BATTLE = 1.0
MIN_KILLS = 2
"""The fewest killings with a known killer that are drawn."""
PEOPLE_A_PAGE, ROWS_A_PAGE, STEPS_A_PAGE = 14, 22, 7
STEPS_A_PART = 56
"""The number of battles in a warband's history after which another part begins.

A page of a history needs 11 MB, nearly twice as much as others.
"""
FALLEN_A_PART = 400
"""The number of the fallen after which the next evening begins another part."""
PHOTOS_OF_A_BATTLE = 3
"""The most photos on the page of a battle. The others are plates: in a book behind all battles."""
PLATES_A_PART = 60
"""The number of photos after which the plates of the next battle begin another part."""
LONG_LOSSES = 24
"""The number of casualties from which a battle's own document has them in paragraphs."""

LOW_OPENING, HALF_TITLE = "opening", "half-title"
"""The marks of a low title of the battles, and of one that has a page of its own."""
CHART = 30.0
"""The usual height of a chart of a battle in mm: of the hits, and of the strength of the sides."""

PhotoSize = Literal["large", "row", "margin", "after", "end"]
"""The size of a battle's photos.

"large" is the first one as wide as the text and the others below it, "row" is all of them in one
row, "margin" is all of them in the margin, and "after" is large ones on the page after the battle.
"end" is large ones on the last page of a battle that page breaks divide, below its text.
"""

Thing = TypeVar("Thing")


class Entry(Struct, frozen=True):
    """A line of the contents.

    ``page`` is the page number, if it must be known in advance. ``number`` and ``on`` are the
    number and day (ISO) of a battle, because battles may have the same title.
    """

    anchor: str
    title: str
    part: bool = False
    page: str = ""
    number: int = 0
    on: str = ""

    @property
    def bookmark(self) -> str:
        """The text of the entry in the file's outline."""
        return f"{self.number}. {self.title}" if self.number else self.title


class ShownPictures(Struct, frozen=True):
    """The sections of a campaign's summary in a plan, in addition to the content's lists.

    ``people`` is the part with the champion's page, ``end`` that with index and colophon.
    With ``apart``, other plans set the rest, and the binder adds page numbers and links between
    them. ``leaf`` adds an empty page at the end, so that the next part begins on a right page.
    ``plates`` has the photos that are not on the pages of the battles; with ``only_plates`` the
    battles themselves are in another plan. ``fallen`` is the number of the fallen in the plan, if
    others have the rest (0: all), and ``fallen_begin`` is False if they began in another plan.
    ``history_begins`` is False if the plan has the rest of a warband's history.
    """

    front: bool = False
    standings: bool = False
    battles_begin: bool = False
    people: bool = False
    plates: bool = False
    only_plates: bool = False
    end: bool = False
    apart: bool = False
    body: bool = True
    leaf: bool = False
    fallen: int = 0
    fallen_begin: bool = True
    history_begins: bool = True


class BattleForm(Struct, frozen=True):
    """The layout of a battle. The sizes of type are the same in every form.

    ``fresh`` begins a page with the battle, or with the journal entries before it. ``divided`` lets
    page breaks divide a battle that does not fit on a page. ``flows`` is for a battle after long
    journal entries, which run from page to page; then only the battle is ``fresh``. ``run`` has the
    casualties of a side in one paragraph, and ``beside`` has them in the narrow column next to the
    text; then the chart of hits is below the text, or with ``wide`` below both columns. ``low`` has
    a lower head with title and score. ``gap`` is the space between the blocks of the battle in
    millimetres, 0 for the usual one. ``chart`` is the height of the chart of hits in millimetres,
    ``strength`` that of the strength turn by turn, 0 for none.
    """

    fresh: bool = False
    divided: bool = False
    flows: bool = False
    run: bool = False
    beside: bool = False
    wide: bool = False
    low: bool = False
    photos: PhotoSize = "large"
    gap: float = 0
    chart: float = 0
    strength: float = 0

    @property
    def chart_in_text(self) -> bool:
        """True if the chart of hits is in the column of the text."""
        return self.beside and not self.wide

    @property
    def is_fresh(self) -> bool:
        """True if a page begins with the battle, after journal entries."""
        return self.fresh and self.flows

    @property
    def follow(self) -> bool:
        """True if the photos follow the battle."""
        return self.photos in ("after", "end")

    @property
    def style(self) -> str:
        """The style of the battle's element, "" for the usual space between its blocks."""
        return f"--gap: {self.gap:.2f}mm" if self.gap else ""


class Plan(Struct, frozen=True):
    """The input of a template: a content, or a part of one, and how to show it.

    ``forms`` are the forms of battles by their ids; a battle without one has the usual form.
    ``tight`` has the ids of rosters and the anchors of histories in smaller type, the id of a
    career in closer type, and ``LOW_OPENING`` or ``HALF_TITLE`` for the title of the battles.
    ``pages`` has the page of each anchor in other parts.
    """

    content: AnyContent
    shown: ShownPictures = ShownPictures()
    entries: tuple[Entry, ...] = ()
    forms: Mapping[str, BattleForm] = {}
    tight: tuple[str, ...] = ()
    pages: Mapping[str, str] = {}


def plans(content: AnyContent) -> tuple[Plan, ...]:
    """Return one plan for a whole content, or the front matter and body parts of a big one.

    The parts are in the order of the pages.
    """
    if isinstance(content, BattleSummary):
        battle = content.battle
        form = BattleForm(
            divided=True,
            run=battle.casualties > LONG_LOSSES,
            chart=CHART if battle.has_hits else 0,
        )
        return (Plan(content, forms={battle.id: form}),)
    if not isinstance(content, CampaignSummary):
        return (Plan(content),)
    whole = ShownPictures(
        front=True, standings=True, battles_begin=True, people=True, plates=True, end=True
    )
    if _pages(content) <= IN_ONE_GO:
        return (Plan(content, whole, entries(content)),)
    return _parts(content)


def entries(content: CampaignSummary) -> tuple[Entry, ...]:
    """Return all lines of the contents, in the order of the pages."""
    tales = (
        Entry(f"battle-{battle.id}", battle.title, number=battle.number, on=battle.fought_on)
        for battle in content.battles
    )
    return (
        _overview_entry(content),
        *((Entry("players", gettext("The players"), part=True),) if content.players else ()),
        *((Entry("battles", gettext("The battles"), part=True), *tales) if content.battles else ()),
        *((Entry("plates", gettext("Photographs"), part=True),) if has_plates(content) else ()),
        *((Entry("ending", _ending_title(content.ending), part=True),) if content.ending else ()),
        *((Entry("veterans", gettext("Veterans"), part=True),) if content.veterans else ()),
        *(
            (Entry("records", gettext("Records"), part=True),)
            if content.records and not content.veterans
            else ()
        ),
        *_kill_entries(content),
        *((Entry("memorial", gettext("In memoriam"), part=True),) if content.memorial else ()),
        *_warband_entries(content),
        *((Entry("index", gettext("Index of persons"), part=True),) if content.index else ()),
        Entry("colophon", gettext("About this book"), part=True),
    )


def _overview_entry(content: CampaignSummary) -> Entry:
    """Return the entry of the first chapter."""
    if isinstance(content, WarbandBook):
        return Entry("timeline", gettext("Timeline"), part=True)
    return Entry("standings", gettext("Standings"), part=True)


def _ending_title(ending: Ending) -> str:
    if len(ending.champions) > 1:
        return gettext("The champions")
    return gettext("The champion") if ending.champions else gettext("The end")


def _kill_entries(content: CampaignSummary) -> Iterator[Entry]:
    if sum(fallen.killer is not None for fallen in content.killings) >= MIN_KILLS:
        yield Entry("kills", gettext("Who killed whom"), part=True)  # wording: ok


def _warband_entries(content: CampaignSummary) -> Iterator[Entry]:
    """Yield the entries of warbands; a roster with a history is below it."""
    for chapter in content.chapters:
        if chapter.history:
            yield Entry(chapter.history.anchor, chapter.history.name, part=True)
        if chapter.roster:
            title = gettext("Roster") if chapter.history else chapter.roster.name
            yield Entry(f"roster-{chapter.roster.id}", title, part=not chapter.history)


def plates_of(battle: BattleNarrative) -> tuple[PrintedPicture, ...]:
    """Return the photos of a battle that a book has as plates."""
    return battle.photos[PHOTOS_OF_A_BATTLE:]


def has_plates(content: CampaignSummary) -> bool:
    """Return whether a book has photos as plates."""
    return any(plates_of(battle) for battle in content.battles)


def _pages(content: CampaignSummary) -> float:
    """Return the estimated number of pages."""
    people = (len(content.veterans) + len(content.memorial)) / PEOPLE_A_PAGE
    chapters = sum(map(_chapter_pages, content.chapters))
    if isinstance(content, WarbandBook):
        chapters += sum(len(each.steps) for each in content.histories) / STEPS_A_PAGE
    return PAGES_A_BATTLE * len(content.battles) + people + chapters


def _chapter_pages(chapter: WarbandChapter) -> float:
    history = 0.5 + len(chapter.history.steps) / STEPS_A_PAGE if chapter.history else 0
    return history + (roster_pages(chapter.roster) if chapter.roster else 0)


def roster_pages(roster: RosterSheet) -> float:
    """Return the estimated number of pages of a roster."""
    return 0.7 + sum(len(group.rows) for group in roster.groups) / ROWS_A_PAGE


def _parts(content: CampaignSummary) -> tuple[Plan, ...]:
    without_people = replace(content, battles=(), journal=(), veterans=(), records=(), memorial=())
    if isinstance(without_people, WarbandBook):
        without_people = replace(without_people, histories=(), killed=())
    outer = replace(without_people, rosters=(), warbands=())
    bare = replace(outer, private_rosters=(), heads=(), index=())
    front = Plan(outer, ShownPictures(apart=True, front=True, body=False), entries(content))
    return (
        front,
        *_battle_parts(content, bare),
        *_plate_parts(content, bare),
        *_people_parts(content, bare),
        *_warband_parts(content, bare),
    )


def back_matter(front: Plan, pages: Mapping[str, str]) -> Plan:
    """Return the plan of the index and the colophon of a book in parts, by its front matter.

    ``pages`` has the page of each anchor of the body.
    """
    return Plan(front.content, ShownPictures(apart=True, end=True), pages=pages)


def _battle_parts(content: CampaignSummary, bare: CampaignSummary) -> Iterator[Plan]:
    """Yield the parts with battles. The standings go with the first one, which avoids a tiny part.

    Each part begins a page, so all have about the same number of battles and none is small.
    """
    count = max(1, round(PAGES_A_BATTLE * len(content.battles) / PAGES_A_PART))
    size = max(1, -(-len(content.battles) // count))
    chunks = list(_chunks(content.battles, size)) or [()]
    for number, battles in enumerate(chunks):
        shown = ShownPictures(apart=True, standings=number == 0, battles_begin=number == 0)
        journal = content.journal if number == len(chunks) - 1 else ()
        part = replace(bare, battles=tuple(battles), journal=journal)
        if isinstance(part, WarbandBook) and isinstance(content, WarbandBook) and number == 0:
            part = replace(part, histories=content.histories)
        yield Plan(part, shown)


def _plate_parts(content: CampaignSummary, bare: CampaignSummary) -> Iterator[Plan]:
    """Yield the parts with photos as plates, if there are any."""
    groups: list[list[BattleNarrative]] = []
    for battle in content.battles:
        if not plates_of(battle):
            continue
        if not groups or sum(len(plates_of(each)) for each in groups[-1]) >= PLATES_A_PART:
            groups.append([])
        groups[-1].append(battle)
    for number, battles in enumerate(groups):
        shown = ShownPictures(apart=True, plates=number == 0, only_plates=True)
        yield Plan(replace(bare, battles=tuple(battles)), shown)


def _people_parts(content: CampaignSummary, bare: CampaignSummary) -> Iterator[Plan]:
    """Yield the parts with people: one, or several if many have fallen.

    The first one has all who fell, because its chart shows them.
    """
    if not (content.ending or content.veterans or content.records or content.killings):
        return
    first, *others = _by_evenings(content.memorial) or [()]
    people = replace(
        bare, veterans=content.veterans, records=content.records, memorial=content.memorial
    )
    if isinstance(people, WarbandBook) and isinstance(content, WarbandBook):
        people = replace(people, killed=content.killed)
    fallen_here = len(first) if others else 0
    yield Plan(people, ShownPictures(apart=True, people=True, fallen=fallen_here))
    for fallen in others:
        yield Plan(replace(bare, memorial=fallen), ShownPictures(apart=True, fallen_begin=False))


def _by_evenings(memorial: Sequence[Fallen]) -> list[tuple[Fallen, ...]]:
    """Return the fallen in groups for a part each. Those of a battle are in the same group."""
    groups: list[tuple[Fallen, ...]] = []
    for _, evening in groupby(memorial, key=lambda fallen: fallen.battle_at):
        if groups and len(groups[-1]) < FALLEN_A_PART:
            groups[-1] += tuple(evening)
        else:
            groups.append(tuple(evening))
    return groups


def _warband_parts(content: CampaignSummary, bare: CampaignSummary) -> Iterator[Plan]:
    """Yield the parts with the chapters of warbands: their histories and rosters.

    A long history has several parts, and its roster is in the last one.
    """
    most = max(map(_chapter_pages, content.chapters), default=1)
    for chapters in _chunks(content.chapters, max(1, round(PAGES_A_PART / most))):
        histories = [each.history for each in chapters if each.history]
        rosters = tuple(each.roster for each in chapters if each.roster)
        if len(histories) != 1 or len(histories[0].steps) <= STEPS_A_PART:
            yield Plan(
                replace(bare, warbands=tuple(histories), rosters=rosters), ShownPictures(apart=True)
            )
            continue
        pieces = _history_pieces(histories[0])
        for number, piece in enumerate(pieces):
            last = number == len(pieces) - 1
            part = replace(bare, warbands=(piece,), rosters=rosters if last else ())
            yield Plan(part, ShownPictures(apart=True, history_begins=number == 0))


def _history_pieces(history: WarbandHistory) -> list[WarbandHistory]:
    """Return a long history in pieces of about the same length."""
    count = -(-len(history.steps) // STEPS_A_PART)
    size = -(-len(history.steps) // count)
    first, *others = (replace(history, steps=steps) for steps in _chunks(history.steps, size))
    return [first, *(replace(piece, remains=()) for piece in others)]


def _chunks(things: Sequence[Thing], size: int) -> Iterator[Sequence[Thing]]:
    for start in range(0, len(things), size):
        yield things[start : start + size]
