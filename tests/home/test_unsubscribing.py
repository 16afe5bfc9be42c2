"""The link in each letter stops them: by a person who looks at the page, or by a mail program in
one request."""

import pytest
from django.contrib.auth.models import User
from django.core.signing import Signer
from django.test import Client
from django.urls import reverse

from home.models import Mail, Preferences
from home.services.preferences import prefer, unsubscribing_token
from tests.pages.markup import faults

pytestmark = pytest.mark.one_database


def test_one_post_stops_the_letters_without_signing_in_and_without_cookies(
    bob: User, alice: User
) -> None:
    for user in (alice, bob):
        prefer(user=user, mail=Mail.AT_ONCE)
    address = reverse("home:unsubscribe", args=[unsubscribing_token(bob)])
    program = Client(enforce_csrf_checks=True)
    page = program.get(address)
    body = page.content.decode()
    assert (
        page.status_code == 200 and "Unsubscribe from e-mails?" in body and list(faults(body)) == []
    )
    assert Preferences.objects.get(user=bob).mail == Mail.AT_ONCE, "looking at it changes nothing"
    for _ in range(2):
        done = program.post(address, {"List-Unsubscribe": "One-Click"})
        assert done.status_code == 200 and "You are unsubscribed" in done.content.decode()
    assert Preferences.objects.get(user=bob).mail == Mail.NEVER
    assert Preferences.objects.get(user=alice).mail == Mail.AT_ONCE


def test_a_link_that_was_made_up_or_made_for_something_else_stops_nothing(
    bob: User, client: Client
) -> None:
    for token in (
        "nonsense",
        f"{bob.pk}:nonsense",
        Signer(salt="other").sign(str(bob.pk)),
        "1:2:3",
    ):
        assert client.post(reverse("home:unsubscribe", args=[token])).status_code in (302, 404)
    gone = unsubscribing_token(User(pk=4711))
    assert client.get(reverse("home:unsubscribe", args=[gone])).status_code in (302, 404)
    assert not Preferences.objects.exists()
