"""Raise and answer disputes of submitted battles. Answered disputes stay readable."""

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.utils import timezone

from battles.models import Answer, Battle, Dispute, Side
from warbands.signed import sign_new, update_signed


def raise_disputes(battle: Battle, sides: Iterable[Side], user: User, reason: str) -> None:
    """Store the dispute of these sides; it replaces an earlier open dispute of theirs."""
    sides = list(sides)
    battle.disputes.filter(side__in=sides, answer=Answer.OPEN).delete()
    now = timezone.now()
    disputes = (
        Dispute(battle=battle, side=side, reason=reason, raised_by=user, raised_at=now)
        for side in sides
    )
    Dispute.objects.bulk_create(sign_new(disputes))


def answer_disputes(
    battle: Battle,
    user: User,
    answer: Answer,
    reason: str = "",
    sides: Iterable[Side] | None = None,
) -> None:
    """Answer the open disputes of a battle, or of some of its sides. At most three queries."""
    rows = battle.disputes.filter(answer=Answer.OPEN)
    if sides is not None:
        rows = rows.filter(side__in=list(sides))
    update_signed(
        rows, answer=answer, answer_reason=reason, answered_by=user, answered_at=timezone.now()
    )
