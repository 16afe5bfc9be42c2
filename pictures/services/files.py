"""Files of pictures, in the documents' storage.

They are written before their row, and deleted after the row's deletion is committed.
"""

from collections.abc import Iterable
from functools import partial
from uuid import UUID

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction

from pictures.models import SIZES, Picture
from pictures.services.decoding import Decoded

FOLDER = "pictures"


def folder_of(picture: UUID) -> str:
    """Return the folder of a picture's files."""
    return f"{FOLDER}/{picture.hex[:2]}/{picture}"


def store_files(picture: UUID, decoded: Decoded) -> dict[str, str]:
    """Store both sizes and return their file names by size.

    The names contain a part of the content's hash, and no text from users.
    """
    named = named_files(picture, decoded.digest, decoded.ending)
    contents = {"large": decoded.large.content, "small": decoded.small.content}
    return {
        size: default_storage.save(name, ContentFile(contents[size]))
        for size, name in named.items()
    }


def named_files(picture: UUID, digest: str, ending: str) -> dict[str, str]:
    """Return the file names of both sizes, by size."""
    return {size: f"{folder_of(picture)}/{digest[:16]}-{size}.{ending}" for size in SIZES}


def forget_pictures(pictures: Iterable[Picture]) -> int:
    """Delete pictures, and their files after the commit. Return the number of pictures."""
    gone = list(pictures)
    Picture.objects.filter(pk__in=[picture.pk for picture in gone]).delete()
    for picture in gone:
        transaction.on_commit(
            partial(delete_files, picture.pk, [str(picture.large), str(picture.small)])
        )
    return len(gone)


def delete_files(picture: UUID, names: Iterable[str]) -> None:
    """Delete files of a picture and their folder."""
    for name in (*names, folder_of(picture)):
        default_storage.delete(name)
