"""The stored fold of a chronicle: writing a new state over the old one.

Each function takes any number of warbands and needs a fixed number of queries.
"""

from collections.abc import Iterable, Mapping
from uuid import UUID

import msgspec

from rulebook.chronicle.states import FighterState, LedgerLine, WarbandState
from rulebook.ruleset import Fate
from warbands.models import ExperienceEntry, Fighter, Warband
from warbands.reading import read_state, read_states

__all__ = ["read_state", "read_states"]

SERVING = frozenset({Fate.FIT, Fate.RECOVERING})
FIGHTER_COLUMNS = (
    "name",
    "profile_name",
    "rank",
    "points",
    "experience",
    "fate",
    "battles",
    "wounds_dealt",
    "kills",
    "place",
)
WARBAND_COLUMNS = ("name", "edition", "points", "fighter_count", "experience", "state", "sequence", "head_seal")


def write_fighters(before: Mapping[UUID, WarbandState], after: Mapping[UUID, WarbandState]) -> None:
    """Store the fighters that differ: one statement for new and changed ones, one for those struck off."""
    changed: list[Fighter] = []
    struck: list[str] = []
    for warband_id, state in after.items():
        known = before[warband_id].fighters
        struck += [key for key in known if key not in state.fighters]
        changed += [
            fighter_row(warband_id, fighter) for key, fighter in state.fighters.items() if known.get(key) != fighter
        ]
    if struck:
        Fighter.objects.filter(pk__in=struck).delete()
    Fighter.objects.bulk_create(
        changed,
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=[*FIGHTER_COLUMNS, "state"],
    )


def fighter_row(warband_id: UUID, fighter: FighterState) -> Fighter:
    """The row that stores a fighter's state; nothing is saved."""
    columns = {column: getattr(fighter, column) for column in FIGHTER_COLUMNS}
    return Fighter(id=UUID(fighter.id), warband_id=warband_id, state=msgspec.to_builtins(fighter), **columns)


def project_warband(warband: Warband, state: WarbandState, points: int) -> None:
    """Set the columns of a warband from its state; nothing is saved. ``points`` is the roster's total."""
    serving = [fighter for fighter in state.fighters.values() if fighter.fate in SERVING]
    warband.name = state.name
    warband.edition = state.edition
    warband.points = points
    warband.fighter_count = len(serving)
    warband.sequence = state.sequence
    stored = msgspec.to_builtins(state)
    stored.pop("fighters")
    warband.state = stored


def ledger_rows(warband_id: UUID, lines: Iterable[LedgerLine]) -> list[ExperienceEntry]:
    """The rows that store ledger lines; nothing is saved."""
    rows: list[ExperienceEntry] = []
    numbers: dict[int, int] = {}
    for line in lines:
        numbers[line.sequence] = numbers.get(line.sequence, 0) + 1
        rows.append(
            ExperienceEntry(
                warband_id=warband_id,
                fighter_id=UUID(line.fighter),
                sequence=line.sequence,
                line=numbers[line.sequence],
                amount=line.amount,
                balance=line.balance,
                code=line.code,
                sentence=line.sentence,
                rule=line.rule,
            )
        )
    return rows


def earned(lines: Iterable[LedgerLine]) -> int:
    """Experience gained in these lines; what was spent does not count."""
    return sum(line.amount for line in lines if line.amount > 0)
