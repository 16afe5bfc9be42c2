"""An installation moves from SQLite to PostgreSQL and back with a backup, and arrives as it was."""

import shutil
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.conf import settings as live
from django.contrib.auth.models import Group, User
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, connections, transaction
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.test import Client
from knox.models import AuthToken

from audit.models import AuditEntry
from operations import move_database
from operations.backup import DUMPS
from operations.database_dumps import holds_data
from operations.move_database import stored_models
from tests.conftest import browser_of
from tests.exchange.worlds import EVERYTHING, RandomClub
from tests.kept.databases import switched_to
from warbands.models import ChronicleEntry, Warband

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
migrate_file = move_database._migrate_file
ODD_MOMENT = datetime(2026, 3, 29, 1, 59, 59, 123457, tzinfo=UTC)


@contextmanager
def on_sqlite(file: Path) -> Iterator[None]:
    """Switch to an installation on another machine with an SQLite file."""
    postgres, configured = connections["default"], connections.settings["default"]
    portable = {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(file),
        "OPTIONS": {"transaction_mode": "IMMEDIATE"},
    }
    settings = connections.configure_settings({"default": portable})["default"]
    connections["default"], connections.settings["default"] = DatabaseWrapper(settings), settings
    try:
        yield
    finally:
        connections["default"].close()
        connections["default"], connections.settings["default"] = postgres, configured


def run(*words: Any) -> str:
    out = StringIO()
    call_command(*(str(word) for word in words), stdout=out, stderr=out)
    return out.getvalue()


def everything() -> dict[str, list[dict[str, Any]]]:
    """Return every row of every model."""
    return {
        model._meta.db_table: [
            {
                name: bytes(value) if isinstance(value, memoryview) else value
                for name, value in row.items()
            }
            for row in model._base_manager.order_by("pk").values()
        ]
        for model in stored_models()
    }


