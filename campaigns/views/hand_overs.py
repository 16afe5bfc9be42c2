"""Pages for transferring a warband, and for answering an offer."""

from collections.abc import Callable
from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaigns.forms.campaigns import players
from campaigns.forms.hand_overs import HandOverForm, NamePlayerForm
from campaigns.models import Campaign, Enrolment, HandOver, HandOverState
from campaigns.selectors.hand_overs import open_offer, with_people
from campaigns.services.hand_overs import (
    accept_hand_over,
    decline_hand_over,
    hand_over_warband,
    withdraw_hand_over,
)
from core.forms import PageForm
from core.views import (
    AuthenticatedRequest,
    get_editable_or_404,
    get_visible_or_404,
    is_editable,
    login_required_page,
    post_data,
    render_form,
    run_service,
)
from warbands.models import Warband


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def hand_over(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Transfer a warband to another player, or offer it."""
    warband = get_editable_or_404(Warband.objects, request.user, pk)
    enrolment = warband.enrolments.current().select_related("campaign__club", "player").first()
    form = _form(request, warband, enrolment)
    if form.is_valid() and form.submit(
        lambda: _give(request, warband, enrolment, form.cleaned_data["player"])
    ):
        messages.success(request, _done(form.answer))
        stays = Warband.objects.visible_to(request.user).filter(pk=pk).exists()
        return redirect("warbands:warband", pk) if stays else redirect("warbands:warbands")
    at_once = warband.owner_id is None or (
        enrolment and is_editable(enrolment.campaign, request.user)
    )
    context = {
        "warband": warband,
        "enrolment": enrolment,
        "at_once": at_once,
        "offer": open_offer(warband),
    }
    return render_form(request, "campaigns/hand_over.html", form, section="warbands", **context)


def _form(request: AuthenticatedRequest, warband: Warband, enrolment: Enrolment | None) -> PageForm:
    if enrolment is None:
        return HandOverForm(post_data(request))
    members = (
        enrolment.campaign.club.memberships.present()
        .exclude(pk=enrolment.player_id)
        .order_by("name")
    )
    if not is_editable(enrolment.campaign, request.user):
        # Members without an account cannot accept an offer.
        members = members.filter(user__isnull=False)
    return NamePlayerForm(post_data(request), members=players(members))


def _give(
    request: AuthenticatedRequest, warband: Warband, enrolment: Enrolment | None, player: str | UUID
) -> HandOver:
    give = partial(hand_over_warband, warband_id=warband.pk, user=request.user)
    return give(player=str(player)) if enrolment is None else give(seat_id=UUID(str(player)))


def _done(row: HandOver) -> str:
    """Return the message after a transfer or an offer."""
    named = {"warband": row.warband.name, "player": row.receiver_name}
    if row.state == HandOverState.OFFERED:
        return (
            gettext("%(warband)s is offered to %(player)s. It stays yours until they accept.")
            % named
        )
    return gettext("%(warband)s transferred to %(player)s.") % named


@require_safe
@login_required_page
def offer(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Show an offer or a transfer, with the buttons to answer."""
    row = get_visible_or_404(with_people(HandOver.objects.all()), request.user, pk)
    open_now = row.state == HandOverState.OFFERED
    context = {
        "section": "warbands",
        "offer": row,
        "yours": open_now and row.receiver_id == request.user.pk,
        "withdrawable": open_now and row.giver_id == request.user.pk,
        "may_look": Warband.objects.visible_to(request.user).filter(pk=row.warband_id).exists(),
        "campaign": _campaign(row, request),
    }
    return render(request, "campaigns/offer.html", context)


def _campaign(row: HandOver, request: AuthenticatedRequest) -> Campaign | None:
    """Return the campaign that the warband is in, if the user can see it."""
    current = Campaign.objects.filter(
        enrolments__warband=row.warband, enrolments__left_at__isnull=True
    )
    return current.visible_to(request.user).first()


@require_POST
@login_required_page
def accept(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Accept a warband that was offered."""
    row = get_visible_or_404(HandOver.objects.select_related("warband"), request.user, pk)
    done = gettext("%(warband)s is yours now.") % {"warband": row.warband.name}
    if run_service(request, partial(accept_hand_over, hand_over_id=pk, user=request.user), done):
        return redirect("warbands:warband", row.warband_id)
    return redirect("campaigns:offer", pk)


@require_POST
@login_required_page
def decline(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Decline a warband that was offered."""
    return _settle(request, pk, decline_hand_over, gettext("Offer declined."), reverse("home"))


@require_POST
@login_required_page
def withdraw(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Withdraw an offer."""
    row = get_visible_or_404(HandOver.objects, request.user, pk)
    address = reverse("warbands:warband", args=[row.warband_id])
    return _settle(request, pk, withdraw_hand_over, gettext("Offer withdrawn."), address)


def _settle(
    request: AuthenticatedRequest, pk: UUID, verb: Callable[..., object], done: str, address: str
) -> HttpResponse:
    settled = run_service(request, lambda: verb(hand_over_id=pk, user=request.user), done)
    return redirect(address) if settled else redirect("campaigns:offer", pk)
