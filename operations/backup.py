"""Back up the database, all files and, in the embedded mode, the keys into one zip with a manifest.

docs/backups.md, "Backups", explains its content and the hashes. `operations.restore` restores it.
"""

import hashlib
import hmac
import os
import re
import tempfile
import time
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import IO, Any

import msgspec
from django.conf import settings
from django.core.files.storage import default_storage
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from core.file_stores import file_store
from operations.database_dumps import BackupError, dump_database
from operations.health import TRIAL
from operations.move_database import dump_portable

FORMAT = 1
"""The format of the archive. This Muster reads this format and all earlier ones."""
MANIFEST = "manifest.json"
DUMPS = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}
FILES = "files/"
KEYS = "keys/"
KEPT_KEYS = {"secret_key": "SECRET_KEY", "vapid_key": "VAPID_PRIVATE_KEY"}
"""The key files that the embedded mode keeps in VAR_DIR, and the setting of each."""
DRAFT = ".muster-backup-"
"""The prefix of the folder in which a backup is being written."""
DATED = re.compile(r"muster-\d{4}-\d\d-\d\dT\d{6}Z\.zip")
DAY_IN_NAME = len("muster-2026-03-07")
CHUNK = 1024 * 1024
DAY = 24 * 3600


class Member(msgspec.Struct, frozen=True):
    """One file in the archive."""

    name: str
    size: int
    """Bytes."""
    sha256: str
    """64 hex digits."""


class Manifest(msgspec.Struct, frozen=True):
    """The description of an archive, stored inside it."""

    format: int
    muster: str
    """The version of Muster that made it."""
    made_at: str
    """ISO 8601, in UTC."""
    engine: str
    """The engine of the dump in the archive: ``sqlite`` or ``postgresql``."""
    migrations: list[str]
    """The applied migrations as ``app.name``."""
    key: str
    """The fingerprint of SECRET_KEY."""
    members: list[Member]
    files: bool = True
    """False if documents and pictures were left out, because they are backed up in another way."""


def make_backup(
    target: Path, *, force: bool = False, portable: bool = False, files: bool = True
) -> Manifest:
    """Write a backup that only its owner can read. It appears completely or not at all.

    A portable backup can be restored on PostgreSQL and on SQLite. Without ``files`` it has the
    database, and the keys, only.

    Raises BackupError if the file exists and ``force`` is not set, if it cannot be written, or if
    the database has no migrations of Muster.
    """
    if target.exists() and not force:
        raise BackupError(
            f"{target} already exists. Choose another file, or add --force to replace it."
        )
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=DRAFT, dir=target.parent) as folder:
            draft = Path(folder) / "backup.zip"
            manifest = _write(draft, Path(folder) / "dump", portable=portable, files=files)
            _put_in_place(draft, target, force=force)
    except FileExistsError as error:
        raise BackupError(f"{target} was created by another process in the meantime.") from error
    except OSError as error:
        raise BackupError(f"Could not write the backup: {error}") from error
    return manifest


def dated_name() -> str:
    """Return the name of a backup made now. Names sort by time."""
    return f"muster-{datetime.now(UTC):%Y-%m-%dT%H%M%SZ}.zip"


def drop_old_backups(folder: Path, *, keep: int) -> list[str]:
    """Delete old dated backups and return their names. Also delete what killed backups have left.

    Keeps the newest backup of each of the last ``keep`` days that have one.
    """
    dated = sorted(file.name for file in folder.iterdir() if DATED.fullmatch(file.name))
    of_days = {name[:DAY_IN_NAME]: name for name in dated}
    kept = {of_days[day] for day in sorted(of_days)[-keep:]}
    old = [name for name in dated if name not in kept]
    for name in old:
        (folder / name).unlink(missing_ok=True)
    for draft in folder.glob(f"{DRAFT}*"):
        if draft.stat().st_mtime < time.time() - DAY:
            for file in draft.iterdir():
                file.unlink()
            draft.rmdir()
    return old


