"""After signing out, "back" shows nothing of a member's pages, also in a browser that keeps whole
pages in memory."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Phone
from tests.live import launch
from tests.pages import world

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.one_database,
]

PROMPTLY = 20_000
"""Milliseconds for a page to appear."""
NOTE_WAY = (
    """addEventListener("pageshow", event => { window.cameFromMemory = event.persisted; });"""
)


@pytest.fixture
def browser(browser: Browser) -> Iterator[Browser]:
    """Yield a Chromium with the back/forward cache, as users have and Playwright does not."""
    keeping = launch(browser.browser_type, ignore_default_args=["--disable-back-forward-cache"])
    yield keeping
    keeping.close()


def go_back(page: Page, url: Any) -> None:
    """Press "back". Playwright's go_back() waits for an event that a cached page does not send."""
    session = page.context.new_cdp_session(page)
    history = session.send("Page.getNavigationHistory")
    before = history["entries"][history["currentIndex"] - 1]
    session.send("Page.navigateToHistoryEntry", {"entryId": before["id"]})
    page.wait_for_url(url, wait_until="commit", timeout=PROMPTLY)
    session.detach()


def sign_out(page: Page) -> None:
    """Sign out on its page."""
    page.goto("/accounts/logout/")
    page.locator("main").get_by_role("button", name="Sign out").click()
    page.wait_for_url(re.compile("/$"))
    go_back(page, "**/*")


def expect_sign_in(page: Page, address: str, *names: str) -> None:
    """Go back to that path, and expect the sign-in page in its place."""
    go_back(page, re.compile(rf"/accounts/login/\?next={address}$"))
    expect(page.get_by_label("Password")).to_be_visible()
    for name in names:
        assert name not in page.content()


def test_back_to_page_where_member_signed_out_leads_to_sign_in(phone: Phone, alice: User) -> None:
    """That page is put by after the browser was told to forget: the page itself must find out
    (back.js)."""
    own = world.guards(alice)
    page = phone("alice", at="/warbands/")
    page.wait_for_url("**/warbands/")
    page.add_init_script(NOTE_WAY)
    # Step 1: while Alice is signed in, "back" shows her page again, from memory.
    page.goto(f"/warbands/{own.pk}/")
    page.goto("/campaigns/")
    go_back(page, f"**/warbands/{own.pk}/")
    expect(page.get_by_role("heading", name=own.name).first).to_be_visible()
    assert page.evaluate("window.cameFromMemory")
    # Step 2: she signs out by the menu of this page, and goes back to it.
    page.locator(".who summary").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(re.compile("/$"))
    expect_sign_in(page, f"/warbands/{own.pk}/", own.name, "alice")


def test_browser_without_scripts_forgets_pages_at_sign_out(phone: Phone, alice: User) -> None:
    own = world.guards(alice)
    page = phone("alice", at=f"/warbands/{own.pk}/", java_script_enabled=False)
    expect(page.get_by_role("heading", name=own.name).first).to_be_visible()
    sign_out(page)
    expect_sign_in(page, f"/warbands/{own.pk}/", own.name, "alice")


def test_personal_data_is_not_kept_where_browser_does_not_forget(
    phone: Phone, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a plain http address browsers do not go by Clear-Site-Data: what is not stored cannot be
    shown."""
    monkeypatch.setattr("accounts.sign_ins.FORGET", "")
    page = phone("alice", at="/account/", java_script_enabled=False)
    expect(page.get_by_role("heading", name="alice")).to_be_visible()
    sign_out(page)
    expect_sign_in(page, "/account/", "alice")
