"""Archives for tests: write them to memory, take them apart, change them, and put them together."""

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any
from uuid import UUID

import msgspec
from django.contrib.auth.models import User
from django.db import transaction

from exchange.archive_structs import (
    MANIFEST,
    PEOPLE,
    SIGNATURE,
    ArchivePreview,
    Manifest,
    Member,
    SignedBy,
)
from exchange.services.import_rows import preview_archive
from exchange.services.write_archive import write_archive
from exchange.signing import public_key, sign

Files = dict[str, bytes]
People = dict[str, int | None]


class Undone(Exception):
    """Raised to roll a transaction back."""


def archive_of(kind: str, subject: Any, user: User) -> bytes:
    """Return the archive of a row, or of the row with an id."""
    file = io.BytesIO()
    key = subject if isinstance(subject, UUID) else subject.pk
    write_archive(
        kind=kind, subject_id=key, user=user, file=file, report_progress=lambda done, whole: None
    )
    return file.getvalue()


def written_and_gone(make: Callable[[], tuple[str, Any, User]]) -> bytes:
    """Return the archive of what ``make`` creates, and roll the creation back."""
    kept = b""
    try:
        with transaction.atomic():
            kept = archive_of(*make())
            raise Undone
    except Undone:
        return kept


def preview_of(
    archive: bytes, user: User, people: People | None = None, **more: Any
) -> ArchivePreview:
    """Return the preview of an import."""
    return preview_archive(file=io.BytesIO(archive), user=user, people=people or {}, **more)


def reference_of(archive: bytes, name: str) -> str:
    """Return the reference of the person with this name."""
    (reference,) = [
        person["reference"]
        for person in json.loads(files_in(archive)[PEOPLE])
        if person["name"] == name
    ]
    return str(reference)


def files_in(archive: bytes) -> Files:
    """Return every member by its name."""
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def data_in(archive: bytes) -> Files:
    """Return the members that depend only on the data."""
    return {
        name: content
        for name, content in files_in(archive).items()
        if name not in (MANIFEST, SIGNATURE)
    }


def rows_in(files: Mapping[str, bytes], table: str) -> list[dict[str, Any]]:
    """Return the rows of a table."""
    return [json.loads(line) for line in files[f"data/{table}.jsonl"].splitlines()]


def manifest_in(files: Mapping[str, bytes]) -> Manifest:
    """Return the manifest."""
    return msgspec.json.decode(files[MANIFEST], type=Manifest)


def signature_in(files: Mapping[str, bytes]) -> SignedBy:
    """Return the signature."""
    return msgspec.json.decode(files[SIGNATURE], type=SignedBy)


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return the files as an archive, whatever they are."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in files.items():
            opened.writestr(name, content)
    return file.getvalue()


def signed_anew(files: Files, **changes: Any) -> bytes:
    """Return the files as an archive with a matching manifest, signed with the key here.

    This is what a forger with a key of their own can do.
    """
    data = {name: content for name, content in files.items() if name not in (MANIFEST, SIGNATURE)}
    manifest = manifest_in(files)
    heads = tuple(
        {"id": row["id"], "entries": row["sequence"], "seal": row["head_seal"]}
        for row in rows_in(files, "warbands")
    )
    new_manifest = {
        **msgspec.to_builtins(manifest),
        "members": [
            Member(name, len(body), sha256(body).hexdigest()) for name, body in sorted(data.items())
        ],
        "tables": [
            {"name": each.name, "rows": len(rows_in(files, each.name))} for each in manifest.tables
        ],
        "heads": heads,
        **changes,
    }
    body = msgspec.json.encode(new_manifest)
    signature = sign(body)
    signed = SignedBy(signature.key, public_key().public, signature.signature)
    return zipped({**data, MANIFEST: body, SIGNATURE: msgspec.json.encode(signed)})


def with_rows(files: Files, **tables: list[dict[str, Any]]) -> Files:
    """Return the files with other rows in some tables."""
    fresh = {
        f"data/{name}.jsonl": b"".join(
            msgspec.json.encode(row, order="deterministic") + b"\n" for row in rows
        )
        for name, rows in tables.items()
    }
    return {**files, **fresh}


def changed(archive: bytes, table: str, change: Callable[[list[dict[str, Any]]], Any]) -> bytes:
    """Return the archive after a forger has changed a table, with a matching manifest."""
    files = files_in(archive)
    rows = rows_in(files, table)
    change(rows)
    return signed_anew(with_rows(files, **{table: rows}))
