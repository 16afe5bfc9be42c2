"""The only writer of chronicles: every change of a warband is a fact appended here.

A transaction locks the warbands in the order of their ids, reads their stored states, takes one
step, refuses what cannot be true, and writes the entry and the projection together. Only a
correction replays, and a late battle: one that was played before another that is in the chronicle
already.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext
from msgspec import Struct

from core.errors import InvalidInput, OpenConflicts, StateConflict
from rulebook.chronicle.facts import FIRST_SEAL, AnyFact, Corrected, Fought, encode, seal
from rulebook.chronicle.replay import replay_chronicle, step
from rulebook.chronicle.states import Conflict, ReplayResult
from rulebook.registry import find_ruleset
from rulebook.ruleset import Problem
from warbands.chronicle_seals import enter, head_signature
from warbands.models import ChronicleEntry, ChronicleRegister, Warband
from warbands.rulebook_values import last_played, read_chronicles, read_states
from warbands.services.locking import lock_warbands
from warbands.services.projection import write_projections


class Preview(Struct, frozen=True):
    """What new facts would do: the warband without them and with them, and the conflicts that they
    would open.

    For a fact that is one step, ``after`` has no more than that step's ledger and conflicts, and
    ``before`` none.
    """

    before: ReplayResult
    after: ReplayResult

    @property
    def new_conflicts(self) -> tuple[Conflict, ...]:
        """Open conflicts that are not there without the new facts."""
        existing = {
            (conflict.sequence, conflict.code, conflict.fighter)
            for conflict in self.before.open_conflicts
        }
        return tuple(
            conflict
            for conflict in self.after.open_conflicts
            if (conflict.sequence, conflict.code, conflict.fighter) not in existing
        )


@transaction.atomic
def append_facts(facts: Mapping[UUID, AnyFact], *, user: User | None) -> dict[UUID, ReplayResult]:
    """Append one fact to each of several chronicles, all or none; returns what each made of its
    warband.

    Raises InvalidInput with a problem for each conflict, NotFound for an unknown warband,
    StateConflict if somebody else wrote the same place of a chronicle first, OpenConflicts if a
    late battle makes a later fact impossible.
    """
    return write_facts(lock_warbands(facts), facts, user=user)


def write_facts(
    warbands: Mapping[UUID, Warband],
    facts: Mapping[UUID, AnyFact],
    *,
    user: User | None,
    answers: Mapping[UUID, Corrected] | None = None,
) -> dict[UUID, ReplayResult]:
    """As ``append_facts``, for a caller who has locked the warbands in a transaction that ends if
    this raises.

    ``answers`` say, by warband, which later facts a late battle undoes or lets stand: see
    ``preview_late``.
    """
    late = late_battles(warbands.values(), facts)
    answers = answers or {}
    added = {
        warband_id: with_answer(fact, answers.get(warband_id)) for warband_id, fact in late.items()
    }
    before = read_states(warbands.values())
    # One step from the stored state, whatever the length of the chronicle. Only what is late needs
    # a replay.
    results = {
        key: step(before[key], fact, find_ruleset) for key, fact in facts.items() if key not in late
    }
    _expect_no_conflict(
        [conflict for result in results.values() for conflict in result.open_conflicts]
    )
    replays = _expect_answered(preview_late(added)) if late else {}
    _write_entries(
        warbands, [(key, each) for key in facts for each in added.get(key, [facts[key]])], user
    )
    if results:
        write_projections({key: warbands[key] for key in results}, before, results)
    if replays:
        write_projections(
            {key: warbands[key] for key in replays}, before, replays, whole_ledger=True
        )
    return {**results, **replays}


def late_battles(warbands: Iterable[Warband], facts: Mapping[UUID, AnyFact]) -> dict[UUID, Fought]:
    """The facts of battles that were played before the last one in their chronicle, by warband. No
    query."""
    late: dict[UUID, Fought] = {}
    for warband in warbands:
        fact = facts.get(warband.pk)
        if isinstance(fact, Fought) and fact.is_late(last_played(warband)):
            late[warband.pk] = fact
    return late


def with_answer(fact: Fought, answer: Corrected | None) -> list[AnyFact]:
    """A late battle as it is entered: with a correction behind it where it undoes later facts or
    lets some stand."""
    return [fact, answer] if answer is not None and (answer.undone or answer.standing) else [fact]


def preview_late(added: Mapping[UUID, Sequence[AnyFact]]) -> dict[UUID, Preview]:
    """What late battles would do with their answers, by warband; nothing is written. One query."""
    return {
        warband_id: _with(chronicle, added[warband_id])
        for warband_id, chronicle in read_chronicles(added).items()
    }


def _with(chronicle: Sequence[AnyFact], added: Sequence[AnyFact]) -> Preview:
    return Preview(
        replay_chronicle(chronicle, find_ruleset),
        replay_chronicle([*chronicle, *added], find_ruleset),
    )


def _expect_answered(previews: Mapping[UUID, Preview]) -> dict[UUID, ReplayResult]:
    """What comes of previews that leave no conflict open. Raises OpenConflicts."""
    conflicts = {
        warband_id: preview.new_conflicts
        for warband_id, preview in previews.items()
        if preview.new_conflicts
    }
    if conflicts:
        raise OpenConflicts(conflicts)
    return {warband_id: preview.after for warband_id, preview in previews.items()}


@transaction.atomic
def append_series(warband_id: UUID, facts: Sequence[AnyFact], *, user: User | None) -> ReplayResult:
    """Append several facts to one chronicle, one after the other, all or none; returns what they
    made of the warband.

    Raises as ``append_facts`` does. The number of queries does not grow with that of the facts.
    """
    warbands = lock_warbands([warband_id])
    before = read_states(warbands.values())
    result = ReplayResult(before[warband_id])
    for fact in facts:
        stepped = step(result.state, fact, find_ruleset)
        _expect_no_conflict(stepped.open_conflicts)
        result = ReplayResult(stepped.state, (*result.ledger, *stepped.ledger))
    _write_entries(warbands, [(warband_id, fact) for fact in facts], user)
    write_projections(warbands, before, {warband_id: result})
    return result


@transaction.atomic
def correct_facts(
    corrections: Mapping[UUID, Corrected], *, user: User | None
) -> dict[UUID, ReplayResult]:
    """Append a correction to each of several chronicles, all or none, and replay them.

    Raises OpenConflicts if a later fact would become impossible and is neither undone nor let stand
    with a reason, InvalidInput if a target cannot be corrected.
    """
    warbands = lock_warbands(corrections)
    before = read_states(warbands.values())
    results = _expect_answered(preview_corrections(corrections))
    _write_entries(warbands, corrections.items(), user)
    write_projections(warbands, before, results, whole_ledger=True)
    return results


def preview_corrections(corrections: Mapping[UUID, Corrected]) -> dict[UUID, Preview]:
    """What corrections would do, by warband; nothing is written. Raises InvalidInput if a target
    cannot be corrected."""
    chronicles = read_chronicles(corrections)
    previews: dict[UUID, Preview] = {}
    for warband_id, corrected in corrections.items():
        chronicle = chronicles[warband_id]
        for target in (corrected.target, *corrected.undone):
            if not 1 <= target <= len(chronicle) or not chronicle[target - 1].correctable:
                sentence = gettext("Entry %(target)s of the chronicle cannot be corrected.") % {
                    "target": target
                }
                raise InvalidInput("not-correctable", sentence, field="target")
        previews[warband_id] = _with(chronicle, [corrected])
    return previews


def read_chronicle(warband_id: UUID) -> list[AnyFact]:
    """Every fact of a warband in order, corrections and corrected ones included. One query."""
    return read_chronicles([warband_id])[warband_id]


def subject_of(fact: AnyFact) -> UUID | None:
    """The battle or campaign that a fact speaks of, None if it speaks of neither."""
    return UUID(fact.subject) if fact.subject else None


def seal_of(entry: ChronicleEntry, previous: str) -> str:
    """The seal that an entry gets behind one with the seal ``previous``; it covers when and by whom
    it was recorded."""
    return seal(
        previous,
        warband=str(entry.warband_id),
        sequence=entry.sequence,
        payload=entry.payload,
        recorded=recorded_of(entry),
    )


def recorded_of(entry: ChronicleEntry) -> str:
    """When and by whom an entry was recorded, as its seal says it: seconds since 1970 and the
    account's number."""
    if entry.recorded_as is not None:
        return entry.recorded_as
    return f"{entry.recorded_at.timestamp():.6f} {entry.recorded_by_id or '-'}"


