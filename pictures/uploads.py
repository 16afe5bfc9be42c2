"""Limits of uploads: how large a picture may be, and how often one member may upload."""

from io import BytesIO
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import InMemoryUploadedFile, UploadedFile
from django.core.files.uploadhandler import FileUploadHandler
from rest_framework.throttling import UserRateThrottle

from pictures.services.decoding import MAX_BYTES


def most_bytes(request: Any) -> int:
    """What a request may bring: for whoever is signed in as much as its view takes
    (``upload_limit``, the name of a setting), else a picture."""
    match = getattr(request, "resolver_match", None)
    view = getattr(match, "func", None)
    name = getattr(getattr(view, "cls", view), "upload_limit", "")
    return getattr(settings, name) if name and request.user.is_authenticated else MAX_BYTES


class LimitedUpload(FileUploadHandler):
    """Takes what goes beyond the limit of a request, for all its files together.

    Of a file that is cut off its true size is told, so that whoever reads it can say what was
    wrong.
    """

    def __init__(self, request: Any = None) -> None:
        super().__init__(request)
        self.taken = 0
        self.most = most_bytes(request)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        """The chunk for the handlers that keep it, None beyond the limit."""
        self.taken += len(raw_data)
        return raw_data if self.taken <= self.most else None

    def file_complete(self, file_size: int) -> UploadedFile | None:
        """An empty file of the size that was sent, if that was too much."""
        if self.taken <= self.most:
            return None
        return InMemoryUploadedFile(
            BytesIO(), self.field_name, self.file_name, self.content_type, file_size, self.charset
        )


class UploadThrottle(UserRateThrottle):
    """So many uploads of one member (``THROTTLE_PICTURES``), by pages and API together."""

    scope = "pictures"
