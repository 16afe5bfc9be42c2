"""The response with a document's file, for the API and the pages."""

import re
import unicodedata

from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.http import parse_etags, quote_etag

from documents.models import Document, DocumentKind
from documents.services.stored_files import open_file

UNSAFE = re.compile(
    r"[\x00-\x1f\x7f-\x9f<>:\"/\\|?*\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]+"
)
LONGEST = 80


def safe_stem(name: str) -> str:
    """Return the start of a file name that every system accepts, or "" if nothing is left."""
    words = UNSAFE.sub(" ", unicodedata.normalize("NFC", name))
    return " ".join(words.split())[:LONGEST].strip(" .")


def file_name(document: Document) -> str:
    """Return a file name that every system accepts: the document's title and kind."""
    words = safe_stem(document.title)
    kind = DocumentKind(document.kind).label
    stem = f"{words} - {kind}" if words else kind
    return f"{stem}.{document.file_type.extension}"


def file_answer(request: HttpRequest, document: Document) -> FileResponse | HttpResponse:
    """Return the file, or "not modified" if the client has it. Raises as ``open_file`` does.

    The last finished file stays available while a newer one is made. The hash of its content is its
    ETag, because the same content always makes the same file.
    """
    tag = quote_etag(document.content_hash)
    if document.file and tag in parse_etags(request.headers.get("If-None-Match", "")):
        return _tagged(HttpResponseNotModified(), tag)
    file = open_file(document)
    answer = FileResponse(
        file,
        as_attachment=True,
        filename=file_name(document),
        content_type=document.file_type.content_type,
    )
    return _tagged(answer, tag)


def _tagged(answer: HttpResponse | FileResponse, tag: str) -> HttpResponse | FileResponse:
    answer.headers["ETag"] = tag
    answer.headers["Cache-Control"] = "private, no-cache"
    answer.headers["X-Content-Type-Options"] = "nosniff"
    return answer
