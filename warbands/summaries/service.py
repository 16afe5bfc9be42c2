"""A fighter's service record: every battle that it was fielded in, what it did there and what it earned."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from msgspec import Struct

from rulebook.chronicle.facts import Fought, decode
from rulebook.chronicle.fold import effective_at
from rulebook.ruleset import Fate, Outcome, Record, Ruleset
from warbands.models import ChronicleEntry, Warband
from warbands.summaries.log import LedgerRow


class ServiceLine(Struct, frozen=True):
    """A battle as a fighter saw it. ``fate`` and ``wounds`` are those in which it left the field.

    ``wounds_phrase`` says the latter in words; ``deeds`` are phrases with the fighter as their subject; ``earned`` is
    the experience of its ``lines``. Friendly battles earn nothing.
    """

    sequence: int
    battle: UUID | None
    title: str
    scenario: str
    fought_on: str
    outcome: Outcome
    victory_points: int
    victory_points_against: int
    against: tuple[str, ...]
    friendly: bool
    rank: int
    fate: Fate
    wounds: str
    wounds_phrase: str
    killed_by: str
    deeds: tuple[str, ...]
    earned: int
    lines: tuple[LedgerRow, ...]


def service_record(
    warband: Warband, rules: Ruleset, fighter: UUID, ledger: Iterable[LedgerRow]
) -> tuple[ServiceLine, ...]:
    """The battles of a fighter, newest first, corrections honoured. ``ledger`` is its own. One query."""
    earned: dict[int, list[LedgerRow]] = {}
    for line in ledger:
        earned.setdefault(line.sequence, []).append(line)
    scenarios = {scenario.key: scenario.name for scenario in rules.scenarios()}
    lines = (
        _line(rules, sequence, fact, record, scenarios, earned.get(sequence, []))
        for sequence, fact in battles_of(warband)
        for record in fact.records
        if record.fighter == str(fighter)
    )
    return tuple(reversed(list(lines)))


def battles_of(warband: Warband) -> list[tuple[int, Fought]]:
    """The battles in a warband's chronicle with their places, corrections honoured. One query."""
    rows = ChronicleEntry.objects.filter(warband=warband, kind__in=("fought", "corrected")).order_by("sequence")
    facts = ((sequence, decode(payload)) for sequence, payload in rows.values_list("sequence", "payload"))
    return [(sequence, fact) for sequence, fact in effective_at(facts) if isinstance(fact, Fought)]


def _line(
    rules: Ruleset, sequence: int, fact: Fought, record: Record, scenarios: Mapping[str, str], lines: list[LedgerRow]
) -> ServiceLine:
    return ServiceLine(
        sequence=sequence,
        battle=UUID(fact.battle) if fact.battle else None,
        title=fact.title or scenarios.get(fact.scenario, fact.scenario),
        scenario=scenarios.get(fact.scenario, fact.scenario),
        fought_on=fact.fought_on,
        outcome=fact.outcome,
        victory_points=fact.victory_points,
        victory_points_against=fact.victory_points_against,
        against=fact.against,
        friendly=fact.friendly,
        rank=record.rank,
        fate=record.fate,
        wounds=record.wounds,
        wounds_phrase=rules.wound_phrase(record.wounds),
        killed_by=record.killed_by,
        deeds=tuple(rules.deed_phrase(deed) for deed in fact.deeds if deed.fighter == record.fighter),
        earned=sum(line.amount for line in lines),
        lines=tuple(lines),
    )
