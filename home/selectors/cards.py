"""The inbox of a member: a card for each thing that waits, with one button that opens exactly
it."""

from datetime import UTC, date, datetime

from django.contrib.auth.models import User
from django.utils import timezone
from msgspec import Struct

from home.selectors.card_kinds import KINDS, MOST, Card, CardOfRows
from home.selectors.waiting import number_waiting, numbers_waiting, what_comes_next

DISMISSIBLE = frozenset(
    kind.kind for kind in KINDS.values() if isinstance(kind, CardOfRows) and kind.dismissed_by
)
"""Kinds of card that can be sent away for good."""
OF_ONES_OWN = frozenset(kind.kind for kind in KINDS.values() if kind.own_action)
"""Kinds that follow from what one does oneself: no letter is written at once for one of these
alone."""


class Inbox(Struct, frozen=True):
    """All that waits for a member, the most pressing first; ``number`` counts it, ``cards`` may
    leave some out.

    ``coming`` says in a sentence what comes next when nothing waits, and is "" otherwise.
    """

    number: int
    cards: tuple[Card, ...]
    coming: str


def inbox_of(user: User) -> Inbox:
    """The inbox of a member, today in the present time zone. A query for each kind of card and one
    to count."""
    today = timezone.localdate()
    cards = cards_for(user, today)
    number = number_waiting(user, today) if len(cards) >= MOST else len(cards)
    return Inbox(number, cards, "" if cards else what_comes_next(user))


def cards_for(user: User, today: date) -> tuple[Card, ...]:
    """The cards of a member: first what is due, by its day, then what others wait for, then the
    rest; the oldest first.

    One query counts what there is; only kinds that have a card are read, by a fixed number of
    queries each.
    """
    waits = numbers_waiting(user, today)
    kinds = [
        kind for kind in KINDS.values() if not isinstance(kind, CardOfRows) or kind.kind in waits
    ]
    cards = [card for kind in kinds for card in kind.read(user, today)]
    return tuple(sorted(cards, key=_urgency))


def _urgency(card: Card) -> tuple[date, bool, datetime]:
    return (
        card.deadline or date.max,
        not card.others_wait,
        card.since or datetime.min.replace(tzinfo=UTC),
    )
