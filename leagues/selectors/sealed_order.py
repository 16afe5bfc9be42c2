"""The sealed order of a user in a classic campaign: shown only to the user who sealed it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated
from uuid import UUID

from django.contrib.auth.models import User
from django.utils.translation import gettext
from msgspec import Struct

from battles.selectors.classic_games import players_of
from campaigns.eligibility import ruleset_of_campaign
from campaigns.models import Campaign, Enrolment, Format, SealedOrder
from campaigns.order_seals import OpenedSeal, opened
from clubs.models import Role
from clubs.selectors.roles import role_of
from core.errors import Forbidden, InvalidInput, NotFound
from leagues.selectors.classic import order_state
from rulebook.values.described import closed
from warbands.rulebook_values import read_state


class SealedOrderView(Struct, frozen=True):
    """A user's own order.

    ``plan`` holds ids of fighters by scenario, empty if the user has sealed none.

    ``least`` and ``most`` are the points of a small warband, both included. ``commitment`` is the
    SHA-256 of ``text``: keep the text to prove before the reveal what you sealed.
    """

    campaign: UUID
    warband: UUID
    name: str
    state: Annotated[str, closed("OrderState", ("awaited", "sealed", "lapsed", "revealed"))]
    sealed_at: datetime | None
    commitment: str
    scenarios: tuple[str, ...]
    least: int
    most: int
    plan: Mapping[str, tuple[str, ...]]
    text: str


def own_order(campaign: Campaign, user: User, warband_id: UUID | None = None) -> SealedOrderView:
    """Return the order that the user seals: of their own warband, or for organisers of a guest's.

    Three queries.

    Raises NotFound "unknown-warband", Forbidden "not-your-order", InvalidInput "warband-needed",
    "not-classic".
    """
    rules = ruleset_of_campaign(campaign).classic
    if campaign.format != Format.CLASSIC or rules is None:
        raise InvalidInput(
            "not-classic",
            gettext("Only a classic campaign has sealed orders and a final."),
            field="format",
        )
    enrolment = _meant(campaign, players_of(campaign), user, warband_id)
    order: SealedOrder | None = getattr(enrolment, "order", None)
    mine = _own(order, user)
    least, most = rules.bounds(read_state(enrolment.warband).roster)
    return SealedOrderView(
        campaign=campaign.pk,
        warband=enrolment.warband_id,
        name=enrolment.warband.name,
        state=order_state(order),
        sealed_at=order.sealed_at if order else None,
        commitment=order.commitment if order else "",
        scenarios=tuple(campaign.scenarios),
        least=least,
        most=most,
        plan=mine.plan if mine else {},
        text=mine.text if mine else "",
    )


def _meant(
    campaign: Campaign, enrolments: Sequence[Enrolment], user: User, warband_id: UUID | None
) -> Enrolment:
    mine = [each for each in enrolments if each.player.user_id == user.pk]
    if warband_id is None:
        if len(mine) == 1:
            return mine[0]
        if mine:
            raise InvalidInput(
                "warband-needed",
                gettext("You play several warbands here. Choose one of them."),
                field="warband",
            )
        raise Forbidden("not-your-order", gettext("Only a warband's player can seal its order."))
    meant = next((each for each in enrolments if each.warband_id == warband_id), None)
    if meant is None:
        raise NotFound(
            "unknown-warband", gettext("This warband is not in the campaign."), field="warband"
        )
    guest = meant.player.vacant and role_of(user, campaign.club_id) == Role.ORGANISER
    if meant not in mine and not guest:
        raise Forbidden("not-your-order", gettext("Only a warband's player can read its order."))
    return meant


def _own(order: SealedOrder | None, user: User) -> OpenedSeal | None:
    """Return what the user sealed, or None if another user sealed it.

    Every read of a sealed order for a user must go through this function.
    """
    if order is None or order.sealed_by_id != user.pk:
        return None
    return opened(order.sealed)
