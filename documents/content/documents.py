"""The content of each kind of document, as its template prints it and its hash covers it.

Every content has ``title``, ``subtitle`` and ``dated``. ``dated`` is the day (ISO) of the latest
change in the content, and is also the date in the file's metadata. So the same content always makes
the same file.
"""

from collections.abc import Mapping
from enum import StrEnum
from math import ceil

import msgspec
from django.utils.translation import gettext
from msgspec import Struct

from battles.selectors.log_heads import LogsHead
from documents.content.structs import (
    BattleNarrative,
    Box,
    Card,
    Figure,
    Glossed,
    Label,
    LedgerLine,
    Line,
    Person,
    PrintedPicture,
    RosterSheet,
    Story,
    Written,
)
from drawings.bars import BarMark
from leagues.selectors.verdict import Verdict
from rulebook.values.reference import TableSection
from rulebook.values.rosters import TallyCount
from warbands.selectors.chronicle_heads import Head

ROWS_OF_A_SHEET, CLOSE_ROWS = 52, 59
"""The rows of a page of a result sheet, and those of one whose rows are lower."""
OPENING_ROWS, SIDE_ROWS, END_ROWS = 7, 8, 7
"""The rows that other parts of a result sheet take.

These are its title, the heads of a side, and the end without its questions, each of which takes a
row more.
"""
LETTERS_OF_RULES, LINE_OF_RULES = 115, 0.6
"""The letters on a line of a scenario's rules, and the rows that it takes."""


class DocumentContent(Struct, frozen=True, tag_field="kind"):
    """The fields that every document has."""

    title: str
    subtitle: str
    dated: str
    ruleset: str


class BattleSummary(DocumentContent, frozen=True, tag="battle"):
    """One battle."""

    battle: BattleNarrative
    words: Label
    campaign: str = ""


class WarbandRoster(DocumentContent, frozen=True, tag="roster"):
    """One warband: the sheet, then the cards."""

    roster: RosterSheet
    campaign: str = ""


class BlankRoster(DocumentContent, frozen=True, tag="blank"):
    """The sheet of a rule system without any fighters."""

    roster: RosterSheet


class Chapter(Struct, frozen=True):
    """A battle in a fighter's career: its result, and what the fighter did and earned.

    ``balance`` is the unspent experience after the battle and the rank-ups that followed it.
    """

    title: str
    fought_on: str
    against: str
    outcome: str
    fate: str
    deeds: tuple[str, ...] = ()
    earned: tuple[Line, ...] = ()
    rank_ups: tuple[str, ...] = ()
    balance: int = 0

    @property
    def gain(self) -> int:
        """The net experience from the battle; the ledger has the reasons."""
        return sum(line.amount for line in self.earned)

    @property
    def grown(self) -> int:
        """The experience earned in the battle, ignoring any losses."""
        return sum(max(line.amount, 0) for line in self.earned)


class FighterCareer(DocumentContent, frozen=True, tag="career"):
    """One fighter: the card, the battles one by one, and the experience ledger.

    ``price`` are the parts of the fighter's points, ``sources`` the rules behind the numbers.
    """

    card: Card
    warband: str
    words: Label
    chapters: tuple[Chapter, ...] = ()
    ledger: tuple[LedgerLine, ...] = ()
    earned: int = 0
    spent: int = 0
    price: tuple[Line, ...] = ()
    sources: tuple[Glossed, ...] = ()

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The totals at the top of the career."""
        done = (Box(tally.label, str(tally.count)) for tally in self.card.tallies)
        spent = Box(gettext("Spent · left"), f"{self.spent} · {self.card.experience}")
        earned = (
            (Box(gettext("Experience earned"), str(self.earned)), spent)
            if self.words.shown.experience
            else ()
        )
        return (Box(gettext("Battles"), str(self.card.battles)), *done, *earned)


class Choice(Struct, frozen=True):
    """A choice within a rank-up: the maximum number, and the options."""

    label: str
    most: int
    options: tuple[str, ...]


class StepOffer(Struct, frozen=True):
    """A legal rank-up: its result, what the fighter gains and keeps, and its effect on points.

    ``price`` are the parts of the new points, ``rule`` is the rule behind the cost, ``warnings``
    are problems that the rank-up would cause.
    """

    name: str
    cost: int
    gains: tuple[str, ...]
    keeps: tuple[str, ...]
    figures: tuple[Figure, ...]
    points_before: int
    points_after: int
    choices: tuple[Choice, ...] = ()
    warnings: tuple[str, ...] = ()
    price: tuple[Line, ...] = ()
    rule: str = ""


class Candidate(Struct, frozen=True):
    """A fighter who can afford a rank-up or has earned part of its cost."""

    id: str
    name: str
    profile: str
    rank: int
    experience: int
    cost: int
    steps: tuple[StepOffer, ...] = ()


class RankUpSheet(DocumentContent, frozen=True, tag="rank-ups"):
    """One warband's veterans: those ``ready`` with their legal rank-ups, and those ``waiting``."""

    warband: str
    words: Label
    ready: tuple[Candidate, ...] = ()
    waiting: tuple[Candidate, ...] = ()
    campaign: str = ""


