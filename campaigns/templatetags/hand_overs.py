"""Who has led a warband, for its page in an app below this one."""

from django import template
from msgspec import Struct

from campaigns.models import HandOver
from campaigns.selectors.hand_overs import PastOwner, past_owners_and_offer
from warbands.models import Warband

register = template.Library()


class OwnerHistory(Struct, frozen=True):
    """Who led a warband before, the first one first, and the offer that waits for an answer."""

    past: tuple[PastOwner, ...]
    offer: HandOver | None


@register.simple_tag
def owners_of(warband: Warband) -> OwnerHistory:
    """Return who has led a warband, and to whom it is offered. One query if it never changed hands."""
    past, offer = past_owners_and_offer(warband)
    return OwnerHistory(past=past, offer=offer)
