"""The stored lines of experience ledgers: after a correction, only those that differ are written.

A correction changes no line of what was played before the corrected fact. After it, a fighter's
balances mostly differ by the same amount, which one statement adds to all of them.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Case, F, IntegerField, Max, Q, Subquery, Value, When
from msgspec import Struct

from rulebook.chronicle.comparison import LineDifference
from rulebook.chronicle.states import LedgerLine
from warbands.models import ExperienceEntry

CHANGEABLE = ("fighter_id", "amount", "balance", "code", "sentence", "rule")
"""The columns of a line besides its place: the fact and its number within it."""
BALANCE = CHANGEABLE.index("balance")

Place = tuple[int, int]
"""A fact and the number of a line within it."""
Values = tuple[Any, ...]
StoredLines = dict[Place, tuple[int, Values]]
"""The id and the values of each line by its place, in the order of play."""


class LineChanges(Struct, frozen=True):
    """The lines of a ledger that a correction may change: any line, if nothing else is given.

    ``unchanged`` are the facts that are played before the first changed one. ``differ`` says which
    lines of the others differ. ``balances`` has the change of fighters' balances after the facts
    that differ, if only the lines of these facts are known.
    """

    unchanged: frozenset[int] = frozenset()
    differ: LineDifference = LineDifference(moved=True)
    balances: Mapping[str, int] = {}

    def stored_lines(self, warband_id: UUID) -> Q:
        """Return the condition for the same lines as they are stored."""
        differ = self.differ
        lines = Q(warband=warband_id) & ~Q(sequence__in=list(self.unchanged))
        if not differ.moved:
            lines &= Q(fighter__in=list(differ.fighters)) | Q(sequence__in=list(differ.facts))
        return lines


def ledger_rows(warband_id: UUID, lines: Iterable[LedgerLine]) -> list[ExperienceEntry]:
    """Return unsaved rows for ledger lines."""
    return [
        _row(warband_id, place, values) for place, values in _values(lines, LineChanges()).items()
    ]


def _row(warband_id: UUID, place: Place, values: Values, pk: int | None = None) -> ExperienceEntry:
    columns = dict(zip(CHANGEABLE, values, strict=True))
    return ExperienceEntry(
        pk=pk, warband_id=warband_id, sequence=place[0], line=place[1], **columns
    )


def _values(lines: Iterable[LedgerLine], changes: LineChanges) -> dict[Place, Values]:
    """Return the values of the lines that may change, by their places, in the order of play."""
    values: dict[Place, Values] = {}
    numbers: dict[int, int] = {}
    ids: dict[str, UUID] = {}
    unchanged, differ = changes.unchanged, changes.differ
    for line in lines:
        if line.sequence in unchanged:
            continue
        numbers[line.sequence] = number = numbers.get(line.sequence, 0) + 1
        concerned = line.fighter in differ.fighters or line.sequence in differ.facts
        if not (concerned or differ.moved):
            continue
        fighter = ids.get(line.fighter) or ids.setdefault(line.fighter, UUID(line.fighter))
        place = line.sequence, number
        values[place] = (
            fighter,
            line.amount,
            line.balance,
            line.code,
            line.sentence,
            line.rule,
        )
    return values


def write_changed_lines(
    ledgers: Mapping[UUID, Sequence[LedgerLine]], changes: Mapping[UUID, LineChanges]
) -> None:
    """Make the stored lines equal to the ledgers, in the order of play; write what differs.

    The ledgers have at least the lines that may change, but for those of ``LineChanges.balances``.
    Lines that do not change are not even read. At most five queries.
    """
    former = _stored_lines(changes)
    removed: list[int] = []
    rewritten: list[ExperienceEntry] = []
    rows = Changes()
    for warband_id, lines in ledgers.items():
        stored = former[warband_id]
        proper = _values(lines, changes[warband_id])
        last = max((pk for pk, _ in stored.values()), default=0)
        for fighter, amount in changes[warband_id].balances.items():
            rows.later[UUID(fighter)] = last, amount
        kept = _kept(stored, proper)
        removed += [pk for place, (pk, _) in stored.items() if place not in kept]
        for place, values in proper.items():
            if place in kept:
                rows.add(warband_id, place, values, *stored[place])
            else:
                rewritten.append(_row(warband_id, place, values))
    if removed:
        ExperienceEntry.objects.filter(pk__in=removed).delete()
    rows.write()
    if rewritten:
        ExperienceEntry.objects.bulk_create(rewritten)


def overspent_by(balances: Mapping[UUID, tuple[int, Mapping[str, int]]]) -> set[UUID]:
    """Return the warbands in which a stored balance falls below zero if balances change.

    ``balances`` has for each warband a fact, and by how much each fighter's balances after it
    change. One query; none if no balance gets smaller.
    """
    overspent = Q(pk__in=())
    for warband_id, (sequence, changed) in balances.items():
        last = Subquery(
            ExperienceEntry.objects.filter(warband=warband_id, sequence=sequence)
            .order_by()
            .values("warband")
            .annotate(last=Max("pk"))
            .values("last")
        )
        for fighter, amount in changed.items():
            if amount < 0:
                overspent |= Q(fighter=fighter, pk__gt=last, balance__lt=-amount)
    return set(
        ExperienceEntry.objects.filter(overspent)
        .order_by()
        .values_list("warband_id", flat=True)
        .distinct()
    )


def _stored_lines(changes: Mapping[UUID, LineChanges]) -> dict[UUID, StoredLines]:
    """Return the stored lines that may differ, by warband. One query."""
    former: dict[UUID, StoredLines] = {key: {} for key in changes}
    changed_lines = Q(pk__in=())
    for warband_id, change in changes.items():
        changed_lines |= change.stored_lines(warband_id)
    rows = ExperienceEntry.objects.filter(changed_lines).order_by("pk")
    for warband_id, pk, sequence, line, *values in rows.values_list(
        "warband_id", "pk", "sequence", "line", *CHANGEABLE
    ):
        former[warband_id][sequence, line] = pk, tuple(values)
    return former


def _kept(stored: StoredLines, proper: Iterable[Place]) -> set[Place]:
    """Return the places whose stored lines can stay: the first ones, as long as the order is right.

    Ids follow the order of play. So from the first new line, or the first one that is now played
    earlier, all lines get new ids.
    """
    kept: set[Place] = set()
    last = 0
    for place in proper:
        if place not in stored or stored[place][0] <= last:
            break
        last = stored[place][0]
        kept.add(place)
    return kept


class Shift(NamedTuple):
    """A stored line whose balance changes by an amount, or that stays as it is (0)."""

    pk: int
    amount: int
    warband_id: UUID
    place: Place
    values: Values


class Changes:
    """The stored lines that change: whole ones, and balances that change by the same amount."""

    def __init__(self) -> None:
        self.rows: list[ExperienceEntry] = []
        """The lines that are written whole."""
        self.shifts: dict[UUID, list[Shift]] = {}
        """All lines of each fighter in order."""
        self.later: dict[UUID, tuple[int, int]] = {}
        """By fighter: an id, and the amount by which balances of lines after it change."""

    def add(self, warband_id: UUID, place: Place, values: Values, pk: int, stored: Values) -> None:
        """Compare a line with the values that are stored under its id."""
        amount = 0
        if values != stored:
            amount = values[BALANCE] - stored[BALANCE]
            if (*stored[:BALANCE], values[BALANCE], *stored[BALANCE + 1 :]) != values:
                self.rows.append(_row(warband_id, place, values, pk))
                amount = 0
        self.shifts.setdefault(values[0], []).append(Shift(pk, amount, warband_id, place, values))

    def write(self) -> None:
        """Write all changes. At most two queries."""
        cases: list[tuple[Q, int]] = [
            (Q(fighter=fighter, pk__gt=last), amount)
            for fighter, (last, amount) in self.later.items()
        ]
        for fighter, lines in self.shifts.items():
            amount, since = lines[-1].amount, len(lines) - 1
            while since and lines[since - 1].amount == amount:
                since -= 1
            # Usually all lines from some place on change by the same amount.
            if amount and fighter not in self.later:
                cases.append((Q(fighter=fighter, pk__gte=lines[since].pk), amount))
                del lines[since:]
            self.rows += [
                _row(each.warband_id, each.place, each.values, each.pk)
                for each in lines
                if each.amount
            ]
        if cases:
            whens = [When(which, then=Value(amount)) for which, amount in cases]
            concerned = reduce(or_, (which for which, _ in cases))
            change = Case(*whens, default=Value(0), output_field=IntegerField())
            ExperienceEntry.objects.filter(concerned).update(balance=F("balance") + change)
        if self.rows:
            ExperienceEntry.objects.bulk_create(
                self.rows,
                update_conflicts=True,
                unique_fields=["id"],
                update_fields=[column.removesuffix("_id") for column in CHANGEABLE],
            )
