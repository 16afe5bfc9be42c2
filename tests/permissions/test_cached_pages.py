"""A page that is kept equals a fresh one, whatever was written before: every page that is kept, for
each kind of reader."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any
from unittest import mock
from uuid import UUID

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, models, transaction
from django.db.models import Value
from django.db.models.functions import Concat
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLResolver, get_resolver, resolve
from django.utils import timezone
from rest_framework.throttling import SimpleRateThrottle

from battles.models import Battle
from campaigns.models import Campaign, Enrolment
from clubs.models import Club, Membership, Role
from clubs.page_rows import HOME_ROWS
from core import page_cache
from core.row_versions import RowVersions
from core.users import Visibility
from home.page_rows import WELCOME_ROWS
from scripts.packages import APPS_OF_CLUBS
from tests.conftest import api_of, browser_of
from tests.permissions.conftest import PrivateWorld
from tests.permissions.test_every_route import THINGS
from tests.permissions.test_forms_sent_twice import forms_of
from warbands.models import Fighter, Warband

pytestmark = pytest.mark.usefixtures("copies_of_pages")

PARTS = 4
TABS = (
    "",
    "battles/",
    "standings/",
    "warbands/",
    "honours/",
    "settings/",
    "standings.json",
    "results.atom",
)
TESTED_ALONE = {"embedded_standings", "rules", "systems"}
"""Views of kept pages that show rows of public campaigns only, or none."""
BATTLE_ROW, WARBAND_ROW, CAMPAIGN_ROW = "its battle", "its warband", "its campaign"
CHANGES_WITH = {
    "battles_battleevent": BATTLE_ROW,
    "battles_combatant": BATTLE_ROW,
    "battles_dispute": BATTLE_ROW,
    "battles_revision": BATTLE_ROW,
    "battles_side": BATTLE_ROW,
    "battles_storedoutcome": BATTLE_ROW,
    "battles_storedplay": BATTLE_ROW,
    "warbands_chronicleentry": WARBAND_ROW,
    "warbands_experienceentry": WARBAND_ROW,
    "audit_auditentry": CAMPAIGN_ROW,
    "clubs_clubbot": "the bot's membership",
    "clubs_pastfact": "its import",
}
"""Tables without own versions on some pages: their services always write another row as well."""
CHOOSE_ROWS = {
    "/documents/": {"campaigns_enrolment", "clubs_club", "clubs_evening", "warbands_fighter"},
}
"""Tables that only decide which rows are on the first page of a list. The versions are of these."""
NOT_SHOWN = {"hall": {"exchange_archivedperson"}}
"""Tables of which a page reads rows that it does not show, by the last part of its address."""
ABOUT_THE_REQUEST = {"core_accountsession", "home_preferences", "account_emailaddress"}
"""Tables that are read for each request, before the page."""
TOKENS = re.compile(r'(csrfmiddlewaretoken" value=|"X-CSRFToken": |form_key" value=)"[^"]*"')


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable throttles."""
    monkeypatch.setattr(SimpleRateThrottle, "allow_request", lambda *_: True)


@contextmanager
def nothing_kept() -> Iterator[None]:
    """Keep no page inside the block: each is made again."""
    with mock.patch.object(page_cache, "_is_repeatable", return_value=False):
        yield


def kept_pages(private: PrivateWorld) -> dict[str, tuple[RowVersions, UUID | None]]:
    """Return the pages that are kept by address, with their rows and the key of these."""
    ids = private.ids
    addresses = {
        "/": "",
        "/battles/": "",
        "/documents/": "",
        f"/clubs/{ids['clubs']}/": ids["clubs"],
        f"/clubs/{ids['clubs']}/hall/": ids["clubs"],
        f"/warbands/{ids['warbands']}/": ids["warbands"],
        f"/fighters/{ids['fighters']}/": ids["fighters"],
        f"/battles/{private.battle.pk}/": private.battle.pk,
        f"/battles/{private.begun.pk}/": private.begun.pk,
        f"/battles/{private.begun.pk}/table/": private.begun.pk,
        **{f"/campaigns/{ids['campaigns']}/{tab}": ids["campaigns"] for tab in TABS},
    }
    return {
        address: (rows_of(address), UUID(str(key)) if key else None)
        for address, key in addresses.items()
    }