def fingerprint(key: str) -> str:
    """Return 16 hex digits that identify a secret key without revealing it."""
    return hmac.digest(key.encode(), b"muster: which key is this?", "sha256").hex()[:16]


def kept_keys() -> list[Path]:
    """Return the key files that this installation uses.

    Returns none on a server, and none that the environment overrides.
    """
    if settings.SERVER:
        return []
    files = {
        Path(settings.VAR_DIR) / name: getattr(settings, setting)
        for name, setting in KEPT_KEYS.items()
    }
    return [
        file
        for file, used in files.items()
        if file.is_file() and file.read_text("ascii").strip() == used
    ]


def applied_migrations() -> list[str]:
    """Return all applied migrations of the database as ``app.name``."""
    return sorted(
        f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations()
    )


def copy_and_hash(source: IO[bytes], target: IO[bytes] | None) -> tuple[int, str]:
    """Copy until the end, or only read if there is no target. Return the byte count and SHA-256."""
    digest, size = hashlib.sha256(), 0
    while chunk := source.read(CHUNK):
        digest.update(chunk)
        size += len(chunk)
        if target:
            target.write(chunk)
    return size, digest.hexdigest()


def _write(draft: Path, dump: Path, *, portable: bool, files: bool) -> Manifest:
    """Write the archive. The database comes first: its files were written before it named them.

    Files of a bucket are streamed into it.
    """
    migrations = applied_migrations()
    if not migrations:
        raise BackupError("This database has no Muster data. Check DATABASE_URL and VAR_DIR.")
    engine = "sqlite" if portable else connection.vendor
    if engine == connection.vendor:
        dump_database(dump)
    else:
        dump_portable(dump)
    with zipfile.ZipFile(draft, "x", allowZip64=True) as archive:
        members = [_add(archive, DUMPS[engine], partial(dump.open, "rb"))]
        dump.unlink()
        for name in file_store().names() if files else ():
            if name.startswith(f"{TRIAL}-"):
                continue
            try:
                members.append(_add(archive, FILES + name, partial(default_storage.open, name)))
            except FileNotFoundError:
                # Deleted since the files were listed, so the backup does not need it.
                continue
        members += [
            _add(archive, KEYS + file.name, partial(file.open, "rb")) for file in kept_keys()
        ]
        manifest = Manifest(
            format=FORMAT,
            muster=settings.VERSION,
            made_at=datetime.now(UTC).isoformat(timespec="seconds"),
            engine=engine,
            migrations=migrations,
            key=fingerprint(settings.SECRET_KEY),
            members=members,
            files=files,
        )
        archive.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
    return manifest


def _add(archive: zipfile.ZipFile, name: str, open_file: Callable[[], Any]) -> Member:
    info = zipfile.ZipInfo(name, time.gmtime()[:6])
    info.external_attr = 0o600 << 16
    # PostgreSQL's dumps, documents and pictures are already compressed.
    info.compress_type = zipfile.ZIP_DEFLATED if name == DUMPS["sqlite"] else zipfile.ZIP_STORED
    with open_file() as source, archive.open(info, "w", force_zip64=True) as target:
        size, digest = copy_and_hash(source, target)
    return Member(name=name, size=size, sha256=digest)


def _put_in_place(draft: Path, target: Path, *, force: bool) -> None:
    """Rename the draft after it is safely on the disk.

    Raises FileExistsError if the target exists and ``force`` is not set.
    """
    draft.chmod(0o600)
    with draft.open("rb") as file:
        os.fsync(file.fileno())
    if force:
        draft.replace(target)
        return
    try:
        os.link(draft, target)
    except FileExistsError:
        raise
    except OSError:
        # Memory sticks and network shares may not support links.
        if target.exists():
            raise FileExistsError(target) from None
        draft.replace(target)
