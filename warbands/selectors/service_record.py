"""A fighter's service record: every battle that it was fielded in, what it did there and what it
earned."""

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Annotated
from uuid import UUID

import msgspec
from django.db.models import Case, Q, QuerySet, Sum, TextField, When
from django.db.models.functions import Cast
from msgspec import Struct

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
"""A battle with nothing but the fighter's own in it."""


class CareerMoment(Struct, frozen=True):
    """A battle of a fighter in brief: its place in the chronicle, the rank in which the fighter
    took the field, how many deeds it did there and what it earned."""

    sequence: int
    friendly: bool
    rank: int
    deeds: int
    earned: int = 0


class CareerPart(Struct, frozen=True):
    """Some battles of a fighter by their places in the chronicle, and what its ledger has of them,
    and of other facts from ``since`` up to ``before``. ``elsewhere`` are battles between the two
    that are in another part: late ones."""

    battles: tuple[int, ...] = ()
    since: int = 0
    before: int = 0
    elsewhere: tuple[int, ...] = ()


class ServiceLine(Struct, frozen=True):
    """A battle as a fighter saw it. ``fate`` and ``wounds`` are those in which it left the field.

    ``wounds_phrase`` says the latter in words, ``losses_phrase`` what it lost of itself; ``deeds``
    are phrases with the fighter as their subject; ``earned`` is the experience of its ``lines``.
    Friendly battles earn nothing.
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
    """Every battle of a fighter in brief, newest first, corrections honoured. One query, or two the
    first time."""
    sums = ExperienceEntry.objects.filter(fighter=fighter).order_by().values_list("sequence")
    earned = dict(sums.annotate(earned=Sum("amount")))
    battles = _battles_in_brief(fighter.warband_id, fighter.pk, fighter.warband.head_seal)
    return tuple(CareerMoment(*battle, earned=earned.get(battle[0], 0)) for battle in battles)


def service_record(
    warband: Warband,
    rules: Ruleset,
    fighter: UUID,
    ledger: Iterable[LedgerRow],
    battles: Collection[int] | None = None,
) -> tuple[ServiceLine, ...]:
    """The battles of a fighter, newest first, corrections honoured; if ``battles`` are given, those
    that have these places in the chronicle. ``ledger`` is its own. One query."""
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
def _battles_in_brief(
    warband: UUID, fighter: UUID, head: str
) -> tuple[tuple[int, bool, int, int], ...]:
    """Place, whether friendly, rank and number of deeds of each battle, newest first, kept as long
    as this is the ``head`` of the chronicle: what is behind a seal never changes. One query."""
    payload_part = Case(
        When(kind="corrected", then=WHOLE), default=JsonProjection("payload", IN_BRIEF, fighter)
    )
    lines = [
        (
            sequence,
            fact.friendly,
            record.rank,
            sum(deed.fighter == record.fighter for deed in fact.deeds),
        )
        for sequence, fact, record in _fought_by(
            fighter, _entries(warband).values_list("sequence", "kind", payload_part)
        )
    ]
    return tuple(reversed(lines))


def _entries(warband: UUID) -> QuerySet[ChronicleEntry]:
    """What a chronicle says of battles, in the order of entry."""
    return ChronicleEntry.objects.filter(
        warband=warband, kind__in=("fought", "corrected")
    ).order_by("sequence")


def _fought_by(
    fighter: UUID, rows: Iterable[tuple[int, str, str]]
) -> list[tuple[int, Fought, Record]]:
    """The battles that concern a fighter, with their places and its own record of each, corrections
    honoured.

    The facts come as text and are read once: there may be a thousand of them.
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