class Place(Struct, frozen=True):
    """A row of the campaign's standings. Rows with the same ``position`` are level.

    ``figures`` are the values of the columns that print shows, by their keys
    (leagues.selectors.standings_columns).
    """

    position: int
    warband: str
    player: str
    figures: Mapping[str, int]
    roster: str = ""
    colour: str = ""


class MemorialEntry(Person, frozen=True):
    """A person in a campaign's book; ``looks`` are the parts of the silhouette.

    ``strip`` is how the fighter left each battle of the warband since the first one. ``risen`` has
    for each rank-up the number of battles in the strip that came before it. ``experience`` is the
    total earned after each of the fighter's own battles, starting with 0. ``felled`` are the places
    in it (from 1) of the battles in which the fighter brought down an enemy.
    """

    warband: str = ""
    colour: str = ""
    profile: str = ""
    rank: int = 0
    battles: int = 0
    tallies: tuple[TallyCount, ...] = ()
    strip: tuple[BarMark, ...] = ()
    risen: tuple[int, ...] = ()
    experience: tuple[int, ...] = ()
    felled: tuple[int, ...] = ()
    looks: tuple[str, ...] = ()
    picture: PrintedPicture | None = None


class Veteran(MemorialEntry, frozen=True):
    """A fighter in the list of veterans."""

    earned: int = 0


class Fallen(MemorialEntry, frozen=True):
    """An entry of the memorial: the ``battle`` in which a fighter fell, how, and who did it.

    ``killer`` is the fighter who killed this one, if known. Without one, ``by`` has everyone who is
    known to have taken part. ``battle_at`` is the anchor of the battle in the document.
    ``epitaph`` is the text about death, life and vengeance.
    """

    battle: str = ""
    battle_at: str = ""
    fought_on: str = ""
    by: tuple[Person, ...] = ()
    killer: Person | None = None
    killer_colour: str = ""
    how: str = "killed"
    epitaph: str = ""


class Won(Struct, frozen=True):
    """The winner of a classic campaign, or "" while it is ``open`` or if there is no winner.

    The final decides. If there are ``totals``, the victory points of all games decide; they are
    sorted, highest first.
    """

    winner: str = ""
    open: bool = False
    totals: tuple[int, ...] = ()


class HonourHolder(Person, frozen=True):
    """The person or battle that holds an honour.

    ``note`` is the warband, or for a battle the sides; ``against`` is the opponent.
    """

    note: str = ""
    against: str = ""


class Honour(Struct, frozen=True):
    """The highest count of something in the campaign, and its holders."""

    label: str
    count: int
    holders: tuple[HonourHolder, ...]


class CourseRow(Struct, frozen=True):
    """A warband's line in charts: a value for each day of play, None where it has none."""

    warband: str
    colour: str
    positions: tuple[int | None, ...]
    points: tuple[int | None, ...]
    strengths: tuple[int | None, ...]


class HeadToHeadCell(Struct, frozen=True):
    """The record of one warband (``row``) against another (``column``), as places in the rows.

    All three counts are 0 if the two only met in battles that others won.
    """

    row: int
    column: int
    won: int
    drawn: int
    lost: int

    @property
    def decided(self) -> int:
        """The number of battles that were won, drawn or lost between the two."""
        return self.won + self.drawn + self.lost


class CourseOfPlay(Struct, frozen=True):
    """The course of a campaign by days of play (ISO): a row for each warband, and head-to-heads."""

    days: tuple[str, ...] = ()
    rows: tuple[CourseRow, ...] = ()
    met: tuple[HeadToHeadCell, ...] = ()

    @property
    def changes(self) -> bool:
        """True if any warband changed its position in the standings."""
        return any(len({*row.positions} - {None}) > 1 for row in self.rows)

    @property
    def undecided(self) -> bool:
        """True if any two warbands only met in battles that others won."""
        return any(not met.decided for met in self.met)


