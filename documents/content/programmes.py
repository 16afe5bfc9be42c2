"""The programme of a club night: when, where, who is going, and the fixtures that are due."""

from collections.abc import Collection

from django.utils.formats import date_format
from django.utils.translation import gettext

from campaigns.models import Campaign
from clubs.models import Answer, Attendance, Evening
from clubs.selectors.evening_times import hours, zone_name
from core.users import Visibility
from documents.content.campaign_posters import SideArms, poster_fixture
from documents.content.documents import Programme
from documents.content.visible_pictures import album
from documents.models import DocumentOption
from leagues.selectors.fixtures import fixtures_due_in_club
from pictures.subjects import PictureKind

MAX_FIXTURES = 30
"""The most fixtures on a programme."""


def programme_content(evening: Evening, options: Collection[str] = ()) -> Programme:
    """Return the programme of a club night. Five queries at most; select ``club`` with the night.

    Only with the option ``names`` does it depend on who is going: it has their names, and the
    fixtures between them. Without it, everybody who may see the night may see all of it.
    """
    with_names = DocumentOption.NAMES in options
    answers = list(
        Attendance.objects.filter(evening=evening, member__left_at=None)
        .select_related("member")
        .order_by("answered_at", "pk")
    )
    going = [each.member for each in answers if each.answer == Answer.COMING]
    present = {member.pk for member in going}
    due = [
        (campaign, row)
        for campaign, row in fixtures_due_in_club(evening.club, evening.local_start.date())
        if (
            {side.player for side in row.sides} <= present
            if with_names
            else _is_open_like_club(campaign, evening)
        )
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
        names=tuple(member.name for member in going) if with_names else (),
        fixtures=tuple(
            poster_fixture(
                row,
                arms,
                source=f"{campaign.name} · {row.round_name}" if several else row.round_name,
            )
            for campaign, row in due
        ),
        crest=album({PictureKind.CLUB: [evening.club_id]}).of(evening.club_id),
    )


def _is_open_like_club(campaign: Campaign, evening: Evening) -> bool:
    """Return whether everybody who may see the club night may also see the campaign."""
    private = evening.club.visibility == Visibility.PRIVATE
    return private or campaign.visibility == Visibility.PUBLIC