def _expect_no_conflict(conflicts: Sequence[Conflict]) -> None:
    """Let pass what conflicts with nothing. Raises InvalidInput with a problem for each
    conflict."""
    if conflicts:
        problems = [
            Problem(
                conflict.code,
                conflict.sentence,
                fighters=(conflict.fighter,) if conflict.fighter else (),
            )
            for conflict in conflicts
        ]
        raise InvalidInput(conflicts[0].code, conflicts[0].sentence, problems=problems)


def _write_entries(
    warbands: Mapping[UUID, Warband], facts: Iterable[tuple[UUID, AnyFact]], user: User | None
) -> None:
    """Write the facts behind the last entry of each chronicle, sealed, and set each warband's head,
    signed. One query.

    Of chronicles that begin the register is told: two queries more.
    """
    now = timezone.now()
    entries: list[ChronicleEntry] = []
    written: Counter[UUID] = Counter()
    for warband_id, fact in facts:
        warband, payload = warbands[warband_id], encode(fact)
        written[warband_id] += 1
        entry = ChronicleEntry(
            warband=warband,
            sequence=warband.sequence + written[warband_id],
            kind=payload["kind"],
            payload=payload,
            subject=subject_of(fact),
            recorded_at=now,
            recorded_by=user,
            previous_seal=warband.head_seal or FIRST_SEAL,
        )
        warband.head_seal = entry.seal = seal_of(entry, entry.previous_seal)
        warband.head_signature = head_signature(warband_id, entry.sequence, entry.seal)
        entries.append(entry)
    enter_chronicles([warband_id for warband_id in written if not warbands[warband_id].sequence])
    try:
        ChronicleEntry.objects.bulk_create(entries)
    except IntegrityError as error:
        raise StateConflict(
            "chronicle-went-on",
            gettext("Somebody else was quicker. Read the warband again and retry."),
        ) from error


def enter_chronicles(warband_ids: Sequence[UUID]) -> None:
    """Count new chronicles into the register, which is locked until the transaction ends."""
    if warband_ids:
        register, _ = ChronicleRegister.objects.select_for_update().get_or_create(pk=1)
        enter(register, warband_ids)
        register.save()
