"""Nothing that a member opens grows with the installation: the database looks at rows of the
member's own clubs.

Each club is small. A statement that looks at more rows than half of all clubs looks at rows of
others.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django.utils.module_loading import import_string
from rest_framework.throttling import SimpleRateThrottle

from accounts.data_export.archive import own_data
from accounts.services.deletion import KeptForHistory, delete_account, preview_leaving
from core.display_names import has_left
from home.services import recipients
from home.services.preferences import prefer
from tests.conftest import api_of, browser_of
from tests.permissions.conftest import PrivateWorld
from tests.permissions.crowd import MARK, copy_everything, recognisable_ids, sign_everything
from tests.permissions.every_route import filled, routes
from tests.permissions.rows_read import Reads
from tests.permissions.test_every_route import THINGS

PROVED = 5
"""So many clubs are proved to be whole, before others are made in the same way."""
ALL = 1000
NOT_OURS = ("/admin/", "/accounts/", "/health/", "/api/v1/schema/", "/api/v1/docs/")
MAIN = re.compile(
    r"^(/api/v1)?/(clubs|campaigns|battles|warbands|fighters|evenings|documents)/<[^>]+>/$"
)
"""A page of one thing, as opposed to a form or a tab."""
TABS = ("standings/", "table/", "calendar/", "fixtures/", "log/", "calendar.ics")
QUERY = "xanadu"
"""A word in the names of one club."""
SETTLED = {
    "audit_change.cursor": "audit_change.entry_id + n * 1000000",
    "auth_user.date_joined": "auth_user.date_joined - interval '30 days'",
    "battles_battle.follow_ups_due_since": "NULL",
    "campaigns_campaign.created_at": "campaigns_campaign.created_at - n * interval '1 hour'",
    "documents_document.asked_at": "documents_document.asked_at - n * interval '1 hour'",
    "documents_document.state": "'ready'",
    "exchange_export.expires_at": "now() + interval '3 days'",
    "exchange_export.file": "'exports/archive.zip'",
    "exchange_export.state": "'ready'",
    "exchange_import.expires_at": "now() + interval '3 days'",
    "exchange_import.state": "'failed'",
    "home_preferences.digested_on": "now()::date + 1",
    "home_preferences.looked_at": "home_preferences.looked_at - n * interval '1 minute'",
}
"""Values that leave no work to do in the other clubs, with different times."""
PUBLIC = {
    f"{table}.visibility": "'public'"
    for table in ("campaigns_campaign", "clubs_club", "warbands_warband")
}
LISTS = ("/", "/battles/", "/campaigns/", "/warbands/")
"""Lists of what is public. Those of the API and of documents are not among them: they say how many
rows there are."""
BY_NATURE = (
    # At night, and once: every picture is asked whether its subject is there, every account whether
    # it has preferences, every token whether its time is over.
    "operations.tasks.forget_expired",
    "pictures.tasks.sweep",
    "home.tasks.add_missing_preferences",
)
"""Tasks of the clock that have to read everything."""


@pytest.fixture(autouse=True)
def marked() -> Iterator[None]:
    """Use recognisable ids from before the club is created."""
    with recognisable_ids():
        yield


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable throttles."""
    monkeypatch.setattr(SimpleRateThrottle, "allow_request", lambda *_: True)


def opened(whole: bool) -> list[str]:
    """Return every route of a member, or only the lists and the main pages."""
    ours = [route for route in routes() if not route.startswith(NOT_OURS)]
    return [
        route
        for route in ours
        if whole or "<" not in route or MAIN.match(route) or route.endswith(TABS)
    ]


def strangers_rows(user: User, address: str, most: int) -> list[str]:
    """Return the statements of a request that read more rows than ``most``, with an empty cache."""
    client = (api_of if address.startswith("/api/") else browser_of)(user)
    reads = Reads()
    cache.clear()
    with reads.counted():
        client.get(address)
    return [
        f"{address} as {user}: {rows} rows: {sql}" for sql, rows in reads.items() if rows > most
    ]


