"""Checks that the stored data match the chronicles and were not tampered with, and repairs."""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any
from uuid import UUID

import msgspec
from django.core.exceptions import ValidationError
from django.db import connection, models, transaction
from django.db.models import TextField
from django.db.models.functions import Cast
from django.utils.translation import gettext
from msgspec import Struct

from core.errors import InvalidInput, NotFound
from rulebook.chronicle.facts import FIRST_SEAL, AnyFact, decode
from rulebook.chronicle.replay import replay_chronicle
from rulebook.chronicle.states import FighterState, ReplayResult, WarbandState
from rulebook.registry import find_ruleset
from rulebook.ruleset import RulesError
from warbands.chronicle_seals import head_is_signed, head_signature, register_holds, sign_register
from warbands.models import ChronicleEntry, ChronicleRegister, ExperienceEntry, Fighter, Warband
from warbands.rulebook_values import FIGHTER_COLUMNS
from warbands.services import projection
from warbands.services.chronicle import seal_of, subject_of
from warbands.services.ledger import ledger_rows
from warbands.services.locking import lock_warbands
from warbands.signed import Signed, signed_models, unsigned_rows

OF_FIGHTERS = ("fighters",)
"""Fields of a warband's state that are stored in the rows of its fighters instead."""
LEDGER_COLUMNS = ("sequence", "line", "fighter_id", "amount", "balance", "code", "sentence", "rule")


class ProjectionMismatch(Struct, frozen=True):
    """A place where the stored and the proper value differ, both as text.

    Without a proper value, ``stored`` says what is wrong. ``group`` names mismatches of the same
    kind, of which only a few are listed.
    """

    where: str
    stored: str
    proper: str
    group: str = ""


class Finding(Struct, frozen=True):
    """A warband that was checked, and all its differences. Without any, the warband is correct."""

    warband_id: UUID
    name: str
    differences: tuple[ProjectionMismatch, ...]


def guarded(
    where: str, check: Callable[[], Iterable[ProjectionMismatch]]
) -> list[ProjectionMismatch]:
    """Return what a check finds, or the error that stops it: a broken row does not hide the others.

    ``where`` names what is checked. All locks of the check are released afterwards.
    """
    try:
        with transaction.atomic():
            return list(check())
    # Broken rows can raise anything: a missing key, invalid JSON, a wrong type.
    except Exception as error:
        if not connection.is_usable():
            raise
        why = f"{type(error).__name__}: {error}"[:300]
        return [ProjectionMismatch(where, f"cannot be checked: {why}", "")]


def keys_of(rows: "models.QuerySet[Any, Any]") -> tuple[list[Any], list[ProjectionMismatch]]:
    """Return the keys of rows in order, and the rows whose key cannot be read. One query."""
    model, keys, broken = rows.model, [], []
    label = model._meta.verbose_name
    for text in (
        rows.order_by("pk")
        .annotate(key_text=Cast("pk", TextField()))
        .values_list("key_text", flat=True)
    ):
        try:
            keys.append(model._meta.pk.to_python(text))
        except ValidationError:
            broken.append(ProjectionMismatch(f"{label} {text}", "this key cannot be read", ""))
    return keys, broken


def check_warbands(warband_ids: Iterable[UUID]) -> Iterator[Finding]:
    """Check warbands one after the other, each under its lock so that nobody writes meanwhile.

    Raises NotFound.
    """
    for warband_id in warband_ids:
        if not Warband.objects.filter(pk=warband_id).exists():
            raise NotFound("unknown-warband", gettext("Warband not found."))
        yield _finding(warband_id)


def check_all_warbands() -> Iterator[Finding]:
    """Check all warbands whose id can be read; ``check_rows`` names the others."""
    for warband_id in keys_of(Warband.objects.all())[0]:
        # It may have been deleted in the meantime.
        if Warband.objects.filter(pk=warband_id).exists():
            yield _finding(warband_id)


def _finding(warband_id: UUID) -> Finding:
    names = ["?"]

    def differences() -> list[ProjectionMismatch]:
        warband = lock_warbands([warband_id])[warband_id]
        names.append(warband.name)
        return prove(warband)

    wrong = tuple(guarded("warband", differences))
    return Finding(warband_id, names[-1], wrong)


