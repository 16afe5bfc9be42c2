"""A battle as a story for its page: what was remarkable about it, and who came to harm by whom, as
its print tells."""

from msgspec import Struct

from battles.models import Battle
from battles.selectors.results import battles_with_results
from documents.content.battles import battle_narratives
from documents.content.structs import Sentence, SideNarrative


class BattleStory(Struct, frozen=True):
    """Its key moments as sentences with where they stand in the log; its sides with points,
    casualties and marks."""

    moments: tuple[Sentence, ...]
    sides: tuple[SideNarrative, ...]


def battle_story(battle: Battle) -> BattleStory | None:
    """The story of a battle loaded by ``for_pages``; None without a result. Three queries."""
    if battle.result is None:
        return None
    tale = battle_narratives(battles_with_results([battle]), battle.campaign, logs=False)[0]
    return BattleStory(
        tuple(sentence for paragraph in tale.told.paragraphs for sentence in paragraph), tale.sides
    )
