"""The form for one kind of fighter: it begins legal, and stays as it was filled in."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from tests.conftest import browser_of
from tests.pages.test_one_off_battles import army

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]


def test_artillery_begins_with_guns(bob: User) -> None:
    warband = army(bob, "avant-garde", "The Division")
    form = (
        browser_of(bob)
        .get(reverse("warbands:recruit", args=[warband.pk, "france", "artillery"]))
        .context["form"]
    )
    assert int(form["build.medium"].value()) > 0


def test_card_of_new_fighter_shows_the_first_values_of_the_form(bob: User) -> None:
    warband = army(bob, "avant-garde", "The Division")
    where = reverse("warbands:recruit", args=[warband.pk, "france", "artillery"])
    sheet = browser_of(bob).get(where).context["sheet"]
    assert {each.key: each.value for each in sheet.characteristics}["guns"] == "4"


def test_the_form_stays_as_it_was_filled_in_after_somebody_has_joined(bob: User) -> None:
    warband, browser = army(bob, "argad", "The Pikes"), browser_of(bob)
    where = reverse("warbands:recruit", args=[warband.pk, "company", "character"])
    fresh = browser.get(where).context["form"]
    sent = {
        name: "" if fresh[name].value() is None else fresh[name].value() for name in fresh.fields
    }
    sent = {key: value for key, value in sent.items() if value is not False}
    answer = browser.post(
        where, {**sent, "build.weapon": "halberd", "build.class": "4", "count": "2"}
    )
    assert answer.status_code == 302
    again = browser.get(answer["Location"]).context["form"]
    assert (again["build.weapon"].value(), str(again["build.class"].value())) == ("halberd", "4")
    assert warband.fighters.count() == 2


def test_a_fighter_of_somebody_else_is_nothing_to_begin_with(bob: User, alice: User) -> None:
    own, other = army(bob, "argad", "Own"), army(alice, "argad", "Other")
    where = reverse("warbands:recruit", args=[own.pk, "company", "character"])
    answer = browser_of(bob).get(f"{where}?like={other.pk}")
    assert answer.status_code == 200
