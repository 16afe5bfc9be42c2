"""The content of each kind of document, as its template prints it and its hash covers it.

Every content has ``title``, ``subtitle`` and ``dated``: the day of the latest thing that it tells,
ISO, which is also the date in the file's metadata, so that the same content always makes the same
file.
"""

from collections.abc import Mapping

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
from rulebook.values.rosters import TallyCount
from warbands.selectors.chronicle_heads import Head


class DocumentContent(Struct, frozen=True, tag_field="kind"):
    """What every document has."""

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
    """The sheet of a rule system with nobody on it."""

    roster: RosterSheet


class Chapter(Struct, frozen=True):
    """A battle in a fighter's career: what it was, how it went, what the fighter did and earned;
    ``balance`` is the experience in hand after it and the steps that followed."""

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
        """The experience that it brought; the ledger says what for."""
        return sum(line.amount for line in self.earned)

    @property
    def grown(self) -> int:
        """What was earned in it, whatever it also took away."""
        return sum(max(line.amount, 0) for line in self.earned)


class FighterCareer(DocumentContent, frozen=True, tag="career"):
    """One fighter: the card, the battles one by one, and the experience ledger.

    ``price`` is what its points are made of, ``sources`` are the rules behind its numbers.
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
        """The sums at the head of the career."""
        done = (Box(tally.label, str(tally.count)) for tally in self.card.tallies)
        spent = Box(gettext("Spent · left"), f"{self.spent} · {self.card.experience}")
        earned = (
            (Box(gettext("Experience earned"), str(self.earned)), spent)
            if self.words.shown.experience
            else ()
        )
        return (Box(gettext("Battles"), str(self.card.battles)), *done, *earned)


class Choice(Struct, frozen=True):
    """Something to choose within a step: how many, and of what."""

    label: str
    most: int
    options: tuple[str, ...]


class StepOffer(Struct, frozen=True):
    """A legal step: where it leads, what it gives and keeps, and what it does to points and
    legality.

    ``price`` is what the new points are made of, ``rule`` what the cost goes by.
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
    """A fighter who can afford a step, or is on the way to one."""

    id: str
    name: str
    profile: str
    rank: int
    experience: int
    cost: int
    steps: tuple[StepOffer, ...] = ()


class RankUpSheet(DocumentContent, frozen=True, tag="rank-ups"):
    """One warband's veterans with every step that they may take, and those who are on the way."""

    warband: str
    words: Label
    ready: tuple[Candidate, ...] = ()
    waiting: tuple[Candidate, ...] = ()
    campaign: str = ""


class Place(Struct, frozen=True):
    """A row of the campaign's standings. Rows with the same ``position`` are level.

    ``figures`` are those of the columns that print shows, by their keys
    (leagues.selectors.standings_columns).
    """

    position: int
    warband: str
    player: str
    figures: Mapping[str, int]
    roster: str = ""
    colour: str = ""


class MemorialEntry(Person, frozen=True):
    """Somebody of whom a campaign's book tells: ``looks`` is what its silhouette shows.

    ``strip`` is how it left each battle of its warband since its first, ``experience`` what it had
    earned in battle after each of its own, with nought at the start; ``felled`` in which of those
    it brought somebody down.
    """

    warband: str = ""
    colour: str = ""
    profile: str = ""
    rank: int = 0
    battles: int = 0
    tallies: tuple[TallyCount, ...] = ()
    strip: tuple[BarMark, ...] = ()
    experience: tuple[int, ...] = ()
    felled: tuple[int, ...] = ()
    looks: tuple[str, ...] = ()
    picture: PrintedPicture | None = None


class Veteran(MemorialEntry, frozen=True):
    """A fighter worth a line among the veterans."""

    earned: int = 0


class Fallen(MemorialEntry, frozen=True):
    """An entry of the memorial: in which ``battle`` somebody fell, how, and by whose hands.

    ``slayer`` is the fighter whose deed it was, if one was; without one ``by`` has all who are
    known to have had a hand in it. ``battle_at`` is the battle's place in the document.
    """

    battle: str = ""
    battle_at: str = ""
    fought_on: str = ""
    by: tuple[Person, ...] = ()
    slayer: Person | None = None
    slayer_colour: str = ""
    how: str = "killed"


class Won(Struct, frozen=True):
    """Who has won a classic campaign: "" while it is ``open``, or where nobody has; by the final,
    or where there are ``totals`` by the victory points of all games, the best first."""

    winner: str = ""
    open: bool = False
    totals: tuple[int, ...] = ()


class HonourHolder(Person, frozen=True):
    """Whoever, or whatever battle, holds an honour: of which warband or who fought it (``note``),
    and against whom."""

    note: str = ""
    against: str = ""


class Honour(Struct, frozen=True):
    """The most of something, or the least, and whoever did it."""

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
    """What one warband (its place among the rows) has won, drawn and lost against another; nothing
    of the three where they met only in battles that others won."""

    row: int
    column: int
    won: int
    drawn: int
    lost: int

    @property
    def decided(self) -> int:
        """How many battles were won, drawn or lost between the two."""
        return self.won + self.drawn + self.lost


class CourseOfPlay(Struct, frozen=True):
    """How the campaign went: ISO dates of the days of play, a row for each warband, and who met
    whom."""

    days: tuple[str, ...] = ()
    rows: tuple[CourseRow, ...] = ()
    met: tuple[HeadToHeadCell, ...] = ()

    @property
    def undecided(self) -> bool:
        """Whether any two met only in battles that others won."""
        return any(not met.decided for met in self.met)


class CampaignCounts(Struct, frozen=True):
    """What the title page counts."""

    warbands: int = 0
    battles: int = 0
    dead: int = 0


class CampaignSummary(DocumentContent, frozen=True, tag="campaign"):
    """A whole campaign: cover, standings, every battle, veterans, memorial, rosters.

    ``private_rosters`` names the warbands whose rosters not everybody may see who may see the
    campaign. ``winner`` says who has won a classic campaign, and why; ``verdict`` who stands first
    in the table of any other, ``victory`` on the cover who has won, "" while nobody has. ``began``
    and ``ended`` are the first and the last day of play. ``honours`` are for what the rule system
    counts, ``records`` for what every campaign has. ``journal`` is what was written of the days
    since its last battle. ``crest`` is that of the club, if somebody brought one.
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
    crest: PrintedPicture | None = None
    heads: tuple[Head, ...] = ()
    logs: LogsHead | None = None


def encoded(content: Struct) -> bytes:
    """The content as JSON, always in the same order: what its hash is made of."""
    return msgspec.json.encode(content, order="deterministic")


AnyContent = (
    BattleSummary | WarbandRoster | BlankRoster | FighterCareer | RankUpSheet | CampaignSummary
)
