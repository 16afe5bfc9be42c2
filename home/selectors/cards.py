"""The cards of a member: one for each task, with a button that opens it."""

from datetime import UTC, date, datetime

from django.contrib.auth.models import User
from django.utils import timezone
from msgspec import Struct

from home.selectors.card_kinds import KINDS, MOST, Card, CardOfRows
from home.selectors.waiting import number_waiting, numbers_waiting, what_comes_next

DISMISSIBLE = frozenset(
    kind.kind for kind in KINDS.values() if isinstance(kind, CardOfRows) and kind.dismissed_by
)
"""Kinds of card that can be dismissed permanently."""
OF_ONES_OWN = frozenset(kind.kind for kind in KINDS.values() if kind.own_action)
"""Kinds of card that follow from the member's own actions. These alone cause no letter at once."""


class Inbox(Struct, frozen=True):
    """The cards of a member, most urgent first.

    ``number`` counts all cards, and ``cards`` may leave some out. ``coming`` is a sentence about
    what comes next if there are no cards, and "" otherwise.
    """

    number: int
    cards: tuple[Card, ...]
    coming: str


def inbox_of(user: User) -> Inbox:
    """Return the cards of a member, for today in the current time zone.

    Takes one query to count, and a fixed number for each kind that has cards.
    """
    today = timezone.localdate()
    cards = cards_for(user, today)
    number = number_waiting(user, today) if len(cards) >= MOST else len(cards)
    return Inbox(number, cards, "" if cards else what_comes_next(user))


def cards_for(user: User, today: date) -> tuple[Card, ...]:
    """Return the cards of a member by deadline, then those that others wait for, then the rest.

    Within each group, the oldest come first. One query counts the rows, and a fixed number of
    queries reads each kind that has a card.
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
