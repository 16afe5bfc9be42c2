"""Values about battles: forces, events, results, experience."""

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any

from msgspec import Struct

from rulebook.values.described import closed
from rulebook.values.fields import Field
from rulebook.values.problems import Settings
from rulebook.values.remembering import RemembersAnswers
from rulebook.values.rosters import BuildData, CampaignTerms, Condition, Fate


class Outcome(StrEnum):
    """The outcome of a battle for one side. A draw is an outcome; None means no result."""

    WON = "won"
    LOST = "lost"
    DREW = "drew"


class Deed(Struct, frozen=True):
    """A deed of a fighter in a battle, with the ranks at that moment.

    ``kind``, ``result`` (how severe) and ``means`` (how it was done) are keys of the rule system,
    such as "wound" or "captive". ``victim`` is the fighter's id if Muster knows the fighter.
    """

    fighter: str
    kind: str
    rank: int
    victim: str | None = None
    victim_name: str = ""
    victim_rank: int = 0
    result: str = ""
    means: str = ""
    killed: bool = False
    turn: int | None = None
    friendly: bool = False
    detail: Mapping[str, Any] = {}


class Loss(Struct, frozen=True):
    """A loss of part of a unit in a battle: ``amount`` of the ``of`` it had, as text.

    ``key`` is stable and ``parts`` is the word for such parts: "figures", "bases". If something is
    lost as a whole, such as "its colours", both numbers are "".
    """

    key: str
    parts: str
    amount: str = ""
    of: str = ""


class Record(Struct, frozen=True):
    """The record of one fighter in a battle. Every fighter in a line-up has one.

    ``fate`` is the state after the battle. ``wounds`` is the worst state in the battle as a key of
    the rule system ("" is unhurt). ``survived`` is whether it counts as surviving for experience.
    ``recovery_roll`` is the die rolled after the battle if a house rule requires it. ``condition``
    is everything that the fighter carries to the next battle, and replaces the earlier one.
    ``losses`` are the parts lost in this battle, for a unit of several parts.
    """

    fighter: str
    rank: int
    fate: Fate
    survived: bool = True
    wounds: str = ""
    routed: bool = False
    captured: bool = False
    killed_by: str = ""
    recovery_roll: int | None = None
    condition: Condition = {}
    losses: tuple[Loss, ...] = ()


# A replay makes thousands of these. They hold no other objects, so the garbage collector need not
# look at them.
class Award(Struct, frozen=True, gc=False):
    """An amount of experience: ``code`` is stable, ``rule`` is the heading or ruling behind it.

    If ``clears`` is set, all unspent experience is removed before the amount is added.
    """

    fighter: str
    amount: int
    code: str
    sentence: str
    rule: str
    clears: bool = False


class ScoreLine(Struct, frozen=True):
    """A line of a side's victory points, with its reason and the rule behind it."""

    points: int
    sentence: str
    rule: str
    code: str = ""


class SideResult(Struct, frozen=True, kw_only=True):
    """The result of one side: its score line by line, and each fighter's record and deeds."""

    side: str
    victory_points: int
    lines: tuple[ScoreLine, ...]
    outcome: Outcome
    records: tuple[Record, ...]
    deeds: tuple[Deed, ...]
    captives: tuple[str, ...] = ()


class BattleResult(Struct, frozen=True, kw_only=True):
    """The result of a battle. ``verdict`` says in a sentence who won, and by how much."""

    sides: tuple[SideResult, ...]
    verdict: str
    turns: int | None = None
    winner: str | None = None


class FieldedFighter(RemembersAnswers, frozen=True):
    """A fighter in a line-up, with the build and rank at the time of the battle."""

    id: str
    name: str
    build: BuildData
    rank: int
    points: int
    posts: tuple[str, ...] = ()
    """The keys of its warband roles."""
    condition: Condition = {}

    def fills(self, post: str) -> bool:
        """Return whether it has the warband role with this key."""
        return post in self.posts


class FieldedSide(Struct, frozen=True):
    """A side of a battle. ``key`` is unique in the battle; ``role`` is a role of the scenario."""

    key: str
    name: str
    role: str
    faction: str
    fighters: tuple[FieldedFighter, ...]
    extras: Mapping[str, Any] = {}
    figures: Mapping[str, int | str] = {}
    """The figures of the force at the start of the battle, by key."""


