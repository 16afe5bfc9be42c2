"""The structs that several kinds of document share: plain text and numbers, without queries.

Stories are Markdown as their authors wrote it; ``core.markdown`` cleans them for print.
"""

from django.utils.translation import gettext
from msgspec import Struct

from core.ruleset_words import rules_text
from drawings.bars import BarMark
from rulebook.ruleset import VisibleNumbers
from rulebook.values.reference import TableSection
from rulebook.values.rosters import TallyCount, TickBoxes

MIN_OF_A_CARD, A_CARD, MAX_OF_A_CARD, A_WEAPON = 60, 330, 560, 30
"""Limits for the text of a card, in letters.

Fewer than the first leave a card nearly empty. More than the second need small type. More than the
third need the closest setting. The last one is the space that a row of the weapons table takes.
"""
A_LINE, BOX = 122, "  "
"""The letters in a line across a sheet, and the letters that take the space of a tick box."""

SHEET, COLUMN, REACH, WIDE, PAIRS, LONG = 184, 12, 28, 21, 91, 9
"""Widths on a roster sheet in mm, and the longest value that is not long, in letters.

The widths are for the sheet, a column, a column with lengths, a column for long values, and a
single column with all numbers.
"""

LETTER_EM, LENGTH_LETTER, SMALL_LETTER, HEADING_LETTER = 0.56, 0.46, 0.36, 0.42
NARROWEST, HANDWRITTEN, PAIRS_EM = 2.4, 4.4, 26
"""Widths on a roster for the table in em.

Of a letter of a number, of lengths, of the words next to them, and of a heading; of the narrowest
column, of one to write in, and of a single column with all numbers.
"""


class Label(Struct, frozen=True):
    """The terms of a rule system that documents need, and the numbers that it shows."""

    fighter: str
    fighters: str
    warband: str
    warbands: str
    rank: str
    step: str = "rank-up"
    steps: str = "rank-ups"
    lost: str = "dead"
    group: str = "group"
    groups: str = "groups"
    harmed: str = "the fallen and the hurt"
    unharmed: str = "unhurt"
    shown: VisibleNumbers = VisibleNumbers(
        points=True, experience=True, ranks=True, victory_points=True
    )


class Person(Struct, frozen=True):
    """A name with the anchor of that person's entry in the document, or "" if there is none."""

    name: str
    at: str = ""


class PrintedPicture(Struct, frozen=True):
    """An uploaded picture: the path of its file, the digest of its content, and its caption.

    ``width`` and ``height`` are the size of the file in pixels, 0 if unknown. ``by`` is the person
    who uploaded it, "" if the account is gone.
    """

    file: str
    digest: str
    caption: str = ""
    width: int = 0
    height: int = 0
    by: str = ""


class Figure(Struct, frozen=True):
    """One number of a profile: the column's heading, its full label, and the value as text."""

    abbreviation: str
    label: str
    value: str
    note: str = ""


class Weapon(Struct, frozen=True):
    """A row of a card's weapons table."""

    name: str
    range: str = ""
    rules: str = ""


class Glossed(Struct, frozen=True):
    """A name with a short explanation: an Attribute, a piece of equipment, a house rule."""

    name: str
    note: str = ""


class Line(Struct, frozen=True):
    """A number of a score or a price, with its reason and the rule behind it."""

    amount: int
    sentence: str
    rule: str = ""


class LedgerLine(Line, frozen=True):
    """A line of an experience ledger, with the balance after it."""

    balance: int = 0


