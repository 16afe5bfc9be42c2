"""The open tasks of a club's members, for its organisers: the same as on the members' own pages."""

from collections.abc import Iterable
from datetime import date
from typing import Annotated
from uuid import UUID

from django.utils import timezone
from msgspec import Struct

from clubs.models import Club, Membership, Role
from home.selectors.battle_cards import ToPlay, fixture_card
from home.selectors.card_kinds import Card, Urgency
from home.selectors.cards import CardFold, fold_cards, in_order, urgency_of
from home.selectors.waiting import ANYBODY, kinds_in_clubs, tasks_by_member
from leagues.selectors.fixtures import OpenFixture
from rulebook.values.described import closed

SHOWN = (ToPlay.kind, *kinds_in_clubs())


class MemberTask(Struct, frozen=True):
    """An open task of a member.

    ``kind`` and ``subject`` identify the member's card. ``sentence`` is what to do, and ``url``
    the path of the page for it.
    """

    kind: Annotated[str, closed("NeedKind", SHOWN)]
    subject: UUID
    sentence: str
    url: str
    deadline: date | None


class MemberNeeds(Struct, frozen=True):
    """A member with their open tasks in the club, most urgent first.

    A member without an account has none: the organisers have them. ``more`` counts tasks that are
    left out, as there are so many in the club.
    """

    member: UUID
    name: str
    has_account: bool
    needs: tuple[MemberTask, ...]
    more: int = 0

    @property
    def folds(self) -> tuple[CardFold[MemberTask], ...]:
        """The tasks as on the member's home page, with later ones folded."""
        return fold_cards(self.needs, timezone.localdate())


def member_needs(
    club: Club,
    members: Iterable[Membership],
    fixtures: Iterable[tuple[int, OpenFixture]],
) -> tuple[MemberNeeds, ...]:
    """Return the members of a club with their open tasks there, the most urgent member first.

    ``members`` are the present members with their accounts, and ``fixtures`` those of
    ``open_fixtures_of_club``. One query, and a fixed number for each kind of task that somebody
    has.
    """
    today = timezone.localdate()
    tasks = tasks_by_member(club, today)
    cards = _cards(tasks.values())
    fixture_cards: dict[int, list[Card]] = {}
    for user, open_fixture in fixtures:
        if open_fixture.fixture.playable:
            fixture_cards.setdefault(user, []).append(fixture_card(open_fixture))
    rows: list[tuple[tuple[int, str], MemberNeeds]] = []
    for member in members:
        if member.role == Role.SPECTATOR:
            continue
        keys = [
            (kind, subject)
            for kind, subjects in tasks.get(member.user_id or 0, {}).items()
            for subject in subjects
        ]
        own = [cards[key] for key in keys if key in cards]
        own_cards = in_order([*own, *fixture_cards.get(member.user_id or 0, ())], today)
        needs = MemberNeeds(
            member=member.pk,
            name=member.name,
            has_account=not member.vacant,
            needs=tuple(_task(card) for card in own_cards),
            more=len(keys) - len(own),
        )
        urgency = urgency_of(own_cards[0], today) if own_cards else len(Urgency) + 1
        rows.append(((urgency, member.name), needs))
    return tuple(needs for _, needs in sorted(rows, key=lambda row: row[0]))


def _cards(tasks: Iterable[dict[str, list[UUID]]]) -> dict[tuple[str, UUID], Card]:
    """Return the cards of these tasks by kind and subject; of each kind as many as are read."""
    subjects: dict[str, set[UUID]] = {}
    for tasks_of_member in tasks:
        for name, keys in tasks_of_member.items():
            subjects.setdefault(name, set()).update(keys)
    kinds = kinds_in_clubs()
    cards: dict[tuple[str, UUID], Card] = {}
    for name, ids in subjects.items():
        cards.update({(name, card.subject): card for card in kinds[name].cards_of(ids, ANYBODY)})
    return cards


def _task(card: Card) -> MemberTask:
    return MemberTask(
        card.kind, card.subject, f"{card.button} · {card.title}", card.url, card.deadline
    )
