"""The text's tables, headings, rulings and house rules, read from ``data/*.toml``.

A cell that is None is not in the source: an event that needs it asks for it, and there is no
default.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Struct

from rulebook.battle_log.kinds import length
from rulebook.book.data import BookEntry, read_toml
from rulebook.book.house_rules import HouseRuleBook
from rulebook.book.violations import ViolationBook
from rulebook.values.fields import LengthMeasure

DATA = Path(__file__).parent / "data"
INCHES = LengthMeasure("inch", "inches", "″")
Inches = Annotated[float, length(INCHES, 120)]
NOT_IN_SOURCE = "not in the source"
TABLES = ("grades", "commanders", "weapons", "terrain", "nations", "turn")
ARMS = {
    "infantry": "Infantry",
    "cavalry": "Cavalry",
    "artillery": "Artillery",
    "commander": "Commander",
}
"""A row of an army list. Its profiles have the same keys."""
STATES = {"good": "good order", "disordered": "disordered", "broken": "broken"}
"""The morale states that tests move a unit along, from the best to the worst; jubilation comes on
top."""
Arm = Literal["infantry", "cavalry", "artillery", "commander"]
Disorder = int | Literal["auto", "barred", "none"] | None
"""The effect of ground on a move: the modifier of a disorder test, or a result without one; None:
not in the source."""


class Sourced(BookEntry, frozen=True, kw_only=True):
    """A row of which some cells are not the table's own: the ruling behind each, by field."""

    sources: Mapping[str, str] = {}


class Settled(Sourced, frozen=True, kw_only=True):
    """A row of which a club may settle some fields: the house rule that does, by field."""

    settled: Mapping[str, str] = {}


class Grade(Settled, frozen=True, kw_only=True):
    """The grade of a unit of an arm. ``percent`` of casualties in a phase cause a test, 0: any."""

    cost: int
    morale: int
    percent: int
    counted: bool = True
    skill: int = 0
    defence: int = 0
    recovery: int | None = None
    raw: bool = False
    drilled: bool = False
    stubborn: bool = False
    sheet_morale: int | None = None


class Rating(Settled, frozen=True, kw_only=True):
    """A commander's rating. ``influence`` goes on tests of units within ``influence_range``, inches
    like ``radius``."""

    letter: str
    leadership: int | None = None
    pips: int | None = None
    influence: int | None = None
    influence_range: int = 4
    radius: int | None = None
    cost: int | None = None


class Order(Sourced, frozen=True, kw_only=True):
    """An order and its price in pips; ``crew`` marks what costs a battery more for each quarter of
    its crew lost."""

    pips: int = 1
    test: bool = False
    brigade: bool = False
    crew: bool = False


class Weapon(Sourced, frozen=True, kw_only=True, rename={"at_most": "upto"}):
    """A small arm: how far it reaches and where long range begins, if anywhere, in inches;
    ``foot``: not for riders."""

    at_most: int
    long: int | None = None
    volley: int | None = None
    foot: bool = False


class Calibre(Sourced, frozen=True, kw_only=True):
    """A kind of gun: points for each, reaches and moves in inches; ``shell`` is nearest and
    farthest."""

    many: str
    cost: int
    canister: int
    canister_shots: int
    short: int | None = None
    long: int | None = None
    shell: tuple[int, int]
    british_shell: bool = False
    unlimbered: int | None = None
    limbered: int | None = None
    limbered_horse: int | None = None


class Mount(BookEntry, frozen=True, kw_only=True):
    """A kind of cavalry: the lowest die that saves in hand to hand; a ``ferocious`` charge breaks
    its losers."""

    save: int
    ferocious: bool = False
    cost: int = 0


class Formation(Sourced, frozen=True, kw_only=True):
    """A formation. ``paces`` in inches by name, without "charge" where it may not; ``breaks`` when
    defeated.

    ``bridge`` says that a unit may cross one like this.
    """

    arms: tuple[Arm, ...]
    back: int = 0
    paces: Mapping[str, int] = {}
    charge_dice: int = 0
    volleys: bool = False
    reserve: Literal["free", "pip", "no"] = "no"
    breaks: bool = False
    square: bool = False
    skirmish: bool = False
    bridge: bool = False
    nations: tuple[str, ...] = ()


class Ground(Sourced, frozen=True, kw_only=True):
    """A kind of terrain: what its paces do (infantry's normal and charge, cavalry's trot and
    canter), cover, sight.

    ``guns`` unlimber there; elsewhere they only pass ``limbered``, if at all.
    """

    normal: Disorder = None
    charge: Disorder = None
    trot: Disorder = None
    canter: Disorder = None
    cover: int | None = None
    sight: int | None = None
    cavalry_charges: bool = False
    guns: bool = False
    limbered: bool = True


