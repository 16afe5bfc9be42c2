"""Pages for warbands that enter a campaign and change their colours."""

from collections.abc import Sequence
from functools import partial
from uuid import UUID

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from campaigns.forms.campaigns import ColourForm, EnrolForm, players
from campaigns.models import Campaign, Enrolment
from campaigns.services.enrolments import check_enrolment, enrol_warband, recolour_enrolment
from core.errors import MusterError
from core.views import (
    AuthenticatedRequest,
    get_editable_or_404,
    get_or_404,
    get_visible_or_404,
    is_editable,
    login_required_page,
    post_data,
    render_form,
    run_service,
)
from rulebook.ruleset import Problem, RulesError
from warbands.models import Warband

MAX_OFFERED = 200


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def enrol(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Enter a warband into a campaign.

    `?warband=` chooses a warband and shows its problems. A single candidate is chosen already.
    """
    campaign = get_visible_or_404(Campaign.objects.select_related("club"), request.user, pk)
    offered = list(_candidates(campaign, request)[:MAX_OFFERED])
    only = offered[0] if len(offered) == 1 and "warband" not in request.GET else None
    chosen = next((row for row in offered if str(row.pk) == request.GET.get("warband")), only)
    form = EnrolForm(
        post_data(request),
        initial={"warband_id": chosen.pk if chosen else "", "colour": ""},
        words=campaign.words,
        warbands=offered,
        members=players(campaign.club.memberships.present()),
        organises=is_editable(campaign, request.user),
    )
    if form.is_valid() and form.submit(
        partial(enrol_warband, campaign_id=pk, user=request.user, **form.cleaned_data)
    ):
        messages.success(
            request, gettext("%(warband)s entered.") % {"warband": form.answer.warband}
        )
        return redirect("leagues:warbands", pk)
    problems = _problems(campaign, chosen, request) if chosen else None
    context = {"campaign": campaign, "offered": offered, "chosen": chosen, "problems": problems}
    return render_form(request, "campaigns/enrol.html", form, section="campaigns", **context)


@require_POST
@login_required_page
def carry_on(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Continue with a warband from the previous season, with the same player and colour."""
    campaign = get_visible_or_404(Campaign.objects, request.user, pk)
    before = Enrolment.objects.filter(campaign__followed_by=pk).select_related("warband")
    row = get_or_404(before, _key(request.POST.get("enrolment", "")))
    enrol = partial(
        enrol_warband, campaign_id=pk, warband_id=row.warband_id, player_id=row.player_id
    )
    run_service(
        request,
        partial(enrol, user=request.user, colour=row.colour),
        gettext("%(warband)s is in the new season.") % {"warband": row.warband},
    )
    return redirect("leagues:campaign", campaign.pk)


def _key(text: str) -> UUID:
    """Return the id of a row from a form. Raises Http404."""
    try:
        return UUID(text)
    except ValueError as error:
        raise Http404 from error


def _candidates(campaign: Campaign, request: AuthenticatedRequest) -> QuerySet[Warband]:
    free = Warband.objects.editable_by(request.user).filter(
        ruleset=campaign.ruleset, archived_at=None
    )
    return free.exclude(pk__in=Enrolment.objects.current().values("warband"))


def _problems(
    campaign: Campaign, warband: Warband, request: AuthenticatedRequest
) -> Sequence[Problem | str]:
    try:
        return check_enrolment(campaign_id=campaign.pk, warband_id=warband.pk, user=request.user)
    except (RulesError, MusterError) as error:
        return error.problems or [str(error)]


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def colour(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Change the colour of a warband in its campaign."""
    enrolment = get_editable_or_404(
        Enrolment.objects.select_related("campaign", "warband"), request.user, pk
    )
    form = ColourForm(post_data(request), initial={"colour": enrolment.colour})
    if form.is_valid() and form.submit(
        partial(
            recolour_enrolment,
            enrolment_id=pk,
            user=request.user,
            colour=form.cleaned_data["colour"],
        )
    ):
        messages.success(request, gettext("Colour saved.") % {"warband": enrolment.warband})
        return redirect("leagues:warbands", enrolment.campaign_id)
    return render_form(
        request, "campaigns/colour.html", form, enrolment=enrolment, section="campaigns"
    )
