"""One file holds an installation, and comes back whole: on both databases, and while somebody
writes."""

import json
import stat
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from operations.backup import DUMPS, MANIFEST, drop_old_backups
from operations.database_dumps import BackupError, dump_database, holds_data, load_database
from tests.kept.databases import switched_to
from tests.pages.world import landsknechts
from warbands.models import ChronicleEntry

ROLE = "muster_after_a_restore"
PRINT = "documents/0a/roster.pdf"


@contextmanager
def elsewhere(folder: Path) -> Iterator[None]:
    """Switch to another installation with an empty database and no files."""
    other = f"{connection.settings_dict['NAME']}_restored"
    on_postgres = connection.vendor == "postgresql"
    if on_postgres:
        with connection.cursor() as cursor:
            cursor.execute(f'CREATE DATABASE "{other}" TEMPLATE template0')
    else:
        other = str(folder / "other.sqlite3")
    try:
        with switched_to(other):
            yield
    finally:
        if on_postgres:
            with connection.cursor() as cursor:
                cursor.execute(f'DROP DATABASE "{other}"')


def everything() -> dict[str, list[Any]]:
    """Return every row of every table."""
    rows = {}
    with connection.cursor() as cursor:
        for table in sorted(connection.introspection.table_names(cursor)):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)} ORDER BY 1")
            rows[table] = cursor.fetchall()
    return rows


def run(*words: Any) -> str:
    out = StringIO()
    call_command(*(str(word) for word in words), stdout=out, stderr=out)
    return out.getvalue()


def write_pairs(enough: threading.Event, begun: threading.Event) -> None:
    """Write two rows at a time until ``enough`` is set."""
    number = 0
    while not enough.is_set():
        with transaction.atomic():
            Group.objects.create(name=f"left {number}")
            Group.objects.create(name=f"right {number}")
        number += 1
        begun.set()
    connection.close()


@pytest.fixture
def print_of_hers(settings: Any) -> Path:
    file = Path(settings.FILES_DIR, PRINT)
    file.parent.mkdir(parents=True)
    file.write_bytes(b"%PDF-1.7 hers")
    return file


@pytest.mark.django_db(transaction=True)
def test_a_backup_made_while_somebody_writes_comes_back_elsewhere_with_every_row(
    alice: User, print_of_hers: Path, settings: Any, tmp_path: Path
) -> None:
    landsknechts(alice)
    file = tmp_path / "backups" / "muster.zip"
    enough, begun = threading.Event(), threading.Event()
    writer = threading.Thread(target=write_pairs, args=(enough, begun))
    writer.start()
    try:
        assert begun.wait(120)
        assert "the database and 1 files" in run("backup", file)
    finally:
        enough.set()
        writer.join()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [each.name for each in file.parent.iterdir()] == ["muster.zip"], (
        "nothing else is left behind"
    )
    before = everything()
    groups = before.pop("auth_group")
    settings.MEDIA_ROOT = settings.FILES_DIR = tmp_path / "elsewhere"
    with elsewhere(tmp_path):
        with pytest.raises(CommandError, match="has no Muster data"):
            run("backup", tmp_path / "nothing.zip")
        output = run("restore", file)
        assert "Restored" in output and "1 warband matches its chronicle." in output
        after = everything()
        restored = after.pop("auth_group")
        assert after == before
        assert restored == groups[: len(restored)] and restored and len(restored) % 2 == 0, (
            "whole pairs"
        )
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            ChronicleEntry.objects.update(kind="left")
        with pytest.raises(CommandError, match="This installation already has data"):
            run("restore", file)
        User.objects.create_user("eve")
        run("restore", file, "--force")
        assert not User.objects.filter(username="eve").exists()
    assert (tmp_path / "elsewhere" / PRINT).read_bytes() == print_of_hers.read_bytes()
    connection.close()