class BattleSetup(RemembersAnswers, frozen=True):
    """Everything that is fixed before the first event.

    ``set_up`` has what was rolled or entered for the table.
    """

    scenario: str
    sides: tuple[FieldedSide, ...]
    settings: Settings = {}
    set_up: Mapping[str, Any] = {}
    points_limit: int | None = None

    @cached_property
    def sides_by_key(self) -> Mapping[str, FieldedSide]:
        """Return the sides by key, in order. It is cached because every event needs it."""
        return {side.key: side for side in self.sides}


class SetUpLine(Struct, frozen=True):
    """A line of the setup for people: label, value, and whether it was rolled or entered."""

    label: str
    value: str
    how: str
    rule: str = ""


class LoggedEvent(Struct, frozen=True):
    """An event of a battle's log. ``kind`` and ``data`` are the rule system's.

    ``sequence`` counts from 1. ``dice`` are those that Muster rolled for the event, in order.
    """

    sequence: int
    kind: str
    data: Mapping[str, Any]
    turn: int | None = None
    dice: tuple[int, ...] = ()


class Thrown(Struct, frozen=True):
    """The data of an event with its dice filled in, and these dice in the order of the rolls.

    ``apart`` are dice of a secret, which are not the battle's own.
    """

    data: Mapping[str, Any]
    dice: tuple[int, ...] = ()
    apart: tuple[int, ...] = ()

    @property
    def tells(self) -> bool:
        """Return whether it reveals a die of Muster that nobody knew before."""
        return bool(self.dice or self.apart)


class PrivateRoll(Struct, frozen=True):
    """A roll by Muster for one side only, revealed when the battle has ended.

    ``purpose`` names the separate sequence of dice that starts with this one. ``sentence`` is the
    meaning of ``die``.
    """

    side: str
    what: str
    die: int
    sentence: str
    rule: str
    purpose: str


class EventForm(Struct, frozen=True):
    """A kind of event that a battle's log accepts.

    ``turn_by_turn`` marks kinds that a result does not need. ``rows`` is the number of empty rows
    for it in a new result. ``each`` is the field in which the rows name all fighters in turn.
    """

    key: str
    label: str
    fields: tuple[Field, ...]
    help: str = ""
    turn_by_turn: bool = False
    rows: int = 1
    each: str = ""


class ScenarioRole(Struct, frozen=True):
    """A role of a side. ``force`` is its share of the agreed points (numerator, denominator)."""

    key: str
    name: str
    force: tuple[int, int] = (1, 1)
    least: int = 1
    most: int = 1
    """Sides that may play the role: at least ``least``, at most ``most``."""


class Scenario(Struct, frozen=True):
    """A scenario of a battle. ``summary`` and ``victory`` are in our own words."""

    key: str
    name: str
    summary: str
    roles: tuple[ScenarioRole, ...]
    victory: str
    length: str
    source: str
    event_kinds: tuple[str, ...] = ()
    """The kinds of events in its result, in addition to those of every battle."""

    def role(self, key: str) -> ScenarioRole | None:
        """Return the role with this key, or None."""
        return next((role for role in self.roles if role.key == key), None)


class Calculator(Struct, frozen=True):
    """A question that a rule system answers, with its fields.

    ``about`` is the subject: "numbers" (the fields are enough), "fighters" (two fighters of
    rosters) or "battle" (two combatants of a battle in progress). ``group`` groups calculators for
    people; those in "odds" compute chances. ``examples`` are values to try. ``source`` is the
    heading in the rule book.
    """

    key: str
    name: str
    help: str
    fields: tuple[Field, ...]
    group: str
    about: Annotated[str, closed("CalculatorAbout", ("numbers", "fighters", "battle"))] = "numbers"
    examples: tuple[Mapping[str, str], ...] = ()
    source: str = ""


class Opponent(Struct, frozen=True):
    """A fighter of a roster, with the terms of its warband."""

    id: str
    name: str
    build: BuildData
    terms: CampaignTerms
    condition: Condition = {}
