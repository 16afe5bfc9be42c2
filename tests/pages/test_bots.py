"""The page of a club's bot, and the tokens on the account page with their names and scopes."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from rest_framework.test import APIClient

from clubs.models import Club, ClubBot
from core.models import TokenDetails
from tests.pages import world
from tests.pages.conftest import Clients

pytestmark = pytest.mark.one_database


@pytest.fixture
def bot_club(alice: User, bob: User) -> Club:
    return world.club_of(alice, players=[bob])


def test_organiser_creates_and_revokes_a_token_of_the_bot(
    browsers: Clients, bot_club: Club
) -> None:
    page = reverse("club-bot", args=[bot_club.pk])
    shown = browsers.alice.get(page)
    assert not ClubBot.objects.exists()
    assert page in browsers.alice.get(reverse("home:club", args=[bot_club.pk])).content.decode()
    assert shown.context["form"].initial["scope"] == "read"
    made = browsers.alice.post(page, {"name": "Discord", "scope": "log", "days": "90"})
    token = made.context["token"]
    assert made.status_code == 201 and token in made.content.decode()
    body = browsers.alice.get(page).content.decode()
    assert "Discord" in body and "never used" in body and token not in body
    client = APIClient(headers={"authorization": f"Bearer {token}"})
    assert client.get(f"/api/v1/clubs/{bot_club.pk}/").status_code == 200
    assert "last used" in browsers.alice.get(page).content.decode()
    revoke = reverse("revoke-club-token", args=[bot_club.pk, TokenDetails.objects.get().pk])
    assert "Discord" in browsers.alice.get(revoke).content.decode()
    for browser, status in ((browsers.bob, 403), (browsers.charlie, 404)):
        assert browser.get(page).status_code == status
        assert browser.post(revoke).status_code == status
    assert browsers.alice.post(revoke).status_code == 302
    assert client.get(f"/api/v1/clubs/{bot_club.pk}/").status_code == 401


def test_wrong_terms_are_named_on_the_page(browsers: Clients, bot_club: Club) -> None:
    page = reverse("club-bot", args=[bot_club.pk])
    answer = browsers.alice.post(page, {"name": "x" * 81, "scope": "all", "days": "0"})
    assert answer.status_code == 400
    assert set(answer.context["form"].errors) == {"name", "scope", "days"}
    assert not TokenDetails.objects.exists()


def test_account_token_has_name_scope_and_lifetime(browsers: Clients, bob: User) -> None:
    sent = {"name": "<b>My script</b>", "scope": "read", "days": "5"}
    made = browsers.bob.post(reverse("make-token"), sent)
    assert made.status_code == 201
    body = browsers.bob.get(reverse("account")).content.decode()
    assert "&lt;b&gt;My script" in body and "Read only" in body
    wrong = browsers.bob.post(reverse("make-token"), {"name": "a", "scope": "read", "days": "0"})
    assert wrong.status_code == 400
    assert set(wrong.context["token_form"].errors) == {"days"}