class Card(Struct, frozen=True):
    """A fighter as the card shows it.

    ``boxes`` is the cost of the next Rank in experience, 0 if there is none. ``fate`` is "" for a
    fit fighter. ``posts`` are the fighter's warband roles, and ``stands`` is the group and the
    place in it. ``condition`` is what the fighter carries from battle to battle, ``ticked`` are
    boxes to tick during a battle, and ``looks`` are the parts of the silhouette. ``ending`` says
    how a fighter was lost, and ``earned`` is all experience earned, for a memorial card.
    """

    id: str
    name: str
    profile: str
    rank: int
    points: int
    figures: tuple[Figure, ...]
    weapons: tuple[Weapon, ...] = ()
    equipment: tuple[Glossed, ...] = ()
    attributes: tuple[Glossed, ...] = ()
    posts: tuple[str, ...] = ()
    fate: str = ""
    gone: bool = False
    experience: int = 0
    boxes: int = 0
    battles: int = 0
    tallies: tuple[TallyCount, ...] = ()
    story: str = ""
    condition: tuple[Glossed, ...] = ()
    ticked: tuple[TickBoxes, ...] = ()
    stands: str = ""
    looks: tuple[str, ...] = ()
    picture: PrintedPicture | None = None
    ending: str = ""
    earned: int = 0

    @property
    def fullness(self) -> str:
        """The fullness of the card: "sparse", "", "full" or "brimming".

        A sparse card has a large silhouette; a full one is set smaller, and a brimming one as
        closely as possible.
        """
        texts = [each.name + each.note for each in (*self.equipment, *self.attributes)]
        texts += [each.name + each.range + each.rules for each in self.weapons]
        ticked = (each.label + "".join(word + BOX for word in each.boxes) for each in self.ticked)
        letters = sum(map(len, texts)) + A_WEAPON * len(self.weapons)
        if letters + sum(map(len, ticked)) < MIN_OF_A_CARD:
            return "sparse"
        if letters > MAX_OF_A_CARD:
            return "brimming"
        return "full" if letters > A_CARD else ""

    @property
    def done(self) -> tuple[TallyCount, ...]:
        """The tallies that are not 0."""
        return tuple(tally for tally in self.tallies if tally.count)


class RosterRow(Struct, frozen=True):
    """A fighter on the roster sheet; ``place`` is the position or role in the group.

    ``figures`` are the columns that the rule system describes, with lengths as notes; ``apart``
    means that they are others than those of the sheet. ``arms`` are weapons with range and rules,
    ``carried`` are all other equipment and Attributes. ``experience`` is the unspent part, with the
    cost of the next Rank: "4 / 5". ``absence`` says why the fighter misses the next battle, or "".
    """

    name: str
    profile: str
    figures: tuple[Figure, ...]
    place: str = ""
    rank: int = 0
    points: int = 0
    arms: tuple[Weapon, ...] = ()
    carried: tuple[str, ...] = ()
    ticked: tuple[TickBoxes, ...] = ()
    experience: str = ""
    absence: str = ""
    apart: bool = False

    @property
    def crowded(self) -> bool:
        """True if the equipment takes more than a line of the book.

        Then it is set smaller, and the row stays low.
        """
        texts = [weapon.name + weapon.range + weapon.rules for weapon in self.arms]
        return sum(map(len, (*texts, *self.carried))) > A_LINE

    id: str = ""


class RosterPrice(Struct, frozen=True):
    """The parts of the points of ``count`` fighters of one type; ``points`` is for each of them."""

    profile: str
    count: int
    points: int
    lines: tuple[Line, ...]


class RosterGroup(Struct, frozen=True):
    """A group of the roster sheet with its totals and the boxes to tick for the whole group.

    The group without a name has all fighters who belong to no group.
    """

    name: str
    rows: tuple[RosterRow, ...]
    sums: tuple[Glossed, ...] = ()
    ticked: tuple[TickBoxes, ...] = ()


class Box(Struct, frozen=True):
    """A total at the top of a sheet; ``of`` is its limit, if any."""

    label: str
    value: str
    of: str = ""


def _em(*, longest: int, heading: int = 0) -> float:
    """Return the width of a column of numbers in em, for its longest value and its heading."""
    return round(max(NARROWEST, LETTER_EM * longest + 0.6, HEADING_LETTER * heading + 0.4), 2)


