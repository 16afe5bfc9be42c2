"""Who takes the field, and letting the battle begin."""

from collections.abc import Mapping
from functools import partial
from typing import Any
from uuid import UUID

import msgspec
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from battles.forms.planning import ForceForm
from battles.forms.review import VersionForm
from battles.models import Battle, Side
from battles.reading import rules_of, scenario_of, sides_of
from battles.services.fielding import field_combatants, start_battle
from battles.services.forces import may_be_named
from config.pages.lookup import MemberRequest, editable
from config.pages.posts import posts_initial
from config.pages.responses import attempt, bound_data, form_page, members_only, warn_of
from rulebook.chronicle.states import GONE, FighterState, WarbandState
from warbands.models import Fighter
from warbands.reading import warband_state
from warbands.summaries.lineup import posts_to_fill


@require_http_methods(["GET", "HEAD", "POST"])
@members_only
def field(request: MemberRequest, pk: UUID, key: str) -> HttpResponse:
    """Choose a side's fighters, and who fills its posts. "look" adds up and writes nothing."""
    battle = editable(Battle.objects.select_related("campaign"), request.user, pk)
    side = _side(battle, key)
    roster = list(Fighter.objects.filter(warband=side.warband_id).exclude(fate__in=GONE).order_by("-rank", "place"))
    rules, state = rules_of(battle), _state(side, roster)
    form = ForceForm(
        bound_data(request),
        fighters=[row for row in _holders_first(roster, state) if may_be_named(battle, side, row)],
        groups=rules.groups(state.roster),
        posts=[post for post in posts_to_fill(rules, state) if post.open],
        initial=_initial(battle, side),
    )
    if "look" not in request.POST and form.is_valid() and form.submit(partial(_field, request, pk, key, form)):
        warn_of(request, (problem.sentence for problem in form.answer))
        return redirect("battles:battle", pk)
    absent = [row for row in roster if not may_be_named(battle, side, row)]
    context = {"battle": battle, "side": side, "absent": absent, "limit": _limit(battle, side), "section": "battles"}
    context["words"] = battle.words
    return form_page(request, "battles/field.html", form, points=sum(row.points for row in form.chosen), **context)


def _field(request: MemberRequest, pk: UUID, key: str, form: ForceForm) -> object:
    version = form.cleaned_data["version"]
    return field_combatants(battle_id=pk, side=key, force=form.force, user=request.user, version=version)


def _state(side: Side, roster: list[Fighter]) -> WarbandState:
    """The warband with those of its fighters who are not gone."""
    return warband_state(side.warband, {str(row.pk): msgspec.convert(row.state, FighterState) for row in roster})


def _holders_first(roster: list[Fighter], state: WarbandState) -> list[Fighter]:
    """The roster with those who fill a post of the warband before the others."""
    held = {one for holders in state.posts.values() for one in holders}
    return sorted(roster, key=lambda row: str(row.pk) not in held)


def _side(battle: Battle, key: str) -> Side:
    found = next((side for side in sides_of(battle) if side.key == key), None)
    if found is None:
        raise Http404
    return found


def _initial(battle: Battle, side: Side) -> Mapping[str, Any]:
    """Who was named before; else the posts as the warband has filled them."""
    fielded = list(side.combatants.all())
    if not fielded:
        return {"version": battle.version, **posts_initial(side.warband.state.get("posts", {}))}
    held: dict[str, tuple[str, ...]] = {}
    for one in fielded:
        held |= {post: (*held.get(post, ()), str(one.fighter_id)) for post in one.posts}
    return {
        "version": battle.version,
        "fighters": [str(one.fighter_id) for one in fielded],
        **posts_initial(held),
    }


def _limit(battle: Battle, side: Side) -> int | None:
    """The points that the scenario lets this side field, as its role's share of the battle's limit."""
    role = next((each for each in scenario_of(battle).roles if each.key == side.role), None)
    if battle.points_limit is None or role is None:
        return battle.points_limit
    numerator, denominator = role.force
    return battle.points_limit * numerator // denominator


@require_POST
@members_only
def start(request: MemberRequest, pk: UUID) -> HttpResponse:
    """Let the battle begin."""
    editable(Battle.objects, request.user, pk)
    form = VersionForm(request.POST)
    version = form.cleaned_data["version"] if form.is_valid() else None
    if attempt(request, partial(start_battle, battle_id=pk, user=request.user, version=version)):
        return redirect("battles:sheet", pk)
    return redirect("battles:battle", pk)
