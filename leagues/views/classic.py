"""Pages of a classic campaign: the orders, sealing an order, the games and the final."""

from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaigns.eligibility import ruleset_of_campaign
from campaigns.models import Campaign, SealedOrder
from clubs.selectors.roles import role_of
from core.errors import InvalidInput
from core.views import (
    AuthenticatedRequest,
    get_visible_or_404,
    login_required_page,
    post_data,
    public_page,
    render_form,
    run_service,
)
from leagues.forms import PREFIX, OrderForm
from leagues.selectors.classic import classic_page
from leagues.selectors.sealed_order import SealedOrderView, own_order
from leagues.services.classic import plan_again, plan_final, seal_order
from rulebook.ruleset import Fate
from warbands.models import Fighter


@require_safe
@public_page
def classic(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the tab of a classic campaign: orders, games, forces of the final, and the winner."""
    campaign = _campaign(request, pk)
    page = classic_page(campaign, request.user)
    if page is None:
        raise Http404
    role = role_of(request.user, campaign.club_id)
    context = {
        "section": "campaigns",
        "tab": "classic",
        "campaign": campaign,
        "page": page,
        "role": role,
    }
    return render(
        request, "leagues/classic.html", {**context, "plays": role in ("organiser", "player")}
    )


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required_page
def seal(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Prepare the small warbands and seal them. `?warband=` names a guest's.

    "look" adds up the points and saves nothing.
    """
    campaign = _campaign(request, pk)
    order = _own_order(request, campaign)
    names = {scenario.key: scenario.name for scenario in ruleset_of_campaign(campaign).scenarios()}
    fighters = list(
        Fighter.objects.filter(warband=order.warband, fate=Fate.FIT).order_by("-rank", "place")
    )
    form = OrderForm(
        post_data(request),
        fighters=fighters,
        scenarios=[(key, names.get(key, key)) for key in order.scenarios],
        initial={
            "warband": order.warband,
            **{PREFIX + key: list(keys) for key, keys in order.plan.items()},
        },
    )
    if (
        "look" not in request.POST
        and form.is_valid()
        and form.submit(partial(_seal, request, campaign, order, form))
    ):
        _tell(request, form.answer)
        return redirect("leagues:classic", pk)
    context: dict[str, Any] = {
        "campaign": campaign,
        "own": order,
        "words": campaign.words,
        "section": "campaigns",
    }
    return render_form(request, "leagues/seal.html", form, **context)


def _seal(
    request: AuthenticatedRequest, campaign: Campaign, order: SealedOrderView, form: OrderForm
) -> SealedOrder:
    return seal_order(
        campaign_id=campaign.pk, user=request.user, plan=form.plan, warband_id=order.warband
    )


def _tell(request: AuthenticatedRequest, order: SealedOrder) -> None:
    if order.revealed_at is not None:
        messages.success(
            request,
            gettext(
                "Order sealed. All orders are in: they are open now, and the games are planned."
            ),
        )
    else:
        messages.success(
            request, gettext("Order sealed. You can change it until all orders are in.")
        )


def _own_order(request: AuthenticatedRequest, campaign: Campaign) -> SealedOrderView:
    """Return the order that the address or the form names.

    Raises Http404 if it cannot be sealed.
    """
    warband_id = request.GET.get("warband") or request.POST.get("warband")
    try:
        return own_order(campaign, request.user, UUID(warband_id) if warband_id else None)
    except (ValueError, InvalidInput) as error:
        raise Http404 from error


@require_POST
@login_required_page
def final(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Plan the final, with all available fighters."""
    _campaign(request, pk)
    if run_service(
        request,
        partial(plan_final, campaign_id=pk, user=request.user),
        gettext("Final planned."),
    ):
        return redirect("battles:campaign", pk)
    return redirect("leagues:campaign", pk)


@require_POST
@login_required_page
def again(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Plan a voided small game again."""
    _campaign(request, pk)
    scenario = request.POST.get("scenario", "")
    run_service(
        request,
        partial(plan_again, campaign_id=pk, user=request.user, scenario=scenario),
        gettext("Game planned again."),
    )
    return redirect("leagues:campaign", pk)


def _campaign(request: HttpRequest, pk: UUID) -> Campaign:
    campaign: Campaign = get_visible_or_404(
        Campaign.objects.select_related("club"), request.user, pk
    )
    return campaign
