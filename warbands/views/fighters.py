"""Pages of a fighter: its card, the reasons for its numbers, its rank-ups, and changes."""

from collections.abc import Sequence
from functools import partial
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Page
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from core.compiled_queries import CompiledQuery
from core.forms import PageForm
from core.page_cache import cached_page
from core.views import (
    AuthenticatedRequest,
    get_or_404,
    is_editable,
    login_required_page,
    paginate,
    post_data,
    public_page,
    render_form,
    run_service,
)
from pictures.selectors.pictures import pictures_seen
from pictures.subjects import PictureKind
from rulebook.ruleset import RankUp
from warbands.forms.fighters import AdjustForm, FighterForm, RankUpForm, ReleaseForm
from warbands.models import Fighter, Warband
from warbands.page_rows import FIGHTER_ROWS
from warbands.rulebook_values import ruleset_of_warband
from warbands.selectors.access import access_of, rights_of
from warbands.selectors.crests import crest_of
from warbands.selectors.explanations import Explanation, explain_fighter, numbers_of
from warbands.selectors.fighter_page import FighterPage, fighter_page
from warbands.selectors.service_record import CareerMoment, CareerPart, career_of
from warbands.services.rank_ups import take_rank_up, undo_rank_up
from warbands.services.roster import (
    adjust_fighter,
    release_fighter,
    rename_fighter,
    write_fighter_story,
)

BATTLES_ON_A_PAGE = 8
FIGHTER: CompiledQuery[Fighter] = CompiledQuery(
    lambda key, _: Fighter.objects.select_related("warband").filter(pk=key)
)
"""The fighter for all readers: ``access_of`` decides who may see the page."""


