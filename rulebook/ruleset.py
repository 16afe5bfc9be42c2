"""What every rule system can be asked, and the frozen values that go in and come out.

A rule system is data first and a few functions last. The apps, the pages and the documents know only this
protocol: they never ask which rule system they are talking to. Values are frozen ``msgspec`` structs, so that
each can be written as JSON, read back and compared.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Protocol

from msgspec import Struct

from rulebook.dice import Generator

Settings = Mapping[str, Any]
"""House rules by key, complete or not: what is absent has its default."""

BuildData = Mapping[str, Any]
"""What a fighter is made of, as JSON. Only its own rule system can read it."""


class Fate(StrEnum):
    """What became of a fighter."""

    FIT = "fit"
    RECOVERING = "recovering"
    CAPTURED = "captured"
    DEAD = "dead"
    RETIRED = "retired"


class Outcome(StrEnum):
    """How a battle ended for one side. A draw is a result; no result is None."""

    WON = "won"
    LOST = "lost"
    DREW = "drew"


class Severity(StrEnum):
    """Whether a problem forbids or warns."""

    FORBIDS = "forbids"
    WARNS = "warns"


class Problem(Struct, frozen=True):
    """One thing that is wrong: a stable code, a sentence for people, and whom it concerns."""

    code: str
    sentence: str
    severity: Severity = Severity.FORBIDS
    fighters: tuple[str, ...] = ()
    field: str = ""
    value: str = ""
    source: str = ""


class RulesError(ValueError):
    """The rules say no. Carries every problem at once."""

    def __init__(self, *problems: Problem) -> None:
        self.problems = problems
        super().__init__(" ".join(problem.sentence for problem in problems))


class Words(Struct, frozen=True):
    """How the rule system names things for people."""

    fighter: str
    fighters: str
    warband: str
    warbands: str
    rank: str = "Rank"


class HouseRule(Struct, frozen=True):
    """A typed setting of a campaign: ``kind`` is "choice", "flag" or "number"; ``source`` names heading or ruling.

    ``book`` is False for what the rule book does not say at all: pages label it as Muster's own.
    """

    key: str
    label: str
    help: str
    kind: str
    default: str | bool | int
    choices: tuple[tuple[str, str], ...] = ()
    least: int | None = None
    most: int | None = None
    source: str = ""
    book: bool = True


class PriceLine(Struct, frozen=True):
    """One line of a price, in points."""

    label: str
    points: int
    source: str = ""


class Price(Struct, frozen=True):
    """What a fighter costs: ``points`` is the sum of ``lines``; ``printed`` the list's figure, where it prints one."""

    points: int
    lines: tuple[PriceLine, ...] = ()
    printed: int | None = None


class Characteristic(Struct, frozen=True):
    """One number of a profile as a card shows it: ``value`` is text such as "2", "Infantry" or "1 (2 in melee)"."""

    key: str
    label: str
    abbreviation: str
    value: str
    note: str = ""


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
    leads: bool = True
    """May be the Leader."""
    weapons: tuple[Mapping[str, str], ...] = ()
    """Rows of the card's weapons table: name, range, rules."""


class Terms(Struct, frozen=True):
    """The terms a warband serves on: its list, what it bought as a whole (Morale, banner, guns), the house rules."""

    faction: str
    extras: Mapping[str, Any] = {}
    settings: Settings = {}


class RosterFighter(Struct, frozen=True):
    """A fighter as a roster check needs it. ``recruited_after`` counts the games played when it joined."""

    id: str
    name: str
    build: BuildData
    fate: Fate = Fate.FIT
    experience: int = 0
    recruited_after: int = 0
    promoted: bool = False


class Roster(Struct, frozen=True):
    """A warband as a roster check needs it."""

    terms: Terms
    fighters: tuple[RosterFighter, ...]
    leader: str | None = None
    points_limit: int | None = None
    games_played: int = 0


class RosterTotals(Struct, frozen=True):
    """A warband's sums: ``points`` with extras, ``lines`` for what the warband bought as a whole."""

    points: int
    fighters: int
    lines: tuple[PriceLine, ...] = ()
    morale: int | None = None
    morale_test_after: int | None = None
    """Test Morale in the turn after losing this many fighters."""


class RosterPurpose(StrEnum):
    """What a roster is checked for."""

    BUILD = "build"
    ENROL = "enrol"
    RECRUIT = "recruit"
    CARRY_ON = "carry_on"


