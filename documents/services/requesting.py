"""Request documents."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Annotated, Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from msgspec import UNSET, UnsetType

from battles.models import Battle, BattleState
from core.errors import InvalidInput, NotFound, StateConflict
from core.inputs import Input, field
from documents.content.audiences import audience_of
from documents.content.registry import content_hash, may_see, options_for, read_content
from documents.languages import speaking
from documents.models import (
    EXCLUSIVE_OPTIONS,
    OPTIONS_OF,
    Document,
    DocumentKind,
    DocumentOption,
    DocumentState,
    Language,
    Paper,
    papers_of,
)
from documents.services.queue import queue_document
from documents.services.quotas import club_of, expect_room_for
from documents.services.stored_files import is_whole

QUIET = timedelta(seconds=30)
"""The time without changes after which a summary that no user has requested is made again."""
LONGEST_POSTPONED = timedelta(minutes=10)
"""The longest time to wait, so that a long club night has its prints too."""

SHOW_IT = (DocumentState.RENDERING, DocumentState.READY)
"""The states of documents whose content has been read, and is shown."""


class DocumentRequest(Input, frozen=True, kw_only=True):
    """A document to request: its kind and subject, the paper and the language."""

    kind: DocumentKind
    subject: Annotated[
        UUID | UnsetType,
        field(
            api="The campaign (campaign, certificate, standings, fixtures), the warband (roster, "
            "rank-ups, history), the fighter (career, memorial), the battle (battle, result-card, "
            "result-sheet) or the club night (programme). Not for a blank roster or a quick "
            "reference, which have a `ruleset`."
        ),
    ] = UNSET
    paper: Annotated[
        Paper,
        field(
            _("Paper"),
            default=True,
            api="`A4` or `Letter`; also `A3` for standings, fixtures and programmes; only `A6` for "
            "a memorial card, `Wide` or `Square` for a result card. By default `A4`, or the "
            "first one of a kind that is not printed on it.",
        ),
    ] = Paper.A4
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
            api="Extras of a printed roster, next to its sheet: any of `cards`, `prices`, `dead`. "
            "`honours` for certificates of all honours, after the champion's. "
            "For a programme: `names` of those who are going, for members of the club. "
            "For a campaign's book: `cover-photo`, and `booklet` or `print-shop`.",
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

    Requesting it twice has no further effect. Raises NotFound (`not-found`) if the subject does
    not exist or is not visible to the user, InvalidInput (`nothing-to-print`, such as for a battle
    without a result, `unknown-option`, `options-exclude`, `unsupported-paper`, or `members-only`
    for names of a club night), and StateConflict (`quota-reached`).
    """
    expect_paper(kind, paper)
    chosen = stored_options(kind, options)
    if not may_see(user, kind, subject):
        raise NotFound("not-found", gettext("Not found, or you don't have access."))
    if DocumentOption.NAMES in options and not options_for(user, kind, subject):
        raise InvalidInput(
            "members-only",
            gettext(
                "Only members of the club can print the names of those who are going. Leave out "
                "the option “names”."
            ),
            field="options",
        )
    audience = audience_of(kind, subject)
    with speaking(language):
        digest = content_hash(read_content(kind, subject, options), paper, language)
    with transaction.atomic():
        document = _row(
            user, kind=kind, subject=subject, paper=paper, language=language, options=chosen
        )
        if (
            document.state == DocumentState.READY
            and document.content_hash == digest
            and document.audience in ("", audience)
            and is_whole(document)
        ):
            return document
        _want(document)
        queue_document(document.pk)
    return document


def expect_paper(kind: DocumentKind, paper: Paper) -> None:
    """Check that a kind of document can be printed on this paper.

    Raises InvalidInput (`unsupported-paper`).
    """
    if paper not in papers_of(kind):
        values = {"document": DocumentKind(kind).label, "paper": Paper(paper).value}
        values["papers"] = ", ".join(papers_of(kind))
        sentence = gettext("%(document)s is not available on %(paper)s. Choose from: %(papers)s.")
        raise InvalidInput("unsupported-paper", sentence % values, field="paper")


