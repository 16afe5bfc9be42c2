"""The first page: what Muster is, or, for who is signed in, what is going on."""

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaigns.models import Campaign, CampaignState, Membership
from config.pages.responses import open_to_all
from config.pages.to_do import waiting_for
from warbands.models import Warband

MOST = 12


@require_safe
@open_to_all
def home(request: HttpRequest) -> HttpResponse:
    """Signed out: what Muster is. Signed in: what waits, and one's warbands, campaigns and clubs."""
    user = request.user
    if not user.is_authenticated:
        return render(request, "home/welcome.html")
    memberships = Membership.objects.present().filter(user=user).select_related("club")
    campaigns = Campaign.objects.filter(club__memberships__user=user).exclude(state=CampaignState.FINISHED)
    warbands = Warband.objects.filter(Q(owner=user) | Q(keeper=user), archived_at=None)
    context = {
        "waiting": waiting_for(user),
        "memberships": memberships[:MOST],
        "campaigns": campaigns.select_related("club")[:MOST],
        "warbands": warbands.order_by("-created_at")[:MOST],
    }
    return render(request, "home/home.html", context)
