"""The first page of the list of battles reads few battles, and shows those that it should."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser, User

from battles import page_rows
from battles.models import Battle
from battles.page_rows import first_battles
from campaigns.models import Campaign
from core.queries import ids_of_any
from tests.battles.field import TODAY, plan
from warbands.models import Warband

pytestmark = pytest.mark.django_db


@pytest.fixture
def battles(campaign: Campaign, alice: User, bob: User, reds: Warband, blues: Warband) -> None:
    """Plan battles of the club and others between its warbands, a day apart, in turns."""
    for day in range(8):
        of_club = campaign if day % 2 else None
        day_of_battle = TODAY - timedelta(days=day)
        plan(alice if day < 4 else bob, of_club, reds, blues, fought_on=day_of_battle)


@pytest.mark.parametrize("size", [1, 3, 25])
@pytest.mark.parametrize("name", ["alice", "bob", "dora", "charlie"])
def test_first_page_has_the_newest_battles_of_the_list(
    battles: None,
    alice: User,
    bob: User,
    dora: User,
    charlie: User,
    name: str,
    size: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(page_rows, "PAGE_SIZE", size)
    user = User.objects.get(username=name)
    expected = list(Battle.objects.listed_for(user)[: size + 1])
    assert list(first_battles(user)) == expected
    assert len(expected) == min({"dora": 4, "charlie": 0}.get(name, 8), size + 1)


def test_newest_known_leave_out_older_battles_of_clubs(battles: None, dora: User) -> None:
    ids = ids_of_any(*Battle.objects.newest_known_to(dora, 3))
    assert Battle.objects.filter(pk__in=ids).count() == 3
    assert Battle.objects.newest_known_to(AnonymousUser(), 3) == ()
