"""The story of a battle for its page: its highlights and casualties, as in print."""

from msgspec import Struct

from battles.models import Battle
from battles.selectors.results import battles_with_results
from documents.content.battles import battle_narratives
from documents.content.structs import Sentence, SideNarrative


class BattleStory(Struct, frozen=True):
    """The highlights of a battle with end-notes, and its sides with points and casualties."""

    moments: tuple[Sentence, ...]
    sides: tuple[SideNarrative, ...]


def battle_story(battle: Battle) -> BattleStory | None:
    """Return the story of a battle, or None without a result. Three queries.

    The battle must be loaded by ``for_pages``.
    """
    if battle.result is None:
        return None
    tale = battle_narratives(battles_with_results([battle]), battle.campaign, logs=False)[0]
    return BattleStory(
        tuple(sentence for paragraph in tale.told.paragraphs for sentence in paragraph), tale.sides
    )
