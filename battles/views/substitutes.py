"""Pages that name a substitute for a side of a battle, or for a fixture."""

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from battles.forms.planning import FixtureSubstituteForm, SubstituteForm
from battles.models import Battle
from battles.selectors.battle_rows import name_of
from battles.selectors.permissions import battle_permissions
from battles.services.substitutes import name_fixture_substitute, name_substitute
from campaigns.models import Campaign, Enrolment, Fixture
from clubs.models import Membership, Role
from core.views import (
    AuthenticatedRequest,
    get_visible_or_404,
    login_required_page,
    post_data,
    render_form,
)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def substitute(request: AuthenticatedRequest, pk: UUID, key: str) -> HttpResponse:
    """Name the member who plays a side of a battle for the warband's player."""
    battle = get_visible_or_404(Battle.objects.for_pages(), request.user, pk)
    side = next((each for each in battle.sides.all() if each.key == key), None)
    if side is None:
        raise Http404
    if key not in battle_permissions(battle, request.user).substitutes:
        raise PermissionDenied
    form = SubstituteForm(
        post_data(request),
        members=_members(battle.campaign),
        initial={"player": side.substitute_id},
    )
    verb = partial(name_substitute, battle_id=pk, side=key, user=request.user)
    if form.is_valid() and form.submit(lambda: verb(player_id=form.cleaned_data["player"])):
        messages.success(request, gettext("Substitute saved."))
        return redirect("battles:battle", pk)
    context = {"battle": battle, "side": side, "name": name_of(battle), "section": "battles"}
    return render_form(request, "battles/substitute.html", form, **context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def fixture_substitute(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Name the member who plays a fixture for the player of one of its warbands."""
    rows = Fixture.objects.select_related("round__campaign__club", "home__warband", "away__warband")
    fixture: Fixture = get_visible_or_404(rows, request.user, pk)
    campaign = fixture.round.campaign
    both = [each.pk for each in (fixture.home, fixture.away) if each is not None]
    mine = Enrolment.objects.editable_by(request.user).filter(pk__in=both)
    own_enrolments = list(mine.select_related("warband"))
    if not own_enrolments:
        raise PermissionDenied
    named = dict(fixture.substitutes.values_list("enrolment", "player"))
    initial = {"enrolment": own_enrolments[0].pk, "player": named.get(own_enrolments[0].pk)}
    members = _members(campaign)
    form = FixtureSubstituteForm(
        post_data(request), members=members, enrolments=own_enrolments, initial=initial
    )
    if form.is_valid():
        kwargs = {
            "enrolment_id": form.cleaned_data["enrolment"],
            "player_id": form.cleaned_data["player"],
        }
        if form.submit(
            partial(name_fixture_substitute, fixture_id=pk, user=request.user, **kwargs)
        ):
            messages.success(request, gettext("Substitute saved."))
            return redirect("leagues:fixtures", campaign.pk)
    context = {
        "campaign": campaign,
        "fixture": fixture,
        "named": fixture.substitutes.select_related(
            "player", "enrolment__warband", "enrolment__player"
        ),
        "section": "campaigns",
    }
    return render_form(request, "battles/fixture_substitute.html", form, **context)


def _members(campaign: Campaign) -> QuerySet[Membership]:
    """Return the possible substitutes: all members but spectators."""
    return campaign.club.memberships.present().exclude(role=Role.SPECTATOR).order_by("name")