class Structure(BookEntry, frozen=True, kw_only=True):
    """Something that burns: its cover and hit points; the dice of its fire are nowhere in the
    source.

    Hit points are "n/a" where the source says that there are none.
    """

    cover: int | None = None
    hit_points: int | Literal["n/a"] | None = None


class Nation(BookEntry, frozen=True, kw_only=True):
    """A nation's own rules; ``data/nations.toml`` says what each is."""

    says: str = ""
    initiative: int = 0
    flank: int = 0
    support: Literal["any", "lines", "like", "ally"] = "lines"
    drilled: bool = False
    mixed_order: bool = False
    four_dice: bool = False
    aggressive: int | None = None
    one_change: Literal["never", "year", "always"] = "never"
    year: str = ""
    year_counts: bool = False


class Step(BookEntry, frozen=True, kw_only=True):
    """A step of the turn, of side "A" or "B" by its initiative, or of both.

    ``then`` says what is done in it or comes next, as long as nothing else is due.
    """

    side: Literal["", "A", "B"] = ""
    then: str = ""


class Book(Struct, frozen=True, forbid_unknown_fields=True):
    """Every table of the text by key, in its own order. Grades stand arm by arm, from the worst to
    the best."""

    infantry: Mapping[str, Grade]
    cavalry: Mapping[str, Grade]
    artillery: Mapping[str, Grade]
    rating: Mapping[str, Rating]
    order: Mapping[str, Order]
    gun_order: Mapping[str, Order]
    weapon: Mapping[str, Weapon]
    calibre: Mapping[str, Calibre]
    mount: Mapping[str, Mount]
    formation: Mapping[str, Formation]
    ground: Mapping[str, Ground]
    structure: Mapping[str, Structure]
    nation: Mapping[str, Nation]
    step: Mapping[str, Step]

    def grades(self, arm: str) -> Mapping[str, Grade]:
        """Return the grades of an arm, from the worst to the best; commanders have none."""
        return {
            "infantry": self.infantry,
            "cavalry": self.cavalry,
            "artillery": self.artillery,
        }.get(arm, {})


@cache
def tables() -> dict[str, Any]:
    """Return the tables of the text as their files have them: the rows of each by its name."""
    return {key: rows for name in TABLES for key, rows in read_data(name).items()}


@cache
def book() -> Book:
    """Return the tables of the text."""
    return msgspec.convert(
        {key: {row["key"]: row for row in rows} for key, rows in tables().items()}, type=Book
    )


@cache
def figures(table: str) -> Mapping[str, int]:
    """Return the figures of one subject: "command", "shooting", "melee", "victory" ..."""
    return dict(read_data("figures")[table])


@cache
def words(table: str) -> Mapping[str, str]:
    """Return what people read for the keys of one list: "manners", "rounds", "reactions" ..."""
    return dict(read_data("words")[table])


@cache
def read_data(name: str) -> dict[str, Any]:
    """Return a data file of this rule system as it stands: tables, "headings", "rulings",
    "calculators"."""
    return read_toml(DATA / f"{name}.toml")


class HouseRules(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The house rules of a club; ``data/house_rules.toml`` describes each. None: not chosen."""

    price_competent: int | None = None
    price_inspirational: int | None = None
    price_charismatic: int | None = None
    price_elite: int = 6
    guard_morale: Literal["points", "stats"] = "points"
    elite_cavalry_morale: int = 10
    crew_morale_raw: int = 7
    crew_morale_regular: int = 8
    crew_morale_veteran: int = 9
    crew_morale_guard: int = 10
    charismatic_leadership: int | None = None
    charismatic_pips: int | None = None
    charismatic_influence: int | None = None
    charismatic_radius: int | None = None
    uninspiring_radius: int = 7
    year: int | None = None
    russia_before: int | None = None
    prussia_before: int | None = None
    portugal_after: int | None = None
    russian_guns_before: int | None = None
    portuguese_fire: Literal["four-dice", "easier"] = "four-dice"
    french_twelves: bool = True
    musket_long: int = 5
    elite_recovery: int | None = None
    recovery_per_die: bool = False
    brigade_loss: Literal["figures", "stands", "units"] = "figures"
    off_table_scores: bool = False
    colours_value: int = 0
    battalion_commanders: bool = False
    disease: bool = False
    harsh_disease: bool = False
    casualties_carry_over: bool = True
    returns: bool = False
    returns_on: int = 4
    seasoning: bool = False
    seasoning_marks: int = 3


HOUSE_RULES = HouseRuleBook(DATA / "house_rules.toml", HouseRules)
"""The house rules with their texts."""
VIOLATIONS = ViolationBook(DATA / "violations.toml")
"""The violations of the rules."""
broken, problem, violation = VIOLATIONS.broken, VIOLATIONS.problem, VIOLATIONS.violation
