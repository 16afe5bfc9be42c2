"""Write an archive: stream the rows into a zip on disk, then add the manifest and its signature.

The same rows give the same bytes on every database: rows are in the order of their keys, the keys
of JSON are sorted, and the zip has no times. Only ``made_at`` in the manifest differs, and with it
the signature.
"""

import csv
import hashlib
import io
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import PurePosixPath
from typing import Any, BinaryIO
from uuid import UUID

import msgspec
from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.storage import default_storage
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext

from core.csv_files import no_formula
from core.errors import StateConflict
from exchange.archive_structs import (
    FORMAT,
    MANIFEST,
    PEOPLE,
    README,
    SIGNATURE,
    VERSION,
    Head,
    Manifest,
    Member,
    Omission,
    Person,
    SignedBy,
    TableCount,
)
from exchange.services.archive_people import referenced
from exchange.services.export_scope import OPEN, Scope, scope_of, with_open
from exchange.signing import installation, public_key, sign
from exchange.tables import TABLES, ExportTable, schema_of

CHUNK = 500
"""The number of rows that are held in memory at a time."""
SPOOLED = 1024 * 1024
"""The bytes of a CSV that are held in memory before they go to a file."""
EPOCH = (1980, 1, 1, 0, 0, 0)
READ_ME = """An archive of Muster, campaign software for wargames clubs.

manifest.json   what is in here, with the SHA-256 of every file and the last seal of every chain
manifest.sig    the signature (Ed25519) of the bytes of manifest.json
people.json     who is named in the tables by a reference
data/           the tables, a row of JSON to a line, in the order of their keys
schema/         the JSON schema of each table
csv/            the same tables for spreadsheets; nothing reads them back
pictures/       portraits, crests and photos in two sizes

The format is described in docs/archives.md of Muster's source.
"""

ReportProgress = Callable[[int, int], None]


def write_archive(
    *, kind: str, subject_id: UUID, user: User, file: BinaryIO, report_progress: ReportProgress
) -> Manifest:
    """Write the archive of a warband, a campaign or a club into a seekable, writable file.

    ``report_progress(done, whole)`` reports progress in tables. The number of queries does not
    grow with the number of rows. Raises NotFound (`unknown-subject`), Forbidden
    (`not-yours-to-export`), Unavailable (`signing-key-locked`) and StateConflict
    (`subject-went-on`) if a new person appeared in the rows while it was written.
    """
    people = referenced(_people_in(scope_of(kind, subject_id, user)))
    # Create a missing key before the read-only snapshot begins.
    origin = public_key()
    with (
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive,
        as_it_stands(),
    ):
        writer = _Writer(archive, scope_of(kind, subject_id, user), people, report_progress)
        writer.write_all()
    manifest = writer.manifest(origin.fingerprint)
    body = msgspec.json.format(msgspec.json.encode(manifest), indent=1)
    signature = sign(body)
    signed = SignedBy(signature.key, origin.public, signature.signature)
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        archive.writestr(_member(MANIFEST), body)
        archive.writestr(_member(SIGNATURE), msgspec.json.encode(signed))
    return manifest


@contextmanager
def as_it_stands() -> Iterator[None]:
    """Give the block a snapshot of the database that blocks no writer."""
    if connection.in_atomic_block:
        yield
        return
    if connection.vendor == "postgresql":
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
        return
    mode: Any = getattr(connection, "transaction_mode", None)
    connection.transaction_mode = "DEFERRED"  # type: ignore[attr-defined]
    try:
        with transaction.atomic():
            yield
    finally:
        connection.transaction_mode = mode  # type: ignore[attr-defined]


