"""The pieces that several kinds of document are made of. Plain text and numbers: no rows, no
queries, no markup.

Stories are Markdown as their authors wrote it; ``core.markdown`` cleans them when they are printed.
"""

from django.utils.translation import gettext
from msgspec import Struct

from drawings.bars import BarMark
from rulebook.ruleset import VisibleNumbers
from rulebook.values.reference import TableSection
from rulebook.values.rosters import TallyCount, TickBoxes

MIN_OF_A_CARD, A_CARD, MAX_OF_A_CARD, A_WEAPON = 60, 330, 560, 30
"""How many letters leave a card empty, how many stand well on it, and how many if they are small;
and how many a row of the weapons takes."""
A_LINE, BOX = 122, "  "
"""How many letters stand in a line across a sheet, and those for which there is room in a box."""
ROW, CROWDED_ROW, BAND, FOOT_LINE, LETTERS = 9.3, 10.3, 6, 2.8, 180
"""The lines of a roster sheet in millimetres: a row, one with much in it, the name of a group, a
line of the foot; and how many letters stand in that."""
ABREAST, HEAD, SECOND_STRIP, LETTER, A4, ROOMY = 6, 44, 7, 245, 263, 1.22
"""How many sums stand abreast, its head, a second row of sums in it, what the papers have room for;
and how much higher rows may be where there is room."""

SHEET, COLUMN, REACH, WIDE, PAIRS, LONG = 184, 12, 28, 21, 91, 9
"""How wide a roster sheet is, a column, one that tells lengths, one for a long value, and one for
all numbers; and the longest value that is not long."""


class Label(Struct, frozen=True):
    """How the rule system names things for people, in the few words that documents need, and which
    numbers it shows."""

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
    """A name, and the anchor of what the document has of whoever bears it; "" where it has
    nothing."""

    name: str
    at: str = ""


class PrintedPicture(Struct, frozen=True):
    """A picture that somebody brought: where its file lies, the digest of what it shows, and a
    photo's caption."""

    file: str
    digest: str
    caption: str = ""


class Figure(Struct, frozen=True):
    """One number of a profile: the column's heading, what it stands for, and the value as text."""

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
    """A name and what it means in a few words: an Attribute, a piece of equipment, a house rule."""

    name: str
    note: str = ""


class Line(Struct, frozen=True):
    """A number with its reason, and the rule behind it: of a score or a price."""

    amount: int
    sentence: str
    rule: str = ""


class LedgerLine(Line, frozen=True):
    """A line of an experience ledger, with the balance after it."""

    balance: int = 0


class Card(Struct, frozen=True):
    """A fighter as its card shows it. ``boxes`` is the cost of the next Rank in experience, 0 where
    there is none.

    ``fate`` is empty for the fit; ``posts`` names what it is in its warband, ``stands`` where;
    ``condition`` is what it carries from battle to battle, ``ticked`` what is ticked at the table,
    ``looks`` what its silhouette shows.
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
        """How much is on it: "sparse" where a large silhouette fills it, "full" where it is set
        smaller, "brimming" where that would not do; "" on most."""
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
        """What it has done, without what it has not."""
        return tuple(tally for tally in self.tallies if tally.count)


class RosterRow(Struct, frozen=True):
    """A fighter on the roster sheet: ``place`` is where or as what it stands in its group.

    ``figures`` stand in the columns that the rule system describes, with their lengths as notes;
    ``arms`` are weapons with range and rules, ``carried`` is what it has and can beside them.
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
        """Whether what it has and is ticked takes more than a line: then it is set smaller, and the
        row stays low."""
        texts = [weapon.name + weapon.range + weapon.rules for weapon in self.arms]
        ticked = (each.label + "".join(word + BOX for word in each.boxes) for each in self.ticked)
        return sum(map(len, (*texts, *self.carried, *ticked))) > A_LINE

    id: str = ""


class RosterPrice(Struct, frozen=True):
    """What the points of so many fighters of one type are made of: ``points`` for each of them."""

    profile: str
    count: int
    points: int
    lines: tuple[Line, ...]


class RosterGroup(Struct, frozen=True):
    """A group of the roster sheet with its own sums and what is ticked of it as a whole; without a
    name it holds those of no group, often everybody."""

    name: str
    rows: tuple[RosterRow, ...]
    sums: tuple[Glossed, ...] = ()
    ticked: tuple[TickBoxes, ...] = ()


class Box(Struct, frozen=True):
    """A sum at the head of a sheet; ``of`` is what it is measured against, where there is such a
    thing."""

    label: str
    value: str
    of: str = ""


