"""Pages that list battles, and the page of one battle."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from battles.forms.review import DecideForm, DisputeForm
from battles.models import Battle, BattleState
from battles.page_rows import (
    BATTLE_ROWS,
    CAMPAIGN_BATTLES_ROWS,
    FIRST_BATTLES_ROWS,
    first_battles,
)
from battles.rulebook_values import read_setup, ruleset_of_battle
from battles.selectors.battle_card import battle_card
from battles.selectors.battle_page import shown_page
from battles.selectors.battle_rows import battle_rows
from battles.selectors.log_history import log_history
from battles.selectors.permissions import battle_permissions, choosable_sides
from battles.selectors.shown_battle import ShownBattle, shown_battle
from campaigns.models import Campaign
from clubs.selectors.roles import role_of
from core.compiled_queries import CompiledQuery
from core.page_cache import cached_page
from core.pagination import first_page
from core.views import PAGE_SIZE, get_visible_or_404, open_ended, paginate, public_page
from pictures.selectors.pictures import photos_of
from rulebook.ruleset import Severity

FIRST_ROWS: CompiledQuery[Battle] = CompiledQuery(lambda _, user: first_battles(user))


@require_safe
@public_page
@cached_page(FIRST_BATTLES_ROWS, without_query=True)
def battles(request: HttpRequest) -> HttpResponse:
    """List the battles that the user may see, newest first. `?state=` filters them."""
    if request.GET.get("state") or request.GET.get("page"):
        public_rows, known_rows = Battle.objects.public(), Battle.objects.known_to(request.user)
        page = open_ended(
            request,
            Battle.objects.for_rows(),
            public_rows=_narrowed(request, public_rows),
            known_rows=_narrowed(request, known_rows),
        )
    else:
        page = first_page(FIRST_ROWS.rows("", request.user), PAGE_SIZE)
    context = {
        "section": "battles",
        "page": page,
        "rows": battle_rows(page.object_list),
        "states": BattleState.choices,
    }
    return render(
        request, "battles/battles.html", {**context, "state": request.GET.get("state", "")}
    )


@require_safe
@public_page
@cached_page(CAMPAIGN_BATTLES_ROWS)
def campaign(request: HttpRequest, pk: UUID) -> HttpResponse:
    """List the battles of a campaign: one of its tabs."""
    campaign = get_visible_or_404(Campaign.objects.select_related("club"), request.user, pk)
    page = paginate(
        request, _narrowed(request, Battle.objects.filter(campaign=campaign)).for_rows()
    )
    role = role_of(request.user, campaign.club_id)
    context = {
        "section": "campaigns",
        "tab": "battles",
        "campaign": campaign,
        "plays": role in ("organiser", "player"),
        "page": page,
        "rows": battle_rows(page.object_list),
        "states": BattleState.choices,
        "state": request.GET.get("state", ""),
    }
    return render(request, "battles/campaign.html", context)


def _narrowed(request: HttpRequest, rows: Any) -> Any:
    state = request.GET.get("state", "")
    return rows.filter(state=state) if state in BattleState.values else rows


@require_safe
@public_page
@cached_page(BATTLE_ROWS)
def battle(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a battle: its sides, log and result, and what the user can do now."""
    shown = _shown_or_404(request, pk)
    row = shown.battle
    version, rules, setup = (
        {"version": row.version},
        ruleset_of_battle(row),
        read_setup(row, row.sides.all()),
    )
    assets = rules.side_assets(setup)
    permissions = battle_permissions(row, request.user, shown.rights)
    page, card = shown_page(shown), battle_card(row, permissions)
    # The card already says that a side has no line-up.
    premature = bool(card and card.missing)
    settled = row.state == BattleState.CONFIRMED
    history = log_history(row, _log_page_wanted(request, settled=settled))
    context = {
        "section": "battles",
        "page": page,
        "permissions": permissions,
        "readable": choosable_sides(row, row.sides.all(), request.user, shown.rights.rosters),
        "card": card,
        "problems": [
            each for each in page.problems if not premature or each.severity is Severity.WARNS
        ],
        "set_up": rules.set_up.lines(setup),
        "assets": [(side.name, assets[side.key]) for side in setup.sides if assets.get(side.key)],
        "log": history.log,
        "log_open": "log" in request.GET,
        "corrects": bool({"correct", "log", "decide"}.intersection(permissions.actions)),
        "battle": row,
        "shown_battle": shown,
        "turns": history.turns,
        "moments": history.moments,
        "photos": photos_of(pk) if shown.has_photos else (),
        "crests": shown.crests,
        "dispute": DisputeForm(initial=version, auto_id="dispute_%s"),
        "decide": DecideForm(
            initial=version, auto_id="decide_%s", disputed=page.state == BattleState.DISPUTED
        ),
    }
    return render(request, "battles/battle.html", context)


def _shown_or_404(request: HttpRequest, key: UUID) -> ShownBattle:
    """Return a battle that the user may see. Raises Http404."""
    try:
        shown = shown_battle(key, request.user)
    except Battle.DoesNotExist as error:
        raise Http404 from error
    if not shown.is_visible:
        raise Http404
    return shown


def _log_page_wanted(request: HttpRequest, *, settled: bool) -> int | None:
    """Return the page of the log that the address requests.

    Otherwise it is the first page of a finished battle, and the newest of an open one.
    """
    requested = request.GET.get("log", "")
    if requested.isdecimal() and len(requested) < 6:
        return int(requested)
    return 1 if settled else None
