"""Prepared rank-ups: what each veteran may become now, kept so that lists and documents need not ask the rules.

Rule book: "Progression".
"""

from collections.abc import Iterable
from uuid import UUID

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from rulebook.chronicle.facts import AnyFact, Corrected
from rulebook.chronicle.states import Step, WarbandState
from rulebook.ruleset import RankUp, Ruleset
from warbands.models import RankUpOffer
from warbands.progression import affordable_rank_ups
from warbands.reading import read_state, rules_of
from warbands.services.chronicle import append, correct, lock_warbands
from warbands.services.opening import OpenBook


@transaction.atomic
def prepare_offers(*, warband_id: UUID) -> int:
    """Store the steps that each veteran may take now; returns how many fighters have an offer.

    Idempotent, and safe twice at once: the warband is locked, and what is stored follows from its chronicle alone.
    Raises NotFound.
    """
    warband = lock_warbands([warband_id])[warband_id]
    return _store(warband_id, rules_of(warband), read_state(warband))


def tell(book: OpenBook, fact: AnyFact, user: User) -> Step:
    """Tell a fact of an open book, and renew the offers of its veterans. Raises as ``append`` does."""
    return _renewed(book, append(book.warband.id, fact, user=user))


def mend(book: OpenBook, corrected: Corrected, user: User) -> Step:
    """Correct a fact of an open book, and renew the offers of its veterans. Raises as ``correct`` does."""
    return _renewed(book, correct(book.warband.id, corrected, user=user))


def _renewed(book: OpenBook, taken: Step) -> Step:
    if any(fighter.earned for fighter in taken.state.fighters.values()):
        _store(book.warband.id, book.rules, taken.state)
    return taken


def _store(warband_id: UUID, rules: Ruleset, state: WarbandState) -> int:
    offers = affordable_rank_ups(rules, state)
    known = RankUpOffer.objects.filter(fighter__warband=warband_id)
    known.exclude(fighter__in=[UUID(key) for key in offers]).delete()
    RankUpOffer.objects.bulk_create(
        (_offer(state.sequence, fighter, steps) for fighter, steps in offers.items()),
        update_conflicts=True,
        unique_fields=["fighter"],
        update_fields=["sequence", "steps", "prepared_at"],
    )
    return len(offers)


def _offer(sequence: int, fighter: str, steps: Iterable[RankUp]) -> RankUpOffer:
    return RankUpOffer(
        fighter_id=UUID(fighter),
        sequence=sequence,
        steps=msgspec.json.decode(msgspec.json.encode(list(steps))),
        prepared_at=timezone.now(),
    )
