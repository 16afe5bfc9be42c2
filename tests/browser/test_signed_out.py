"""After signing out, "back" shows nothing of a member's pages, also in a browser that keeps whole pages in memory."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Phone
from tests.live import launch
from tests.pages import world

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.one_database]

PROMPTLY = 20_000
"""Milliseconds for a page to appear."""
NOTE_WAY = """addEventListener("pageshow", event => { window.cameFromMemory = event.persisted; });"""


@pytest.fixture
def browser(browser: Browser) -> Iterator[Browser]:
    """A Chromium that keeps the pages that were left in memory, as people's browsers do and Playwright's does not."""
    keeping = launch(browser.browser_type, ignore_default_args=["--disable-back-forward-cache"])
    yield keeping
    keeping.close()


def go_back(page: Page, url: Any) -> None:
    """Press "back". Playwright's own go_back() waits for an event that a page from memory does not send."""
    session = page.context.new_cdp_session(page)
    history = session.send("Page.getNavigationHistory")
    before = history["entries"][history["currentIndex"] - 1]
    session.send("Page.navigateToHistoryEntry", {"entryId": before["id"]})
    page.wait_for_url(url, wait_until="commit", timeout=PROMPTLY)
    session.detach()


def sign_out(page: Page) -> None:
    """Sign out on the page for it, which an address or a menu leads to."""
    page.goto("/accounts/logout/")
    page.locator("main").get_by_role("button", name="Sign out").click()
    page.wait_for_url(re.compile("/$"))


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_back_after_sign_out_leads_to_sign_in(phone: Phone, alice: User, scripts: bool) -> None:
    own = world.guards(alice)
    page = phone("alice", at="/account/", java_script_enabled=scripts)
    page.wait_for_url("**/account/")
    if scripts:
        page.add_init_script(NOTE_WAY)
    # Step 1: while Alice is signed in, "back" shows her page again, with scripts from memory.
    page.goto(f"/warbands/{own.pk}/")
    page.goto("/campaigns/")
    go_back(page, f"**/warbands/{own.pk}/")
    expect(page.get_by_role("heading", name=own.name).first).to_be_visible()
    if scripts:
        assert page.evaluate("window.cameFromMemory")
    # Step 2: signed out, she goes back past the page on which she did so.
    sign_out(page)
    go_back(page, "**/*")
    # Step 3: neither the page that may be kept nor the one with personal data is shown.
    for address in (f"/warbands/{own.pk}/", "/account/"):
        go_back(page, re.compile(rf"/accounts/login/\?next={address}"))
        expect(page.get_by_label("Password")).to_be_visible()
        assert own.name not in page.content() and "alice" not in page.content()
