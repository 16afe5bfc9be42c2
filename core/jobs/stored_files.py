"""Files that jobs create: stored before the row refers to them, and deleted when no row needs
them."""

import logging
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any
from uuid import UUID

from django.core.files import File
from django.core.files.storage import default_storage
from django.db.models import QuerySet
from django.db.models.fields.files import FieldFile
from django.utils import timezone

from core.file_stores import delete_quietly
from core.jobs.claims import claim_limit

logger = logging.getLogger("muster.files")


def store_file(
    file: FieldFile, name: str, content: "File[Any]", *, keep: Callable[[str], bool]
) -> str:
    """Store a file, then call ``keep`` to write its path to the row of ``file``. Return the path.

    If ``keep`` returns False because the claim is lost, delete the file again and return "". It is
    deleted as well if ``keep`` raises an error.
    """
    path = file.field.generate_filename(file.instance, name)
    stored: str = file.storage.save(path, content)
    kept = False
    try:
        kept = keep(stored)
    finally:
        if not kept:
            delete_quietly(stored)
    return stored if kept else ""


def forget_other_files(kept: str, *, old: str | None) -> None:
    """Delete the file that ``kept`` has replaced, and the files that dead workers left with it.

    A file that no row refers to may belong to a worker that is about to write its row, so it stays
    until no claim of that age can be valid. If the replaced file was already deleted, the new file
    may have the same name. If the store fails now, the next version of the file clears up.
    """
    folder = PurePosixPath(kept).parent
    try:
        _, names = default_storage.listdir(str(folder))
        others = [str(folder / name) for name in names]
        delete_files(
            name for name in others if name != kept and (name == old or not _is_young(name))
        )
    except OSError as error:
        logger.warning("Old files next to %s could not be deleted: %s", kept, error)


def delete_files(names: Iterable[str]) -> None:
    """Delete stored files. Raises OSError."""
    for name in names:
        default_storage.delete(name)


def sweep_folders(parent: str, rows: "QuerySet[Any]") -> int:
    """Delete the folders of jobs that have no row. Return how many. Young files may still get one.

    The files of a row are in a folder named by its key, inside a folder named by the first two
    letters of the key. Makes one query for each of those.
    """
    return sum(_sweep_shelf(f"{parent}/{name}", rows) for name in folders_in(parent))


def _sweep_shelf(shelf: str, rows: "QuerySet[Any]") -> int:
    """Sweep the folders that begin with the same two letters. One query."""
    keys = {name: key for name in folders_in(shelf) if (key := _key(name))}
    existing = set(rows.filter(pk__in=keys.values()).values_list("pk", flat=True))
    swept = 0
    for name in (name for name, key in keys.items() if key not in existing):
        files = list(_inside(f"{shelf}/{name}"))
        if not any(_is_young(path) for path, is_file in files if is_file):
            delete_files(path for path, _ in files)
            swept += 1
    return swept


def _inside(folder: str) -> Iterator[tuple[str, bool]]:
    """Yield the paths in a folder and whether each is a file: contents first, then the folder."""
    folders, files = default_storage.listdir(folder)
    for name in folders:
        yield from _inside(f"{folder}/{name}")
    for name in files:
        yield f"{folder}/{name}", True
    yield folder, False


def _is_young(path: str) -> bool:
    """Return whether the worker that wrote a file may still have its claim."""
    return default_storage.get_modified_time(path) > timezone.now() - claim_limit()


def folders_in(parent: str) -> list[str]:
    """Return the names of the folders in a folder, which need not exist: a bucket has no folders.

    One request to a bucket for each thousand.
    """
    try:
        return sorted(default_storage.listdir(parent)[0])
    except FileNotFoundError:
        return []


def _key(name: str) -> UUID | None:
    """Return the key of the row that a folder belongs to, or None if the folder is not ours."""
    try:
        return UUID(name)
    except ValueError:
        return None
