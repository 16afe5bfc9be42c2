"""Values about rosters: builds, prices, cards, rosters, rank-ups."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from rulebook.values.fields import Purchase
from rulebook.values.problems import Problem, Settings

BuildData = Mapping[str, Any]
"""The choices that make a fighter, as JSON. Only its own rule system can read it."""
Condition = Mapping[str, Any]
"""The lasting state of a fighter between battles (present strength, bases lost, colours lost), as
JSON. Only its own rule system can read it. It is empty for a new recruit, and in rule systems that
carry nothing over."""
AS_RECRUITED: Condition = {}


class ReadyBuild(Struct, frozen=True, kw_only=True):
    """A common build, which can be recruited with one tap instead of a form.

    ``profile`` is the key of its profile in its list. A form for a profile starts with the first
    ``usual`` build instead of the bare profile. If not ``grouped``, the fighter is outside all
    groups (such as a Commander-in-Chief).
    """

    key: str
    profile: str
    name: str
    build: BuildData
    usual: bool = True
    grouped: bool = True


class BuildForm(Struct, frozen=True, kw_only=True):
    """The form for building a fighter of one profile of a list.

    In JSON, ``fields`` has the keys of a build. ``build`` is the minimal build; missing
    values are the defaults of their fields.

    A key with dots leads into maps: "options.pistols" is {"options": {"pistols": ...}}. A field of
    kind "list" has a list of keys, and so has "picks": the choice "pistol,pistol" is
    ["pistol", "pistol"]. ``prices`` has the points of each choice with a price.
    """

    faction: str
    profile: str
    label: str
    build: BuildData
    fields: tuple[Purchase, ...]


class Fate(StrEnum):
    """The state of a fighter after a battle."""

    FIT = "fit"
    RECOVERING = "recovering"
    CAPTURED = "captured"
    DEAD = "dead"
    RETIRED = "retired"


class PriceLine(Struct, frozen=True):
    """A line of a price, in points."""

    label: str
    points: int
    source: str = ""


class Price(Struct, frozen=True):
    """The price of a fighter.

    ``points`` is the sum of ``lines``. ``printed`` is the number printed in the list, if any.
    """

    points: int
    lines: tuple[PriceLine, ...] = ()
    printed: int | None = None


class Characteristic(Struct, frozen=True):
    """A number of a profile as a card shows it.

    ``value`` is text such as "2", "Infantry" or "1 (2 in melee)". ``source`` is the rule that
    explains it.
    """

    key: str
    label: str
    abbreviation: str
    value: str
    note: str = ""
    source: str = ""


class Item(Struct, frozen=True):
    """A piece of equipment or an Attribute. ``note`` describes its effect in our own words."""

    key: str
    name: str
    kind: str
    note: str = ""
    source: str = ""


class Sheet(Struct, frozen=True):
    """A fighter's current state under the rules: everything that a card prints."""

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
    """The keys of warband roles that the fighter may not have."""
    weapons: tuple[Mapping[str, str], ...] = ()
    """The rows of the card's weapons table: name, range, rules."""
    looks: tuple[str, ...] = ()
    """Features of the silhouette, as keys of `drawings`: "mounted", a hat such as "morion",
    "pike", "cannon"."""


class ConditionLine(Struct, frozen=True):
    """A line of a fighter's condition for people, such as "Strength", "9 of 12", with its rule."""

    key: str
    label: str
    value: str
    rule: str = ""