@pytest.mark.postgres
@pytest.mark.parametrize("clubs", [600, ALL])
@pytest.mark.soak(
    "clubs of an installation beside a member's own, when every page is opened", each=ALL, sample=1
)
def test_no_request_looks_at_rows_of_other_clubs(
    clubs: int, private: PrivateWorld, alice: User, bob: User
) -> None:
    copy_everything(range(1, PROVED))
    sign_everything()
    call_command("check_chronicle", verbosity=0)
    copy_everything(range(PROVED, clubs))
    ids = THINGS | private.ids
    cast = (alice, bob) if clubs == ALL else (alice,)
    addresses = [filled(route, ids) for route in opened(clubs == ALL)]
    # A word that is in the names of every club, and one that is in those of their own.
    addresses += [*searches("guards"), *searches(QUERY)]
    problems = [
        line
        for address in addresses
        for user in cast
        for line in strangers_rows(user, address, clubs // 2)
    ]
    assert problems == []


@pytest.mark.postgres
def test_a_scan_of_all_clubs_is_counted(private: PrivateWorld, alice: User) -> None:
    copy_everything(range(1, 150))
    reads = Reads()
    with reads.counted():
        list(User.objects.exclude(first_name="x"))
        list(User.objects.filter(pk=alice.pk))
    everybody, count = reads.values()
    assert everybody >= 600
    assert count == 1


def searches(words: str) -> list[str]:
    """Return the addresses of searches and suggestions."""
    kinds = ("warband", "fighter", "battle", "campaign", "club")
    by_kind = [f"/search/?q={words}&kind={kind}" for kind in kinds]
    return [
        f"/search/?q={words}",
        f"/search/suggestions/?q={words}",
        f"/api/v1/search/?q={words}",
        *by_kind,
    ]


def read_by(what: str, most: int, act: Callable[[], object]) -> list[str]:
    """Return the statements of an act that read more rows than ``most``."""
    reads = Reads()
    cache.clear()
    with reads.counted():
        act()
    return [f"{what}: {rows} rows: {sql}" for sql, rows in reads.items() if rows > most]


def support_pages(other: str) -> Iterator[str]:
    """Yield the pages of the admin site: each list, with and without search, and pages of one
    row.
    """
    yield "/admin/"
    for model in admin.site._registry:
        where = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        # Later pages, filters and frequent words read as many rows as needed up to those shown.
        yield from (where, f"{where}?q={QUERY}", f"{where}?q={other}", f"{where}add/")
        key = model._meta.pk
        assert key is not None
        ours = {"pk__startswith": MARK} if key.get_internal_type() == "UUIDField" else {}
        row = model._default_manager.filter(**ours).order_by("pk").first()
        if row is not None:
            yield from (f"{where}{row.pk}/{page}/" for page in ("change", "delete", "history"))


@pytest.mark.postgres
# In a smaller table of members the planner of PostgreSQL rather reads all of them.
@pytest.mark.parametrize("clubs", [600, ALL])
@pytest.mark.soak(
    "clubs of an installation, when support, the clock and a leaving member read it",
    each=ALL,
    sample=1,
)
def test_support_clock_and_leaving_read_no_rows_of_all_clubs(
    clubs: int, private: PrivateWorld, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    # So many members are looked at again in a round of the clock, however many there are.
    monkeypatch.setattr(recipients, "MOST", 50)
    for user in (alice, bob):
        browser_of(user)
        prefer(user=user, mail="daily" if user == bob else "at-once")
    copy_everything(range(1, clubs), SETTLED)
    root = browser_of(User.objects.create_superuser("root"))
    most = clubs // 2
    problems = [
        line
        for address in support_pages(f"alice-{clubs - 1}")
        for line in read_by(address, most, partial(root.get, address))
        # All permissions of the installation, to choose from.
        if "auth_permission" not in line
    ]
    for each in settings.CELERY_BEAT_SCHEDULE.values():
        if each["task"] not in BY_NATURE:
            problems += read_by(each["task"], most, import_string(each["task"]))
    problems += read_by("own data", most, lambda: b"".join(own_data(alice)))
    problems += read_by("what leaving means", most, partial(preview_leaving, bob))
    problems += read_by(
        "leaving",
        most,
        partial(delete_account, user=bob, kept=KeptForHistory.OTHER, name="The Old Captain"),
    )
    assert problems == []
    assert has_left(User.objects.get(pk=bob.pk))


@pytest.mark.postgres
@pytest.mark.parametrize("clubs", [600, ALL])
@pytest.mark.soak(
    "public clubs of an installation, when anybody lists and searches them", each=ALL, sample=1
)
def test_lists_and_searches_read_no_rows_of_all_public_clubs(
    clubs: int, private: PrivateWorld, alice: User, charlie: User
) -> None:
    copy_everything(range(1, clubs), SETTLED | PUBLIC)
    cast = {"nobody": Client(), "charlie": browser_of(charlie), "alice": browser_of(alice)}
    problems = [
        line
        for name, client in cast.items()
        for address in (*LISTS, *searches(QUERY))
        for line in read_by(f"{address} as {name}", clubs // 2, partial(client.get, address))
    ]
    assert problems == []
    shown = cast["nobody"].get("/campaigns/").content.decode()
    assert "Page 1" in shown and "Page 1 of" not in shown
