"""Proving that what is stored is what the chronicle says, and that nobody has touched the chronicle."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from rulebook.chronicle.facts import FIRST_SEAL, decode, seal
from rulebook.chronicle.fold import replay
from rulebook.chronicle.states import Step
from rulebook.registry import find_ruleset
from rulebook.ruleset import RulesError
from warbands.models import ChronicleEntry, ExperienceEntry, Fighter, Warband
from warbands.services import projection
from warbands.services.chronicle import recorded, roster_points

LEDGER_COLUMNS = ("sequence", "line", "fighter_id", "amount", "balance", "code", "sentence", "rule")


class Difference(Struct, frozen=True):
    """One place where the stored and the proper value differ, both as text."""

    where: str
    stored: str
    proper: str


def prove(warband: Warband) -> list[Difference]:
    """Every difference between what is stored of a warband and its chronicle; the empty list proves it right."""
    entries = list(ChronicleEntry.objects.filter(warband=warband).order_by("sequence"))
    broken = list(broken_seals(warband, entries))
    if broken:
        return broken
    try:
        proper = replay([decode(entry.payload) for entry in entries], find_ruleset)
    except RulesError as error:
        return [Difference("chronicle", str(error), "facts that can be read")]
    return [*_warband(warband, proper), *_fighters(warband, proper), *_ledger(warband, proper)]


def broken_seals(warband: Warband, entries: list[ChronicleEntry]) -> Iterator[Difference]:
    """Where the chain of seals does not hold: a place missing, a seal that does not fit its entry."""
    previous = FIRST_SEAL
    for place, entry in enumerate(entries, start=1):
        if entry.sequence != place:
            yield Difference(f"chronicle entry {place}", f"sequence {entry.sequence}", f"sequence {place}")
        proper = seal(
            previous,
            warband=str(warband.id),
            sequence=entry.sequence,
            payload=entry.payload,
            recorded=recorded(entry.recorded_at, entry.recorded_by_id),
        )
        if entry.previous_seal != previous or entry.seal != proper:
            yield Difference(f"seal of chronicle entry {place}", entry.seal, proper)
        previous = entry.seal
    if not entries:
        yield Difference("chronicle", "no entries", "the fact that musters the warband")
    elif warband.head_seal != previous:
        yield Difference("head of the chain", warband.head_seal, previous)


def _warband(warband: Warband, proper: Step) -> Iterator[Difference]:
    fresh = Warband()
    projection.project_warband(fresh, proper.state, roster_points(proper.state))
    fresh.experience = projection.earned(proper.ledger)
    for column in projection.WARBAND_COLUMNS:
        if column != "head_seal":
            yield from _compare(f"warband {column}", getattr(warband, column), getattr(fresh, column))


def _fighters(warband: Warband, proper: Step) -> Iterator[Difference]:
    stored = {str(fighter.id): fighter for fighter in Fighter.objects.filter(warband=warband)}
    for key in stored.keys() - proper.state.fighters.keys():
        yield Difference(f"fighter {key}", "on the roster", "not on the roster")
    for key, state in proper.state.fighters.items():
        if key not in stored:
            yield Difference(f"fighter {key}", "not on the roster", "on the roster")
            continue
        yield from _compare(f"fighter {key} state", stored[key].state, msgspec.to_builtins(state))
        for column in projection.FIGHTER_COLUMNS:
            yield from _compare(f"fighter {key} {column}", getattr(stored[key], column), getattr(state, column))


def _ledger(warband: Warband, proper: Step) -> Iterator[Difference]:
    rows = projection.ledger_rows(warband.id, proper.ledger)
    expected = sorted(tuple(getattr(row, column) for column in LEDGER_COLUMNS) for row in rows)
    stored = sorted(ExperienceEntry.objects.filter(warband=warband).values_list(*LEDGER_COLUMNS))
    for line in sorted(set(stored) ^ set(expected)):
        yield Difference(f"ledger line {line[0]}/{line[1]}", _text(line in stored, line), _text(line in expected, line))


def _text(there: bool, line: tuple[Any, ...]) -> str:
    return str(line) if there else "not there"


def _compare(where: str, stored: Any, proper: Any) -> Iterator[Difference]:
    if stored != proper and _as_json(stored) != _as_json(proper):
        yield Difference(where, str(stored), str(proper))


def _as_json(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))