class Champion(Struct, frozen=True):
    """A warband that won the campaign, with its player and arms."""

    warband: str
    player: str
    colour: str = ""
    arms: str = ""
    crest: PrintedPicture | None = None


class Ending(Struct, frozen=True):
    """The end of a finished campaign: its champion, and the places of the others.

    ``champions`` are several if nothing separates them, and none if nobody won. ``decision`` is the
    sentence about the battle that decided, whose anchor is ``battle_at``. ``honours`` belong to
    the champion's fighters, ``others`` sentences on the other warbands by their names.
    """

    champions: tuple[Champion, ...] = ()
    sentence: str = ""
    decision: str = ""
    battle_at: str = ""
    honours: tuple[Honour, ...] = ()
    others: tuple[Glossed, ...] = ()


class HistoryItem(Struct, frozen=True):
    """A fighter in a warband's history with a note, or only a note."""

    name: str = ""
    at: str = ""
    note: str = ""


class HistoryLine(Struct, frozen=True):
    """An event with several fighters; ``entries`` are the numbers of chronicle entries."""

    kind: str
    label: str
    items: tuple[HistoryItem, ...] = ()
    entries: tuple[int, ...] = ()


class HistoryStep(Struct, frozen=True):
    """A battle of a warband, and what followed until the next one; the first has no battle.

    ``score`` is the points for and against, if the rules have any. ``entries`` are the numbers of
    chronicle entries.
    """

    title: str = ""
    at: str = ""
    number: int = 0
    day: str = ""
    outcome: str = ""
    score: tuple[int, ...] = ()
    against: tuple[str, ...] = ()
    entries: tuple[int, ...] = ()
    lines: tuple[HistoryLine, ...] = ()


class WarbandHistory(Struct, frozen=True):
    """The chapter of a warband: its fate, and its history.

    ``destroyed`` is True if nobody is left.
    """

    id: str
    name: str
    player: str
    colour: str = ""
    faction: str = ""
    arms: str = ""
    crest: PrintedPicture | None = None
    destroyed: bool = False
    remains: tuple[str, ...] = ()
    steps: tuple[HistoryStep, ...] = ()

    @property
    def anchor(self) -> str:
        """The anchor of the chapter."""
        return f"warband-{self.id}"


class WarbandChapter(Struct, frozen=True):
    """A warband's history and its roster, which may be private."""

    history: WarbandHistory | None
    roster: RosterSheet | None


class PlayerEntry(Struct, frozen=True):
    """A player with a warband: its position, and its battles won, drawn and lost.

    ``written`` counts the player's entries in the journal.
    """

    name: str
    warband: str
    at: str
    colour: str = ""
    faction: str = ""
    arms: str = ""
    crest: PrintedPicture | None = None
    position: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    written: int = 0


class EncounterEntry(Struct, frozen=True):
    """A battle in the graph of meetings: the rows of its warbands, and of those that won."""

    number: int
    day: str
    rows: tuple[int, ...]
    won: tuple[int, ...] = ()


class IndexEntry(Person, frozen=True):
    """A person in the index: the warband, and the numbers of battles with their anchors."""

    note: str = ""
    battles: tuple[Person, ...] = ()


class CampaignCounts(Struct, frozen=True):
    """The counts on the title page."""

    warbands: int = 0
    battles: int = 0
    dead: int = 0


class MakeUp(StrEnum):
    """The make-up of a book: pages as they are, two on a sheet, or with bleed."""

    PAGES = ""
    BOOKLET = "booklet"
    PRINT_SHOP = "print-shop"


