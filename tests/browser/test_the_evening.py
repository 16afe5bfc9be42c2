"""An evening at the club by its clicks: planned in three, fielded in two, a wound in three taps,
confirmed in two."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Locator, Page, expect

from battles.models import Battle
from campaigns.models import Campaign
from tests.browser.conftest import Phone
from tests.pages import world
from tests.pages.world import named
from warbands.services.roster import NewFighter, recruit_fighters

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.one_database,
]


class Clicks:
    """A counter that clicks."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, what: Locator) -> None:
        what.click()
        self.count += 1

    def so_far(self) -> int:
        """Return the number of clicks since the last call."""
        count, self.count = self.count, 0
        return count


def tap(page: Page, clicks: Clicks, victim: str, result: str, attacker: str) -> None:
    sides = page.locator(".board-sides")
    clicks(sides.get_by_role("button", name=victim))
    clicks(page.locator(".board-results").get_by_role("button", name=result, exact=True))
    clicks(sides.get_by_role("button", name=attacker))


def plan_and_field(page: Page, campaign: Campaign, clicks: Clicks) -> Battle:
    """Plan a battle against Bob as Alice, choose both line-ups, and start it to enter its result."""
    page.goto(f"/campaigns/{campaign.pk}/")
    clicks(page.get_by_role("link", name="Plan battle"))
    clicks(page.get_by_role("radio", name="Der schwarze Haufen"))
    clicks(page.get_by_role("button", name="Plan battle"))
    expect(
        page.get_by_role("link", name="Choose line-up for Compagnie du Cardinal")
    ).to_be_visible()
    battle = Battle.objects.get()
    assert clicks.so_far() == 3, "planning"
    clicks(page.get_by_role("link", name="Choose line-up for Compagnie du Cardinal"))
    clicks(page.get_by_role("button", name="Save line-up"))
    expect(page.get_by_text("Der schwarze Haufen has no line-up yet.")).to_be_visible()
    assert (clicks.so_far(), world.fielded(battle)) == (2, 19), "fielding nineteen"
    page.get_by_role("link", name="Choose line-up for Der schwarze Haufen").click()
    page.get_by_role("button", name="Save line-up").click()
    page.get_by_text("Start battle").click()
    page.get_by_role("button", name="Enter result").click()
    return battle


def enter_the_result(page: Page, battle: Battle, clicks: Clicks) -> None:
    """Enter four wounds by taps, reload the page, undo one, and submit."""
    tap(page, clicks, "Hans", "Light", "Le Rat")
    assert clicks.so_far() == 3, "a wound"
    tap(page, clicks, "Veit", "Critical", "Le Rat")
    for _ in range(2):
        tap(page, clicks, "Le Rat", "Scratch", "Kunz")
    expect(page.locator("#so-far")).to_contain_text("Veit: † Critical wound")
    assert not battle.events.exists()
    page.reload()
    expect(page.get_by_text("Your unsaved entries are back.")).to_be_visible()
    lines = page.locator(".board-told").get_by_role("listitem")
    expect(lines).to_have_count(4)
    page.get_by_role("button", name="Remove: Le Rat: Scratch (Kunz)").first.click()
    page.get_by_role("button", name="Save and check result").click()
    page.get_by_role("button", name="Submit result").click()
    expect(
        page.get_by_text("Result submitted. The other side can now confirm or dispute it.")
    ).to_be_visible()
    hits = [event.data["victim"] for event in battle.events.order_by("sequence")]
    assert hits == [str(named(name).pk) for name in ("Hans", "Veit", "Le Rat")]
    page.wait_for_function(
        "!Object.keys(localStorage).some(key => key.startsWith('muster.sheet.'))"
    )


def test_an_evening_takes_few_clicks_and_nothing_half_filled_is_lost(
    phone: Phone, alice: User, bob: User
) -> None:
    guards, haufen = world.guards(alice), world.landsknechts(bob)
    recruits = [NewFighter(build={"profile": "ruffian"}, name="Spadassin", count=15)]
    recruit_fighters(warband_id=guards.pk, fighters=recruits, user=alice, overrule="A crowd")
    others = world.warband_of(
        bob, "Compagnie de la Reine", "cardinals-guard", [("officer", "Rochefort")]
    )
    campaign = world.campaign_of(world.club_of(alice, players=[bob]), alice, guards, haufen, others)
    page, clicks = phone("alice"), Clicks()
    battle = plan_and_field(page, campaign, clicks)
    clicks.so_far()
    enter_the_result(page, battle, clicks)
    page = phone("bob")
    page.goto("/")
    clicks.so_far()
    clicks(page.get_by_role("main").locator(f"a[href='/battles/{battle.pk}/']").first)
    clicks(page.get_by_role("button", name="Confirm for Der schwarze Haufen"))
    expect(page.get_by_text("Result confirmed.", exact=True)).to_be_visible()
    assert clicks.so_far() == 2, "confirming"
    assert named("Veit").fate == "dead"
