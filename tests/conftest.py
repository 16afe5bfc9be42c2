"""Fixtures for every test: users, their clients, and isolated files, cache and queue.

Alice organises, Bob plays, Charlie is a stranger, Dora only reads.
"""

import gc
import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.contrib.auth.models import User
from django.core.cache import cache, caches
from django.db import connection
from django.test import Client
from rest_framework.test import APIClient

from audit.chains import CHAINS, sign_chain
from audit.models import AuditChain
from core import page_cache
from core.fragments import PARTS
from core.page_cache import COMPUTED
from tests.queue import use_queue

pytest_plugins = ["tests.databases", "tests.deadline", "tests.live", "tests.soak"]

# Do not limit the time of an example: the machine may be slow. Use the same examples every time.
hypothesis.settings.register_profile(
    "muster",
    deadline=None,
    derandomize=True,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("muster")

PASSWORD = "a long enough password"
# A worker holds thousands of tests and all of Django. Collecting their garbage again and again
# took an eighth of the processor time, so exclude them and collect rarely.
gc.set_threshold(100_000, 50, 100)


def pytest_collection_finish() -> None:
    """Exclude all objects that exist before the first test from garbage collection."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def make_user(db: None) -> Callable[[str], User]:
    """Return a function that creates a user. The password is `tests.conftest.PASSWORD`."""

    def make(name: str) -> User:
        return User.objects.create_user(name, email=f"{name}@example.org", password=PASSWORD)

    return make


@pytest.fixture
def alice(make_user: Callable[[str], User]) -> User:
    """Return the organiser."""
    return make_user("alice")


@pytest.fixture
def bob(make_user: Callable[[str], User]) -> User:
    """Return a player."""
    return make_user("bob")


@pytest.fixture
def charlie(make_user: Callable[[str], User]) -> User:
    """Return a stranger."""
    return make_user("charlie")


@pytest.fixture
def dora(make_user: Callable[[str], User]) -> User:
    """Return a spectator, who may only read."""
    return make_user("dora")


def api_of(user: User) -> APIClient:
    """Return a client of the API that is signed in as the user."""
    client = APIClient()
    client.force_authenticate(user)
    return client


def browser_of(user: User) -> Client:
    """Return a client of the pages that is signed in as the user."""
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def as_alice(alice: User) -> APIClient:
    return api_of(alice)


@pytest.fixture
def as_bob(bob: User) -> APIClient:
    return api_of(bob)


@pytest.fixture
def as_charlie(charlie: User) -> APIClient:
    return api_of(charlie)


@pytest.fixture
def as_dora(dora: User) -> APIClient:
    return api_of(dora)


@pytest.fixture
def anonymous() -> APIClient:
    """Return a client of the API that is not signed in."""
    return APIClient()


@pytest.fixture(autouse=True)
def world(request: pytest.FixtureRequest) -> None:
    """Isolate each test, except the thousands of rule tests that use nothing to isolate."""
    from tests.databases import is_pure

    if not is_pure(request.path):
        request.getfixturevalue("own_world")


@pytest.fixture
def copies_of_pages(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep copies of pages, as a running Muster does, but not only for ten minutes.

    Tests that count queries must not fail because ten minutes end between two requests.
    """
    pages = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "pages"}
    settings.CACHES = {**settings.CACHES, "pages": pages}
    caches["pages"].clear()
    COMPUTED.clear()
    monkeypatch.setattr(COMPUTED, "most", 300)
    now = page_cache.ten_minutes()
    monkeypatch.setattr(page_cache, "ten_minutes", lambda: now)


@pytest.fixture
def own_world(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give the test its own files, cache and queue.

    Tasks are not run: tests that need a worker use the `worker` fixture.
    """
    # Static files have other addresses in some tests, and parts of pages contain them.
    PARTS.clear()
    # Rows that one transaction writes twice have the same version, and a test is one transaction.
    monkeypatch.setattr(COMPUTED, "most", 0)
    settings.VAR_DIR = tmp_path / "var"
    settings.MEDIA_ROOT = settings.FILES_DIR = tmp_path / "files"
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
        # A test is one transaction, and rows that it writes twice keep their version.
        "pages": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"},
    }
    # The number of queries of a page must not depend on when the number in its header was counted.
    monkeypatch.setattr("home.context_processors.SECONDS", 3600)
    # Collect no static files, and find them on demand: otherwise each test client would first list
    # all of them.
    settings.STATIC_ROOT = tmp_path / "static"
    settings.WHITENOISE_AUTOREFRESH = True
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    use_queue("memory://", {"polling_interval": 0.01})
    yield
    cache.clear()


@pytest.fixture(scope="session")
def schema() -> dict[str, Any]:
    """Return the OpenAPI schema of the whole API, as clients get it.

    It is made once for all tests, which must not change it.
    """
    from drf_spectacular.generators import SchemaGenerator
    from drf_spectacular.renderers import OpenApiJsonRenderer

    answer = OpenApiJsonRenderer().render(SchemaGenerator().get_schema(request=None, public=True))
    data: dict[str, Any] = json.loads(answer)
    return data


@pytest.fixture(scope="session")
def copied() -> bool:
    """Return whether tests use copies of the configured database, which is migrated and empty."""
    return "TESTS_COPY_DATABASE" in os.environ


@pytest.fixture(scope="session")
def django_db_keepdb(copied: bool) -> bool:
    """Return whether Django reuses the test database and applies only missing migrations."""
    return copied


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    copied: bool,
    django_db_modify_db_settings: None,
    pytestconfig: pytest.Config,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Use a file for SQLite, like the product, so that other threads and processes can open it."""
    if pytestconfig.getoption("databases") == "without":
        pytest.fail("This test knows a database, and tests/databases.py did not see it.")
    if connection.vendor == "sqlite":
        file = str(tmp_path_factory.mktemp("database") / "test.sqlite3")
        connection.settings_dict["TEST"]["NAME"] = file
        if copied:
            shutil.copy(connection.settings_dict["NAME"], file)
    elif copied:
        connection.settings_dict["TEST"]["TEMPLATE"] = connection.settings_dict["NAME"]


@pytest.fixture(scope="session", autouse=True)
def chronicle_can_be_emptied() -> Iterator[None]:
    """Disable the triggers of chronicle and audit when tables are emptied between tests."""
    patch = pytest.MonkeyPatch()
    flush = type(connection.ops).execute_sql_flush

    def make_chains() -> None:
        """Create the ends of the audit chains again, as a migration creates them and not a test."""
        ends = [AuditChain(pk=number) for number in range(CHAINS)]
        for end in ends:
            sign_chain(end)
        AuditChain.objects.bulk_create(ends)

    def flush_with_triggers_off(operations: Any, statements: list[str]) -> None:
        tables = ("warbands_chronicleentry", "audit_auditentry")
        off, on = (
            [f"ALTER TABLE {table} {what} TRIGGER USER" for table in tables]
            for what in ("DISABLE", "ENABLE")
        )
        flush(operations, [*off, *statements, *on])
        make_chains()

    def flush_without_triggers(operations: Any, statements: list[str]) -> None:
        with operations.connection.cursor() as cursor:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            triggers = cursor.fetchall()
            for name, _ in triggers:
                cursor.execute(f'DROP TRIGGER "{name}"')
            try:
                flush(operations, statements)
            finally:
                for _, sql in triggers:
                    cursor.execute(sql)
        make_chains()

    stepping_aside = (
        flush_without_triggers if connection.vendor == "sqlite" else flush_with_triggers_off
    )
    patch.setattr(type(connection.ops), "execute_sql_flush", stepping_aside)
    yield
    patch.undo()