class CampaignSummary(DocumentContent, frozen=True, tag="campaign"):
    """A whole campaign: cover, standings, every battle, veterans, memorial, rosters.

    ``private_rosters`` names the warbands whose rosters are not visible to everyone who may see the
    campaign. ``winner`` is the sentence about the result of a classic campaign. ``verdict`` is the
    first place in the standings of any other campaign. ``victory`` is the sentence about the winner
    on the cover, "" while there is none. ``began`` and ``ended`` are the first and the last day of
    play. ``honours`` are counts of the rule system's tallies, ``records`` are those that exist in
    every campaign. ``journal`` has the entries since the last battle. ``ending`` is None until the
    campaign is over. ``warbands`` are the chapters of all warbands in the order of the table.
    ``crest`` is the uploaded crest of the club, if any. ``cover_photo`` replaces the arms on the
    cover.
    """

    club: str
    state: str
    format: str
    words: Label
    points: int | None
    counts: CampaignCounts = CampaignCounts()
    games: int | None = None
    began: str = ""
    ended: str = ""
    story: str = ""
    told: Story = Story()
    standings: tuple[Place, ...] = ()
    tie_rule: str = ""
    winner: str = ""
    verdict: Verdict = Verdict()
    victory: str = ""
    course: CourseOfPlay = CourseOfPlay()
    honours: tuple[Honour, ...] = ()
    records: tuple[Honour, ...] = ()
    scoring: str = ""
    house_rules: tuple[Glossed, ...] = ()
    battles: tuple[BattleNarrative, ...] = ()
    journal: tuple[Written, ...] = ()
    veterans: tuple[Veteran, ...] = ()
    memorial: tuple[Fallen, ...] = ()
    rosters: tuple[RosterSheet, ...] = ()
    private_rosters: tuple[str, ...] = ()
    ending: Ending | None = None
    players: tuple[PlayerEntry, ...] = ()
    encounters: tuple[EncounterEntry, ...] = ()
    warbands: tuple[WarbandHistory, ...] = ()
    index: tuple[IndexEntry, ...] = ()
    crest: PrintedPicture | None = None
    heads: tuple[Head, ...] = ()
    logs: LogsHead | None = None
    make_up: MakeUp = MakeUp.PAGES
    cover_photo: PrintedPicture | None = None

    @property
    def bleeds(self) -> bool:
        """True if the pages have a bleed, as print shops want it."""
        return self.make_up is MakeUp.PRINT_SHOP

    @property
    def killings(self) -> tuple[Fallen, ...]:
        """The dead whose killers are drawn."""
        return self.memorial

    @property
    def colours(self) -> tuple[tuple[str, str], ...]:
        """The warbands with their colours."""
        return tuple((row.warband, row.colour) for row in self.course.rows)

    @property
    def chapters(self) -> tuple[WarbandChapter, ...]:
        """The chapters of warbands: a history with its roster, then rosters without a history."""
        rosters = {roster.id: roster for roster in self.rosters}
        chapters = [WarbandChapter(each, rosters.pop(each.id, None)) for each in self.warbands]
        return (*chapters, *(WarbandChapter(None, roster) for roster in rosters.values()))


class WarbandBook(CampaignSummary, frozen=True, tag="history"):
    """The history of one warband through all of its campaigns, which is a book like a campaign's.

    ``histories`` is its timeline: a part for each campaign and for the time between them, each
    with the campaign as its name. ``battles`` are those that all readers may see. ``killed`` are
    the enemies that it killed, and ``opponents`` all warbands in its battles with their colours.
    ``destroyed`` is True if nobody is left.
    """

    player: str = ""
    faction: str = ""
    arms: str = ""
    colour: str = ""
    histories: tuple[WarbandHistory, ...] = ()
    killed: tuple[Fallen, ...] = ()
    opponents: tuple[tuple[str, str], ...] = ()
    destroyed: bool = False

    @property
    def killings(self) -> tuple[Fallen, ...]:
        """The dead of the warband and the enemies that it killed."""
        return (*self.memorial, *self.killed)

    @property
    def colours(self) -> tuple[tuple[str, str], ...]:
        return self.opponents


class CardSide(Struct, frozen=True):
    """A side of a battle on its result card; ``outcome`` is a value of ``Outcome``."""

    warband: str
    player: str
    outcome: str
    points: int
    colour: str = ""
    arms: str = ""
    crest: PrintedPicture | None = None


class ResultCard(DocumentContent, frozen=True, tag="result-card"):
    """The result of a battle as a picture: the score, the arms, and one sentence of the story."""

    scenario: str
    fought_on: str
    sides: tuple[CardSide, ...]
    words: Label
    campaign: str = ""
    sentence: str = ""
    photo: PrintedPicture | None = None

    @property
    def scored(self) -> bool:
        """True if the battle has victory points, without which the outcome is the result."""
        return self.words.shown.victory_points

    @property
    def description(self) -> str:
        """The result as text, for readers who do not see the picture."""
        sides = ", ".join(
            f"{side.warband} {side.points}" if self.scored else side.warband for side in self.sides
        )
        return f"{self.title}: {sides}. {self.sentence}".strip()


