"""A warband's chronicle as sentences, line by line, and its experience ledger."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import Annotated, Any
from uuid import UUID

from django.db.models import QuerySet
from msgspec import Struct

from core.display_names import display_name
from core.history import History
from rulebook.chronicle.facts import AnyFact, Fact, decode
from rulebook.values.described import DAY_OR_EMPTY
from warbands.fact_sentences import Names, phrase
from warbands.links import subject_is_here
from warbands.models import ChronicleEntry, ExperienceEntry, Fighter, Warband
from warbands.rule_changes import rule_changes
from warbands.rulebook_values import post_names


class Link(Struct, frozen=True):
    """A fighter that a line is about."""

    id: UUID
    name: str


class ChronicleLine(Struct, frozen=True):
    """An entry of a chronicle as text, with the warband as the subject.

    It says who recorded it, when, and which fighters it concerns. ``corrected_by`` is the place of
    the correction that replaced or cancelled it; ``struck`` is true if nothing replaced it.
    ``fought_on`` is the day of a battle, by which it counts: entries are in the order in which they
    were recorded.
    """

    sequence: int
    at: datetime
    kind: str
    who: str
    phrase: str
    seal: str
    battle: UUID | None = None
    campaign: UUID | None = None
    fighters: tuple[Link, ...] = ()
    corrected_by: int | None = None
    struck: bool = False
    fought_on: Annotated[str, DAY_OR_EMPTY] = ""


class RecordedFact(Struct, frozen=True, kw_only=True):
    """An entry of a chronicle with its fact, and its text in a history.

    ``phrase`` has the warband as its subject. ``promoted`` are names; ``fighters`` are those on a
    roster.
    """

    entry: ChronicleEntry
    fact: AnyFact
    phrase: str
    fighters: tuple[Link, ...]
    promoted: tuple[str, ...]

    @property
    def current(self) -> Fact:
        """The fact that counts today: for a correction its replacement, if there is one."""
        return self.fact.effective or self.fact


class LedgerRow(Struct, frozen=True):
    """A line of the experience ledger: the amount, the balance after it, and its reason.

    It also names the rule and the chronicle entry.
    """

    sequence: int
    fighter: UUID
    fighter_name: str
    amount: int
    balance: int
    code: str
    sentence: str
    rule: str


OF_A_LINE = (
    "sequence",
    "fighter",
    "fighter__name",
    "amount",
    "balance",
    "code",
    "sentence",
    "rule",
)


def chronicle_entries(warband: Warband) -> QuerySet[ChronicleEntry]:
    """Return the chronicle entries of a warband, newest first.

    The caller filters and paginates them and gives them to ``chronicle_lines``.
    """
    rows = ChronicleEntry.objects.filter(warband=warband).annotate(
        subject_is_here=subject_is_here()
    )
    return rows.select_related("recorded_by").order_by("-sequence")


def warband_history(warband: Warband) -> History[ChronicleLine]:
    """Return the chronicle of a warband, in the order in which it was recorded."""
    return History(entries=chronicle_entries(warband), read=partial(chronicle_lines, warband))


def chronicle_lines(
    warband: Warband, entries: Iterable[ChronicleEntry]
) -> tuple[ChronicleLine, ...]:
    """Return the entries as lines.

    Two queries besides the one for the entries, whatever their number, and one more if house rules
    have changed.
    """
    recorded = recorded_facts(entries, warband.ruleset, warband.edition)
    corrections = _corrections(warband)
    return tuple(_line(each, corrections) for each in recorded)


def recorded_facts(
    entries: Iterable[ChronicleEntry], ruleset: str, edition: str
) -> tuple[RecordedFact, ...]:
    """Return the facts of chronicle entries as text, with the fighters' present names.

    One query besides the one for the entries, and one more if house rules have changed.
    """
    entries = list(entries)
    facts = [decode(entry.payload) for entry in entries]
    names = {**post_names(ruleset, edition), **_fighter_names(facts)}
    changes = rule_changes(entries, ruleset, edition)
    return tuple(
        RecordedFact(
            entry=entry,
            fact=fact,
            phrase=phrase(fact, names, changes.get(entry.pk, ())),
            fighters=tuple(Link(UUID(key), names[key]) for key in fact.fighters if key in names),
            promoted=tuple(names[key] for key in fact.promoted if key in names),
        )
        for entry, fact in zip(entries, facts, strict=True)
    )


def ledger_entries(warband: Warband) -> QuerySet[ExperienceEntry, tuple[Any, ...]]:
    """Return the ledger of a warband, the latest in the order of play first.

    The caller filters and paginates it and gives it to ``ledger_lines``.
    """
    rows = ExperienceEntry.objects.filter(warband=warband).order_by("-pk")
    return rows.values_list(*OF_A_LINE)


def ledger_lines(entries: Iterable[tuple[Any, ...]]) -> tuple[LedgerRow, ...]:
    """Return the rows of a ledger as lines. No query besides the one for the rows."""
    return tuple(LedgerRow(*entry) for entry in entries)


def _line(recorded: RecordedFact, corrections: Mapping[int, tuple[int, bool]]) -> ChronicleLine:
    entry, current = recorded.entry, recorded.current
    corrected_by, struck = corrections.get(entry.sequence, (None, False))
    # Annotated by ``chronicle_entries``. Events on another installation have no page here.
    subject = entry.subject if entry.subject_is_here else None  # type: ignore[attr-defined]
    return ChronicleLine(
        sequence=entry.sequence,
        at=entry.recorded_at,
        kind=entry.kind,
        who=display_name(entry.recorded_by),
        phrase=recorded.phrase,
        seal=entry.seal,
        battle=subject if current.battle else None,
        campaign=subject if current.campaign else None,
        fighters=recorded.fighters,
        corrected_by=corrected_by,
        struck=struck,
        fought_on=current.fought_on,
    )


def _fighter_names(facts: Iterable[AnyFact]) -> Names:
    """Return the present names of fighters, by id; without removed fighters."""
    concerned = {fighter for fact in facts for fighter in fact.fighters}
    return {
        str(key): name
        for key, name in Fighter.objects.filter(pk__in=concerned).values_list("pk", "name")
    }


def _corrections(warband: Warband) -> Mapping[int, tuple[int, bool]]:
    """Return the place of the last correction of each corrected entry.

    The second value says whether the entry was cancelled.
    """
    rows = ChronicleEntry.objects.filter(warband=warband, kind="corrected").order_by("sequence")
    corrections: dict[int, tuple[int, bool]] = {}
    for sequence, payload in rows.values_list("sequence", "payload"):
        corrections[payload["target"]] = (sequence, payload.get("replacement") is None)
        corrections.update(dict.fromkeys(payload.get("undone", ()), (sequence, True)))
    return corrections