@transaction.atomic
def rebuild_projection(*, warband_id: UUID) -> None:
    """Write a warband's row, fighters and ledger again from its chronicle. Stories stay.

    Raises NotFound, RulesError for facts that cannot be read, InvalidInput "chronicle-broken" if
    the chain of seals is broken: then the chronicle itself was tampered with, and nothing may be
    rebuilt from it.
    """
    warband = lock_warbands([warband_id])[warband_id]
    entries = list(ChronicleEntry.objects.filter(warband=warband).order_by("sequence"))
    if entries:
        warband.head_seal = entries[-1].seal
    broken = next(broken_seals(warband, entries), None)
    if broken is not None:
        raise InvalidInput(
            "chronicle-broken",
            gettext("The chain of seals is broken: %(where)s.") % {"where": broken.where},
        )
    proper = replay_chronicle([decode(entry.payload) for entry in entries], find_ruleset)
    Fighter.objects.filter(warband=warband).exclude(
        pk__in=[UUID(key) for key in proper.state.fighters]
    ).delete()
    # Write every fighter as if there were none: it does not matter which stored rows are right.
    nobody, result = {warband.id: WarbandState()}, {warband.id: proper}
    projection.write_projections({warband.id: warband}, nobody, result, whole_ledger=True)


def prove(warband: Warband) -> list[ProjectionMismatch]:
    """Return the differences between a warband's stored data and its chronicle.

    The warband is correct if there are none.
    """
    entries = list(ChronicleEntry.objects.filter(warband=warband).order_by("sequence"))
    broken = list(broken_seals(warband, entries))
    if broken:
        return broken
    try:
        facts = [decode(entry.payload) for entry in entries]
        proper = replay_chronicle(facts, find_ruleset)
    except RulesError as error:
        return [ProjectionMismatch("chronicle", str(error), "facts that can be read")]
    mislabelled = list(_labels(entries, facts))
    if mislabelled:
        return mislabelled
    return [*_warband(warband, proper), *_fighters(warband, proper), *_ledger(warband, proper)]


def broken_seals(warband: Warband, entries: list[ChronicleEntry]) -> Iterator[ProjectionMismatch]:
    """Yield the places where the chain of seals is broken: a missing place, or a wrong seal."""
    previous = FIRST_SEAL
    for place, entry in enumerate(entries, start=1):
        if entry.sequence != place:
            yield ProjectionMismatch(
                f"chronicle entry {place}", f"sequence {entry.sequence}", f"sequence {place}"
            )
        proper = seal_of(entry, previous)
        if entry.previous_seal != previous or entry.seal != proper:
            yield ProjectionMismatch(f"seal of chronicle entry {place}", entry.seal, proper)
        previous = entry.seal
    if not entries:
        yield ProjectionMismatch("chronicle", "no entries", "the fact that musters the warband")
    elif warband.head_seal != previous:
        yield ProjectionMismatch("head of the chain", warband.head_seal, previous)
    elif not head_is_signed(warband.pk, len(entries), previous, warband.head_signature):
        yield ProjectionMismatch(
            "signature of the chain", "missing, or not made with the key of this installation", ""
        )


def unregistered() -> list[ProjectionMismatch]:
    """Return the chronicles that do not match the register, or that have lost their warband.

    They show that a warband was deleted, or was created or deleted without Muster. Three queries.
    """
    register = ChronicleRegister.objects.first() or ChronicleRegister()
    begun = list(ChronicleEntry.objects.filter(sequence=1).values_list("warband_id", flat=True))
    orphans = ChronicleEntry.objects.exclude(warband__in=Warband.objects.values("pk")).order_by(
        "warband_id"
    )
    gone = orphans.values_list("warband_id", flat=True).distinct()
    differences = [
        ProjectionMismatch(f"warband {key}", "none", "the one that has a chronicle") for key in gone
    ]
    if not register_holds(register, begun):
        proper = f"the {register.count} that were begun"
        differences.append(
            ProjectionMismatch("register of chronicles", f"{len(begun)} chronicles", proper)
        )
    return differences


def check_rows() -> Iterator[ProjectionMismatch]:
    """Yield each row of any model that was changed or added outside Muster, by its signature."""
    for model in signed_models():
        keys, broken = keys_of(model._base_manager.all())
        yield from broken
        for key, error in unsigned_rows(model, keys):
            why = (
                "was changed behind Muster's back"
                if error is None
                else f"cannot be checked ({error})"[:300]
            )
            yield ProjectionMismatch(f"{_described(model, key)} ({key})", f"this row {why}", "")


def _described(model: type[Signed], key: Any) -> str:
    """Return a description of a row; only the name of its table if the row cannot be read."""
    label = str(model._meta.verbose_name)
    try:
        with transaction.atomic():
            words = model._base_manager.get(pk=key).described()
    except Exception:  # a forged row may lack or contain anything
        return label
    return f"{label} {words}" if words else label


