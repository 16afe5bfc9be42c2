"""Small questions of the templates of fixtures."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from django import template

from leagues.selectors.fixtures import FixtureSide

register = template.Library()
Dare = tuple[FixtureSide, FixtureSide]


@register.filter
def challengers(dares: Mapping[UUID, list[Dare]], ladder: UUID) -> list[Dare]:
    """Who may challenge whom on this ladder."""
    return dares.get(ladder, [])


@register.filter
def of_opponent(dares: Iterable[Dare], opponent: UUID) -> list[FixtureSide]:
    """Which of one's own sides may challenge this one."""
    return [challenger for challenger, challenged in dares if challenged.enrolment == opponent]


@register.filter
def named(names: Mapping[str, str], key: str) -> str:
    """What is called so."""
    return names.get(key, "")
