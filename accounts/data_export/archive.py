"""The archive of a member's own data, streamed while it is read, and the limit of how often it can
be requested."""

import zipfile
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import msgspec
from django.contrib.auth.models import User
from django.core.files.storage import default_storage
from django.http import StreamingHttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import get_language, override
from msgspec import Struct
from rest_framework.throttling import UserRateThrottle

from accounts.data_export.tables import TOLD, ExportedTable
from pictures.models import Picture

PIECE = 500
"""Rows that are read at a time."""
BYTES = 256 * 1024
"""Of a file, at a time."""
MAX_SHOWN = 100
"""Rows of a table in the overview."""
FORMAT = 1
"""Goes up when a reader of the archive has to learn something new."""


class Section(Struct):
    """What the overview says of one table."""

    title: str
    file: str
    count: int = 0
    lines: list[str] = []

    def add(self, row: dict[str, Any], columns: tuple[str, ...]) -> None:
        """Count a row, and show it if it is one of the first."""
        self.count += 1
        if columns and len(self.lines) < MAX_SHOWN:
            self.lines.append(
                " · ".join(
                    _plain(row[column]) for column in columns if row[column] not in (None, "")
                )
            )


class _Pipe:
    """What a zip is written into, to be read from its other end. It cannot be gone back in."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, piece: bytes) -> int:
        self._pieces.append(bytes(piece))
        return len(piece)

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        """There is nothing to close."""

    def drain(self) -> bytes:
        """What has been written since the last time."""
        written, self._pieces = b"".join(self._pieces), []
        return written


def archive_name(user: User) -> str:
    """What the file is called: of the account and the day."""
    return f"muster-{user.pk}-{timezone.localdate():%Y-%m-%d}.zip"


def own_data(user: User) -> Iterator[bytes]:
    """All that Muster holds of somebody, as a zip in pieces. One query for each table and none for
    each row.

    A JSON list for each table, the files of pictures, and an overview for people in the language
    that is spoken now: what is sent piece by piece is made after the request has ended.
    """
    sections = [Section(str(table.title), f"{table.file}.json") for table in TOLD]
    return _pieces(user, sections, get_language() or "en-gb")


def _pieces(user: User, sections: list[Section], language: str) -> Iterator[bytes]:
    pipe, now = _Pipe(), timezone.now()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        for table, section in zip(TOLD, sections, strict=False):
            for _ in _write_rows(archive, section, _rows(table, user), table.line):
                yield pipe.drain()
        for _ in _write_pictures(archive, user):
            yield pipe.drain()
        about = {
            "format": FORMAT,
            "account": user.pk,
            "username": user.get_username(),
            "made_at": now,
        }
        archive.writestr("about.json", msgspec.json.encode(about))
        with override(language):
            archive.writestr("overview.html", overview(user, sections, now))
        yield pipe.drain()
    yield pipe.drain()


def overview(user: User, sections: list[Section], now: datetime) -> str:
    """The page in the archive that people read."""
    return render_to_string(
        "accounts/data_overview.html", {"user": user, "sections": sections, "now": now}
    )


def _rows(table: ExportedTable, user: User) -> Iterator[dict[str, Any]]:
    rows: Iterator[dict[str, Any]] = table.rows(user).values(*table.columns()).iterator(PIECE)
    return rows


def _write_rows(
    archive: zipfile.ZipFile,
    section: Section,
    rows: Iterator[dict[str, Any]],
    shown: tuple[str, ...],
) -> Iterator[None]:
    """Write a JSON list, and stop after each piece, so that it can be sent."""
    with archive.open(section.file, "w") as file:
        file.write(b"[")
        for row in rows:
            file.write(b",\n" if section.count else b"\n")
            file.write(msgspec.json.encode(row, enc_hook=str))
            section.add(row, shown)
            if section.count % PIECE == 0:
                yield
        file.write(b"\n]\n")
    yield


def _write_pictures(archive: zipfile.ZipFile, user: User) -> Iterator[None]:
    """The files of all pictures that somebody has uploaded and that are still there."""
    for key, name in (
        Picture.objects.filter(added_by=user)
        .order_by("pk")
        .values_list("pk", "large")
        .iterator(PIECE)
    ):
        if not default_storage.exists(name):
            continue
        inside = zipfile.ZipInfo(
            f"pictures/{key}.{name.rpartition('.')[2]}", date_time=(1980, 1, 1, 0, 0, 0)
        )
        with default_storage.open(name) as source, archive.open(inside, "w") as file:
            while piece := source.read(BYTES):
                file.write(piece)
                yield
        yield


def _plain(value: Any) -> str:
    return f"{value:%Y-%m-%d %H:%M}" if isinstance(value, datetime) else str(value)


class OwnDataThrottle(UserRateThrottle):
    """So many archives of one member (``THROTTLE_OWN_DATA``), by pages and API together."""

    scope = "own-data"


def data_answer(user: User) -> StreamingHttpResponse:
    """All that Muster holds of somebody, sent as it is read; kept nowhere on the way."""
    name = archive_name(user)
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return StreamingHttpResponse(own_data(user), content_type="application/zip", headers=headers)