def altered(file: Path, **changes: Any) -> Path:
    """Return the archive with changes of its manifest, or with other ``bytes`` of the print."""
    copy = file.with_name("altered.zip")
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(copy, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == MANIFEST:
                content = json.dumps(json.loads(content) | changes).encode()
            elif name.endswith(PRINT) and not changes:
                content = b"%PDF-1.7 mine"
            new.writestr(name, content)
    return copy


@pytest.mark.django_db
def test_what_is_damaged_foreign_newer_or_under_another_key_is_refused_with_nothing_touched(
    print_of_hers: Path, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not holds_data()
    file = tmp_path / "muster.zip"
    run("backup", file)
    with pytest.raises(CommandError, match="already exists"):
        run("backup", file)
    run("backup", file, "--force")
    content = file.read_bytes()
    cut, flipped, rubbish = (tmp_path / f"{name}.zip" for name in ("cut", "flipped", "rubbish"))
    cut.write_bytes(content[:-500])
    flipped.write_bytes(content.replace(b"%PDF-1.7 hers", b"%PDF-1.7 hens"))
    rubbish.write_text("no zip")
    print_of_hers.unlink()

    def touched(dump: Path) -> None:
        raise AssertionError("the database was touched")

    monkeypatch.setattr("operations.restore.load_database", touched)
    for broken, complaint in ((cut, "damaged"), (flipped, "damaged"), (rubbish, "damaged")):
        with pytest.raises(CommandError, match=complaint):
            run("restore", broken)
    outside = json.loads(zipfile.ZipFile(file).read(MANIFEST))["members"]
    outside[1]["name"] = "files/../../outside.pdf"
    for changes, complaint in (
        ({}, f"damaged: files/{PRINT} does not match its manifest"),
        ({"format": 2}, "format 2, but this Muster reads only 1. Upgrade"),
        ({"engine": "oracle"}, "not a Muster backup"),
        ({"migrations": ["warbands.9999_of_tomorrow"]}, "newer than this one"),
        ({"key": "feedc0de"}, "SECRET_KEY with the fingerprint feedc0de"),
        ({"members": []}, "its files do not match its manifest"),
        ({"members": outside}, "its files do not match its manifest"),
        ({"members": "all"}, "its manifest cannot be read"),
    ):
        with pytest.raises(CommandError, match=complaint):
            run("restore", altered(file, **changes))
    User.objects.create_user("eve")
    with pytest.raises(CommandError, match="already has data"):
        run("restore", file)
    assert not print_of_hers.exists()
    with pytest.raises(AssertionError, match="touched"):
        run("restore", altered(file, key="feedc0de"), "--force", "--other-key")
    assert print_of_hers.read_bytes() == b"%PDF-1.7 hers", "files come before the database"


@pytest.mark.django_db
def test_a_backup_says_which_keys_are_in_it(settings: Any, tmp_path: Path) -> None:
    """With SECRET_KEY_FILE in the embedded mode only the key for notifications is kept in the
    folder."""
    settings.SERVER = False
    Path(settings.VAR_DIR).mkdir()
    settings.VAPID_PRIVATE_KEY = "the key for notifications"
    (Path(settings.VAR_DIR) / "vapid_key").write_text("the key for notifications")
    output = run("backup", tmp_path / "muster.zip")
    assert "contains keys of this installation: vapid_key." in output
    assert "SECRET_KEY (fingerprint" in output and "is not in it" in output


@pytest.mark.django_db
def test_the_embedded_mode_takes_its_keys_along_and_keeps_the_one_before(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    var, file = Path(settings.VAR_DIR), tmp_path / "muster.zip"
    var.mkdir()
    settings.SERVER = False
    settings.SECRET_KEY = "the key of the old machine"
    (var / "secret_key").write_text("the key of the old machine")
    run("sign_chronicles")
    output = run("backup", file)
    assert (
        "contains keys of this installation: secret_key." in output and "is not in it" not in output
    )
    (var / "secret_key").write_text("the key of the new machine")
    settings.SECRET_KEY = "the key of the new machine"
    monkeypatch.setattr("operations.restore.load_database", lambda dump: None)
    run("restore", file)
    assert settings.SECRET_KEY == (var / "secret_key").read_text() == "the key of the old machine"
    assert (var / "secret_key.before-restore").read_text() == "the key of the new machine"
    assert stat.S_IMODE((var / "secret_key").stat().st_mode) == 0o600
    settings.SECRET_KEY = "what the environment says"
    with pytest.raises(CommandError, match="SECRET_KEY_FALLBACKS"):
        run("restore", file)
    settings.SECRET_KEY_FALLBACKS = ["the key of the old machine"]
    run("restore", file)


def test_of_dated_backups_the_newest_of_each_day_are_kept_and_nothing_else_is_deleted(
    tmp_path: Path,
) -> None:
    for day in range(1, 10):
        (tmp_path / f"muster-2026-03-0{day}T040000Z.zip").touch()
    (tmp_path / "muster-2026-03-09T030000Z.zip").touch()
    (tmp_path / "muster-before-the-move.zip").touch()
    assert drop_old_backups(tmp_path, keep=7) == [
        "muster-2026-03-01T040000Z.zip",
        "muster-2026-03-02T040000Z.zip",
        "muster-2026-03-09T030000Z.zip",
    ]
    assert len(list(tmp_path.iterdir())) == 8


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_half_a_dump_changes_nothing_and_who_could_read_rows_still_can(
    alice: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("sign_chronicles")
    dump, half = tmp_path / DUMPS["postgresql"], tmp_path / "half"
    dump_database(dump)
    half.write_bytes(dump.read_bytes()[: dump.stat().st_size // 2])
    before = everything()
    with pytest.raises(BackupError, match="PostgreSQL refused"):
        load_database(half)
    assert everything() == before
    file = tmp_path / "muster.zip"
    call_command("grant_role", ROLE)
    try:
        run("backup", file)
        with monkeypatch.context() as as_muster_works:
            as_muster_works.setitem(connection.settings_dict, "USER", ROLE)
            dump_database(tmp_path / "by the role")
            with pytest.raises(BackupError, match="must be owner"):
                load_database(tmp_path / "by the role")
            connection.close()
        run("restore", file, "--force")
        with connection.cursor() as cursor:
            rights = "has_table_privilege(%s, 'warbands_chronicleentry', %s)"
            cursor.execute(f"SELECT {rights}, {rights}", [ROLE, "INSERT", ROLE, "UPDATE"])
            assert cursor.fetchone() == (True, False)
        assert everything() == before
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP OWNED BY {ROLE}; DROP ROLE {ROLE}")
