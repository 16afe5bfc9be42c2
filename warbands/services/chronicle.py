"""The only writer of chronicles: every change of a warband is a fact that is appended here.

A transaction locks the warbands in the order of their ids, reads their stored states, takes one
step, refuses conflicts, and writes the entry and the projection together. Only corrections and late
battles replay a chronicle. A battle is late if it was played before another battle that is already
in the chronicle.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import replace

from core.errors import InvalidInput, OpenConflicts, StateConflict
from rulebook.chronicle.comparison import LineDifference, compare_replays
from rulebook.chronicle.earnings import (
    EarningsChange,
    earnings_change,
    may_change_only_earnings,
)
from rulebook.chronicle.facts import FIRST_SEAL, AnyFact, Corrected, Fought, encode, seal
from rulebook.chronicle.replay import step
from rulebook.chronicle.states import Conflict, ReplayResult, WarbandState
from rulebook.registry import find_ruleset
from rulebook.ruleset import Problem
from warbands.chronicle_seals import enter, head_signature
from warbands.models import ChronicleEntry, ChronicleRegister, Warband
from warbands.rulebook_values import (
    days_entered_after,
    last_played,
    read_chronicles,
    read_corrected,
    read_facts_before,
    read_states,
)
from warbands.services.ledger import LineChanges, overspent_by
from warbands.services.locking import lock_warbands
from warbands.services.projection import earned, write_projections


class Preview(Struct, frozen=True):
    """The effect of new facts: the warband without them and with them.

    ``new_conflicts`` are the conflicts that they open, ``gained`` is the experience that they add.
    ``before`` and ``after`` have the ledger and conflicts of the whole chronicle. But for a single
    step ``after`` has those of that step and ``before`` has none, and a correction that changes
    only what fighters earned has those of its battle. ``changes`` are the ledger lines that a
    correction changes.
    """

    before: ReplayResult
    after: ReplayResult
    gained: int
    changes: LineChanges = LineChanges()

    @property
    def new_conflicts(self) -> tuple[Conflict, ...]:
        """Open conflicts that exist only because of the new facts."""
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
    """Append one fact to each of several chronicles, all or none; return the results by warband.

    Raises InvalidInput with a problem for each conflict, NotFound for an unknown warband,
    StateConflict if someone else wrote the same place of a chronicle first, OpenConflicts if a late
    battle makes a later fact impossible.
    """
    return write_facts(lock_warbands(facts), facts, user=user)


def write_facts(
    warbands: Mapping[UUID, Warband],
    facts: Mapping[UUID, AnyFact],
    *,
    user: User | None,
    answers: Mapping[UUID, Corrected] | None = None,
    states: Mapping[UUID, WarbandState] | None = None,
) -> dict[UUID, ReplayResult]:
    """Append facts as ``append_facts`` does, to warbands that the caller has locked.

    The rows of the warbands are changed. The caller's transaction must be rolled back if this
    raises. ``answers`` say, by warband, which later facts a late battle undoes or keeps: see
    ``preview_late``. ``states`` are the present states, if the caller has read them under the lock.
    """
    late = late_battles(warbands.values(), facts)
    answers = answers or {}
    added = {
        warband_id: with_answer(fact, answers.get(warband_id)) for warband_id, fact in late.items()
    }
    before = read_states(warbands.values()) if states is None else states
    # Take one step from the stored state, however long the chronicle is. Only late facts need a
    # replay.
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
    """Return the facts of battles entered late, by warband. No query.

    A battle is late if it was played before the last one in the chronicle.
    """
    late: dict[UUID, Fought] = {}
    for warband in warbands:
        fact = facts.get(warband.pk)
        if isinstance(fact, Fought) and fact.is_late(last_played(warband)):
            late[warband.pk] = fact
    return late


def with_answer(fact: Fought, answer: Corrected | None) -> list[AnyFact]:
    """Return a late battle as it is appended, followed by its correction if it needs one.

    The correction undoes later facts or keeps some of them.
    """
    return [fact, answer] if answer is not None and (answer.undone or answer.standing) else [fact]


def preview_late(added: Mapping[UUID, Sequence[AnyFact]]) -> dict[UUID, Preview]:
    """Return the effect of battles entered late, with their answers, by warband; write nothing.

    One query.
    """
    return {
        warband_id: _with(chronicle, added[warband_id])
        for warband_id, chronicle in read_chronicles(added).items()
    }


def _with(chronicle: Sequence[AnyFact], added: Sequence[AnyFact]) -> Preview:
    compared = compare_replays(chronicle, added, find_ruleset)
    gained = earned(compared.after.ledger) - earned(compared.before.ledger)
    return Preview(compared.before, compared.after, gained)


def _expect_answered(previews: Mapping[UUID, Preview]) -> dict[UUID, ReplayResult]:
    """Return the results of previews that leave no conflict open. Raises OpenConflicts."""
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
    """Append several facts to one chronicle in order, all or none; return the result.

    Raises the same errors as ``append_facts``. The number of queries does not depend on the number
    of facts.
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
    corrections: Mapping[UUID, Corrected],
    *,
    user: User | None,
    previews: Mapping[UUID, Preview] | None = None,
) -> dict[UUID, ReplayResult]:
    """Append a correction to each of several chronicles, all or none, and replay them.

    ``previews`` show the same corrections, and were made in this transaction under the locks of the
    warbands; then nothing is replayed again.

    Raises OpenConflicts if a later fact would become impossible and is neither undone nor kept with
    a reason, InvalidInput if a target cannot be corrected.
    """
    warbands = lock_warbands(corrections)
    if previews is None or not _are_of(previews, warbands):
        previews = _previews(corrections, warbands)
    before = {key: preview.before.state for key, preview in previews.items()}
    results = _expect_answered(previews)
    _write_entries(warbands, corrections.items(), user)
    changes = {key: preview.changes for key, preview in previews.items()}
    gained = {key: preview.gained for key, preview in previews.items()}
    write_projections(warbands, before, results, whole_ledger=True, changes=changes, gained=gained)
    return results


