"""What goes in and out of the questions about rosters: builds, prices, cards, rosters, steps up."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from rulebook.values.fields import Purchase
from rulebook.values.problems import Problem, Settings

BuildData = Mapping[str, Any]
"""What a fighter is made of, as JSON. Only its own rule system can read it."""
Condition = Mapping[str, Any]
"""What a fighter carries from battle to battle (present strength, bases lost, colours lost), as
JSON. Only its own rule system can read it; empty for a fighter as it was recruited, and in rule
systems where nothing is carried over."""
AS_RECRUITED: Condition = {}


class ReadyBuild(Struct, frozen=True, kw_only=True):
    """A build as people field it often, so that it is recruited with one tap instead of a form.

    ``profile`` is its profile's key within its list. The first ``usual`` one of a profile is what a
    form for it begins with, in place of the bare profile. Where not ``grouped``, it stands outside
    all groups (a Commander-in-Chief).
    """

    key: str
    profile: str
    name: str
    build: BuildData
    usual: bool = True
    grouped: bool = True


class BuildForm(Struct, frozen=True, kw_only=True):
    """What a fighter of one profile of a list is built from: as JSON, the keys of its ``fields``
    are those of a build.

    ``build`` is the least that it takes; what is left out of a build is the default of its field.

    A key with dots leads into maps: "options.pistols" is {"options": {"pistols": ...}}. A field of
    kind "list" holds a list of keys; of "picks" a list as well, a choice "pistol,pistol" is
    ["pistol", "pistol"]. ``prices`` has the points of each choice that has a price.
    """

    faction: str
    profile: str
    label: str
    build: BuildData
    fields: tuple[Purchase, ...]


class Fate(StrEnum):
    """What became of a fighter."""

    FIT = "fit"
    RECOVERING = "recovering"
    CAPTURED = "captured"
    DEAD = "dead"
    RETIRED = "retired"


class PriceLine(Struct, frozen=True):
    """One line of a price, in points."""

    label: str
    points: int
    source: str = ""


class Price(Struct, frozen=True):
    """What a fighter costs: ``points`` is the sum of ``lines``; ``printed`` the list's figure,
    where it prints one."""

    points: int
    lines: tuple[PriceLine, ...] = ()
    printed: int | None = None


class Characteristic(Struct, frozen=True):
    """One number of a profile as a card shows it: ``value`` is text such as "2", "Infantry" or "1
    (2 in melee)".

    ``source`` names the rule that says what the number is.
    """

    key: str
    label: str
    abbreviation: str
    value: str
    note: str = ""
    source: str = ""


class Item(Struct, frozen=True):
    """Something carried or an Attribute: ``note`` says in a few words of our own what it does."""

    key: str
    name: str
    kind: str
    note: str = ""
    source: str = ""


class Sheet(Struct, frozen=True):
    """A fighter as the rules see it now: everything that a card prints."""

    profile: str
    profile_name: str
    rank: int
    points: int
    price: Price
    characteristics: tuple[Characteristic, ...]
    equipment: tuple[Item, ...] = ()
    attributes: tuple[Item, ...] = ()
    unique: bool = False
    unfit_for: tuple[str, ...] = ()
    """The keys of the posts that it may not fill."""
    weapons: tuple[Mapping[str, str], ...] = ()
    """Rows of the card's weapons table: name, range, rules."""
    looks: tuple[str, ...] = ()
    """What a silhouette shows of it, in words of `drawings`: "mounted", a hat such as "morion",
    "pike", "cannon"."""


class ConditionLine(Struct, frozen=True):
    """A part of a fighter's condition for people: "Strength", "9 of 12". ``rule`` is what makes it
    count."""

    key: str
    label: str
    value: str
    rule: str = ""


class Post(Struct, frozen=True):
    """A post of a warband that one or more of its fighters fill: at least ``least``, at most
    ``most``.

    ``name`` is what people call it, ``short`` where there is little room; ``sign`` is the icon that
    stands for it. ``open`` is False where the warband lacks what it takes, such as a banner that
    nobody has bought.
    """

    key: str
    name: str
    short: str = ""
    sign: str = ""
    least: int = 0
    most: int = 1
    open: bool = True
    source: str = ""


Posts = Mapping[str, tuple[str, ...]]
"""Who fills the posts of a warband: the ids of fighters by the keys of posts; a post that nobody
fills is left out."""


class SheetColumn(Struct, frozen=True):
    """A column of a printed roster: the characteristic of this ``key``, or "rank"; ``short`` where
    there is no room."""

    key: str
    label: str
    short: str = ""


class TickBoxes(Struct, frozen=True):
    """What is ticked in pen at the table: a box for each word, "" for a plain one. ``strokes``
    count the boxes after which something happens; ``note`` says what."""

    key: str
    label: str
    boxes: tuple[str, ...]
    strokes: tuple[int, ...] = ()
    note: str = ""


