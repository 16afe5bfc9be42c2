"""The rows that the home page, the welcome page of visitors and the page of a club show."""

from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import QuerySet

from battles.models import Battle, Dispute, Side
from campaigns.models import (
    Campaign,
    Enrolment,
    Fixture,
    HandOver,
    JournalEntry,
    Round,
    SealedOrder,
    Substitute,
    TableGame,
)
from clubs.models import Attendance, Club, Evening, HistoryImport, Invitation, Membership, Merge
from clubs.page_rows import CLUB_ROWS, HOME_ROWS
from core.compiled_queries import CompiledIds
from core.queries import ids_of_any
from core.row_versions import Rows, RowVersions
from home.models import Dismissal
from pictures.models import Picture
from pictures.subjects import PictureKind
from warbands.models import Fighter, RankUpOffer, Warband

WELCOME_ROWS = RowVersions()
"""Of the home page for visitors who are not signed in."""


@WELCOME_ROWS.add
def of_welcome(key: UUID, reader: int) -> Rows:
    """Return the example campaign."""
    return (Campaign.objects.filter(example=True),)


@CLUB_ROWS.add
def of_club(key: UUID, reader: int) -> Rows:
    """Return the club with its members and club nights, and its campaigns with their play."""
    warbands = Warband.objects.filter(enrolments__campaign__club=key)
    return (
        Club.objects.filter(pk=key),
        Picture.objects.filter(kind=PictureKind.CLUB, subject=key),
        Picture.objects.filter(kind=PictureKind.WARBAND, subject__in=warbands.values("pk")),
        Membership.objects.filter(club=key),
        User.objects.filter(memberships__club=key),
        Invitation.objects.filter(club=key),
        Evening.objects.filter(club=key),
        Attendance.objects.filter(evening__club=key),
        TableGame.objects.filter(evening__club=key),
        Campaign.objects.filter(club=key),
        Enrolment.objects.filter(campaign__club=key),
        # The chronicles of the warbands: each change of them changes these rows.
        warbands,
        Fighter.objects.filter(warband__enrolments__campaign__club=key),
        RankUpOffer.objects.filter(fighter__warband__enrolments__campaign__club=key),
        # Every change of a side, a line-up or a log changes the row of its battle.
        Battle.objects.filter(campaign__club=key),
        Round.objects.filter(campaign__club=key),
        Fixture.objects.filter(round__campaign__club=key),
        Substitute.objects.filter(fixture__round__campaign__club=key),
        SealedOrder.objects.filter(enrolment__campaign__club=key),
        HandOver.objects.filter(warband__enrolments__campaign__club=key),
        Merge.objects.filter(club=key),
        # Their facts never change.
        HistoryImport.objects.filter(club=key),
        Dismissal.objects.filter(user=reader),
    )


@CompiledIds
def _own_warbands(user: Any) -> QuerySet[Any, Any]:
    """Return the warbands that the user owns or keeps."""
    return ids_of_any(Warband.objects.filter(owner=user.pk), Warband.objects.filter(keeper=user.pk))


@CompiledIds
def _open_one_offs(user: Any) -> QuerySet[Any, Any]:
    """Return the open battles outside campaigns in which the user plays."""
    mine = Side.objects.open_for(user).values("battle")
    return Battle.objects.filter(pk__in=mine, campaign=None).values("pk")


@HOME_ROWS.add
def of_home(key: UUID, reader: int) -> Rows:
    """Return the reader's clubs with their play, and the reader's own warbands and battles."""
    # Cards name the other side of a battle outside campaigns, and of a transfer, who may be in no
    # club of the reader.
    user = User(pk=reader)
    own, one_offs = _own_warbands(user), _open_one_offs(user)
    sides = Side.objects.filter(battle__in=one_offs)
    given = HandOver.objects.filter(giver=reader)
    received = HandOver.objects.filter(receiver=reader)
    warbands = ids_of_any(
        Warband.objects.filter(pk__in=own),
        *(rows.values("warband") for rows in (sides, given, received)),
    )
    people = ids_of_any(
        Battle.objects.filter(pk__in=one_offs).values("submitted_by"),
        sides.values("decided_by"),
        Dispute.objects.filter(raised_by=reader).values("answered_by"),
        received.values("giver"),
        given.values("receiver"),
    )
    battles = Battle.objects.filter(campaign=None)
    own_battles = ids_of_any(
        battles.filter(created_by=reader),
        battles.filter(sides__warband__owner=reader),
        battles.filter(sides__warband__keeper=reader),
    )
    return (
        Club.objects.filter(memberships__user=reader),
        Membership.objects.filter(club__memberships__user=reader),
        Invitation.objects.filter(club__memberships__user=reader),
        Evening.objects.filter(club__memberships__user=reader),
        Attendance.objects.filter(evening__club__memberships__user=reader),
        TableGame.objects.filter(evening__club__memberships__user=reader),
        Campaign.objects.filter(club__memberships__user=reader),
        Enrolment.objects.filter(campaign__club__memberships__user=reader),
        Warband.objects.filter(enrolments__campaign__club__memberships__user=reader),
        Battle.objects.filter(campaign__club__memberships__user=reader),
        Round.objects.filter(campaign__club__memberships__user=reader),
        Fixture.objects.filter(round__campaign__club__memberships__user=reader),
        SealedOrder.objects.filter(enrolment__campaign__club__memberships__user=reader),
        Merge.objects.filter(club__memberships__user=reader),
        JournalEntry.objects.filter(campaign__club__memberships__user=reader),
        Substitute.objects.filter(player__user=reader),
        Dismissal.objects.filter(user=reader),
        # Outside clubs as well:
        Warband.objects.filter(pk__in=warbands),
        Fighter.objects.filter(warband__in=own),
        RankUpOffer.objects.filter(fighter__warband__in=own),
        HandOver.objects.filter(pk__in=ids_of_any(given, received)),
        Battle.objects.filter(pk__in=own_battles),
        Side.objects.filter(substitute__user=reader),
        Dispute.objects.filter(raised_by=reader),
        User.objects.filter(memberships__club__memberships__user=reader),
        User.objects.filter(pk__in=people),
    )
