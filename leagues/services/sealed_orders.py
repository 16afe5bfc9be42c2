"""Sealed orders of a classic campaign: permissions, checks, sealing and opening.

Opened orders lead to battles, which ``leagues.services.classic`` plans.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext

from campaigns.models import Campaign, CampaignState, Enrolment, SealedOrder
from campaigns.order_seals import Plan, opened, seal
from campaigns.services.classic_setup import classic_of
from clubs.services.permissions import expect_organiser, find, locked
from core.errors import Forbidden, InvalidInput, NotFound, StateConflict
from core.ruleset_words import state_label
from rulebook.chronicle.states import WarbandState
from rulebook.ruleset import Problem, Severity
from warbands.signed import create_signed, save_signed, update_signed

MAX_FIGHTERS = 500
"""The maximum number of fighters in a plan, over all of its small warbands."""


def running_classic(campaign_id: UUID, user: User) -> Campaign:
    """Lock and return the classic campaign.

    Raises NotFound, InvalidInput "not-classic", "campaign-not-running".
    """
    campaign = find(locked(Campaign.objects.visible_to(user)), campaign_id, "campaign")
    classic_of(campaign)
    if campaign.state != CampaignState.RUNNING:
        sentence = gettext("This needs a running campaign. This one is %(state)s.") % {
            "state": state_label(campaign.state)
        }
        raise InvalidInput("campaign-not-running", sentence, field="campaign")
    return campaign


def enrolments_in(campaign: Campaign) -> list[Enrolment]:
    """Return the current enrolments in order of enrolment, with players and orders. One query."""
    rows = campaign.enrolments.current().select_related("warband", "player", "order")
    return list(rows.order_by("enrolled_at", "pk"))


def order_of(enrolment: Enrolment) -> SealedOrder | None:
    """Return the order of a warband, or None. No query if it was loaded with the enrolment."""
    return getattr(enrolment, "order", None)


def is_sealed(enrolment: Enrolment) -> bool:
    """Return whether its order is in: sealed or revealed, and not lapsed."""
    order = order_of(enrolment)
    return order is not None and not order.lapsed


def enrolment_to_seal(
    campaign: Campaign, enrolments: Sequence[Enrolment], user: User, warband_id: UUID | None
) -> Enrolment:
    """Return the enrolment whose order the user can seal now: their own, or a guest's.

    Raises NotFound, Forbidden "not-your-order", StateConflict "orders-revealed", InvalidInput
    "warband-needed", "own-order-first", "order-bound".
    """
    enrolment = _meant(enrolments, user, warband_id)
    if enrolment.player.user_id != user.pk:
        _expect_scribe(campaign, enrolments, enrolment, user)
    order = order_of(enrolment)
    if order is not None and order.revealed_at is not None:
        raise StateConflict(
            "orders-revealed",
            gettext("The orders are open. You can no longer change them."),
        )
    if order is not None and not order.lapsed and enrolment.player.user_id == user.pk:
        _refuse_bound(enrolments, enrolment, user)
    return enrolment


def _meant(enrolments: Sequence[Enrolment], user: User, warband_id: UUID | None) -> Enrolment:
    mine = [each for each in enrolments if each.player.user_id == user.pk]
    if warband_id is None:
        if len(mine) == 1:
            return mine[0]
        code = "warband-needed" if mine else "not-your-order"
        if mine:
            raise InvalidInput(
                code,
                gettext("You play several warbands here. Choose one of them."),
                field="warband",
            )
        raise Forbidden(code, gettext("Only a warband's player can seal its order."))
    for enrolment in enrolments:
        if enrolment.warband_id == warband_id:
            return enrolment
    raise NotFound(
        "unknown-warband", gettext("This warband is not in the campaign."), field="warband"
    )


def _expect_scribe(
    campaign: Campaign, enrolments: Sequence[Enrolment], enrolment: Enrolment, user: User
) -> None:
    """Check that the user is an organiser who can seal for a player without an account.

    An organiser who plays must seal their own order first. After that they cannot replace it, so
    that they cannot use what they learn from the guest's order.
    """
    if not enrolment.player.vacant:
        raise Forbidden("not-your-order", gettext("Only a warband's player can seal its order."))
    expect_organiser(campaign.club_id, user)
    own_enrolments = [each for each in enrolments if each.player.user_id == user.pk]
    if not all(is_sealed(each) for each in own_enrolments):
        raise InvalidInput(
            "own-order-first",
            gettext(
                "Seal your own order first. You cannot change it after you have sealed one for "
                "your opponent."
            ),
        )
    order = order_of(enrolment)
    if order is not None and not order.lapsed and order.sealed_by_id != user.pk:
        raise Forbidden(
            "not-your-order",
            gettext(
                "Another organiser has sealed this guest player's order. Only that organiser can "
                "change it."
            ),
        )


def _refuse_bound(enrolments: Sequence[Enrolment], enrolment: Enrolment, user: User) -> None:
    """Raise InvalidInput "order-bound" if the user has sealed another warband's order."""
    others = (order_of(each) for each in enrolments if each.pk != enrolment.pk)
    if any(order is not None and order.sealed_by_id == user.pk for order in others):
        raise InvalidInput(
            "order-bound",
            gettext(
                "You have sealed your opponent's order since. You can no longer change this one."
            ),
        )


