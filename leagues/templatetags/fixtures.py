"""Template filters for fixtures."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from django import template

from leagues.selectors.fixtures import FixtureSide

register = template.Library()
Dare = tuple[FixtureSide, FixtureSide]


@register.filter
def challengers(dares: Mapping[UUID, list[Dare]], ladder: UUID) -> list[Dare]:
    """Return the possible challenges on this ladder, as (challenger, opponent)."""
    return dares.get(ladder, [])


@register.filter
def of_opponent(dares: Iterable[Dare], opponent: UUID) -> list[FixtureSide]:
    """Return the user's sides that can challenge this opponent."""
    return [challenger for challenger, challenged in dares if challenged.enrolment == opponent]


@register.filter
def named(names: Mapping[str, str], key: str) -> str:
    """Return the name for a key, or ""."""
    return names.get(key, "")
