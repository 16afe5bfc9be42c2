"""The rows that the pages and lists of battles show, and rows of battles that other pages show."""

from typing import Any, cast
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import QuerySet

from battles.models import (
    Battle,
    BattleEvent,
    Combatant,
    Dispute,
    Revision,
    SecretChoice,
    Side,
)
from campaigns.models import Campaign, Enrolment, HandOver
from clubs.models import Club, Membership
from core.compiled_queries import CompiledIds
from core.pagination import OpenEndedPaginator
from core.queries import ids_of_any
from core.row_versions import Rows, RowVersions
from core.views import PAGE_SIZE
from pictures.models import Picture
from pictures.subjects import PictureKind
from warbands.models import Fighter, Warband
from warbands.page_rows import FIGHTER_ROWS

BATTLE_ROWS = RowVersions()
FIRST_BATTLES_ROWS = RowVersions()
"""Of the first page of the list of battles."""
CAMPAIGN_BATTLES_ROWS = RowVersions()
"""Of the battles of a campaign, on its tab and in the API."""


def first_battles(user: Any) -> "QuerySet[Battle]":
    """Return the battles of the first page of a user's list, and one more."""
    paginator = OpenEndedPaginator(Battle.objects.for_rows(), PAGE_SIZE, shown="1")
    known_rows = Battle.objects.newest_known_to(user, PAGE_SIZE + 1)
    paginator.narrow(Battle.objects.public(), *known_rows)
    rows: Any = paginator.object_list
    return cast("QuerySet[Battle]", rows[: PAGE_SIZE + 1])


@CompiledIds
def _first_ids(user: Any) -> QuerySet[Any, Any]:
    return first_battles(user).values("pk")


@FIRST_BATTLES_ROWS.add
def of_first_battles(key: UUID, reader: int) -> Rows:
    """Return the battles of the first page with their warbands and campaigns."""
    return _as_listed(Battle.objects.filter(pk__in=_first_ids(User(pk=reader))))


@CAMPAIGN_BATTLES_ROWS.add
def of_battles_in_campaign(key: UUID, reader: int) -> Rows:
    """Return the battles of a campaign with their warbands, the campaign and its club."""
    return (*_as_listed(Battle.objects.filter(campaign=key)), Club.objects.filter(campaigns=key))


def _as_listed(battles: "QuerySet[Battle]") -> Rows:
    sides = Side.objects.filter(battle__in=battles.values("pk"))
    return (
        # Every change of a side or a line-up changes the row of its battle.
        battles,
        Warband.objects.filter(pk__in=sides.values("warband")),
        Campaign.objects.filter(pk__in=battles.values("campaign")),
    )


@BATTLE_ROWS.add
def of_battle(key: UUID, reader: int) -> Rows:
    """Return the battle with its sides and log, its campaign, and everyone who is named."""
    warbands = Warband.objects.filter(sides__battle=key)
    acts = (
        (Battle.objects.filter(pk=key), ("created_by", "submitted_by")),
        (Side.objects.filter(battle=key), ("decided_by",)),
        (BattleEvent.objects.filter(battle=key), ("recorded_by",)),
        (Revision.objects.filter(battle=key), ("made_by",)),
        (Dispute.objects.filter(battle=key), ("raised_by", "answered_by")),
        # The former players of its warbands.
        (HandOver.objects.filter(warband__sides__battle=key), ("giver",)),
    )
    people = ids_of_any(*(rows.values(who) for rows, columns in acts for who in columns))
    # A battle outside campaigns names those of its warbands, in which it could count.
    elsewhere = Campaign.objects.filter(
        enrolments__warband__sides__battle=key,
        enrolments__warband__sides__battle__campaign=None,
    )
    return (
        User.objects.filter(pk__in=people),
        Battle.objects.filter(pk=key),
        Side.objects.filter(battle=key),
        Combatant.objects.filter(side__battle=key),
        BattleEvent.objects.filter(battle=key),
        Revision.objects.filter(battle=key),
        Dispute.objects.filter(battle=key),
        SecretChoice.objects.filter(battle=key),
        Picture.objects.filter(kind=PictureKind.BATTLE, subject=key),
        Picture.objects.filter(kind=PictureKind.WARBAND, subject__in=warbands.values("pk")),
        # The chronicles of the warbands: each change of them changes these rows.
        warbands,
        User.objects.filter(warbands__sides__battle=key),
        User.objects.filter(kept_warbands__sides__battle=key),
        HandOver.objects.filter(warband__sides__battle=key),
        Enrolment.objects.filter(warband__sides__battle=key),
        Membership.objects.filter(enrolments__warband__sides__battle=key),
        Membership.objects.filter(substituted_sides__battle=key),
        Membership.objects.filter(given_warbands__warband__sides__battle=key),
        Campaign.objects.filter(battles=key),
        elsewhere,
        Club.objects.filter(campaigns__battles=key),
    )


@FIGHTER_ROWS.add
def of_fighter(key: UUID, reader: int) -> Rows:
    """Return the battles of the fighter's warband, their campaigns, and those it fought against."""
    opponents = Side.objects.filter(battle__sides__warband__fighters=key).values("warband")
    return (
        Warband.objects.filter(pk__in=opponents),
        Fighter.objects.filter(warband__in=opponents),
        Battle.objects.filter(sides__warband__fighters=key),
        Campaign.objects.filter(battles__sides__warband__fighters=key),
    )
