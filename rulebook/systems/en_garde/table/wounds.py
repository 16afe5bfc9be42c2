"""Wounds: what an attack's score does, how wounds add up, and what they cost their bearer.

Rule book: "Wounds", "Wound Table", "Large Models", "Huge". The figures are in ``data/wounds.toml``.
"""

from collections.abc import Container, Mapping
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from rulebook.book.data import read_data

DATA = Path(__file__).parent.parent / "data" / "wounds.toml"
STUNS_TO_A_WOUND = 3


class WoundResult(StrEnum):
    """Results of a single attack's Final Wound Score, from nothing to the worst."""

    SCRATCH = "scratch"
    STUNNED = "stunned"
    LIGHT = "light"
    GRIEVOUS = "grievous"
    CRITICAL = "critical"

    @property
    def wounds(self) -> bool:
        """Return whether it is a Light wound or worse."""
        return self in _WOUNDING


class WoundTable(StrEnum):
    """Which table a body answers to. A large one reads the standard table and converts the
    result."""

    STANDARD = "standard"
    LARGE = "large"
    HUGE = "huge"

    @classmethod
    def of(cls, attributes: Container[str]) -> "WoundTable":
        """Return the table of a body with these Attributes. Rule book: "Large Models", "Huge"."""
        if "huge" in attributes:
            return cls.HUGE
        return cls.LARGE if "large" in attributes else cls.STANDARD


class Wound(StrEnum):
    """The wound that a fighter bears, apart from Stunned counters."""

    NONE = ""
    LIGHT = "light"
    GRIEVOUS = "grievous"
    CRITICAL = "critical"


class WoundState(Struct, frozen=True):
    """All the harm that a fighter bears: Stunned counters (0 to 2), one wound, and whether it is
    unconscious."""

    stunned: int = 0
    wound: Wound = Wound.NONE
    unconscious: bool = False

    @property
    def dead(self) -> bool:
        """Return whether it is a Critical wound, which kills."""
        return self.wound is Wound.CRITICAL

    @property
    def out(self) -> bool:
        """Return whether it is dead or unconscious and can do nothing more in this battle."""
        return self.unconscious or self.wound is Wound.CRITICAL

    @property
    def counters(self) -> int:
        """Return the Light and Grievous counters of a living fighter: 0 or 1. Ruling S8."""
        return int(self.wound in (Wound.LIGHT, Wound.GRIEVOUS))

    @property
    def worst(self) -> str:
        """Return the worst of it in a word: "", "stunned", "light", "grievous", "unconscious" or
        "critical"."""
        if self.unconscious and not self.dead:
            return "unconscious"
        return self.wound.value or ("stunned" if self.stunned else "")


class Penalties(Struct, frozen=True):
    """The penalties of a state of wounds to the characteristics: zero or less each."""

    initiative: int = 0
    fight: int = 0
    shoot: int = 0

    def __add__(self, other: "Penalties") -> "Penalties":
        """Return both together: penalties are cumulative."""
        return Penalties(
            self.initiative + other.initiative, self.fight + other.fight, self.shoot + other.shoot
        )


class _Row(Struct, frozen=True, forbid_unknown_fields=True):
    result: WoundResult
    least: int | None = None


class _WoundData(Struct, frozen=True, forbid_unknown_fields=True):
    killed_on: int
    standard: tuple[_Row, ...]
    huge: tuple[_Row, ...]
    large: Mapping[WoundResult, WoundResult]
    penalties: Mapping[str, Penalties]


_WOUNDING = frozenset({WoundResult.LIGHT, WoundResult.GRIEVOUS, WoundResult.CRITICAL})
_WOUNDS = tuple(Wound)
_SEVERITY: Mapping[str, int] = {wound: place for place, wound in enumerate(_WOUNDS)}
UNHURT = WoundState()


@cache
def _data() -> _WoundData:
    return read_data(DATA, _WoundData)


@lru_cache(maxsize=1024)
def wound_result(score: int, table: WoundTable = WoundTable.STANDARD) -> WoundResult:
    """Return what a Final Wound Score comes to.

    A large body's result still has to be converted, see ``converted``.

    Rule book: "Wound Table", "Huge Model Wound Table".
    """
    rows = _data().huge if table is WoundTable.HUGE else _data().standard
    return [row.result for row in rows if row.least is None or score >= row.least][-1]


def score_bands(table: WoundTable) -> tuple[tuple[str, WoundResult], ...]:
    """Return the Final Wound Scores of a table from the lowest, as text, each with its result.

    >>> score_bands(WoundTable.STANDARD)[1:4:2]
    (('1', <WoundResult.STUNNED: 'stunned'>), ('4–5', <WoundResult.GRIEVOUS: 'grievous'>))
    """
    rows = _data().huge if table is WoundTable.HUGE else _data().standard
    starts = [row.least for row in rows]
    ends = [None if start is None else start - 1 for start in (*starts[1:], None)]
    return tuple(
        (_band(start, end), row.result) for start, end, row in zip(starts, ends, rows, strict=True)
    )


def _band(start: int | None, end: int | None) -> str:
    if start is None:
        return f"{end} or less"
    if end is None:
        return f"{start}+"
    return str(start) if start == end else f"{start}–{end}"