def rows_of(address: str) -> RowVersions:
    """Return the rows that the view of this address is kept by, for a member."""
    if address == "/":
        return HOME_ROWS
    view: Any = resolve(address).func
    while not hasattr(view, "row_versions"):
        view = view.__wrapped__
    rows: RowVersions = view.row_versions
    return rows


def shown(browser: Client, address: str) -> str:
    """Return the status and the content of a page without its tokens, or its fault."""
    try:
        answer = browser.get(address)
    except Exception as error:
        return f"{type(error).__name__}"
    return f"{answer.status_code} {TOKENS.sub('', answer.content.decode())}"


def kept_views(resolver: URLResolver) -> Iterator[str]:
    """Yield the names of the views whose pages are kept."""
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            yield from kept_views(pattern)
            continue
        view: Any = pattern.callback
        while view is not None and not hasattr(view, "row_versions"):
            view = getattr(view, "__wrapped__", None)
        if view is not None:
            yield view.__name__


def test_every_kept_page_is_tested(private: PrivateWorld) -> None:
    tested = {resolve(address).func.__name__ for address in kept_pages(private)}
    assert set(kept_views(get_resolver())) - tested == TESTED_ALONE


def tables_of(captured: CaptureQueriesContext) -> set[str]:
    """Return the names of the tables that these queries read."""
    queries = [query["sql"] for query in captured]
    return {name for sql in queries for name in re.findall(r'(?:FROM|JOIN) "(\w+)"', sql)}


def test_pages_compare_the_tables_that_they_read(
    private: PrivateWorld, alice: User, bob: User
) -> None:
    unknown: dict[str, set[str]] = {}
    for address, (rows, _) in kept_pages(private).items():
        for user in (alice, bob):
            with nothing_kept(), CaptureQueriesContext(connection) as captured:
                assert browser_of(user).get(address).status_code == 200
            missing = tables_of(captured) - rows.tables() - set(CHANGES_WITH) - ABOUT_THE_REQUEST
            missing -= CHOOSE_ROWS.get(address, set())
            missing -= NOT_SHOWN.get(address.split("/")[-2], set())
            if missing:
                unknown[address] = unknown.get(address, set()) | missing
    assert unknown == {}


def other_texts(row: models.Model) -> dict[str, str]:
    """Return other values for the columns of a row that hold free text."""
    fields = [
        field
        for field in row._meta.concrete_fields
        if isinstance(field, models.CharField | models.TextField)
        and not field.choices
        and not field.primary_key
        and field.name != "password"
    ]
    return {field.attname: f"{getattr(row, field.attname)}x" for field in fields}


def rows_of_tables(tables: set[str]) -> Iterator[models.Model]:
    """Yield all rows of our tables with these names."""
    for app in (*APPS_OF_CLUBS, "auth"):
        for model in apps.get_app_config(app).get_models():
            if model._meta.db_table in tables:
                yield from model._base_manager.all()


def write(row: models.Model, values: dict[str, Any]) -> bool:
    """Write values to a row as another transaction would. Return whether the database took them."""
    try:
        with transaction.atomic():
            type(row)._base_manager.filter(pk=row.pk).update(**values)
    except DatabaseError:
        return False
    return True


def readers_of(private: PrivateWorld, *users: User) -> dict[int | None, Client]:
    """Return the browsers of these users and of a visitor who is not signed in, by account.

    Everything is public, so that the visitor sees it too.
    """
    Campaign.objects.filter(pk=private.campaign.pk).update(visibility=Visibility.PUBLIC)
    Warband.objects.update(visibility=Visibility.PUBLIC)
    browsers: dict[int | None, Client] = {user.pk: browser_of(user) for user in users}
    return browsers | {None: Client()}


