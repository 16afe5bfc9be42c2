"""Marks of the table's pages."""

from uuid import UUID, uuid5

from django import template

register = template.Library()


@register.simple_tag
def once(battle: UUID, version: int, who: str, do: str) -> UUID:
    """The id of what one button logs: as long as nothing else happens, a second tap is the same event."""
    return uuid5(battle, f"{version} {who} {do}")
