"""Disputes of submitted battles: raised by a side, and answered when the battle goes on. They stay
to be read."""

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.utils import timezone

from battles.models import Answer, Battle, Dispute, Side
from warbands.signed import sign_new, update_signed


def raise_disputes(battle: Battle, sides: Iterable[Side], user: User, reason: str) -> None:
    """Note what these sides find wrong; an earlier dispute of theirs that is open is replaced by
    the newer words."""
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
    """Answer the open disputes of a battle, or of some of its sides. Three queries at most."""
    rows = battle.disputes.filter(answer=Answer.OPEN)
    if sides is not None:
        rows = rows.filter(side__in=list(sides))
    update_signed(
        rows, answer=answer, answer_reason=reason, answered_by=user, answered_at=timezone.now()
    )
