"""Setting a battle up: rolled here, or typed in as it was rolled at the table."""

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from battles.forms.setting_up import SetUpForm
from battles.models import Battle, BattleState
from battles.reading import rules_of, scenario_of, setup_of, sides_of
from battles.services.setting_up import set_up_battle
from battles.summaries.rows import name_of
from core.views import MemberRequest, bound_data, editable, form_page, members_only


@require_http_methods(["GET", "HEAD", "POST"])
@members_only
def set_up(request: MemberRequest, pk: UUID) -> HttpResponse:
    """Type in what the table has rolled or agreed, and let Muster roll the rest; it is settled once.

    Of a battle that has begun it leads on to the table. Raises Http404 where the rules have nothing to set up.
    """
    battle = editable(Battle.objects.select_related("campaign"), request.user, pk)
    ability = rules_of(battle).set_up
    if not ability.laid_out:
        raise Http404
    asked = ability.fields(setup_of(battle, sides_of(battle)))
    form = SetUpForm(bound_data(request), asked=asked, initial={"version": battle.version})
    if form.is_valid() and form.submit(
        partial(set_up_battle, battle_id=pk, user=request.user, typed=form.typed, version=form.cleaned_data["version"])
    ):
        messages.success(request, gettext("The table is set up."))
        return redirect("battles:table" if battle.state == BattleState.UNDER_WAY else "battles:battle", pk)
    context = {"battle": battle, "name": name_of(battle), "scenario": scenario_of(battle), "section": "battles"}
    return form_page(request, "battles/set_up.html", form, **context)
