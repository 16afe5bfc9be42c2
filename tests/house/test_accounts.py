"""Signing up, in and out on the pages, and one's own account in the API."""

import re

import pytest
from django.contrib.auth.models import User
from django.core import mail

from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db


def test_the_api_is_closed_to_strangers(anonymous):
    assert anonymous.get("/api/v1/me/").status_code == 401


def test_the_api_knows_who_is_signed_in(as_bob):
    assert as_bob.get("/api/v1/me/").json()["username"] == "bob"


def test_ones_own_name_can_be_changed_but_nothing_else(as_bob, bob):
    as_bob.patch("/api/v1/me/", {"first_name": "Robert", "username": "alice", "is_staff": True})
    bob.refresh_from_db()
    assert (bob.first_name, bob.username, bob.is_staff) == ("Robert", "bob", False)


def test_a_player_signs_up_and_is_signed_in(client):
    facts = {"username": "athos", "email": "athos@example.org", "password1": PASSWORD, "password2": PASSWORD}
    assert client.post("/accounts/signup/", facts).status_code == 302
    assert client.session["_auth_user_id"] == str(User.objects.get(username="athos").pk)


def test_a_club_can_close_the_door(client, settings):
    settings.SIGNUP_OPEN = False
    facts = {"username": "athos", "email": "athos@example.org", "password1": PASSWORD, "password2": PASSWORD}
    client.post("/accounts/signup/", facts)
    assert not User.objects.filter(username="athos").exists()


@pytest.mark.parametrize("name", ["bob", "bob@example.org"])
def test_a_player_signs_in_by_name_or_address(client, bob, name):
    client.post("/accounts/login/", {"login": name, "password": PASSWORD})
    assert client.session["_auth_user_id"] == str(bob.pk)


def test_a_forgotten_password_is_set_anew_by_mail(client, bob):
    client.post("/accounts/password/reset/", {"email": "bob@example.org"})
    link = re.search(r"http://\S+", mail.outbox[0].body)[0]
    form = client.get(link, follow=True)
    client.post(form.request["PATH_INFO"], {"password1": "another long one", "password2": "another long one"})
    bob.refresh_from_db()
    assert bob.check_password("another long one")


def test_asking_for_a_stranger_does_not_tell_whether_there_is_one(client, bob):
    known = client.post("/accounts/password/reset/", {"email": "bob@example.org"})
    unknown = client.post("/accounts/password/reset/", {"email": "nobody@example.org"})
    assert (known.status_code, known.url) == (unknown.status_code, unknown.url)