class AwardedTo(Struct, frozen=True):
    """A certificate: its holder, and the reason.

    ``honour`` is "" for the champion. ``count`` is the number that earned it. ``player``
    plays the fighter or the warband. ``warband`` is "" if the certificate is for the warband.
    """

    name: str
    player: str
    honour: str = ""
    count: int = 0
    against: str = ""
    warband: str = ""
    colour: str = ""
    arms: str = ""
    crest: PrintedPicture | None = None


class Certificates(DocumentContent, frozen=True, tag="certificate"):
    """The certificates of a finished campaign, a page each.

    ``began`` and ``ended`` are the days (ISO) of the first and the last battle. ``shared`` is True
    if several warbands won.
    """

    club: str
    words: Label
    awards: tuple[AwardedTo, ...]
    began: str = ""
    ended: str = ""
    shared: bool = False
    crest: PrintedPicture | None = None


class MemorialCard(DocumentContent, frozen=True, tag="memorial"):
    """A dead fighter: the figure, the epitaph and the battles, on a small card.

    ``began`` and ``ended`` are the days (ISO) of the first and last battle, ``chapters`` the last
    battles, after ``earlier`` other ones.
    """

    card: Card
    warband: str
    words: Label
    epitaph: str = ""
    began: str = ""
    ended: str = ""
    chapters: tuple[Chapter, ...] = ()
    earlier: int = 0
    colour: str = ""
    arms: str = ""
    crest: PrintedPicture | None = None
    campaign: str = ""


class QuickReference(DocumentContent, frozen=True, tag="quick-reference"):
    """The quick-reference tables of a rule system, on pages of their own."""

    tables: tuple[TableSection, ...]


class ResultColumn(Struct, frozen=True):
    """A column of a result sheet: a box to tick, or with ``written`` a box to write in.

    Columns of the same ``choice`` are its options.
    """

    label: str
    written: bool = False
    choice: str = ""


class ResultQuestion(Struct, frozen=True):
    """A question about the whole battle, with boxes to tick; without any, a line to write on.

    ``names`` are boxes for sides, and for words in the language of the document. ``choices`` are
    boxes for words of the rule system. With ``translated`` the label is Muster's own.
    """

    label: str
    names: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    translated: bool = False


class ResultRow(Struct, frozen=True):
    """A fighter in a line-up. An empty row has no name."""

    name: str = ""
    profile: str = ""


class ResultSide(Struct, frozen=True):
    """A side of a result sheet with its line-up, or with empty rows."""

    warband: str
    player: str
    role: str = ""
    colour: str = ""
    arms: str = ""
    crest: PrintedPicture | None = None
    rows: tuple[ResultRow, ...] = ()


class ResultSheet(DocumentContent, frozen=True, tag="result-sheet"):
    """A sheet on which the result of a battle is written by hand.

    ``columns`` are the boxes for each fighter, ``extras`` those for each side, and ``questions``
    are about the battle. ``rules`` has the rules of its scenario: purpose, victory, length and
    setup. ``by`` is the heading of the column for the attacker, "" without one. ``scored`` is True
    if sides score victory points. ``address`` is the URL of the battle's form.
    """

    address: str
    words: Label
    sides: tuple[ResultSide, ...]
    columns: tuple[ResultColumn, ...] = ()
    by: str = ""
    extras: tuple[ResultColumn, ...] = ()
    questions: tuple[ResultQuestion, ...] = ()
    rules: tuple[Glossed, ...] = ()
    scored: bool = False
    campaign: str = ""
    scenario: str = ""
    fought_on: str = ""
    points_limit: int | None = None

    @property
    def pages(self) -> tuple[tuple[ResultSide, ...], ...]:
        """The sides of each page. The questions follow the last side."""
        return self._paged(CLOSE_ROWS if self.is_close else ROWS_OF_A_SHEET)

    @property
    def is_close(self) -> bool:
        """True if lower rows save a page: for most battles of several sides."""
        return len(self._paged(CLOSE_ROWS)) < len(self._paged(ROWS_OF_A_SHEET))

    def _paged(self, most: int) -> tuple[tuple[ResultSide, ...], ...]:
        """Return the sides of each page, if a page has room for ``most`` rows."""
        pages: list[tuple[ResultSide, ...]] = [()]
        lines = ceil(sum(len(each.name + each.note) for each in self.rules) / LETTERS_OF_RULES)
        used = OPENING_ROWS + ceil(lines * LINE_OF_RULES)
        for number, side in enumerate(self.sides, start=1):
            rows = SIDE_ROWS + len(side.rows)
            end = END_ROWS + len(self.questions) if number == len(self.sides) else 0
            if pages[-1] and used + rows + end > most:
                pages.append(())
                used = 0
            pages[-1] += (side,)
            used += rows
        return tuple(pages)


