"""Overruling the book for one fighter: experience given or taken, a fate changed."""

from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction

from rulebook.chronicle.facts import Adjusted
from rulebook.ruleset import Fate
from warbands.errors import Refused
from warbands.services.cleaning import clean_number, clean_reason, refusal
from warbands.services.offers import tell
from warbands.services.opening import expect_overruling, open_book_of

MOST_EXPERIENCE = 100


@transaction.atomic
def adjust_fighter(
    *,
    fighter_id: UUID,
    reason: str,
    user: User,
    experience: int = 0,
    fate: Fate | None = None,
    sequence: int | None = None,
) -> None:
    """Give or take experience (at most 100), or change what became of a fighter; always with a reason.

    For organisers of its campaign; outside any campaign for whoever keeps the warband. Raises NotFound, NotAllowed,
    LostRace, Refused "reason-needed", "nothing-to-adjust", "balance-below-zero".
    """
    book = open_book_of(fighter_id, user, sequence=sequence)
    expect_overruling(book.warband, user)
    fighter = book.fighter(fighter_id)
    fate = None if fate is fighter.fate else fate
    clean_number("experience", experience, least=-MOST_EXPERIENCE, most=MOST_EXPERIENCE)
    reason = clean_reason("reason", reason)
    if not reason:
        raise refusal("reason", "reason-needed", "Say why: the chronicle keeps the reason.")
    if not experience and fate is None:
        raise Refused("nothing-to-adjust", "Nothing would change: give experience, take some, or name another fate.")
    fact = Adjusted(fighter=fighter.id, experience=experience, fate=fate, reason=reason)
    tell(book, fact, user)