def rows_of(
    table: ExportTable, scope: Scope, people: Mapping[int, Person]
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table as the archive holds them. One query.

    Raises StateConflict (`subject-went-on`) for a person who is not in ``people``.
    """
    campaigns = (
        set(scope.rows["campaigns"].values_list("pk", flat=True))
        if table.name == "campaigns"
        else set()
    )
    for row in plain_rows(table, scope.rows[table.name]):
        if table.name == "campaigns" and row["follows"] not in campaigns:
            row["follows"] = None
        for column in table.people:
            if row[column] is not None:
                row[column] = _reference(people, row[column])
        yield row


def plain_rows(table: ExportTable, queryset: Any) -> Iterator[dict[str, Any]]:
    """Yield rows like ``rows_of``, with the ids of accounts instead of references.

    Takes one query, and two for the activity log.
    """
    queryset = with_open(table.name, queryset)
    columns = {name: table.attribute(name) for name in table.sent}
    if table.name == "audit":
        queryset = queryset.as_told(installation())
        columns |= {"origin": "told_origin", "number": "told_number"}
    queryset = queryset.order_by(*(columns[name] for name in table.key))
    names = [*columns.values(), *((OPEN,) if table.secret else ())]
    for values in queryset.values_list(*names).iterator(chunk_size=CHUNK):
        row = dict(zip((*table.sent, OPEN), values, strict=False))
        if table.secret and not row.pop(OPEN):
            row |= dict.fromkeys(table.secret)
        if table.name == "battles" and row["confirmed_at"] is None:
            # The log of a battle that was never confirmed may have new entries after its seal.
            row["log_seal"] = None
        if "recorded_as" in row:
            row["recorded_as"] = _recorded_as(table, row)
        if table.name == "pictures":
            row |= {size: member_of(row["id"], size, row[size]) for size in ("large", "small")}
        yield row


def _recorded_as(table: ExportTable, row: Mapping[str, Any]) -> Any:
    """Return how the seal names the user who recorded a row.

    This is the name used on another installation, or else the account's id here.
    """
    if row["recorded_as"] is not None:
        return row["recorded_as"]
    if table.name == "chronicle":
        return f"{row['recorded_at'].timestamp():.6f} {row['recorded_by'] or '-'}"
    return row["recorded_by"]


def _reference(people: Mapping[int, Person], user_id: int) -> UUID:
    if user_id not in people:
        sentence = gettext("Someone joined while the archive was being written. Export again.")
        raise StateConflict("subject-went-on", sentence)
    return people[user_id].reference


def member_of(picture: UUID, size: str, name: str) -> str:
    """Return the name in the archive of a picture's stored file."""
    return f"pictures/{picture}-{size}{PurePosixPath(name).suffix}"


def _people_in(scope: Scope) -> set[int]:
    """Return the ids of the accounts that the rows name. One query per column."""
    account_ids: set[int] = set()
    for table in TABLES:
        for column in table.people:
            rows = scope.rows[table.name].order_by().filter(**{f"{column}__isnull": False})
            account_ids.update(rows.values_list(table.attribute(column), flat=True).distinct())
    return account_ids


def cell_of(value: Any) -> str:
    """Return the content of a CSV cell: JSON for structured values, and never a formula."""
    if value is None:
        return ""
    if isinstance(value, str):
        return no_formula(value)
    text = msgspec.json.encode(value, order="deterministic").decode()
    return text.strip('"') if not isinstance(value, dict | list) else text


class _Writer:
    """The writer of one archive."""

    def __init__(
        self,
        archive: zipfile.ZipFile,
        scope: Scope,
        people: Mapping[int, Person],
        report_progress: ReportProgress,
    ) -> None:
        self._archive, self._scope, self._people, self._told = (
            archive,
            scope,
            people,
            report_progress,
        )
        self._members: list[Member] = []
        self._counts: list[TableCount] = []
        self._heads: list[Head] = []
        self._battles: list[Head] = []
        self._pictures: list[tuple[str, str]] = []
        self._lost = 0

    def write_all(self) -> None:
        """Write everything but the manifest."""
        self._whole(README, READ_ME.encode())
        named = sorted(self._people.values(), key=lambda person: person.reference.bytes)
        self._whole(PEOPLE, msgspec.json.encode(named))
        for done, table in enumerate(TABLES):
            self._told(done, len(TABLES) + 1)
            self._table(table)
        self._told(len(TABLES), len(TABLES) + 1)
        for member, stored in self._pictures:
            with default_storage.open(stored) as content:
                self._copy(member, content)
        self._told(len(TABLES) + 1, len(TABLES) + 1)

    def manifest(self, origin: str) -> Manifest:
        """Return the manifest of what was written."""
        lost = (Omission("pictures", self._lost, "file-is-lost"),) if self._lost else ()
        return Manifest(
            format=FORMAT,
            version=VERSION,
            kind=self._scope.kind,
            subject=self._scope.subject,
            name=self._scope.name,
            muster=settings.VERSION,
            made_at=timezone.now(),
            origin=origin,
            tables=tuple(self._counts),
            members=tuple(sorted(self._members, key=lambda member: member.name)),
            heads=tuple(self._heads),
            battles=tuple(self._battles),
            left_out=(*self._scope.left_out, *lost),
        )

    def _table(self, table: ExportTable) -> None:
        """Write the rows, the CSV and the schema of one table."""
        number = 0
        with ExitStack() as stack:
            spooled = stack.enter_context(tempfile.SpooledTemporaryFile(SPOOLED))
            text = io.TextIOWrapper(spooled, encoding="utf-8", newline="", write_through=True)
            sheet = csv.writer(text)
            sheet.writerow(table.sent)
            with self._open(f"data/{table.name}.jsonl") as write:
                for row in rows_of(table, self._scope, self._people):
                    if not self._noted(table, row):
                        continue
                    write(msgspec.json.encode(row, order="deterministic") + b"\n")
                    sheet.writerow([cell_of(row[name]) for name in table.sent])
                    number += 1
            text.flush()
            spooled.seek(0)
            self._copy(f"csv/{table.name}.csv", spooled)
            text.detach()
        self._counts.append(TableCount(table.name, number))
        schema = msgspec.json.format(msgspec.json.encode(schema_of(table.name)), indent=2)
        self._whole(f"schema/{table.name}.json", schema)

    def _noted(self, table: ExportTable, row: Mapping[str, Any]) -> bool:
        """Keep what the manifest or the picture files need of a row.

        Return whether the row is exported: a picture without its files is not.
        """
        if table.name == "warbands":
            self._heads.append(Head(row["id"], row["sequence"], row["head_seal"]))
        if table.name == "battles" and row["log_seal"]:
            self._battles.append(Head(row["id"], row["last_sequence"], row["log_seal"]))
        if table.name != "pictures":
            return True
        stored = self._stored[row["id"]]
        if not all(default_storage.exists(name) for name in stored):
            self._lost += 1
            return False
        self._pictures += zip((row["large"], row["small"]), stored, strict=True)
        return True

    @property
    def _stored(self) -> Mapping[UUID, tuple[str, str]]:
        """The stored file names of the pictures, by id. One query, on the first access."""
        if not hasattr(self, "_names"):
            rows = self._scope.rows["pictures"].values_list("id", "large", "small")
            self._names = {key: (large, small) for key, large, small in rows}
        return self._names

    def _whole(self, name: str, content: bytes) -> None:
        self._copy(name, io.BytesIO(content))

    def _copy(self, name: str, content: Any) -> None:
        with self._open(name) as write:
            shutil.copyfileobj(content, _Sink(write))

    @contextmanager
    def _open(self, name: str) -> Iterator[Callable[[bytes], None]]:
        """Open a member for writing piece by piece, and note its length and hash."""
        digest, size = hashlib.sha256(), 0
        with self._archive.open(_member(name), "w", force_zip64=False) as member:

            def write(piece: bytes) -> None:
                nonlocal size
                digest.update(piece)
                size += len(piece)
                member.write(piece)

            yield write
        self._members.append(Member(name, size, digest.hexdigest()))


class _Sink:
    """The target of ``copyfileobj``."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self.write = write


def _member(name: str) -> zipfile.ZipInfo:
    """Return a zip member without a time."""
    info = zipfile.ZipInfo(name, EPOCH)
    info.compress_type = (
        zipfile.ZIP_STORED if name.startswith("pictures/") else zipfile.ZIP_DEFLATED
    )
    info.external_attr = 0o644 << 16
    info.create_system = 3
    return info
