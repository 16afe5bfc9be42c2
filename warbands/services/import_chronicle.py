"""Import of a warband from another installation, with its chronicle as it was sealed there."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.translation import gettext
from msgspec import Struct

from core.cleaning import MAX_NAME_LENGTH, storable_json
from core.errors import InvalidInput, StateConflict
from rulebook.chronicle.facts import FIRST_SEAL, AnyFact, Mustered, Recruited, decode, seal
from rulebook.chronicle.replay import replay_chronicle
from rulebook.chronicle.states import ReplayResult, WarbandState
from rulebook.registry import find_ruleset
from rulebook.ruleset import RulesError
from warbands.chronicle_seals import head_signature
from warbands.models import ChronicleEntry, Fighter, Warband
from warbands.services.chronicle import enter_chronicles, subject_of
from warbands.services.projection import write_projections
from warbands.signed import sign_new

DEEPEST = 32
RECORDED = re.compile(r"(\d{1,10}\.\d{6}) (\d{1,19}|-)")
"""The form in which seals cover time and account: seconds since 1970, and the account's number."""


class RecordedElsewhere(Struct, frozen=True):
    """An entry as another installation sealed it.

    ``payload`` is the fact as JSON, ``recorded`` its time and account in the form of the seal.
    """

    payload: Mapping[str, Any]
    recorded: str
    seal: str
    by: int | None = None
    """The account here that represents the one that recorded the entry, if they were matched."""


class BrokenEntry(Struct, frozen=True):
    """The first invalid entry: its place, counted from 1, and the reason in a sentence."""

    sequence: int
    sentence: str


def recorded_at(recorded: str) -> datetime:
    """Return when an entry was recorded according to its seal.

    Raises ValueError if that is not a time.
    """
    match = RECORDED.fullmatch(recorded)
    if match is None:
        raise ValueError(recorded)
    return datetime.fromtimestamp(float(match[1]), UTC)


def first_broken(warband_id: UUID, entries: Sequence[RecordedElsewhere]) -> BrokenEntry | None:
    """Return the first entry that is broken, or None if all are valid.

    An entry is broken if its seal does not fit it and all entries before it, or if no chronicle can
    hold it. An empty chronicle is broken at entry 1.
    """
    previous = FIRST_SEAL
    for place, entry in enumerate(entries, start=1):
        sentence = _what_is_wrong(place, entry)
        if not sentence:
            proper = seal(
                previous,
                warband=str(warband_id),
                sequence=place,
                payload=entry.payload,
                recorded=entry.recorded,
            )
            sentence = "" if proper == entry.seal else gettext("its seal does not fit what it says")
        if sentence:
            return BrokenEntry(place, sentence)
        previous = entry.seal
    return None if entries else BrokenEntry(1, gettext("the history is empty"))


@transaction.atomic
def adopt_warband(*, warband: Warband, entries: Sequence[RecordedElsewhere]) -> ReplayResult:
    """Store a warband from elsewhere with its chronicle.

    ``warband`` has its id, owner and visibility, and is not saved yet. Raises StateConflict
    "warband-here" if there already is such a warband; InvalidInput "chronicle-broken", which names
    the first broken entry, "fighter-here" if a fighter has the id of a fighter of another warband
    here, "unknown-edition" if this installation does not have the rules.
    """
    broken = first_broken(warband.pk, entries)
    if broken is not None:
        values = {"sequence": broken.sequence, "why": broken.sentence}
        raise InvalidInput(
            "chronicle-broken", gettext("Entry %(sequence)s is not valid: %(why)s.") % values
        )
    if Warband.objects.filter(pk=warband.pk).exists():
        raise _here_already()
    facts = [decode(entry.payload) for entry in entries]
    if Fighter.objects.filter(pk__in=set(recruits_of(facts))).exists():
        raise InvalidInput(
            "fighter-here",
            gettext("A fighter of this warband is already in another warband on this site."),
        )
    result = _replayed(facts)
    _create(warband, result)
    _write(warband, entries, facts)
    write_projections(
        {warband.pk: warband}, {warband.pk: WarbandState()}, {warband.pk: result}, whole_ledger=True
    )
    return result


def recruits_of(facts: Iterable[AnyFact]) -> Iterator[UUID]:
    """Yield the ids of all fighters that ever joined, by original or corrected entries."""
    for fact in facts:
        current = fact.effective
        if isinstance(current, Recruited):
            yield from (UUID(recruit.fighter) for recruit in current.recruits)


def _here_already() -> StateConflict:
    return StateConflict("warband-here", gettext("This warband is already on this site."))


def _what_is_wrong(place: int, entry: RecordedElsewhere) -> str:
    """Return why no chronicle here can hold this entry, or ""."""
    if not storable_json(entry.payload, DEEPEST):
        return gettext("it contains data that cannot be stored")
    try:
        recorded_at(entry.recorded)
        fact = decode(entry.payload)
        list(recruits_of([fact]))
        subject_of(fact)
    except (RulesError, ValueError, OverflowError) as error:
        return gettext("it cannot be read (%(why)s)") % {"why": str(error)[:200]}
    if isinstance(fact, Mustered) is not (place == 1):
        return gettext("a history must begin with the creation of the warband, and have only one")
    return (
        ""
        if all(len(name) <= MAX_NAME_LENGTH for name in _names(fact))
        else gettext("a name in it is too long")
    )


def _names(fact: AnyFact) -> list[str]:
    current = fact.effective
    recruits = current.recruits if isinstance(current, Recruited) else ()
    return [getattr(current, "name", ""), *(recruit.name for recruit in recruits)]


def _replayed(facts: Sequence[AnyFact]) -> ReplayResult:
    try:
        return replay_chronicle(facts, find_ruleset)
    except RulesError as error:
        sentence = gettext("This site does not have the rules for this warband: %(why)s") % {
            "why": error
        }
        raise InvalidInput("unknown-edition", sentence) from error


def _create(warband: Warband, result: ReplayResult) -> None:
    """Save the warband's row with the columns that never change; the rest is a projection."""
    warband.ruleset, warband.faction = result.state.ruleset, result.state.faction
    warband.edition, warband.name = result.state.edition, result.state.name
    try:
        with transaction.atomic():
            sign_new([warband])[0].save(force_insert=True)
    except IntegrityError as error:
        raise _here_already() from error


def _write(
    warband: Warband, entries: Sequence[RecordedElsewhere], facts: Sequence[AnyFact]
) -> None:
    """Save the entries with their original seals, and sign the chronicle's head with our key."""
    rows: list[ChronicleEntry] = []
    for place, (entry, fact) in enumerate(zip(entries, facts, strict=True), start=1):
        rows.append(
            ChronicleEntry(
                warband=warband,
                sequence=place,
                kind=entry.payload["kind"],
                payload=entry.payload,
                subject=subject_of(fact),
                recorded_at=recorded_at(entry.recorded),
                recorded_by_id=entry.by,
                recorded_as=entry.recorded,
                previous_seal=rows[-1].seal if rows else FIRST_SEAL,
                seal=entry.seal,
            )
        )
    enter_chronicles([warband.pk])
    ChronicleEntry.objects.bulk_create(rows)
    warband.head_seal = rows[-1].seal
    warband.head_signature = head_signature(warband.pk, len(rows), warband.head_seal)
