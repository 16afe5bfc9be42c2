"""The pulse of a campaign, and the command that appoints an organiser."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.utils import timezone
from rest_framework.test import APIClient

from audit.models import AuditEntry
from campaigns.models import Campaign, Enrolment, Method, Round
from campaigns.services.campaigns import plan_campaign, start_campaign
from campaigns.services.enrolments import enrol_warband
from clubs.models import Club, Evening, Membership, Role
from clubs.services.clubs import found_club
from clubs.services.evenings import make_evenings
from leagues.selectors.pulse import SUGGESTIONS, campaign_pulse
from leagues.services.rounds import RoundTerms, make_rounds
from tests.campaigns.conftest import Muster, battle_of
from tests.campaigns.conftest import muster as muster
from warbands.models import Warband
from warbands.signed import create_signed

TODAY = date(2030, 6, 1)


@pytest.fixture
def club(alice: User, bob: User, dora: User) -> Club:
    club = found_club(user=alice, name="The Old Guard", member_name="Alice")
    for user, name in ((bob, "Bob"), (dora, "Dora")):
        create_signed(Membership, club=club, user=user, name=name, role=Role.PLAYER)
    return club


@pytest.fixture
def campaign(club: Club, alice: User, bob: User, dora: User, muster: Muster) -> Campaign:
    """Return a running round robin of Alice, Bob and Dora that began ten weeks ago."""
    campaign = plan_campaign(club_id=club.pk, user=alice, name="League", ruleset="toy", points=50)
    for user in (alice, bob, dora):
        warband = muster(user, f"{user.username}'s Reds")
        enrol_warband(campaign_id=campaign.pk, warband_id=warband.pk, user=user)
    start_campaign(campaign_id=campaign.pk, user=alice)
    make_rounds(campaign_id=campaign.pk, user=alice, terms=RoundTerms(method=Method.ROUND_ROBIN))
    start = timezone.make_aware(datetime.combine(TODAY - timedelta(weeks=10), datetime.min.time()))
    Campaign.objects.update(started_at=start)
    Enrolment.objects.update(enrolled_at=start)
    return Campaign.objects.select_related("club").get()


def fight(campaign: Campaign, alice: User, winner: str, loser: str, day: date) -> None:
    warbands = [Warband.objects.get(name=f"{name}'s Reds") for name in (winner, loser)]
    battle = battle_of(campaign, warbands, alice)
    type(battle).objects.filter(pk=battle.pk).update(fought_on=day)


def test_pulse_names_members_without_games(campaign: Campaign, alice: User) -> None:
    fight(campaign, alice, "alice", "bob", TODAY - timedelta(days=5))
    Round.objects.filter(number=1).update(deadline=TODAY - timedelta(days=1))
    pulse = campaign_pulse(campaign, TODAY)
    assert {row.name: row.weeks for row in pulse.drifting}["Dora"] == 10
    dora = next(row for row in pulse.drifting if row.name == "Dora")
    assert (dora.last_game, dora.open) == (None, 2)
    assert pulse.gap is not None and pulse.gap.first == "alice's Reds"
    assert len(pulse.suggestions) == SUGGESTIONS
    assert pulse.suggestions[0].code == "second-organiser"
    assert any("dora" in each.sentence.lower() for each in pulse.suggestions)


def test_pulse_knows_games_that_decide_nothing(campaign: Campaign, alice: User) -> None:
    for _ in range(4):
        fight(campaign, alice, "alice", "bob", TODAY)
    pulse = campaign_pulse(campaign, TODAY)
    assert pulse.decided
    assert {frozenset((game.home, game.away)) for game in pulse.dead_games} == {
        frozenset(("bob's Reds", "dora's Reds"))
    }


def test_healthy_campaign_still_gets_three_suggestions(
    campaign: Campaign, club: Club, alice: User, bob: User
) -> None:
    Membership.objects.update(role=Role.ORGANISER)
    start = timezone.now() + timedelta(days=2)
    make_evenings(club_id=club.pk, user=alice, starts_at=start, ends_at=start + timedelta(hours=4))
    for pair in (("alice", "bob"), ("dora", "bob")):
        fight(campaign, alice, *pair, TODAY)
    pulse = campaign_pulse(campaign, TODAY)
    assert pulse.drifting == ()
    assert [each.code for each in pulse.suggestions] == ["draw-pairings", "journal", "share"]


def test_pulse_before_the_first_battle_suggests_what_is_left_to_do(
    campaign: Campaign, club: Club, alice: User
) -> None:
    Membership.objects.update(role=Role.ORGANISER)
    Campaign.objects.update(started_at=timezone.make_aware(datetime(2030, 5, 30)))
    Enrolment.objects.update(enrolled_at=timezone.make_aware(datetime(2030, 5, 30)))
    start = timezone.now() + timedelta(days=2)
    make_evenings(club_id=club.pk, user=alice, starts_at=start, ends_at=start + timedelta(hours=4))
    Evening.objects.update(published_at=timezone.now())
    campaign.refresh_from_db()
    pulse = campaign_pulse(campaign, TODAY)
    assert pulse.gap is not None and (pulse.gap.lead, pulse.gap.spread) == (0, 0)
    assert [each.code for each in pulse.suggestions] == ["share", "look-at-fixtures", "house-rules"]


def test_pulse_is_for_organisers(
    campaign: Campaign, as_alice: APIClient, as_bob: APIClient, as_charlie: APIClient
) -> None:
    here = f"/api/v1/campaigns/{campaign.pk}/pulse/"
    assert as_alice.get(here).json()["organisers"] == 1
    assert as_bob.get(here).status_code == 403
    assert as_charlie.get(here).status_code == 404


def test_host_appoints_organiser(club: Club, bob: User, make_user: Callable[[str], User]) -> None:
    def run(*arguments: Any) -> str:
        out = StringIO()
        call_command("appoint_organiser", *arguments, stdout=out)
        return out.getvalue()

    assert "Bob (bob): player" in run(club.pk)
    assert "Bob (bob): organiser" in run(club.pk, "bob")
    assert Membership.objects.get(user=bob).role == Role.ORGANISER
    entry = AuditEntry.objects.latest("at")
    assert (entry.verb, entry.actor_id) == ("member.made-organiser", None)
    make_user("eve")
    with pytest.raises(CommandError, match="no member with the active account"):
        run(club.pk, "eve")
    bob.is_active = False
    bob.save()
    with pytest.raises(CommandError):
        run(club.pk, "bob")
