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
    """The outcome of a battle for one side. A draw is a result; no result is None."""

    WON = "won"
    LOST = "lost"
    DREW = "drew"


class Deed(Struct, frozen=True):
    """A deed of a fighter in a battle, with the ranks at that moment.

    ``kind`` is the rule system's, such as "wound" or "captive"; ``result`` says how bad it was and
    ``means`` how it was done, by keys of the rule system's own. ``victim`` is the fighter's id
    where Muster knows one.
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
    """A part of a unit that it lost in a battle: the ``amount`` of the ``of`` with which it came,
    as people say them.

    ``key`` is stable, ``parts`` is what people call such parts: "figures", "bases". Of something
    that is lost as a whole, such as "its colours", both numbers are "".
    """

    key: str
    parts: str
    amount: str = ""
    of: str = ""


class Record(Struct, frozen=True):
    """The record of one fighter in a battle. Every fielded fighter has one.

    ``fate`` is its state after the battle; ``wounds`` the worst state it ended in, by a key of the
    rule system's own ("" is unhurt); ``survived`` is the rules' own answer for the experience of
    surviving. ``recovery_roll`` is the die thrown after the battle where a house rule asks for one.
    ``condition`` is all that the fighter carries on to the next battle, in place of what it brought
    along. ``losses`` are what it lost of itself in this one, where it is made of several.
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


class Award(Struct, frozen=True):
    """A reasoned amount of experience: ``code`` is stable, ``rule`` the heading or ruling that made
    it worth that.

    One that ``clears`` takes away all that the fighter has not spent before it adds its amount.
    """

    fighter: str
    amount: int
    code: str
    sentence: str
    rule: str
    clears: bool = False


class ScoreLine(Struct, frozen=True):
    """One line of a side's victory points, with its reason and the rule behind it."""

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
    """The result sheet. ``verdict`` says in a sentence who won, and by what."""

    sides: tuple[SideResult, ...]
    verdict: str
    turns: int | None = None
    winner: str | None = None


class FieldedFighter(RemembersAnswers, frozen=True):
    """A combatant as it took the field: its build and rank are those of the hour."""

    id: str
    name: str
    build: BuildData
    rank: int
    points: int
    posts: tuple[str, ...] = ()
    """The keys of the posts that it fills."""
    condition: Condition = {}

    def fills(self, post: str) -> bool:
        """Return whether it fills the post of this key."""
        return post in self.posts


class FieldedSide(Struct, frozen=True):
    """One side of a battle. ``key`` is unique in the battle; ``role`` one that the scenario
    names."""

    key: str
    name: str
    role: str
    faction: str
    fighters: tuple[FieldedFighter, ...]
    extras: Mapping[str, Any] = {}
    figures: Mapping[str, int | str] = {}
    """The figures of the force as it took the field, by their keys."""


class BattleSetup(RemembersAnswers, frozen=True):
    """All that is fixed before the first event. ``set_up`` holds what was rolled or typed for the
    table."""

    scenario: str
    sides: tuple[FieldedSide, ...]
    settings: Settings = {}
    set_up: Mapping[str, Any] = {}
    points_limit: int | None = None

    @cached_property
    def sides_by_key(self) -> Mapping[str, FieldedSide]:
        """Return the sides by their keys, in their order: every event of a log asks for them."""
        return {side.key: side for side in self.sides}


class SetUpLine(Struct, frozen=True):
    """A part of the set-up for people: what, what it came to, and whether it was rolled or typed
    in."""

    label: str
    value: str
    how: str
    rule: str = ""


class LoggedEvent(Struct, frozen=True):
    """An event of a battle's log: ``kind`` and ``data`` are the rule system's, ``sequence`` counts
    from 1.

    ``dice`` are those that Muster threw for it, in order.
    """

    sequence: int
    kind: str
    data: Mapping[str, Any]
    turn: int | None = None
    dice: tuple[int, ...] = ()


class Thrown(Struct, frozen=True):
    """An event's data with the dice that it needed, and these dice in the order in which they were
    thrown.

    ``apart`` are dice that are none of the battle's own: those of a secret.
    """

    data: Mapping[str, Any]
    dice: tuple[int, ...] = ()
    apart: tuple[int, ...] = ()

    @property
    def tells(self) -> bool:
        """Return whether it says what a die of Muster's shows that nobody knew before."""
        return bool(self.dice or self.apart)


class PrivateRoll(Struct, frozen=True):
    """Muster's roll for one side alone, revealed when the battle has ended.

    ``purpose`` names the dice apart from the battle's own of which this is the first; ``sentence``
    says what ``die`` has come to.
    """

    side: str
    what: str
    die: int
    sentence: str
    rule: str
    purpose: str


class EventForm(Struct, frozen=True):
    """A kind of event that a battle's log takes. ``turn_by_turn`` marks those that no result sheet
    needs; ``rows`` says how many of it a fresh result sheet has room for, ``each`` the field in
    which its rows name everybody in turn."""

    key: str
    label: str
    fields: tuple[Field, ...]
    help: str = ""
    turn_by_turn: bool = False
    rows: int = 1
    each: str = ""


class ScenarioRole(Struct, frozen=True):
    """A part to play: ``force`` is its share of the agreed points (numerator, denominator)."""

    key: str
    name: str
    force: tuple[int, int] = (1, 1)
    least: int = 1
    most: int = 1
    """Return the number of sides that may play the role, as text."""


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
    """The kinds of event on its result sheet, in addition to those of every battle."""

    def role(self, key: str) -> ScenarioRole | None:
        """Return the role of that key, None if the scenario has none such."""
        return next((role for role in self.roles if role.key == key), None)


class Calculator(Struct, frozen=True):
    """A question that a rule system answers, with the fields that it takes.

    ``about`` says what it is asked about: "numbers" (its fields are all that it needs), "fighters"
    (two of rosters) or "battle" (two combatants of a battle under way). ``group`` gathers
    calculators for people; those of the group "odds" count chances. ``examples`` are values to try;
    ``source`` names the heading of the rule book.
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
    """A fighter of a roster, and the terms on which its warband serves."""

    id: str
    name: str
    build: BuildData
    terms: CampaignTerms
    condition: Condition = {}