@require_safe
@vary_on_headers("HX-Request")
@public_page
@cached_page(FIGHTER_ROWS)
def fighter(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a fighter's card, service record and ledger; `?why=` adds the reasons for one number.

    An htmx request for `?why=` gets the reasons alone. Reasons need the whole chronicle.
    """
    row, why = FIGHTER.first(pk), request.GET.get("why", "")
    access = access_of(row.warband_id, request.user) if row else None
    if row is None or access is None:
        raise Http404
    explanations = explain_fighter(row) if why else numbers_of(row)
    if why and request.htmx:  # type: ignore[attr-defined]
        return _reasons(
            request,
            row,
            next((explanation for explanation in explanations if explanation.key == why), None),
        )
    career = career_of(row)
    battles = paginate(request, career, BATTLES_ON_A_PAGE)
    part = _part_on(battles, career, row.warband.sequence)
    page = fighter_page(row, request.user, part, access.rights)
    pictures = pictures_seen({PictureKind.FIGHTER: [pk], PictureKind.WARBAND: [row.warband_id]})
    context = {
        "section": "warbands",
        "page": page,
        "career": career,
        "battles": battles,
        "fighter": row,
        "explanations": explanations,
        "portraits": pictures,
        "crest": crest_of(row.warband, access, pictures),
        "why": why,
        "words": row.warband.words,
        "shown": row.warband.shown,
        "odds": any(
            each.about == "fighters" for each in ruleset_of_warband(row.warband).calculators.all()
        ),
        "ruleset": row.warband.ruleset,
    }
    return render(request, "warbands/fighter.html", context)


def _reasons(request: HttpRequest, row: Fighter, explanation: Explanation | None) -> HttpResponse:
    """Render the reasons for one number."""
    if explanation is None:
        raise Http404
    context = {"one": explanation, "warband": row.warband_id, "ruleset": row.warband.ruleset}
    return render(request, "warbands/reasons.html", context)


def _part_on(
    battles: "Page[CareerMoment]", career: Sequence[CareerMoment], last: int
) -> CareerPart:
    """Return the shown battles, and the ledger from the first of them to the next battle.

    On the newest page the ledger goes up to the ``last`` entry of the chronicle.
    """
    shown = tuple(battle.sequence for battle in battles)
    newer = [battle.sequence for battle in career[: battles.start_index() - 1]]
    # A late battle is among older ones although it was entered after newer ones: the smallest place
    # divides them.
    since = min([*newer, *shown]) if battles.has_next() else 0
    before = min(newer) if battles.has_previous() else last + 1
    others = {battle.sequence for battle in career} - {*shown}
    return CareerPart(
        shown, since, before, tuple(sorted(each for each in others if since <= each < before))
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def change(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Change a fighter's name and story."""
    row = owned(request, pk)
    form = FighterForm(post_data(request), initial={"name": row.name, "story": row.story})
    if form.is_valid() and form.submit(partial(_change, request, row, form)):
        return redirect("warbands:fighter", pk)
    return render_form(
        request, "warbands/change_fighter.html", form, fighter=row, section="warbands"
    )


def _change(request: AuthenticatedRequest, row: Fighter, form: PageForm) -> None:
    data = form.cleaned_data
    with transaction.atomic():
        if data["name"] != row.name:
            rename_fighter(fighter_id=row.pk, name=data["name"], user=request.user)
        write_fighter_story(fighter_id=row.pk, story=data["story"], user=request.user)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def leave(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Remove a fighter from the roster."""
    row = owned(request, pk)
    form = ReleaseForm(post_data(request), locked=row.warband.locked)
    if form.is_valid() and form.submit(
        partial(
            release_fighter, fighter_id=pk, reason=form.cleaned_data["reason"], user=request.user
        )
    ):
        messages.success(
            request, gettext("%(fighter)s removed from the roster.") % {"fighter": row.name}
        )
        return redirect("warbands:warband", row.warband_id)
    return render_form(request, "warbands/leave.html", form, fighter=row, section="warbands")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def adjust(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Decide something about a fighter outside the rules, with a reason."""
    row = owned(request, pk)
    if not rights_of(row.warband, request.user).overrule:
        raise PermissionDenied(gettext("Only organisers of the campaign can do this."))
    form = AdjustForm(
        post_data(request),
        earns=row.warband.shown.experience,
        initial={"sequence": row.warband.sequence},
    )
    if form.is_valid() and form.submit(
        partial(adjust_fighter, fighter_id=pk, user=request.user, **form.cleaned_data)
    ):
        return redirect("warbands:fighter", pk)
    return render_form(request, "warbands/adjust.html", form, fighter=row, section="warbands")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def rank_ups(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Show the steps that a fighter can take; `?step=` names the selected one."""
    row = owned(request, pk)
    if not row.warband.shown.rises:
        raise Http404
    page = fighter_page(row, request.user, CareerPart())
    chosen = _chosen(page, request.GET.get("step", ""))
    context = {"section": "warbands", "page": page, "chosen": chosen, "words": row.warband.words}
    context |= {"ruleset": row.warband.ruleset, "shown": row.warband.shown}
    if chosen is None:
        return render(request, "warbands/rank_ups.html", context)
    initial = {"step": chosen.key, "sequence": page.sequence}
    notes = ruleset_of_warband(row.warband).choice_notes()
    form = RankUpForm(post_data(request), initial=initial, rank_up=chosen, notes=notes)
    if form.is_valid() and form.submit(partial(_rise, request, pk, form)):
        messages.success(request, _risen(row, chosen))
        return redirect("warbands:fighter", pk)
    return render_form(request, "warbands/rank_ups.html", form, **context)


def _risen(row: Fighter, chosen: RankUp) -> str:
    """Return the message about a step that was taken."""
    where = f"{row.warband.words.rank} {chosen.rank}" if row.warband.shown.ranks else chosen.name
    return gettext("%(fighter)s is now %(where)s.") % {"fighter": row.name, "where": where}


def _rise(request: AuthenticatedRequest, pk: UUID, form: RankUpForm) -> None:
    kwargs = {key: form.cleaned_data[key] for key in ("step", "sequence")}
    take_rank_up(fighter_id=pk, picks=form.picks, user=request.user, **kwargs)


def _chosen(page: FighterPage, key: str) -> RankUp | None:
    """Return the selected step: the named one, the only possible one, or None. Raises Http404."""
    steps = [choice.step for choice in page.rank_ups if choice.affordable]
    if not key:
        return steps[0] if len(steps) == 1 else None
    named_step = next((step for step in steps if step.key == key), None)
    if named_step is None:
        raise Http404
    return named_step


@require_POST
@login_required_page
def undo(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Undo a fighter's last step."""
    owned(request, pk)
    run_service(
        request,
        partial(undo_rank_up, fighter_id=pk, user=request.user),
        gettext("Rank-up undone."),
    )
    return redirect("warbands:fighter", pk)


def seen(request: HttpRequest, pk: UUID) -> Fighter:
    """Return the fighter, if its warband is visible. Raises Http404."""
    open_ones = Warband.objects.visible_to(request.user)
    return get_or_404(Fighter.objects.filter(warband__in=open_ones).select_related("warband"), pk)


def owned(request: AuthenticatedRequest, pk: UUID) -> Fighter:
    """Return the fighter, if the user may change its warband.

    Raises Http404 if it is hidden, else PermissionDenied.
    """
    row = seen(request, pk)
    if not is_editable(row.warband, request.user):
        raise PermissionDenied
    return row
