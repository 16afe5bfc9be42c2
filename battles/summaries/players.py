"""Who plays the sides of battles."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from msgspec import Struct

from battles.models import Battle, Side
from campaigns.models import Enrolment
from warbands.people import shown_name


class Player(Struct, frozen=True):
    """Who plays a side: the name used in the club, and the warband's colour in the campaign ("" outside one)."""

    name: str
    colour: str = ""


Seats = Mapping[tuple[UUID, UUID], Player]
"""Players by campaign and warband."""


def seats_of(battles: Iterable[Battle]) -> Seats:
    """The players of the battles' campaigns. One query, none for one-off battles alone."""
    campaigns = {battle.campaign_id for battle in battles if battle.campaign_id is not None}
    if not campaigns:
        return {}
    enrolments = Enrolment.objects.filter(campaign__in=campaigns).select_related("player")
    return {(row.campaign_id, row.warband_id): Player(row.player.name, row.colour) for row in enrolments}


def player_of(battle: Battle, side: Side, seats: Seats) -> Player:
    """Who plays a side: by enrolment, else the owner's or the keeper's account. No queries if these are loaded."""
    if battle.campaign_id is not None and (battle.campaign_id, side.warband_id) in seats:
        return seats[battle.campaign_id, side.warband_id]
    account = side.warband.owner or side.warband.keeper
    return Player(shown_name(account))
