"""The theme is chosen on any page, kept by a cookie, and drawn by the server."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests.pages.conftest import Clients

pytestmark = pytest.mark.one_database

SHEETS = Path(settings.BASE_DIR) / "static" / "site" / "css"


def chosen(browser: Client) -> str:
    """Return the theme of the page's root element; "" for none. Check that its switch shows it."""
    body = browser.get(reverse("reference:rulesets")).content.decode()
    match = re.search(r'<html lang="[^"]*"(?: data-theme="(\w+)")?>', body)
    pressed = re.search(r'value="(\w*)"\s+aria-pressed="true"', body)
    assert match and pressed and (match[1] or "") == pressed[1]
    assert ('content="light dark"' in body) is not bool(match[1])
    return match[1] or ""


def test_a_theme_is_kept_and_given_up_again_and_leads_back(browsers: Clients) -> None:
    for browser in (browsers.nobody, browsers.bob):
        assert chosen(browser) == ""
        answer = browser.post(reverse("theme"), {"theme": "dark", "back": "/campaigns/?page=2"})
        assert (answer.status_code, answer["Location"]) == (302, "/campaigns/?page=2")
        assert answer.cookies["theme"]["httponly"] and answer.cookies["theme"]["samesite"] == "Lax"
        assert chosen(browser) == "dark"
        browser.post(reverse("theme"), {"theme": "light"})
        assert chosen(browser) == "light"
        browser.post(reverse("theme"), {"theme": ""})
        assert chosen(browser) == ""


def test_nothing_leads_away_and_no_word_gets_into_the_page(browsers: Clients) -> None:
    for back in (
        "https://elsewhere.example/",
        "//elsewhere.example/",
        "javascript:alert(1)",
        "",
        "words",
        "account",
    ):
        assert (
            browsers.nobody.post(reverse("theme"), {"theme": "dark", "back": back})["Location"]
            == "/"
        )
    browsers.nobody.post(reverse("theme"), {"theme": '"><script>'})
    assert chosen(browsers.nobody) == ""
    browsers.nobody.cookies["theme"] = "sepia"
    assert chosen(browsers.nobody) == ""


def test_it_takes_a_form_of_ours() -> None:
    assert (
        Client(enforce_csrf_checks=True).post(reverse("theme"), {"theme": "dark"}).status_code
        == 403
    )
    assert Client().get(reverse("theme")).status_code == 405


def test_only_tokens_read_theme_and_paper_is_light() -> None:
    assert [
        sheet.name for sheet in SHEETS.glob("*.css") if "prefers-color-scheme" in sheet.read_text()
    ] == []
    assert re.search(
        r":root\[data-theme\] \{\s+color-scheme: light;", (SHEETS / "print.css").read_text()
    )
