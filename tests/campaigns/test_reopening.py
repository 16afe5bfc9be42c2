"""Ending a campaign by mistake: what is open is shown first, and an organiser can take the end
back."""

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from audit.models import AuditEntry
from battles.models import Battle
from battles.selectors.standings import standings
from campaigns.models import Campaign, Enrolment
from campaigns.services.campaigns import finish_campaign, follow_campaign
from campaigns.services.enrolments import enrol_warband
from campaigns.services.reopening import preview_reopening, reopen_campaign
from clubs.models import Club, Membership
from core.errors import Forbidden, InvalidInput, StaleVersion
from leagues.selectors.campaign_page import campaign_page
from leagues.selectors.fixtures import campaign_fixtures
from tests.pages import world
from warbands.models import Warband
from warbands.rulebook_values import read_state
from warbands.services.verification import prove
from warbands.services.warbands import archive_warband

pytestmark = pytest.mark.one_database


@pytest.fixture
def club(alice: User, bob: User, dora: User) -> Club:
    return world.club_of(alice, players=[bob], spectators=[dora])


@pytest.fixture
def campaign(club: Club, alice: User, bob: User) -> Campaign:
    """Return a campaign of three warbands with a round robin, one battle of which is fought."""
    bands = [
        world.landsknechts(alice, "A"),
        world.landsknechts(bob, "B"),
        world.landsknechts(bob, "C"),
    ]
    campaign = world.campaign_of(club, alice, *bands)
    world.paired(campaign, alice)
    world.confirmed_battle(alice, alice, campaign, bands[0], bands[1])
    return Campaign.objects.get(pk=campaign.pk)


def band(name: str) -> Warband:
    return Warband.objects.get(name=name)


def snapshot(campaign: Campaign) -> object:
    """Return what everybody sees of a campaign: standings, fixtures, and states of warbands."""
    campaign = Campaign.objects.get(pk=campaign.pk)
    states = [
        read_state(row.warband)
        for row in campaign.enrolments.select_related("warband").order_by("pk")
    ]
    rounds = campaign_fixtures(campaign, world.DAY)
    return (
        standings(campaign),
        [(row.state, row.playable) for each in rounds for row in each.fixtures],
        [
            (
                state.campaign,
                state.games_played,
                state.agreed_points,
                state.settings,
                state.fighters,
            )
            for state in states
        ],
    )


def test_reopen_restores_campaign_and_warbands(campaign: Campaign, alice: User) -> None:
    before = snapshot(campaign)
    finish_campaign(campaign_id=campaign.pk, user=alice)
    assert snapshot(campaign) != before
    reopened = reopen_campaign(campaign_id=campaign.pk, user=alice)
    assert (reopened.state, reopened.finished_at) == (
        "running",
        None,
    ) and reopened.reopened_at is not None
    assert snapshot(campaign) == before
    assert all(prove(row.warband) == [] for row in campaign.enrolments.select_related("warband"))
    assert AuditEntry.objects.filter(verb="campaign.reopened", campaign=campaign.pk).count() == 1
    page = campaign_page(reopened, alice)
    assert page is not None
    battle = world.confirmed_battle(alice, alice, reopened, band("A"), band("C"))
    assert battle.fixture_id is not None
    finish_campaign(campaign_id=campaign.pk, user=alice)
    assert Campaign.objects.get(pk=campaign.pk).state == "finished"


def test_reopen_leaves_out_unavailable_warbands(
    campaign: Campaign, club: Club, alice: User, bob: User
) -> None:
    finish_campaign(campaign_id=campaign.pk, user=alice)
    follower = follow_campaign(campaign_id=campaign.pk, user=alice, name="The next one")
    enrol_warband(campaign_id=follower.pk, warband_id=band("A").pk, user=alice)
    archive_warband(warband_id=band("C").pk, user=bob)
    preview = preview_reopening(campaign_id=campaign.pk, user=alice)
    assert {each.name: (each.stays_out, each.sentence) for each in preview.warbands} == {
        "A": ("elsewhere", "It has entered The next one."),
        "B": ("", ""),
        "C": ("archived", "It is archived."),
    }
    assert Campaign.objects.get(pk=campaign.pk).state == "finished", "a preview writes nothing"
    reopen_campaign(campaign_id=campaign.pk, user=alice)
    current = Enrolment.objects.current().filter(campaign=campaign)
    assert [row.warband.name for row in current] == ["B"]
    rows = {row.name: row.withdrawn for row in standings(Campaign.objects.get(pk=campaign.pk)).rows}
    # The draw decides who rests in the first round: C has fought nothing, but stays in the table
    # with a bye.
    assert rows.pop("C", True), "C has left"
    assert rows == {"A": True, "B": False}, "what was fought stays in the table"
    assert read_state(band("A")).campaign == str(follower.pk)


def test_player_who_has_left_the_club_stays_out(campaign: Campaign, alice: User, bob: User) -> None:
    finish_campaign(campaign_id=campaign.pk, user=alice)
    Membership.objects.filter(user=bob).update(user=None, left_at=campaign.created_at)
    reopen_campaign(campaign_id=campaign.pk, user=alice)
    assert [row.warband.name for row in Enrolment.objects.current().filter(campaign=campaign)] == [
        "A"
    ]


def test_only_an_organiser_reopens_what_has_ended(
    campaign: Campaign, alice: User, bob: User
) -> None:
    with pytest.raises(InvalidInput, check=lambda error: error.code == "not-finished"):
        reopen_campaign(campaign_id=campaign.pk, user=alice)
    finish_campaign(campaign_id=campaign.pk, user=alice)
    with pytest.raises(Forbidden):
        reopen_campaign(campaign_id=campaign.pk, user=bob)
    with pytest.raises(StaleVersion):
        reopen_campaign(campaign_id=campaign.pk, user=alice, version=1)


def test_the_api_says_what_is_open_and_who_comes_back(
    campaign: Campaign, alice: User, bob: User
) -> None:
    client = APIClient()
    client.force_authenticate(alice)
    where = f"/api/v1/campaigns/{campaign.pk}/"
    planned = world.planned_battle(alice, campaign, band("A"), band("C"))
    body = client.post(f"{where}finish/", {"dry_run": True}, format="json").json()
    assert [each["id"] for each in body["battles"]] == [str(planned.pk)]
    assert [each["state"] for each in body["fixtures"]] == ["open"]
    other = APIClient()
    other.force_authenticate(bob)
    assert other.post(f"{where}finish/", {"dry_run": True}, format="json").status_code == 403
    assert client.post(f"{where}finish/", {}, format="json").json()["code"] == "battles-open"
    Battle.objects.filter(pk=planned.pk).update(state="void")
    assert client.post(f"{where}finish/", {}, format="json").json()["state"] == "finished"
    body = client.post(f"{where}reopen/", {"dry_run": True}, format="json").json()
    assert [each["stays_out"] for each in body["warbands"]] == ["", "", ""]
    assert other.post(f"{where}reopen/", {}, format="json").status_code == 403
    assert client.post(f"{where}reopen/", {}, format="json").json()["state"] == "running"
    assert client.post(f"{where}reopen/", {}, format="json").status_code == 400