class RosterSheet(Struct, frozen=True):
    """A warband's roster: the sheet with a row for everybody who serves, and a card for each
    fighter, the dead last.

    ``fighters`` and ``points`` count those who serve; ``bought`` is what the warband bought as a
    whole; ``sums`` are those that only its rule system knows, each with what it comes to.
    ``ticked`` is what is ticked of the warband as a whole, ``tables`` are looked up while playing,
    ``attributes`` say once what those of the rows do; ``sources`` are the rules behind the numbers,
    each with what it rules. ``listed``: its cards stand as a list. ``blank``: a sheet to be filled
    in by pencil. ``left`` are those who live but serve no more. ``crest`` is the one that somebody
    brought, None where one is drawn.
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
        """The sums at the head of the sheet; on a blank one room for them."""
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
        """The columns of the sheet; none where its fighters have different numbers."""
        headed = {
            tuple(each.abbreviation for each in row.figures)
            for group in self.groups
            for row in group.rows
        }
        return self.groups[0].rows[0].figures if len(headed) == 1 else ()

    @property
    def width(self) -> int:
        """How many columns the sheet has in all."""
        return 1 + (len(self.columns) or 1) + self.ranked + self.words.shown.points

    @property
    def room(self) -> float:
        """How wide a name is that has its line for itself, with all that is said beside it, in
        millimetres."""
        columns = 0.0
        for column in self.columns:
            if column.note:
                columns += REACH
            else:
                columns += WIDE if len(column.value) > LONG else COLUMN
        return SHEET - (columns or PAIRS) - COLUMN * (self.ranked + self.words.shown.points)

    @property
    def ranked(self) -> bool:
        """Whether ranks need a column of their own, because none of the rule system's says them."""
        return self.words.shown.ranks and not any(
            column.label == self.words.rank for column in self.columns
        )

    @property
    def size(self) -> str:
        """On which papers its rows have to be lower than usual to stand on one page: "tall" on
        both, "middling" on Letter, "short" on none; "roomy" where they may even be higher."""
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
        """Battles fought, however they ended."""
        return self.won + self.drawn + self.lost


class Note(Struct, frozen=True):
    """Where a sentence has its grounds, as an end-note says it; ``anchor`` is what it links to, if
    anything."""

    text: str
    anchor: str = ""


class Sentence(Struct, frozen=True):
    """A sentence made from a fact, with its end-notes."""

    sentence: str
    notes: tuple[Note, ...] = ()


class Story(Struct, frozen=True):
    """Paragraphs of sentences that Muster makes from the books, in the document's language."""

    paragraphs: tuple[tuple[Sentence, ...], ...] = ()

    @property
    def notes(self) -> tuple[Note, ...]:
        """The end-notes, each once, in the order in which they are first needed."""
        notes = (note for paragraph in self.paragraphs for each in paragraph for note in each.notes)
        return tuple(dict.fromkeys(notes))


class Written(Struct, frozen=True):
    """What somebody wrote into the campaign's journal, of which day (ISO)."""

    on: str
    author: str
    text: str


class Casualty(Person, frozen=True):
    """A fighter that came out of a battle worse than it went in: what befell it, and by whose hands
    if known.

    ``after`` says what became of it in the end, if that was better. Of the dead whom a memorial
    remembers a battle says no more than that they fell: ``harm`` is empty, and the memorial says by
    whose hands.
    """

    rank: int = 0
    harm: str = ""
    by: tuple[Person, ...] = ()
    after: str = ""
    dead: bool = False


class SideNarrative(Struct, frozen=True):
    """A side of a battle: what it was, what it scored and why, whom it lost, and what its fighters
    earned, by which rules. ``role`` is "" where all have the same; ``lines`` has points for the
    same reason in one; ``marks`` says of everybody fielded how it left the field, the unhurt
    first."""

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
        """Those of whom no more is said than that they fell."""
        return tuple(casualty for casualty in self.casualties if not casualty.harm)

    @property
    def harmed(self) -> tuple[tuple[Casualty, ...], ...]:
        """The rows in which the casualties stand: the fallen in one, then each of whom it is told
        what befell it."""
        harmed = tuple((casualty,) for casualty in self.casualties if casualty.harm)
        return (self.fallen, *harmed) if self.fallen else harmed

    @property
    def harmed_in_a_run(self) -> tuple[tuple[Casualty, ...], ...]:
        """The same in one row, where room is wanting."""
        return (self.casualties,) if self.casualties else ()


class BattleNarrative(Struct, frozen=True):
    """A battle as it is told: who met where and when, how it ended and by which rule, and its
    story.

    ``named`` is its title for whoever speaks of it elsewhere: with its number where others bear the
    same. ``journal`` is what was written of the days since the battle before.
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
        """Whether any side has points, and there is something to draw."""
        return any(side.victory_points for side in self.sides)

    @property
    def casualties(self) -> int:
        """How many came to harm, on all sides together."""
        return sum(len(side.casualties) for side in self.sides)

    @property
    def citations(self) -> tuple[str, ...]:
        """The rules behind its points, each once, in the order in which they are first needed."""
        return tuple(
            dict.fromkeys(line.rule for side in self.sides for line in side.lines if line.rule)
        )

    @property
    def earned_by(self) -> tuple[str, ...]:
        """The rules behind what was earned, each once."""
        return tuple(dict.fromkeys(rule for side in self.sides for rule in side.earned_by))

    @property
    def remembered(self) -> bool:
        """Whether the end of some is told elsewhere."""
        return any(side.fallen for side in self.sides)
