"""Restore a backup: check everything before changing anything, and replace the database last.

Files come first, because nobody sees a file that no row refers to. If the restore is killed, the
old database is still in place, and the restore can be started again.
"""

import os
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO

import msgspec
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from core.file_stores import PART, file_store
from operations.backup import (
    DUMPS,
    FILES,
    FORMAT,
    KEPT_KEYS,
    KEYS,
    MANIFEST,
    Manifest,
    Member,
    copy_and_hash,
    fingerprint,
    kept_keys,
)
from operations.database_dumps import BackupError, holds_data, load_database
from operations.management.commands.grant_role import APPEND_ONLY, grant_role
from operations.move_database import count_rows, load_portable

SCRATCH = "restore-"
"""The prefix of a folder in VAR_DIR during a restore. The next restore deletes leftover ones."""
ROLES = """
SELECT DISTINCT pg_get_userbyid(given.grantee) FROM pg_class, aclexplode(relacl) AS given
WHERE relname = %s AND given.grantee NOT IN (0, relowner)
"""


class _Format(msgspec.Struct):
    format: int


def restore_backup(file: Path, *, force: bool = False, other_key: bool = False) -> Manifest:
    """Replace database, files and keys with those of the backup, then apply missing migrations.

    A backup whose database is SQLite can also be restored on PostgreSQL: its rows are copied and
    compared.

    Raises BackupError before anything has changed: if the backup is damaged, is from a newer
    Muster, or is a PostgreSQL dump for an SQLite installation; if it needs another SECRET_KEY and
    ``other_key`` is not set; or if the installation has data and ``force`` is not set.
    """
    with _checked(file, force=force, other_key=other_key) as (archive, manifest):
        roles = _roles()
        _put_back(archive, manifest)
    call_command("migrate", interactive=False, verbosity=0)
    for role in roles:
        grant_role(role, "")
    return manifest


def rehearse_restore(file: Path, *, other_key: bool = False) -> tuple[Manifest, dict[str, int]]:
    """Check a backup as ``restore_backup`` does, even where there are data, without any changes.

    Returns its manifest and the number of rows of each table. The rows of a PostgreSQL dump are not
    counted. Raises BackupError.
    """
    with _checked(file, force=True, other_key=other_key) as (archive, manifest):
        if manifest.engine != "sqlite":
            return manifest, {}
        with tempfile.TemporaryDirectory(prefix=SCRATCH) as folder:
            dump = Path(folder) / "dump"
            with archive.open(DUMPS["sqlite"]) as source, dump.open("xb") as target:
                shutil.copyfileobj(source, target)
            return manifest, count_rows(dump)


@contextmanager
def _checked(
    file: Path, *, force: bool, other_key: bool
) -> Iterator[tuple[zipfile.ZipFile, Manifest]]:
    """Open a backup that is intact and may be restored here. Raises BackupError."""
    with _opened(file) as archive:
        manifest = _manifest(archive)
        _refuse_foreign(manifest)
        if not force and holds_data():
            raise BackupError(
                "This installation already has data: the database "
                f"{connection.settings_dict['NAME']} "
                f"({connection.display_name}) is not empty. Set DATABASE_URL to an empty one, or "
                "say --force to lose "
                "what is in it."
            )
        if not other_key:
            _refuse_other_key(manifest)
        for member in manifest.members:
            _copy(archive, member, None)
        yield archive, manifest


