"""Signing up, in and out on pages, and a user's own account in the API."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client

from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db


def test_the_api_is_closed_to_strangers(anonymous):
    assert anonymous.get("/api/v1/me/").status_code == 401


def test_the_api_knows_who_is_signed_in(as_bob):
    assert as_bob.get("/api/v1/me/").json()["username"] == "bob"


def test_ones_own_name_can_be_changed_but_nothing_else(as_bob, bob):
    refused = as_bob.patch(
        "/api/v1/me/", {"first_name": "Robin", "username": "alice", "is_staff": True}
    ).json()
    by_field = {line["field"]: line["code"] for line in refused["errors"]}
    assert by_field == {"/username": "read-only-field", "/is_staff": "unknown-field"}
    as_bob.patch("/api/v1/me/", {"first_name": "Robert"})
    bob.refresh_from_db()
    assert (bob.first_name, bob.username, bob.is_staff) == ("Robert", "bob", False)


def test_a_player_signs_up_and_is_signed_in(client):
    facts = {
        "username": "athos",
        "email": "athos@example.org",
        "password1": PASSWORD,
        "password2": PASSWORD,
    }
    assert client.post("/accounts/signup/", facts).status_code == 302
    assert client.session["_auth_user_id"] == str(User.objects.get(username="athos").pk)


DECOMPOSED = "Jose\u0301"


def test_decomposed_user_name_signs_up_and_in_like_the_composed_one(client, anonymous):
    facts = {
        "username": DECOMPOSED,
        "email": "jose@example.org",
        "password1": PASSWORD,
        "password2": PASSWORD,
    }
    assert client.post("/accounts/signup/", facts).status_code == 302
    jose = User.objects.get(username="Jos\xe9")
    for typed in (DECOMPOSED, "Jos\xe9"):
        browser = Client()
        browser.post("/accounts/login/", {"login": typed, "password": PASSWORD})
        assert browser.session["_auth_user_id"] == str(jose.pk)
        assert (
            anonymous.post("/api/v1/tokens/", {"username": typed, "password": PASSWORD}).status_code
            == 201
        )
    again = Client().post("/accounts/signup/", facts | {"email": "other@example.org"})
    assert again.status_code == 200, "the name is taken, however it is typed"


def test_guesses_count_for_one_account_however_its_name_is_typed(client, make_user, settings):
    make_user("Jos\xe9")
    for typed in (DECOMPOSED, "Jos\xe9", DECOMPOSED, "Jos\xe9", DECOMPOSED):
        client.post("/accounts/login/", {"login": typed, "password": "wrong"})
    answer = client.post("/accounts/login/", {"login": "Jos\xe9", "password": PASSWORD})
    assert answer.status_code == 200 and "_auth_user_id" not in client.session


def test_a_club_can_close_the_door(client, settings):
    settings.SIGNUP_OPEN = False
    facts = {
        "username": "athos",
        "email": "athos@example.org",
        "password1": PASSWORD,
        "password2": PASSWORD,
    }
    client.post("/accounts/signup/", facts)
    assert not User.objects.filter(username="athos").exists()


@pytest.mark.parametrize("verification", ["none", "optional"])
def test_sign_up_does_not_reveal_accounts(bob, settings, verification):
    settings.ACCOUNT_EMAIL_VERIFICATION = verification
    EmailAddress.objects.create(user=bob, email="bob@example.org", verified=True, primary=True)
    answers, letters = [], []
    for name, address in (("athos", "bob@example.org"), ("porthos", "porthos@example.org")):
        facts = {"username": name, "email": address, "password1": PASSWORD, "password2": PASSWORD}
        answer = Client().post("/accounts/signup/", facts)
        answers.append((answer.status_code, answer.get("Location")))
        letters.append(len(mail.outbox) - sum(letters))
    assert answers[0] == answers[1] and answers[0][0] == 302
    assert letters[0] == letters[1]
    assert not EmailAddress.objects.filter(user__username="athos", verified=True).exists()
    signed_in = Client()
    signed_in.post("/accounts/login/", {"login": "bob@example.org", "password": PASSWORD})
    assert signed_in.session["_auth_user_id"] == str(bob.pk), (
        "the address is his who has confirmed it"
    )


@pytest.mark.parametrize("name", ["bob", "bob@example.org"])
def test_a_player_signs_in_by_name_or_address(client, bob, name):
    client.post("/accounts/login/", {"login": name, "password": PASSWORD})
    assert client.session["_auth_user_id"] == str(bob.pk)


def test_reset_mail_sets_new_password(client, bob):
    client.post("/accounts/password/reset/", {"email": "bob@example.org"})
    link = re.search(r"http://\S+", mail.outbox[0].body)[0]
    form = client.get(link, follow=True)
    client.post(
        form.request["PATH_INFO"],
        {"password1": "another long one", "password2": "another long one"},
    )
    bob.refresh_from_db()
    assert bob.check_password("another long one")


def test_reset_does_not_reveal_accounts(client, bob):
    existing = client.post("/accounts/password/reset/", {"email": "bob@example.org"})
    unknown = client.post("/accounts/password/reset/", {"email": "nobody@example.org"})
    assert (existing.status_code, existing.url) == (unknown.status_code, unknown.url)