def expect_at_home(session: str, next_id: int) -> None:
    """Check that the database works like the previous one."""
    assert Warband.objects.filter(folded__has_words="haufen").exists()
    assert browser_of(User.objects.get(username="bob")).get("/").status_code == 200
    client = Client()
    client.cookies[live.SESSION_COOKIE_NAME] = session
    assert client.get("/").wsgi_request.user.username == "alice"
    for model in (ChronicleEntry, AuditEntry):
        for change in (lambda rows: rows.update(id=0), lambda rows: rows._raw_delete(rows.db)):
            with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
                change(model.objects.all())
    with transaction.atomic():
        assert Group.objects.create(name="the next one").pk == next_id, (
            "ids of deleted rows are not given again"
        )
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an SQLite file with all tables, made once because migrations take a while."""
    file = tmp_path_factory.mktemp("empty") / "empty.sqlite3"
    migrate_file(file)
    return file


@pytest.fixture(autouse=True)
def quick_migrations(monkeypatch: pytest.MonkeyPatch, empty_file: Path) -> None:
    """Copy the empty file instead of migrating; existing files are migrated already."""
    monkeypatch.setattr(
        move_database, "_migrate_file", lambda file: file.exists() or shutil.copy(empty_file, file)
    )


@pytest.fixture(scope="module")
def migrated(django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    """Yield the name of a PostgreSQL database with all tables and no data, made once."""
    name = f"{connection.settings_dict['NAME']}_empty"
    template = connection.settings_dict["TEST"].get("TEMPLATE") or "template0"
    with django_db_blocker.unblock(), copy_of(template, name):
        with switched_to(name):
            call_command("migrate", interactive=False, verbosity=0)
        yield name


@contextmanager
def copy_of(template: str, name: str) -> Iterator[None]:
    """Copy a PostgreSQL database, and drop the copy afterwards."""
    with connection.cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f'DROP DATABASE "{name}"')
        connection.close()


@pytest.fixture
def portable(alice: User, settings: Any, tmp_path: Path) -> Path:
    """Return a portable backup of an installation with one user."""
    file = tmp_path / "portable.zip"
    run("sign_chronicles")
    run("backup", "--portable", file)
    return file


def altered(file: Path, *statements: str) -> Path:
    """Return the backup with a changed database."""
    dump, copy = file.with_suffix(".sqlite3"), file.with_name(f"altered-{file.name}")
    with zipfile.ZipFile(file) as archive:
        dump.write_bytes(archive.read(DUMPS["sqlite"]))
    with closing(sqlite3.connect(dump)) as database, database:
        for statement in statements:
            database.execute(statement)
    with on_sqlite(dump):
        run("backup", copy)
    return copy


def test_move_to_sqlite_and_back_keeps_everything(
    settings: Any, tmp_path: Path, migrated: str
) -> None:
    source = RandomClub()
    source.happen(EVERYTHING, all_of_it=True)
    run("sign_chronicles")
    source.alice.groups.add(Group.objects.create(name="Umpires"))
    gone = Group.objects.create(name="Gone").pk
    Group.objects.filter(pk=gone).delete()
    Authenticator.objects.create(
        user=source.bob, type="totp", data={"secret": "x", "zeros": [1e2, 1.50, -0.0, None]}
    )
    AuthToken.objects.create(source.bob)
    User.objects.filter(pk=source.dora.pk).update(last_login=ODD_MOMENT)
    session = browser_of(source.alice).cookies[live.SESSION_COOKIE_NAME].value
    before, files = everything(), Path(settings.FILES_DIR)
    stored = {
        file.relative_to(files): file.read_bytes() for file in files.rglob("*") if file.is_file()
    }
    assert stored and all(
        before[table] for table in ("auth_user_groups", "core_accountsession", "knox_authtoken")
    )

    first, second, dump = (
        tmp_path / f"{name}.zip" for name in ("to-sqlite", "to-postgres", "dump")
    )
    run("backup", "--portable", first)
    run("backup", dump)
    settings.MEDIA_ROOT = settings.FILES_DIR = tmp_path / "laptop"
    with on_sqlite(tmp_path / "laptop.sqlite3"):
        with pytest.raises(CommandError, match=r"dump of postgresql.*backup --portable"):
            run("restore", dump)
        rehearsal = run("restore", first, "--dry-run")
        assert (
            f"{len(before['warbands_chronicleentry']):>10,}  warbands_chronicleentry" in rehearsal
        )
        assert "Nothing was changed." in rehearsal and not Path(settings.FILES_DIR).exists()
        warbands = len(before["warbands_warband"])
        assert f"{warbands} warbands match their chronicles." in run("restore", first)
        assert everything() == before
        run("backup", second)
        expect_at_home(session, gone + 1)
    settings.MEDIA_ROOT = settings.FILES_DIR = tmp_path / "server"
    target = f"{migrated}_server"
    with copy_of(migrated, target), switched_to(target):
        assert f"{warbands} warbands match their chronicles." in run("restore", second)
        assert everything() == before
        expect_at_home(session, gone + 1)
        with pytest.raises(
            CommandError, match=r"_server \(PostgreSQL\) is not empty.*DATABASE_URL.*--force"
        ):
            run("restore", second)
        User.objects.create_user("eve")
        run("restore", second, "--force")
        assert everything() == before
    assert {file: (tmp_path / "server" / file).read_bytes() for file in stored} == stored


def test_portable_backup_ignores_what_is_written_meanwhile(
    alice: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = move_database._copy

    def copy_while_somebody_writes(model: Any, source: Any, target: Any) -> Any:
        content = copy(model, source, target)
        other = source.copy()
        with other.cursor() as cursor:
            cursor.execute("INSERT INTO auth_group (name) VALUES (%s)", [model._meta.db_table])
        other.close()
        return content

    run("sign_chronicles")
    monkeypatch.setattr(move_database, "_copy", copy_while_somebody_writes)
    run("backup", "--portable", tmp_path / "portable.zip")
    assert Group.objects.exists()
    with on_sqlite(tmp_path / "laptop.sqlite3"):
        run("restore", tmp_path / "portable.zip")
        assert not Group.objects.exists()


def test_every_table_of_the_database_is_copied() -> None:
    tables = {model._meta.db_table for model in stored_models()}
    assert set(connection.introspection.table_names()) == tables | {"django_migrations"}


def test_refused_row_is_named_and_target_stays_empty(portable: Path, migrated: str) -> None:
    broken = altered(portable, f"INSERT INTO auth_group (id, name) VALUES (7, '{'long' * 40}')")
    content = broken.read_bytes()
    with switched_to(migrated):
        with pytest.raises(
            CommandError, match=r"PostgreSQL refused the row 7 of auth_group: value too long"
        ):
            run("restore", broken)
        assert not holds_data()
    assert broken.read_bytes() == content


def test_missing_row_of_another_table_is_refused(portable: Path, migrated: str) -> None:
    broken = altered(
        portable, "INSERT INTO auth_user_groups (user_id, group_id) VALUES (4711, 4712)"
    )
    with switched_to(migrated):
        with pytest.raises(
            CommandError, match=r"(?s)PostgreSQL refused the rows, and nothing was changed.*471"
        ):
            run("restore", broken)
        assert not holds_data()


def test_target_with_other_values_is_refused(
    portable: Path, migrated: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    insert = move_database._insert

    def insert_something_else(model: Any, rows: list[tuple[Any, ...]], target: Any) -> None:
        insert(model, rows, target)
        if model is User:
            move_database._execute(target, "UPDATE auth_user SET email = 'eve@example.org'")

    monkeypatch.setattr(move_database, "_insert", insert_something_else)
    with switched_to(migrated):
        with pytest.raises(
            CommandError,
            match="auth_user was not copied correctly: 1 rows were sent, 1 arrived with other",
        ):
            run("restore", portable)
        assert not holds_data()


def test_dry_run_over_data_changes_nothing(portable: Path, migrated: str) -> None:
    User.objects.create_user("eve")
    output = run("restore", portable, "--dry-run")
    assert (
        "Nothing was changed." in output and "To replace it with the backup, add --force." in output
    )
    assert User.objects.filter(username="eve").exists()


def test_database_that_was_not_migrated_is_refused(portable: Path, tmp_path: Path) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'knox' RETURNING name")
        names = [name for (name,) in cursor.fetchall()]
        try:
            with pytest.raises(CommandError, match="not at this version of Muster: knox"):
                run("backup", "--portable", tmp_path / "other.zip")
        finally:
            for name in names:
                cursor.execute(
                    "INSERT INTO django_migrations (app, name, applied) VALUES ('knox', %s, now())",
                    [name],
                )
    assert not (tmp_path / "other.zip").exists()
