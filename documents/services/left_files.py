"""Files in the store of which no row knows: those of deleted documents, and what dead workers left behind."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.core.files.storage import default_storage
from django.db.models import QuerySet
from django.utils import timezone

from documents.models import Document
from documents.services.claims import claim_limit

FOLDER = "documents"


def sweep_files() -> int:
    """Delete the folders of documents that have no row; returns how many. A young file may still get its row."""
    return sweep_folders(FOLDER, Document.objects.all())


def sweep_folders(parent: str, rows: QuerySet[Any]) -> int:
    """As ``sweep_files``, for any rows that keep their files in a folder each, under the first two letters of its name.
    A query for each two letters."""
    return sum(_sweep_shelf(f"{parent}/{name}", rows) for name in _folders(parent))


def _sweep_shelf(shelf: str, rows: QuerySet[Any]) -> int:
    """As ``sweep_folders``, for the folders that begin with the same two letters. One query."""
    keys = {name: key for name in _folders(shelf) if (key := _key(name))}
    kept = set(rows.filter(pk__in=keys.values()).values_list("pk", flat=True))
    swept = 0
    for name in (name for name, key in keys.items() if key not in kept):
        found = list(_inside(f"{shelf}/{name}"))
        if not any(_is_young(path) for path, is_file in found if is_file):
            for path, _ in found:
                default_storage.delete(path)
            swept += 1
    return swept


def _inside(folder: str) -> Iterator[tuple[str, bool]]:
    """Everything in a folder and the folder itself, what is inside first, and whether it is a file."""
    folders, files = default_storage.listdir(folder)
    for name in folders:
        yield from _inside(f"{folder}/{name}")
    for name in files:
        yield f"{folder}/{name}", True
    yield folder, False


def _is_young(path: str) -> bool:
    return default_storage.get_modified_time(path) > timezone.now() - claim_limit()


def _folders(parent: str) -> list[str]:
    return sorted(default_storage.listdir(parent)[0]) if default_storage.exists(parent) else []


def _key(name: str) -> UUID | None:
    """The row to which a folder belongs; None for a folder that is not ours."""
    try:
        return UUID(name)
    except ValueError:
        return None