class Deed(Struct, frozen=True):
    """What a fighter did in a battle, with the ranks as they stood when it happened (Ruling X6).

    ``kind`` is "wound", "objective", "banner" or "captive"; for a wound ``result`` says how bad the attack's
    result was and ``means`` how it was dealt. ``victim`` is the fighter's id where Muster knows one.
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


class Record(Struct, frozen=True):
    """What a battle did to one fighter of the warband. Every fighter that was fielded has one.

    ``fate`` is what becomes of it; ``wounds`` the worst state it ended in ("", "stunned", "light", "grievous",
    "unconscious", "critical"); ``survived`` is the rules' own answer for the experience of surviving.
    ``recovery_roll`` is the die thrown after the battle where a house rule asks for one. ``condition`` is what a
    rule system carries from battle to battle (present strength, for the battle games).
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
    condition: Mapping[str, Any] = {}


class Award(Struct, frozen=True):
    """A reasoned amount of experience: ``code`` is stable, ``rule`` the heading or ruling that made it worth that."""

    fighter: str
    amount: int
    code: str
    sentence: str
    rule: str


class ScoreLine(Struct, frozen=True):
    """One line of a side's victory points, with its reason and the rule behind it."""

    points: int
    sentence: str
    rule: str
    code: str = ""


class SideResult(Struct, frozen=True):
    """What a battle's log says of one side: its score line by line, and each fighter's record and deeds."""

    side: str
    victory_points: int
    lines: tuple[ScoreLine, ...]
    outcome: Outcome
    records: tuple[Record, ...]
    deeds: tuple[Deed, ...]
    captives: tuple[str, ...] = ()


class BattleResult(Struct, frozen=True):
    """The result sheet. ``verdict`` says in a sentence who won, and by which rule."""

    sides: tuple[SideResult, ...]
    verdict: str
    turns: int | None = None
    winner: str | None = None


class FieldedFighter(Struct, frozen=True):
    """A combatant as it took the field: its build and rank are those of the hour (Ruling X6)."""

    id: str
    name: str
    build: BuildData
    rank: int
    points: int
    leader: bool = False
    banner: bool = False


class FieldedSide(Struct, frozen=True):
    """One side of a battle. ``key`` is unique in the battle; ``role`` one that the scenario names."""

    key: str
    name: str
    role: str
    faction: str
    fighters: tuple[FieldedFighter, ...]
    extras: Mapping[str, Any] = {}
    morale: int | None = None


class BattleSetup(Struct, frozen=True):
    """All that is fixed before the first event. ``set_up`` holds what was rolled or typed for the table."""

    scenario: str
    sides: tuple[FieldedSide, ...]
    settings: Settings = {}
    set_up: Mapping[str, Any] = {}
    points_limit: int | None = None


class LoggedEvent(Struct, frozen=True):
    """An event of a battle's log: ``kind`` and ``data`` are the rule system's, ``sequence`` counts from 1."""

    sequence: int
    kind: str
    data: Mapping[str, Any]
    turn: int | None = None


class Thrown(Struct, frozen=True):
    """An event's data with the dice that it needed, and these dice in the order in which they were thrown."""

    data: Mapping[str, Any]
    dice: tuple[int, ...] = ()


class EventField(Struct, frozen=True):
    """A field of an event or a calculator, enough to draw a form: ``kind`` is "combatant", "side", "choice", "number",
    "inches" (decimals allowed), "text", "flag", "dice" (six-sided ones, such as "3,4"), "list" or "map".

    ``default`` is what an empty field stands for, as text; fields of one ``group`` belong together.
    """

    key: str
    label: str
    kind: str
    required: bool = True
    choices: tuple[tuple[str, str], ...] = ()
    help: str = ""
    least: int | None = None
    most: int | None = None
    default: str = ""
    group: str = ""


class EventKind(Struct, frozen=True):
    """A kind of event that a battle's log takes. ``turn_by_turn`` marks those that no result sheet needs."""

    key: str
    label: str
    fields: tuple[EventField, ...]
    help: str = ""
    turn_by_turn: bool = False


class Calculator(Struct, frozen=True):
    """A question that a rule system answers, with the fields that it takes.

    ``about`` says what it is asked about: "numbers" (its fields are all that it needs), "fighters" (two of rosters)
    or "battle" (two combatants of a battle under way). ``group`` gathers calculators for people; those of the group
    "odds" count chances. ``examples`` are values to try; ``source`` names the heading of the rule book.
    """

    key: str
    name: str
    help: str
    fields: tuple[EventField, ...]
    group: str
    about: str = "numbers"
    examples: tuple[Mapping[str, str], ...] = ()
    source: str = ""


class Opponent(Struct, frozen=True):
    """A fighter of a roster, and the terms on which its warband serves."""

    id: str
    name: str
    build: BuildData
    terms: Terms


class ScenarioRole(Struct, frozen=True):
    """A part to play: ``force`` is its share of the agreed points (numerator, denominator)."""

    key: str
    name: str
    force: tuple[int, int] = (1, 1)
    least: int = 1
    most: int = 1
    """How many sides may play the role."""