def write_order(enrolment: Enrolment, plan: Plan, state: WarbandState, user: User) -> SealedOrder:
    """Save the sealed order, replacing an earlier one.

    Raises InvalidInput "illegal-order" with every problem.
    """
    problems = order_problems(enrolment.campaign, plan, state)
    if problems:
        raise InvalidInput("illegal-order", problems[0].sentence, problems=problems)
    sealed, commitment = seal(plan)
    values = {
        "sealed": sealed,
        "commitment": commitment,
        "sealed_by": user,
        "sealed_at": timezone.now(),
        "sequence": state.sequence,
        "lapsed_at": None,
    }
    order = SealedOrder.objects.filter(enrolment=enrolment).first()
    if order is None:
        return create_signed(SealedOrder, enrolment=enrolment, **values)
    for name, value in values.items():
        setattr(order, name, value)
    save_signed(order, *values)
    return order


def order_problems(campaign: Campaign, plan: Plan, state: WarbandState) -> tuple[Problem, ...]:
    """Return the problems that forbid a plan for a warband at present; empty if it is legal."""
    if sum(len(fighters) for fighters in plan.values()) > MAX_FIGHTERS:
        return (
            Problem(
                "too-many-fighters",
                gettext("Choose at most %(most)s fighters in total.") % {"most": MAX_FIGHTERS},
                field="plan",
            ),
        )
    rules, scenarios = classic_of(campaign), tuple(campaign.scenarios)
    problems = rules.plan_problems(state.roster, plan, scenarios)
    return tuple(problem for problem in problems if problem.severity is Severity.FORBIDS)


def open_orders(
    enrolments: Sequence[Enrolment], states: Mapping[UUID, WarbandState]
) -> dict[UUID, Plan] | None:
    """Reveal all orders and return their plans by warband, or None if an order is not legal now.

    Such an order lapses, and nothing is revealed. The caller has checked that every order is in,
    and has locked the campaign and the warbands.
    """
    orders = {each.warband_id: opened(each.order.sealed) for each in enrolments}
    broken = [
        each.order.pk
        for each in enrolments
        if order_problems(each.campaign, orders[each.warband_id].plan, states[each.warband_id])
    ]
    if broken:
        update_signed(SealedOrder.objects.filter(pk__in=broken), lapsed_at=timezone.now())
        return None
    for enrolment in enrolments:
        enrolment.order.text, enrolment.order.revealed_at = (
            orders[enrolment.warband_id].text,
            timezone.now(),
        )
        save_signed(enrolment.order, "text", "revealed_at")
    return {warband_id: order.plan for warband_id, order in orders.items()}
