"""Preferences of a member: when to get e-mails, and the time zone."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from rest_framework.test import APIClient

from battles.models import Battle
from home.models import Mail, Preferences
from tests.home.conftest import confirmed_address
from tests.pages.conftest import Clients

pytestmark = pytest.mark.one_database


def test_preferences_are_set_on_the_page_and_through_the_api(
    browsers: Clients, bob: User, as_bob: APIClient, settings: Any
) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
    address = reverse("home:preferences")
    body = browsers.bob.get(address).content.decode()
    assert "You have no confirmed e-mail address" in body and 'value="daily"' in body
    confirmed_address(bob)
    assert "bob@example.org" in browsers.bob.get(address).content.decode()
    assert (
        browsers.bob.post(address, {"mail": "weekly", "time_zone": "Europe/Berlin"}).status_code
        == 302
    )
    preferences = as_bob.get("/api/v1/me/").json()
    assert (preferences["mail"], preferences["time_zone"], preferences["mail_address"]) == (
        "weekly",
        "Europe/Berlin",
        "bob@example.org",
    )
    assert (
        browsers.bob.post(address, {"mail": "hourly", "time_zone": "Middle/Earth"}).status_code
        == 400
    )

    preferences = as_bob.patch("/api/v1/me/", {"mail": "never"}).json()
    assert (preferences["mail"], preferences["time_zone"]) == ("never", "Europe/Berlin")
    as_bob.patch("/api/v1/me/", {"first_name": "Robert"})
    assert Preferences.objects.get(user=bob).mail == Mail.NEVER
    for nonsense in ({"mail": "hourly"}, {"time_zone": "Middle/Earth"}, {"time_zone": None}):
        assert as_bob.patch("/api/v1/me/", nonsense).json()["code"] == "invalid"


def test_pages_show_times_in_zone_of_reader(
    browsers: Clients, submitted: Battle, as_bob: APIClient, django_capture_on_commit_callbacks: Any
) -> None:
    Battle.objects.update(submitted_at="2026-07-07T20:30:00Z")
    page = reverse("battles:battle", args=[submitted.pk])
    assert "20:30 UTC" in browsers.bob.get(page).content.decode()
    for zone, shown in (
        ("Europe/Berlin", "22:30 CEST"),
        ("America/New_York", "16:30 EDT"),
        ("here", "20:30 UTC"),
    ):
        with django_capture_on_commit_callbacks(execute=True):
            browsers.bob.post(reverse("home:preferences"), {"mail": "daily", "time_zone": zone})
        assert shown in browsers.bob.get(page).content.decode()
        assert "20:30 UTC" in browsers.alice.get(page).content.decode(), "others have their own"
    assert (
        as_bob.get(f"/api/v1/battles/{submitted.pk}/").json()["submitted_at"]
        == "2026-07-07T20:30:00Z"
    )


def test_a_cache_that_is_down_stops_no_page(
    browsers: Clients, submitted: Battle, monkeypatch: Any
) -> None:
    class Down:
        """A cache of which nothing is left."""

        def get(self, *_: Any) -> None:
            raise OSError

        set = delete = get

    monkeypatch.setattr("home.user_cache.cache", Down())
    page = browsers.bob.get(reverse("home:preferences"))
    assert page.context["inbox_number"] == 1
    assert (
        browsers.bob.post(
            reverse("home:preferences"), {"mail": "daily", "time_zone": "here"}
        ).status_code
        == 302
    )
