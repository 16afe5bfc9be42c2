"""Prepared rank-ups: the steps that each veteran can take now.

They are stored, so that lists and documents need not ask the rules.
"""

from collections.abc import Iterable, Sequence
from copy import copy
from functools import partial
from uuid import UUID

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from rulebook.chronicle.facts import AnyFact, Corrected
from rulebook.chronicle.states import ReplayResult, WarbandState
from rulebook.ruleset import Ruleset
from warbands.models import RankUpOffer
from warbands.news import announce
from warbands.outbox import send_or_keep
from warbands.roster_rules import affordable_rank_ups, rank_order
from warbands.rulebook_values import read_state, ruleset_of_warband
from warbands.services.chronicle import append_facts, append_series, correct_facts, write_facts
from warbands.services.locking import LockedWarband, lock_warbands

OFFERS = "warbands.tasks.prepare_rank_up_offers"


@transaction.atomic
def prepare_offers(*, warband_id: UUID) -> int:
    """Store the steps that each veteran can take now; return the number of fighters with an offer.

    Idempotent and safe to run twice at once: the warband is locked, and the stored offers depend on
    its chronicle alone. Raises NotFound.
    """
    warband = lock_warbands([warband_id])[warband_id]
    announce("warband", warband_id)
    return _store(ruleset_of_warband(warband), read_state(warband))


def append_fact(locked: LockedWarband, fact: AnyFact, user: User) -> WarbandState:
    """Append a fact to the chronicle of a locked warband, and renew the offers of its veterans.

    It must be the first fact since the lock, and the caller's transaction must be rolled back if
    this raises. ``locked`` stays as it was read. Return the new state. Raises the same errors as
    ``append_facts``.
    """
    key = locked.warband.id
    rows, states = {key: copy(locked.warband)}, {key: locked.state}
    result = write_facts(rows, {key: fact}, user=user, states=states)[key]
    _renew(locked, result)
    return result.state


def append_all(locked: LockedWarband, facts: Sequence[AnyFact], user: User) -> None:
    """Append facts to the chronicle of a locked warband, and renew the offers of its veterans.

    Raises the same errors as ``append_series``.
    """
    _renew(locked, append_series(locked.warband.id, facts, user=user))


def append_in_rank_order(locked: LockedWarband, fact: AnyFact, user: User) -> None:
    """Append a fact as ``append_fact`` does, and keep a roster that is in order of rank in it."""
    keep_rank_order(locked, append_fact(locked, fact, user), user)


def keep_rank_order(locked: LockedWarband, after: WarbandState, user: User) -> None:
    """Order the roster by rank again if a change from the locked state to ``after`` broke it.

    A player's own order stays.
    """
    for fact in rank_order(locked.state, after):
        # The warband is read again: it has changed since it was locked.
        _renew(locked, append_facts({locked.warband.id: fact}, user=user)[locked.warband.id])


def correct_fact(locked: LockedWarband, corrected: Corrected, user: User) -> WarbandState:
    """Correct a fact of a locked warband, and renew the offers of its veterans.

    Return the new state. Raises the same errors as ``correct_facts``.
    """
    result = correct_facts({locked.warband.id: corrected}, user=user)[locked.warband.id]
    _renew(locked, result)
    return result.state


def queue_offers(warbands: Iterable[UUID]) -> None:
    """Queue the preparation of these warbands' offers for when the transaction is committed.

    If the broker is down, the offers stay as they are until it is back. Taking a step asks the
    rules in any case.
    """
    transaction.on_commit(
        partial(send_or_keep, OFFERS, [[str(warband_id)] for warband_id in warbands])
    )


def _renew(locked: LockedWarband, result: ReplayResult) -> None:
    if any(fighter.earned for fighter in result.state.fighters.values()):
        _store(locked.rules, result.state)


def _store(rules: Ruleset, state: WarbandState) -> int:
    offers = affordable_rank_ups(rules, state)
    if without := [UUID(key) for key in state.fighters if key not in offers]:
        # Fighters that are no longer in the warband have no rows, and so no offers.
        RankUpOffer.objects.filter(fighter__in=without).delete()
    rows = (
        RankUpOffer(
            fighter_id=UUID(fighter),
            sequence=state.sequence,
            steps=msgspec.json.decode(msgspec.json.encode(list(steps))),
            prepared_at=timezone.now(),
        )
        for fighter, steps in offers.items()
    )
    RankUpOffer.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["fighter"],
        update_fields=["sequence", "steps", "prepared_at"],
    )
    return len(offers)
