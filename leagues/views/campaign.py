"""The tabs of a campaign: overview, warbands, log, standings, honours, settings.

Its battles have their own page in the app of battles.
"""

from collections.abc import Iterable
from functools import partial
from itertools import groupby
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from battles.selectors.standings import enrolments_of
from battles.selectors.standings import standings as campaign_standings
from campaigns.eligibility import ruleset_of_campaign
from campaigns.forms.log import LogFilter
from campaigns.house_rules import house_rule_values
from campaigns.models import Campaign, Enrolment
from campaigns.scoring import scoring_under
from campaigns.selectors.log import log_entries, log_page, told_once
from clubs.selectors.roles import role_of
from core.compiled_queries import CompiledQuery
from core.page_cache import cached_page, computed_with_rows
from core.views import (
    AuthenticatedRequest,
    get_editable_or_404,
    login_required_page,
    open_ended,
    paginate,
    public_page,
    visible_row_or_404,
)
from leagues.page_rows import CAMPAIGN_ROWS
from leagues.selectors.campaign_page import campaign_page, enrolment_rows, has_entered
from leagues.selectors.dashboard import Dashboard, dashboard
from leagues.selectors.honours import honours as honours_of
from leagues.selectors.pulse import campaign_pulse
from warbands.selectors.crests import crests_in_campaign

DEAD_ON_A_PAGE = 24
WITHOUT_PROGRESS = {"story", "version", "folded", "row_signature"}
"""The columns of a campaign that its dashboard does not use."""
CAMPAIGN: CompiledQuery[Campaign] = CompiledQuery(
    lambda key, user: Campaign.objects.visible_to(user).filter(pk=key).select_related("club")
)
CAMPAIGN_WITH_SEASONS: CompiledQuery[Campaign] = CompiledQuery(
    lambda key, user: (
        Campaign.objects.visible_to(user)
        .filter(pk=key)
        .select_related("club", "follows", "followed_by")
    )
)


@require_safe
@public_page
def campaigns(request: HttpRequest) -> HttpResponse:
    """List the campaigns that the user can see."""
    public_rows, known_rows = Campaign.objects.public(), Campaign.objects.known_to(request.user)
    page = open_ended(
        request,
        Campaign.objects.select_related("club"),
        public_rows=public_rows,
        known_rows=known_rows,
    )
    context = {"section": "campaigns", "page": page, "show_club": True}
    return render(request, "leagues/campaigns.html", context)


@require_safe
@public_page
@cached_page(CAMPAIGN_ROWS)
def campaign(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the overview: the standings with charts, open battles, results and the latest events."""
    campaign = visible_row_or_404(CAMPAIGN_WITH_SEASONS, request.user, pk)
    page = campaign_page(campaign, request.user, partial(_progress, request))
    crests = crests_in_campaign(campaign.pk, request.user)
    return render(
        request,
        "leagues/overview.html",
        _tab("overview", campaign, page.role, page=page, crests=crests),
    )


def _progress(
    request: HttpRequest, campaign: Campaign, enrolments: Iterable[Enrolment]
) -> Dashboard:
    """Return the dashboard, which does not change with the story of the campaign."""
    columns = {
        field.attname: getattr(campaign, field.attname)
        for field in campaign._meta.concrete_fields
        if field.name not in WITHOUT_PROGRESS
    }
    return computed_with_rows(
        request,
        "campaign-progress",
        (columns,),
        Campaign._meta.db_table,
        lambda: dashboard(campaign, enrolments),
    )


@require_safe
@public_page
@cached_page(CAMPAIGN_ROWS)
def warbands(request: HttpRequest, pk: UUID) -> HttpResponse:
    """List the warbands of the campaign."""
    campaign = _found(request, pk)
    role = role_of(request.user, campaign.club_id)
    enrolments = enrolments_of(campaign)
    rows = enrolment_rows(campaign, enrolments, campaign_standings(campaign))
    crests = crests_in_campaign(campaign.pk, request.user)
    mine = (
        set(campaign.enrolments.editable_by(request.user).values_list("pk", flat=True))
        if role
        else set()
    )
    entered = has_entered(enrolments, request.user)
    context = {"rows": rows, "mine": mine, "crests": crests, "entered": entered}
    return render(request, "leagues/warbands.html", _tab("warbands", campaign, role, **context))


@require_safe
@public_page
def log(request: HttpRequest, pk: UUID) -> HttpResponse:
    """List the events of its warbands, newest first, together with the journal.

    `?warband=` and `?kind=` filter the list.
    """
    campaign = _found(request, pk)
    form = LogFilter(request.GET, campaign=campaign)
    entries, journal = form.narrow(log_entries(campaign)), form.of_journal(campaign.journal.all())
    shown_entries = entries if form.cleaned_data.get("warband") else told_once(campaign, entries)
    page, lines = log_page(campaign, shown_entries, journal, request.GET.get("page", "1"))
    context = {"page": page, "lines": lines, "form": form}
    return render(
        request,
        "leagues/log.html",
        _tab("log", campaign, role_of(request.user, campaign.club_id), **context),
    )


@require_safe
@public_page
@cached_page(CAMPAIGN_ROWS)
def standings(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the standings, with the rule that orders them."""
    campaign = _found(request, pk)
    role = role_of(request.user, campaign.club_id)
    table = campaign_standings(campaign)
    crests = crests_in_campaign(campaign.pk, request.user)
    return render(
        request,
        "leagues/standings.html",
        _tab("standings", campaign, role, standings=table, crests=crests),
    )


@require_safe
@public_page
@cached_page(CAMPAIGN_ROWS)
def honours(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show its veterans, records, kills, and the dead by date, paginated."""
    campaign = _found(request, pk)
    shown = honours_of(campaign)
    context = {"shown": shown, "page": paginate(request, shown.memorial, DEAD_ON_A_PAGE)}
    return render(
        request,
        "leagues/honours.html",
        _tab("honours", campaign, role_of(request.user, campaign.club_id), **context),
    )


@require_safe
@public_page
@cached_page(CAMPAIGN_ROWS)
def settings(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the terms of the campaign; organisers change them from here."""
    campaign = _found(request, pk)
    rules = ruleset_of_campaign(campaign)
    values = house_rule_values(rules, campaign.house_rules)
    by_default = (each for each in values if not each.changed)
    context = {
        "changed_rules": [each for each in values if each.changed],
        "default_rules": [
            (group, list(lines))
            for group, lines in groupby(by_default, lambda each: each.rule.group)
        ],
        "scoring": scoring_under(campaign.scoring, campaign.shown),
        "rules": rules,
    }
    return render(
        request,
        "leagues/settings.html",
        _tab("settings", campaign, role_of(request.user, campaign.club_id), **context),
    )


@require_safe
@login_required_page
def pulse(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Show its pulse to organisers: who drifts away, the gap, dead games, three suggestions."""
    get_editable_or_404(Campaign.objects, request.user, pk)
    campaign = _found(request, pk)
    context = {"pulse": campaign_pulse(campaign, timezone.localdate())}
    return render(request, "leagues/pulse.html", _tab("pulse", campaign, "organiser", **context))


def _found(request: HttpRequest, pk: UUID) -> Campaign:
    return visible_row_or_404(CAMPAIGN, request.user, pk)


def _tab(name: str, campaign: Campaign, role: str, **context: Any) -> dict[str, Any]:
    """Return the context of a tab: the common part and its own content."""
    common = {"section": "campaigns", "tab": name, "campaign": campaign, "role": role}
    return {
        **common,
        "organises": role == "organiser",
        "plays": role in ("organiser", "player"),
        **context,
    }