class Scenario(Struct, frozen=True):
    """What a battle is played as. ``summary`` and ``victory`` are in our own words."""

    key: str
    name: str
    summary: str
    roles: tuple[ScenarioRole, ...]
    victory: str
    length: str
    source: str
    event_kinds: tuple[str, ...] = ()
    """The kinds of event that its result sheet asks for, beside those of every battle."""


class RankUpPick(Struct, frozen=True):
    """Something that the owner chooses within a rank-up: at most ``most`` of ``choices`` (key, label)."""

    key: str
    label: str
    choices: tuple[tuple[str, str], ...]
    least: int = 0
    most: int = 1


class RankUp(Struct, frozen=True):
    """One legal step that a fighter may take, with everything it gives.

    ``key`` names it among the fighter's steps; ``cost`` is in experience. ``build`` is what the fighter becomes if
    nothing is picked, ``sheet`` how that looks. ``problems`` is what the step would do to the warband's legality.
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
    """What a rank-up made of a fighter, as the chronicle's fold needs it."""

    build: BuildData
    rank: int
    points: int
    cost: int
    name: str


class FighterFacts(Struct, frozen=True):
    """A fighter as the rules see it, in the few figures that the chronicle keeps."""

    rank: int
    points: int
    profile_name: str


class ClassicScore(Struct, frozen=True):
    """What a warband has to show in a classic campaign: victory points game by game, and how its final ended.

    ``games`` are the victory points of the small games that are over, ``final`` those of the final, None before it.
    """

    warband: str
    name: str
    games: tuple[int, ...] = ()
    final: int | None = None
    outcome: Outcome | None = None

    @property
    def total(self) -> int:
        """The victory points of all its games."""
        return sum(self.games) + (self.final or 0)


class ClassicVerdict(Struct, frozen=True):
    """Who has won a classic campaign, and why: ``winner`` is None while that is open, or where nobody has."""

    winner: str | None
    sentence: str
    rule: str


class ClassicFormat(Protocol):
    """The classic campaign of a rule system: small warbands prepared in secret, games side by side, a final."""

    warbands: int
    """How many small warbands each player prepares."""
    final: str
    """The scenario of the final."""

    def drawn(self, settings: Settings) -> bool:
        """Whether the scenarios are drawn by lot, and not agreed on."""
        ...

    def bounds(self, roster: Roster) -> tuple[int, int]:
        """The least and the most points of a small warband of this roster, both included."""
        ...

    def settings(self, settings: Settings) -> dict[str, Any]:
        """The house rules of the campaign, with what the format itself lays down."""
        ...

    def scenario_problems(self, scenarios: tuple[str, ...]) -> tuple[Problem, ...]:
        """What is wrong with the scenarios chosen for the small games."""
        ...

    def plan_problems(
        self, roster: Roster, plan: Mapping[str, tuple[str, ...]], scenarios: tuple[str, ...]
    ) -> tuple[Problem, ...]:
        """What is wrong with a sealed plan: the fighters of each small warband, by the key of its scenario."""
        ...

    def final_force(self, roster: Roster, fought: frozenset[str]) -> tuple[str, ...]:
        """The fighters who may fight the final; ``fought`` are those who were in a small warband."""
        ...

    def final_wounds(self, records: tuple[Record, ...], settings: Settings) -> Mapping[str, str]:
        """The wounds with which fighters begin the final, by fighter, from their records of the small games."""
        ...

    def final_extras(self, extras: Mapping[str, Any], against: tuple[Deed, ...]) -> Mapping[str, Any]:
        """What a warband still has as a whole in the final; ``against`` are its opponents' deeds in the small games."""
        ...

    def final_limit(self, points: tuple[int, ...], settings: Settings) -> int | None:
        """The points limit of the final, from what each side has available; None if there is none."""
        ...

    def verdict(self, scores: tuple[ClassicScore, ...], settings: Settings) -> ClassicVerdict:
        """Who has won the campaign, and by which rule."""
        ...


