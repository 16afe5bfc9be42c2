"""The structs that several kinds of document share: plain text and numbers, without queries.

Stories are Markdown as their authors wrote it; ``core.markdown`` cleans them for print.
"""

from django.utils.translation import gettext
from msgspec import Struct

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
ROW, CROWDED_ROW, BAND, FOOT_LINE, LETTERS = 9.3, 10.3, 6, 2.8, 180
"""Heights of a roster sheet's lines in mm, and the letters in a line of the foot.

The heights are for a row, a row with much text, the name of a group, and a line of the foot.
"""
ABREAST, HEAD, SECOND_STRIP, LETTER, A4, ROOMY = 6, 44, 7, 245, 263, 1.22
"""Sizes of the head of a roster sheet, in mm unless noted.

They are the totals in a row (a number), the height of the head, the height of a second row of
totals, the room on Letter and on A4, and the factor by which rows may be higher if there is room.
"""

SHEET, COLUMN, REACH, WIDE, PAIRS, LONG = 184, 12, 28, 21, 91, 9
"""Widths on a roster sheet in mm, and the longest value that is not long, in letters.

The widths are for the sheet, a column, a column with lengths, a column for long values, and a
single column with all numbers.
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
    """An uploaded picture: the path of its file, the digest of its content, and its caption."""

    file: str
    digest: str
    caption: str = ""


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
    boxes to tick during a battle, and ``looks`` are the parts of the silhouette.
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

    ``figures`` are the columns that the rule system describes, with lengths as notes. ``arms`` are
    weapons with range and rules, ``carried`` are all other equipment and Attributes.
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

    @property
    def crowded(self) -> bool:
        """True if the equipment and tick boxes take more than a line.

        Then they are set smaller, and the row stays low.
        """
        texts = [weapon.name + weapon.range + weapon.rules for weapon in self.arms]
        ticked = (each.label + "".join(word + BOX for word in each.boxes) for each in self.ticked)
        return sum(map(len, (*texts, *self.carried, *ticked))) > A_LINE

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


class RosterSheet(Struct, frozen=True):
    """A warband's roster: a row for each fighter in service, and cards, the dead last.

    ``fighters`` and ``points`` count the fighters in service. ``bought`` is what the warband bought
    as a whole, and ``sums`` are totals that only its rule system has. ``ticked`` are boxes to tick
    for the whole warband, ``tables`` are for reference during a battle, and ``attributes`` explain
    the Attributes in the rows. ``sources`` are the rules behind the numbers. ``listed`` shows the
    cards as a list. ``blank`` is a sheet to fill in by hand. ``left`` are living fighters who have
    left service. ``crest`` is the uploaded crest; None if a crest is drawn instead.
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
        headed = {
            tuple(each.abbreviation for each in row.figures)
            for group in self.groups
            for row in group.rows
        }
        return self.groups[0].rows[0].figures if len(headed) == 1 else ()

    @property
    def width(self) -> int:
        """The number of columns of the sheet."""
        return 1 + (len(self.columns) or 1) + self.ranked + self.words.shown.points

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
    def size(self) -> str:
        """The papers on which the rows must be lower than usual for the sheet to fit on one page.

        "tall" is for both papers, "middling" for Letter, "short" for none. With "roomy" the rows
        may even be higher.
        """
        rows = [row for group in self.groups for row in group.rows]
        bands = sum(1 for group in self.groups if group.name)
        letters = sum(len(item.name) + len(item.note) + 3 for item in self.attributes)
        foot = 1 + letters // LETTERS + sum(len(table.rows) + 1 for table in self.tables)
        heads = HEAD + SECOND_STRIP * (len(self.boxes) > ABREAST)
        needed = (
            heads
            + sum(CROWDED_ROW if row.crowded else ROW for row in rows)
            + BAND * bands
            + FOOT_LINE * foot
        )
        steps = ((A4, "tall"), (LETTER, "middling"), (LETTER / ROOMY, "short"))
        return next((size_name for most, size_name in steps if needed > most), "roomy")

    @property
    def fought(self) -> int:
        """The number of battles, whatever their outcome."""
        return self.won + self.drawn + self.lost


class Note(Struct, frozen=True):
    """An end-note that says where a sentence comes from; ``anchor`` is the target of its link."""

    text: str
    anchor: str = ""


class Sentence(Struct, frozen=True):
    """A sentence made from a fact, with its end-notes."""

    sentence: str
    notes: tuple[Note, ...] = ()


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

    ``after`` is a better final outcome. For the dead in a memorial, a battle only says that they
    fell: ``harm`` is empty, and the memorial says who killed them.
    """

    rank: int = 0
    harm: str = ""
    by: tuple[Person, ...] = ()
    after: str = ""
    dead: bool = False


class SideNarrative(Struct, frozen=True):
    """A side of a battle: its score with reasons, casualties and earned experience.

    ``role`` is "" if all sides have the same one. ``lines`` has one line for each reason. ``marks``
    says how each fighter in the line-up left the field, the unhurt first. ``earned_by`` are the
    rules behind the experience.
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
    marks: tuple[BarMark, ...] = ()
    earned: tuple[Glossed, ...] = ()
    earned_by: tuple[str, ...] = ()
    colour: str = ""
    faction: str = ""
    crest: PrintedPicture | None = None

    @property
    def fallen(self) -> tuple[Casualty, ...]:
        """The casualties without details, because a memorial has them."""
        return tuple(casualty for casualty in self.casualties if not casualty.harm)

    @property
    def harmed(self) -> tuple[tuple[Casualty, ...], ...]:
        """The casualties in rows: the fallen in one row, then each of the others in one."""
        harmed = tuple((casualty,) for casualty in self.casualties if casualty.harm)
        return (self.fallen, *harmed) if self.fallen else harmed

    @property
    def harmed_in_a_run(self) -> tuple[tuple[Casualty, ...], ...]:
        """The casualties in a single row, where there is little room."""
        return (self.casualties,) if self.casualties else ()


class BattleNarrative(Struct, frozen=True):
    """A battle in print: sides, place and time, result with its rule, and story.

    ``named`` is the title for use elsewhere in the document, with a number if several battles have
    the same title. ``journal`` has the journal entries since the battle before.
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

    @property
    def scored(self) -> bool:
        """True if any side has points, so that there is a score to draw."""
        return any(side.victory_points for side in self.sides)

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

    @property
    def remembered(self) -> bool:
        """True if the memorial has the deaths of some casualties."""
        return any(side.fallen for side in self.sides)
