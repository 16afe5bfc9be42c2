"""A battle at the table, for people: how everybody stands, what is due, what can be done, what each
event came to."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from rulebook.values.answers import ReasonedSum
from rulebook.values.battles import ScoreLine, SetUpLine
from rulebook.values.fields import Field


class Mark(Struct, frozen=True):
    """A word or two about how somebody stands. ``tone`` is "bad", "warn", "good", "busy" or
    "idle"."""

    text: str
    tone: str = "idle"


class FighterView(Struct, frozen=True, kw_only=True):
    """A fighter as it stands now. ``out`` says why it can do nothing more, "" if it can; ``foes``
    whom it fights.

    ``weapon`` is what it has in hand, or where and how it stands in systems that tell that instead.
    ``dead`` says that it will never act again; ``numbers`` are its characteristics as they count
    right now, each with what people call it; ``posts`` are the keys of those that it fills.
    ``group`` is the name of the group in which it stands, "" for none; ``strength`` is what is left
    of it in a few words, where it can lose a part of itself: "3½ of 4 bases".
    """

    id: str
    name: str
    side: str
    profile: str
    rank: int
    out: str
    marks: tuple[Mark, ...]
    weapon: str
    foes: tuple[str, ...]
    numbers: tuple[tuple[str, str], ...]
    posts: tuple[str, ...] = ()
    dead: bool = False
    group: str = ""
    strength: str = ""


class GroupView(Struct, frozen=True, kw_only=True):
    """A group of a side that does something as one, by its ``key``: who asks for what it can do
    names that.

    ``name`` is what its fighters say of it in their ``group``, ``title`` what people call it where
    both sides may have one of that name. ``marks`` say how all of it stands, ``out`` why it can do
    nothing now, "" if it can.
    """

    key: str
    name: str
    title: str
    side: str
    marks: tuple[Mark, ...] = ()
    out: str = ""


class SideView(Struct, frozen=True, kw_only=True):
    """A side as it stands now: how many of its fighters still count, and its victory points so far,
    line by line."""

    key: str
    name: str
    marks: tuple[Mark, ...]
    strength: int
    fielded: int
    victory_points: int
    lines: tuple[ScoreLine, ...]
    assets: tuple[SetUpLine, ...] = ()


class TurnView(Struct, frozen=True, kw_only=True):
    """A fighter in the combat that is open: whether the next turn is its own.

    ``standing`` says what puts it where it stands in the order, ``left`` what it can still do, both
    in a few words.
    """

    fighter: str
    name: str
    side: str
    standing: str
    left: str
    next: bool
    out: bool


class CombatCounters(Struct, frozen=True):
    """What a side has left in the combat that is open: a number for each kind of counter, as people
    call it."""

    side: str
    left: tuple[tuple[str, int], ...]


class CombatView(Struct, frozen=True):
    """The combat that is open: its fighters in the order of their turns, and the counters left to
    each side."""

    fighters: tuple[TurnView, ...]
    counters: tuple[CombatCounters, ...]
    over: bool


class Due(Struct, frozen=True, kw_only=True):
    """Something that is to be done now: ``do`` is the key of an ``Action`` of ``who``; "" if there
    is nothing to log.

    ``at_once`` says that it can be logged as it stands, without asking anything; ``rolls`` that
    dice are thrown then. ``button`` is what a button says that does it; ``minor`` marks what lets
    something go, ``or_else`` what is one choice of several, ``onward`` what leaves everything of
    its phase behind that may be left: the way forward. ``instead`` is the key of an action of
    ``who`` that can be logged in its place as it stands, ``instead_button`` what its button says.
    """

    sentence: str
    who: str = ""
    do: str = ""
    rule: str = ""
    button: str = ""
    at_once: bool = False
    rolls: bool = False
    minor: bool = False
    or_else: bool = False
    onward: bool = False
    instead: str = ""
    instead_button: str = ""


class Phase(Struct, frozen=True, kw_only=True):
    """A phase of the turn, and what is due in it. ``now`` marks the one that the log has come
    to."""

    key: str
    name: str
    due: tuple[Due, ...]
    now: bool = False


BESIDE = "beside"
"""The phase of actions that belong to no phase of a turn."""


class Action(Struct, frozen=True, kw_only=True):
    """Something that can be logged now: an event of ``kind`` with ``given`` filled in and
    ``fields`` left to ask for.

    Keys of fields with dots lead into the event's maps and lists: "counters.a.0". Fields of no
    group are asked for at once, those of "dice" if dice were thrown at the table, those of "more"
    if somebody wants them. ``hurdle`` says in a few words why the rules are likely to refuse it, ""
    if nothing speaks against it; ``rolls`` that it takes dice whatever happens. ``secrets`` names
    the fields that a side chooses before it sees the others', each with its side.

    ``follow`` names what the rule system logs right behind it, "" for nothing: a page asks
    ``Ruleset.follow_up`` for one event after the other, and logs all of them in one request.
    ``plan`` are fields for what follows; none of them is required. ``together`` is what an event of
    it says besides where several do the same in one request.
    """

    key: str
    kind: str
    label: str
    phase: str = ""
    fields: tuple[Field, ...] = ()
    given: Mapping[str, Any] = {}
    turn: int | None = None
    help: str = ""
    rule: str = ""
    hurdle: str = ""
    rolls: bool = False
    secrets: Mapping[str, str] = {}
    follow: str = ""
    plan: tuple[Field, ...] = ()
    together: Mapping[str, Any] = {}


class FollowUp(Struct, frozen=True):
    """An event that the rules log automatically after another one."""

    kind: str
    data: Mapping[str, Any] = {}


class Bulk(Struct, frozen=True, kw_only=True):
    """Several who can do the same action in one tap: the key of the action, whose they are, what a
    button says.

    ``some`` says that not all of them need do it: a page asks of each, on one form, and logs those
    who do.
    """

    do: str
    button: str
    who: tuple[str, ...]
    some: bool = False


class CasualtyResult(Struct, frozen=True, kw_only=True):
    """A casualty as one button: an event of ``kind`` with ``given`` filled in.

    ``victim`` and ``by`` name the fields of the victim and the attacker, ``by`` is "" where there
    is no attacker. ``group`` is what numbers count, "" for a result of its own.
    """

    key: str
    label: str
    kind: str
    given: Mapping[str, Any]
    victim: str
    by: str = ""
    group: str = ""


class CasualtyBoard(Struct, frozen=True, kw_only=True):
    """The board on which casualties are logged by tapping: the victim, the result, the attacker.

    ``how`` can be chosen as well and ``more`` be filled in: fields of the kind of the first result,
    ``kind``.
    """

    kind: str
    victim_label: str
    by_label: str
    results: tuple[CasualtyResult, ...]
    how: Field | None = None
    more: tuple[Field, ...] = ()


class LightWay(Struct, frozen=True, kw_only=True):
    """The log of a battle by its turns and casualties alone.

    ``now`` says that the present turn is logged so; ``turns`` are the light turns that may begin
    next, one for each side that may have it. ``due_kinds`` are the keys of kinds that are asked for
    even so, once they are due.
    """

    now: bool
    turns: tuple[Action, ...] = ()
    board: CasualtyBoard | None = None
    due_kinds: frozenset[str] = frozenset()


class EventOutcome(Struct, frozen=True):
    """The outcome of an event: sentences, sums with their reasons, and the rules that decided
    it."""

    sentences: tuple[str, ...] = ()
    sums: tuple[ReasonedSum, ...] = ()
    rules: tuple[str, ...] = ()


class TableView(Struct, frozen=True, kw_only=True):
    """The table after a log. ``outcomes`` maps the numbers of events to what they came to; ``dice``
    says who throws: "app", "table" or "both". ``actions`` are for the actor that was asked about: a
    fighter, a side, one of the ``groups`` that act as one, or the table.

    ``choice`` says in a sentence whose choice it is what comes next, "" where nobody has one.
    ``bulks`` are actions of several that can be logged in one tap.
    """

    turn: int
    turns: int | None
    ended: bool
    dice: str
    phases: tuple[Phase, ...]
    sides: tuple[SideView, ...]
    fighters: tuple[FighterView, ...]
    combat: CombatView | None
    actions: tuple[Action, ...]
    groups: tuple[GroupView, ...] = ()
    choice: str = ""
    bulks: tuple[Bulk, ...] = ()