class Post(Struct, frozen=True):
    """A warband role, which ``least`` to ``most`` fighters of a warband have.

    ``name`` is its name, ``short`` a shorter one, and ``sign`` its icon. ``open`` is False if the
    warband lacks something that it needs, such as a banner that nobody has bought.
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
"""The warband roles of a warband: ids of fighters by the keys of roles, without empty roles."""


class SheetColumn(Struct, frozen=True):
    """A column of a printed roster: the characteristic with this ``key``, or "rank".

    ``short`` is the label for narrow columns. ``also`` are the keys of other characteristics that
    are in it: nobody has two of them.
    """

    key: str
    label: str
    short: str = ""
    also: tuple[str, ...] = ()


class TickBoxes(Struct, frozen=True):
    """Boxes to tick by hand on paper: a box for each word, "" for a plain one.

    ``strokes`` are the numbers of boxes after which something happens, and ``stroke_notes`` say
    what, one for each. ``note`` is about the boxes as a whole.
    """

    key: str
    label: str
    boxes: tuple[str, ...]
    strokes: tuple[int, ...] = ()
    note: str = ""
    stroke_notes: tuple[str, ...] = ()

    @property
    def why(self) -> tuple[str, ...]:
        """The meanings of the strokes and of the boxes, each in a few words."""
        return (*self.stroke_notes, *((self.note,) if self.note else ()))


class Tally(Struct, frozen=True):
    """A count of a fighter's deeds over all battles, for a service record.

    ``label`` is the heading of its column and ``short`` a shorter one. ``one`` and ``many`` follow
    its number in a sentence.
    """

    key: str
    label: str
    short: str
    one: str
    many: str


class TallyCount(Tally, frozen=True):
    """A tally with its count."""

    count: int = 0

    @property
    def phrase(self) -> str:
        """The count as text: "3 wounds dealt"."""
        return f"{self.count} {self.one if self.count == 1 else self.many}"


def counted(tallies: Iterable[Tally], counts: Mapping[str, int]) -> tuple[TallyCount, ...]:
    """Return each tally with its count, 0 for those missing in ``counts``."""
    return tuple(TallyCount(**asdict(tally), count=counts.get(tally.key, 0)) for tally in tallies)


class CampaignTerms(Struct, frozen=True):
    """The terms of a warband: its list, its purchases as a whole, and the house rules."""

    faction: str
    extras: Mapping[str, Any] = {}
    settings: Settings = {}


class RosterFighter(Struct, frozen=True):
    """A fighter for roster checks.

    ``recruited_after`` is the number of games played when the fighter joined.
    """

    id: str
    name: str
    build: BuildData
    fate: Fate = Fate.FIT
    experience: int = 0
    recruited_after: int = 0
    promoted: bool = False
    condition: Condition = {}


class Roster(Struct, frozen=True):
    """A warband for roster checks.

    ``risen`` has the steps of fighters who ranked up since the last battle, for rules that need
    them (``Progression.counts_steps``).
    """

    terms: CampaignTerms
    fighters: tuple[RosterFighter, ...]
    posts: Posts = {}
    points_limit: int | None = None
    games_played: int = 0
    risen: Mapping[str, str] = {}

    def holder(self, post: str) -> str | None:
        """Return the id of the first fighter with this warband role, or None."""
        return next(iter(self.posts.get(post, ())), None)


class RosterFigure(Struct, frozen=True):
    """A sum of a roster that its own rule system defines. ``sentence`` says how it is computed.

    ``brief`` marks those that are also shown next to a warband's name, where space is short.
    """

    key: str
    label: str
    value: int | str
    sentence: str = ""
    source: str = ""
    brief: bool = False


class RosterTotals(Struct, frozen=True):
    """The sums of a warband.

    ``points`` include extras, ``lines`` are the purchases of the whole warband, and ``figures`` are
    the rule system's own sums. ``sources`` has the rules behind "points" and "experience", if any.
    """

    points: int
    fighters: int
    lines: tuple[PriceLine, ...] = ()
    figures: tuple[RosterFigure, ...] = ()
    sources: Mapping[str, str] = {}

    def figure(self, key: str) -> int | str | None:
        """Return the value of a figure, or None if there is no figure with this key."""
        return next((figure.value for figure in self.figures if figure.key == key), None)


class Group(Struct, frozen=True):
    """A part of a warband that stands together, such as a brigade, with fighters' ids in order.

    ``places`` has the warband roles and places of fighters by id: "Commander", "Rear". ``figures``
    are the sums of the group.
    """

    key: str
    name: str
    fighters: tuple[str, ...]
    places: Mapping[str, str] = {}
    figures: tuple[RosterFigure, ...] = ()


class RosterPurpose(StrEnum):
    """The purpose of a roster check."""

    BUILD = "build"
    ENROL = "enrol"
    RECRUIT = "recruit"
    CARRY_ON = "carry_on"


class RankUpPick(Struct, frozen=True):
    """A choice by the owner within a rank-up: at most ``most`` of ``choices`` (key, label)."""

    key: str
    label: str
    choices: tuple[tuple[str, str], ...]
    least: int = 0
    most: int = 1


class RankUp(Struct, frozen=True):
    """A legal step of a fighter, with everything it gives.

    ``key`` is unique among the fighter's steps. ``cost`` is in experience. ``build`` is the new
    build if nothing is picked, and ``sheet`` its card. ``problems`` are those that the step would
    cause for the warband.
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
    """The result of a rank-up for the replay of a chronicle. ``rule`` is the rule for its cost."""

    build: BuildData
    rank: int
    points: int
    cost: int
    name: str
    rule: str


class FighterFacts(Struct, frozen=True):
    """The numbers of a fighter that the chronicle keeps."""

    rank: int
    points: int
    profile_name: str