@contextmanager
def _opened(file: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(file) as archive:
            yield archive
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise BackupError(f"{file} is damaged, or is not a Muster backup: {error}") from error
    except OSError as error:
        raise BackupError(f"Could not restore the backup: {error}") from error


def _manifest(archive: zipfile.ZipFile) -> Manifest:
    """Return the manifest, after checking that the archive has exactly its members in valid places.

    Raises BackupError.
    """
    try:
        text = archive.read(MANIFEST)
        written = msgspec.json.decode(text, type=_Format).format
        if written > FORMAT:
            raise BackupError(
                f"The backup has format {written}, but this Muster reads only {FORMAT}. Upgrade "
                "Muster first."
            )
        manifest = msgspec.json.decode(text, type=Manifest)
    except (KeyError, msgspec.MsgspecError) as error:
        raise BackupError(
            f"This is not a Muster backup: its manifest cannot be read ({error})."
        ) from error
    names = [MANIFEST, *(member.name for member in manifest.members)]
    if sorted(names) != sorted(archive.namelist()):
        raise BackupError("The backup is damaged: its files do not match its manifest.")
    strange = [name for name in names[1:] if not _has_a_place(name, manifest)]
    if strange or DUMPS.get(manifest.engine) not in names:
        raise BackupError(
            f"This is not a Muster backup: {', '.join(strange) or 'the database'} is not valid."
        )
    return manifest


def _has_a_place(name: str, manifest: Manifest) -> bool:
    """Return whether a member is the dump, a key, or a file inside the folder of files."""
    if name.startswith(FILES):
        path = PurePosixPath(name)
        return (
            ".." not in path.parts
            and path.as_posix() == name
            and "\\" not in name
            and len(path.parts) > 1
        )
    return name == DUMPS.get(manifest.engine) or name in {KEYS + key for key in KEPT_KEYS}


def _refuse_foreign(manifest: Manifest) -> None:
    if manifest.engine not in ("sqlite", connection.vendor):
        raise BackupError(
            f"The backup is a dump of {manifest.engine}, and this installation has "
            f"{connection.vendor}. Make one with "
            "`manage.py backup --portable FILE` on the old server. You can restore that on both."
        )
    here = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    newer = [name for name in manifest.migrations if name not in here]
    if newer:
        raise BackupError(
            f"The backup was made by Muster {manifest.muster}, which is newer than this one "
            f"({settings.VERSION}): "
            f"{', '.join(newer[:3])} is unknown here. Upgrade Muster first."
        )


def _refuse_other_key(manifest: Manifest) -> None:
    """Raise BackupError if neither our keys nor a key in the backup can decrypt and verify it."""
    fingerprints = {
        fingerprint(key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    }
    brought = f"{KEYS}secret_key" in {member.name for member in _keys_to_take(manifest)}
    if manifest.key not in fingerprints and not brought:
        raise BackupError(
            f"The backup needs the SECRET_KEY with the fingerprint {manifest.key}; here it is "
            f"{fingerprint(settings.SECRET_KEY)}. Without the old key, Muster cannot verify "
            "signatures or read encrypted secrets. "
            "Set the old key as SECRET_KEY or in SECRET_KEY_FALLBACKS. If it is lost, add "
            "--other-key."
        )


def _keys_to_take(manifest: Manifest) -> list[Member]:
    """Return the keys of the backup that replace files of ours; never those of the environment."""
    ours = {KEYS + file.name for file in kept_keys()}
    return [member for member in manifest.members if member.name in ours]


def _put_back(archive: zipfile.ZipFile, manifest: Manifest) -> None:
    Path(settings.VAR_DIR).mkdir(parents=True, exist_ok=True)
    for left in Path(settings.VAR_DIR).glob(f"{SCRATCH}*"):
        shutil.rmtree(left)
    with tempfile.TemporaryDirectory(prefix=SCRATCH, dir=settings.VAR_DIR) as folder:
        dump = Path(folder) / "dump"
        for member in manifest.members:
            if member.name == DUMPS[manifest.engine]:
                with dump.open("xb") as target:
                    _copy(archive, member, target)
            elif member.name.startswith(FILES):
                with archive.open(member.name) as content:
                    file_store().replace(member.name.removeprefix(FILES), content)
        for member in _keys_to_take(manifest):
            _take_key(archive, member)
        if manifest.engine == connection.vendor:
            load_database(dump)
        else:
            load_portable(dump)


def _take_key(archive: zipfile.ZipFile, member: Member) -> None:
    """Use the backup's key in this installation and process. Keep a copy of the old key."""
    file = Path(settings.VAR_DIR) / member.name.removeprefix(KEYS)
    if archive.read(member.name) == file.read_bytes():
        return
    shutil.copy2(file, file.with_name(f"{file.name}.before-restore"))
    _write_key(archive, member, file)
    setattr(settings, KEPT_KEYS[file.name], file.read_text("ascii").strip())


def _write_key(archive: zipfile.ZipFile, member: Member, file: Path) -> None:
    """Write a key under a temporary name first, so that nobody reads a part of it."""
    part = file.with_name(file.name + PART)
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as target:  # noqa: PTH123
        _copy(archive, member, target)
    part.replace(file)


def _copy(archive: zipfile.ZipFile, member: Member, target: IO[bytes] | None) -> None:
    with archive.open(member.name) as source:
        copied = copy_and_hash(source, target)
    if copied != (member.size, member.sha256):
        raise BackupError(f"The backup is damaged: {member.name} does not match its manifest.")


def _roles() -> list[str]:
    """Return the roles that may use this database's rows without owning it, to grant it again."""
    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute(ROLES, [APPEND_ONLY[0]])
        return [name for (name,) in cursor.fetchall()]