class Tally(Struct, frozen=True):
    """Something that a service record counts: deeds of a fighter, battle after battle. ``label``
    heads its column, ``short`` where there is little room; ``one`` and ``many`` stand behind its
    number in a sentence."""

    key: str
    label: str
    short: str
    one: str
    many: str


class TallyCount(Tally, frozen=True):
    """A tally and what it has come to."""

    count: int = 0

    @property
    def phrase(self) -> str:
        """The number in words: "3 wounds dealt"."""
        return f"{self.count} {self.one if self.count == 1 else self.many}"


def counted(tallies: Iterable[Tally], counts: Mapping[str, int]) -> tuple[TallyCount, ...]:
    """Each tally with its count, 0 for those that are not among ``counts``."""
    return tuple(TallyCount(**asdict(tally), count=counts.get(tally.key, 0)) for tally in tallies)


class CampaignTerms(Struct, frozen=True):
    """The terms a warband serves on: its list, what it bought as a whole, the house rules."""

    faction: str
    extras: Mapping[str, Any] = {}
    settings: Settings = {}


class RosterFighter(Struct, frozen=True):
    """A fighter as a roster check needs it. ``recruited_after`` counts the games played when it
    joined."""

    id: str
    name: str
    build: BuildData
    fate: Fate = Fate.FIT
    experience: int = 0
    recruited_after: int = 0
    promoted: bool = False
    condition: Condition = {}


class Roster(Struct, frozen=True):
    """A warband as a roster check needs it. ``risen`` names the step of each who rose since the
    last battle, where the rules ask for that (``Progression.counts_steps``)."""

    terms: CampaignTerms
    fighters: tuple[RosterFighter, ...]
    posts: Posts = {}
    points_limit: int | None = None
    games_played: int = 0
    risen: Mapping[str, str] = {}

    def holder(self, post: str) -> str | None:
        """The id of the first fighter in this post, None if nobody fills it."""
        return next(iter(self.posts.get(post, ())), None)


class RosterFigure(Struct, frozen=True):
    """A sum of a roster that only its own rule system knows: ``sentence`` says what it is made of.

    ``brief`` marks those that are shown beside a warband's name as well, where there is little
    room.
    """

    key: str
    label: str
    value: int | str
    sentence: str = ""
    source: str = ""
    brief: bool = False


class RosterTotals(Struct, frozen=True):
    """A warband's sums: ``points`` with extras, ``lines`` for what the warband bought as a whole,
    and its ``figures``.

    ``sources`` names the rule behind "points" and "experience" (what fighters earn), where there is
    one.
    """

    points: int
    fighters: int
    lines: tuple[PriceLine, ...] = ()
    figures: tuple[RosterFigure, ...] = ()
    sources: Mapping[str, str] = {}

    def figure(self, key: str) -> int | str | None:
        """What a figure comes to, None if there is none of that key."""
        return next((figure.value for figure in self.figures if figure.key == key), None)


class Group(Struct, frozen=True):
    """A part of a warband that stands together, such as a brigade, with the ids of its fighters in
    their order.

    ``places`` says of those with a post or a place of their own what it is, by their ids:
    "Commander", "Rear". ``figures`` are the group's own sums.
    """

    key: str
    name: str
    fighters: tuple[str, ...]
    places: Mapping[str, str] = {}
    figures: tuple[RosterFigure, ...] = ()


class RosterPurpose(StrEnum):
    """What a roster is checked for."""

    BUILD = "build"
    ENROL = "enrol"
    RECRUIT = "recruit"
    CARRY_ON = "carry_on"


class RankUpPick(Struct, frozen=True):
    """Something that the owner chooses within a rank-up: at most ``most`` of ``choices`` (key,
    label)."""

    key: str
    label: str
    choices: tuple[tuple[str, str], ...]
    least: int = 0
    most: int = 1


class RankUp(Struct, frozen=True):
    """One legal step that a fighter may take, with everything it gives.

    ``key`` names it among the fighter's steps; ``cost`` is in experience. ``build`` is what the
    fighter becomes if nothing is picked, ``sheet`` how that looks. ``problems`` is what the step
    would do to the warband's legality.
    """

    key: str
    name: str
    rank: int
    cost: int
    build: BuildData
    sheet: Sheet
    gains: tuple[str, ...]
    keeps: tuple[str, ...]
    picks: tuple[RankUpPick, ...] = ()
    points_before: int = 0
    points_after: int = 0
    problems: tuple[Problem, ...] = ()
    offered_first: bool = True
    source: str = ""


class RankUpStep(Struct, frozen=True):
    """What a rank-up made of a fighter, as the replay of a chronicle needs it; ``rule`` is what
    made it cost that."""

    build: BuildData
    rank: int
    points: int
    cost: int
    name: str
    rule: str


class FighterFacts(Struct, frozen=True):
    """A fighter as the rules see it, in the few figures that the chronicle keeps."""

    rank: int
    points: int
    profile_name: str