def stored_options(kind: DocumentKind, options: Collection[str]) -> str:
    """Return the options as they are stored, in the order of ``DocumentOption``.

    Raises InvalidInput (`unknown-option`, or `options-exclude` if two cannot be combined).
    """
    valid_options = OPTIONS_OF.get(kind, ())
    if unknown := [option for option in options if option not in valid_options]:
        way_out = (
            f"Choose from: {', '.join(valid_options)}."
            if valid_options
            else "This kind of document has no options."
        )
        raise InvalidInput(
            "unknown-option", f"There is no option {unknown[0]!r} here. {way_out}", field="options"
        )
    chosen = [option for option in valid_options if option in options]
    exclusive = [option for option in chosen if option in EXCLUSIVE_OPTIONS]
    if len(exclusive) > 1:
        raise InvalidInput(
            "options-exclude",
            gettext("You can't combine “%(first)s” and “%(second)s”. Choose one of them.")
            % {"first": exclusive[0].label, "second": exclusive[1].label},
            field="options",
        )
    return ",".join(chosen)


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


def refresh_documents(
    kind: DocumentKind, subject: UUID, *, since: datetime | None = None, add_plain: bool = True
) -> list[Document]:
    """Make the documents of a subject again, on any paper and in any language; return them.

    ``since`` is a time after the change was committed: documents that were read later show it and
    stay. With ``add_plain``, the one on A4 in English is added if it does not exist. Documents are
    made when nothing has changed for ``QUIET``, at the latest after ``LONGEST_POSTPONED``: a
    periodic task sends them then. A document that a user is waiting for is still made immediately.
    """
    with transaction.atomic():
        if add_plain:
            _add_plain(kind, subject)
        rows = Document.objects.select_for_update().filter(kind=kind, subject=subject)
        if since is not None:
            rows = rows.exclude(state__in=SHOW_IT, started_at__gt=since)
        documents = list(rows)
        for document in documents:
            _postpone(document, timezone.now())
    return documents


def _add_plain(kind: DocumentKind, subject: UUID) -> None:
    """Add the plain document of a subject if it is missing and its club has room."""
    plain = {"paper": Paper.A4, "language": Language.ENGLISH, "options": ""}
    rows = Document.objects.filter(kind=kind, subject=subject, **plain)
    if rows.exists():
        return
    club = club_of(kind, subject)
    try:
        expect_room_for(Document(kind=kind, club=club), documents=1, size=1)
    except StateConflict:
        return
    now = timezone.now()
    Document.objects.get_or_create(
        kind=kind,
        subject=subject,
        **plain,
        defaults={"club": club, "asked_at": now, "due_at": now + QUIET},
    )


@transaction.atomic
def add_preview_card(battle_id: UUID, language: Language) -> Document | None:
    """Queue the result card of a battle that strangers may see, as ``add_result_card`` does.

    Afterwards ``refresh_documents`` keeps the card up to date, so strangers who ask for it cause
    one print at most.
    """
    if not Battle.objects.visible_to(AnonymousUser()).filter(pk=battle_id).exists():
        return None
    return add_result_card(battle_id, language)


@transaction.atomic
def add_result_card(battle_id: UUID, language: Language) -> Document | None:
    """Queue the wide result card of a battle if it never had one in this language.

    Checks no permission. Return None if there is nothing to do: the battle is not confirmed, the
    club has no room, or there is such a card.
    """
    which: dict[str, Any] = {"kind": DocumentKind.RESULT_CARD, "subject": battle_id}
    which |= {"paper": Paper.WIDE, "language": language, "options": ""}
    if Document.objects.filter(**which).exists():
        return None
    if not Battle.objects.filter(pk=battle_id, state=BattleState.CONFIRMED).exists():
        return None
    try:
        document = _row(None, **which)
    except StateConflict:
        return None
    queue_document(document.pk)
    return document


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


def _row(user: User | None, *, kind: DocumentKind, subject: UUID, **which: Any) -> Document:
    """Return the locked row for the given kind, subject, paper, language and options.

    It is created if it does not exist. Raises StateConflict (`quota-reached`) if there is no room
    for a new one.
    """
    which |= {"kind": kind, "subject": subject}
    rows = Document.objects.select_for_update(of=("self",)).filter(**which)
    document = rows.first()
    if document is not None:
        return document
    new = Document(**which, asked_by=user, club=club_of(kind, subject), asked_at=timezone.now())
    # Before the row: whoever has the lock must not wait for somebody who waits for it. A byte more
    # than what is there: how big the file will be is known when it is printed.
    expect_room_for(new, documents=1, size=1)
    Document.objects.get_or_create(
        **which, defaults={"asked_by": user, "club": new.club, "asked_at": new.asked_at}
    )
    return rows.get()


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