class ChartPlace(Place, frozen=True):
    """A row of a standings chart, with the seed of its arms."""

    arms: str = ""
    crest: PrintedPicture | None = None


class PosterSide(Struct, frozen=True):
    """A side of a fixture on a poster; ``player`` is "" while nobody has qualified."""

    name: str
    player: str = ""
    colour: str = ""
    arms: str = ""
    crest: PrintedPicture | None = None


class PosterFixture(Struct, frozen=True):
    """A fixture on a poster; ``away`` is None for a bye.

    ``deadline`` is a day (ISO) or "", ``state`` is "" for one that is to be played. ``source`` is
    the campaign and the round, where a poster has several.
    """

    home: PosterSide
    away: PosterSide | None
    deadline: str = ""
    state: str = ""
    score: str = ""
    overdue: bool = False
    source: str = ""


class PosterRound(Struct, frozen=True):
    """A round on a poster with its fixtures; ``deadline`` is a day (ISO) or ""."""

    name: str
    fixtures: tuple[PosterFixture, ...]
    deadline: str = ""


class StandingsChart(DocumentContent, frozen=True, tag="standings"):
    """A campaign's table for the wall, with the results between all sides and the next fixtures.

    ``met`` has a row for each place: the results against the others in their order, "" if they have
    not met. It is empty if there are too many.
    """

    club: str
    words: Label
    state: str = ""
    standings: tuple[ChartPlace, ...] = ()
    scoring: str = ""
    met: tuple[tuple[str, ...], ...] = ()
    next_round: PosterRound | None = None


class FixturesPoster(DocumentContent, frozen=True, tag="fixtures"):
    """The fixtures of a campaign for the wall: the current round, overdue ones, and later rounds.

    ``to_play`` are the players who still have fixtures up to the current round, with their number.
    ``more_overdue`` and ``more_later`` are the numbers of fixtures and rounds that do not fit.
    """

    club: str
    words: Label
    current: PosterRound
    overdue: tuple[PosterFixture, ...] = ()
    later: tuple[PosterRound, ...] = ()
    to_play: tuple[Glossed, ...] = ()
    more_overdue: int = 0
    more_later: int = 0


class ProgrammeTable(Struct, frozen=True, kw_only=True):
    """A game of a club night: its table, both players, and their warbands if it is of a campaign.

    ``table`` is None if no table is free. ``campaign`` is "" for a friendly game.
    """

    table: int | None
    first: str
    second: str
    first_warband: str = ""
    second_warband: str = ""
    campaign: str = ""


class Programme(DocumentContent, frozen=True, tag="programme"):
    """The programme of a club night. ``weekday``, ``day``, ``hours`` and ``zone``
    are text.

    ``names`` lists the members who are going, only in documents for members. Then ``fixtures``
    are between these members, otherwise all due ones. Once pairings are published, ``tables`` has
    the games, ``fixtures`` has those that are not among them, and ``names`` those without a game.
    ``address`` is the absolute URL of the club night's page.
    """

    club: str
    weekday: str
    day: str
    hours: str
    zone: str
    place: str = ""
    note: str = ""
    cancelled: bool = False
    reason: str = ""
    going: int = 0
    maybe: int = 0
    names: tuple[str, ...] = ()
    fixtures: tuple[PosterFixture, ...] = ()
    tables: tuple[ProgrammeTable, ...] = ()
    address: str = ""
    crest: PrintedPicture | None = None


def encoded(content: Struct) -> bytes:
    """Return the content as JSON in a fixed order, from which its hash is made."""
    return msgspec.json.encode(content, order="deterministic")


AnyContent = (
    BattleSummary
    | WarbandRoster
    | BlankRoster
    | FighterCareer
    | RankUpSheet
    | CampaignSummary
    | ResultCard
    | Certificates
    | MemorialCard
    | WarbandBook
    | QuickReference
    | ResultSheet
    | StandingsChart
    | FixturesPoster
    | Programme
)
