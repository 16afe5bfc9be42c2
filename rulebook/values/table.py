"""The live view of a battle: the state of all fighters, what is due, actions, and outcomes."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from rulebook.values.answers import ReasonedSum
from rulebook.values.battles import ScoreLine, SetUpLine
from rulebook.values.fields import Field


class Mark(Struct, frozen=True):
    """A word or two about a state. ``tone`` is "bad", "warn", "good", "busy" or "idle"."""

    text: str
    tone: str = "idle"


class FighterView(Struct, frozen=True, kw_only=True):
    """The current state of a fighter.

    ``out`` says why it cannot act any more, or is "". ``foes`` are the fighters it fights.
    ``weapon`` is the weapon in hand or, in some systems, where and how it stands. ``dead`` means
    that it will never act again. ``numbers`` are its current characteristics with their labels.
    ``posts`` are the keys of its warband roles. ``group`` is the name of its group, or "".
    ``strength`` is what is left of a unit that can lose parts: "3½ of 4 bases".
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
    """A group of a side that acts as one. To get its actions, ask for its ``key``.

    ``name`` is the ``group`` of its fighters, and ``title`` the name to show if both sides may have
    a group of that name. ``marks`` describe the state of the whole group. ``out`` says why it
    cannot act now, or is "".
    """

    key: str
    name: str
    title: str
    side: str
    marks: tuple[Mark, ...] = ()
    out: str = ""


class SideView(Struct, frozen=True, kw_only=True):
    """The current state of a side: the number of fighters that count, and its victory points."""

    key: str
    name: str
    marks: tuple[Mark, ...]
    strength: int
    fielded: int
    victory_points: int
    lines: tuple[ScoreLine, ...]
    assets: tuple[SetUpLine, ...] = ()


class TurnView(Struct, frozen=True, kw_only=True):
    """A fighter in the current combat. ``next`` is whether it has the next turn.

    ``standing`` says why it has its place in the order, and ``left`` what it can still do, both in
    a few words.
    """

    fighter: str
    name: str
    side: str
    standing: str
    left: str
    next: bool
    out: bool


class CombatCounters(Struct, frozen=True):
    """The counters that a side has left in the current combat, each kind as (label, number)."""

    side: str
    left: tuple[tuple[str, int], ...]


class CombatView(Struct, frozen=True):
    """The current combat: its fighters in order of turns, and each side's remaining counters."""

    fighters: tuple[TurnView, ...]
    counters: tuple[CombatCounters, ...]
    over: bool


class Due(Struct, frozen=True, kw_only=True):
    """Something that must be done now.

    ``do`` is the key of an ``Action`` of ``who``, or "" if there is nothing to log. ``at_once``
    means that it can be logged without further input, and ``rolls`` that this rolls dice.
    ``button`` is the label of its button. ``minor`` marks an action that gives something up,
    ``or_else`` one choice of several, and ``onward`` the way forward, which skips everything else
    of its phase that may be skipped. ``instead`` is the key of an alternative action of ``who``
    without further input, and ``instead_button`` the label of its button.
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
    """A phase of the turn, with what is due in it. ``now`` marks the current phase of the log."""

    key: str
    name: str
    due: tuple[Due, ...]
    now: bool = False


BESIDE = "beside"
"""The phase of actions that belong to no phase of a turn."""


class Action(Struct, frozen=True, kw_only=True):
    """Something that can be logged now: an event of ``kind`` with ``given``, and ``fields`` to ask.

    Keys of fields with dots lead into the event's maps and lists: "counters.a.0". Fields without a
    group are asked at once, those of "dice" if dice were rolled at the table, those of "more" on
    demand. ``hurdle`` says in a few words why the rules will probably refuse it, or is "".
    ``rolls`` means that it always needs dice. ``secrets`` has the fields that a side chooses before
    it sees those of the others, each with its side.

    ``follow`` names what the rule system logs right after it, or is "": a page calls
    ``Ruleset.follow_up`` for one event after another, and logs all of them in one request.
    ``plan`` are optional fields for these events. ``together`` is added to the data of each event
    if several fighters do the same in one request.
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
    """Fighters who can do the same action with one tap: the action's key, their ids, a button.

    ``some`` means that not all of them have to: a page asks for each of them on one form, and logs
    the action for those who do.
    """

    do: str
    button: str
    who: tuple[str, ...]
    some: bool = False


class CasualtyResult(Struct, frozen=True, kw_only=True):
    """A result of a casualty as one button: an event of ``kind`` with ``given`` filled in.

    ``victim`` and ``by`` are the names of the fields for the victim and the attacker; ``by`` is ""
    if there is no attacker. If the label is a number, ``group`` says what it counts; otherwise it
    is "".
    """

    key: str
    label: str
    kind: str
    given: Mapping[str, Any]
    victim: str
    by: str = ""
    group: str = ""


class CasualtyBoard(Struct, frozen=True, kw_only=True):
    """The board for logging casualties by tapping the victim, the result and the attacker.

    ``how`` is an optional choice and ``more`` are optional fields, both of the kind of the first
    result, ``kind``.
    """

    kind: str
    victim_label: str
    by_label: str
    results: tuple[CasualtyResult, ...]
    how: Field | None = None
    more: tuple[Field, ...] = ()


class LightWay(Struct, frozen=True, kw_only=True):
    """The log of a battle with only its turns and casualties.

    ``now`` is whether the current turn is logged this way. ``turns`` are the light turns that may
    begin next, one for each side that can have it. ``due_kinds`` are the kinds of events that are
    still required when they are due.
    """

    now: bool
    turns: tuple[Action, ...] = ()
    board: CasualtyBoard | None = None
    due_kinds: frozenset[str] = frozenset()


class EventOutcome(Struct, frozen=True):
    """The outcome of an event: sentences, sums with reasons, and the rules that decided it."""

    sentences: tuple[str, ...] = ()
    sums: tuple[ReasonedSum, ...] = ()
    rules: tuple[str, ...] = ()


class TableView(Struct, frozen=True, kw_only=True):
    """The table after a log.

    ``dice`` says who rolls: "app", "table" or "both". ``actions`` are for the requested actor: a
    fighter, a side, one of the ``groups`` that act as one, or the table. ``choice`` says in a
    sentence who decides what comes next, or is "". ``bulks`` are actions of several fighters that
    can be logged with one tap.
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
