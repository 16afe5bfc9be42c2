"""Limits of uploads: the size of a picture, and the uploads of a member in a period."""

from io import BytesIO
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import InMemoryUploadedFile, UploadedFile
from django.core.files.uploadhandler import FileUploadHandler
from rest_framework.throttling import UserRateThrottle

from pictures.services.decoding import MAX_BYTES


def most_bytes(request: Any) -> int:
    """Return the most bytes that a request may upload.

    For a signed-in user, it is the limit of the view (``upload_limit``, the name of a setting), if
    any. Otherwise it is the limit of a picture.
    """
    match = getattr(request, "resolver_match", None)
    view = getattr(match, "func", None)
    name = getattr(getattr(view, "cls", view), "upload_limit", "")
    return getattr(settings, name) if name and request.user.is_authenticated else MAX_BYTES


class LimitedUpload(FileUploadHandler):
    """Discard bytes beyond the limit of a request, for all its files together.

    The size of a discarded file is still the size that was sent, so that a form can report the
    error.
    """

    def __init__(self, request: Any = None) -> None:
        super().__init__(request)
        self.taken = 0
        self.most = most_bytes(request)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        """Return the chunk for the next handlers, or None beyond the limit."""
        self.taken += len(raw_data)
        return raw_data if self.taken <= self.most else None

    def file_complete(self, file_size: int) -> UploadedFile | None:
        """Return an empty file with the size that was sent if it was too large, else None."""
        if self.taken <= self.most:
            return None
        return InMemoryUploadedFile(
            BytesIO(), self.field_name, self.file_name, self.content_type, file_size, self.charset
        )


class UploadThrottle(UserRateThrottle):
    """The limit of uploads of one member (``THROTTLE_PICTURES``), by pages and API together."""

    scope = "pictures"
