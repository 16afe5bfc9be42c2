"""Pages for creating a campaign and its terms: name, scoring, house rules, start and end."""

from collections.abc import Callable
from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from campaigns.eligibility import ruleset_of_campaign
from campaigns.forms.campaigns import (
    BeginForm,
    ChangeForm,
    FollowForm,
    PlanForm,
    ScoringForm,
    StepForm,
)
from campaigns.forms.house_rules import HouseRulesForm, RulesForm
from campaigns.models import Campaign, CampaignState, Format
from campaigns.services.campaigns import (
    cancel_campaign,
    edit_campaign,
    follow_campaign,
    plan_campaign,
    start_campaign,
)
from campaigns.services.house_rules import change_house_rules, preview_house_rules
from campaigns.services.reopening import preview_reopening, reopen_campaign
from clubs.models import Club
from core.views import (
    AuthenticatedRequest,
    get_editable_or_404,
    login_required_page,
    post_data,
    render_form,
    run_service,
)
from rulebook.registry import rulesets


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def plan(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Create a campaign of a club.

    ``?ruleset=`` chooses the rule system; ``?name=`` and ``?story=`` keep what was typed before.
    """
    club = get_editable_or_404(Club.objects, request.user, pk)
    systems = rulesets()
    key = request.POST.get("ruleset", request.GET.get("ruleset"))
    rules = next((each for each in systems if each.key == key), systems[0])
    typed = {key: request.GET[key] for key in ("name", "story") if key in request.GET}
    form = PlanForm(post_data(request), rules=rules, initial=typed)
    if form.is_valid() and form.submit(
        partial(plan_campaign, club_id=pk, user=request.user, **form.cleaned_data)
    ):
        messages.success(
            request, gettext("Campaign created. Next: check the house rules, then enter warbands.")
        )
        return redirect("leagues:campaign", form.answer.pk)
    context = {"club": club, "systems": systems, "rules": rules, "section": "campaigns"}
    return render_form(request, "campaigns/plan.html", form, **context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def follow(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Create the next season of a finished campaign, with its terms and house rules."""
    campaign = get_editable_or_404(Campaign.objects, request.user, pk)
    form = FollowForm(post_data(request), campaign=campaign)
    plan = partial(follow_campaign, campaign_id=pk, user=request.user)
    if form.is_valid() and form.submit(lambda: plan(**form.cleaned_data)):
        messages.success(
            request,
            gettext(
                "Next season created with the same house rules. Players can now enter their "
                "warbands."
            ),
        )
        return redirect("leagues:campaign", form.answer.pk)
    return render_form(
        request, "campaigns/follow.html", form, campaign=campaign, section="campaigns"
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def change(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Change the terms of a campaign."""
    campaign = get_editable_or_404(Campaign.objects, request.user, pk)
    form = ChangeForm(
        post_data(request), campaign=campaign, bound=campaign.enrolments.current().exists()
    )
    edit = partial(edit_campaign, campaign_id=pk, user=request.user)
    if form.is_valid() and form.submit(lambda: edit(**form.cleaned_data)):
        return redirect("leagues:settings", pk)
    return render_form(
        request, "campaigns/change.html", form, campaign=campaign, section="campaigns"
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def scoring(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Change the scoring of the standings."""
    campaign = get_editable_or_404(Campaign.objects, request.user, pk)
    form = ScoringForm(post_data(request), campaign=campaign)
    if form.is_valid() and form.submit(
        lambda: edit_campaign(
            campaign_id=pk,
            version=form.cleaned_data["version"],
            user=request.user,
            scoring=form.scoring,
        )
    ):
        return redirect("leagues:standings", pk)
    return render_form(
        request, "campaigns/scoring.html", form, campaign=campaign, section="campaigns"
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def house_rules(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Change the house rules: first show a preview, then save."""
    campaign = get_editable_or_404(Campaign.objects.select_related("club"), request.user, pk)
    form = HouseRulesForm(
        post_data(request), campaign=campaign, rules=ruleset_of_campaign(campaign)
    )
    saves = "commit" in request.POST
    if form.is_valid():
        act = partial(_change if saves else _preview, request, pk, form)
        if form.submit(act) and saves:
            messages.success(request, gettext("House rules saved. They apply from now on."))
            return redirect("leagues:settings", pk)
    preview = form.answer
    if saves and form.errors.keys() == {"reason"}:
        # Nothing was saved, and the preview is shown again, so that only the reason is missing.
        preview = _preview(request, pk, form)
    # The first step needs no reason, saving does.
    form.fields["reason"].required = preview is not None
    context = {"campaign": campaign, "preview": preview, "section": "campaigns"}
    return render_form(request, "campaigns/house_rules.html", form, **context)


def _preview(request: AuthenticatedRequest, pk: UUID, form: RulesForm) -> object:
    return preview_house_rules(campaign_id=pk, user=request.user, house_rules=form.settings)


def _change(request: AuthenticatedRequest, pk: UUID, form: RulesForm) -> object:
    kwargs = {key: form.cleaned_data[key] for key in ("version", "reason")}
    return change_house_rules(
        campaign_id=pk, user=request.user, house_rules=form.settings, **kwargs
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def begin(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Start a classic campaign, with chosen scenarios for its small games or by lot."""
    campaign = get_editable_or_404(Campaign.objects, request.user, pk)
    rules = ruleset_of_campaign(campaign)
    drawn = rules.classic is None or rules.classic.drawn(campaign.house_rules)
    form = BeginForm(
        post_data(request),
        rules=rules,
        games=0 if drawn or rules.classic is None else rules.classic.warbands,
    )
    begin = partial(start_campaign, campaign_id=pk, user=request.user)
    if form.is_valid() and form.submit(lambda: begin(scenarios=form.scenarios)):
        messages.success(request, gettext("Campaign started. Next: each player seals an order."))
        return redirect("leagues:campaign", pk)
    return render_form(
        request, "campaigns/begin.html", form, campaign=campaign, drawn=drawn, section="campaigns"
    )


@require_POST
@login_required_page
def start(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Start the campaign. The rounds of a league come next."""
    campaign = get_editable_or_404(Campaign.objects, request.user, pk)
    league = campaign.format == Format.TABLE
    started = run_service(
        request,
        partial(start_campaign, campaign_id=pk, user=request.user),
        gettext("Campaign started. Next: create rounds, so that everyone knows their opponents.")
        if league
        else gettext("Campaign started. Next: plan a battle."),
    )
    return redirect("leagues:fixtures" if league and started else "leagues:campaign", pk)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def reopen(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Reopen a campaign that has ended: first show which warbands return."""
    campaign = get_editable_or_404(Campaign.objects, request.user, pk)
    if campaign.state != CampaignState.FINISHED:
        messages.error(request, gettext("This campaign has not ended."))
        return redirect("leagues:settings", pk)
    take_up = partial(reopen_campaign, campaign_id=pk, user=request.user)
    form = confirmed_step(request, campaign, lambda version: take_up(version=version))
    if form.answer:
        messages.success(request, gettext("Campaign reopened."))
        return redirect("leagues:campaign", pk)
    reopening = preview_reopening(campaign_id=pk, user=request.user)
    followed = Campaign.objects.visible_to(request.user).filter(follows=campaign).first()
    context = {
        "campaign": campaign,
        "reopening": reopening,
        "followed": followed,
        "section": "campaigns",
    }
    return render_form(request, "campaigns/reopen.html", form, **context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def cancel(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Delete a planned campaign: first show what would be deleted with it."""
    campaign = get_editable_or_404(Campaign.objects, request.user, pk)
    drop = partial(cancel_campaign, campaign_id=pk, user=request.user)

    def delete(version: int) -> bool:
        drop(version=version)
        return True

    form = confirmed_step(request, campaign, delete)
    if form.answer:
        messages.success(request, gettext("Campaign deleted."))
        return redirect("home:club", campaign.club_id)
    enrolled = campaign.enrolments.current().select_related("warband").order_by("enrolled_at", "pk")
    context = {"campaign": campaign, "enrolled": enrolled, "section": "campaigns"}
    return render_form(request, "campaigns/cancel.html", form, **context)


def confirmed_step(
    request: AuthenticatedRequest, campaign: Campaign, act: Callable[[int], object]
) -> StepForm:
    """Return the form of an important step.

    Its answer is what the step returned, if the confirmation page submitted it.
    """
    if request.method != "POST" or "commit" not in request.POST:
        return StepForm(initial={"version": campaign.version})
    form = StepForm(request.POST)
    if form.is_valid():
        form.submit(lambda: act(form.cleaned_data["version"]))
    return form
