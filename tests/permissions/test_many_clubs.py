"""Nothing that a member opens grows with the installation: the database looks at rows of the member's own clubs.

Each club is small. A statement that looks at more rows than half of all clubs looks at rows of others.
"""

import re
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.management import call_command
from rest_framework.throttling import SimpleRateThrottle

from tests.conftest import api_of, browser_of
from tests.permissions.conftest import PrivateWorld
from tests.permissions.crowd import copy_everything, recognisable_ids, sign_everything
from tests.permissions.every_route import filled, routes
from tests.permissions.rows_read import Reads
from tests.permissions.test_every_route import THINGS

PROVED = 5
"""So many clubs are proved to be whole, before others are made in the same way."""
ALL = 1000
NOT_OURS = ("/admin/", "/accounts/", "/health/", "/api/v1/schema/", "/api/v1/docs/")
MAIN = re.compile(r"^(/api/v1)?/(clubs|campaigns|battles|warbands|fighters|evenings|documents)/<[^>]+>/$")
"""A page of one thing, as opposed to a form or a tab."""
TABS = ("standings/", "table/", "calendar/", "fixtures/", "log/", "calendar.ics")


@pytest.fixture(autouse=True)
def marked() -> Iterator[None]:
    """Before anything of the club is made."""
    with recognisable_ids():
        yield


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is asked to wait."""
    monkeypatch.setattr(SimpleRateThrottle, "allow_request", lambda *_: True)


def opened(whole: bool) -> list[str]:
    """Every route of a member; or the lists, and the main page of each thing."""
    ours = [route for route in routes() if not route.startswith(NOT_OURS)]
    return [route for route in ours if whole or "<" not in route or MAIN.match(route) or route.endswith(TABS)]


def strangers_rows(user: User, address: str, most: int) -> list[str]:
    """The statements of a request that look at more rows than that, with nothing kept from the request before."""
    client = (api_of if address.startswith("/api/") else browser_of)(user)
    reads = Reads()
    cache.clear()
    with reads.counted():
        client.get(address)
    return [f"{address} as {user}: {rows} rows: {sql}" for sql, rows in reads.items() if rows > most]


@pytest.mark.postgres
@pytest.mark.parametrize("clubs", [600, ALL])
@pytest.mark.soak("clubs of an installation beside a member's own, when every page is opened", each=ALL, sample=1)
def test_no_request_looks_at_rows_of_other_clubs(clubs: int, private: PrivateWorld, alice: User, bob: User) -> None:
    copy_everything(range(1, PROVED))
    sign_everything()
    call_command("check_chronicle", verbosity=0)
    copy_everything(range(PROVED, clubs))
    known = THINGS | private.known
    cast = (alice, bob) if clubs == ALL else (alice,)
    found = [
        line
        for route in opened(clubs == ALL)
        for user in cast
        for line in strangers_rows(user, filled(route, known), clubs // 2)
    ]
    assert found == []


@pytest.mark.postgres
def test_a_scan_of_all_clubs_is_counted(private: PrivateWorld, alice: User) -> None:
    copy_everything(range(1, 150))
    reads = Reads()
    with reads.counted():
        list(User.objects.exclude(first_name="x"))
        list(User.objects.filter(pk=alice.pk))
    everybody, one = reads.values()
    assert everybody >= 600
    assert one == 1
