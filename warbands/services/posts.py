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
from warbands.services.offers import tell
from warbands.services.opening import OpenBook, locked_refusal, open_book, overruled

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
    book = open_book(warband_id, user, sequence=sequence)
    bought = clean_json("extras", book.rules.clean_extras(clean_json("extras", extras), book.state.terms))
    if bought == clean_json("extras", book.state.extras):
        return
    reason = clean_reason("reason", reason)
    if book.locked and _is_purchase(book, bought):
        reason = overruled(book, user, reason, otherwise=locked_refusal())
    tell(book, Furnished(extras=bought, reason=reason), user)


@transaction.atomic
def appoint(*, warband_id: UUID, user: User, leader: Post = UNSET, bearer: Post = UNSET) -> None:
    """Name the Leader, the bearer of the banner, or both. Possible at any time, also when the last one fell.

    Raises NotFound, NotAllowed, Refused "cannot-lead" and whatever speaks against a fighter who is gone.
    """
    book = open_book(warband_id, user)
    fact = Appointed(
        leader=book.state.leader if leader is UNSET else _named(book, leader),
        bearer=book.state.bearer if bearer is UNSET else _named(book, bearer),
    )
    if fact.leader is not None and leader is not UNSET:
        _expect_able_to_lead(book, UUID(fact.leader))
    if (fact.leader, fact.bearer) != (book.state.leader, book.state.bearer):
        tell(book, fact, user)


def _is_purchase(book: OpenBook, extras: Mapping[str, Any]) -> bool:
    """Whether the new extras change what was bought, or Morale."""
    roster = book.state.roster
    before = book.rules.roster_totals(roster)
    after = book.rules.roster_totals(replace(roster, terms=replace(roster.terms, extras=extras)))
    return (before.lines, before.points, before.morale) != (after.lines, after.points, after.morale)


def _named(book: OpenBook, fighter_id: UUID | UnsetType | None) -> str | None:
    return book.fighter(fighter_id).id if isinstance(fighter_id, UUID) else None


def _expect_able_to_lead(book: OpenBook, fighter_id: UUID) -> None:
    fighter = book.fighter(fighter_id)
    if not book.rules.sheet(fighter.build, book.state.terms).leads:
        sentence = f"{fighter.name} cannot lead a warband: choose another Leader."
        raise refusal("leader", "cannot-lead", sentence, fighter.id)
