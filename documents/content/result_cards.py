"""The content of a result card: the result of a confirmed battle as a picture to share."""

from django.utils.translation import gettext

from battles.models import Battle, BattleState
from core.errors import InvalidInput
from documents.content.battles import battle_content
from documents.content.documents import CardSide, ResultCard
from documents.content.narratives import opening


def result_card_content(battle: Battle) -> ResultCard:
    """Return the content of a battle's result card, with as many queries as a battle summary.

    Raises InvalidInput (`nothing-to-print`) if the battle is not confirmed.
    """
    if battle.state != BattleState.CONFIRMED:
        raise InvalidInput(
            "nothing-to-print",
            gettext("No result card yet. Confirm the result first."),
            field="subject",
        )
    summary = battle_content(battle)
    narrative = summary.battle
    sentences = [each for paragraph in narrative.told.paragraphs for each in paragraph]
    return ResultCard(
        title=summary.title,
        subtitle=gettext("Result card"),
        dated=summary.dated,
        ruleset=summary.ruleset,
        scenario=narrative.scenario,
        fought_on=narrative.fought_on,
        sides=tuple(
            CardSide(
                warband=side.warband,
                player=side.player,
                outcome=side.outcome,
                points=side.victory_points,
                colour=side.colour,
                arms=side.arms,
                crest=side.crest,
            )
            for side in narrative.sides
        ),
        words=summary.words,
        campaign=summary.campaign,
        sentence=opening(sentences[:1]),
        photo=next(iter(narrative.photos), None),
    )
