"""The statement that finds all cards: kept for a day, and good for every member."""

from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.db.models import QuerySet

from battles.models import Battle
from home.selectors.card_kinds import KINDS, Card, CardOfRows
from home.selectors.waiting import _statement, rows_waiting


@pytest.fixture
def fought_lately() -> Iterator[None]:
    """Add a kind of card that depends on the day: battles of the last week."""

    class FoughtLately(CardOfRows[Battle]):
        """The user's battles of the last week."""

        kind = "fought-lately"

        def rows(self, user: User, today: date) -> QuerySet[Battle]:
            return Battle.objects.filter(
                created_by=user.pk, fought_on__gt=today - timedelta(days=7), fought_on__lte=today
            )

        def cards(self, rows: QuerySet[Battle], user: User) -> Iterator[Card]:
            return iter(())

    _statement.cache_clear()
    yield
    del KINDS[FoughtLately.kind]
    _statement.cache_clear()


def test_a_kind_can_reckon_with_the_day(fought_lately: None, planned: Battle) -> None:
    member = planned.created_by
    day = planned.fought_on
    counted = [
        len(rows_waiting(member, day + timedelta(days=days)).get("fought-lately", ()))
        for days in (-1, 0, 6, 7)
    ]
    assert counted == [0, 1, 1, 0]
