"""The first page: what Muster is, or, for who is signed in, what waits and what is going on."""

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from campaigns.models import Campaign, CampaignState, Membership
from config.pages.responses import open_to_all
from inbox.badge import keep_number
from inbox.summaries.cards import inbox_of
from warbands.models import Warband

MOST = 12


@require_safe
@open_to_all
def home(request: HttpRequest) -> HttpResponse:
    """Signed out: what Muster is. Signed in: the inbox, and one's warbands, campaigns and clubs."""
    user = request.user
    if not user.is_authenticated:
        return render(request, "home/welcome.html", {"example": Campaign.objects.example()})
    memberships = Membership.objects.present().filter(user=user).select_related("club")
    campaigns = Campaign.objects.filter(club__memberships__user=user).exclude(state=CampaignState.FINISHED)
    warbands = Warband.objects.filter(Q(owner=user) | Q(keeper=user), archived_at=None)
    inbox = inbox_of(user)
    keep_number(user, inbox.number)
    context = {
        "inbox": inbox,
        "inbox_number": inbox.number,
        "pressing": [card for card in inbox.cards if card.pressing],
        "unhurried": [card for card in inbox.cards if not card.pressing],
        "today": timezone.localdate(),
        "memberships": memberships[:MOST],
        "campaigns": campaigns.select_related("club")[:MOST],
        "warbands": warbands.order_by("-created_at")[:MOST],
    }
    return render(request, "home/home.html", context)
