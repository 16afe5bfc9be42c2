"""The players of warbands, their colours, and the fighters in service."""

from collections.abc import Iterable
from uuid import UUID

from msgspec import Struct

from campaigns.models import Campaign, Enrolment
from core.display_names import display_name
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

    One query. The warbands should be selected with their owners.
    """
    warbands = list(warbands)
    players = {warband.pk: Player(display_name(warband.owner)) for warband in warbands}
    enrolments = Enrolment.objects.filter(warband__in=warbands)
    if campaign is not None:
        enrolments = enrolments.filter(campaign=campaign)
    columns = ("warband_id", "player__name", "colour", "campaign__name")
    for warband_id, *player in enrolments.order_by("enrolled_at", "pk").values_list(*columns):
        players[warband_id] = Player(*player)
    return players
