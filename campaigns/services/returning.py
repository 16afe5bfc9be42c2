"""Give up missed fixtures of a warband that returns to a campaign (docs/decisions/campaigns.md).

While a warband is away its opponents have byes. Byes of past rounds remain when it returns: nobody
loses a point, or a place in the next round, because somebody else returns.
"""

from collections.abc import Iterable
from datetime import date
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from campaigns.models import Campaign, CampaignState, Enrolment, Fixture, Method
from warbands.signed import save_signed

PLAYED_AFTER_ALL = (Method.ROUND_ROBIN, Method.GROUPS)
"""In these methods a returning warband plays its remaining fixtures.

In the other methods, rounds follow from the results of earlier ones.
"""


def give_up_fixtures(campaign: Campaign, enrolment: Enrolment) -> None:
    """Mark the fixtures that a returning warband missed while it was away and will not play.

    The caller has locked the campaign, and the enrolment has not returned yet. Does nothing unless
    the campaign is running. Takes three queries, and one more for each round of a knockout.
    """
    if campaign.state != CampaignState.RUNNING:
        return
    going_on = _rounds_going_on(campaign, timezone.localdate())
    for fixture in _unplayed(campaign, enrolment):
        opponent = fixture.away if fixture.home_id == enrolment.pk else fixture.home
        gone = opponent.left_at if opponent else None
        # If both left, the first to leave gave it up and the other has the bye, no matter who
        # returns first.
        alone = (opponent and fixture.given_up_by) or (
            gone and enrolment.left_at and gone < enrolment.left_at
        )
        if not alone and (gone or fixture.round_id not in going_on):
            fixture.given_up_by = [*fixture.given_up_by, str(enrolment.pk)]
            fixture.version += 1
            save_signed(fixture, "given_up_by", "version")


def _unplayed(campaign: Campaign, enrolment: Enrolment) -> QuerySet[Fixture]:
    """Return a warband's fixtures without a result, and knockout ones that it could reach."""
    mine = Q(home=enrolment) | Q(away=enrolment)
    own_fixtures = Fixture.objects.filter(mine, round__campaign=campaign)
    reached = _following(
        own_fixtures.filter(round__method=Method.KNOCKOUT).values_list("pk", flat=True)
    )
    fixtures = Fixture.objects.filter(
        mine | Q(pk__in=reached), ~_confirmed(), round__campaign=campaign
    )
    return fixtures.filter(bye=False, walkover="").select_related("home", "away").order_by("pk")


def _confirmed() -> Exists:
    return Exists(Fixture.objects.filter(pk=OuterRef("pk"), battles__state="confirmed"))


def _following(fixtures: Iterable[UUID]) -> set[UUID]:
    """Return the ids of the later fixtures to which winners and losers of these advance."""
    following: set[UUID] = set()
    before = set(fixtures)
    while before:
        comes = Q(home_from__in=before) | Q(away_from__in=before)
        before = {*Fixture.objects.filter(comes).values_list("pk", flat=True)} - following
        following |= before
    return following


def _rounds_going_on(campaign: Campaign, today: date) -> set[UUID]:
    """Return the ids of the current and later rounds with open fixtures, for some methods.

    ``PLAYED_AFTER_ALL`` lists the methods.

    The current round is the same as on the page of the fixtures: the first whose deadline has not
    passed, or, without a deadline, the first with at least half of its fixtures to play.
    """
    present = Q(home__left_at=None, away__left_at=None, given_up_by=[])
    waiting = Fixture.objects.filter(present, ~_confirmed(), bye=False, walkover="")
    rounds = campaign.rounds.filter(method__in=PLAYED_AFTER_ALL).order_by("number")
    rounds = rounds.annotate(
        waiting=Count("fixtures", filter=Q(fixtures__in=waiting)), number_of=Count("fixtures")
    )
    going_on: set[UUID] = set()
    for key, deadline, left, number in rounds.values_list("pk", "deadline", "waiting", "number_of"):
        now = deadline >= today if deadline else 2 * left >= number
        if left and (now or going_on):
            going_on.add(key)
    return going_on
