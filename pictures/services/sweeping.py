"""Delete unused pictures: those without a subject, and files without a row.

A process that dies while it stores a picture leaves such files.
"""

from datetime import timedelta
from uuid import UUID

from django.core.files.storage import default_storage
from django.db import transaction
from django.utils import timezone

from core.jobs.stored_files import folders_in
from pictures.models import Picture
from pictures.services.files import FOLDER, delete_files, forget_pictures

PATIENCE = timedelta(hours=1)
"""The time that a file may wait for its row, and a picture for its subject."""


def sweep_pictures() -> int:
    """Delete pictures without a subject, then files without a row.

    Return the number of deleted pictures and folders.
    """
    with transaction.atomic():
        lost = Picture.objects.without_subject().filter(added_at__lt=timezone.now() - PATIENCE)
        swept = forget_pictures(lost)
    return swept + sum(_sweep_folder(f"{FOLDER}/{name}") for name in folders_in(FOLDER))


def _sweep_folder(parent: str) -> int:
    keys = {name: UUID(name) for name in folders_in(parent)}
    existing = set(Picture.objects.filter(pk__in=keys.values()).values_list("pk", flat=True))
    swept = 0
    for name, key in keys.items():
        _, files = default_storage.listdir(f"{parent}/{name}")
        paths = [f"{parent}/{name}/{file}" for file in files]
        if key not in existing and all(_is_old(path) for path in paths):
            delete_files(key, paths)
            swept += 1
    return swept


def _is_old(path: str) -> bool:
    return default_storage.get_modified_time(path) < timezone.now() - PATIENCE
