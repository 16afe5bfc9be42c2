"""Planning a battle: first what is played, then by whom."""

from collections.abc import Iterable
from functools import partial
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from battles.forms.events import scenario_of
from battles.forms.planning import DescribeForm, PlanForm
from battles.models import Battle
from battles.services.planning import describe_battle, plan_battle
from battles.services.setting_up import set_up_battle
from battles.summaries.permissions import may_be_set_up
from campaigns.models import Campaign, Enrolment
from config.pages.lookup import MemberRequest, editable, visible
from config.pages.responses import attempt, bound_data, form_page, members_only
from rulebook.registry import find_ruleset, newest_ruleset, rulesets
from rulebook.ruleset import RulesError, Ruleset
from warbands.models import Warband

MOST_OFFERED = 300


@require_http_methods(["GET", "HEAD", "POST"])
@members_only
def plan(request: MemberRequest) -> HttpResponse:
    """Plan a battle. `?campaign=` and `?scenario=` say of what; without a scenario, all of them are shown."""
    campaign = _campaign(request)
    rules = _rules(request, campaign)
    back = reverse("battles:campaign", args=[campaign.pk]) if campaign else reverse("battles:battles")
    context = {"campaign": campaign, "rules": rules, "section": "battles", "query": _query(request), "back": back}
    wanted = request.GET.get("scenario", "")
    if not wanted:
        return render(request, "battles/scenarios.html", {**context, "scenarios": rules.scenarios()})
    scenario = scenario_of(rules, wanted)
    if scenario is None:
        raise Http404
    form = PlanForm(
        bound_data(request),
        scenario=scenario,
        warbands=_warbands(request, campaign, rules),
        campaign=campaign.pk if campaign else None,
        points=rules.points.counted,
        laid_out=rules.set_up.laid_out,
        initial={"points_limit": campaign.points if campaign else None},
    )
    if form.is_valid() and form.submit(lambda: plan_battle(user=request.user, plan=form.plan)):
        if form.cleaned_data.get("roll") and may_be_set_up(form.answer):
            attempt(request, partial(set_up_battle, battle_id=form.answer.pk, user=request.user))
        return redirect("battles:battle", form.answer.pk)
    return form_page(request, "battles/plan.html", form, scenario=scenario, **context)


def _campaign(request: MemberRequest) -> Campaign | None:
    wanted = request.GET.get("campaign", "")
    if not wanted:
        return None
    try:
        found: Campaign = visible(Campaign.objects.select_related("club"), request.user, UUID(wanted))
    except ValueError as error:
        raise Http404 from error
    return found


def _rules(request: HttpRequest, campaign: Campaign | None) -> Ruleset:
    if campaign:
        return find_ruleset(campaign.ruleset, campaign.edition)
    try:
        return newest_ruleset(request.GET.get("ruleset") or rulesets()[0].key)
    except RulesError as error:
        raise Http404 from error


def _query(request: HttpRequest) -> str:
    """What of the address goes on to the next step."""
    return urlencode({key: request.GET[key] for key in ("campaign", "ruleset") if key in request.GET})


def _warbands(request: MemberRequest, campaign: Campaign | None, rules: Ruleset) -> Iterable[Warband]:
    """Who may be chosen: the campaign's, or everybody that one may see listed, one's own first."""
    if campaign:
        enrolled = Enrolment.objects.current().filter(campaign=campaign)
        return Warband.objects.filter(pk__in=enrolled.values("warband")).order_by("name")
    rows = Warband.objects.listed_for(request.user).filter(ruleset=rules.key, archived_at=None)
    return rows.order_by("name", "pk")[:MOST_OFFERED]


@require_http_methods(["GET", "HEAD", "POST"])
@members_only
def describe(request: MemberRequest, pk: UUID) -> HttpResponse:
    """Name a battle and tell its story."""
    battle = editable(Battle.objects, request.user, pk)
    initial = {"title": battle.title, "story": battle.story, "version": battle.version}
    form = DescribeForm(bound_data(request), initial=initial)
    if form.is_valid() and form.submit(partial(describe_battle, battle_id=pk, user=request.user, **form.cleaned_data)):
        return redirect(reverse("battles:battle", args=[pk]))
    return form_page(request, "battles/describe.html", form, battle=battle, section="battles")
