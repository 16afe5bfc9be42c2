"""Jobs away from the live log, on a phone: what a tap changes on the page that stays open."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from campaigns.models import Campaign
from core.users import Visibility
from tests.browser.conftest import Phone
from tests.pages import world

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.one_database,
]


def test_answer_to_a_club_night_leaves_nothing_to_do(phone: Phone, alice: User) -> None:
    world.evening_of(world.club_of(alice), alice)
    page = phone("alice", at="/")
    waiting, tasks = page.locator("#waiting"), page.locator("#to-do")
    expect(waiting).to_contain_text("1")
    expect(tasks).to_contain_text("Answer whether you are going")
    page.get_by_role("button", name="Maybe").click()
    expect(page.get_by_role("button", name="Maybe")).to_have_attribute("aria-pressed", "true")
    expect(tasks).to_contain_text("all caught up")
    expect(tasks).not_to_contain_text("Answer whether")
    expect(waiting).to_be_empty()


def test_casualty_of_a_fixture_is_tapped_by_name(phone: Phone, alice: User, bob: User) -> None:
    club = world.club_of(alice, players=[bob])
    campaign = world.campaign_of(club, alice, world.guards(alice), world.landsknechts(bob))
    fixture = world.paired(campaign, alice).fixtures.get()
    page = phone("alice", at=f"/fixtures/{fixture.pk}/result/")
    board = page.locator("#board")
    board.locator("[data-fighter]").first.click()
    board.get_by_role("button", name="Critical").click()
    board.get_by_role("button", name="Nobody or unknown").click()
    expect(board.locator(".board-told li")).to_have_count(1)
    page.get_by_role("spinbutton", name="Compagnie du Cardinal").fill("2")
    page.get_by_role("spinbutton", name="Der schwarze Haufen").fill("5")
    page.get_by_role("button", name="Submit result").click()
    expect(page.get_by_text("Result submitted.")).to_be_visible()


def test_name_of_a_campaign_is_kept_when_another_game_is_chosen(phone: Phone, alice: User) -> None:
    page = phone("alice", at=f"/clubs/{world.club_of(alice).pk}/plan/")
    page.get_by_label("Name", exact=True).fill("The Border Feud")
    page.get_by_role("link", name="Wards").click()
    page.wait_for_url("**ruleset=wards**")
    expect(page.get_by_label("Name", exact=True)).to_have_value("The Border Feud")


def test_a_public_page_is_shared_or_its_link_copied(phone: Phone, alice: User, bob: User) -> None:
    club = world.club_of(alice, players=[bob])
    campaign = world.campaign_of(club, alice, world.guards(alice), world.landsknechts(bob))
    page = phone("alice", at=f"/campaigns/{campaign.pk}/")
    expect(page.get_by_role("button", name="Share")).to_have_count(0)
    Campaign.objects.filter(pk=campaign.pk).update(visibility=Visibility.PUBLIC)
    page.reload()
    address = page.url
    # No share sheet: the link is copied.
    page.evaluate("navigator.share = undefined")
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_text("Link copied.")).to_be_visible()
    page.evaluate("navigator.share = (sent) => { window.sent = sent; return Promise.resolve(); }")
    page.get_by_role("button", name="Share").click()
    assert page.evaluate("window.sent.url") == address
