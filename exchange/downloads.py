"""Downloads of archives, tables, passports and keys, and the limit on uploads."""

import zipfile
from typing import IO, TypeVar

from django.contrib.auth.models import User
from django.http import FileResponse, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header
from django.utils.translation import gettext
from rest_framework.throttling import UserRateThrottle

from core.errors import NotFound, StateConflict
from documents.downloads import safe_stem
from exchange.models import Export
from exchange.services.exports import open_export

Answer = TypeVar("Answer", bound=HttpResponseBase)


def export_answer(*, user: User, export: Export) -> FileResponse:
    """Return the whole archive as a download. Raises the errors of ``open_export``."""
    file = open_export(user=user, export=export)
    return _attached(file, f"{_stem(export)}.muster.zip", "application/zip")


def table_answer(*, user: User, export: Export, table: str) -> FileResponse:
    """Return one table of the archive as CSV, streamed from the zip.

    Raises the errors of ``open_export``, and NotFound (`unknown-table`).
    """
    file = open_export(user=user, export=export)
    try:
        archive = zipfile.ZipFile(file)
    except zipfile.BadZipFile as error:
        file.close()
        raise StateConflict("not-ready", gettext("The file is damaged. Export again.")) from error
    try:
        member = archive.open(f"csv/{table}.csv")
    except (KeyError, zipfile.BadZipFile) as error:
        file.close()
        raise NotFound("unknown-table", gettext("Table not found in this archive.")) from error
    answer = _attached(member, f"{_stem(export)} - {table}.csv", "text/csv; charset=utf-8")
    # The response still reads from the zip, so the file is closed only when the response is
    # closed.
    answer._resource_closers.append(file.close)  # type: ignore[attr-defined]
    return answer


def json_answer(content: bytes, name: str, ending: str) -> HttpResponse:
    """Return a small JSON file as a download. Its name is ``name`` plus ``ending``."""
    answer = HttpResponse(content, content_type="application/json")
    answer["Content-Disposition"] = (
        content_disposition_header(True, f"{safe_stem(name) or 'muster'}{ending}") or ""
    )
    return _private(answer)


def _stem(export: Export) -> str:
    """Return the subject's name without characters that are unsafe in a file name."""
    return safe_stem(export.name) or export.kind


def _attached(file: IO[bytes], name: str, content_type: str) -> FileResponse:
    return _private(
        FileResponse(file, as_attachment=True, filename=name, content_type=content_type)
    )


def _private(answer: Answer) -> Answer:
    answer.headers["Cache-Control"] = "private, no-store"
    answer.headers["X-Content-Type-Options"] = "nosniff"
    return answer


class ArchiveThrottle(UserRateThrottle):
    """The upload limit per member (``THROTTLE_ARCHIVES``), for pages and API together."""

    scope = "archives"
