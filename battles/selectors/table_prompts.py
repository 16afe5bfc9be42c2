"""The due things that a live log shows first; the rest is folded away."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import replace

from rulebook.ruleset import TableView
from rulebook.values.table import Due, Phase

FEWEST_AT_ONCE = 2


class Batch(Struct, frozen=True):
    """Similar due things that can be logged together with one button.

    ``side`` is the name of their side: one tap never acts for fighters of both sides. ``sides``
    says that sides are due, not fighters; ``whole`` that the button's text is complete; ``some``
    that a form asks first which of them act, and how.
    """

    do: str
    button: str
    who: tuple[str, ...]
    side: str = ""
    sides: bool = False
    whole: bool = False
    some: bool = False

    @property
    def address(self) -> str:
        """The query string of its form."""
        query = {"do": self.do, "who": self.who, **({"some": "1"} if self.some else {})}
        return f"?{urlencode(query, doseq=True)}"


class TablePrompts(Struct, frozen=True):
    """The due things, in the order in which the live log shows them.

    ``first`` is the next thing; ``pressing`` says that the phase needs it, otherwise it can wait.
    If the phase needs nothing, ``open`` is everything that is due in it, and ``first`` is only the
    step to the next phase, or a single due thing. ``later`` is all the rest by phase. ``batches``
    are the things that can be logged together. ``acts`` are the ids and keys of those who act now:
    the phase needs something of them, or they are next in the combat. ``lead`` replaces ``first``
    if the phase needs the same of several, on any side, and one tap can log it; if the first is one
    of several alternatives, the others are ``open``.
    """

    first: Due | None = None
    pressing: bool = False
    open: tuple[Due, ...] = ()
    later: tuple[Phase, ...] = ()
    batches: tuple[Batch, ...] = ()
    acts: frozenset[str] = frozenset()
    lead: Batch | None = None

    @property
    def number(self) -> int:
        """The number of things that are folded away."""
        return sum(len(phase.due) for phase in self.later)


def prompts_of(table: TableView) -> TablePrompts:
    """Return what the live log shows first.

    It is what the phase needs, otherwise what is optional in it, otherwise what comes later.
    """
    due = [(phase, each) for phase in table.phases for each in phase.due]
    now = [each for phase, each in due if phase.now]
    needed = [each for each in now if not (each.minor or each.onward)]
    onward = next((each for each in now if each.onward), None)
    first = next(iter(needed), onward)
    alike = tuple(each for each in needed if first is not None and each.do == first.do)
    lead = _lead(alike, {side.key for side in table.sides})
    if lead is not None:
        first, open_ones = None, alike
    elif needed:
        open_ones = tuple(each for each in alike if each.or_else and each is not first)
    else:
        open_ones = tuple(each for each in now if each is not onward)
        if first is None and len(open_ones) < FEWEST_AT_ONCE:
            first, open_ones = next(iter(open_ones or [each for _, each in due]), None), ()
    shown = open_ones if first is None else (first, *open_ones)
    combat = table.combat.fighters if table.combat and not table.combat.over else ()
    acting = {each.who for each in needed} | {each.fighter for each in combat if each.next}
    return TablePrompts(
        first,
        pressing=bool(needed),
        open=open_ones,
        later=tuple(_later(table.phases, shown)),
        batches=() if needed else (*_batches(open_ones, _sides_of(table)), *_bulks(table)),
        acts=frozenset(acting),
        lead=lead,
    )


def _later(phases: Iterable[Phase], shown: tuple[Due, ...]) -> Iterator[Phase]:
    for phase in phases:
        rest = tuple(each for each in phase.due if not any(each is due for due in shown))
        if rest:
            yield replace(phase, due=rest)


def _sides_of(table: TableView) -> Mapping[str, str]:
    """Return the name of the side of each fighter and each group."""
    names = {side.key: side.name for side in table.sides}
    return {each.id: names[each.side] for each in table.fighters} | {
        each.key: names[each.side] for each in table.groups
    }


def _lead(alike: tuple[Due, ...], sides: Collection[str]) -> Batch | None:
    """Return what the phase needs of several if one tap can log it, on any side; otherwise None."""
    if len(alike) < FEWEST_AT_ONCE or not all(each.at_once and each.who for each in alike):
        return None
    who = tuple(each.who for each in alike)
    return Batch(alike[0].do, alike[0].button, who, sides={*who} <= {*sides})


def _batches(due: tuple[Due, ...], sides: Mapping[str, str]) -> Iterator[Batch]:
    """Yield what can be logged for several of one side with one tap.

    Dice are rolled for one after the other.
    """
    able = [each for each in due if each.at_once and each.who]
    for do, side in dict.fromkeys((each.do, sides.get(each.who, "")) for each in able):
        alike = [each for each in able if (each.do, sides.get(each.who, "")) == (do, side)]
        if len(alike) >= FEWEST_AT_ONCE:
            yield Batch(
                do, alike[0].button, tuple(each.who for each in alike), side, sides=not side
            )


def _bulks(table: TableView) -> Iterator[Batch]:
    """Yield the batches that the rule system offers, with its own button texts."""
    for bulk in table.bulks:
        yield Batch(bulk.do, bulk.button, bulk.who, whole=True, some=bulk.some)
