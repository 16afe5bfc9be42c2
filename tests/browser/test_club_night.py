"""A club night on a phone: pairings dragged about, and a result in at most 12 taps."""

import time
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from battles.models import Battle, BattleEvent
from campaigns.models import Fixture, TableGame
from clubs.models import Evening
from clubs.services.evenings import answer_evening
from clubs.services.members import add_guests
from leagues.services.club_night import draw_pairings, publish_pairings
from tests.browser.conftest import Phone
from tests.browser.hands import Hand
from tests.pages import world

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.one_database,
]

MOST_TAPS, MOST_SECONDS = 12, 60


@pytest.fixture
def evening(alice: User, bob: User) -> Evening:
    """Return tonight's club night of Alice, Bob and two guests; Alice and Bob have a fixture."""
    club = world.club_of(alice, players=[bob])
    campaign = world.campaign_of(club, alice, world.guards(alice), world.landsknechts(bob))
    world.paired(campaign, alice)
    start = timezone.now() - timedelta(hours=1)
    evening = world.evening_of(club, alice, starts_at=start, ends_at=start + timedelta(hours=5))
    for user in (alice, bob):
        answer_evening(evening_id=evening.pk, user=user, answer="coming")
    for guest in add_guests(club_id=club.pk, user=alice, names=["Greta", "Konrad"]):
        answer_evening(evening_id=evening.pk, user=alice, answer="coming", member_id=guest.pk)
    draw_pairings(evening_id=evening.pk, user=alice)
    return evening


def falls(page: Page, hand: Hand, name: str) -> None:
    """Enter that a fighter was hit critically, by nobody in particular: three taps."""
    hand.press(page.locator(".board").get_by_role("button", name=name).first)
    hand.press(page.locator(".board-results").get_by_role("button", name="Critical").first)
    nobody = page.locator(".board").get_by_role("button", name="Nobody or unknown")
    if nobody.is_visible():
        hand.press(nobody)


@pytest.mark.parametrize("has_fixture", [True, False])
def test_result_takes_twelve_taps(
    evening: Evening, phone: Phone, alice: User, has_fixture: bool
) -> None:
    if not has_fixture:
        Fixture.objects.all().delete()
    publish_pairings(evening_id=evening.pk, user=alice)
    page = phone("bob", at="/")
    hand = Hand(page)
    began = time.monotonic()
    hand.press(page.get_by_role("link", name="Pairings", exact=True))
    hand.press(page.get_by_role("link", name="Enter result").first)
    scores = page.locator("input[name^=score_]")
    # A field that is filled in counts as one tap.
    for field, points in zip(scores.all(), ("5", "2"), strict=True):
        hand.write(field, points)
        hand.pressed += 1
    falls(page, hand, "Cahusac")
    falls(page, hand, "Biscarat")
    hand.press(page.get_by_role("button", name="Submit result"))
    expect(page.locator("#messages")).to_contain_text("Result submitted.")
    assert hand.so_far() <= MOST_TAPS
    assert time.monotonic() - began < MOST_SECONDS
    battle = Battle.objects.get()
    assert battle.fixture == (Fixture.objects.get() if has_fixture else None)
    assert battle.state == "submitted"
    wounds = BattleEvent.objects.filter(battle=battle, kind="wound")
    assert wounds.count() == 2


def test_players_are_dragged_and_tapped_into_other_games(evening: Evening, phone: Phone) -> None:
    page = phone("alice", at=f"/evenings/{evening.pk}/pairings/", has_touch=True)

    def seats() -> list[Locator]:
        return page.locator("[data-seat]").all()

    def order() -> list[str]:
        return [seat.locator("b").first.inner_text() for seat in seats()]

    first, _, third, _ = before = order()
    here, target = (seats()[place].bounding_box() for place in (0, 2))
    assert here is not None and target is not None
    page.mouse.move(here["x"] + 20, here["y"] + 12)
    page.mouse.down()
    page.mouse.move(target["x"] + 20, target["y"] + 12, steps=6)
    page.mouse.up()
    expect(page.locator("[data-seat] b").first).to_have_text(third)
    assert order() == [third, before[1], first, before[3]]
    seats()[0].tap()
    seats()[2].tap()
    expect(page.locator("[data-seat] b").first).to_have_text(first)
    assert TableGame.objects.count() == 2


def test_finger_on_a_player_scrolls_and_swaps_nobody(evening: Evening, phone: Phone) -> None:
    address = f"/evenings/{evening.pk}/pairings/"
    page = phone("alice", at=address, has_touch=True)
    before = set(TableGame.objects.values_list("first", "second"))
    seat = page.locator("[data-seat]").first.bounding_box()
    assert seat is not None
    finger = page.context.new_cdp_session(page)
    x, y = seat["x"] + 60, seat["y"] + 15
    for step in range(16):
        finger.send(
            "Input.dispatchTouchEvent",
            {
                "type": "touchMove" if step else "touchStart",
                "touchPoints": [{"x": x, "y": y - 12 * step}],
            },
        )
        page.wait_for_timeout(15)
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert page.evaluate("scrollY") > 100
    expect(page.locator(".seat.chosen")).to_have_count(0)
    assert page.url.endswith(address)
    assert set(TableGame.objects.values_list("first", "second")) == before
