"""A browser forgets a member's pages when the session ends, and knows pages from before it by their
mark."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.conftest import PASSWORD, browser_of

pytestmark = pytest.mark.one_database


@pytest.fixture
def browser(alice: User) -> Client:
    """Return a browser in which Alice has signed in."""
    client = Client()
    client.post(reverse("account_login"), {"login": "alice", "password": PASSWORD})
    return client


def mark_of_page(browser: Client) -> str | None:
    """Return the mark of a page; None if it has none."""
    match = re.search(
        r'data-sign-in="([^"]*)"', browser.get(reverse("warbands:warbands")).content.decode()
    )
    return match and match[1]


def test_pages_of_member_carry_mark_of_sign_in(browser: Client) -> None:
    mark = browser.cookies["sign_in"]
    assert mark.value and mark_of_page(browser) == mark.value
    assert mark["samesite"] == "Lax" and not mark["httponly"]
    assert mark_of_page(Client()) is None


def test_sign_out_clears_what_browser_keeps(browser: Client) -> None:
    before = browser.cookies["sign_in"].value
    answer = browser.post(reverse("account_logout"))
    assert answer["Clear-Site-Data"] == '"cache"'
    assert browser.cookies["sign_in"].value not in ("", before)


def test_session_ended_elsewhere_clears_what_browser_keeps(browser: Client, alice: User) -> None:
    before = browser.cookies["sign_in"].value
    alice.set_password("another-1643")
    alice.save()
    answer = browser.get(reverse("home"))
    assert answer["Clear-Site-Data"] == '"cache"'
    assert browser.cookies["sign_in"].value != before
    assert "Clear-Site-Data" not in browser.get(reverse("home"))


def test_account_deletion_clears_what_browser_keeps(browser: Client) -> None:
    where = reverse("delete-account")
    browser.post(f"{reverse('account_reauthenticate')}?next={where}", {"password": PASSWORD})
    answer = browser.post(where, {"kept": "none", "username": "alice"})
    assert (answer.status_code, answer["Clear-Site-Data"]) == (302, '"cache"')


def test_member_who_stays_signed_in_keeps_everything(alice: User) -> None:
    browser = browser_of(alice)
    for name in ("home", "account", "warbands:warbands"):
        answer = browser.get(reverse(name))
        assert "Clear-Site-Data" not in answer and "sign_in" not in answer.cookies
