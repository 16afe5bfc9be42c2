"""Request documents."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Annotated, Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from msgspec import UNSET, UnsetType

from core.errors import InvalidInput, NotFound, StateConflict
from core.inputs import Input, field
from documents.content.registry import content_hash, may_see, read_content
from documents.languages import speaking
from documents.models import Document, DocumentKind, DocumentState, Language, Paper, RosterOption
from documents.services.queue import queue_document
from documents.services.stored_files import is_whole

QUIET = timedelta(seconds=30)
"""The time without changes after which a summary that no user has requested is made again."""
LONGEST_POSTPONED = timedelta(minutes=10)
"""The longest time to wait, so that a long club night has its prints too."""


class DocumentRequest(Input, frozen=True, kw_only=True):
    """A document to request: its kind and subject, the paper and the language."""

    kind: DocumentKind
    subject: Annotated[
        UUID | UnsetType,
        field(
            api="The campaign, the warband (roster, rank-ups), the fighter (career) or the battle. "
            "Not for a blank "
            "roster, which has a `ruleset`."
        ),
    ] = UNSET
    paper: Annotated[Paper, field(_("Paper"), default=True)] = Paper.A4
    language: Annotated[
        Language | UnsetType,
        field(
            _("Language"),
            api="By default the first of these that `Accept-Language` asks for, else English.",
        ),
    ] = UNSET
    options: Annotated[
        tuple[Annotated[str, field(min_length=1, max_length=20)], ...],
        field(
            _("Also print"),
            api="Extras of a printed roster, next to its sheet: any of `cards`, `prices`, `dead`.",
            max_length=10,
        ),
    ] = ()


def request_document(
    *,
    user: User,
    kind: DocumentKind,
    subject: UUID,
    paper: Paper = Paper.A4,
    language: Language = Language.ENGLISH,
    options: Collection[str] = (),
) -> Document:
    """Return the document of a subject: ready if its content has not changed, else queued.

    Requesting it twice has no further effect. ``options`` are for rosters. Raises NotFound
    (`not-found`) if the subject does not exist or is not visible to the user, and InvalidInput
    (`nothing-to-print`, such as for a battle without a result, or `unknown-option`).
    """
    chosen = stored_options(kind, options)
    if not may_see(user, kind, subject):
        raise NotFound("not-found", gettext("Not found, or you don't have access."))
    with speaking(language):
        digest = content_hash(read_content(kind, subject, options), paper, language)
    with transaction.atomic():
        document = _row(
            user, kind=kind, subject=subject, paper=paper, language=language, options=chosen
        )
        if (
            document.state == DocumentState.READY
            and document.content_hash == digest
            and is_whole(document)
        ):
            return document
        _want(document)
        queue_document(document.pk)
    return document


def stored_options(kind: DocumentKind, options: Collection[str]) -> str:
    """Return the options as they are stored, in the order of ``RosterOption``.

    Raises InvalidInput (`unknown-option`).
    """
    valid_options = RosterOption.values if kind == DocumentKind.ROSTER else []
    if unknown := [option for option in options if option not in valid_options]:
        has = (
            f"A roster has {', '.join(RosterOption.values)}"
            if valid_options
            else "Only a roster has options"
        )
        raise InvalidInput(
            "unknown-option", f"There is no option {unknown[0]!r} here. {has}.", field="options"
        )
    return ",".join(option for option in valid_options if option in options)


def retry_document(*, user: User, document_id: UUID) -> Document:
    """Request a document again for a user who may see it.

    Raises NotFound (`not-found`) and StateConflict (`not-failed`).
    """
    if not Document.objects.visible_to(user).filter(pk=document_id).exists():
        raise NotFound("not-found", gettext("Document not found, or you don't have access."))
    return request_again(document_id)


@transaction.atomic
def request_again(document_id: UUID) -> Document:
    """Queue a document that failed, is stuck in the queue or lost its file; checks no permission.

    Raises StateConflict (`not-failed`).
    """
    document = Document.objects.select_for_update().get(pk=document_id)
    in_order = document.state == DocumentState.RENDERING or (
        document.state == DocumentState.READY and is_whole(document)
    )
    if in_order:
        raise StateConflict("not-failed", gettext("You can only retry a document that failed."))
    _want(document)
    queue_document(document.pk)
    return document


def refresh_documents(kind: DocumentKind, subject: UUID) -> list[Document]:
    """Make all existing documents of a subject again, on any paper and in any language.

    The plain document on A4 in English is added if it does not exist. Documents are made when
    nothing has changed for ``QUIET``, at the latest after ``LONGEST_POSTPONED``: a periodic task
    sends them then. A document that a user is waiting for is still made immediately.
    """
    with transaction.atomic():
        Document.objects.get_or_create(
            kind=kind,
            subject=subject,
            paper=Paper.A4,
            language=Language.ENGLISH,
            options="",
            defaults={"asked_at": timezone.now(), "due_at": timezone.now() + QUIET},
        )
        documents = list(Document.objects.select_for_update().filter(kind=kind, subject=subject))
        for document in documents:
            _postpone(document, timezone.now())
    return documents


@transaction.atomic
def renew_documents(documents: QuerySet[Document]) -> int:
    """Make these documents again, because the name of something in them has changed.

    Return their number. No document is added.
    """
    selected = list(documents.select_for_update())
    for document in selected:
        _want(document)
        queue_document(document.pk)
    return len(selected)


def _row(user: User | None, **which: Any) -> Document:
    """Return the locked row for the given kind, subject, paper, language and options.

    It is created if it does not exist.
    """
    Document.objects.get_or_create(**which, defaults={"asked_by": user, "asked_at": timezone.now()})
    return Document.objects.select_for_update().get(**which)


def _want(document: Document) -> None:
    """Store that a user wants the document now. A claimed one is checked again when it is done."""
    document.asked_at, document.due_at = timezone.now(), None
    _save_request(document)


def _postpone(document: Document, now: datetime) -> None:
    """Schedule a locked document for when changes have stopped.

    Its ``asked_at`` is the first change since it was last read.
    """
    queued = document.state == DocumentState.QUEUED and not document.claimed_by
    if queued and document.due_at is None:
        # A user is waiting for it, and it will show this change.
        return
    read_since = document.started_at is not None and document.started_at >= document.asked_at
    if document.due_at is None or read_since:
        document.asked_at = now
    document.due_at = min(now + QUIET, document.asked_at + LONGEST_POSTPONED)
    _save_request(document)


def _save_request(document: Document) -> None:
    """Save the request of a locked document, and queue it from the start if it is not claimed."""
    if document.state != DocumentState.RENDERING and not document.claimed_by:
        document.state, document.progress, document.failure, document.attempts = (
            DocumentState.QUEUED,
            0,
            "",
            0,
        )
    document.save(update_fields=["asked_at", "due_at", "state", "progress", "failure", "attempts"])
