"""Pages that choose a line-up and start the battle."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from battles.chronicle_facts import played_at
from battles.forms.planning import ForceForm
from battles.forms.review import VersionForm
from battles.models import Battle, Side
from battles.rulebook_values import ruleset_of_battle, sides_of
from battles.selectors.battle_rows import name_of
from battles.selectors.line_ups import (
    extras_points,
    points_limit,
    roster_rows,
    warband_at_battle,
)
from battles.selectors.permissions import choosable_sides, may_be_set_up
from battles.selectors.suggestions import suggested_force
from battles.services.classic_forces import may_be_named
from battles.services.fielding import check_force, field_combatants, start_battle
from core.errors import StateConflict
from core.ruleset_forms import posts_initial
from core.views import (
    AuthenticatedRequest,
    add_warnings,
    get_editable_or_404,
    login_required_page,
    post_data,
    render_form,
    run_service,
)
from rulebook.chronicle.states import WarbandState
from rulebook.ruleset import Posts, Problem, Roster, Ruleset
from warbands.models import Fighter
from warbands.rulebook_values import warband_state
from warbands.selectors.roster_sections import posts_to_fill


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def field(request: AuthenticatedRequest, pk: UUID, key: str) -> HttpResponse:
    """Choose a side's line-up and the holders of its posts; all fit fighters are ticked at first.

    "look" shows points and problems of the line-up; "tick" ticks all or none. Both write nothing.
    """
    battle = get_editable_or_404(Battle.objects.select_related("campaign"), request.user, pk)
    side = _side(battle, key)
    if key not in choosable_sides(battle, [side], request.user):
        raise PermissionDenied
    rules, state = ruleset_of_battle(battle), warband_at_battle(battle, side)
    roster = roster_rows(side, state)
    able = [row for row in roster if may_be_named(battle, side, row)]
    limit, bought = points_limit(battle, side), extras_points(battle, state)
    room = None if limit is None else limit - bought
    form = ForceForm(
        _ticked(post_data(request), able),
        fighters=able,
        groups=rules.groups(state.roster),
        posts=[post for post in posts_to_fill(rules, state) if post.open],
        usual=partial(_usual_posts, rules, state),
        initial=_initial(battle, side, able, room) if request.method != "POST" else {},
    )
    if (
        not _looks(request)
        and form.is_valid()
        and form.submit(partial(_field, request, pk, key, form))
    ):
        add_warnings(request, (problem.sentence for problem in form.answer))
        return redirect("battles:battle", pk)
    context = {
        "battle": battle,
        "side": side,
        "limit": limit,
        "section": "battles",
        "words": battle.words,
    }
    context["name"] = name_of(battle)
    context["late"] = warband_state(side.warband, {}).last_played > played_at(battle)
    context["absent"] = sorted(
        (row for row in roster if row not in able), key=lambda row: (-row.rank, row.place)
    )
    if not form.errors or _looks(request):
        context["problems"] = _problems(request, battle, side, form)
    points = bought + sum(row.points for row in form.chosen)
    return render_form(request, "battles/field.html", form, points=points, bought=bought, **context)


def _looks(request: AuthenticatedRequest) -> bool:
    """Return whether the request only shows something and writes nothing."""
    return "look" in request.POST or "tick" in request.POST


def _ticked(data: QueryDict | None, able: Sequence[Fighter]) -> QueryDict | None:
    """Return the data, with all or none of the fighters ticked if that was requested."""
    if data is None or "tick" not in data:
        return data
    data = data.copy()
    data.setlist("fighters", [str(row.pk) for row in able] if data["tick"] == "all" else [])
    return data


def _problems(
    request: AuthenticatedRequest, battle: Battle, side: Side, form: ForceForm
) -> Sequence[Problem]:
    """Return the problems of the line-up as it is ticked now; none once it cannot be changed."""
    if not form.chosen:
        return ()
    try:
        return check_force(
            battle_id=battle.pk, side=side.key, force=form.force_as_ticked, user=request.user
        )
    except StateConflict:
        return ()


def _field(request: AuthenticatedRequest, pk: UUID, key: str, form: ForceForm) -> object:
    version = form.cleaned_data["version"]
    return field_combatants(
        battle_id=pk, side=key, force=form.force, user=request.user, version=version
    )


def _usual_posts(rules: Ruleset, state: WarbandState, fielded: Iterable[str]) -> Posts:
    """Return the default holders of posts.

    The roster's holders if they are in the line-up, otherwise those that the rules choose.
    """
    chosen = set(fielded)
    serving = tuple(each for each in state.roster.fighters if each.id in chosen)
    present = {
        post: tuple(key for key in holders if key in chosen)
        for post, holders in state.posts.items()
    }
    held = {post: holders for post, holders in present.items() if holders}
    return rules.default_posts(Roster(state.terms, serving, held))


def _side(battle: Battle, key: str) -> Side:
    side = next((each for each in sides_of(battle) if each.key == key), None)
    if side is None:
        raise Http404
    return side


def _initial(
    battle: Battle, side: Side, able: Sequence[Fighter], room: int | None
) -> Mapping[str, Any]:
    """Return the initial values: the present line-up, otherwise the suggested one."""
    fielded = list(side.combatants.all())
    if not fielded:
        force = suggested_force(battle, side, able, room)
        ticked = {"fighters": [str(key) for key in force.fighters]}
        return {"version": battle.version, **ticked, **posts_initial(force.posts)}
    held: dict[str, tuple[str, ...]] = {}
    for combatant in fielded:
        held |= {post: (*held.get(post, ()), str(combatant.fighter_id)) for post in combatant.posts}
    return {
        "version": battle.version,
        "fighters": [str(combatant.fighter_id) for combatant in fielded],
        **posts_initial(held),
    }


@require_POST
@login_required_page
def start(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Start the battle.

    With "how" = "table" it continues with the set-up or the live log, otherwise with the result
    form.
    """
    get_editable_or_404(Battle.objects, request.user, pk)
    form = VersionForm(request.POST)
    version = form.cleaned_data["version"] if form.is_valid() else None
    verb = partial(start_battle, battle_id=pk, user=request.user, version=version)
    if not run_service(request, verb):
        return redirect("battles:battle", pk)
    if request.POST.get("how") != "table":
        return redirect("battles:sheet", pk)
    return redirect(
        "battles:set-up" if may_be_set_up(Battle.objects.get(pk=pk)) else "battles:table", pk
    )
