"""The page that plans a battle: a one-off battle, a battle of a campaign, or one for a fixture."""

from datetime import date
from functools import partial
from uuid import UUID

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods
from msgspec.structs import replace

from battles.forms.events import scenario_of as scenario_by_key
from battles.forms.planning import PlanForm
from battles.models import Battle
from battles.selectors.opponents import Opponents, opponents, own_system, suggested_limit
from battles.selectors.permissions import may_be_set_up
from battles.selectors.suggestions import next_club_night, suggested_scenario
from battles.services.planning import BattlePlan, plan_battle
from battles.services.setting_up import set_up_battle
from campaigns.models import Campaign, Enrolment
from core.errors import Forbidden, InvalidInput
from core.views import (
    AuthenticatedRequest,
    get_visible_or_404,
    login_required_page,
    post_data,
    render_form,
    run_service,
)
from leagues.selectors.fixtures import FixtureRow, fixture_of
from rulebook.registry import find_ruleset, newest_ruleset, rulesets
from rulebook.ruleset import RulesError, Ruleset
from warbands.models import Warband

ALL = "all"


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def plan(request: AuthenticatedRequest) -> HttpResponse:
    """Plan a battle.

    `?campaign=`, `?scenario=` and `?against=` set its campaign, scenario and opponent.

    `?scenario=all` lists all scenarios. Without a scenario a campaign suggests one; for a one-off
    battle the page lists all scenarios of the rule system in `?ruleset=`, or of that of the user's
    newest warband.
    """
    campaign = _campaign(request)
    rules = _rules(request, campaign)
    back = (
        reverse("battles:campaign", args=[campaign.pk]) if campaign else reverse("battles:battles")
    )
    fixture = _fixture(request, campaign)
    if fixture and campaign:
        back = reverse("leagues:fixtures", args=[campaign.pk])
    context = {
        "campaign": campaign,
        "rules": rules,
        "section": "battles",
        "query": _query(request, campaign, rules),
        "back": back,
        "fixture": fixture,
    }
    suggested = bool(campaign) and not request.GET.get("scenario")
    requested = request.GET.get("scenario") or (
        suggested_scenario(campaign, rules.scenarios()).key if campaign else ALL
    )
    if requested == ALL:
        systems = () if campaign else [(each, each.key == rules.key) for each in rulesets()]
        return render(
            request,
            "leagues/scenarios.html",
            {**context, "scenarios": rules.scenarios(), "systems": systems},
        )
    scenario = scenario_by_key(rules, requested)
    if scenario is None:
        raise Http404
    met = None if campaign else opponents(request.user, rules)
    own_warband, against = _who(request, campaign, fixture, met)
    form = PlanForm(
        post_data(request),
        scenario=scenario,
        warbands=[(each.warband, each.in_a_choice) for each in met.offered]
        if met
        else _enrolled(campaign),
        campaign=campaign.pk if campaign else None,
        points=rules.points.counted,
        laid_out=rules.set_up.laid_out,
        own_warband=own_warband,
        against=against,
        initial={
            "points_limit": suggested_limit(met) if met else campaign and campaign.points,
            "fought_on": _day(campaign, fixture),
        },
    )
    played_for = fixture.id if fixture else None
    if form.is_valid() and form.submit(
        lambda: _planned(request, replace(form.plan, fixture=played_for))
    ):
        if form.cleaned_data.get("roll") and may_be_set_up(form.answer):
            run_service(
                request, partial(set_up_battle, battle_id=form.answer.pk, user=request.user)
            )
        return redirect("battles:battle", form.answer.pk)
    return render_form(
        request,
        "leagues/plan.html",
        form,
        scenario=scenario,
        met=met,
        suggested=suggested,
        **context,
    )


def _planned(request: AuthenticatedRequest, plan: BattlePlan) -> Battle:
    """Plan and return the battle. Raises the errors of ``plan_battle``.

    Turns "not-your-warband" into an InvalidInput, so that the form shows it and the user can fix
    it.
    """
    try:
        return plan_battle(user=request.user, plan=plan)
    except Forbidden as error:
        if error.code != "not-your-warband":
            raise
        raise InvalidInput(error.code, error.sentence) from error


def _campaign(request: AuthenticatedRequest) -> Campaign | None:
    campaign_id = request.GET.get("campaign", "")
    if not campaign_id:
        return None
    try:
        campaign: Campaign = get_visible_or_404(
            Campaign.objects.select_related("club"), request.user, UUID(campaign_id)
        )
    except ValueError as error:
        raise Http404 from error
    return campaign


def _rules(request: AuthenticatedRequest, campaign: Campaign | None) -> Ruleset:
    if campaign:
        return find_ruleset(campaign.ruleset, campaign.edition)
    try:
        return newest_ruleset(request.GET.get("ruleset") or own_system(request.user))
    except RulesError as error:
        raise Http404 from error


def _query(request: HttpRequest, campaign: Campaign | None, rules: Ruleset) -> str:
    """Return the query string for the next step; for a one-off battle with its rule system."""
    query = {
        key: request.GET[key] for key in ("campaign", "fixture", "against") if request.GET.get(key)
    }
    return urlencode(query if campaign else {"ruleset": rules.key, **query})


def _enrolled(campaign: Campaign | None) -> list[tuple[UUID, str]]:
    """Return the campaign's warbands as choices. One query."""
    enrolled = Enrolment.objects.current().filter(campaign=campaign)
    rows = Warband.objects.filter(pk__in=enrolled.values("warband")).order_by("name")
    return [(row.pk, row.in_a_choice) for row in rows]


def _fixture(request: AuthenticatedRequest, campaign: Campaign | None) -> FixtureRow | None:
    """Return the fixture of the campaign that `?fixture=` names.

    Raises Http404 if it does not exist.
    """
    fixture_id = request.GET.get("fixture", "")
    if not fixture_id:
        return None
    try:
        match = campaign and fixture_of(campaign, UUID(fixture_id), timezone.localdate())
    except ValueError as error:
        raise Http404 from error
    if not match:
        raise Http404
    return match[1]


def _who(
    request: AuthenticatedRequest,
    campaign: Campaign | None,
    fixture: FixtureRow | None,
    met: Opponents | None,
) -> tuple[UUID | None, str]:
    """Return the initial sides of the form: the user's own warband first, and its opponent."""
    own_warband, against = _own(request, campaign), request.GET.get("against", "")
    if met:
        return (met.own[0].warband if met.own else None), against
    sides = [side.warband for side in fixture.sides if side.warband] if fixture else []
    if len(sides) != 2:
        return own_warband, against
    first, second = sides if own_warband != sides[1] else (sides[1], sides[0])
    return first, str(second)


def _day(campaign: Campaign | None, fixture: FixtureRow | None) -> date:
    """Return the initial day: the next club night in time for the fixture, otherwise today."""
    today = timezone.localdate()
    if campaign is None or fixture is None:
        return today
    return next_club_night(campaign.club, today, fixture.deadline)


def _own(request: AuthenticatedRequest, campaign: Campaign | None) -> UUID | None:
    """Return the only warband with which the user plays the campaign, or None. One query."""
    if campaign is None:
        return None
    enrolled = Enrolment.objects.current().filter(campaign=campaign)
    own_enrolments = enrolled.filter(
        Q(warband__owner=request.user) | Q(warband__keeper=request.user)
    )
    warbands = list(own_enrolments.values_list("warband", flat=True)[:2])
    return warbands[0] if len(warbands) == 1 else None
