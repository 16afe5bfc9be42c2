"""The results of a campaign for other sites: its standings as CSV or JSON, and a feed of results.

They need no account if the campaign is public. Of others, strangers get 404: the readers are
programs and frames of other sites, which cannot sign in.
"""

from typing import Any
from uuid import UUID

from csp.decorators import csp_replace
from django.db.models import Max
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.text import slugify
from django.utils.translation import get_language, gettext
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from battles.models import Battle, BattleState
from battles.selectors.battle_rows import BattleRow, battle_row
from battles.selectors.standings import StandingsRow
from battles.selectors.standings import standings as campaign_standings
from campaigns.models import Campaign
from core.csv_files import csv_file
from core.page_cache import cached_page
from core.ruleset_words import state_label
from core.views import public_file, visible_row_or_404
from leagues.page_rows import CAMPAIGN_ROWS
from leagues.selectors.standings_columns import COLUMNS
from leagues.views.campaign import CAMPAIGN

MAX_ENTRIES = 50
"""The most entries of a feed: the latest results."""


@require_safe
@public_file
@cached_page(CAMPAIGN_ROWS)
def standings_json(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Return the standings, best first: the position, warband and player of each row, and figures.

    The figures have the names of the API.
    """
    campaign = visible_row_or_404(CAMPAIGN, request.user, pk)
    table = campaign_standings(campaign)
    rows = [_named(row) for row in table.rows]
    answer: dict[str, Any] = {"campaign": campaign.name, "rows": rows, "rule": table.rule}
    return JsonResponse(answer)


@require_safe
@public_file
def standings_csv(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """Return the standings as a spreadsheet, with the figures that the API has."""
    campaign = visible_row_or_404(CAMPAIGN, request.user, pk)
    rows = [_named(row) for row in campaign_standings(campaign).rows]
    header = ["position", "warband", "player", *(column.key for column in COLUMNS)]
    file = f"{slugify(campaign.name) or 'standings'}.csv"
    return csv_file(file, header, ([row[key] for key in header] for row in rows))


@require_safe
@public_file
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})
@cached_page(CAMPAIGN_ROWS)
def embedded_standings(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the standings of a public campaign alone, for a frame in a page of another site.

    It is the only page that may be framed: it has no form, and shows what everybody may see.
    """
    campaign = Campaign.objects.public().select_related("club").filter(pk=pk).first()
    if campaign is None:
        raise Http404
    table = campaign_standings(campaign)
    return render(request, "leagues/embed.html", {"campaign": campaign, "standings": table})


def _named(row: StandingsRow) -> dict[str, str | int]:
    figures = {column.key: getattr(row, column.key) for column in COLUMNS}
    return {
        "position": row.position,
        "warband": row.name,
        "player": row.player_name,
        **figures,
    }


@require_safe
@public_file
@cached_page(CAMPAIGN_ROWS)
def results_feed(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Return the latest confirmed battles as an Atom feed, newest result first.

    Friendly battles are left out.
    """
    campaign = visible_row_or_404(CAMPAIGN, request.user, pk)
    address = request.build_absolute_uri(reverse("leagues:campaign", args=[pk]))
    feed = Atom1Feed(
        title=gettext("%(campaign)s: results") % {"campaign": campaign.name},
        link=address,
        feed_url=request.build_absolute_uri(),
        description=campaign.club.name,
        language=get_language(),
    )
    for battle in _latest(campaign):
        row = battle_row(battle)
        link = request.build_absolute_uri(reverse("battles:battle", args=[row.id]))
        feed.add_item(
            title=row.name,
            link=link,
            # Readers show it as HTML.
            description=escape(_result(row)),
            unique_id=f"urn:uuid:{row.id}",
            pubdate=battle.confirmed_at,
            # Readers show a corrected result again.
            updateddate=battle.changed_at,  # type: ignore[attr-defined]
        )
    return HttpResponse(feed.writeString("utf-8"), content_type=feed.content_type)


def _latest(campaign: Campaign) -> list[Battle]:
    confirmed = campaign.battles.filter(state=BattleState.CONFIRMED, friendly=False)
    changed = Coalesce(Max("revisions__made_at"), "confirmed_at")
    rows = confirmed.annotate(changed_at=changed).for_rows()
    return list(rows.order_by("-confirmed_at", "pk")[:MAX_ENTRIES])


def _result(row: BattleRow) -> str:
    """Return the result of each side as text: "Reds: won (12). Blues: lost (7)."."""
    sides = []
    for side in row.sides:
        outcome = state_label(side.outcome) if side.outcome else ""
        points = f" ({side.victory_points})" if row.shown.victory_points else ""
        sides.append(f"{side.warband_name}: {outcome}{points}")
    return f"{'. '.join(sides)}."
