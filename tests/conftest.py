"""What every test can lean on: the cast, their clients, and a world of its own for each test.

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
from django.core.cache import cache
from django.db import connection
from django.test import Client
from rest_framework.test import APIClient

from audit.chains import CHAINS, sign_chain
from audit.models import AuditChain
from tests.queue import use_queue

pytest_plugins = ["tests.databases", "tests.deadline", "tests.live", "tests.soak"]

# The machine may be slow or busy: how long an example takes says nothing. The same examples every
# time, for everybody.
hypothesis.settings.register_profile(
    "muster",
    deadline=None,
    derandomize=True,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("muster")

PASSWORD = "a long enough password"
# A worker holds some thousand tests and all of Django: to look through these for garbage again and
# again took an eighth of the processor's time. What is collected stays to the end anyhow, and of
# the rest garbage is made by the test.
gc.set_threshold(100_000, 50, 100)


def pytest_collection_finish() -> None:
    """From now on the collector passes by whatever is there before the first test."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def make_user(db: None) -> Callable[[str], User]:
    """Makes a user of that name; the password is `tests.conftest.PASSWORD`."""

    def make(name: str) -> User:
        return User.objects.create_user(name, email=f"{name}@example.org", password=PASSWORD)

    return make


@pytest.fixture
def alice(make_user: Callable[[str], User]) -> User:
    """The organiser."""
    return make_user("alice")


@pytest.fixture
def bob(make_user: Callable[[str], User]) -> User:
    """A player."""
    return make_user("bob")


@pytest.fixture
def charlie(make_user: Callable[[str], User]) -> User:
    """A stranger."""
    return make_user("charlie")


@pytest.fixture
def dora(make_user: Callable[[str], User]) -> User:
    """A spectator: she may read."""
    return make_user("dora")


def api_of(user: User) -> APIClient:
    """A client of the API that is signed in as the user."""
    client = APIClient()
    client.force_authenticate(user)
    return client


def browser_of(user: User) -> Client:
    """A client of the pages that is signed in as the user."""
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
    """A client of the API that is not signed in."""
    return APIClient()


@pytest.fixture(autouse=True)
def world(request: pytest.FixtureRequest) -> None:
    """A world of its own for each test, but where none could be seen: thousands know the rule book
    alone."""
    from tests.databases import is_pure

    if not is_pure(request.path):
        request.getfixturevalue("own_world")


@pytest.fixture
def own_world(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Files, cache and queue that no other test sees. Tasks go nowhere: those that need a worker
    ask for `worker`."""
    settings.VAR_DIR = tmp_path / "var"
    settings.MEDIA_ROOT = settings.FILES_DIR = tmp_path / "files"
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    # How many queries a page takes must not depend on how long ago the number in its header was
    # counted.
    monkeypatch.setattr("home.context_processors.SECONDS", 3600)
    # Nothing is collected here, whatever this checkout has served before; and files are looked for
    # when they are asked for: otherwise each client of each test would list all static files first.
    settings.STATIC_ROOT = tmp_path / "static"
    settings.WHITENOISE_AUTOREFRESH = True
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    use_queue("memory://", {"polling_interval": 0.01})
    yield
    cache.clear()


@pytest.fixture(scope="session")
def schema() -> dict[str, Any]:
    """The OpenAPI schema of the whole API, as clients get it; made once for all tests, who leave it
    as it is."""
    from drf_spectacular.generators import SchemaGenerator
    from drf_spectacular.renderers import OpenApiJsonRenderer

    answer = OpenApiJsonRenderer().render(SchemaGenerator().get_schema(request=None, public=True))
    data: dict[str, Any] = json.loads(answer)
    return data


@pytest.fixture(scope="session")
def copied() -> bool:
    """Whether the configured database is migrated and otherwise empty, and tests begin with copies
    of it."""
    return "TESTS_COPY_DATABASE" in os.environ


@pytest.fixture(scope="session")
def django_db_keepdb(copied: bool) -> bool:
    """Whether Django takes the test database as it finds it, and applies only migrations that it
    lacks."""
    return copied


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    copied: bool,
    django_db_modify_db_settings: None,
    pytestconfig: pytest.Config,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """On SQLite the tests use a file, as the product does: other threads and processes can open it
    too."""
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
    """Emptying tables between tests is what triggers of chronicle and audit are there to refuse:
    they step aside."""
    patch = pytest.MonkeyPatch()
    flush = type(connection.ops).execute_sql_flush

    def make_chains() -> None:
        """A migration makes the ends of the audit's chains: they are no rows of a test, and come
        back."""
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
