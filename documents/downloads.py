"""Handing out a document's file, for the API and the pages alike."""

import re
import unicodedata

from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.http import parse_etags, quote_etag

from documents.models import Document, DocumentKind
from warbands.errors import LostRace

UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f<>:\"/\\|?*\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]+")
LONGEST = 80


def file_name(document: Document) -> str:
    """A file name that every system can keep: the document's title and kind, without what is unsafe in a name."""
    title = UNSAFE.sub(" ", unicodedata.normalize("NFC", document.title))
    words = " ".join(title.split())[:LONGEST].strip(" .")
    kind = DocumentKind(document.kind).label
    return f"{words} - {kind}.pdf" if words else f"{kind}.pdf"


def file_answer(request: HttpRequest, document: Document) -> FileResponse | HttpResponse:
    """The file, or "not modified" to whoever has it already. Raises LostRace ("not-ready") if there is none yet.

    The last file that was finished stays available while a newer one is made. Its content's hash is its ETag, since the
    same content always makes the same file.
    """
    if not document.file:
        raise LostRace("not-ready", "The document is not ready yet. Ask again in a moment.")
    tag = quote_etag(document.content_hash)
    if tag in parse_etags(request.headers.get("If-None-Match", "")):
        return _tagged(HttpResponseNotModified(), tag)
    try:
        file = document.file.open("rb")
    except FileNotFoundError as gone:
        raise LostRace("not-ready", "The file has just been replaced by a newer one. Ask again.") from gone
    answer = FileResponse(file, as_attachment=True, filename=file_name(document), content_type="application/pdf")
    return _tagged(answer, tag)


def _tagged(answer: HttpResponse | FileResponse, tag: str) -> HttpResponse | FileResponse:
    answer.headers["ETag"] = tag
    answer.headers["Cache-Control"] = "private, no-cache"
    answer.headers["X-Content-Type-Options"] = "nosniff"
    return answer
