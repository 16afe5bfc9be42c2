"""What concerns a warband as a whole: its purchases, its Leader, the bearer of its banner."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from rulebook.chronicle.facts import Appointed, Furnished
from warbands.services.cleaning import clean_json, clean_reason, refusal
from warbands.services.locking import LockedWarband, in_play_refusal, lock_warband, overruled
from warbands.services.offers import append_fact

Post = UUID | UnsetType | None
"""Whom to appoint; None leaves the post empty, UNSET leaves it as it is."""


@transaction.atomic
def furnish_warband(
    *, warband_id: UUID, extras: Mapping[str, Any], user: User, reason: str = "", sequence: int | None = None
) -> None:
    """Replace what the warband buys as a whole: banner, guns with their crews, Morale of a custom warband.

    In play that is for an organiser, with a reason; only what costs nothing and leaves Morale alone, such as another
    crew for a gun, is free. Raises NotFound, NotAllowed, LostRace, RulesError, Refused "roster-locked".
    """
    locked = lock_warband(warband_id, user, sequence=sequence)
    bought = clean_json("extras", locked.rules.clean_extras(clean_json("extras", extras), locked.state.terms))
    if bought == clean_json("extras", locked.state.extras):
        return
    reason = clean_reason("reason", reason)
    if locked.in_play and _is_purchase(locked, bought):
        reason = overruled(locked, user, reason, otherwise=in_play_refusal())
    append_fact(locked, Furnished(extras=bought, reason=reason), user)


@transaction.atomic
def appoint(*, warband_id: UUID, user: User, leader: Post = UNSET, bearer: Post = UNSET) -> None:
    """Name the Leader, the bearer of the banner, or both. Possible at any time, also when the last one fell.

    Raises NotFound, NotAllowed, Refused "cannot-lead" and whatever speaks against a fighter who is gone.
    """
    locked = lock_warband(warband_id, user)
    fact = Appointed(
        leader=locked.state.leader if leader is UNSET else _named(locked, leader),
        bearer=locked.state.bearer if bearer is UNSET else _named(locked, bearer),
    )
    if fact.leader is not None and leader is not UNSET:
        _expect_able_to_lead(locked, UUID(fact.leader))
    if (fact.leader, fact.bearer) != (locked.state.leader, locked.state.bearer):
        append_fact(locked, fact, user)


def _is_purchase(locked: LockedWarband, extras: Mapping[str, Any]) -> bool:
    """Whether the new extras change what was bought, or Morale."""
    roster = locked.state.roster
    before = locked.rules.roster_totals(roster)
    after = locked.rules.roster_totals(replace(roster, terms=replace(roster.terms, extras=extras)))
    return (before.lines, before.points, before.morale) != (after.lines, after.points, after.morale)


def _named(locked: LockedWarband, fighter_id: UUID | UnsetType | None) -> str | None:
    return locked.fighter(fighter_id).id if isinstance(fighter_id, UUID) else None


def _expect_able_to_lead(locked: LockedWarband, fighter_id: UUID) -> None:
    fighter = locked.fighter(fighter_id)
    if not locked.rules.sheet(fighter.build, locked.state.terms, fighter.condition).leads:
        sentence = f"{fighter.name} cannot lead a warband: choose another Leader."
        raise refusal("leader", "cannot-lead", sentence, fighter.id)
