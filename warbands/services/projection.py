"""The stored replay of a chronicle: functions that replace the stored state by a new one.

Each function takes any number of warbands and needs a fixed number of queries.
"""

from collections.abc import Iterable, Mapping
from uuid import UUID

import msgspec

from rulebook.chronicle.states import LedgerLine, ReplayResult, WarbandState
from rulebook.registry import find_ruleset
from rulebook.ruleset import Fate
from warbands.models import ExperienceEntry, Fighter, Warband
from warbands.rulebook_values import FIGHTER_COLUMNS, fighter_row
from warbands.services.ledger import LineChanges, ledger_rows, write_changed_lines

SERVING = frozenset({Fate.FIT, Fate.RECOVERING})
WARBAND_COLUMNS = (
    "name",
    "edition",
    "points",
    "fighter_count",
    "experience",
    "state",
    "sequence",
    "head_seal",
    "head_signature",
)


def write_projections(
    warbands: Mapping[UUID, Warband],
    before: Mapping[UUID, WarbandState],
    results: Mapping[UUID, ReplayResult],
    *,
    whole_ledger: bool = False,
    changes: Mapping[UUID, LineChanges] | None = None,
    gained: Mapping[UUID, int] | None = None,
) -> None:
    """Store the results of new facts: the warbands, fighters that differ, and ledger lines.

    Fighters are compared with ``before``. With ``whole_ledger`` the results hold all lines since
    the beginning, which replace the stored ones; with ``changes`` as well, only lines that differ
    are compared and written (see ``ledger.write_changed_lines``), and ``gained`` is the experience
    that each warband gains.
    """
    if whole_ledger and changes is None:
        ExperienceEntry.objects.filter(warband__in=warbands).delete()
    lines: list[ExperienceEntry] = []
    for warband_id, result in results.items():
        warband = warbands[warband_id]
        if gained is not None:
            warband.experience += gained[warband_id]
        else:
            warband.experience = earned(result.ledger) + (0 if whole_ledger else warband.experience)
        project_warband(warband, result.state)
        if changes is None:
            lines += ledger_rows(warband_id, result.ledger)
    states = {warband_id: result.state for warband_id, result in results.items()}
    # A line's fighter must exist before it is written, and lines go with a fighter who is gone.
    _write_fighters(before, states)
    if changes is None:
        ExperienceEntry.objects.bulk_create(lines)
    else:
        ledgers = {warband_id: result.ledger for warband_id, result in results.items()}
        write_changed_lines(ledgers, changes)
    # Upsert the rows, as for fighters: bulk_update takes longer to build its query than to run it.
    Warband.objects.bulk_create(
        warbands.values(),
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=[*WARBAND_COLUMNS, "folded"],
    )


def _write_fighters(
    before: Mapping[UUID, WarbandState], after: Mapping[UUID, WarbandState]
) -> None:
    """Store the fighters that differ.

    One statement stores new and changed fighters, one deletes those that are gone.
    """
    changed: list[Fighter] = []
    struck: list[str] = []
    for warband_id, state in after.items():
        former = before[warband_id].fighters
        struck += [key for key in former if key not in state.fighters]
        for key, fighter in state.fighters.items():
            if former.get(key) != fighter:
                changed.append(fighter_row(warband_id, fighter))
    if struck:
        Fighter.objects.filter(pk__in=struck).delete()
    Fighter.objects.bulk_create(
        changed,
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=[*FIGHTER_COLUMNS, "folded", "state"],
    )


def project_warband(warband: Warband, state: WarbandState) -> None:
    """Set the columns of a warband from its state without saving them.

    The points include what the warband bought as a whole.
    """
    serving = [fighter for fighter in state.fighters.values() if fighter.fate in SERVING]
    warband.name = state.name
    warband.edition = state.edition
    warband.points = find_ruleset(state.ruleset, state.edition).roster_totals(state.roster).points
    warband.fighter_count = len(serving)
    warband.sequence = state.sequence
    stored = msgspec.to_builtins(state)
    stored.pop("fighters")
    warband.state = stored


def earned(lines: Iterable[LedgerLine]) -> int:
    """Return the experience gained in these lines; spent experience is not subtracted."""
    return sum(line.amount for line in lines if line.amount > 0)
