"""The world of the pages, and members with confirmed addresses."""

from collections.abc import Callable
from datetime import datetime

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.utils import timezone

from home.selectors.card_kinds import Card
from home.selectors.cards import cards_for
from home.selectors.waiting import number_waiting
from tests.pages import conftest as of_pages

browsers, club, campaign = of_pages.browsers, of_pages.club, of_pages.campaign
confirmed = of_pages.confirmed
guards, haufen, planned, submitted = (
    of_pages.guards,
    of_pages.haufen,
    of_pages.planned,
    of_pages.submitted,
)


def kinds(user: User) -> list[str]:
    """Return the kinds of a member's cards, most urgent first. Check the number in the header."""
    today = timezone.localdate()
    card_kinds = [card.kind for card in cards_for(user, today)]
    assert number_waiting(user, today) == len(card_kinds)
    return card_kinds


def the_card(user: User, kind: str) -> Card:
    """Return the only card of a kind."""
    (matching_card,) = (card for card in cards_for(user, timezone.localdate()) if card.kind == kind)
    return matching_card


def confirmed_address(user: User) -> User:
    """Confirm the address of the user, and return the user."""
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that sets the clock to a time such as "2026-03-09T08:00+01:00"."""

    def set_clock(moment: str) -> None:
        now = datetime.fromisoformat(moment)
        monkeypatch.setattr(timezone, "now", lambda: now)

    return set_clock
