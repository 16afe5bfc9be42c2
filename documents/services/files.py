"""Files of documents and parts: what is no longer wanted goes, once the database knows."""

from functools import partial
from pathlib import PurePosixPath
from uuid import UUID

from django.core.files.storage import default_storage
from django.db import transaction
from django.utils import timezone

from documents.models import DocumentPart
from documents.services.claims import claim_limit


def forget_parts(document_id: UUID) -> None:
    """Delete the parts of a document, and their files after the commit."""
    parts = DocumentPart.objects.filter(document=document_id)
    names = list(parts.exclude(file="").values_list("file", flat=True))
    parts.delete()
    transaction.on_commit(partial(_delete, names))


def forget_other_files(kept: str, *, old: str | None) -> None:
    """Delete the file that ``kept`` has replaced, and what dead workers left beside it.

    A file that nobody refers to yet may be that of a worker who is just about to say so: it is left alone until no
    claim can stand any more. Where the file that was replaced had gone, the new one may bear its name.
    """
    folder = PurePosixPath(kept).parent
    _, names = default_storage.listdir(str(folder))
    others = (str(folder / name) for name in names)
    _delete([name for name in others if name != kept and (name == old or _abandoned(name))])


def _abandoned(name: str) -> bool:
    return default_storage.get_modified_time(name) < timezone.now() - claim_limit()


def _delete(names: list[str]) -> None:
    for name in names:
        default_storage.delete(name)
