"""The archive of a member's own data, streamed while it is read, and the limit on requesting it."""

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

from accounts.data_export.tables import OWN_DATA_TABLES, ExportedTable
from pictures.models import Picture

PIECE = 500
"""The number of rows read at a time."""
BYTES = 256 * 1024
"""The number of bytes of a file read at a time."""
MAX_SHOWN = 100
"""The maximum number of rows of a table in the overview."""
FORMAT = 1
"""The format of the archive. It increases when readers of the archive must change."""


class Section(Struct):
    """One table in the overview."""

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
    """A file object that a zip is written to, whose pieces can be read. It cannot seek."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, piece: bytes) -> int:
        self._pieces.append(bytes(piece))
        return len(piece)

    def flush(self) -> None:
        """Do nothing: nothing is buffered."""

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def drain(self) -> bytes:
        """Return the bytes written since the last call."""
        written, self._pieces = b"".join(self._pieces), []
        return written


def archive_name(user: User) -> str:
    """Return the file name of the archive, from the account's id and the day."""
    return f"muster-{user.pk}-{timezone.localdate():%Y-%m-%d}.zip"


def own_data(user: User) -> Iterator[bytes]:
    """Yield everything that Muster stores about a user, as a zip in pieces.

    Makes one query for each table. The zip has a JSON list for each table, the files of pictures,
    and an overview in the language that is active now: the pieces are made after the request has
    ended.
    """
    sections = [Section(str(table.title), f"{table.file}.json") for table in OWN_DATA_TABLES]
    return _pieces(user, sections, get_language() or "en-gb")


def _pieces(user: User, sections: list[Section], language: str) -> Iterator[bytes]:
    pipe, now = _Pipe(), timezone.now()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        for table, section in zip(OWN_DATA_TABLES, sections, strict=False):
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
    """Return the HTML page of the archive for people."""
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
    """Write a JSON list, and yield after each piece so that it can be sent."""
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
    """Write the files of all pictures that the user has uploaded and that still exist."""
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
    """The limit on a member's archives (``THROTTLE_OWN_DATA``), for pages and API together."""

    scope = "own-data"


def data_answer(user: User) -> StreamingHttpResponse:
    """Return a response with everything that Muster stores about a user. No copy is kept."""
    name = archive_name(user)
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return StreamingHttpResponse(own_data(user), content_type="application/zip", headers=headers)
