"""Big documents: split into parts that any worker renders, and merged when all are ready."""

from collections.abc import Sequence

import msgspec
from django.core.files.base import ContentFile
from django.db import transaction
from django.utils import timezone

from core.jobs.claims import release
from core.jobs.stored_files import store_file
from documents.content.documents import AnyContent
from documents.content.print_jobs import Plan, plans
from documents.models import Document, DocumentPart, DocumentState
from documents.pdf_merge import Binder, Bookmark
from documents.printing import Printed, markup, page_numbers, typeset
from documents.services.queue import UNFINISHED, queue_document, queue_part

SPLIT, PARTS_DONE = 20, 90
"""The progress (percent) when a document is split, and when all its parts are ready."""


def split(document: Document, todo: tuple[Plan, ...], digest: str) -> None:
    """Create the parts and queue them, and release the document until the last one is finished.

    Part 0 is the front matter, which is rendered when the others are merged. The hash of each part
    is that of the whole content.
    """
    with transaction.atomic():
        if not release(document, progress=SPLIT, attempts=0):
            return
        document.parts.all().delete()
        parts = DocumentPart.objects.bulk_create(
            DocumentPart(
                document=document,
                number=number,
                content=msgspec.to_builtins(plan),
                content_hash=digest,
            )
            for number, plan in enumerate(todo)
        )
        for part in parts[1:]:
            queue_part(part.pk)


def make_part(part: DocumentPart) -> None:
    """Render a claimed part and store it. After the last part, queue the document to be merged."""
    printed = typeset(
        markup(msgspec.convert(part.content, Plan)),
        paper=part.document.paper,
        identifier=part.content_hash[:32],
    )
    done = {"anchors": printed.anchors, "pages": printed.pages, "finished_at": timezone.now()}
    name = f"{part.number}-{part.attempts}.pdf"
    if not store_file(
        part.file,
        name,
        ContentFile(printed.pdf),
        keep=lambda path: release(part, file=path, **done),
    ):
        return
    _note_progress(part.document)
    # Check after the commit above, so that of two workers who finish together at least one sees all
    # parts finished.
    if not part.document.parts.filter(UNFINISHED).exists():
        queue_document(part.document_id)


def _note_progress(document: Document) -> None:
    body = document.parts.filter(number__gt=0)
    share = body.filter(finished_at__isnull=False).count() / max(body.count(), 1)
    progress = SPLIT + round((PARTS_DONE - SPLIT) * share)
    Document.objects.filter(
        pk=document.pk, state=DocumentState.RENDERING, progress__lt=progress
    ).update(progress=progress)


def has_part_files(document: Document) -> bool:
    """Return whether the files of all parts exist.

    A restored database may refer to files that the storage does not have.
    """
    return all(
        part.file.storage.exists(part.file.name or "")
        for part in document.parts.filter(number__gt=0)
    )


def bind_parts(document: Document) -> Printed:
    """Return the whole of a claimed document, from its finished parts and the front matter.

    The front matter is rendered now.
    """
    cover, *body = document.parts.order_by("number")
    set_apart = []
    for part in body:
        with part.file.open("rb") as file:
            set_apart.append(Printed(file.read(), part.pages, part.anchors))
    front = msgspec.convert(cover.content, Plan)
    return bound(front, set_apart, paper=document.paper, identifier=cover.content_hash[:32])


def print_whole(content: AnyContent, *, paper: str, identifier: str) -> Printed:
    """Print a content in one call, in parts if it is big. Workers share this work."""
    front, *body = plans(content)
    if not body:
        return typeset(markup(front), paper=paper, identifier=identifier)
    set_apart = [typeset(markup(plan), paper=paper, identifier=identifier) for plan in body]
    return bound(front, set_apart, paper=paper, identifier=identifier)


def bound(front: Plan, body: Sequence[Printed], *, paper: str, identifier: str) -> Printed:
    """Return the front matter and the body parts in one file.

    The front matter is set here, when the pages of all entries are known.
    """
    page_of = _pages_of_anchors(body)
    entries = tuple(
        msgspec.structs.replace(entry, page=str(page_of[entry.anchor] + 1))
        for entry in front.entries
    )
    opening = typeset(
        markup(msgspec.structs.replace(front, entries=entries)), paper=paper, identifier=identifier
    )
    pages = sum(part.pages for part in body)
    numbers = typeset(page_numbers(pages), paper=paper, identifier=identifier)
    binder = Binder()
    binder.add(opening.pdf)
    for part in body:
        binder.add(part.pdf)
    binder.number(numbers.pdf, opening.pages)
    marks = [
        Bookmark(entry.bookmark, opening.pages + page_of[entry.anchor], not entry.part)
        for entry in entries
    ]
    return Printed(binder.bound(marks, identifier), opening.pages + pages, {})


def _pages_of_anchors(body: Sequence[Printed]) -> dict[str, int]:
    """Return the page of each anchor, counted from 0 after the front matter."""
    page_of: dict[str, int] = {}
    before = 0
    for part in body:
        for anchor, page in part.anchors.items():
            page_of.setdefault(anchor, before + page)
        before += part.pages
    return page_of