def _are_of(previews: Mapping[UUID, Preview], warbands: Mapping[UUID, Warband]) -> bool:
    """Return whether the previews continue the chronicles as they are now."""
    return previews.keys() == warbands.keys() and all(
        previews[key].before.state.sequence == warband.sequence for key, warband in warbands.items()
    )


def preview_corrections(corrections: Mapping[UUID, Corrected]) -> dict[UUID, Preview]:
    """Return the effect of corrections by warband; write nothing.

    At most seven queries. Raises InvalidInput if a target cannot be corrected.
    """
    return _previews(corrections, Warband.objects.in_bulk(corrections))


def _previews(
    corrections: Mapping[UUID, Corrected], warbands: Mapping[UUID, Warband]
) -> dict[UUID, Preview]:
    """Return the effect of corrections; the state before is the projection, which equals the
    replay."""
    states = read_states(warbands[key] for key in corrections)
    previews = _previews_of_earnings(corrections, states)
    chronicles = read_chronicles(key for key in corrections if key not in previews)
    for warband_id, chronicle in chronicles.items():
        corrected = corrections[warband_id]
        for target in (corrected.target, *corrected.undone):
            if not 1 <= target <= len(chronicle) or not chronicle[target - 1].correctable:
                sentence = gettext("Entry %(target)s of the history cannot be corrected.") % {
                    "target": target
                }
                raise InvalidInput("not-correctable", sentence, field="target")
        compared = compare_replays(chronicle, [corrected], find_ruleset)
        before = _in_order_of(compared.before.state, states[warband_id])
        differs = LineDifference(moved=True) if before != compared.before.state else compared.lines
        previews[warband_id] = Preview(
            before=replace(compared.before, state=before),
            after=compared.after,
            gained=earned(compared.after.ledger) - warbands[warband_id].experience,
            changes=LineChanges(compared.unchanged, differs),
        )
    return previews