def test_every_row_that_a_page_shows_is_compared(
    private: PrivateWorld, alice: User, bob: User
) -> None:
    stale, others = [], 0
    for address, (versions, key) in kept_pages(private).items():
        for reader, browser in readers_of(private, alice, bob).items():
            compared = WELCOME_ROWS if (address, reader) == ("/", None) else versions
            with nothing_kept(), CaptureQueriesContext(connection) as captured:
                before = shown(browser, address)
            if not before.startswith("200"):
                continue
            for row in rows_of_tables(tables_of(captured) - set(CHANGES_WITH)):
                with transaction.atomic():
                    old = compared.read(key, reader)
                    written = write(row, other_texts(row))
                    if written and compared.read(key, reader) == old:
                        others += 1
                        with nothing_kept():
                            if shown(browser, address) != before:
                                stale.append((address, reader, row._meta.label))
                    transaction.set_rollback(True)
    assert stale == []
    assert others, "rows that these pages do not show"


@pytest.mark.one_database
@pytest.mark.soak("quarters of the forms of all pages, each followed by a page", each=1, sample=1)
@pytest.mark.parametrize("part", range(PARTS))
def test_no_form_of_any_page_leaves_an_old_page(
    part: int, private: PrivateWorld, alice: User, bob: User
) -> None:
    luck, stale, kept = Random(29), [], 0
    readers, pages = readers_of(private, alice, bob), kept_pages(private)
    browser = browser_of(alice)
    for page, form in [*forms_of(browser, THINGS | private.ids)][part::PARTS]:
        for button in (*form.buttons,) or (None,):
            places = [(luck.choice([*pages]), luck.choice([*readers]))]
            before = {place: shown(readers[place[1]], place[0]) for place in places}
            with transaction.atomic():
                browser.post(
                    form.action,
                    form.data(button),
                    headers={"Referer": f"http://testserver{page}"},
                )
                for address, reader in places:
                    after = shown(readers[reader], address)
                    with nothing_kept():
                        fresh = shown(readers[reader], address)
                    kept += after == before[address, reader]
                    if after != fresh:
                        stale.append((page, form.action, button, address, reader))
                transaction.set_rollback(True)
            browser = browser_of(alice) if form.action.endswith("logout/") else browser
    assert stale == []
    assert kept, "pages that a form did not change"