def sign_chronicles(*, trusting: bool) -> int:
    """Sign the heads and the register with the present key; return how many are left unsigned.

    Only what some known key has signed is signed again; ``trusting`` signs all.
    """
    with transaction.atomic():
        register, _ = ChronicleRegister.objects.select_for_update().get_or_create(pk=1)
        warband_ids = list(
            ChronicleEntry.objects.filter(sequence=1).values_list("warband_id", flat=True)
        )
        lost = 0 if trusting or register_holds(register, warband_ids) else 1
        if not lost:
            sign_register(register, warband_ids)
            register.save()
    for warband_id in Warband.objects.order_by("pk").values_list("pk", flat=True):
        with transaction.atomic():
            warband = lock_warbands([warband_id])[warband_id]
            head = (warband_id, warband.sequence, warband.head_seal)
            if trusting or head_is_signed(*head, warband.head_signature):
                Warband.objects.filter(pk=warband_id).update(head_signature=head_signature(*head))
            else:
                lost += 1
    return lost


def _labels(entries: list[ChronicleEntry], facts: list[AnyFact]) -> Iterator[ProjectionMismatch]:
    """Yield entries whose kind or subject differs from their fact's.

    The seal covers only the fact.
    """
    for entry, fact in zip(entries, facts, strict=True):
        yield from _compare(
            f"kind of chronicle entry {entry.sequence}", entry.kind, entry.payload["kind"]
        )
        yield from _compare(
            f"subject of chronicle entry {entry.sequence}", entry.subject, subject_of(fact)
        )


def _warband(warband: Warband, proper: ReplayResult) -> Iterator[ProjectionMismatch]:
    expected = Warband(ruleset=proper.state.ruleset, faction=proper.state.faction)
    projection.project_warband(expected, proper.state)
    expected.experience = projection.earned(proper.ledger)
    for column in ("ruleset", "faction", *projection.WARBAND_COLUMNS):
        if column not in ("head_seal", "head_signature"):
            stored = (
                complete(warband.state, WarbandState, without=OF_FIGHTERS)
                if column == "state"
                else getattr(warband, column)
            )
            yield from _compare(f"warband {column}", stored, getattr(expected, column))


def _fighters(warband: Warband, proper: ReplayResult) -> Iterator[ProjectionMismatch]:
    stored = {str(fighter.id): fighter for fighter in Fighter.objects.filter(warband=warband)}
    for key in stored.keys() - proper.state.fighters.keys():
        yield ProjectionMismatch(f"fighter {key}", "on the roster", "not on the roster")
    for key, state in proper.state.fighters.items():
        if key not in stored:
            yield ProjectionMismatch(f"fighter {key}", "not on the roster", "on the roster")
            continue
        yield from _compare(
            f"fighter {key} state",
            complete(stored[key].state, FighterState),
            msgspec.to_builtins(state),
        )
        for column in FIGHTER_COLUMNS:
            yield from _compare(
                f"fighter {key} {column}", getattr(stored[key], column), getattr(state, column)
            )


def _ledger(warband: Warband, proper: ReplayResult) -> Iterator[ProjectionMismatch]:
    rows = ledger_rows(warband.id, proper.ledger)
    expected = [tuple(getattr(row, column) for column in LEDGER_COLUMNS) for row in rows]
    stored = list(
        ExperienceEntry.objects.filter(warband=warband).order_by("pk").values_list(*LEDGER_COLUMNS)
    )
    different = sorted(set(stored) ^ set(expected))
    for line in different:
        yield ProjectionMismatch(
            f"ledger line {line[0]}/{line[1]}",
            _text(line in stored, line),
            _text(line in expected, line),
        )
    if not different and stored != expected:
        yield ProjectionMismatch("ledger", "in another order", "in the order of play")


def complete(stored: Any, kind: type[Struct], *, without: Collection[str] = ()) -> Any:
    """Return stored JSON with defaults for missing fields, since a struct may get fields later.

    Fields in ``without`` are not added. A value that is not such a struct is returned as it is.
    """
    try:
        return _filled(stored, msgspec.to_builtins(msgspec.convert(stored, kind)), without)
    except msgspec.ValidationError:
        return stored


def _filled(stored: Any, full: Any, without: Collection[str]) -> Any:
    if isinstance(stored, dict) and isinstance(full, dict):
        added = {
            key: value for key, value in full.items() if key not in stored and key not in without
        }
        return added | {
            key: _filled(value, full.get(key), without) for key, value in stored.items()
        }
    if isinstance(stored, list) and isinstance(full, list) and len(stored) == len(full):
        return [_filled(*pair, without) for pair in zip(stored, full, strict=True)]
    return stored


def _text(exists: bool, line: tuple[Any, ...]) -> str:
    return str(line) if exists else "not there"


def _compare(where: str, stored: Any, proper: Any) -> Iterator[ProjectionMismatch]:
    if stored != proper and as_json(stored) != as_json(proper):
        yield ProjectionMismatch(where, str(stored), str(proper))


def as_json(value: Any) -> Any:
    """Return a value in the form in which a JSON column returns it."""
    return msgspec.json.decode(msgspec.json.encode(value))
