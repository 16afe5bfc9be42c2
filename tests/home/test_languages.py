"""Pages and letters use the language of the reader: chosen, from a cookie, or the browser's."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from battles.models import Battle
from home.models import Preferences
from home.services.letters import write_digest
from home.services.preferences import prefer
from tests.conftest import PASSWORD
from tests.home.conftest import confirmed_address
from tests.pages.conftest import Clients

pytestmark = pytest.mark.one_database

GERMAN = {"Accept-Language": "de-AT,en;q=0.5"}
FIRST_PAGE = "/campaigns/"
SAID = {"en-gb": "Muster runs campaigns", "de": "Muster verwaltet Kampagnen"}


def language_of(client: Client, **headers: str) -> str:
    """Return the language that a page declares. Check that its text is in that language."""
    answer = client.get(FIRST_PAGE, headers=headers)
    body, language = answer.content.decode(), answer.headers["Content-Language"]
    assert f'<html lang="{language}">' in body and SAID[language] in body
    assert {"Accept-Language", "Cookie"} <= {
        name.strip() for name in answer.headers["Vary"].split(",")
    }
    return language


def test_a_stranger_is_spoken_to_as_the_browser_asks_until_a_language_is_chosen(
    client: Client, db: None
) -> None:
    assert language_of(client) == "en-gb"
    assert language_of(client, **{"Accept-Language": "fr"}) == "en-gb"
    assert language_of(client, **GERMAN) == "de"
    speak = reverse("home:speak")
    answer = client.post(speak, {"language": "en-gb", "next": FIRST_PAGE})
    assert (answer.status_code, answer.headers["Location"]) == (302, FIRST_PAGE)
    assert language_of(client, **GERMAN) == "en-gb"
    assert (
        client.post(speak, {"language": "tlh", "next": "https://elsewhere.example/"}).headers[
            "Location"
        ]
        == "/"
    )
    assert language_of(client, **GERMAN) == "en-gb", "there is no such language"
    assert client.get(speak).status_code == 405


def test_a_member_s_choice_wins_over_cookie_and_browser_wherever_it_is_made(
    browsers: Clients, bob: User, as_bob: APIClient, django_capture_on_commit_callbacks: Any
) -> None:
    def choose(verb: Any) -> None:
        with django_capture_on_commit_callbacks(execute=True):
            verb()

    preferences, usual = reverse("home:preferences"), {"mail": "daily", "time_zone": "here"}
    assert language_of(browsers.bob, **GERMAN) == "de"
    choose(lambda: as_bob.patch("/api/v1/me/", {"language": "en-gb"}))
    assert language_of(browsers.bob, **GERMAN) == "en-gb"
    choose(lambda: browsers.bob.post(reverse("home:speak"), {"language": "de"}))
    assert as_bob.get("/api/v1/me/").json()["language"] == "de"
    assert language_of(browsers.bob) == "de" and language_of(browsers.alice) == "en-gb", (
        "others have their own"
    )
    choose(lambda: browsers.bob.post(preferences, {**usual, "language": "en-gb"}))
    assert language_of(browsers.bob, **GERMAN) == "en-gb"
    choose(lambda: browsers.bob.post(preferences, usual))
    assert Preferences.objects.get(user=bob).language == ""
    assert language_of(browsers.bob) == "de", "the cookie of the footer's choice is still there"
    assert browsers.bob.post(preferences, {**usual, "language": "tlh"}).status_code == 400
    assert as_bob.patch("/api/v1/me/", {"language": "tlh"}).json()["code"] == "invalid"


def test_the_api_and_the_admin_site_speak_english_to_everybody(
    client: Client, alice: User, bob: User
) -> None:
    prefer(user=alice, language="de")
    client.force_login(alice)
    refused = client.get("/api/v1/battles/nowhere/", headers=GERMAN).json()
    assert refused["detail"] == "Not found."
    User.objects.filter(pk=alice.pk).update(is_staff=True)
    assert "Log out" in client.get("/admin/", headers=GERMAN).content.decode()


def test_letter_in_language_of_reader(
    submitted: Battle, bob: User, alice: User, settings: Any
) -> None:
    confirmed_address(bob)
    prefer(user=bob, language="de", mail="weekly")
    Preferences.objects.update(digested_on=None)
    assert write_digest(user_id=bob.pk)
    letter = mail.outbox[0]
    assert isinstance(letter, mail.EmailMultiAlternatives)
    html = str(letter.alternatives[0][0])
    assert '<html lang="de">' in html


def test_who_signs_up_in_german_gets_german_letters(client: Client, db: None) -> None:
    account = {
        "username": "erna",
        "email": "erna@example.org",
        "password1": PASSWORD,
        "password2": PASSWORD,
    }
    client.post(reverse("account_signup"), account, headers=GERMAN)
    assert Preferences.objects.get(user__username="erna").written == "de"
    client.logout()
    client.post(
        reverse("account_signup"), account | {"username": "emma", "email": "emma@example.org"}
    )
    assert not Preferences.objects.filter(user__username="emma", language="de").exists()
