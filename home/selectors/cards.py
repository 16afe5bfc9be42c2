"""The cards of a member: one for each task, with a button that opens it."""

from collections.abc import Iterable, Mapping, Sequence, Set
from datetime import UTC, date, datetime, timedelta
from typing import Generic, TypeVar
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Model
from django.utils import timezone
from msgspec import Struct

from battles.models import Battle, Dispute, Side
from campaigns.models import HandOver
from clubs.models import Membership
from home.selectors.battle_cards import BattleCards, read_battles
from home.selectors.card_kinds import KINDS, MOST, Card, CardOfRows, ComputedCards, Task, Urgency
from home.selectors.waiting import number_waiting, rows_waiting, what_comes_next
from warbands.models import Warband

DISMISSIBLE = frozenset(
    kind.kind for kind in KINDS.values() if isinstance(kind, CardOfRows) and kind.dismissed_by
)
"""Kinds of card that can be dismissed permanently."""
OF_ONES_OWN = frozenset(kind.kind for kind in KINDS.values() if kind.own_action)
"""Kinds of card that follow from the member's own actions. These alone cause no letter at once."""
ALWAYS_AT_ONCE = frozenset(kind.kind for kind in KINDS.values() if kind.always_at_once)
"""Kinds of card that members who chose digests get at once as well."""

NEEDED = frozenset({Membership, Warband, Side, Battle, Dispute, HandOver})
"""The models of which a member with a card has at least one row, as the home page compares them."""
WEEK = timedelta(days=7)


AnyTask = TypeVar("AnyTask", bound=Task)


class CardFold(Struct, Generic[AnyTask], frozen=True):
    """Cards that are shown as one under a title, or a single card without a title."""

    title: str
    cards: tuple[AnyTask, ...]


class Inbox(Struct, frozen=True):
    """The cards of a member, most urgent first.

    ``number`` counts all cards, and ``cards`` may leave some out. ``coming`` is a sentence about
    what comes next if there are no cards, and "" otherwise.
    """

    number: int
    cards: tuple[Card, ...]
    coming: str


def inbox_of(
    user: User,
    memberships: Sequence[Membership] | None = None,
    without: Set[type[Model]] = frozenset(),
) -> Inbox:
    """Return the cards of a member, for today in the current time zone.

    Takes one query to find the cards, and a fixed number for each kind that has any.
    ``memberships`` are the member's, with their clubs, if they are read already. The member
    has no rows of the models of ``without``: nothing is read that needs them.
    """
    today = timezone.localdate()
    cards = cards_for(user, today, without)
    number = number_waiting(user, today) if len(cards) >= MOST else len(cards)
    return Inbox(number, cards, "" if cards else what_comes_next(user, memberships, without))


def cards_for(user: User, today: date, without: Set[type[Model]] = frozenset()) -> tuple[Card, ...]:
    """Return the cards of a member, most urgent first.

    Within each group of ``Urgency``, cards with a deadline come first, then those that others wait
    for, then the oldest. One query finds the rows, and a fixed number of queries reads each kind
    that has a card. ``without`` is that of ``inbox_of``.
    """
    ids = {} if without >= NEEDED else rows_waiting(user, today)
    cards: list[Card] = []
    battles = _battles_together(ids)
    for kind in KINDS.values():
        if isinstance(kind, ComputedCards):
            cards += () if kind.needs in without else kind.read(user, today)
        elif isinstance(kind, BattleCards) and kind.kind in battles:
            cards += map(kind.card, battles[kind.kind])
        elif isinstance(kind, CardOfRows) and kind.kind in ids:
            cards += kind.cards_of(ids[kind.kind], user)
    return in_order(cards, today)


def _battles_together(ids: Mapping[str, Sequence[str]]) -> dict[str, list[Battle]]:
    """Return the battles of all kinds of card, by kind: two queries, however many kinds there are.

    Empty if there are so many that each kind may have to leave some out.
    """
    kinds = {
        name: {UUID(text) for text in ids[name]}
        for name in ids
        if isinstance(KINDS[name], BattleCards)
    }
    together = set[UUID]().union(*kinds.values())
    if not together or len(together) > MOST:
        return {}
    battles = read_battles(Battle.objects.filter(pk__in=together))
    return {
        name: [battle for battle in battles if battle.pk in keys] for name, keys in kinds.items()
    }


def in_order(cards: Iterable[Card], today: date) -> tuple[Card, ...]:
    """Return cards as ``cards_for`` does, most urgent first."""
    return tuple(sorted(cards, key=lambda card: _order(card, today)))


def is_for_this_week(card: Task, today: date) -> bool:
    """Return whether a card cannot wait until next week."""
    return urgency_of(card, today) < Urgency.REST


def urgency_of(card: Task, today: date) -> Urgency:
    """Return the group of a card: that of its kind, or a higher one because of its deadline."""
    urgency = KINDS[card.kind].urgency
    is_soon = card.deadline is not None and card.deadline - today < WEEK
    return Urgency.THIS_WEEK if is_soon and urgency == Urgency.REST else urgency


def fold_cards(cards: Sequence[AnyTask], today: date) -> tuple[CardFold[AnyTask], ...]:
    """Return the cards in their order, with the later ones of some kinds folded into one.

    A fold is where its first card was. Without a card of a kind for this week, its next card can be
    shown alone.
    """
    groups: list[list[AnyTask]] = []
    open_groups: dict[str, list[AnyTask]] = {}
    shown = {card.kind for card in cards if is_for_this_week(card, today)}
    for card in cards:
        kind = KINDS[card.kind]
        needs_own_place = kind.next_alone and card.kind not in shown
        if not kind.folds or needs_own_place or is_for_this_week(card, today):
            groups.append([card])
            shown.add(card.kind)
        elif card.kind in open_groups:
            open_groups[card.kind].append(card)
        else:
            groups.append([card])
            open_groups[card.kind] = groups[-1]
    return tuple(
        CardFold(KINDS[group[0].kind].folded_title(group) if len(group) > 1 else "", tuple(group))
        for group in groups
    )


def _order(card: Card, today: date) -> tuple[Urgency, date, bool, datetime]:
    return (
        urgency_of(card, today),
        card.deadline or date.max,
        not card.others_wait,
        card.since or datetime.min.replace(tzinfo=UTC),
    )
