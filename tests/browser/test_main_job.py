"""The main job, by clicking through: a club, two warbands, a campaign, a battle, a rank-up, a PDF
asked for."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect

from documents.models import Document
from tests.conftest import PASSWORD
from tests.live import eventually
from tests.pages import world
from tests.pages.world import named
from warbands.models import Warband

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.one_database,
]

Tab = Callable[..., Page]
WIDTHS = (320, 390, 768, 1280)
"""Pixels of phones, tablets and desks."""


@pytest.fixture
def tab(browser: Browser, live_server: Any) -> Iterator[Tab]:
    """Return a function that opens further tabs, each for another user."""
    contexts = []

    def new_tab(**options: Any) -> Page:
        contexts.append(browser.new_context(base_url=live_server.url, **options))
        return contexts[-1].new_page()

    yield new_tab
    for context in contexts:
        context.close()


def sign_up(page: Page, name: str, button: str = "Create account") -> None:
    page.get_by_label("User name").fill(name)
    page.get_by_label("E-mail address").fill(f"{name}@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Repeat password").fill(PASSWORD)
    page.get_by_role("button", name=button).click()


def main_link(page: Page, name: str) -> None:
    page.get_by_role("navigation", name="Main").get_by_role("link", name=name).click()


def muster(page: Page, name: str, faction: str) -> None:
    main_link(page, "Warbands")
    page.get_by_role("link", name="Create warband").first.click()
    page.get_by_label("Name").fill(name)
    page.locator(".lists summary").first.click()
    page.get_by_label(re.compile(f"^{faction}")).check()
    page.get_by_role("button", name="Create warband").click()


def recruit(page: Page, profile: str, *names: str) -> None:
    page.get_by_role("link", name=profile, exact=True).click()
    for name in names:
        page.get_by_label("Name (optional)").fill(name)
        page.get_by_role("button", name="Add fighter", exact=True).click()
        expect(page.get_by_text("1 fighter added.")).to_be_visible()
    page.get_by_role("link", name="Back to roster").click()


def appoint(page: Page, warband: str, leader: str) -> None:
    page.get_by_role("link", name=warband).first.click()
    page.get_by_role("link", name="Warband roles", exact=True).click()
    page.get_by_label("Leader").select_option(label=leader)
    page.get_by_role("button", name="Save roles").click()


def enrol(page: Page, campaign: str, warband: str) -> None:
    main_link(page, "Campaigns")
    page.get_by_role("link", name=campaign).click()
    page.get_by_role("link", name="Enter warband").first.click()
    page.get_by_label("Warband", exact=True).select_option(label=warband)
    page.get_by_role("button", name="Enter warband").click()
    expect(page.get_by_role("link", name=warband.partition(",")[0])).to_be_visible()


def choose_sides(page: Page, own: str, opponent: str) -> None:
    """Choose both sides of a one-off battle: their own from a list, the opponent by one tap."""
    sides = page.get_by_role("group", name="Sides")
    sides.get_by_role("combobox").select_option(label=own)
    sides.get_by_role("radio", name=opponent).check()


def field_all(page: Page) -> None:
    page.get_by_role("link", name=re.compile("^Choose line-up")).first.click()
    expect(page.get_by_role("heading", name="Choose line-up")).to_be_visible()
    page.wait_for_load_state()
    boxes = page.get_by_role("group", name="Fighters").get_by_role("checkbox")
    expect(page.locator("#tally")).to_contain_text(f"{boxes.count()} fighters")
    page.get_by_role("button", name="Save line-up").click()


def begin(page: Page) -> None:
    page.get_by_text("Start battle").click()
    page.get_by_role("button", name="Enter result").click()


def hit(page: Page, row: int, attacker: str, victim: str, result: str) -> None:
    group = page.get_by_role("group", name=f"Wound {row}", exact=True)
    group.get_by_label("Victim").select_option(label=victim)
    group.get_by_label("Result").select_option(label=result)
    group.get_by_label("Attacker").select_option(label=attacker)


def found_a_club(alice: Page, bob: Page) -> None:
    """Create a club as Alice, and let Bob join by her link."""
    alice.goto("/")
    alice.get_by_role("link", name="Create account").first.click()
    sign_up(alice, "alice")
    alice.get_by_role("link", name="Create club").click()
    alice.get_by_label("Name", exact=True).fill("The Friday Swords")
    alice.get_by_role("button", name="Create club").click()
    alice.get_by_role("link", name="Invite").first.click()
    alice.get_by_role("button", name="Create link").click()
    bob.goto(alice.get_by_label("Link", exact=True).input_value())
    sign_up(bob, "bob", "Create account and join")
    expect(bob.get_by_text("Welcome to The Friday Swords.")).to_be_visible()


def build_warbands(alice: Page, bob: Page) -> None:
    """Build one warband each, with a Leader."""
    muster(alice, "Compagnie du Cardinal", "The Cardinal's Guard")
    recruit(alice, "Officer", "Jussac")
    recruit(alice, "Ruffian", "Le Rat", "Gros Pierre")
    appoint(alice, "Compagnie du Cardinal", "Jussac, Officer")
    muster(bob, "Der schwarze Haufen", "Landsknechts")
    recruit(bob, "Landsknecht", "Jörg", "Veit")
    appoint(bob, "Der schwarze Haufen", "Jörg, Landsknecht")


def run_a_campaign(alice: Page, bob: Page) -> None:
    """Create a campaign as Alice, enter both warbands, and start it."""
    main_link(alice, "Clubs")
    alice.get_by_role("link", name="The Friday Swords").click()
    alice.get_by_role("link", name="Create campaign").first.click()
    alice.get_by_label("Name", exact=True).fill("The Long Summer")
    alice.get_by_role("button", name="Create campaign").click()
    enrol(alice, "The Long Summer", "Compagnie du Cardinal, 26 points")
    enrol(bob, "The Long Summer", "Der schwarze Haufen, 30 points")
    main_link(alice, "Campaigns")
    alice.get_by_role("link", name="The Long Summer").click()
    alice.get_by_role("button", name="Start campaign").click()
    expect(alice.get_by_text("Campaign started. Next: plan a battle.")).to_be_visible()


def fight(alice: Page, bob: Page) -> None:
    """Plan a battle, choose line-ups and log it as Alice, and confirm it as Bob."""
    alice.get_by_role("link", name="Plan battle").click()
    expect(alice.get_by_role("heading", name="Skirmish")).to_be_visible()
    alice.get_by_label("Name (optional)").fill("The old mill")
    alice.get_by_role("button", name="Plan battle").click()
    field_all(alice)
    field_all(alice)
    begin(alice)
    alice.get_by_role("button", name="Use a list instead").click()
    hit(alice, 1, "Le Rat", "Jörg", "Light")
    hit(alice, 2, "Le Rat", "Veit", "Critical")
    alice.get_by_role("button", name="Save and check result").click()
    expect(alice.get_by_role("heading", name="Check result")).to_be_visible()
    expect(alice.get_by_role("row", name="Veit Rank 2")).to_contain_text("† dead")
    alice.get_by_role("button", name="Submit result").click()
    bob.goto("/")
    bob.get_by_role("link", name="The old mill").click()
    bob.get_by_role("button", name="Confirm for Der schwarze Haufen").click()
    expect(bob.get_by_text("Result confirmed.", exact=True)).to_be_visible()


def rise_and_print(alice: Page) -> None:
    """Rank a Ruffian up to Guard, and print his career as a PDF."""
    main_link(alice, "Warbands")
    alice.get_by_role("link", name="Compagnie du Cardinal").click()
    alice.get_by_role("link", name="Can rank up").click()
    alice.get_by_role("button", name=re.compile("^Rank-up: Guard for 3")).click()
    expect(alice.get_by_text("Le Rat is now Rank 2.")).to_be_visible()
    alice.get_by_role("link", name="Career as PDF").click()
    alice.get_by_role("button", name="Create PDF").click()
    expect(alice.get_by_text("Waiting in the queue")).to_be_visible()


def test_the_main_job_by_clicking_through(page: Page, tab: Tab) -> None:
    bob = tab(viewport={"width": 390, "height": 800})
    found_a_club(page, bob)
    build_warbands(page, bob)
    run_a_campaign(page, bob)
    fight(page, bob)
    rise_and_print(page)
    assert (named("Le Rat").rank, named("Veit").fate) == (2, "dead")
    assert Document.objects.get(kind="career").state == "queued"


def test_the_price_follows_the_choices_at_once(page: Page) -> None:
    page.goto("/accounts/signup/")
    sign_up(page, "alice")
    muster(page, "Die Neuen", "Landsknechts")
    page.get_by_role("link", name="Doppelsoldner", exact=True).click()
    look = page.locator("#look")
    expect(look).to_contain_text("22")
    page.get_by_role("radio", name="Halberd").check()
    expect(look.get_by_role("row", name="Points")).to_contain_text("23")
    page.get_by_text("Attributes").first.click()
    page.get_by_label("Fearless").check()
    expect(look.get_by_role("row", name="Points")).to_contain_text("26")
    assert not Warband.objects.get().fighters.exists()


def test_roster_and_log_work_without_javascript(tab: Tab) -> None:
    page = tab(java_script_enabled=False)
    page.goto("/accounts/signup/")
    sign_up(page, "alice")
    for name in ("One", "Other"):
        muster(page, name, "Landsknechts")
        page.get_by_role("link", name="Doppelsoldner", exact=True).click()
        page.get_by_role("radio", name="Halberd").check()
        page.get_by_role("button", name="Show points").click()
        expect(page.locator("#look").get_by_role("row", name="Points")).to_contain_text("23")
        expect(page.get_by_role("radio", name="Halberd")).to_be_checked()
        page.get_by_label("Name (optional)").fill(f"{name} man")
        page.get_by_role("button", name="Add fighter", exact=True).click()
    page.goto("/battles/plan/?scenario=skirmish")
    choose_sides(page, "One, 23 points", "Other, 23 points")
    page.get_by_role("button", name="Plan battle").click()
    for _ in range(2):
        page.get_by_role("link", name=re.compile("^Choose line-up")).first.click()
        expect(page.get_by_role("group", name="Fighters").get_by_role("checkbox")).to_be_checked()
        page.get_by_label("Leader").select_option(index=1)
        page.get_by_role("button", name="Save line-up").click()
    begin(page)
    hit(page, 1, "One man", "Other man", "Light")
    page.get_by_role("button", name="Add rows").first.click()
    expect(page.get_by_role("group", name="Wound 6", exact=True)).to_be_visible()
    hit(page, 6, "Other man", "One man", "Critical")
    page.get_by_role("button", name="Save and check result").click()
    page.get_by_role("button", name="Submit result").click()
    # Whoever plays all sides confirms at once.
    eventually(lambda: named("One man").fate == "dead")


def test_no_page_is_wider_than_the_screen(tab: Tab) -> None:
    page = tab(viewport={"width": WIDTHS[0], "height": 800})
    page.goto("/accounts/signup/")
    sign_up(page, "alice")
    muster(
        page,
        "Ein sehr langer Name für einen Haufen, der nirgends hineinpassen will",
        "Landsknechts",
    )
    recruit(
        page, "Oberst", "Wilhelm-Maximilian-Ferdinand-von-und-zu-Hohenlandsbergstein-Waldenburg"
    )
    warband = Warband.objects.get()
    addresses = (
        "/", "/account/", "/clubs/", "/clubs/found/", "/campaigns/", "/warbands/", "/warbands/muster/", "/battles/",
        "/battles/plan/", "/documents/", f"/warbands/{warband.pk}/", f"/warbands/{warband.pk}/?view=list",
        f"/warbands/{warband.pk}/build/", f"/warbands/{warband.pk}/recruit/landsknechts/oberst/",
        f"/warbands/{warband.pk}/chronicle/", f"/fighters/{warband.fighters.get().pk}/",
    )  # fmt: skip
    for address in addresses:
        page.goto(address)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            screen, wide = page.evaluate(
                "[window.innerWidth, document.documentElement.scrollWidth]"
            )
            assert screen == width
            assert wide <= width, f"{address} is {wide} pixels wide on a screen of {width}"


def test_the_keyboard_reaches_the_content_first_and_focus_shows(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    focused = page.locator(":focus")
    expect(focused).to_have_text("Skip to the content")
    expect(focused).to_be_in_viewport()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"


def test_more_rows_come_at_once_and_keep_what_was_typed(tab: Tab, alice: User) -> None:
    battle = world.begun_battle(alice, None, world.guards(alice), world.landsknechts(alice))
    page = tab()
    page.goto(f"/accounts/login/?next=/battles/{battle.pk}/log/")
    page.get_by_label("User name or e-mail address").fill("alice")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Use a list instead").click()
    hit(page, 1, "Jussac", "Hans", "Light")
    page.get_by_role("button", name="Add rows").first.click()
    expect(page.get_by_role("group", name="Wound 6", exact=True)).to_be_visible()
    first = page.get_by_role("group", name="Wound 1", exact=True)
    expect(first.get_by_label("Result").locator("option:checked")).to_have_text("Light")
