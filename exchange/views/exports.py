"""Pages of exports: request one, follow its progress, and download it or one of its tables."""

from functools import partial
from uuid import UUID

import msgspec
from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from core.errors import StateConflict, Unavailable
from core.views import (
    AuthenticatedRequest,
    get_visible_or_404,
    login_required_page,
    paginate,
    post_data,
    render_form,
)
from documents.languages import language_of
from exchange.archive_contents import HOMES, Contents, filled_tables, left_out_reasons
from exchange.downloads import export_answer, table_answer
from exchange.forms import ExportForm
from exchange.models import ArchiveKind, Export, Import
from exchange.services.exports import WANTED, expect_exportable, request_export


@require_safe
@login_required_page
def archives(request: AuthenticatedRequest) -> HttpResponse:
    """List the user's exports and imports."""
    page = paginate(request, Export.objects.visible_to(request.user))
    brought = Import.objects.visible_to(request.user)[:10]
    return render(
        request, "exchange/archives.html", {"section": "clubs", "page": page, "imports": brought}
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def ask(request: AuthenticatedRequest) -> HttpResponse:
    """Request an archive. `?kind=` and `?subject=` name its subject."""
    try:
        kind, subject = (
            ArchiveKind(request.GET.get("kind", "")),
            UUID(request.GET.get("subject", "")),
        )
    except ValueError as error:
        raise Http404 from error
    name = expect_exportable(request.user, kind, subject)
    form = ExportForm(post_data(request))
    export = partial(
        request_export, user=request.user, kind=kind, subject=subject, language=language_of(request)
    )
    if form.is_valid() and form.submit(export):
        return redirect("exchange:export", form.answer.pk)
    shown = {
        "kind": kind,
        "name": name,
        "home": HOMES[kind],
        "subject": subject,
        "section": "clubs",
    }
    return render_form(request, "exchange/ask.html", form, **shown)


@require_safe
@login_required_page
def export(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Show the progress of an export, and its contents once it is ready.

    The page reloads automatically until then.
    """
    row: Export = get_visible_or_404(Export.objects, request.user, pk)
    contents = msgspec.convert(row.contents, Contents) if row.contents else None
    context = {
        "export": row,
        "coming": row.state in WANTED,
        "contents": contents,
        "tables": filled_tables(contents.tables) if contents else (),
        "stayed": left_out_reasons(contents.left_out) if contents else (),
        "home": HOMES[row.kind],
        "section": "clubs",
    }
    return render(request, "exchange/export.html", context)


@require_safe
@login_required_page
def file(request: AuthenticatedRequest, pk: UUID) -> HttpResponseBase:
    """Download the archive."""
    row = get_visible_or_404(Export.objects, request.user, pk)
    return _handed_out(request, row, partial(export_answer, user=request.user, export=row))


@require_safe
@login_required_page
def table(request: AuthenticatedRequest, pk: UUID, name: str) -> HttpResponseBase:
    """Download one table of an archive as CSV."""
    row = get_visible_or_404(Export.objects, request.user, pk)
    return _handed_out(
        request, row, partial(table_answer, user=request.user, export=row, table=name)
    )


def _handed_out(
    request: AuthenticatedRequest, row: Export, answer: "partial[FileResponse]"
) -> HttpResponseBase:
    """Return the file. If it is not available, redirect to the export's page with the reason."""
    try:
        return answer()
    except (StateConflict, Unavailable) as waiting:
        messages.warning(request, waiting.sentence or gettext("File not found."))
        return redirect("exchange:export", row.pk)
