"""The activity log of a club for its organisers, as a page and as a file."""

from uuid import UUID

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from clubs.models import Club
from core.csv_files import csv_file
from core.views import AuthenticatedRequest, get_editable_or_404, login_required_page
from home.forms.audit_log import AuditFilter
from home.selectors.audit_log import AuditLine, audit_history, kept_since
from pictures.selectors.pictures import picture_of
from pictures.subjects import PictureKind


@require_safe
@login_required_page
def audit(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """List all acts, newest first.

    `?actor=`, `?kind=`, `?campaign=`, `?since=`, `?until=` and `?text=` filter them.
    """
    club = get_editable_or_404(Club.objects, request.user, pk)
    form = AuditFilter(request.GET, club=club)
    page, lines = audit_history(club, request.user, form.query()).page(request.GET.get("page", "1"))
    context = {
        "section": "clubs",
        "tab": "audit",
        "club": club,
        "club_picture": picture_of(PictureKind.CLUB, pk),
        "organises": True,
        "form": form,
        "page": page,
        "lines": lines,
        "since": kept_since(club),
    }
    return render(request, "home/audit.html", context)


@require_safe
@login_required_page
def audit_file(request: AuthenticatedRequest, pk: UUID) -> StreamingHttpResponse:
    """Download the acts with the same filter as a CSV file."""
    club = get_editable_or_404(Club.objects, request.user, pk)
    history = audit_history(club, request.user, AuditFilter(request.GET, club=club).query())
    header = [
        gettext("When (UTC)"),
        gettext("Who"),
        gettext("Activity"),
        gettext("Details"),
        gettext("Campaign"),
        "verb",
        "subject",
        "subject id",
        "by",
        "request",
        gettext("Recorded on this site?"),
    ]
    return csv_file("audit.csv", header, (_cells(line) for line in history.lines()))


def _cells(line: AuditLine) -> tuple[object, ...]:
    cells = (
        f"{line.at:%Y-%m-%d %H:%M:%S}",
        line.who,
        line.sentence,
        "; ".join(line.facts),
        line.campaign_name,
    )
    origin = line.archive.sentence if line.archive else gettext("yes")
    return (*cells, line.verb, line.subject.kind, line.subject.id, line.face, line.request, origin)
