"""A roster built on one page: clicks counted on a desk and on a phone, and the same without
JavaScript."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Locator, Page, expect

from tests.conftest import PASSWORD
from tests.live import eventually
from warbands.models import Warband

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.one_database,
]

FEWER_THAN = 15
"""A legal roster of 300 points with named figures takes fewer clicks than this, including the
creation of the warband."""
DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
Tab = Callable[..., Page]


@pytest.fixture
def tab(browser: Browser, live_server: Any, bob: User) -> Iterator[Tab]:
    """Return a function that opens the page to create a warband, for Bob."""
    contexts = []

    def sign_in(**options: Any) -> Page:
        contexts.append(browser.new_context(base_url=live_server.url, **options))
        page = contexts[-1].new_page()
        page.goto("/accounts/login/?next=/warbands/")
        page.get_by_label("User name or e-mail address").fill("bob")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", name="Warbands", exact=True)).to_be_visible()
        return page

    yield sign_in
    for context in contexts:
        context.close()


class Clicks:
    """A counter of clicks, including clicks into fields to type."""

    def __init__(self) -> None:
        self.count = 0

    def click(self, what: Locator) -> None:
        self.count += 1
        what.click()

    def fill(self, field: Locator, text: str) -> None:
        self.count += 1
        field.fill(text)


def build(page: Page, name: str) -> tuple[int, Warband]:
    """Build a legal roster of 300 points with a Leader and names.

    Return the clicks and the warband.
    """
    hand = Clicks()
    hand.click(page.get_by_role("link", name="Create warband").first)
    # Style sheets that arrive late move what is clicked next.
    page.wait_for_load_state()
    hand.fill(page.get_by_label("Name", exact=True), name)
    hand.click(page.locator(".lists summary").first)
    hand.click(page.locator('input[value="en-garde/landsknechts"]'))
    hand.click(page.get_by_role("button", name="Create warband"))
    bar = page.locator("#builder-bar")
    hand.click(page.get_by_role("button", name="Add Oberst"))
    expect(bar).to_contain_text("1 fighter")
    for _ in range(2):
        hand.click(page.get_by_role("button", name="Add Doppelsoldner"))
    expect(bar).to_contain_text("3 fighters")
    hand.fill(page.get_by_label("Points limit"), "300")
    hand.click(page.get_by_role("button", name="Auto-fill"))
    expect(page.get_by_text("Added ")).to_be_visible()
    expect(bar).to_contain_text("300 of 300")
    # Auto-fill has named the Leader.
    expect(page.get_by_role("button", name=re.compile(r"^Leader\s+Oberst 1$"))).to_have_attribute(
        "aria-pressed", "true"
    )
    hand.click(page.get_by_role("button", name="Name unnamed fighters"))
    expect(bar.get_by_text("legal", exact=True)).to_be_visible()
    hand.click(bar.get_by_role("button", name="Save roster"))
    expect(page.get_by_text("added to the roster.")).to_be_visible()
    return hand.count, Warband.objects.get(name=name)


def test_a_legal_roster_of_300_points_takes_fewer_than_15_clicks(tab: Tab) -> None:
    for viewport in (DESK, PHONE):
        page = tab(viewport=viewport)
        clicks, warband = build(page, f"Der Haufen {viewport['width']}")
        assert clicks < FEWER_THAN
        rows = list(warband.fighters.all())
        assert warband.points == 300
        assert len({row.name for row in rows}) == len(rows) and not any(
            row.profile_name in row.name for row in rows
        )
        assert len(warband.state["posts"]["leader"]) == 1
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]


def test_a_change_whose_answer_is_lost_is_sent_again_and_counts_once(tab: Tab) -> None:
    page = tab(viewport=PHONE)
    page.get_by_role("link", name="Create warband").first.click()
    page.get_by_label("Name", exact=True).fill("Der Haufen")
    page.locator(".lists summary").first.click()
    page.locator('input[value="en-garde/landsknechts"]').check()
    page.get_by_role("button", name="Create warband").click()
    # Before its script is there a button sends the whole page.
    expect(page.get_by_role("button", name="Add Doppelsoldner")).to_be_visible()
    page.wait_for_load_state()
    bar, again = page.locator("#builder-bar"), page.get_by_role("button", name="Try again")

    def lose(route: Any) -> None:
        if route.request.method == "POST" and fates:
            if fates.pop() == "answer":
                route.fetch()
            route.abort()
        else:
            route.continue_()

    fates: list[str] = []
    page.route("**/build/", lose)
    for number, lost in enumerate(("change", "answer"), start=1):
        fates.append(lost)
        page.get_by_role("button", name="Add Doppelsoldner").click()
        expect(page.get_by_text("Your last change was not saved.")).to_be_visible()
        again.click()
        expect(bar).to_contain_text(f"{number} fighter")
        expect(again).to_be_hidden()


def test_a_roster_is_built_without_javascript(tab: Tab) -> None:
    page = tab(java_script_enabled=False, viewport=PHONE)
    clicks, warband = build(page, "Ohne Strom")
    assert (clicks < FEWER_THAN, warband.points) == (True, 300)
    page.goto(f"/warbands/{warband.pk}/build/")
    page.get_by_role("link", name="Equipment of all").first.click()
    page.get_by_role("group", name="Equipment of").get_by_role("radio").nth(1).check()
    page.get_by_role("button", name="Save equipment").click()
    page.get_by_role("button", name="Save roster", exact=True).click()
    eventually(lambda: Warband.objects.get(pk=warband.pk).points != 300)


MAX_TAPS = 15
"""Ten units by hand take no more taps than this on a phone, from the empty builder to the recorded
roster."""
ARMIES: dict[str, list[tuple[int, str, str]]] = {
    "argad/company": [
        (1, "Captain", ""),
        (1, "Rider", ""),
        (3, "Pikeman", "Pikes"),
        (3, "Musketeer", "Shot"),
        (2, "Villager", ""),
    ],
    "wards/army": [
        (1, "Cavalry", ""),
        (3, "General", ""),
        (2, "Retinue", "Van"),
        (2, "Household", "Main"),
        (2, "Levy", "Rear"),
    ],
    "avant-garde/france": [
        (1, "Commander-in-Chief", ""),
        (1, "Brigade commander", "1st Brigade"),
        (1, "Foot battery", "1st Brigade"),
        (3, "Line infantry", "1st Brigade"),
        (1, "Brigade commander", "The Horse"),
        (3, "Light cavalry", "The Horse"),
    ],
    "en-garde/landsknechts": [(1, "Oberst", ""), (3, "Doppelsoldner", ""), (6, "Landsknecht", "")],
}


@pytest.mark.parametrize("army", ARMIES)
def test_ten_units_by_hand_take_at_most_15_taps(tab: Tab, army: str) -> None:
    page, hand = tab(viewport=PHONE), Clicks()
    page.goto("/warbands/muster/")
    page.get_by_label("Name", exact=True).fill("The Ten")
    page.locator(".lists details").filter(has=page.locator(f'input[value="{army}"]')).locator(
        "summary"
    ).click()
    page.locator(f'input[value="{army}"]').check()
    page.get_by_role("button", name="Create warband").click()
    page.wait_for_load_state()
    bar, number, group, total = page.locator("#builder-bar"), 1, "", 0
    for count, name, belongs_to in ARMIES[army]:
        if count != number:
            hand.click(page.locator(f'label[for="many-{count}"]'))
        if belongs_to != group:
            hand.fill(page.locator("#into"), belongs_to)
        number, group, total = count, belongs_to, total + count
        hand.click(page.get_by_role("button", name=f"Add {name}", exact=True))
        expect(bar).to_contain_text(re.compile(rf"\b{total}\s"))
        # Nothing has gone back to its first value.
        expect(page.locator(f"#many-{count}")).to_be_checked()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    expect(bar).to_contain_text("legal")
    expect(bar).not_to_contain_text("not legal")
    hand.click(bar.get_by_role("button", name="Save roster"))
    expect(page.get_by_text("added to the roster.")).to_be_visible()
    assert Warband.objects.get(name="The Ten").fighters.count() == 10
    assert hand.count <= MAX_TAPS