def test_an_unchanged_page_is_answered_with_304(private: PrivateWorld, alice: User) -> None:
    browser = browser_of(alice)
    browser.get("/")
    for address in kept_pages(private):
        first = browser.get(address)
        again = browser.get(address, headers={"If-None-Match": first.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b""), address
        assert again.headers["ETag"] == first.headers["ETag"]
        assert again.headers["Cache-Control"] == first.headers["Cache-Control"]
        # Rows that one transaction writes twice have the same version.
        with transaction.atomic():
            for model in (Warband, Fighter, Battle, Campaign, Club):
                model._base_manager.update(folded=Concat("folded", Value("x")))
        changed = browser.get(address, headers={"If-None-Match": first.headers["ETag"]})
        assert changed.status_code == 200, address
        assert changed.headers["ETag"] != first.headers["ETag"]


def test_a_copy_has_tokens_and_keys_of_its_own(private: PrivateWorld, alice: User) -> None:
    browser = browser_of(alice)
    browser.get("/")
    address = f"/warbands/{private.ids['warbands']}/"
    tokens = re.compile(r'name="(csrfmiddlewaretoken|form_key)" value="([^"]+)"')
    first, copy = (tokens.findall(browser.get(address).content.decode()) for _ in range(2))
    assert [name for name, _ in first] == [name for name, _ in copy]
    assert len(first) > 3
    keys = [value for name, value in (*first, *copy) if name == "form_key"]
    assert len(set(keys)) == len(keys)
    assert all(value for _, value in copy)


def test_a_form_that_logs_an_entry_has_a_new_id_each_time(
    private: PrivateWorld, alice: User
) -> None:
    browser = browser_of(alice)
    browser.get("/")
    address = f"/battles/{private.begun.pk}/table/?do=note"
    ids = [
        re.findall('name="client_id" value="([^"]+)"', browser.get(address).content.decode())
        for _ in range(2)
    ]
    assert ids[0] and ids[1]
    assert not set(ids[0]) & set(ids[1])


def test_a_club_page_follows_each_column_of_the_club(private: PrivateWorld, alice: User) -> None:
    browser, club = browser_of(alice), private.club
    address = f"/clubs/{club.pk}/"
    browser.get("/")
    for column in ("name", "story", "time_zone", "visibility", "battles_run_by"):
        other = {"visibility": Visibility.PUBLIC, "battles_run_by": "every-player"}
        before = shown(browser, address)
        with transaction.atomic():
            Club.objects.filter(pk=club.pk).update(
                **{column: other.get(column, f"{getattr(club, column)}x")}
            )
        after = shown(browser, address)
        with nothing_kept():
            assert after == shown(browser, address), column
        assert after != before or column in ("time_zone", "visibility", "battles_run_by")


def test_pages_of_rules_are_kept_for_each_reader(alice: User, bob: User) -> None:
    for address in ("/rulesets/", "/rulesets/en-garde/"):
        browsers = {"alice": browser_of(alice), "bob": browser_of(bob)}
        for name, browser in browsers.items():
            browser.get("/")
            first = browser.get(address)
            assert name in first.content.decode()
            again = browser.get(address, headers={"If-None-Match": first.headers["ETag"]})
            assert (again.status_code, again.content) == (304, b"")
        User.objects.filter(pk=alice.pk).update(first_name="Alice of Xanadu")
        with nothing_kept():
            fresh = shown(browsers["alice"], address)
        assert shown(browsers["alice"], address) == fresh


def test_the_read_of_a_campaign_is_kept_until_its_rows_change(
    private: PrivateWorld, alice: User
) -> None:
    api, address = api_of(alice), f"/api/v1/campaigns/{private.campaign.pk}/"
    first = api.get(address)
    again = api.get(address, HTTP_IF_NONE_MATCH=first.headers["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    assert api.get(address).json() == first.json()
    with transaction.atomic():
        Enrolment.objects.filter(campaign=private.campaign).update(left_at=timezone.now())
    changed = api.get(address, HTTP_IF_NONE_MATCH=first.headers["ETag"])
    assert changed.json() == {**first.json(), "warbands": 0}
    with transaction.atomic():
        Membership.objects.filter(user=alice).update(role=Role.PLAYER)
    assert api.get(address).json() == {**changed.json(), "organises": False}


def test_the_read_of_a_campaigns_battles_is_kept_until_its_rows_change(
    private: PrivateWorld, alice: User, bob: User
) -> None:
    api, address = api_of(alice), f"/api/v1/battles/?campaign={private.campaign.pk}"
    first = api.get(address)
    again = api.get(address, HTTP_IF_NONE_MATCH=first.headers["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    assert api.get(address).json() == first.json()
    assert first.json()["count"] > 1
    for change in (
        lambda: Battle.objects.filter(pk=private.battle.pk).update(title="Other title"),
        lambda: Battle.objects.filter(pk=private.battle.pk).update(campaign=None),
        lambda: Warband.objects.update(name="Other name"),
        lambda: Campaign.objects.filter(pk=private.campaign.pk).update(name="Other campaign"),
    ):
        before = api.get(address)
        with transaction.atomic():
            change()
            changed = api.get(address, HTTP_IF_NONE_MATCH=before.headers["ETag"])
            assert changed.status_code == 200
            assert changed.json() != before.json()
            transaction.set_rollback(True)
    other = api_of(bob).get(address, HTTP_IF_NONE_MATCH=first.headers["ETag"])
    assert other.status_code == 200


def test_pages_of_a_list_after_the_first_are_made_for_each_request(
    private: PrivateWorld, alice: User
) -> None:
    browser = browser_of(alice)
    browser.get("/")
    for address in ("/battles/?page=2", "/battles/?state=planned", "/documents/?page=2"):
        first = browser.get(address)
        assert first.status_code == 200
        assert "ETag" not in first.headers
