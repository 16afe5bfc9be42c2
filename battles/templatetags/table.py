"""Marks of the table's pages."""

from collections.abc import Iterable
from urllib.parse import urlencode
from uuid import UUID, uuid5

from django import template

register = template.Library()


@register.simple_tag
def once(battle: UUID, version: int, who: str, do: str) -> UUID:
    """The id of what one button logs: as long as nothing else happens, a second tap is the same event."""
    return uuid5(battle, f"{version} {who} {do}")


@register.simple_tag
def action_query(who: str, do: str) -> str:
    """Return the query of an action of somebody: "?who=a%2FVan&do=shoot"; without ``who`` it is the table's."""
    return f"?{urlencode({'who': who, 'do': do} if who else {'do': do})}"


@register.simple_tag
def joint_action_query(who: Iterable[str], do: str) -> str:
    """Return the query of an action that several do together."""
    return f"?{urlencode({'do': do, 'who': [*who]}, doseq=True)}"
