"""Evenings on pages: made by a form, answered with one tap, with a script and without."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from clubs.models import Attendance, Club, Evening
from clubs.services.clubs import edit_club
from clubs.services.members import add_guest
from tests.pages import world
from tests.pages.conftest import Clients, make_public, shown_text
from tests.pages.markup import Markup

pytestmark = pytest.mark.one_database


@pytest.fixture
def evening(club: Club, alice: User) -> Evening:
    return world.evening_of(club, alice, place="The Three Tuns")


def test_day_that_is_too_far_away_is_named_once(browsers: Clients, club: Club) -> None:
    where = reverse("home:make-evenings", args=[club.pk])
    data = {"day": "2001-03-07", "since": "19:00", "until": "01:00", "place": "", "weeks": "1"}
    page = browsers.alice.post(where, {**data, "note": ""})
    assert page.status_code == 400
    assert dict(page.context["form"].errors) == {
        "day": ["7 March 2001 is too far from today. Check the year."]
    }
    assert not Evening.objects.exists()


def test_a_form_makes_a_season_by_the_clubs_clocks_and_offers_the_next_one(
    browsers: Clients, club: Club, alice: User
) -> None:
    edit_club(club_id=club.pk, user=alice, time_zone="Pacific/Auckland")
    where = reverse("home:make-evenings", args=[club.pk])
    day = timezone.now().date() + timedelta(days=10)
    data = {
        "day": day.isoformat(),
        "since": "20:00",
        "until": "01:00",
        "place": "The cellar",
        "note": "",
        "weeks": "3",
    }
    made = browsers.alice.post(where, data)
    calendar = reverse("home:calendar", args=[club.pk])
    assert made["Location"] == f"{calendar}?month={day:%Y-%m}", "where the new dates are"
    evenings = list(Evening.objects.select_related("club"))
    assert [each.local_start.date() for each in evenings] == [
        day + timedelta(weeks=week) for week in range(3)
    ]
    assert {(each.local_start.hour, each.local_end.hour) for each in evenings} == {(20, 1)}
    again = browsers.alice.get(where).content.decode()
    assert (
        f'value="{(day + timedelta(weeks=3)).isoformat()}"' in again
        and 'value="The cellar"' in again
    )
    for odd in (
        {"day": "0001-01-01"},
        {"day": "2199-01-01"},
        {"weeks": "99"},
        {"since": "25:00"},
        {"until": ""},
    ):
        assert browsers.alice.post(where, data | odd).status_code == 400
    assert Evening.objects.count() == 3
    change = reverse("home:change-evening", args=[evenings[0].pk])
    assert 'value="20:00"' in browsers.alice.get(change).content.decode()
    browsers.alice.post(change, data | {"since": "19:30"})
    evenings[0].refresh_from_db()
    assert (evenings[0].local_start.hour, evenings[0].version) == (19, 2)


def test_of_a_series_one_chooses_whether_the_later_ones_are_meant(
    browsers: Clients, club: Club, alice: User
) -> None:
    world.evening_of(club, alice, weeks=3)
    first, second, last = Evening.objects.select_related("club")
    change, cancel, restore = (
        reverse(f"home:{verb}-evening", args=[second.pk])
        for verb in ("change", "cancel", "restore")
    )
    page = browsers.alice.get(change)
    assert "This club night and the later one of its series" in page.content.decode()
    form = page.context["form"]
    data = {name: form[name].value() for name in ("since", "until", "place", "note")}
    data |= {"day": second.local_start.date().isoformat(), "place": "The Red Lion"}
    assert browsers.alice.post(change, data | {"later": "perhaps"}).status_code == 400
    browsers.alice.post(change, data)
    browsers.alice.post(change, data | {"place": "The cellar", "later": "true"})
    assert [each.place for each in Evening.objects.all()] == [
        first.place,
        "The cellar",
        "The cellar",
    ]
    browsers.alice.post(cancel, {"reason": "Flooded", "later": "true"})
    assert list(Evening.objects.values_list("reason", flat=True)) == ["", "Flooded", "Flooded"]
    shown = browsers.alice.get(reverse("home:evening", args=[second.pk])).content.decode()
    assert "Restore it and the later one" in shown
    browsers.alice.post(restore, {"later": "true"})
    assert not Evening.objects.exclude(cancelled_at=None).exists()
    assert (
        "later"
        not in browsers.alice.get(reverse("home:change-evening", args=[last.pk]))
        .context["form"]
        .fields
    )


def test_club_night_in_the_past_is_added_with_a_warning(browsers: Clients, club: Club) -> None:
    day = timezone.now().date() - timedelta(days=40)
    data = {"day": day.isoformat(), "since": "19:00", "until": "23:00", "weeks": "1"}
    where = reverse("home:make-evenings", args=[club.pk])
    page = browsers.alice.post(where, data, follow=True)
    assert f"{day.day} {day:%B %Y} is in the past." in page.content.decode()
    assert page.request["QUERY_STRING"] == f"month={day:%Y-%m}"
    assert Evening.objects.count() == 1


def test_one_tap_says_that_one_comes_and_the_card_says_so(
    browsers: Clients, club: Club, evening: Evening
) -> None:
    home = reverse("home:club", args=[club.pk])
    where = reverse("home:answer-evening", args=[evening.pk])
    assert where in browsers.bob.get(home).content.decode()
    page = browsers.bob.post(where, {"answer": "coming"}, follow=True).content.decode()
    answers = [each for each in Markup(page).all("button") if each.get("name") == "answer"]
    pressed = [each["value"] for each in answers if each["aria-pressed"] == "true"]
    assert pressed == ["coming"]
    plain = browsers.bob.post(where, {"answer": "not-coming"})
    assert plain["Location"] == f"{home}#evening-{evening.pk}"
    whole = browsers.bob.post(where, {"answer": "perhaps", "shown_on": "evening"})
    assert whole["Location"].startswith(reverse("home:evening", args=[evening.pk]))
    assert Attendance.objects.get().answer == "perhaps"
    assert (
        browsers.bob.post(where, {"answer": "x", "member": "no id"}, follow=True).status_code == 200
    )


def test_an_organiser_answers_for_a_player_without_an_account(
    browsers: Clients, club: Club, alice: User, evening: Evening
) -> None:
    guest = add_guest(club_id=club.pk, user=alice, name="Gaston")
    where = reverse("home:answer-evening", args=[evening.pk])
    page = reverse("home:evening", args=[evening.pk])
    assert "Gaston" in browsers.alice.get(page).content.decode()
    assert "Gaston" not in browsers.bob.get(page).content.decode()
    browsers.alice.post(where, {"answer": "coming", "member": str(guest.pk), "shown_on": "evening"})
    assert "Gaston" in browsers.bob.get(page).content.decode()


def test_what_is_cancelled_stays_and_says_so(
    browsers: Clients, club: Club, alice: User, evening: Evening
) -> None:
    browsers.alice.post(
        reverse("home:cancel-evening", args=[evening.pk]), {"reason": "The cellar is flooded."}
    )
    later = world.evening_of(club, alice, 10)
    for name in ("home:club", "home:calendar"):
        query = f"?month={evening.starts_at:%Y-%m}" if name == "home:calendar" else ""
        html = browsers.bob.get(reverse(name, args=[club.pk]) + query).content.decode()
        assert "Cancelled" in html and "The cellar is flooded." in html
    home = browsers.bob.get(reverse("home:club", args=[club.pk])).content.decode()
    assert f"evening-{later.pk}" in home, "the next one that takes place is shown as well"
    assert reverse("home:answer-evening", args=[evening.pk]) not in home
    browsers.alice.post(reverse("home:restore-evening", args=[evening.pk]))
    assert (
        "Cancelled"
        not in browsers.bob.get(reverse("home:evening", args=[evening.pk])).content.decode()
    )


def test_strangers_to_a_public_club_see_when_and_how_many_and_no_names(
    browsers: Clients, club: Club, alice: User, bob: User, evening: Evening
) -> None:
    make_public(club, alice)
    browsers.bob.post(reverse("home:answer-evening", args=[evening.pk]), {"answer": "coming"})
    for browser in (browsers.nobody, browsers.charlie):
        text = shown_text(browser.get(reverse("home:evening", args=[evening.pk])))
        assert "The Three Tuns" in text and "<b>1</b>" in text
        assert "bob" not in text and "answers" not in text


def test_a_month_is_a_list_of_days_and_nonsense_is_this_month(
    browsers: Clients, club: Club, alice: User, planned: object, evening: Evening
) -> None:
    where = reverse("home:calendar", args=[club.pk])
    month = browsers.bob.get(where, {"month": f"{evening.starts_at:%Y-%m}"})
    assert "The Three Tuns" in month.content.decode()
    battles = browsers.bob.get(where, {"month": f"{world.DAY:%Y-%m}"}).content.decode()
    assert "Compagnie du Cardinal v. Der schwarze Haufen" in battles and "Planned" in battles
    empty = browsers.bob.get(where, {"month": "2025-02"}).content.decode()
    assert "Nothing in February 2025" in empty and "The next club night is on" in empty
    for odd in ("", "x", "2026-13", "0001-01", "9999-12", "2026-1"):
        assert browsers.bob.get(where, {"month": odd}).context["first"].day == 1