def _previews_of_earnings(
    corrections: Mapping[UUID, Corrected], states: Mapping[UUID, WarbandState]
) -> dict[UUID, Preview]:
    """Return the effect of corrected battles that change only what fighters earned in them.

    Other corrections are left out: the whole chronicle must be replayed for them. At most four
    queries.
    """
    targets = {
        warband_id: corrected.target
        for warband_id, corrected in corrections.items()
        if isinstance(corrected.replacement, Fought)
    }
    numbered = read_corrected(targets)
    for warband_id in list(targets):
        state = states[warband_id]
        rules = find_ruleset(state.ruleset, state.edition)
        if not may_change_only_earnings(numbered[warband_id], corrections[warband_id], rules):
            del targets[warband_id]
    before, days = read_facts_before(targets), days_entered_after(targets)
    changes: dict[UUID, EarningsChange] = {}
    for warband_id in targets:
        change = earnings_change(
            [*before[warband_id], *numbered[warband_id]],
            corrections[warband_id],
            find_ruleset,
            states[warband_id],
            days[warband_id],
        )
        if change is not None:
            changes[warband_id] = change
    overspent = overspent_by(
        {warband_id: (targets[warband_id], each.balances) for warband_id, each in changes.items()}
    )
    return {
        warband_id: Preview(
            before=ReplayResult(states[warband_id]),
            after=ReplayResult(change.state, change.lines),
            gained=earned(change.lines) - earned(change.before),
            changes=LineChanges(
                differ=LineDifference(facts=frozenset({targets[warband_id]})),
                balances=change.balances,
            ),
        )
        for warband_id, change in changes.items()
        if warband_id not in overspent
    }


def _in_order_of(state: WarbandState, other: WarbandState) -> WarbandState:
    """Return the other state with its fighters in the order of this one, the missing ones last."""
    fighters = {key: other.fighters[key] for key in state.fighters if key in other.fighters}
    return replace(other, fighters={**fighters, **other.fighters})


def read_chronicle(warband_id: UUID) -> list[AnyFact]:
    """Return every fact of a warband in order, including corrections and corrected facts.

    One query.
    """
    return read_chronicles([warband_id])[warband_id]


def subject_of(fact: AnyFact) -> UUID | None:
    """Return the id of the battle or campaign that a fact is about, or None."""
    return UUID(fact.subject) if fact.subject else None


def seal_of(entry: ChronicleEntry, previous: str) -> str:
    """Return the seal of an entry that follows one with the seal ``previous``.

    It also covers who recorded the entry, and when.
    """
    return seal(
        previous,
        warband=str(entry.warband_id),
        sequence=entry.sequence,
        payload=entry.payload,
        recorded=recorded_of(entry),
    )


def recorded_of(entry: ChronicleEntry) -> str:
    """Return who recorded an entry, and when, in the form that its seal covers.

    The form is seconds since 1970 and the account's number.
    """
    if entry.recorded_as is not None:
        return entry.recorded_as
    return f"{entry.recorded_at.timestamp():.6f} {entry.recorded_by_id or '-'}"


def _expect_no_conflict(conflicts: Sequence[Conflict]) -> None:
    """Raise InvalidInput with a problem for each conflict, if there are any."""
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
    """Append the sealed facts to their chronicles and set each warband's signed head. One query.

    New chronicles are also entered in the register: two queries more.
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
            gettext("Someone else changed this warband. Reload and try again."),
        ) from error


def enter_chronicles(warband_ids: Sequence[UUID]) -> None:
    """Add new chronicles to the register, which stays locked until the transaction ends."""
    if warband_ids:
        register, _ = ChronicleRegister.objects.select_for_update().get_or_create(pk=1)
        enter(register, warband_ids)
        register.save()
