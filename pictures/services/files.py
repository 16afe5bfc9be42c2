"""Files of pictures, in the documents' storage.

They are written before their row, and deleted after the row's deletion is committed.
"""

import logging
from collections.abc import Collection, Iterable
from functools import partial
from uuid import UUID

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils.translation import gettext

from core.errors import Unavailable
from core.file_stores import delete_quietly
from pictures.models import SIZES, Picture
from pictures.services.decoding import Decoded
from pictures.subjects import PictureKind, clubs_of_subjects

FOLDER = "pictures"
logger = logging.getLogger("muster.files")


def folder_of(picture: UUID) -> str:
    """Return the folder of a picture's files."""
    return f"{FOLDER}/{picture.hex[:2]}/{picture}"


def store_files(picture: UUID, decoded: Decoded) -> dict[str, str]:
    """Store both sizes and return their file names by size.

    The names contain a part of the content's hash, and no text from users. Raises Unavailable
    (`store-unusable`), and then neither is stored.
    """
    named = named_files(picture, decoded.digest, decoded.ending)
    contents = {"large": decoded.large.content, "small": decoded.small.content}
    stored: dict[str, str] = {}
    try:
        for size, name in named.items():
            stored[size] = default_storage.save(name, ContentFile(contents[size]))
    except OSError as error:
        delete_files(picture, stored.values())
        logger.error("A picture cannot be stored: %s", error)
        raise Unavailable(
            "store-unusable",
            gettext("The store for pictures does not answer. Nothing was saved. Try again later."),
        ) from error
    return stored


def named_files(picture: UUID, digest: str, ending: str) -> dict[str, str]:
    """Return the file names of both sizes, by size."""
    return {size: f"{folder_of(picture)}/{digest[:16]}-{size}.{ending}" for size in SIZES}


def count_for_clubs(picture_ids: Collection[UUID]) -> None:
    """Count pictures for the clubs of their subjects, such as after an import.

    Two queries for each kind, and one for each club.
    """
    for kind in PictureKind:
        pictures = Picture.objects.filter(pk__in=picture_ids, kind=kind).order_by()
        clubs = clubs_of_subjects(kind, list(pictures.values_list("subject", flat=True)))
        for club in sorted(set(clubs.values())):
            subjects = [subject for subject, its_club in clubs.items() if its_club == club]
            pictures.filter(subject__in=subjects).update(club=club)


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
    """Delete files of a picture and their folder. What the store does not delete is swept later."""
    for name in (*names, folder_of(picture)):
        delete_quietly(name)
