"""What a warband that left a campaign finds when it comes back (docs/decisions/fixtures.md).

While it is away its opponents have byes. Those of rounds that are over stay byes when it comes back: nobody loses a
point, or a place in the next round, because somebody else returns.
"""

from collections.abc import Iterable
from datetime import date
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from campaigns.models import Campaign, CampaignState, Enrolment, Fixture, Method

PLAYED_AFTER_ALL = (Method.ROUND_ROBIN, Method.GROUPS)
"""Who comes back plays what is left of these. Rounds of the other methods follow from the results of earlier ones."""


def give_up_fixtures(campaign: Campaign, enrolment: Enrolment) -> None:
    """Mark what a warband did not play while it was away, and will not play although it is about to come back.

    The caller has locked the campaign, and the enrolment has not come back yet. Before a campaign begins nothing is
    over. Three queries, one more for each round of a knockout.
    """
    if campaign.state != CampaignState.RUNNING:
        return
    key = str(enrolment.pk)
    for fixture in _unplayed(campaign, enrolment).filter(_over(campaign, timezone.localdate())):
        if key not in fixture.given_up_by:
            fixture.given_up_by = [*fixture.given_up_by, key]
            fixture.version += 1
            fixture.save(update_fields=["given_up_by", "version"])


def _unplayed(campaign: Campaign, enrolment: Enrolment) -> QuerySet[Fixture]:
    """The fixtures of a warband without a result, and those of a knockout to which it could still have come."""
    mine = Q(home=enrolment) | Q(away=enrolment)
    own = Fixture.objects.filter(mine, round__campaign=campaign)
    reached = _following(own.filter(round__method=Method.KNOCKOUT).values_list("pk", flat=True))
    confirmed = Fixture.objects.filter(pk=OuterRef("pk"), battles__state="confirmed")
    fixtures = Fixture.objects.filter(mine | Q(pk__in=reached), round__campaign=campaign)
    return fixtures.filter(~Exists(confirmed), bye=False, walkover="").order_by("pk")


def _following(fixtures: Iterable[UUID]) -> set[UUID]:
    """The later fixtures of a bracket to which winners and losers of these go on."""
    found: set[UUID] = set()
    before = set(fixtures)
    while before:
        comes = Q(home_from__in=before) | Q(away_from__in=before)
        before = {*Fixture.objects.filter(comes).values_list("pk", flat=True)} - found
        found |= before
    return found


def _over(campaign: Campaign, today: date) -> Q:
    """Which fixtures are over for who was away: all but those of this round and later ones that everybody plays.

    This round is the one that the page of the fixtures shows so: the first whose deadline has not passed, without
    deadlines the first of which half is left to play. A round in which nobody else has to play any more is over too.
    """
    confirmed = Fixture.objects.filter(pk=OuterRef("pk"), battles__state="confirmed")
    waiting = Q(fixtures__in=Fixture.objects.filter(
        ~Exists(confirmed), bye=False, walkover="", home__left_at=None, away__left_at=None
    ))  # fmt: skip
    rows = campaign.rounds.filter(method__in=PLAYED_AFTER_ALL).order_by("number")
    rounds = rows.annotate(waiting=Count("fixtures", filter=waiting), fixtures_in_all=Count("fixtures"))
    going_on: list[UUID] = []
    for each in rounds.values_list("pk", "deadline", "waiting", "fixtures_in_all"):
        key, deadline, left, number = each
        now = deadline >= today if deadline else 2 * left >= number
        if left and (now or going_on):
            going_on.append(key)
    return ~Q(round__in=going_on)
