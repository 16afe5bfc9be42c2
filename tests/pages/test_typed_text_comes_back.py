"""A form that was sent by somebody who is signed out, or with a token too old, comes back with what
was typed."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from campaigns.models import JournalEntry
from clubs.models import Club
from core import typed_text
from core.fill_in import fill_in
from tests.conftest import PASSWORD, browser_of
from tests.pages import world

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

FOUND = "/clubs/found/"
STORY = 'A <b>long</b> story & "more"\nin two lines'


def hidden(html: str, name: str) -> str:
    match = re.search(rf'name="{name}" value="([^"]*)"', html)
    assert match is not None, name
    return match[1]


def form_of(browser: Client, page: str) -> dict[str, str]:
    html = browser.get(page).content.decode()
    return {
        "form_key": hidden(html, "form_key"),
        "csrfmiddlewaretoken": hidden(html, "csrfmiddlewaretoken"),
    }


def send(browser: Client, page: str, fields: dict[str, Any], to: str = "") -> Any:
    return browser.post(to or page, fields, headers={"Referer": f"http://testserver{page}"})


def end_session(browser: Client) -> None:
    del browser.cookies["sessionid"]


def sign_in(browser: Client, user: User, **more: str) -> Any:
    return browser.post("/accounts/login/", {"login": user.username, "password": PASSWORD, **more})


@pytest.fixture
def browser(alice: User) -> Client:
    return browser_of(alice)


def test_form_comes_back_after_signing_in_again(browser: Client, alice: User) -> None:
    fields = {"name": "Swords", "story": STORY, "visibility": "public", **form_of(browser, FOUND)}
    end_session(browser)
    away = send(browser, FOUND, fields)
    assert away.headers["Location"] == f"/accounts/login/?next={FOUND}"
    login = browser.get(away.headers["Location"]).content.decode()
    assert "this was not saved" in login and "long" not in login
    back = sign_in(browser, alice, next=FOUND)
    assert back.headers["Location"] == FOUND and not Club.objects.exists()
    page = browser.get(FOUND)
    html = page.content.decode()
    assert "Your entries have not been saved yet" in html
    assert (
        'value="Swords"' in html
        and "A &lt;b&gt;long&lt;/b&gt; story &amp; &quot;more&quot;\nin two lines" in html
    )
    assert re.search(r'<input[^>]*value="public"[^>]* checked', html)
    assert not re.search(r'<input[^>]*value="private"[^>]* checked', html)
    sent = {
        "name": "Swords",
        "story": STORY,
        "visibility": "public",
        "form_key": hidden(html, "form_key"),
    }
    assert send(browser, FOUND, sent).status_code == 302 and Club.objects.get().name == "Swords"
    assert "Your entries" not in browser.get(FOUND).content.decode()


def test_typed_text_expires_after_an_hour(
    browser: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields = {"name": "Swords", **form_of(browser, FOUND)}
    end_session(browser)
    send(browser, FOUND, fields)
    sign_in(browser, alice)
    now = typed_text.time.time()
    monkeypatch.setattr(typed_text.time, "time", lambda: now + typed_text.SECONDS + 1)
    assert "Swords" not in browser.get(FOUND).content.decode()
    assert not Club.objects.exists()
    assert "typed" not in browser.session


def test_another_account_sees_nothing_and_ends_it(browser: Client, alice: User, bob: User) -> None:
    fields = {"name": "Secret Swords", **form_of(browser, FOUND)}
    end_session(browser)
    send(browser, FOUND, fields)
    sign_in(browser, bob)
    assert "Secret Swords" not in browser.get(FOUND).content.decode()
    assert "typed" not in browser.session
    browser.post("/accounts/logout/")
    sign_in(browser, alice)
    assert "Secret Swords" not in browser.get(FOUND).content.decode()


def test_form_whose_author_cannot_be_proved_is_not_kept(browser: Client, alice: User) -> None:
    own = form_of(browser, FOUND)
    end_session(browser)
    for key in ("", "nonsense", own["form_key"].replace(f"{alice.pk}.", f"{alice.pk + 1}.", 1)):
        send(browser, FOUND, {"name": "Swords", "form_key": key})
        assert "typed" not in browser.session
    assert "so this was not saved." in browser.get("/accounts/login/").content.decode()


def test_too_much_text_is_not_kept_and_says_so(browser: Client) -> None:
    fields = {
        "name": "Swords",
        "story": "x" * (typed_text.MAX_LETTERS + 1),
        **form_of(browser, FOUND),
    }
    end_session(browser)
    send(browser, FOUND, fields)
    assert "typed" not in browser.session
    assert "so this was not saved." in browser.get("/accounts/login/").content.decode()


def test_five_forms_are_kept_at_most_and_no_password(browser: Client) -> None:
    own = form_of(browser, FOUND)
    end_session(browser)
    for place in range(7):
        page = f"/clubs/found/?from={place}" if place == 6 else f"/warbands/{place}/"
        send(
            browser,
            page,
            {"name": str(place), "password1": "hidden", "secret": "hidden", **own},
            to=FOUND,
        )
    kept = browser.session["typed"]
    assert len(kept) == 5 and FOUND in kept
    assert [name for name, _ in kept[FOUND]["fields"]] == ["name"]


def test_form_of_another_page_is_found_by_where_it_is_sent(
    browser: Client, alice: User, bob: User
) -> None:
    club = world.club_of(alice, players=[bob])
    page, to = f"/clubs/{club.pk}/", f"/clubs/{club.pk}/guests/"
    fields = {"name": "Gaston", **form_of(browser, to)}
    end_session(browser)
    assert (
        send(browser, page, fields, to=to).headers["Location"].endswith(f"?next=/clubs/{club.pk}/")
    )
    sign_in(browser, alice)
    html = browser.get(page).content.decode()
    assert "Gaston" in html, "in the form, or to be copied where it is not on the page"


def test_old_token_shows_a_page_that_keeps_what_was_typed(alice: User, bob: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(alice)
    fields = {"name": "Swords", **form_of(browser, FOUND)}
    # In another tab the same account signs in again: the token of this page is worthless by then.
    browser.cookies.clear()
    browser.force_login(alice)
    browser.get("/clubs/")
    refused = send(browser, FOUND, fields)
    html = refused.content.decode()
    assert refused.status_code == 403 and f'href="{FOUND}"' in html and "Your text is kept" in html
    assert 'value="Swords"' in browser.get(FOUND).content.decode() and not Club.objects.exists()
    browser.cookies.clear()
    browser.force_login(bob)
    browser.get("/clubs/")
    html = send(browser, FOUND, fields).content.decode()
    assert "Your text is kept" not in html and "typed" not in browser.session


def test_journal_of_a_campaign_comes_back(browser: Client, alice: User, bob: User) -> None:
    club = world.club_of(alice, players=[bob])
    campaign = world.campaign_of(club, alice, world.guards(alice), world.landsknechts(bob))
    page = f"/campaigns/{campaign.pk}/journal/"
    fields = {"text": STORY, **form_of(browser, page)}
    end_session(browser)
    send(browser, page, fields)
    sign_in(browser, alice)
    assert (
        "A &lt;b&gt;long" in browser.get(page).content.decode()
        and not JournalEntry.objects.exists()
    )


PAGE = """<main><form method="post" action="/a/"><input type="hidden" name="row" value="1">
<input name="name" value="old"><input type="password" name="word"><button>Send</button></form>
<form method="post" action="/a/" id="second"><input type="hidden" name="row" value="2"><input name="name">
<input type="checkbox" name="tick" value="a" checked><input type="checkbox" name="tick" value="b">
<select name="kind"><option value="x" selected>X</option><option value="y">Y</option></select>
<textarea name="text">before</textarea><input type="file" name="file"></form>
<input name="away" form="second"><form action="/a/"><input name="name"></form></main>"""


def test_form_that_is_most_alike_is_filled_in() -> None:
    sent = {
        "row": ["2"],
        "name": ['a "b"'],
        "tick": ["b"],
        "kind": ["y"],
        "text": ["<t>"],
        "away": ["far"],
        "x": ["lost"],
    }
    filled = fill_in(PAGE, "/page/", "/a/", sent)
    assert filled.matched and filled.files and filled.left == ("lost",)
    assert filled.page[filled.place :].startswith('<form method="post" action="/a/" id="second">')
    assert (
        '<input name="name" value="a &quot;b&quot;">' in filled.page
        and 'value="old"' in filled.page
    )
    assert 'value="a"><input type="checkbox" name="tick" value="b" checked>' in filled.page
    assert '<option value="x">X</option><option value="y" selected>' in filled.page
    assert (
        "&lt;t&gt;</textarea>" in filled.page
        and '<input name="away" form="second" value="far">' in filled.page
    )


def test_text_without_its_form_is_shown_to_be_copied() -> None:
    filled = fill_in(PAGE, "/page/", "/gone/", {"text": ["A story"], "number": ["12"]})
    assert (filled.matched, filled.page, filled.left) == (False, PAGE, ("A story",))
    assert filled.page[: filled.place] == "<main>"
