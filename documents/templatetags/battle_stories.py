"""The story of a battle for its page, which belongs to another app."""

from django import template

from battles.models import BattleState
from battles.selectors.log_history import page_of
from battles.selectors.shown_battle import ShownBattle
from documents.content.structs import Clause
from documents.selectors import battle_story as selectors
from documents.selectors.battle_story import BattleStory
from rulebook.values.moments import BattleMoments

register = template.Library()


@register.simple_tag
def battle_story(shown: ShownBattle, moments: BattleMoments) -> BattleStory | None:
    """Return the story of a battle, or None until it is confirmed. No queries."""
    confirmed = shown.battle.state == BattleState.CONFIRMED
    return selectors.battle_story(shown, moments) if confirmed else None


@register.filter
def page_of_log(clause: Clause) -> int:
    """Return the page of the log with the first entry of a clause."""
    return page_of(clause.events[0])
