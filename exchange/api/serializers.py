"""Input and output of the endpoints of archives."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec
from django.urls import reverse
from msgspec import Struct
from rest_framework import serializers

from core.api.strict_input import ExactSerializer
from exchange.archive_contents import Contents
from exchange.archive_structs import ArchivePreview, ImportedArchive
from exchange.models import ArchiveKind, Export, ExportState, Import, ImportState
from exchange.services.imports import preview_of
from rulebook.values.described import closed

ASKED: dict[str, Any] = {"kind": "club", "subject": "5b0d8f0a-1d4b-4f40-9a9e-7a2c0c1d9f10"}
BOB = "8c9b3f70-2f61-4a6e-b7b0-50a6b1e2c9d4"
ORIGIN = "6f2704c9a3d15b8e7c60f1d2a94be853"


class ExportAnswer(Struct, frozen=True, kw_only=True):
    """An export.

    ``file`` is its address, null while there is none; ``progress`` is percent; ``size`` bytes;
    ``sha256`` of the file; ``contents`` lists what is in it, null until it is ready.
    """

    id: UUID
    kind: Annotated[str, closed("ExportKindEnum", ArchiveKind)]
    subject: UUID
    name: str
    state: Annotated[str, closed("ExportState", ExportState)]
    progress: int
    failure: str
    size: int
    sha256: str
    file: str | None
    contents: Contents | None
    asked_at: datetime
    finished_at: datetime | None
    expires_at: datetime | None


class ImportRow(Struct, frozen=True, kw_only=True):
    """An import in a list. ``importable``: whether it was checked without errors."""

    id: UUID
    name: str
    state: Annotated[str, closed("ImportState", ImportState)]
    failure: str
    size: int
    club: UUID | None
    importable: bool
    asked_at: datetime
    finished_at: datetime | None
    expires_at: datetime | None


class ImportAnswer(ImportRow, frozen=True, kw_only=True):
    """An import:

    ``preview`` is what it would add, null until it is checked; ``result`` what it added, null until
    it is done.
    """

    preview: ArchivePreview | None
    result: ImportedArchive | None


READY: dict[str, Any] = {
    "id": "c1f7a1de-52c4-4c62-8f0a-3c4a4f0b7e21",
    **ASKED,
    "name": "The Friday Swords",
    "state": "ready",
    "progress": 100,
    "failure": "",
    "size": 449658,
    "sha256": "6f2704c9a3d15b8e7c60f1d2a94be85306f2704c9a3d15b8e7c60f1d2a94be85",
    "file": "/api/v1/exports/c1f7a1de-52c4-4c62-8f0a-3c4a4f0b7e21/file/",
    "contents": {
        "version": 1,
        "muster": "1.0.0",
        "made_at": "2030-01-31T20:00:01Z",
        "origin": ORIGIN,
        "tables": [{"name": "clubs", "rows": 1}, {"name": "warbands", "rows": 12}],
        "files": 61,
        "left_out": [{"what": "orders", "number": 2, "why": "still-sealed"}],
    },
    "asked_at": "2030-01-31T20:00:00Z",
    "finished_at": "2030-01-31T20:00:07Z",
    "expires_at": "2030-02-07T20:00:07Z",
}
QUEUED: dict[str, Any] = READY | {
    "state": "queued",
    "progress": 0,
    "size": 0,
    "sha256": "",
    "file": None,
    "contents": None,
    "finished_at": None,
    "expires_at": None,
}
UPLOADED: dict[str, Any] = {
    "id": "0d3f9c5e-6a41-4f0e-9d1c-2b7b1c0f6a55",
    "name": "The Friday Swords.muster.zip",
    "state": "uploaded",
    "failure": "",
    "size": 449658,
    "club": None,
    "preview": None,
    "importable": False,
    "result": None,
    "asked_at": "2030-02-01T20:00:00Z",
    "finished_at": None,
    "expires_at": "2030-02-02T20:00:00Z",
}
MADE: list[dict[str, Any]] = [{"kind": "club", "id": ASKED["subject"], "name": READY["name"]}]
CHECKED: dict[str, Any] = UPLOADED | {
    "state": "checked",
    "importable": True,
    "preview": {
        **ASKED,
        "name": READY["name"],
        "muster": "1.0.0",
        "made_at": "2030-01-31T20:00:01Z",
        "signer": {
            "standing": "trusted",
            "fingerprint": ORIGIN,
            "name": "The club of the next town",
        },
        "made": MADE,
        "here": [],
        "counts": READY["contents"]["tables"],
        "people": [
            {
                "reference": BOB,
                "name": "bob",
                "user": None,
                "user_name": "",
                "places": [{"name": "memberships", "rows": 1}],
            }
        ],
        "notices": [],
        "refused": [],
        "left_out": [],
        "digest": "06f2704c9a3d15b8e7c60f1d2a94be8506f2704c9a3d15b8e7c60f1d2a94be85",
    },
}
RUNNING: dict[str, Any] = CHECKED | {"state": "running"}
PEOPLE: dict[str, Any] = {"people": {BOB: "bob"}}


class ExportSerializer(ExactSerializer):
    """The subject of an export."""

    kind = serializers.ChoiceField(ArchiveKind.choices)
    subject = serializers.UUIDField(help_text="The id of the warband, campaign or club.")


class ArchiveUploadSerializer(ExactSerializer):
    """An archive, as `multipart/form-data`."""

    file = serializers.FileField(
        allow_empty_file=True, help_text="A file that was exported from Muster."
    )


class PeopleSerializer(ExactSerializer):
    """The accounts of people in an archive."""

    people = serializers.DictField(
        child=serializers.CharField(max_length=150, allow_null=True),
        help_text="User names here, by the references of the preview: yourself, or members of "
        "clubs that you organise. With null, or without an entry, a person becomes a guest player.",
    )
    club = serializers.UUIDField(
        required=False,
        allow_null=True,
        default=None,
        help_text="For a campaign's archive: a club that you organise. Null: Muster creates "
        "the campaign's own club.",
    )


def export_answer(export: Export) -> ExportAnswer:
    """Return an export for the API."""
    return ExportAnswer(
        id=export.pk,
        kind=export.kind,
        subject=export.subject,
        name=export.name,
        state=export.state,
        progress=export.progress,
        failure=export.failure,
        size=export.size,
        sha256=export.sha256,
        file=reverse("export-file", args=[export.pk]) if export.file else None,
        contents=msgspec.convert(export.contents, Contents) if export.contents else None,
        asked_at=export.asked_at,
        finished_at=export.finished_at,
        expires_at=export.expires_at,
    )


def import_row(brought: Import) -> ImportRow:
    """Return an import in a list for the API."""
    return ImportRow(**_import_body(brought, preview_of(brought) if brought.preview else None))


def import_answer(brought: Import) -> ImportAnswer:
    """Return an import for the API."""
    preview = preview_of(brought) if brought.preview else None
    result = msgspec.convert(brought.result, ImportedArchive) if brought.result else None
    return ImportAnswer(**_import_body(brought, preview), preview=preview, result=result)


def _import_body(brought: Import, preview: ArchivePreview | None) -> dict[str, Any]:
    columns = ("name", "state", "failure", "size", "club", "asked_at", "finished_at", "expires_at")
    importable = preview is not None and preview.importable
    return {
        "id": brought.pk,
        "importable": importable,
        **{name: getattr(brought, name) for name in columns},
    }
