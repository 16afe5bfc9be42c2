"""What a table asks for first: one thing, what may be let go instead of it, and everything else
folded away."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import replace

from rulebook.ruleset import TableView
from rulebook.values.table import Due, Phase

FEWEST_AT_ONCE = 2


class Batch(Struct, frozen=True):
    """Things alike that are due and can be logged together as they stand: whose they are, and what
    a button says.

    ``side`` is the name of the side whose they are: nobody does by a tap what the enemy's fighters
    may do. ``sides`` says that they are due of sides, not of fighters; ``whole`` that the button's
    words need nothing more; ``some`` that a form asks first who of them does it, and how.
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
        """What an address says for it."""
        query = {"do": self.do, "who": self.who, **({"some": "1"} if self.some else {})}
        return f"?{urlencode(query, doseq=True)}"


class TablePrompts(Struct, frozen=True):
    """What is due, in the order in which a table wants it.

    ``first`` is the one thing that comes next; ``pressing`` says that the phase needs it, otherwise
    it may well wait. Where the phase asks for nothing that it could not let go, these are the
    ``open`` ones, and nothing comes first but the way onward, or what stands alone. ``later`` is
    all the rest by its phase; ``batches`` is what of the open ones can be done together; ``acts``
    names those of whom the phase wants something. ``lead`` stands in the place of the first where
    the phase needs the same of several, whosever they are, and it can be done in one tap; where the
    first is a choice of several alike, the others are open beside it.
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
        """How much is folded away."""
        return sum(len(phase.due) for phase in self.later)


def prompts_of(table: TableView) -> TablePrompts:
    """What this table asks for: first what its phase needs, else what that may let go, else what
    comes later."""
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
    """The name of the side of each fighter and each group."""
    names = {side.key: side.name for side in table.sides}
    return {each.id: names[each.side] for each in table.fighters} | {
        each.key: names[each.side] for each in table.groups
    }


def _lead(alike: tuple[Due, ...], sides: Collection[str]) -> Batch | None:
    """What the phase needs of several, if it can be done in one tap: dice that are due of whoever
    it is."""
    if len(alike) < FEWEST_AT_ONCE or not all(each.at_once and each.who for each in alike):
        return None
    who = tuple(each.who for each in alike)
    return Batch(alike[0].do, alike[0].button, who, sides={*who} <= {*sides})


def _batches(due: tuple[Due, ...], sides: Mapping[str, str]) -> Iterator[Batch]:
    """What can be done for several of one side in one tap. Dice are thrown for one after the
    other."""
    able = [each for each in due if each.at_once and each.who]
    for do, side in dict.fromkeys((each.do, sides.get(each.who, "")) for each in able):
        alike = [each for each in able if (each.do, sides.get(each.who, "")) == (do, side)]
        if len(alike) >= FEWEST_AT_ONCE:
            yield Batch(
                do, alike[0].button, tuple(each.who for each in alike), side, sides=not side
            )


def _bulks(table: TableView) -> Iterator[Batch]:
    """What the rule system offers of several in one tap, in its own words."""
    for bulk in table.bulks:
        yield Batch(bulk.do, bulk.button, bulk.who, whole=True, some=bulk.some)
