"""The rows that the home page, the welcome page of visitors and the page of a club show."""

from uuid import UUID

from django.contrib.auth.models import User

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


@HOME_ROWS.add
def of_home(key: UUID, reader: int) -> Rows:
    """Return the reader's clubs with their play, and the reader's own warbands and battles."""
    # Cards name the other side of a battle or a transfer, who may be in no club of the reader.
    open_sides = Side.objects.open_for(User(pk=reader))
    open_battles = Battle.objects.filter(pk__in=open_sides.values("battle"))
    transfers = (HandOver.objects.filter(giver=reader), HandOver.objects.filter(receiver=reader))
    people = ids_of_any(
        open_battles.values("submitted_by"),
        Side.objects.filter(battle__in=open_battles.values("pk")).values("decided_by"),
        Dispute.objects.filter(raised_by=reader).values("answered_by"),
        *(rows.values(who) for rows in transfers for who in ("giver", "receiver", "made_by")),
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
        Warband.objects.filter(owner=reader),
        Warband.objects.filter(keeper=reader),
        Fighter.objects.filter(warband__owner=reader),
        Fighter.objects.filter(warband__keeper=reader),
        RankUpOffer.objects.filter(fighter__warband__owner=reader),
        RankUpOffer.objects.filter(fighter__warband__keeper=reader),
        *transfers,
        Warband.objects.filter(hand_overs__giver=reader),
        Warband.objects.filter(hand_overs__receiver=reader),
        Warband.objects.filter(sides__battle__in=open_battles.values("pk")),
        Battle.objects.filter(created_by=reader, campaign=None),
        Battle.objects.filter(sides__warband__owner=reader, campaign=None),
        Battle.objects.filter(sides__warband__keeper=reader, campaign=None),
        Side.objects.filter(substitute__user=reader),
        Dispute.objects.filter(raised_by=reader),
        User.objects.filter(memberships__club__memberships__user=reader),
        User.objects.filter(pk__in=people),
    )
