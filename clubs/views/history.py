"""Imported seasons of a club: show them, import, undo, and count them in the records."""

from collections import Counter
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.forms.history import HistoryForm
from clubs.history_sheets import COLUMNS, UnreadableHistory
from clubs.models import Club, HistoryImport, PastKind
from clubs.selectors.history import past_facts, past_seasons
from clubs.services.history import (
    count_history,
    import_history,
    preview_history,
    undo_history_import,
)
from core.csv_files import UnreadableSpreadsheet
from core.views import (
    AuthenticatedRequest,
    get_editable_or_404,
    get_visible_or_404,
    is_editable,
    login_required_page,
    paginate,
    post_data,
    public_page,
    question,
    render_form,
    run_service,
)

ROWS_ON_A_PAGE = 100
SHOWN = 20
"""Rows of a preview."""


@require_safe
@public_page
def history(request: HttpRequest, pk: UUID) -> HttpResponse:
    """List the imported seasons of a club, or with `?season=` the facts of one."""
    club = get_visible_or_404(Club.objects, request.user, pk)
    facts = past_facts(club)
    season = request.GET.get("season", "")[:100]
    shown = facts.filter(season=season) if season else facts.filter(kind=PastKind.MEMBER)
    organises = is_editable(club, request.user)
    context = {
        "section": "clubs",
        "club": club,
        "organises": organises,
        "seasons": past_seasons(club),
        "season": season,
        "page": paginate(request, shown, ROWS_ON_A_PAGE),
        "imports": club.history_imports.all() if organises else (),
    }
    return render(request, "clubs/history.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def bring(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Import old seasons. "look" shows a preview; "make" imports them."""
    club = get_editable_or_404(Club.objects, request.user, pk)
    form = HistoryForm(post_data(request), request.FILES or None)
    context: dict[str, Any] = {"club": club, "columns": COLUMNS, "section": "clubs"}
    if form.is_valid():
        chosen = form.headings if not form.brought_file else {}
        arguments: Any = {
            "club_id": pk,
            "user": request.user,
            "content": form.sent,
            "columns": chosen,
        }
        # Nothing is imported that was not shown before.
        made = "make" in request.POST and form.was_shown
        if made and form.submit(partial(import_history, **arguments)):
            sentence = ngettext(
                "%(number)d row imported.", "%(number)d rows imported.", form.answer.number
            )
            messages.success(request, sentence % {"number": form.answer.number})
            return redirect("clubs:history", pk)
        context |= _look(form, arguments)
        form.show(cells=context["text"])
    return render_form(request, "clubs/import_history.html", form, **context)


def _look(form: HistoryForm, arguments: Any) -> dict[str, Any]:
    """Return the context of a preview: what would be imported, or the wrong cells."""
    try:
        sheet = preview_history(**arguments)
    except UnreadableSpreadsheet as error:
        if not form.errors:
            form.add_errors(error)
        foreign = error.foreign if isinstance(error, UnreadableHistory) else ()
        text = error.grid.text if error.grid else form.pasted
        return {"wrong": error.cells, "foreign": foreign, "text": text}
    seasons = Counter(fact.season for fact in sheet.facts if fact.season)
    kinds = Counter(fact.kind for fact in sheet.facts)
    return {
        "sheet": sheet,
        "foreign": sheet.foreign,
        "text": sheet.grid.text,
        "facts": sheet.facts[:SHOWN],
        "seasons": seasons.items(),
        "kinds": [(label, kinds[value]) for value, label in PastKind.choices if kinds[value]],
    }


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def undo(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Undo an import after confirmation."""
    batch = get_editable_or_404(HistoryImport.objects, request.user, pk)
    back = reverse("clubs:history", args=[batch.club_id])
    if request.method != "POST":
        line = ngettext(
            "%(number)d row is removed. You can import the spreadsheet again.",
            "%(number)d rows are removed. You can import the spreadsheet again.",
            batch.number,
        )
        return question(
            request,
            heading=gettext("Undo this import?"),
            lines=[line % {"number": batch.number}],
            button=gettext("Undo import"),
            back=back,
        )
    if run_service(request, partial(undo_history_import, import_id=pk, user=request.user)):
        messages.success(request, gettext("Import undone."))
    return redirect(back)


@require_POST
@login_required_page
def count(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Set whether the all-time records count imported results."""
    get_editable_or_404(Club.objects, request.user, pk)
    counted = request.POST.get("counted") == "yes"
    run_service(request, partial(count_history, club_id=pk, user=request.user, counted=counted))
    return redirect("clubs:history", pk)