def wound_costs(row: str) -> Penalties:
    """Return what a row of the Wound Table adds to the characteristics, of "second_stunned" too.

    Nothing if there is none.
    """
    return _data().penalties.get(row, Penalties())


def needs_die(result: WoundResult, table: WoundTable) -> bool:
    """Return whether the conversion for large bodies asks for a die."""
    return table is WoundTable.LARGE and result is WoundResult.CRITICAL


def converted(result: WoundResult, table: WoundTable, die: int | None = None) -> WoundResult:
    """Return the result of an attack as this body takes it.

    ``die`` is the six-sided die that a large body throws for a Critical wound.

    Raises ValueError if that die is missing. Rule book: "Large Models". Ruling X5.
    """
    if table is not WoundTable.LARGE or result is WoundResult.SCRATCH:
        return result
    if result is WoundResult.CRITICAL and die is None:
        raise ValueError("A Critical wound on a large body needs its die.")
    if result is WoundResult.CRITICAL and die is not None and die >= _data().killed_on:
        return result
    return _data().large[result]


def suffer(
    state: WoundState,
    result: WoundResult,
    *,
    table: WoundTable = WoundTable.STANDARD,
    die: int | None = None,
    subdue: bool = False,
    subdue_kills: str = "unconscious",
) -> WoundState:
    """Return the state after one more result of an attack.

    ``subdue_kills`` is the house rule of that name.

    A wound that comes from adding up is never converted again (Ruling B19). Raises ValueError for
    the dead, and for a large body's missing die. Rule book: "Wound Table", "Subdue". Ruling B15.
    """
    if state.dead:
        raise ValueError("Dead fighters take no more wounds.")
    result = converted(result, table, die)
    if result is WoundResult.STUNNED:
        return stun(state, subdue=subdue, subdue_kills=subdue_kills)
    return _add_wound(state, result, subdue, subdue_kills) if result.wounds else state


def stun(
    state: WoundState, *, subdue: bool = False, subdue_kills: str = "unconscious"
) -> WoundState:
    """Return the state after one more Stunned counter: a third one is a Light wound, and all three
    go.

    Rule book: "Wound Table".
    """
    if state.stunned + 1 < STUNS_TO_A_WOUND:
        return replace(state, stunned=state.stunned + 1)
    return _add_wound(replace(state, stunned=0), WoundResult.LIGHT, subdue, subdue_kills)


def third_stun(
    state: WoundState, *, subdue: bool = False, subdue_kills: str = "unconscious"
) -> WoundState:
    """Return the state after a third Stunned counter that was counted at the table: everything
    counters are known go.

    For result sheets, which need not say where the first two came from. Rule book: "Wound Table".
    """
    return _add_wound(replace(state, stunned=0), WoundResult.LIGHT, subdue, subdue_kills)


def _add_wound(
    state: WoundState, result: WoundResult, subdue: bool, subdue_kills: str
) -> WoundState:
    """Return the worse of this wound and of one step beyond the wound that is there."""
    worse = max(_SEVERITY[result], _SEVERITY[state.wound] + 1)
    wound = _WOUNDS[min(worse, len(_WOUNDS) - 1)]
    if subdue and wound is Wound.GRIEVOUS:
        return replace(state, wound=wound, unconscious=True)
    if subdue and wound is Wound.CRITICAL and subdue_kills == "unconscious":
        return replace(state, wound=Wound.GRIEVOUS, unconscious=True)
    return replace(state, wound=wound)


def throws_rider(mount: WoundState) -> bool:
    """Return whether a mount as hurt as this throws its rider: with a Grievous wound or worse.

    Ruling B26.
    """
    return mount.wound in (Wound.GRIEVOUS, Wound.CRITICAL)


def thrown_off(rider: WoundState, *, horse_master: bool) -> WoundState:
    """Return the state of a thrown rider: a Stunned counter, but none for a Horse Master.

    Rule book: "Thrown riders".
    """
    return rider if horse_master else stun(rider)


def remove_stunned(state: WoundState, counters: int) -> WoundState:
    """Return the state with so many Stunned counters fewer, never below none."""
    return replace(state, stunned=max(0, state.stunned - counters))


def penalties(state: WoundState, *, stun_penalty: str = "once") -> Penalties:
    """Return what the wounds add to Initiative, Fight and Shoot, before the floor of zero.

    ``stun_penalty`` is the house rule of that name: "once", or "doubled" where each Stunned counter
    counts. Rule book: "Wound Table". Ruling B8.
    """
    listed = (
        ("stunned", state.stunned > 0),
        ("second_stunned", state.stunned > 1),
        ("stunned", state.stunned > 1 and stun_penalty == "doubled"),
        (state.wound.value, state.wound in (Wound.LIGHT, Wound.GRIEVOUS)),
    )
    return sum((_data().penalties[row] for row, counts in listed if counts), Penalties())


def reduced(characteristic: int, penalty: int) -> int:
    """Return a characteristic after a penalty (zero or less): never below 0.

    Rule book: "Basic Principles".
    """
    return max(0, characteristic + penalty)
