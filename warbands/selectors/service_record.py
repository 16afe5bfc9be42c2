"""A fighter's service record: its battles, what it did there and what it earned."""

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Annotated
from uuid import UUID

import msgspec
from django.db.models import Case, Q, QuerySet, Subquery, Sum, TextField, When
from django.db.models.functions import Cast
from msgspec import Struct

from core.compiled_queries import CompiledQuery
from core.queries import JsonProjection
from core.ruleset_words import lost_parts
from rulebook.chronicle.facts import AnyFact, Fought
from rulebook.chronicle.replay import effective_at
from rulebook.ruleset import Fate, Loss, Outcome, Record, Ruleset
from rulebook.values.described import DAY_OR_EMPTY
from warbands.links import subject_is_here
from warbands.models import ChronicleEntry, ExperienceEntry, Fighter, Warband
from warbands.selectors.chronicle_log import LedgerRow

READ = msgspec.json.Decoder(AnyFact).decode
CAREERS_KEPT = 256
WHOLE = Cast("payload", TextField())
IN_BRIEF = """jsonb_build_object(
    'kind', 'fought', 'friendly', COALESCE({0} -> 'friendly', 'false'),
    'fought_on', COALESCE({0} -> 'fought_on', '""'),
    'place_in_day', COALESCE({0} -> 'place_in_day', '""'),
    'records', jsonb_path_query_array({0}, '$.records[*] ? (@.fighter == $fighter)', {1}),
    'deeds', jsonb_path_query_array({0}, '$.deeds[*] ? (@.fighter == $fighter)', {1}))"""
"""A battle with only the fighter's own data."""


class CareerMoment(Struct, frozen=True):
    """A battle of a fighter in brief.

    It has its place in the chronicle, the fighter's Rank at its start, and the number of deeds and
    the experience from it.
    """

    sequence: int
    friendly: bool
    rank: int
    deeds: int
    earned: int = 0


class CareerPart(Struct, frozen=True):
    """A part of a fighter's battles, by their places in the chronicle.

    Its ledger has the lines of these battles, and of other facts from ``since`` up to but not
    including ``before``. ``elsewhere`` are late battles between the two that belong to another
    part.
    """

    battles: tuple[int, ...] = ()
    since: int = 0
    before: int = 0
    elsewhere: tuple[int, ...] = ()


class ServiceLine(Struct, frozen=True):
    """A battle of a fighter. ``fate`` and ``wounds`` are those after the battle.

    ``wounds_phrase`` is the text of ``wounds``, ``losses_phrase`` that of ``losses``; ``deeds`` are
    phrases with the fighter as their subject; ``earned`` is the experience of ``lines``. Friendly
    battles earn nothing.
    """

    sequence: int
    battle: UUID | None
    title: str
    scenario: str
    fought_on: Annotated[str, DAY_OR_EMPTY]
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
    losses: tuple[Loss, ...] = ()
    losses_phrase: str = ""


def career_of(fighter: Fighter) -> tuple[CareerMoment, ...]:
    """Return every battle of a fighter in brief, newest first, with corrections applied.

    One query, or two the first time.
    """
    earned = dict(EARNED.rows(fighter.pk))
    battles = _battles_in_brief(fighter.pk, fighter.warband.head_seal)
    return tuple(CareerMoment(*battle, earned=earned.get(battle[0], 0)) for battle in battles)


def service_record(
    warband: Warband,
    rules: Ruleset,
    fighter: UUID,
    ledger: Iterable[LedgerRow],
    battles: Collection[int] | None = None,
) -> tuple[ServiceLine, ...]:
    """Return the battles of a fighter, newest first, with corrections applied.

    With ``battles``, only those at these places in the chronicle. ``ledger`` is the fighter's own.
    One query.
    """
    earned: dict[int, list[LedgerRow]] = {}
    for line in ledger:
        earned.setdefault(line.sequence, []).append(line)
    scenarios = {scenario.key: scenario.name for scenario in rules.scenarios()}
    entries = _entries(warband.pk)
    if battles is not None:
        entries = entries.filter(Q(sequence__in=battles) | Q(kind="corrected"))
    rows = list(entries.values_list("sequence", "kind", WHOLE, subject_is_here(battles_only=True)))
    here = {sequence for sequence, _, _, is_here in rows if is_here}
    lines = (
        _line(rules, sequence, fact, record, scenarios, earned.get(sequence, []), here)
        for sequence, fact, record in _fought_by(fighter, (row[:3] for row in rows))
        if battles is None or sequence in battles
    )
    return tuple(reversed(list(lines)))


@lru_cache(maxsize=CAREERS_KEPT)
def _battles_in_brief(fighter: UUID, head: str) -> tuple[tuple[int, bool, int, int], ...]:
    """Return the place, friendliness, Rank and number of deeds of each battle, newest first.

    They are cached by the ``head`` of the chronicle, since sealed entries never change. One query.
    """
    lines = [
        (
            sequence,
            fact.friendly,
            record.rank,
            sum(deed.fighter == record.fighter for deed in fact.deeds),
        )
        for sequence, fact, record in _fought_by(fighter, BRIEF_ENTRIES.rows(fighter))
    ]
    return tuple(reversed(lines))


def _brief_entries(fighter: UUID) -> QuerySet[ChronicleEntry, tuple[int, str, str]]:
    """Return the entries about battles of a fighter's warband, with the part about the fighter."""
    payload_part = Case(
        When(kind="corrected", then=WHOLE), default=JsonProjection("payload", IN_BRIEF, fighter)
    )
    warband = Fighter.objects.filter(pk=fighter).values("warband")
    return _entries(Subquery(warband)).values_list("sequence", "kind", payload_part)


BRIEF_ENTRIES = CompiledQuery(lambda key, _: _brief_entries(key))
EARNED: CompiledQuery[tuple[int, int]] = CompiledQuery(
    lambda key, _: (
        ExperienceEntry.objects.filter(fighter=key)
        .order_by()
        .values_list("sequence")
        .annotate(earned=Sum("amount"))
    )
)


def _entries(warband: UUID | Subquery) -> QuerySet[ChronicleEntry]:
    """Return the entries of a chronicle about battles, in the order of entry."""
    return ChronicleEntry.objects.filter(
        warband=warband, kind__in=("fought", "corrected")
    ).order_by("sequence")


def _fought_by(
    fighter: UUID, rows: Iterable[tuple[int, str, str]]
) -> list[tuple[int, Fought, Record]]:
    """Return a fighter's battles with their places and its own records, with corrections applied.

    The facts come as text and are parsed once: there may be a thousand of them.
    """
    concern = (
        (sequence, text)
        for sequence, kind, text in rows
        if kind == "corrected" or str(fighter) in text
    )
    facts = ((sequence, READ(text)) for sequence, text in concern)
    return [
        (sequence, fact, record)
        for sequence, fact in effective_at(facts)
        if isinstance(fact, Fought)
        for record in fact.records
        if record.fighter == str(fighter)
    ]


def _line(
    rules: Ruleset,
    sequence: int,
    fact: Fought,
    record: Record,
    scenarios: Mapping[str, str],
    lines: list[LedgerRow],
    here: Collection[int],
) -> ServiceLine:
    return ServiceLine(
        sequence=sequence,
        battle=UUID(fact.battle) if fact.battle and sequence in here else None,
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
        deeds=tuple(
            rules.deed_phrase(deed) for deed in fact.deeds if deed.fighter == record.fighter
        ),
        earned=sum(line.amount for line in lines),
        lines=tuple(lines),
        losses=record.losses,
        losses_phrase=lost_parts(record.losses),
    )
