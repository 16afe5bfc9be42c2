"""Who plays which warband, in which colour, and who serves in it."""

from collections.abc import Iterable
from uuid import UUID

from msgspec import Struct

from campaigns.models import Campaign, Enrolment
from core.display_names import display_name
from rulebook.chronicle.states import FighterState
from rulebook.ruleset import CampaignTerms
from warbands.models import Warband


class CampaignService(Struct, frozen=True):
    """A fighter of a campaign, and the warband that it serves in on these terms."""

    fighter: FighterState
    warband: Warband
    terms: CampaignTerms


class Player(Struct, frozen=True):
    """The player of a warband, and where it plays. All empty for a warband that nobody has enrolled
    or owns."""

    name: str = ""
    colour: str = ""
    campaign: str = ""


def place_of(fighter: str) -> str:
    """The anchor of what a document has of a fighter: in the memorial of the dead, in the roster of
    anybody else."""
    return f"fighter-{fighter}"


def players_of(warbands: Iterable[Warband], campaign: Campaign | None = None) -> dict[UUID, Player]:
    """The players of warbands: in this campaign, else in their latest one, else their owners. One
    query.

    The warbands should come with their owners.
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
