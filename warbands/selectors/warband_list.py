"""Warbands in a list."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet
from msgspec import Struct

from core.display_names import display_name
from core.users import Visibility
from rulebook.registry import system_name
from rulebook.values.described import closed
from warbands.links import CampaignLink, campaign_links
from warbands.models import Warband
from warbands.rulebook_values import faction_name


class WarbandRow(Struct, frozen=True):
    """A warband in a list, with its sums and its campaign if the reader may see that."""

    id: UUID
    name: str
    ruleset: str
    ruleset_name: str
    edition: str
    faction: str
    faction_name: str
    owner: str
    keeper: str
    visibility: Annotated[str, closed("Visibility", Visibility)]
    archived: bool
    created_at: datetime
    points: int
    fighters_serving: int
    experience: int
    won: int
    drawn: int
    lost: int
    locked: bool
    campaign: CampaignLink | None


def listed_warbands(user: User | AnonymousUser) -> QuerySet[Warband]:
    """Return the warbands that a list shows to this reader.

    The caller filters, orders and paginates them and gives them to ``warband_rows``.
    """
    return Warband.objects.listed_for(user).select_related("owner", "keeper")


def warband_rows(warbands: Iterable[Warband], user: User | AnonymousUser) -> tuple[WarbandRow, ...]:
    """Return the warbands as rows.

    One query besides the one for the warbands, whatever their number.
    """
    warbands = list(warbands)
    campaigns = campaign_links(warbands, user)
    return tuple(_row(warband, campaigns.get(warband.id)) for warband in warbands)


def _row(warband: Warband, campaign: CampaignLink | None) -> WarbandRow:
    return WarbandRow(
        id=warband.id,
        name=warband.name,
        ruleset=warband.ruleset,
        ruleset_name=system_name(warband.ruleset),
        edition=warband.edition,
        faction=warband.faction,
        faction_name=faction_name(warband),
        owner=display_name(warband.owner),
        keeper=display_name(warband.keeper),
        visibility=warband.visibility,
        archived=warband.archived_at is not None,
        created_at=warband.created_at,
        points=warband.points,
        fighters_serving=warband.fighter_count,
        experience=warband.experience,
        won=warband.state.get("won", 0),
        drawn=warband.state.get("drawn", 0),
        lost=warband.state.get("lost", 0),
        locked=warband.locked,
        campaign=campaign,
    )
