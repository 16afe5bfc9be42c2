"""The programme of a club night: when, where, who is going, the tables, and due fixtures."""

from collections.abc import Collection
from uuid import UUID

from django.conf import settings
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext

from campaigns.models import Campaign, TableGame
from clubs.models import Answer, Attendance, Evening
from clubs.selectors.evening_times import hours, zone_name
from core.users import Visibility
from documents.content.campaign_posters import SideArms, poster_fixture
from documents.content.documents import Programme, ProgrammeTable
from documents.content.visible_pictures import album
from documents.models import DocumentOption
from leagues.selectors.club_night import games_of, warbands_of
from leagues.selectors.fixtures import fixtures_due_in_club
from pictures.subjects import PictureKind

MAX_FIXTURES = 30
"""The most fixtures on a programme."""


def programme_content(evening: Evening, options: Collection[str] = ()) -> Programme:
    """Return the programme of a club night. Seven queries at most; select ``club`` with the night.

    Only with the option ``names`` does it depend on who is going: it has their names, the fixtures
    between them, and the tables of published pairings. Without it, everybody who may see the night
    may see all of it.
    """
    with_names = DocumentOption.NAMES in options
    answers = list(
        Attendance.objects.filter(evening=evening, member__left_at=None)
        .select_related("member")
        .order_by("answered_at", "pk")
    )
    going = [each.member for each in answers if each.answer == Answer.COMING and not each.no_show]
    present = {member.pk for member in going}
    games = [
        game
        for game in (games_of(evening) if with_names and evening.published_at else ())
        if game.second_id
    ]
    playing = {key for game in games for key in (game.first_id, game.second_id)}
    drawn = {game.fixture_id for game in games}
    due = [
        (campaign, row)
        for campaign, row in fixtures_due_in_club(evening.club, evening.local_start.date())
        if (
            {side.player for side in row.sides} <= present
            if with_names
            else _is_open_like_club(campaign, evening)
        )
        and row.id not in drawn
    ][:MAX_FIXTURES]
    arms = SideArms(side.warband for _, row in due for side in row.sides)
    several = len({campaign.pk for campaign, _ in due}) > 1
    return Programme(
        title=evening.club.name,
        subtitle=gettext("Club night programme"),
        dated=evening.changed_at.date().isoformat(),
        ruleset="",
        club=evening.club.name,
        weekday=date_format(evening.local_start, "l"),
        day=date_format(evening.local_start, gettext("j F Y")),
        hours=hours(evening.local_start, evening.local_end),
        zone=zone_name(evening.club.time_zone),
        place=evening.place,
        note=evening.note,
        cancelled=evening.cancelled_at is not None,
        reason=evening.reason,
        going=len(going),
        maybe=sum(each.answer == Answer.PERHAPS for each in answers),
        names=tuple(member.name for member in going if member.pk not in playing)
        if with_names
        else (),
        fixtures=tuple(
            poster_fixture(
                row,
                arms,
                source=f"{campaign.name} · {row.round_name}" if several else row.round_name,
            )
            for campaign, row in due
        ),
        tables=_tables(games),
        address=settings.SITE_URL.rstrip("/") + reverse("home:evening", args=[evening.pk]),
        crest=album({PictureKind.CLUB: [evening.club_id]}).of(evening.club_id),
    )


def _tables(games: Collection[TableGame]) -> tuple[ProgrammeTable, ...]:
    """Return the games of two by table. One query."""
    warbands = warbands_of(games)

    def name_of_warband(game: TableGame, member: UUID | None) -> str:
        warband = warbands.get((game.campaign_id, member)) if member else None
        return warband.name if warband else ""

    return tuple(
        ProgrammeTable(
            table=game.table,
            first=game.first.name,
            second=game.second.name if game.second else "",
            first_warband=name_of_warband(game, game.first_id),
            second_warband=name_of_warband(game, game.second_id),
            campaign=game.campaign.name if game.campaign else "",
        )
        for game in games
    )


def _is_open_like_club(campaign: Campaign, evening: Evening) -> bool:
    """Return whether everybody who may see the club night may also see the campaign."""
    private = evening.club.visibility == Visibility.PRIVATE
    return private or campaign.visibility == Visibility.PUBLIC