class RosterSheet(Struct, frozen=True):
    """A warband's roster: a row for each fighter in service, and cards, the dead last.

    ``fighters`` and ``points`` count the fighters in service. ``bought`` is what the warband bought
    as a whole, ``sums`` are totals that only its rule system has, and ``rank_ups`` counts those of
    the fighters. ``ticked`` are boxes to tick for the whole warband, ``tables`` are the quick
    reference, and ``attributes`` explain the Attributes in the rows. ``sources`` are the rules
    behind the numbers. ``listed`` shows the cards as a list. ``blank`` is a sheet to fill in by
    hand. ``left`` are living fighters who have left service. ``crest`` is the uploaded crest; None
    if a crest is drawn instead.
    """

    id: str
    name: str
    faction: str
    player: str
    words: Label
    fighters: int
    points: int
    ticked: tuple[TickBoxes, ...] = ()
    tables: tuple[TableSection, ...] = ()
    attributes: tuple[Glossed, ...] = ()
    prices: tuple[RosterPrice, ...] = ()
    cards: tuple[Card, ...] = ()
    bought: tuple[Line, ...] = ()
    agreed_points: int | None = None
    rank_ups: int = 0
    sums: tuple[Glossed, ...] = ()
    won: int = 0
    drawn: int = 0
    lost: int = 0
    colour: str = ""
    story: str = ""
    sources: tuple[Glossed, ...] = ()
    groups: tuple[RosterGroup, ...] = ()
    listed: bool = False
    blank: bool = False
    left: tuple[Person, ...] = ()
    crest: PrintedPicture | None = None

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The totals at the top of the sheet; empty boxes on a blank sheet."""
        counted = Box(
            gettext("Number of %(fighters)s") % {"fighters": self.words.fighters},
            str(self.fighters),
        )
        points = Box(gettext("Total points"), str(self.points), str(self.agreed_points or ""))
        record = Box(gettext("Won · drawn · lost"), f"{self.won} · {self.drawn} · {self.lost}")
        sums = (Box(each.name, each.note) for each in self.sums)
        shown = (counted, *sums, *((points,) * self.words.shown.points), record)
        return tuple(Box(box.label, "") for box in shown) if self.blank else shown

    @property
    def columns(self) -> tuple[Figure, ...]:
        """The columns of the sheet; empty if its fighters have different numbers."""
        headed = {tuple(each.abbreviation for each in row.figures) for row in self._in_columns}
        return self._in_columns[0].figures if len(headed) == 1 else ()

    @property
    def _in_columns(self) -> list[RosterRow]:
        return [row for group in self.groups for row in group.rows if not row.apart]

    @property
    def width(self) -> int:
        """The number of columns of the sheet."""
        return 1 + (len(self.columns) or 1) + self.ranked + self.words.shown.points

    @property
    def table_width(self) -> int:
        """The number of columns of the roster for the table, which also has the experience."""
        return self.width + self.words.shown.experience

    @property
    def table_widths(self) -> tuple[float, ...]:
        """The widths of the columns of the roster for the table after the first one, in em.

        They are wide enough for their longest value and for their heading.
        """
        rows = self._in_columns
        if self.blank:
            return (HANDWRITTEN,) * (self.table_width - 1)
        widths = []
        if self.words.shown.experience:
            widths.append(_em(longest=max((len(row.experience) for row in rows), default=0)))
        if self.ranked:
            widths.append(_em(longest=4))
        for place, column in enumerate(self.columns):
            figures = [row.figures[place] for row in rows]
            notes = max((len(rules_text(each.note)) for each in figures), default=0)
            values = max((len(each.value) for each in figures), default=0)
            if notes:
                widths.append(round(LENGTH_LETTER * notes + SMALL_LETTER * values + 1, 2))
            else:
                widths.append(_em(longest=values, heading=len(column.abbreviation)))
        if not self.columns:
            widths.append(PAIRS_EM)
        return (*widths, *((_em(longest=4),) * self.words.shown.points))

    @property
    def over_limit(self) -> bool:
        """True if rank-ups have raised the points over the limit for a new warband."""
        return bool(self.agreed_points and self.rank_ups and self.points > self.agreed_points)

    @property
    def room(self) -> float:
        """The width in mm for a name on its own line, with the text next to it."""
        columns = 0.0
        for column in self.columns:
            if column.note:
                columns += REACH
            else:
                columns += WIDE if len(column.value) > LONG else COLUMN
        return SHEET - (columns or PAIRS) - COLUMN * (self.ranked + self.words.shown.points)

    @property
    def ranked(self) -> bool:
        """True if ranks need a separate column, because no other column shows them."""
        return self.words.shown.ranks and not any(
            column.label == self.words.rank for column in self.columns
        )

    @property
    def fought(self) -> int:
        """The number of battles, whatever their outcome."""
        return self.won + self.drawn + self.lost


class Note(Struct, frozen=True):
    """An end-note that says where a sentence comes from; ``anchor`` is the target of its link."""

    text: str
    anchor: str = ""


class Clause(Struct, frozen=True):
    """A part of a sentence, with the turn and the events of the log that it comes from.

    ``turn`` is 0 if it is about the whole battle. The clauses of a sentence, one after the other,
    are its text.
    """

    text: str
    turn: int
    events: tuple[int, ...]
    title: str = ""


class Sentence(Struct, frozen=True):
    """A sentence made from a fact, with its end-notes, or from clauses of a battle's story."""

    sentence: str
    notes: tuple[Note, ...] = ()
    clauses: tuple[Clause, ...] = ()


