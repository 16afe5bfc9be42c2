"""The story of a battle for its page, which belongs to another app."""

from django import template

from battles.models import Battle, BattleState
from documents.selectors import battle_story as selectors
from documents.selectors.battle_story import BattleStory

register = template.Library()


@register.simple_tag
def battle_story(battle: Battle) -> BattleStory | None:
    """Return the story of a battle, or None until it is confirmed. Three queries."""
    return selectors.battle_story(battle) if battle.state == BattleState.CONFIRMED else None
