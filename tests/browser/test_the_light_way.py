"""The light way on a phone: three taps for a casualty and one for a turn, with and without a script
or a network."""

import os
import re
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Locator, Page, expect

from battles.models import Battle, BattleEvent
from campaigns.models import Campaign
from scripts.screenshots.looking import look
from tests.browser.conftest import PHONE, Phone
from tests.browser.hands import Hand
from tests.pages import world
from tests.pages.world import named

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.one_database,
]

PICTURES = os.environ.get("MUSTER_PICTURES", "")


@pytest.fixture
def battle(alice: User, bob: User) -> Battle:
    """Return a battle in progress: Alice's guards against Bob's Landsknechts."""
    guards, haufen = world.guards(alice), world.landsknechts(bob)
    campaign: Campaign = world.campaign_of(
        world.club_of(alice, players=[bob]), alice, guards, haufen
    )
    return world.begun_battle(alice, campaign, guards, haufen)


def settled(page: Page) -> None:
    expect(page.locator("body[aria-busy]")).to_have_count(0)
    page.wait_for_load_state()


def victim(page: Page, name: str) -> Locator:
    return page.locator(".of-victim .casualty-name").filter(has_text=re.compile(rf"^\s*{name}\b"))


def result(page: Page, name: str) -> Locator:
    return page.locator(".of-result .casualty-name").filter(has_text=re.compile(rf"^\s*{name}\s*$"))


def attacker(page: Page, name: str) -> Locator:
    return page.locator(".of-by").get_by_role("button", name=name, exact=True)


def casualty(page: Page, hand: Hand, whom: str, what: str, by: str = "") -> None:
    """Log a casualty by three taps, or by two if nobody is credited."""
    settled(page)
    hand.press(victim(page, whom))
    hand.press(result(page, what))
    if by:
        hand.press(attacker(page, by))
    expect(page.locator(".told .headline")).to_contain_text(whom)
    settled(page)


def begin(page: Page, hand: Hand, number: int) -> None:
    hand.press(page.locator("#do-light-turn"))
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"Turn {number}")
    settled(page)


def looked_at(page: Page, name: str) -> None:
    """Check the page in both themes and at every size; save pictures if a folder is named."""
    folder = Path(PICTURES) if PICTURES else None
    page.evaluate("scrollTo(0, 0)")
    assert not look(page, name, folder)
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme=None, reduced_motion=None)


def test_casualty_takes_three_taps_and_a_turn_one(table_phone: Phone, battle: Battle) -> None:
    page = table_phone("alice")
    hand = Hand(page)
    looked_at(page, "light-before")
    begin(page, hand, 1)
    assert hand.so_far() == 1
    looked_at(page, "light-victim")
    casualty(page, hand, "Hans", "Light", "Jussac")
    assert hand.so_far() == 3
    expect(page.locator(".told .headline")).to_contain_text("Jussac struck Hans: a Light wound")
    casualty(page, hand, "Veit", "Left the table")
    assert hand.so_far() == 2
    begin(page, hand, 2)
    assert hand.so_far() == 1
    casualty(page, hand, "Hans", "Critical", "Jussac")
    kinds = [
        (event.kind, event.turn)
        for event in BattleEvent.objects.filter(battle=battle).order_by("sequence")
    ]
    assert [kind for kind, _ in kinds] == ["turn", "wound", "left", "turn", "wound"] and kinds[-1][
        1
    ] == 2
    expect(victim(page, "Hans")).to_have_count(0)
    page.get_by_role("button", name=re.compile("^Undo")).click()
    expect(page.get_by_text("Entry undone. The log still shows it.")).to_be_visible()
    expect(victim(page, "Hans")).to_have_count(1)
    victim(page, "Hans").click()
    looked_at(page, "light-result")
    result(page, "Grievous").click()
    looked_at(page, "light-by")


def test_light_way_needs_no_javascript(table_phone: Phone, battle: Battle) -> None:
    page = table_phone("alice", java_script_enabled=False)
    hand = Hand(page)
    begin(page, hand, 1)
    casualty(page, hand, "Hans", "Light", "Jussac")
    assert hand.so_far() == 4
    assert battle.events.get(kind="wound").data["attacker"] == str(named("Jussac").pk)


def test_other_phone_sees_it_and_a_half_tapped_casualty_stays(
    table_phone: Phone, battle: Battle
) -> None:
    alice, bob = table_phone("alice"), table_phone("bob")
    begin(alice, Hand(alice), 1)
    expect(bob.locator(".casualty")).to_be_visible()
    victim(bob, "Jussac").click()
    result(bob, "Stunned").click()
    casualty(alice, Hand(alice), "Hans", "Light", "Jussac")
    expect(bob.locator("#gone-on")).to_contain_text("Jussac struck Hans")
    attacker(bob, "Hans").click()
    expect(bob.locator(".told .headline")).to_contain_text("Hans struck Jussac: Stunned")
    assert battle.events.filter(kind="wound").count() == 2


def test_casualty_waits_without_a_network(table_phone: Phone, battle: Battle) -> None:
    page = table_phone("alice")
    begin(page, Hand(page), 1)
    page.context.set_offline(True)
    victim(page, "Hans").click()
    result(page, "Light").click()
    attacker(page, "Jussac").click()
    expect(page.locator("#unsent")).to_contain_text("1 entry not sent yet")
    assert not battle.events.filter(kind="wound").exists()
    page.context.set_offline(False)
    expect(page.locator(".told .headline")).to_contain_text("Jussac struck Hans: a Light wound")
    assert battle.events.get(kind="wound").data["attacker"] == str(named("Jussac").pk)


def test_keyboard_goes_through_the_three_steps(table_phone: Phone, battle: Battle) -> None:
    page = table_phone("alice")
    begin(page, Hand(page), 1)
    page.locator(".of-victim input").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".of-victim input:visible")).to_have_count(8)
    page.locator(".of-result input").first.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".of-by")).to_be_visible()
    page.locator(".of-by .casualty-sides button").last.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".told .headline")).to_contain_text("struck")
    assert battle.events.filter(kind="wound").count() == 1
