"""The only writer of chronicles: every change of a warband is a fact appended here.

A transaction locks the warbands in the order of their ids, reads their stored states, takes one step, refuses what
cannot be true, and writes the entry and the projection together. Only a correction replays.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone
from msgspec import Struct

from rulebook.chronicle.facts import FIRST_SEAL, AnyFact, Corrected, Fought, Mustered, decode, encode, seal
from rulebook.chronicle.fold import effective, replay, step
from rulebook.chronicle.states import Conflict, Step, WarbandState
from rulebook.registry import find_ruleset
from rulebook.ruleset import Problem
from warbands.errors import LostRace, NotFound, OpenConflicts, Refused
from warbands.models import ChronicleEntry, ExperienceEntry, Warband
from warbands.services import projection


class Telling(Struct, frozen=True):
    """A fact to be told of a warband."""

    warband_id: UUID
    fact: AnyFact


class Preview(Struct, frozen=True):
    """What a correction would do: the replay without it and with it, and the conflicts that it would open."""

    before: Step
    after: Step

    @property
    def new_conflicts(self) -> tuple[Conflict, ...]:
        """Open conflicts that are not there without the correction."""
        known = {(conflict.sequence, conflict.code, conflict.fighter) for conflict in self.before.open_conflicts}
        return tuple(
            conflict
            for conflict in self.after.open_conflicts
            if (conflict.sequence, conflict.code, conflict.fighter) not in known
        )


def append(warband_id: UUID, fact: AnyFact, *, user: User | None) -> Step:
    """Tell one fact of one warband; see ``append_all``."""
    return append_all([Telling(warband_id, fact)], user=user)[warband_id]


@transaction.atomic
def append_all(tellings: Sequence[Telling], *, user: User | None) -> dict[UUID, Step]:
    """Tell one fact of each of several warbands, all or none; returns the steps by warband.

    Raises Refused with a problem for each conflict, NotFound for an unknown warband, LostRace if somebody else wrote
    the same place of a chronicle first.
    """
    warbands = lock_warbands(telling.warband_id for telling in tellings)
    before = projection.read_states(warbands.values())
    steps = {telling.warband_id: step(before[telling.warband_id], telling.fact, find_ruleset) for telling in tellings}
    _refuse_conflicts(steps.values())
    _write_entries(warbands, tellings, user)
    _write_steps(warbands, before, steps)
    return steps


def lock_warbands(warband_ids: Iterable[UUID]) -> dict[UUID, Warband]:
    """The warbands, locked until the transaction ends, always in the order of their ids so that nobody waits in a ring.

    Raises NotFound if one is missing.
    """
    wanted = set(warband_ids)
    rows = Warband.objects.select_for_update().filter(pk__in=wanted).order_by("pk")
    warbands = {warband.id: warband for warband in rows}
    if len(warbands) < len(wanted):
        raise NotFound("unknown-warband", "There is no such warband.")
    return warbands


def read_chronicle(warband_id: UUID) -> list[AnyFact]:
    """Every fact of a warband in order, corrections and corrected ones included. One query."""
    return read_chronicles([warband_id])[warband_id]


def read_chronicles(warband_ids: Iterable[UUID]) -> dict[UUID, list[AnyFact]]:
    """The chronicles of several warbands. One query."""
    chronicles: dict[UUID, list[AnyFact]] = {warband_id: [] for warband_id in warband_ids}
    rows = ChronicleEntry.objects.filter(warband__in=chronicles).order_by("warband", "sequence")
    for warband_id, payload in rows.values_list("warband_id", "payload"):
        chronicles[warband_id].append(decode(payload))
    return chronicles


def preview_all(tellings: Sequence[Telling]) -> dict[UUID, Preview]:
    """What corrections would do, by warband; nothing is written. Raises Refused if a target cannot be corrected."""
    chronicles = read_chronicles(telling.warband_id for telling in tellings)
    return {
        telling.warband_id: _preview(chronicles[telling.warband_id], _correction(telling.fact)) for telling in tellings
    }


def preview(warband_id: UUID, corrected: Corrected) -> Preview:
    """What one correction would do to one warband; nothing is written."""
    return preview_all([Telling(warband_id, corrected)])[warband_id]


@transaction.atomic
def correct_all(tellings: Sequence[Telling], *, user: User | None) -> dict[UUID, Step]:
    """Append a ``Corrected`` fact to each of several warbands, all or none, and replay them.

    Raises OpenConflicts if a later fact would become impossible and is neither undone nor let stand with a reason,
    Refused if a target cannot be corrected.
    """
    warbands = lock_warbands(telling.warband_id for telling in tellings)
    before = projection.read_states(warbands.values())
    previews = preview_all(tellings)
    conflicts = {warband_id: found.new_conflicts for warband_id, found in previews.items() if found.new_conflicts}
    if conflicts:
        raise OpenConflicts(conflicts)
    steps = {warband_id: found.after for warband_id, found in previews.items()}
    _write_entries(warbands, tellings, user)
    ExperienceEntry.objects.filter(warband__in=warbands).delete()
    for warband in warbands.values():
        warband.experience = 0
    _write_steps(warbands, before, steps)
    return steps


def correct(warband_id: UUID, corrected: Corrected, *, user: User | None) -> Step:
    """Correct one fact of one warband; see ``correct_all``."""
    return correct_all([Telling(warband_id, corrected)], user=user)[warband_id]


def find_fought(chronicle: Sequence[AnyFact], battle: str) -> tuple[int, Fought]:
    """The place of a battle in a chronicle and its present reading. Raises NotFound if it is not there (any more)."""
    for sequence, fact in effective(chronicle):
        if isinstance(fact, Fought) and fact.battle == battle:
            return sequence, fact
    raise NotFound("unknown-battle", "This battle is not in the warband's chronicle.")


def _correction(fact: AnyFact) -> Corrected:
    if not isinstance(fact, Corrected):
        raise TypeError("Only a correction can be previewed or replayed.")
    return fact


def _preview(chronicle: list[AnyFact], corrected: Corrected) -> Preview:
    targets = (corrected.target, *corrected.undone)
    wrong = [target for target in targets if not _may_be_corrected(chronicle, target)]
    if wrong:
        raise Refused("not-correctable", f"Entry {wrong[0]} of the chronicle cannot be corrected.", field="target")
    return Preview(replay(chronicle, find_ruleset), replay([*chronicle, corrected], find_ruleset))


def _may_be_corrected(chronicle: Sequence[AnyFact], target: int) -> bool:
    return 1 <= target <= len(chronicle) and not isinstance(chronicle[target - 1], Mustered | Corrected)


def _refuse_conflicts(steps: Iterable[Step]) -> None:
    conflicts = [conflict for taken in steps for conflict in taken.open_conflicts]
    if not conflicts:
        return
    problems = [
        Problem(conflict.code, conflict.sentence, fighters=(conflict.fighter,) if conflict.fighter else ())
        for conflict in conflicts
    ]
    raise Refused(conflicts[0].code, conflicts[0].sentence, problems=problems)


def _write_entries(warbands: Mapping[UUID, Warband], tellings: Sequence[Telling], user: User | None) -> None:
    now = timezone.now()
    entries = [_entry(warbands[telling.warband_id], telling.fact, user, now) for telling in tellings]
    try:
        ChronicleEntry.objects.bulk_create(entries)
    except IntegrityError as error:
        raise LostRace("chronicle-went-on", "Somebody else was quicker. Read the warband again and retry.") from error
    for entry in entries:
        warbands[entry.warband_id].head_seal = entry.seal


def _entry(warband: Warband, fact: AnyFact, user: User | None, now: datetime) -> ChronicleEntry:
    previous = warband.head_seal or FIRST_SEAL
    sequence = warband.sequence + 1
    payload = encode(fact)
    return ChronicleEntry(
        warband=warband,
        sequence=sequence,
        kind=payload["kind"],
        payload=payload,
        subject=subject_of(fact),
        recorded_at=now,
        recorded_by=user,
        previous_seal=previous,
        seal=seal(
            previous,
            warband=str(warband.id),
            sequence=sequence,
            payload=payload,
            recorded=recorded(now, user.pk if user else None),
        ),
    )


def recorded(when: datetime, user_id: int | None) -> str:
    """When and by whom an entry was recorded, as the seal covers it."""
    return f"{when.astimezone(timezone.get_default_timezone()).timestamp():.6f} {user_id or '-'}"


def subject_of(fact: AnyFact) -> UUID | None:
    """The battle or campaign that a fact speaks of, None if it speaks of neither."""
    told = fact.replacement if isinstance(fact, Corrected) else fact
    subject = getattr(told, "battle", "") or getattr(told, "campaign", "")
    return UUID(subject) if subject else None


def _write_steps(
    warbands: Mapping[UUID, Warband], before: Mapping[UUID, WarbandState], steps: Mapping[UUID, Step]
) -> None:
    rows: list[ExperienceEntry] = []
    for warband_id, taken in steps.items():
        warband = warbands[warband_id]
        warband.experience += projection.earned(taken.ledger)
        projection.project_warband(warband, taken.state, roster_points(taken.state))
        rows += projection.ledger_rows(warband_id, taken.ledger)
    projection.write_fighters(before, {warband_id: taken.state for warband_id, taken in steps.items()})
    ExperienceEntry.objects.bulk_create(rows)
    # Written over their own rows, as the fighters are: to build what bulk_update needs takes longer than to run it.
    Warband.objects.bulk_create(
        warbands.values(), update_conflicts=True, unique_fields=["id"], update_fields=projection.WARBAND_COLUMNS
    )


def roster_points(state: WarbandState) -> int:
    """The roster's total in points, with what the warband bought as a whole."""
    return find_ruleset(state.ruleset, state.edition).roster_totals(state.roster).points
