"""The pages of documents: request one, watch its progress, download it, try again."""

from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db.models import QuerySet
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.compiled_queries import CompiledQuery
from core.errors import StateConflict, Unavailable
from core.page_cache import cached_page
from core.views import (
    AuthenticatedRequest,
    get_visible_or_404,
    login_required_page,
    paginate,
    post_data,
    public_page,
    render_form,
    run_service,
)
from documents.content.registry import may_see, options_for, systems_of
from documents.forms import AskForm
from documents.languages import language_of
from documents.models import (
    FILE_TYPE_OF,
    PDF,
    Document,
    DocumentKind,
    DocumentOption,
    DocumentState,
    default_paper,
    papers_of,
)
from documents.page_rows import FIRST_DOCUMENTS_ROWS, first_documents
from documents.selectors.listed_documents import listed_document
from documents.selectors.other_prints import other_prints
from documents.services.requesting import request_document, retry_document
from documents.services.stored_files import open_file


def _concerning(user: Any) -> QuerySet[Document]:
    return Document.objects.concerning(user).select_related("asked_by")


FIRST_ROWS: CompiledQuery[Document] = CompiledQuery(
    lambda _, user: first_documents(user).select_related("asked_by")
)


@require_safe
@login_required_page
@cached_page(FIRST_DOCUMENTS_ROWS, without_query=True)
def documents(request: AuthenticatedRequest) -> HttpResponse:
    """List the documents that concern the user, newest first."""
    page = paginate(
        request,
        _concerning(request.user),
        first_rows=lambda: FIRST_ROWS.rows("", request.user),
    )
    systems = systems_of(page.object_list)
    listed = [
        listed_document(document, systems.get(document.pk, "")) for document in page.object_list
    ]
    return render(
        request,
        "documents/documents.html",
        {"section": "documents", "page": page, "listed": listed},
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def ask(request: AuthenticatedRequest) -> HttpResponse:
    """Request a document; `?kind=` and `?subject=` say which."""
    initial = {key: request.GET.get(key, "") for key in ("kind", "subject")}
    name = request.POST.get("kind") or request.GET.get("kind", "")
    if name not in DocumentKind.values:
        raise Http404
    kind, subject = DocumentKind(name), _key(request.POST.get("subject") or initial["subject"])
    options = options_for(request.user, kind, subject) if subject else ()
    # Those who may read the names usually want them.
    ticked = [each for each in options if each == DocumentOption.NAMES]
    form = AskForm(
        post_data(request),
        initial={
            **initial,
            "language": language_of(request),
            "options": ticked,
            "paper": default_paper(kind),
        },
        papers=papers_of(kind),
        options=options,
    )
    if form.is_valid() and form.submit(
        partial(request_document, user=request.user, **form.cleaned_data)
    ):
        return redirect("documents:document", form.answer.pk)
    others = other_prints(kind, subject) if subject and may_see(request.user, kind, subject) else []
    return render_form(
        request,
        "documents/ask.html",
        form,
        kind=kind,
        subject=subject,
        others=others,
        file_type=FILE_TYPE_OF.get(kind, PDF),
        section="documents",
    )


def _key(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


@require_safe
@public_page
def document(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the progress of a document. The page reloads automatically until it is ready."""
    row = get_visible_or_404(Document.objects.select_related("asked_by"), request.user, pk)
    coming = row.state in (DocumentState.QUEUED, DocumentState.RENDERING)
    return render(
        request,
        "documents/document.html",
        {"document": row, "coming": coming, "section": "documents"},
    )


@require_safe
@public_page
def file(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """Return the file of a document.

    The last finished file stays available while a newer one is made. If the file is missing or
    damaged, redirect to the document's page, which shows the progress of the new one.
    """
    row = get_visible_or_404(Document.objects, request.user, pk)
    if not row.file:
        raise Http404
    try:
        opened = open_file(row)
    except (StateConflict, Unavailable) as waiting:
        messages.warning(request, waiting.sentence)
        return redirect("documents:document", pk)
    stem = slugify(f"{row.title} {row.kind} {row.options}")
    return FileResponse(
        opened,
        as_attachment=True,
        filename=f"{stem}.{row.file_type.extension}",
        content_type=row.file_type.content_type,
    )


@require_POST
@login_required_page
def retry(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Try a failed document again."""
    get_visible_or_404(Document.objects, request.user, pk)
    run_service(request, partial(retry_document, user=request.user, document_id=pk))
    return redirect("documents:document", pk)
