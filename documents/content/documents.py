"""The content of each kind of document, as its template prints it and its hash covers it.

Every content has ``title``, ``subtitle`` and ``dated``. ``dated`` is the day (ISO) of the latest
change in the content, and is also the date in the file's metadata. So the same content always makes
the same file.
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

    ``strip`` is how the fighter left each battle of the warband since the first one. ``experience``
    is the total earned after each of the fighter's own battles, starting with 0. ``felled`` are the
    places in it (from 1) of the battles in which the fighter brought down an enemy.
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
    """A fighter in the list of veterans."""

    earned: int = 0


class Fallen(MemorialEntry, frozen=True):
    """An entry of the memorial: the ``battle`` in which a fighter fell, how, and who did it.

    ``killer`` is the fighter who killed this one, if known. Without one, ``by`` has everyone who is
    known to have taken part. ``battle_at`` is the anchor of the battle in the document.
    """

    battle: str = ""
    battle_at: str = ""
    fought_on: str = ""
    by: tuple[Person, ...] = ()
    killer: Person | None = None
    killer_colour: str = ""
    how: str = "killed"


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
    def undecided(self) -> bool:
        """True if any two warbands only met in battles that others won."""
        return any(not met.decided for met in self.met)


class CampaignCounts(Struct, frozen=True):
    """The counts on the title page."""

    warbands: int = 0
    battles: int = 0
    dead: int = 0


class CampaignSummary(DocumentContent, frozen=True, tag="campaign"):
    """A whole campaign: cover, standings, every battle, veterans, memorial, rosters.

    ``private_rosters`` names the warbands whose rosters are not visible to everyone who may see the
    campaign. ``winner`` is the sentence about the result of a classic campaign. ``verdict`` is the
    first place in the standings of any other campaign. ``victory`` is the sentence about the winner
    on the cover, "" while there is none. ``began`` and ``ended`` are the first and the last day of
    play. ``honours`` are counts of the rule system's tallies, ``records`` are those that exist in
    every campaign. ``journal`` has the entries since the last battle. ``crest`` is the uploaded
    crest of the club, if any.
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
    """Return the content as JSON in a fixed order, from which its hash is made."""
    return msgspec.json.encode(content, order="deterministic")


AnyContent = (
    BattleSummary | WarbandRoster | BlankRoster | FighterCareer | RankUpSheet | CampaignSummary
)
