"""Template tags for the origin of a warband."""

from typing import Any
from uuid import UUID

from django import template

from exchange.models import ReceivedPassport

register = template.Library()


@register.inclusion_tag("exchange/origin.html")
def origin_of(warband: UUID) -> dict[str, Any]:
    """Render where a warband came from, if it was imported with a passport. One query."""
    return {"received": ReceivedPassport.objects.filter(warband=warband).defer("content").first()}
