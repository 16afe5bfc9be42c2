"""The page that enters the result of a game that was played without Muster."""

from collections.abc import Sequence
from datetime import date
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods
from msgspec import Struct

from battles.forms.events import MAX_ROWS, CombatantNames, SheetForm, sheet_kinds
from battles.forms.reporting import KEYS, ReportedSide, ReportForm
from battles.models import Battle, BattleState, Side
from battles.selectors.fixture_results import (
    FixtureResult,
    FixtureState,
    campaign_fixture_results,
)
from battles.selectors.line_ups import (
    extras_points,
    points_limit,
    roster_rows,
    warband_at_battle,
)
from battles.selectors.suggestions import (
    last_club_night,
    suggested_force,
    suggested_scenario,
)
from battles.services.classic_forces import may_be_named
from battles.services.planning import BattlePlan
from battles.services.reporting import (
    ENDED,
    Report,
    players_say_who_won,
    preview_report,
    report_battle,
    score_form,
)
from campaigns.models import Campaign, CampaignState, Fixture
from clubs.selectors.roles import role_of
from core.errors import InvalidInput
from core.views import (
    AuthenticatedRequest,
    get_visible_or_404,
    login_required_page,
    post_data,
    render_form,
)
from rulebook.registry import find_ruleset
from rulebook.ruleset import Ruleset, Scenario
from rulebook.values.battles import ScenarioRole
from warbands.models import Warband


