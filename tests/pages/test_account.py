"""The account: names, tokens for scripts, signing in and out, a second factor."""

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.urls import reverse
from knox.models import AuthToken
from rest_framework.test import APIClient

from core.models import TokenDetails
from tests.conftest import PASSWORD
from tests.pages.conftest import Clients

pytestmark = pytest.mark.one_database


def test_names_change(browsers: Clients, bob: User) -> None:
    assert (
        browsers.bob.post(reverse("account"), {"first_name": "Robert", "last_name": ""}).status_code
        == 302
    )
    assert "Hello, Robert" in browsers.bob.get("/").content.decode()
    assert browsers.bob.post(reverse("account"), {"first_name": "x" * 151}).status_code == 400


def test_a_token_is_shown_once_and_works(browsers: Clients, bob: User) -> None:
    page = browsers.bob.post(reverse("make-token"))
    token = page.context["token"]
    assert token in page.content.decode()
    client = APIClient(headers={"authorization": f"Token {token}"})
    assert client.get("/api/v1/me/").json()["username"] == "bob"
    assert token not in browsers.bob.get(reverse("account")).content.decode()


def test_a_revoked_token_works_no_longer(browsers: Clients, bob: User) -> None:
    token = browsers.bob.post(reverse("make-token")).context["token"]
    key = TokenDetails.objects.get().pk
    assert browsers.bob.post(reverse("revoke-token", args=[key])).status_code == 302
    assert (
        APIClient(headers={"authorization": f"Token {token}"}).get("/api/v1/me/").status_code == 401
    )


def test_nobody_revokes_the_tokens_of_others(browsers: Clients, bob: User) -> None:
    browsers.bob.post(reverse("make-token"))
    where = reverse("revoke-token", args=[TokenDetails.objects.get().pk])
    assert browsers.nobody.post(where).status_code == 302
    assert browsers.charlie.post(where).status_code == 404
    assert AuthToken.objects.count() == 1


def test_signing_in_by_name_or_e_mail_leads_back_to_where_one_was_going(bob: User) -> None:
    for name in ("bob", "bob@example.org"):
        client = Client()
        page = client.get(reverse("home:clubs"))
        answer = client.post(page["Location"], {"login": name, "password": PASSWORD})
        assert answer["Location"] == reverse("home:clubs")


def test_a_wrong_password_keeps_the_name_that_was_typed(bob: User) -> None:
    page = Client().post(reverse("account_login"), {"login": "bob", "password": "guess"})
    body = page.content.decode()
    assert 'value="bob"' in body and "Sign-in failed" in body


def test_an_account_is_made(db: None) -> None:
    data = {
        "username": "erna",
        "email": "erna@example.org",
        "password1": PASSWORD,
        "password2": PASSWORD,
    }
    client = Client()
    assert client.post(reverse("account_signup"), data).status_code == 302
    assert "Hello, erna" in client.get("/").content.decode()


def test_a_forgotten_password_is_reset_by_mail(bob: User) -> None:
    client = Client()
    client.post(reverse("account_reset_password"), {"email": "bob@example.org"})
    link = next(word for word in mail.outbox[0].body.split() if "/password/reset/key/" in word)
    form = client.get(link, follow=True)
    data = {"password1": "another long password", "password2": "another long password"}
    client.post(form.request["PATH_INFO"], data)
    assert client.login(username="bob", password="another long password")


def test_signing_out_asks_nothing_and_leads_home(browsers: Clients) -> None:
    assert browsers.bob.post(reverse("account_logout"))["Location"] == "/"
    assert "Create account" in browsers.bob.get("/").content.decode()


def test_every_account_page_wears_the_same_dress(browsers: Clients) -> None:
    addresses = (
        "mfa_index",
        "mfa_activate_totp",
        "account_email",
        "account_change_password",
        "account_logout",
    )
    for name in addresses:
        page = browsers.bob.get(reverse(name), follow=True)
        body = page.content.decode()
        assert page.status_code == 200
        assert 'class="masthead"' in body and 'id="content"' in body, name
    for name in (
        "account_login",
        "account_signup",
        "account_reset_password",
        "account_reset_password_done",
    ):
        assert 'class="masthead"' in browsers.nobody.get(reverse(name)).content.decode(), name
