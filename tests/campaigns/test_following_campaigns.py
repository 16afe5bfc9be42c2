"""A campaign that follows a finished one: the same terms, the same warbands, the same
chronicles."""

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from campaigns.models import Campaign, Enrolment
from campaigns.services.campaigns import finish_campaign, follow_campaign, start_campaign
from campaigns.services.enrolments import enrol_warband
from core.errors import Forbidden, InvalidInput, StateConflict
from leagues.selectors.campaign_page import campaign_page
from leagues.selectors.seasons import seasons
from tests.campaigns.conftest import battle_of
from warbands.models import Warband


@pytest.fixture
def finished(enrolled: Campaign, alice: User, bob: User) -> Campaign:
    """Return a finished campaign that Bob has won."""
    Campaign.objects.filter(pk=enrolled.pk).update(house_rules={"surviving": 2}, games=6)
    start_campaign(campaign_id=enrolled.pk, user=alice)
    battle_of(enrolled, [Warband.objects.get(owner=owner) for owner in (bob, alice)], alice)
    return finish_campaign(campaign_id=enrolled.pk, user=alice)


def page_of(campaign: Campaign, user: User):
    loaded = Campaign.objects.select_related("club", "follows", "followed_by").get(pk=campaign.pk)
    return campaign_page(loaded, user)


def test_it_begins_with_the_terms_of_the_one_before(
    finished: Campaign, alice: User, bob: User
) -> None:
    with pytest.raises(Forbidden):
        follow_campaign(campaign_id=finished.pk, user=bob, name="Again")
    after = follow_campaign(campaign_id=finished.pk, user=alice, name="The Next Winter", points=60)
    assert (after.follows, after.state, after.club) == (finished, "planned", finished.club)
    assert (after.points, after.games, after.house_rules) == (60, 6, {"surviving": 2})
    assert (after.ruleset, after.edition) == (finished.ruleset, finished.edition)
    assert after.scoring["tie_breakers"] and after.scoring["win"] == finished.scoring["win"]
    with pytest.raises(StateConflict) as again:
        follow_campaign(campaign_id=finished.pk, user=alice, name="Once more")
    assert again.value.code == "already-followed"
    with pytest.raises(InvalidInput) as early:
        follow_campaign(campaign_id=after.pk, user=alice, name="Too early")
    assert early.value.code == "not-finished"


def test_following_campaigns_link_and_take_warbands(
    finished: Campaign, alice: User, bob: User
) -> None:
    after = follow_campaign(campaign_id=finished.pk, user=alice, name="The Next Winter")
    before_page, page = page_of(finished, bob), page_of(after, bob)
    assert (
        before_page.after is not None
        and before_page.after.id == after.pk
        and before_page.before is None
    )
    assert page.before is not None and page.before.id == finished.pk and page.after is None
    assert [row.name for row in page.carry_on] == ["Bob's Reds"]
    assert [row.name for row in page_of(after, alice).carry_on] == ["Alice's Reds", "Bob's Reds"]
    warband = Warband.objects.get(owner=bob)
    sequence = warband.sequence
    enrol_warband(campaign_id=after.pk, warband_id=warband.pk, user=bob)
    assert page_of(after, bob).carry_on == ()
    warband.refresh_from_db()
    assert warband.sequence == sequence + 1, "the chronicle simply goes on"


def test_the_archive_tells_who_won_each_season(
    finished: Campaign, alice: User, django_assert_num_queries
) -> None:
    follow_campaign(campaign_id=finished.pk, user=alice, name="The Next Winter")
    with django_assert_num_queries(3):
        (row,) = seasons([finished])
    assert [each.name for each in row.best] == ["Bob's Reds"]
    assert (row.verdict.over, row.verdict.ahead) == (True, 3)
    assert [each.name for each in row.standings.rows] == ["Bob's Reds", "Alice's Reds"]


def test_the_api_plans_the_next_one(
    finished: Campaign, as_alice: APIClient, as_bob: APIClient
) -> None:
    where = f"/api/v1/campaigns/{finished.pk}/follow-up/"
    assert as_bob.post(where, {"name": "Again"}).status_code == 403
    made = as_alice.post(where, {"name": "Again", "games": 3})
    assert made.status_code == 201, made.data
    assert (made.data["follows"], made.data["games"], made.data["house_rules"]) == (
        finished.pk,
        3,
        {"surviving": 2},
    )
    assert as_bob.get(f"/api/v1/campaigns/{finished.pk}/").data["followed_by"] == made.data["id"]
    enrolment = Enrolment.objects.get(campaign=finished, warband__owner__username="bob")
    place = f"/api/v1/campaigns/{made.data['id']}/enrolments/"
    assert (
        as_bob.post(
            place, {"warband": str(enrolment.warband_id), "colour": enrolment.colour}
        ).status_code
        == 201
    )
