"""The content of a memorial card: a dead fighter, with the epitaph of the campaign's book."""

from django.utils.translation import gettext

from battles.models import Battle, BattleState
from core.errors import InvalidInput
from documents.content.campaign_people import campaign_people
from documents.content.careers import career_content
from documents.content.documents import Fallen, MemorialCard
from documents.content.people import place_of, players_of
from documents.content.readers import open_battles
from documents.content.visible_pictures import album
from pictures.subjects import PictureKind
from rulebook.ruleset import Fate
from warbands.models import Fighter

SHOWN_BATTLES = 5
"""The most battles on a card: the last ones."""


def memorial_card_content(fighter: Fighter) -> MemorialCard:
    """Return the content of a dead fighter's card. At most 28 queries.

    The epitaph is that of the memorial in the book of the fighter's last campaign, if everybody who
    may see the warband may see that. The warband should be selected with the fighter. Raises
    InvalidInput (`nothing-to-print`) if the fighter is not dead.
    """
    if fighter.fate != Fate.DEAD:
        sentence = gettext("A memorial card is for the dead. %(fighter)s is not dead.")
        raise InvalidInput(
            "nothing-to-print", sentence % {"fighter": fighter.name}, field="subject"
        )
    career, warband = career_content(fighter), fighter.warband
    fallen = _fallen(fighter)
    player = players_of([warband])[warband.pk]
    days = [chapter.fought_on for chapter in career.chapters]
    return MemorialCard(
        title=career.title,
        subtitle=gettext("Memorial card"),
        dated=career.dated,
        ruleset=career.ruleset,
        card=career.card,
        warband=career.warband,
        words=career.words,
        epitaph=fallen.epitaph if fallen else "",
        began=min(days, default=""),
        ended=max(days, default=""),
        chapters=career.chapters[-SHOWN_BATTLES:],
        earlier=max(len(career.chapters) - SHOWN_BATTLES, 0),
        colour=player.colour,
        arms=str(warband.pk),
        crest=album({PictureKind.WARBAND: [warband.pk]}).of(warband.pk),
    )


def _fallen(fighter: Fighter) -> Fallen | None:
    """Return the fighter's entry in the memorial of a campaign, or None."""
    fought = Battle.objects.filter(
        sides__combatants__fighter=fighter.pk, state=BattleState.CONFIRMED
    )
    last = fought.in_order_of_play().last()
    open_to_all = open_battles(fighter.warband).select_related("campaign__club")
    battle = open_to_all.filter(pk=last.pk).first() if last else None
    if battle is None or battle.campaign is None:
        return None
    people = campaign_people(battle.campaign, stories=False)
    at = place_of(str(fighter.pk))
    return next((fallen for fallen in people.fallen() if fallen.at == at), None)
