"""Big documents: split into parts that any worker renders, and merged when all are ready."""

from collections.abc import Sequence

import msgspec
from django.core.files.base import ContentFile
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from core.jobs.claims import release
from core.jobs.running import release_memory
from core.jobs.stored_files import store_file
from documents.content.documents import AnyContent, CampaignSummary, MakeUp
from documents.content.print_jobs import Plan, back_matter, plans
from documents.imposition import booklet
from documents.models import Document, DocumentPart, DocumentState
from documents.pagination import print_plan
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
    printed = print_plan(
        msgspec.convert(part.content, Plan),
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
        part.file.storage.exists(part.file.name or "") for part in _body_of(document).only("file")
    )


def bind_parts(document: Document) -> Printed:
    """Return the whole of a claimed document, from its finished parts and the front matter.

    The front matter is rendered now.
    """
    cover = document.parts.get(number=0)
    front = msgspec.convert(cover.content, Plan)
    body = tuple(_body_of(document).order_by("number"))
    return bound(front, body, paper=document.paper, identifier=cover.content_hash[:32])


def _body_of(document: Document) -> QuerySet[DocumentPart]:
    """Return the parts but the front matter, without their contents: they need 20 MB in a book."""
    return document.parts.filter(number__gt=0).defer("content")


def print_in_one_go(plan: Plan, *, paper: str, identifier: str) -> Printed:
    """Return a whole document that is not divided into parts, made up as its content says."""
    printed = print_plan(plan, paper=paper, identifier=identifier)
    return made_up(plan.content, printed, paper=paper, identifier=identifier)


def made_up(content: AnyContent, printed: Printed, *, paper: str, identifier: str) -> Printed:
    """Return a booklet if the content is to be one, else the print as it is."""
    if isinstance(content, CampaignSummary) and content.make_up is MakeUp.BOOKLET:
        return Printed(*booklet(printed.pdf, paper=paper, identifier=identifier), {})
    return printed


def print_whole(content: AnyContent, *, paper: str, identifier: str) -> Printed:
    """Print a content in one call, in parts if it is big. Workers share this work."""
    front, *body = plans(content)
    if not body:
        return print_in_one_go(front, paper=paper, identifier=identifier)
    set_apart = [print_plan(plan, paper=paper, identifier=identifier) for plan in body]
    return bound(front, set_apart, paper=paper, identifier=identifier)


def bound(
    front: Plan, body: Sequence[Printed | DocumentPart], *, paper: str, identifier: str
) -> Printed:
    """Return the front matter, the body parts and the back matter in one file.

    Index and colophon are set here, when the pages of all persons are known, and then the front
    matter, when those of all entries are.
    """
    numbered = {anchor: str(page + 1) for anchor, page in _pages_of_anchors(body).items()}
    back = typeset(markup(back_matter(front, numbered)), paper=paper, identifier=identifier)
    body = (*body, back)
    page_of = _pages_of_anchors(body)
    entries = tuple(
        msgspec.structs.replace(entry, page=str(page_of[entry.anchor] + 1))
        for entry in front.entries
    )
    front = msgspec.structs.replace(front, entries=entries)
    opening = [print_plan(front, paper=paper, identifier=identifier)]
    if opening[0].pages % 2:
        # The body begins on a right page, as the margins of its pages are mirrored.
        leaf = msgspec.structs.replace(front.shown, front=False, leaf=True)
        blank = msgspec.structs.replace(front, shown=leaf)
        opening.append(print_plan(blank, paper=paper, identifier=identifier))
    # Free the laid-out pages, here and below: binding needs more memory than anything else.
    release_memory()
    before = sum(part.pages for part in opening)
    pages = sum(part.pages for part in body)
    bleeds = isinstance(front.content, CampaignSummary) and front.content.bleeds
    numbers = typeset(page_numbers(pages, bleeds=bleeds), paper=paper, identifier=identifier)
    release_memory()
    binder = Binder(numbers.pdf, before)
    for part in (*opening, *body):
        binder.add(part.pdf)
    marks = [
        Bookmark(entry.bookmark, before + page_of[entry.anchor], not entry.part)
        for entry in entries
    ]
    whole = Printed(binder.bound(marks, identifier), before + pages, {})
    return made_up(front.content, whole, paper=paper, identifier=identifier)


def _pages_of_anchors(body: Sequence[Printed | DocumentPart]) -> dict[str, int]:
    """Return the page of each anchor, counted from 0 after the front matter."""
    page_of: dict[str, int] = {}
    before = 0
    for part in body:
        for anchor, page in part.anchors.items():
            page_of.setdefault(anchor, before + page)
        before += part.pages
    return page_of
