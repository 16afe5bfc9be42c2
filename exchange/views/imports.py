"""Pages of imports: upload an archive, preview it, choose people's accounts, and see the result."""

from functools import partial
from typing import Any
from uuid import UUID

import msgspec
from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.defaultfilters import filesizeformat
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.models import Club
from core.views import (
    AuthenticatedRequest,
    get_visible_or_404,
    login_required_page,
    minutes_to_wait,
    post_data,
    render_form,
    run_service,
)
from documents.languages import language_of
from exchange.archive_contents import filled_tables, grouped, left_out_reasons
from exchange.archive_structs import ImportedArchive
from exchange.downloads import ArchiveThrottle
from exchange.forms import PeopleForm, UploadForm
from exchange.models import Import
from exchange.services.imports import (
    CHOOSING,
    WORKING,
    candidates,
    carry_out,
    choose_people,
    preview_of,
    upload_archive,
)

MAX_CLUBS = 50
MAX_REFUSED = 20


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def upload(request: AuthenticatedRequest) -> HttpResponse:
    """Upload an archive."""
    form = UploadForm(post_data(request), request.FILES or None)
    waits = minutes_to_wait(request, ArchiveThrottle) if request.method == "POST" else 0
    shown = {"section": "clubs", "most": filesizeformat(settings.ARCHIVE_LIMIT)}
    if waits:
        form.add_error(None, _too_often(waits))
        answer = render(request, "exchange/upload.html", {"form": form, **shown}, status=429)
        answer.headers["Retry-After"] = str(60 * waits)
        return answer
    if form.is_valid():
        uploaded = form.cleaned_data["file"]
        kwargs = {
            "size": uploaded.size,
            "name": uploaded.name or "",
            "language": language_of(request),
        }
        if form.submit(partial(upload_archive, user=request.user, file=uploaded, **kwargs)):
            return redirect("exchange:import", form.answer.pk)
    return render_form(request, "exchange/upload.html", form, **shown)


upload.upload_limit = "ARCHIVE_LIMIT"  # type: ignore[attr-defined]


def _too_often(minutes: int) -> str:
    sentence = ngettext(
        "You have uploaded too many archives. Try again in %(minutes)d minute.",
        "You have uploaded too many archives. Try again in %(minutes)d minutes.",
        minutes,
    )
    return sentence % {"minutes": minutes}


@require_safe
@login_required_page
def brought(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Show an import: its progress, its preview with the accounts of people, or its result."""
    row: Import = get_visible_or_404(Import.objects, request.user, pk)
    return render(request, "exchange/import.html", _shown(row, _form(request, row)))


@require_POST
@login_required_page
def people(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Choose other accounts, and check the archive again."""
    return _chosen(request, pk, choose_people)


@require_POST
@login_required_page
def carry(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Import what the page shows."""
    return _chosen(request, pk, carry_out)


def _chosen(request: AuthenticatedRequest, pk: UUID, verb: Any) -> HttpResponse:
    """Run the service of a button of the preview, with the people chosen in the form."""
    row: Import = get_visible_or_404(Import.objects, request.user, pk)
    form = _form(request, row)
    if form is None:
        run_service(request, partial(verb, user=request.user, import_id=pk, people={}))
        return redirect("exchange:import", pk)
    if form.is_valid() and form.submit(
        lambda: verb(user=request.user, import_id=pk, **form.chosen())
    ):
        return redirect("exchange:import", pk)
    return render(request, "exchange/import.html", _shown(row, form), status=form.status)


def _form(request: AuthenticatedRequest, row: Import) -> PeopleForm | None:
    """Return the form to choose people, or None.

    None if people cannot be chosen in this state, or if the import would create nothing.
    """
    if row.state not in CHOOSING or not row.preview or not row.file:
        return None
    preview = preview_of(row)
    if preview.importable and not preview.made:
        return None
    return PeopleForm(
        post_data(request),
        preview=preview,
        candidates=tuple(candidates(request.user).values()),
        clubs=Club.objects.editable_by(request.user)[:MAX_CLUBS],
        initial={"club": row.club},
    )


def _shown(row: Import, form: PeopleForm | None) -> dict[str, Any]:
    preview = preview_of(row) if row.preview else None
    refused = list(dict.fromkeys(each.sentence for each in preview.refused)) if preview else []
    result = msgspec.convert(row.result, ImportedArchive) if row.result else None
    return {
        "section": "clubs",
        "import": row,
        "coming": row.state in WORKING,
        "form": form,
        "preview": preview,
        "made": grouped(preview.made) if preview else (),
        "here": grouped(preview.here) if preview else (),
        "tables": filled_tables(preview.counts) if preview else (),
        "stayed": left_out_reasons(preview.left_out) if preview else (),
        "refused": refused[:MAX_REFUSED],
        "more_refused": max(0, len(refused) - MAX_REFUSED),
        "result": grouped(result.made) if result else (),
    }