class Ruleset(Protocol):
    """A rule system. Every method is pure; those that read a build raise RulesError if it makes no sense."""

    key: str
    name: str
    edition: str
    words: Words

    @property
    def classic(self) -> ClassicFormat | None:
        """The rules of its classic campaign, None if it has none."""
        ...

    def house_rules(self) -> tuple[HouseRule, ...]:
        """Every setting that a campaign may change, with its default."""
        ...

    def catalogue(self, settings: Settings) -> Mapping[str, Any]:
        """The whole catalogue as JSON: factions, profiles, options, arms, Attributes, scenarios."""
        ...

    def scenarios(self) -> tuple[Scenario, ...]:
        """Everything that a battle can be played as."""
        ...

    def clean_build(self, raw: BuildData, terms: Terms) -> BuildData:
        """The build in its one canonical form. Raises RulesError with every problem of the build alone."""
        ...

    def clean_extras(self, raw: Mapping[str, Any], terms: Terms) -> Mapping[str, Any]:
        """What the warband buys as a whole, in canonical form. Raises RulesError."""
        ...

    def fighter_facts(self, build: BuildData, terms: Terms) -> FighterFacts:
        """Rank, points and profile of a canonical build."""
        ...

    def sheet(self, build: BuildData, terms: Terms) -> Sheet:
        """Everything that a card prints, from a canonical build."""
        ...

    def roster_totals(self, roster: Roster) -> RosterTotals:
        """Sums of a roster; the dead, the retired and the captured do not count."""
        ...

    def roster_problems(self, roster: Roster, purpose: RosterPurpose) -> tuple[Problem, ...]:
        """Everything that is wrong with a roster at once; the empty tuple is legal."""
        ...

    def force_problems(self, setup: BattleSetup) -> tuple[Problem, ...]:
        """Everything that is wrong with the forces of a battle before it starts."""
        ...

    def bystanders(self, setup: BattleSetup) -> tuple[tuple[str, str], ...]:
        """Those in a battle who belong to no roster, as a log names them, each with its name for people."""
        ...

    def event_kinds(self) -> tuple[EventKind, ...]:
        """The kinds of event that a log takes, with their fields."""
        ...

    def event_problems(
        self, setup: BattleSetup, events: tuple[LoggedEvent, ...], event: LoggedEvent
    ) -> tuple[Problem, ...]:
        """What is wrong with a new event after those before it; the empty tuple is good."""
        ...

    def throw_dice(
        self, setup: BattleSetup, events: tuple[LoggedEvent, ...], event: LoggedEvent, generator: Generator
    ) -> Thrown:
        """The event with every die that it still needs, thrown with this generator; unchanged if it needs none."""
        ...

    def set_up(self, setup: BattleSetup, generator: Generator) -> Mapping[str, Any]:
        """Everything that is rolled before deployment, with every roll kept; what ``setup`` says already stays."""
        ...

    def play_state(self, setup: BattleSetup, events: tuple[LoggedEvent, ...]) -> Mapping[str, Any]:
        """The state of play after a log, as JSON for people and pages: turn, sides, combatants, what was overruled."""
        ...

    def result(self, setup: BattleSetup, events: tuple[LoggedEvent, ...]) -> BattleResult:
        """The result sheet of a log. Raises RulesError where the log does not add up."""
        ...

    def awards(self, records: tuple[Record, ...], deeds: tuple[Deed, ...], settings: Settings) -> tuple[Award, ...]:
        """The experience that a battle is worth to one warband's fighters, each with its reason."""
        ...

    def fate_after(self, record: Record, settings: Settings) -> tuple[Fate, int]:
        """What becomes of a fighter after a battle, and how many games it misses."""
        ...

    def recovery_dice(self, records: tuple[Record, ...], settings: Settings) -> tuple[str, ...]:
        """The fighters for whom a six-sided die is thrown after the battle, under these house rules."""
        ...

    def rank_up_cost(self, build: BuildData, terms: Terms) -> int | None:
        """Experience for the next step up of a canonical build, None where there is no step for it."""
        ...

    def rank_ups(self, fighter: RosterFighter, roster: Roster) -> tuple[RankUp, ...]:
        """Every legal step for a fighter, whether or not it can afford it yet."""
        ...

    def take_rank_up(self, build: BuildData, terms: Terms, key: str, picks: Mapping[str, Any]) -> RankUpStep:
        """What a build becomes by the step ``key`` with these picks. Raises RulesError if they are not legal."""
        ...

    def calculators(self) -> tuple[Calculator, ...]:
        """Every question that it answers; keys are unique among those about the same thing."""
        ...

    def ask(self, key: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """The answer of a calculator about numbers: an ``Answer`` (see ``rulebook.answers``) as JSON.

        Values may be text, as they stand in an address. Raises RulesError with field, value and way out of each
        that is wrong, "unknown-calculator" if there is none of that key.
        """
        ...

    def odds_between(
        self, key: str, attacker: Opponent, target: Opponent, values: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """The answer of a calculator about fighters, for two of rosters, unhurt unless ``values`` say otherwise."""
        ...

    def odds_in_battle(
        self,
        key: str,
        setup: BattleSetup,
        events: tuple[LoggedEvent, ...],
        attacker: str,
        target: str,
        values: Mapping[str, Any],
    ) -> Mapping[str, Any]:
        """The answer of a calculator about a battle, for two combatants as the log leaves them."""
        ...
