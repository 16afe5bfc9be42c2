"""A fighter's rivals, for its page in an app that may not import this one."""

from typing import Any

from django import template
from msgspec import Struct

from battles.selectors.rivalries import Rivalry, nemesis, rivalries_of
from warbands.models import Fighter

register = template.Library()

MAX_FOES = 6


class Rivals(Struct, frozen=True):
    """The opponents that a fighter met most, its nemesis if any, and the number of others."""

    foes: tuple[Rivalry, ...]
    nemesis: Rivalry | None
    more: int


@register.simple_tag
def rivals_of(fighter: Fighter, user: Any) -> Rivals:
    """Return the rivals of a fighter. As many queries as ``rivalries_of``."""
    foes = rivalries_of(fighter, user)
    return Rivals(foes=tuple(foes[:MAX_FOES]), nemesis=nemesis(foes), more=len(foes[MAX_FOES:]))
