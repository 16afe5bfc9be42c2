"""Pages that describe a planned battle, count it in a campaign and set it up."""

from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from battles.forms.planning import CountInForm, DescribeForm, SetUpForm
from battles.models import Battle, BattleState
from battles.rulebook_values import read_setup, ruleset_of_battle, scenario_of, sides_of
from battles.selectors.battle_rows import name_of
from battles.services.days import NewDay
from battles.services.planning import count_in_campaign, describe_battle
from battles.services.setting_up import set_up_battle
from core.views import (
    AuthenticatedRequest,
    get_editable_or_404,
    login_required_page,
    post_data,
    render_form,
    run_service,
)

SETTLED = (BattleState.CONFIRMED, BattleState.VOID)


@require_POST
@login_required_page
def count_in(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Count a one-off battle in the campaign in which all its warbands play."""
    get_editable_or_404(Battle.objects, request.user, pk)
    form = CountInForm(request.POST)
    if form.is_valid():
        verb = partial(count_in_campaign, battle_id=pk, user=request.user, **form.cleaned_data)
        run_service(request, verb, gettext("The battle now counts in the campaign."))
    return redirect("battles:battle", pk)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def describe(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Change a battle's name and story and, until it is confirmed, its day."""
    battle = get_editable_or_404(Battle.objects, request.user, pk)
    initial = {
        "title": battle.title,
        "story": battle.story,
        "fought_on": battle.fought_on,
        "version": battle.version,
    }
    form = DescribeForm(post_data(request), dated=battle.state not in SETTLED, initial=initial)
    if form.is_valid() and form.submit(partial(_describe, request, pk, dict(form.cleaned_data))):
        return redirect(reverse("battles:battle", args=[pk]))
    organises = Battle.objects.organised_by(request.user).filter(pk=pk).exists()
    context = {
        "battle": battle,
        "name": name_of(battle),
        "organises": organises and battle.state != BattleState.VOID,
    }
    return render_form(request, "battles/describe.html", form, section="battles", **context)


def _describe(request: AuthenticatedRequest, pk: UUID, data: dict[str, Any]) -> Battle:
    day = NewDay(fought_on=data.pop("fought_on", None))
    return describe_battle(battle_id=pk, user=request.user, day=day, **data)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def set_up(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Type in the set-up that players rolled or agreed, and roll the rest. This is possible once.

    If the battle has begun, it continues with the live log. Raises Http404 if the rules have no
    set-up.
    """
    battle = get_editable_or_404(Battle.objects.select_related("campaign"), request.user, pk)
    ability = ruleset_of_battle(battle).set_up
    if not ability.laid_out:
        raise Http404
    rules_fields = ability.fields(read_setup(battle, sides_of(battle)))
    form = SetUpForm(
        post_data(request), rules_fields=rules_fields, initial={"version": battle.version}
    )
    if form.is_valid() and form.submit(
        partial(
            set_up_battle,
            battle_id=pk,
            user=request.user,
            typed=form.typed,
            version=form.cleaned_data["version"],
        )
    ):
        messages.success(request, gettext("Setup saved."))
        return redirect(
            "battles:table" if battle.state == BattleState.UNDER_WAY else "battles:battle", pk
        )
    context = {
        "battle": battle,
        "name": name_of(battle),
        "scenario": scenario_of(battle),
        "section": "battles",
    }
    return render_form(request, "battles/set_up.html", form, **context)