class Story(Struct, frozen=True):
    """Paragraphs of sentences that Muster writes from records, in the document's language."""

    paragraphs: tuple[tuple[Sentence, ...], ...] = ()

    @property
    def notes(self) -> tuple[Note, ...]:
        """The end-notes, each once, in the order of first use."""
        notes = (note for paragraph in self.paragraphs for each in paragraph for note in each.notes)
        return tuple(dict.fromkeys(notes))


class Written(Struct, frozen=True):
    """An entry of the campaign's journal, with the day (ISO) that it is about."""

    on: str
    author: str
    text: str


class Casualty(Person, frozen=True):
    """A fighter who was harmed in a battle, with the attackers if known.

    ``after`` is a better final outcome.
    """

    rank: int = 0
    harm: str = ""
    by: tuple[Person, ...] = ()
    after: str = ""
    dead: bool = False


class SideNarrative(Struct, frozen=True):
    """A side of a battle: its score with reasons, casualties and earned experience.

    ``role`` is "" if all sides have the same one. ``lines`` has one line for each reason. ``marks``
    says how each fighter in the line-up left the field, the unhurt first. ``limit`` is the points
    limit of its role. ``earned_by`` are the rules behind the experience. ``hits`` are the fighters
    who were hurt and killed in each turn, empty if the log does not say in which turn. ``strength``
    is what the side had at the start and after each turn, empty if there is nothing to draw.
    """

    warband: str
    player: str
    role: str
    outcome: str
    victory_points: int
    lines: tuple[Line, ...] = ()
    casualties: tuple[Casualty, ...] = ()
    fielded: int = 0
    points: int = 0
    limit: int | None = None
    marks: tuple[BarMark, ...] = ()
    hits: tuple[tuple[int, int], ...] = ()
    strength: tuple[float, ...] = ()
    earned: tuple[Glossed, ...] = ()
    earned_by: tuple[str, ...] = ()
    colour: str = ""
    arms: str = ""
    crest: PrintedPicture | None = None

    @property
    def fallen(self) -> tuple[Casualty, ...]:
        """The casualties who died."""
        return tuple(casualty for casualty in self.casualties if casualty.dead)


class BattleNarrative(Struct, frozen=True):
    """A battle in print: sides, place and time, result with its rule, and story.

    ``named`` is the title for use elsewhere in the document, with a number if several battles have
    the same title. ``journal`` has the journal entries since the battle before. ``strength_of`` is
    what the strength of the sides counts: "fighters", "figures" or "half-bases".
    """

    id: str
    title: str
    scenario: str
    fought_on: str
    sides: tuple[SideNarrative, ...]
    verdict: str = ""
    number: int = 0
    named: str = ""
    turns: int | None = None
    points_limit: int | None = None
    set_up: tuple[Glossed, ...] = ()
    story: str = ""
    friendly: bool = False
    state: str = ""
    corrections: tuple[str, ...] = ()
    told: Story = Story()
    journal: tuple[Written, ...] = ()
    photos: tuple[PrintedPicture, ...] = ()
    strength_of: str = ""

    @property
    def has_main(self) -> bool:
        """True if there is anything above the casualties: a text, or the points of many sides."""
        return bool(self.story.strip() or self.told.paragraphs) or len(self.sides) > 2

    @property
    def has_hits(self) -> bool:
        """True if the log says in which turns fighters were hit."""
        return any(side.hits for side in self.sides)

    @property
    def has_strength(self) -> bool:
        """True if the log says how strong the sides were after each turn."""
        return any(side.strength for side in self.sides)

    @property
    def casualties(self) -> int:
        """The number of casualties on all sides together."""
        return sum(len(side.casualties) for side in self.sides)

    @property
    def citations(self) -> tuple[str, ...]:
        """The rules behind the points, each once, in the order of first use."""
        return tuple(
            dict.fromkeys(line.rule for side in self.sides for line in side.lines if line.rule)
        )

    @property
    def earned_by(self) -> tuple[str, ...]:
        """The rules behind the earned experience, each once."""
        return tuple(dict.fromkeys(rule for side in self.sides for rule in side.earned_by))
