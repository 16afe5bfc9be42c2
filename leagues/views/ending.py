"""Pages that end a campaign, or withdraw a warband: they first show what is still open."""

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from battles.models import Battle
from battles.selectors.battle_rows import battle_rows
from campaigns.models import Campaign, Enrolment
from campaigns.services.campaigns import SETTLED, finish_campaign
from campaigns.services.enrolments import withdraw_warband
from campaigns.views.planning import confirmed_step
from core.forms import ReasonForm
from core.views import (
    AuthenticatedRequest,
    get_editable_or_404,
    login_required_page,
    post_data,
    render_form,
)
from leagues.selectors.ending import campaign_ending


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def finish(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """End the campaign: first show what is open."""
    campaign = get_editable_or_404(Campaign.objects, request.user, pk)
    end = partial(finish_campaign, campaign_id=pk, user=request.user)
    form = confirmed_step(request, campaign, lambda version: end(version=version))
    if form.answer:
        messages.success(request, gettext("Campaign ended. You can reopen it in its settings."))
        return redirect("leagues:campaign", pk)
    context = {"campaign": campaign, "ending": campaign_ending(campaign), "section": "campaigns"}
    return render_form(request, "leagues/finish.html", form, **context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def withdraw(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Withdraw a warband from its campaign."""
    rows = Enrolment.objects.select_related("campaign", "warband")
    enrolment = get_editable_or_404(rows, request.user, pk)
    form = ReasonForm(post_data(request))
    form.fields["reason"].required = False
    if form.is_valid() and form.submit(
        partial(
            withdraw_warband, enrolment_id=pk, user=request.user, reason=form.cleaned_data["reason"]
        )
    ):
        messages.success(
            request, gettext("%(warband)s has left the campaign.") % {"warband": enrolment.warband}
        )
        return redirect("leagues:warbands", enrolment.campaign_id)
    battles = Battle.objects.filter(
        campaign=enrolment.campaign_id, sides__warband=enrolment.warband_id
    )
    waiting = battle_rows(battles.exclude(state__in=SETTLED).for_rows().order_by("fought_on", "pk"))
    context = {"enrolment": enrolment, "waiting": waiting, "section": "campaigns"}
    return render_form(request, "leagues/withdraw.html", form, **context)
