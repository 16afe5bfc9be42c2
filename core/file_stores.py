"""The store of documents, pictures and archives: folders on a disk, or a bucket (``core.buckets``).

Both have Django's interface for storages, and the two methods of ``FileStore``. A store that cannot
be used raises OSError; a bucket raises its subclass StoreError.
"""

import logging
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Protocol, cast

from django.conf import settings
from django.core.files.storage import FileSystemStorage, default_storage

PART = ".restoring"
"""The suffix of a file on the disk that is being replaced."""

logger = logging.getLogger("muster.files")


class StoreError(OSError):
    """The store does not answer, or refuses: requests get 503, and tasks are retried."""


class FileStore(Protocol):
    """The methods that both stores have in addition to Django's."""

    def names(self) -> Iterator[str]:
        """Yield the names of all files, in order."""

    def replace(self, name: str, content: IO[bytes]) -> None:
        """Store a file under exactly this name. Nobody ever reads a part of it."""


class DiskStorage(FileSystemStorage):
    """Files in ``FILES_DIR``."""

    def names(self) -> Iterator[str]:
        """Yield the names of all files, in order."""
        root = Path(self.location)
        for file in sorted(root.rglob("*")):
            if file.is_file() and not file.name.endswith(PART):
                yield file.relative_to(root).as_posix()

    def replace(self, name: str, content: IO[bytes]) -> None:
        """Write a temporary file first and rename it, so that nobody reads a part of it."""
        file = Path(self.path(name))
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_name(file.name + PART)
        with part.open("wb") as target:
            shutil.copyfileobj(content, target)
        part.replace(file)


def note_fault(error: OSError) -> None:
    """Log why a request could not use the store."""
    logger.error("The file store cannot be used: %s", error)


def file_store() -> FileStore:
    """Return the store that this installation uses."""
    return cast("FileStore", default_storage)


def delete_quietly(name: str) -> None:
    """Delete a file that no row refers to any more.

    If the store fails, the file stays for the nightly sweep: nobody who deleted a row has to know.
    """
    try:
        default_storage.delete(name)
    except OSError as error:
        logger.warning("%s could not be deleted, and is swept later: %s", name, error)


@contextmanager
def local_copy(file: IO[Any]) -> Iterator[IO[Any]]:
    """Yield an open file for reading here and there: a copy on the disk of one in a bucket.

    Every jump in a file of a bucket is another request.
    """
    if not settings.S3_BUCKET:
        yield file
        return
    with tempfile.TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR) as copy:
        shutil.copyfileobj(file, copy)
        copy.seek(0)
        yield copy
