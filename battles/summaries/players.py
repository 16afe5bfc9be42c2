"""Who plays the sides of battles."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import prefetch_related_objects
from django.utils.translation import gettext
from msgspec import Struct

from battles.models import Battle, Side
from campaigns.models import Enrolment, HandOver
from core.display_names import shown_name


class Player(Struct, frozen=True):
    """Who plays a side: the name used in the club, and the warband's colour in the campaign ("" outside one)."""

    name: str
    colour: str = ""


class Seats(Struct, frozen=True):
    """The players by campaign and warband, and those who led a warband before, with the moment they gave it away."""

    players: Mapping[tuple[UUID, UUID], Player]
    former: Mapping[UUID, Sequence[tuple[datetime, str]]]


def seats_of(battles: Iterable[Battle]) -> Seats:
    """The players of the battles.

    One query for who led their warbands before, unless none was submitted, and one unless all are one-offs.
    """
    battles = list(battles)
    former = _former_players([battle for battle in battles if battle.submitted_at is not None])
    campaigns = {battle.campaign_id for battle in battles if battle.campaign_id is not None}
    if not campaigns:
        return Seats({}, former)
    enrolments = Enrolment.objects.filter(campaign__in=campaigns).select_related("player")
    players = {(row.campaign_id, row.warband_id): Player(row.player.name, row.colour) for row in enrolments}
    return Seats(players, former)


def _former_players(battles: Sequence[Battle]) -> dict[UUID, list[tuple[datetime, str]]]:
    """Who led the warbands of battles before, with the moment they gave it away, the first one first."""
    former: dict[UUID, list[tuple[datetime, str]]] = {}
    if not battles:
        return former
    rows = list(HandOver.objects.done().filter(warband__sides__battle__in=battles).distinct())
    # Few warbands change hands: people are read only for those.
    prefetch_related_objects(rows, "giver", "giver_seat")
    for row in sorted(rows, key=lambda row: (row.settled_at or row.made_at, row.pk)):
        if row.settled_at is not None and row.giver_name:
            former.setdefault(row.warband_id, []).append((row.settled_at, row.giver_name))
    return former


def player_of(battle: Battle, side: Side, seats: Seats) -> Player:
    """Who plays a side: by enrolment, else the owner's or the keeper's account. No queries if these are loaded.

    A battle that was submitted before the warband changed hands was played by who led it then.
    """
    player = seats.players.get((battle.campaign_id, side.warband_id)) if battle.campaign_id is not None else None
    if player is None:
        # Only now: rows of a list are loaded without the owners of their warbands.
        player = Player(shown_name(side.warband.owner or side.warband.keeper))
    if battle.submitted_at is None:
        return player
    later = (name for moment, name in seats.former.get(side.warband_id, ()) if battle.submitted_at <= moment)
    return Player(next(later, player.name), player.colour)


def with_substitute(player: str, substitute: str) -> str:
    """Return who plays a side, and for whom if that is somebody else."""
    if not substitute or substitute == player:
        return player
    if not player:
        return substitute
    return gettext("%(substitute)s for %(player)s") % {"substitute": substitute, "player": player}