class Reported(Struct, frozen=True, kw_only=True):
    """The game whose result is entered, between two warbands of a campaign.

    ``key`` is its fixture, or another id by which the browser keeps unsaved entries. ``back`` is
    the page to return to.
    """

    campaign: Campaign
    warbands: Sequence[UUID]
    day: date
    key: UUID
    back: str
    fixture: UUID | None = None
    linkable: bool = False
    """True if the two have a battle that is not linked to a fixture."""


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def fixture_result(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Enter the result of an open fixture: winner or score, casualties, day and line-ups."""
    rows = Fixture.objects.select_related("round__campaign__club")
    fixture: Fixture = get_visible_or_404(rows, request.user, pk)
    campaign = fixture.round.campaign
    expect_player(request, campaign)
    result = _result_of(campaign, pk)
    if result.battle:
        return redirect("battles:battle", result.battle)
    if not (result.state is FixtureState.OPEN and campaign.state == CampaignState.RUNNING):
        messages.error(request, gettext("No result can be entered for this fixture now."))
        return redirect("leagues:fixtures", campaign.pk)
    reported = Reported(
        campaign=campaign,
        warbands=[each.warband for each in result.entrants],
        day=last_club_night(campaign.club, timezone.localdate()),
        key=pk,
        back=reverse("leagues:fixtures", args=[campaign.pk]),
        fixture=pk,
        linkable=_has_linkable_battle(request, campaign, result),
    )
    return result_page(request, reported)


def expect_player(request: AuthenticatedRequest, campaign: Campaign) -> None:
    """Raise PermissionDenied unless the user organises the campaign's club or plays in it."""
    if role_of(request.user, campaign.club_id) not in ("organiser", "player"):
        raise PermissionDenied


def result_page(request: AuthenticatedRequest, reported: Reported) -> HttpResponse:
    """Show the form for a result that is entered in one step, or write the result.

    `?scenario=` chooses the scenario. "look" shows the result so far and writes nothing.
    """
    # Step 1: the scenario, the sides and their fighters.
    campaign = reported.campaign
    rules = find_ruleset(campaign.ruleset, campaign.edition)
    scenarios = [each for each in rules.scenarios() if _is_for_two(each)]
    scenario = _scenario(request, campaign, scenarios)
    sides = _sides(campaign, rules, scenario, reported.warbands)
    names = CombatantNames(
        sides=[(key, side.name) for key, side in zip(KEYS, sides, strict=True)],
        combatants=[(side.name, [(str(row.pk), row.name) for row in side.able]) for side in sides],
    )

    # Step 2: the two forms, one for the result and one for what happened in the battle.
    scored = score_form(rules)
    kinds = [
        kind
        for kind in sheet_kinds(rules, scenario.key)
        if kind.key not in (ENDED, scored.key if scored else "")
    ]
    data = post_data(request)
    sheet = SheetForm(data, kinds, names, everybody=True)
    form = ReportForm(
        data,
        sides=sides,
        roles=_roles(scenario),
        scored=scored is not None,
        declared=players_say_who_won(rules),
        initial={"fought_on": reported.day},
    )
    context = {
        "campaign": campaign,
        "reported": reported,
        "sides": sides,
        "scenario": scenario,
        "scenarios": scenarios,
        "sheet": sheet,
        "board_sides": names.board_sides({}),
        "most_rows": MAX_ROWS,
        "shown": campaign.shown,
        "words": campaign.words,
        "section": "campaigns",
    }

    # Step 3: preview, or write everything.
    def report() -> Report:
        return _report(campaign, scenario, rules, form, sheet, reported.fixture)

    both_valid = data is not None and all([sheet.is_valid(), form.is_valid()])
    if "look" in request.POST:
        so_far = preview_report(user=request.user, report=report()) if form.is_valid() else None
        return render(request, "battles/report.html", {**context, "form": form, "so_far": so_far})
    complete = both_valid and not sheet.wants_more
    if complete and form.submit(lambda: _reported(request, report(), sheet)):
        messages.success(request, gettext("Result submitted."))
        return redirect("battles:battle", form.answer.pk)
    if sheet.wants_more:
        return render(request, "battles/report.html", {**context, "form": form})
    if sheet.errors:
        return render(request, "battles/report.html", {**context, "form": form}, status=400)
    return render_form(request, "battles/report.html", form, **context)


def _reported(request: AuthenticatedRequest, report: Report, sheet: SheetForm) -> Battle:
    """Write the report. Problems of events are shown in their rows, the others by the form."""
    try:
        return report_battle(user=request.user, report=report)
    except InvalidInput as error:
        if error.within != "events":
            raise
        sheet.add_errors(error)
        raise InvalidInput(
            "illegal-events", gettext("Check the casualties: some rows have errors.")
        ) from error


def _report(
    campaign: Campaign,
    scenario: Scenario,
    rules: Ruleset,
    form: ReportForm,
    sheet: SheetForm,
    fixture: UUID | None,
) -> Report:
    """Return the report of both forms. Invalid rows are left out of a preview."""
    return Report(
        plan=BattlePlan(
            client_id=form.cleaned_data["client_id"],
            campaign=campaign.pk,
            scenario=scenario.key,
            sides=form.planned_sides,
            fought_on=form.cleaned_data["fought_on"],
            points_limit=_limit(campaign, rules),
            fixture=fixture,
        ),
        forces=form.forces,
        events=tuple(row.event for row in sheet.filled if not row.errors),
        score=form.reported_score,
        winner=form.reported_winner,
    )


def _result_of(campaign: Campaign, pk: UUID) -> FixtureResult:
    """Return the present state of a fixture. One query."""
    results = campaign_fixture_results(campaign)
    return next(each for each in results if each.id == pk)


def _is_for_two(scenario: Scenario) -> bool:
    least = sum(role.least for role in scenario.roles)
    return least <= 2 <= sum(role.most for role in scenario.roles)


def _scenario(
    request: AuthenticatedRequest, campaign: Campaign, scenarios: list[Scenario]
) -> Scenario:
    """Return the scenario in the address, otherwise the one that a new battle would suggest."""
    requested = request.GET.get("scenario", "")
    by_key = {each.key: each for each in scenarios}
    return by_key.get(requested) or suggested_scenario(campaign, scenarios)


def _roles(scenario: Scenario) -> list[ScenarioRole]:
    """Return the roles of the two sides."""
    needed = [role for role in scenario.roles for _ in range(role.least)]
    spare = [role for role in scenario.roles for _ in range(role.most - role.least)]
    return [*needed, *spare][:2]


def _limit(campaign: Campaign, rules: Ruleset) -> int | None:
    if campaign.points is None:
        return None
    return rules.points.battle_limit(campaign.points, campaign.house_rules) or campaign.points


def _sides(
    campaign: Campaign, rules: Ruleset, scenario: Scenario, warband_ids: Sequence[UUID]
) -> list[ReportedSide]:
    """Return both sides with their fighters and suggested line-ups, in this order."""
    # Neither row is saved: they only ask the questions of a battle that is played today.
    battle = Battle(
        campaign=campaign,
        ruleset=campaign.ruleset,
        edition=campaign.edition,
        scenario=scenario.key,
        house_rules=campaign.house_rules,
        points_limit=_limit(campaign, rules),
        fought_on=timezone.localdate(),
    )
    warbands = Warband.objects.in_bulk(warband_ids)
    roles = zip(KEYS, warband_ids, _roles(scenario), strict=True)
    sides = [
        Side(battle=battle, key=key, warband=warbands[warband_id], role=role.key)
        for key, warband_id, role in roles
    ]
    return [_side(battle, side) for side in sides]


def _side(battle: Battle, side: Side) -> ReportedSide:
    state = warband_at_battle(battle, side)
    able = [row for row in roster_rows(side, state) if may_be_named(battle, side, row)]
    limit = points_limit(battle, side)
    room = None if limit is None else limit - extras_points(battle, state)
    suggested = suggested_force(battle, side, able, room)
    return ReportedSide(
        warband=side.warband_id,
        name=side.warband.name,
        able=able,
        chosen=suggested.fighters,
        posts=suggested.posts,
    )


def _has_linkable_battle(
    request: AuthenticatedRequest, campaign: Campaign, result: FixtureResult
) -> bool:
    """Return whether a battle between the two exists that is not linked to a fixture. One query."""
    battles = Battle.objects.editable_by(request.user).filter(campaign=campaign, fixture=None)
    for entrant in result.entrants:
        battles = battles.filter(sides__warband=entrant.warband)
    return battles.exclude(state=BattleState.VOID).exists()
