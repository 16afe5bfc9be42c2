"""Checking warbands one by one while others work on them, and rewriting what was stored wrong."""

from collections.abc import Iterable, Iterator
from uuid import UUID

from django.db import transaction
from msgspec import Struct

from rulebook.chronicle.facts import decode
from rulebook.chronicle.fold import replay
from rulebook.chronicle.states import Step, WarbandState
from rulebook.registry import find_ruleset
from warbands.errors import Refused
from warbands.models import ChronicleEntry, ExperienceEntry, Fighter, Warband
from warbands.services import projection
from warbands.services.chronicle import lock_warbands, roster_points
from warbands.services.proof import Difference, broken_seals, prove


class Finding(Struct, frozen=True):
    """A warband that was checked, and every difference found; none proves it right."""

    warband_id: UUID
    name: str
    differences: tuple[Difference, ...]


def check_warbands(warband_ids: Iterable[UUID]) -> Iterator[Finding]:
    """Prove warbands one after the other, each under its lock, so that nobody writes meanwhile. Raises NotFound."""
    for warband_id in warband_ids:
        with transaction.atomic():
            warband = lock_warbands([warband_id])[warband_id]
            yield Finding(warband_id, warband.name, tuple(prove(warband)))


@transaction.atomic
def rebuild_projection(*, warband_id: UUID) -> None:
    """Write a warband's row, fighters and ledger anew from its chronicle. Stories stay.

    Raises NotFound, RulesError for facts that cannot be read, Refused "chronicle-broken" where the chain of seals does
    not hold: then the chronicle itself was touched, and nothing may be built on it.
    """
    warband = lock_warbands([warband_id])[warband_id]
    entries = list(ChronicleEntry.objects.filter(warband=warband).order_by("sequence"))
    if entries:
        warband.head_seal = entries[-1].seal
    broken = next(broken_seals(warband, entries), None)
    if broken is not None:
        raise Refused("chronicle-broken", f"The chain of seals does not hold: {broken.where}.")
    _write(warband, replay([decode(entry.payload) for entry in entries], find_ruleset))


def _write(warband: Warband, proper: Step) -> None:
    Fighter.objects.filter(warband=warband).exclude(pk__in=[UUID(key) for key in proper.state.fighters]).delete()
    projection.write_fighters({warband.id: WarbandState()}, {warband.id: proper.state})
    ExperienceEntry.objects.filter(warband=warband).delete()
    ExperienceEntry.objects.bulk_create(projection.ledger_rows(warband.id, proper.ledger))
    projection.project_warband(warband, proper.state, roster_points(proper.state))
    warband.experience = projection.earned(proper.ledger)
    warband.save(update_fields=projection.WARBAND_COLUMNS)
