"""The story of a battle for its page, the API and link previews, as in print."""

from collections.abc import Mapping
from uuid import UUID

from django.utils.translation import get_language
from msgspec import Struct

from battles.models import Battle, BattleState
from battles.rulebook_values import read_result, read_setup, ruleset_of_battle
from battles.selectors.battle_moments import moments_of_battles
from battles.selectors.results import BattleWithResult, battles_with_results
from battles.selectors.shown_battle import ShownBattle
from core.computed_values import ComputedValues
from core.display_names import display_name
from documents.content.battles import battle_narratives, story_of
from documents.content.narratives import opening
from documents.content.people import Player
from documents.content.structs import Sentence, SideNarrative, Story
from rulebook.values.moments import BattleMoments


class BattleStory(Struct, frozen=True):
    """The story of a battle, and its sides with points and casualties.

    ``narrative`` has clauses with their turns and entries if the battle was logged turn by turn,
    otherwise one or two sentences with end-notes.
    """

    narrative: tuple[Sentence, ...]
    sides: tuple[SideNarrative, ...]

    @property
    def from_log(self) -> bool:
        """True if it comes from the log, turn by turn."""
        return any(each.clauses for each in self.narrative)

    @property
    def opening(self) -> str:
        """The first sentences, for link previews and messages."""
        return opening(self.narrative)


STORIES = ComputedValues[BattleStory](500)


def battle_story(shown: ShownBattle, moments: BattleMoments) -> BattleStory | None:
    """Return the story of a battle, or None without a result. No queries.

    It is a function of the battle's result, the moments of its log, its names and its players, and
    found again by these.
    """
    battle = shown.battle
    if battle.result is None:
        return None
    sides, players = list(battle.sides.all()), _players(shown)
    of_battle = (battle.pk, battle.ruleset, battle.edition, battle.title, battle.state)
    warbands = [(side.warband_id, side.warband.ruleset, side.warband.edition) for side in sides]
    depends_on = (
        of_battle,
        battle.fought_on,
        battle.friendly,
        battle.result,
        read_setup(battle, sides),
        warbands,
        players,
        moments,
        get_language(),
    )
    return STORIES.value(depends_on, lambda: _story(shown, players, moments))


def narrative_of(battle: Battle) -> tuple[Sentence, ...]:
    """Return the story of a confirmed battle in the active language; empty before.

    Five queries, none before it is confirmed.
    """
    if battle.state != BattleState.CONFIRMED or battle.result is None:
        return ()
    of = battles_with_results([battle])[0]
    story, _ = story_of(of, moments_of_battles([battle]).get(battle.pk))
    return _sentences(story)


def _story(
    shown: ShownBattle, players: Mapping[UUID, Player], moments: BattleMoments
) -> BattleStory:
    battle = shown.battle
    result = read_result(battle)
    assert result is not None  # noqa: S101 - battle_story has checked it; this tells the type checker
    of = BattleWithResult(battle, ruleset_of_battle(battle), result, tuple(battle.sides.all()))
    tale = battle_narratives([of], battle.campaign, players=players, moments={battle.pk: moments})[
        0
    ]
    return BattleStory(_sentences(tale.told), tale.sides)


def _sentences(story: Story) -> tuple[Sentence, ...]:
    return tuple(sentence for paragraph in story.paragraphs for sentence in paragraph)


def _players(shown: ShownBattle) -> dict[UUID, Player]:
    """Return the players of the battle's warbands, as ``players_of``."""
    sides = shown.battle.sides.all()
    players = {side.warband_id: Player(display_name(side.warband.owner)) for side in sides}
    for place in shown.places:
        players[place.warband] = Player(place.player, place.colour, place.campaign_name)
    return players
