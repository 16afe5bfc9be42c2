"""Rosters and spreadsheets: templates, exports, and imports with a preview."""

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_http_methods, require_safe

from core.csv_files import Grid, UnreadableSpreadsheet
from core.errors import MusterError
from core.views import (
    AuthenticatedRequest,
    get_visible_or_404,
    login_required_page,
    post_data,
    public_page,
    render_form,
)
from rulebook.registry import newest_ruleset, rulesets
from rulebook.ruleset import CampaignTerms, RulesError, Ruleset
from warbands.downloads import csv_answer
from warbands.forms.spreadsheets import NewSpreadsheetForm, RosterSpreadsheetForm, SpreadsheetForm
from warbands.models import Warband
from warbands.rulebook_values import read_state
from warbands.selectors.draft_page import draft_of
from warbands.selectors.spreadsheets import (
    SpreadsheetPreview,
    columns_for,
    preview_new,
    preview_spreadsheet,
    shown_grid,
)
from warbands.services.spreadsheets import import_spreadsheet, muster_from_spreadsheet
from warbands.spreadsheets.mapping import UNKNOWN, column_mapping, renamed_columns
from warbands.spreadsheets.writing import template, written_roster
from warbands.views.building import open_workshop


@require_safe
@public_page
def empty(request: HttpRequest, ruleset: str, faction: str) -> HttpResponse:
    """Return the template of a faction as CSV. Raises Http404 for an unknown faction."""
    try:
        return csv_answer(template(ruleset, faction), f"{ruleset} {faction}")
    except RulesError as error:
        raise Http404 from error


@require_safe
@public_page
def roster(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Return the roster of a warband as CSV."""
    row = get_visible_or_404(Warband.objects, request.user, pk)
    return csv_answer(written_roster(read_state(row)), row.name)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def onto_roster(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Import a spreadsheet into a roster. "look" shows a preview; "make" imports it."""
    shop = open_workshop(request, pk)
    warband = shop.warband
    form = RosterSpreadsheetForm(
        post_data(request), request.FILES or None, initial={"client_id": uuid4()}
    )
    context = {**shop.context, "columns": columns_for(shop.rules, shop.state.terms)}
    if form.is_valid():
        content, in_place = _content(form, shop.rules, shop.state.terms), form.in_place
        kwargs = {key: form.cleaned_data[key] for key in ("client_id", "version", "sequence")}
        put = partial(
            import_spreadsheet,
            warband_id=pk,
            user=request.user,
            csv=content,
            in_place=in_place,
            **kwargs,
        )
        if _is_made(request, form) and form.submit(put):
            messages.success(request, _joined(form.answer))
            return redirect("warbands:warband", pk)
        look = partial(preview_spreadsheet, warband, content, in_place=in_place)
        context |= _look(form, look, shop.rules, shop.state.terms)
        form.show(
            cells=context["text"], version=draft_of(warband).version, sequence=warband.sequence
        )
    return render_form(request, "warbands/spreadsheet.html", form, **context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def as_new(request: AuthenticatedRequest) -> HttpResponse:
    """Create a warband from a spreadsheet, in the same two steps. `?list=` selects the faction."""
    initial = {"client_id": uuid4(), "faction": request.GET.get("list", "")}
    form = NewSpreadsheetForm(post_data(request), request.FILES or None, initial=initial)
    context: dict[str, Any] = {"section": "warbands"}
    if form.is_valid():
        details = form.details
        rules = newest_ruleset(details["ruleset"])
        terms = CampaignTerms(faction=details["faction"])
        content = _content(form, rules, terms)
        kwargs = {key: form.cleaned_data[key] for key in ("client_id", "kept")}
        muster = partial(
            muster_from_spreadsheet, user=request.user, csv=content, **details, **kwargs
        )
        if _is_made(request, form) and form.submit(muster):
            messages.success(request, gettext("%(answer)s created.") % {"answer": form.answer.name})
            return redirect("warbands:warband", form.answer.pk)
        context |= _look(form, partial(preview_new, csv=content, **details), rules, terms)
        context |= {
            "shown": rules.visible_numbers({}),
            "columns": columns_for(rules, terms),
        }
        form.show(cells=context["text"])
    return render_form(
        request, "warbands/from_spreadsheet.html", form, systems=_systems(), **context
    )


def _content(form: SpreadsheetForm, rules: Ruleset, terms: CampaignTerms) -> bytes | str:
    """Return what was sent, with the headings that were chosen for unknown columns."""
    if not form.headings:
        return form.sent
    try:
        return renamed_columns(rules, terms, form.sent, form.headings)
    except (UnreadableSpreadsheet, RulesError):
        return form.sent


def _is_made(request: AuthenticatedRequest, form: SpreadsheetForm) -> bool:
    """Return whether to import, and not only to show a preview.

    Without a preview that the user has seen, nothing is imported.
    """
    return "make" in request.POST and form.was_shown


def _look(
    form: SpreadsheetForm,
    look: Callable[[], tuple[SpreadsheetPreview, Grid]],
    rules: Ruleset,
    terms: CampaignTerms,
) -> dict[str, Any]:
    """Return the context for a spreadsheet: its preview or its errors, and its cells."""
    try:
        preview, grid = look()
    except UnreadableSpreadsheet as error:
        if not form.errors:
            form.add_errors(error)
        if error.grid is None:
            return {"wrong": error.cells, "grid": None, "text": form.pasted}
        mapping = column_mapping(rules, terms, error.grid, error.cells)
        wrong = [each for each in error.cells if each.code != UNKNOWN]
        return {
            "wrong": wrong,
            "mapping": mapping,
            "grid": shown_grid(error.grid, error.cells),
            "text": error.grid.text,
        }
    except (RulesError, MusterError) as error:
        if not form.errors:
            form.add_errors(error)
        return {"text": form.pasted}
    return {"preview": preview, "grid": shown_grid(grid, ()), "text": grid.text}


def _joined(number: int) -> str:
    if not number:
        return gettext("Roster saved.")
    sentence = ngettext(
        "%(joined)s added to the roster.", "%(joined)s added to the roster.", number
    )
    return sentence % {"joined": number}


def _systems() -> list[tuple[Ruleset, Any]]:
    """Return the rule systems with their factions."""
    return [(rules, rules.catalogue({})["factions"]) for rules in rulesets()]
