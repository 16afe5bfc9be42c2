"""The hall screen of a club: a page without a menu for a projector or an old tablet."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.models import Club
from core.page_cache import cached_page
from core.views import get_visible_or_404
from leagues.page_rows import HALL_ROWS
from leagues.selectors.hall import hall


@require_safe
@cached_page(HALL_ROWS, counts_cards=True)
def hall_screen(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show tonight's games by table, the clock, results, standings and the last casualties.

    Nobody has to sign in for a public or unlisted club. A private club is not found by strangers.
    The page asks for itself every ten seconds; while nothing has changed the answer is 304.
    """
    club = get_visible_or_404(Club.objects, request.user, pk)
    return render(request, "leagues/hall.html", {"club": club, "hall": hall(club, request.user)})


hall_screen.access = "open"  # type: ignore[attr-defined]
