"""The players of warbands, their colours, and the fighters in service."""

from collections.abc import Iterable
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from campaigns.models import Campaign, Enrolment
from core.display_names import display_name
from core.users import Visibility
from rulebook.chronicle.states import FighterState
from rulebook.ruleset import CampaignTerms
from warbands.models import Warband


class CampaignService(Struct, frozen=True):
    """A fighter of a campaign, with the warband and its terms."""

    fighter: FighterState
    warband: Warband
    terms: CampaignTerms


class Player(Struct, frozen=True):
    """The player of a warband, and its colour and campaign.

    All fields are empty for a warband without an enrolment or an owner.
    """

    name: str = ""
    colour: str = ""
    campaign: str = ""


def place_of(fighter: str) -> str:
    """Return the anchor of a fighter's entry in a document.

    The entry is in the memorial for the dead, and in the roster for others.
    """
    return f"fighter-{fighter}"


def players_of(warbands: Iterable[Warband], campaign: Campaign | None = None) -> dict[UUID, Player]:
    """Return the players of warbands: in this campaign, or in their latest one, or their owners.

    A private campaign and the name of a player in it are left out if the warband is not private:
    its readers may not see them. One query. The warbands should be selected with their owners.
    """
    warbands = list(warbands)
    players = {warband.pk: Player(display_name(warband.owner)) for warband in warbands}
    enrolments = Enrolment.objects.filter(warband__in=warbands)
    if campaign is not None:
        enrolments = enrolments.filter(campaign=campaign)
    private = {each.pk for each in warbands if each.visibility == Visibility.PRIVATE}
    columns = ("warband_id", "campaign__visibility", "player__name", "colour", "campaign__name")
    rows = enrolments.order_by("enrolled_at", "pk").values_list(*columns)
    for warband_id, visibility, name, colour, campaign_name in rows:
        is_hidden = visibility == Visibility.PRIVATE and warband_id not in private
        if campaign is None and is_hidden:
            players[warband_id] = replace(players[warband_id], colour=colour)
        else:
            players[warband_id] = Player(name, colour, campaign_name)
    return players
