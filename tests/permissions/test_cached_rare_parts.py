"""A kept page equals a fresh one after changes of what pages rarely show: the example campaign,
battles outside campaigns, warbands that were given away."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.utils import timezone

from battles.models import Battle, BattleState, Side, Verdict
from campaigns.models import Campaign, CampaignState, Enrolment, HandOver, HandOverState
from clubs.models import Membership
from core import page_cache
from core.users import Visibility
from tests.conftest import browser_of
from tests.pages import world
from tests.permissions.conftest import PrivateWorld
from tests.permissions.test_cached_pages import nothing_kept, shown
from warbands.models import Warband
from warbands.signed import create_signed

pytestmark = pytest.mark.usefixtures("copies_of_pages")


def expect_followed(browser: Client, address: str, *changes: Callable[[], Any]) -> None:
    """Check that a kept page shows each of these changes, which are undone afterwards."""
    browser.get("/")
    for place, change in enumerate(changes):
        before = shown(browser, address)
        assert before.startswith("200"), before[:40]
        with transaction.atomic():
            # Rows that one transaction writes twice have the same version.
            with transaction.atomic():
                assert change() == 1, place
            after = shown(browser, address)
            with nothing_kept():
                fresh = shown(browser, address)
            assert fresh != before, f"{address} does not show change {place}"
            assert after == fresh, f"{address} is old after change {place}"
            transaction.set_rollback(True)


def test_front_page_follows_the_example_campaign(private: PrivateWorld) -> None:
    example = Campaign.objects.filter(pk=private.campaign.pk)
    example.update(example=True, visibility=Visibility.PUBLIC)
    expect_followed(
        Client(),
        "/",
        lambda: example.update(name="Another name"),
        lambda: example.update(visibility=Visibility.PRIVATE),
        lambda: example.update(example=False),
    )


def one_off(private: PrivateWorld, alice: User, state: str = "planned") -> Battle:
    """Return a battle outside campaigns of two warbands that play in the campaign."""
    warbands = Warband.objects.order_by("created_at")
    make = {"planned": world.planned_battle, "submitted": world.submitted_battle}[state]
    Warband.objects.update(visibility=Visibility.PUBLIC)
    return make(alice, None, *warbands)


def test_page_of_a_one_off_battle_follows_the_campaigns_of_its_warbands(
    private: PrivateWorld, alice: User
) -> None:
    battle, campaign = one_off(private, alice), Campaign.objects.filter(pk=private.campaign.pk)
    expect_followed(
        browser_of(alice),
        f"/battles/{battle.pk}/",
        lambda: campaign.update(name="Another name"),
        lambda: campaign.update(state=CampaignState.FINISHED),
    )


@pytest.mark.parametrize("page", ["", "table/"])
def test_pages_of_a_battle_follow_the_names_of_former_players(
    page: str, private: PrivateWorld, alice: User, charlie: User
) -> None:
    haufen = Side.objects.get(battle=private.battle, key="b").warband
    dora = Membership.objects.get(club=private.club, name="dora")
    for giver in ({"giver": charlie}, {"giver_seat": dora}):
        HandOver.objects.filter(warband=haufen).delete()
        HandOver.objects.create(
            warband=haufen,
            receiver=haufen.owner,
            made_by=alice,
            made_at=timezone.now(),
            settled_at=timezone.now(),
            state=HandOverState.DONE,
            **giver,
        )
        change = (
            (lambda: Membership.objects.filter(pk=dora.pk).update(name="Another name"))
            if "giver_seat" in giver
            else lambda: User.objects.filter(pk=charlie.pk).update(username="another")
        )
        expect_followed(browser_of(alice), f"/battles/{private.battle.pk}/{page}", change)


def test_home_page_follows_opponents_outside_campaigns(alice: User, bob: User) -> None:
    mine, theirs = world.guards(alice), world.landsknechts(bob)
    world.warbands_see_each_other(mine, theirs)
    world.planned_battle(alice, None, mine, theirs)
    expect_followed(
        browser_of(alice),
        "/",
        lambda: Warband.objects.filter(pk=theirs.pk).update(name="Another name"),
    )


def test_home_page_follows_those_who_submit_and_dispute(alice: User, bob: User) -> None:
    mine, theirs = world.guards(alice), world.landsknechts(bob)
    world.warbands_see_each_other(mine, theirs)
    battle = world.submitted_battle(bob, None, mine, theirs)
    bobs = User.objects.filter(pk=bob.pk)
    expect_followed(browser_of(alice), "/", lambda: bobs.update(username="another"))
    Battle.objects.filter(pk=battle.pk).update(state=BattleState.DISPUTED, submitted_by=None)
    Side.objects.filter(battle=battle, key="b").update(
        verdict=Verdict.DISPUTED, decided_by=bob, dispute="No"
    )
    expect_followed(browser_of(alice), "/", lambda: bobs.update(username="another"))


def test_home_page_follows_an_offered_warband(alice: User, bob: User) -> None:
    offered = world.landsknechts(bob)
    HandOver.objects.create(
        warband=offered, giver=bob, receiver=alice, made_by=bob, made_at=timezone.now()
    )
    expect_followed(
        browser_of(alice),
        "/",
        lambda: Warband.objects.filter(pk=offered.pk).update(name="Another name"),
        lambda: User.objects.filter(pk=bob.pk).update(username="another"),
    )


def another_season(private: PrivateWorld, alice: User) -> Campaign:
    """End the campaign and return one that follows it."""
    Campaign.objects.filter(pk=private.campaign.pk).update(state=CampaignState.FINISHED)
    return world.campaign_of(private.club, alice, running=False, name="Next season")


def test_pages_of_a_campaign_follow_the_colours_of_later_campaigns(
    private: PrivateWorld, alice: User
) -> None:
    first = Enrolment.objects.filter(campaign=private.campaign).earliest("enrolled_at")
    later = create_signed(
        Enrolment,
        campaign=another_season(private, alice),
        warband=first.warband,
        player=first.player,
        enrolled_at=timezone.now(),
        left_at=timezone.now(),
    )
    expect_followed(
        browser_of(alice),
        f"/campaigns/{private.campaign.pk}/standings/",
        lambda: Enrolment.objects.filter(pk=later.pk).update(colour="#123456"),
    )


def test_overview_follows_the_warbands_of_the_previous_season(
    private: PrivateWorld, alice: User, bob: User
) -> None:
    season, ended = another_season(private, alice), timezone.now()
    Campaign.objects.filter(pk=season.pk).update(follows=private.campaign)
    Campaign.objects.filter(pk=private.campaign.pk).update(finished_at=ended)
    Enrolment.objects.filter(campaign=private.campaign).update(left_at=ended)
    haufen = Side.objects.get(battle=private.battle, key="b").warband
    expect_followed(
        browser_of(alice),
        f"/campaigns/{season.pk}/",
        lambda: Warband.objects.filter(pk=haufen.pk).update(name="Another name"),
        lambda: Warband.objects.filter(pk=haufen.pk).update(archived_at=ended),
        lambda: Enrolment.objects.filter(warband=haufen).update(colour="#123456"),
        lambda: Enrolment.objects.filter(warband=haufen).update(left_at=None),
    )


def test_ten_minutes_differ_when_clocks_are_set_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    first = datetime(2026, 10, 25, 0, 14, tzinfo=UTC)
    texts = []
    with timezone.override("Europe/London"):
        for moment in (first, first + timedelta(hours=1)):
            monkeypatch.setattr(timezone, "now", lambda moment=moment: moment)
            texts.append(page_cache.ten_minutes())
    assert len(set(texts)) == 2
