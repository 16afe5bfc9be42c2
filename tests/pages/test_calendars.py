"""Calendar feeds: what is in them, who may fetch them, and that people's calendars understand
them."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from icalendar import Calendar, Component
from rest_framework.throttling import SimpleRateThrottle

from battles.models import Battle
from campaigns.models import Campaign, Fixture, Round
from clubs.models import CalendarLink, Club, Evening
from clubs.services.clubs import edit_club
from clubs.services.evenings import (
    answer_evening,
    cancel_evening,
    change_evening,
    make_calendar_link,
    revoke_calendar_link,
)
from clubs.services.members import add_guests
from tests.conftest import api_of
from tests.pages import world
from tests.pages.conftest import Clients, make_public
from warbands.models import Warband

pytestmark = pytest.mark.one_database

OWN = "/calendar.ics"
AWKWARD = "Ünïcode; comma, back\\slash\nBEGIN:VEVENT " + "and a long tail " * 12
"""Text that would break out of its line if written carelessly."""


@pytest.fixture
def evening(club: Club, alice: User) -> Evening:
    return world.evening_of(club, alice, place=AWKWARD.replace("\n", " ")[:100], note=AWKWARD)


@pytest.fixture
def feed(club: Club) -> str:
    return reverse("home:club-feed", args=[club.pk])


def parsed(answer: Any) -> tuple[Component, dict[str, Component]]:
    """Return the calendar, and its events by UID."""
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert all(len(line) <= 75 for line in answer.content.split(b"\r\n")), "lines are folded"
    calendar = Calendar.from_ical(answer.content)
    return calendar, {str(event["uid"]): event for event in calendar.walk("VEVENT")}


def test_an_evening_comes_through_a_calendar_unharmed(
    browsers: Clients, club: Club, alice: User, feed: str, evening: Evening
) -> None:
    edit_club(club_id=club.pk, user=alice, visibility="public", time_zone="Europe/Berlin")
    calendar, events = parsed(browsers.nobody.get(feed))
    assert str(calendar["x-wr-calname"]) == club.name
    assert [str(zone["tzid"]) for zone in calendar.walk("VTIMEZONE")] == ["Europe/Berlin"]
    event = events[f"evening-{evening.pk}@muster"]
    evening = Evening.objects.select_related("club").get()
    assert (
        event.decoded("dtstart") == evening.local_start
        and event["dtstart"].params["TZID"] == "Europe/Berlin"
    )
    assert event.decoded("dtend") - event.decoded("dtstart") == timedelta(hours=4)
    assert str(event["description"]) == evening.note and str(event["location"]) == evening.place
    assert event.decoded("dtstamp") == evening.changed_at.replace(microsecond=0)
    assert str(event["url"]) == f"http://testserver{reverse('home:evening', args=[evening.pk])}"
    assert (event["sequence"], str(event["status"])) == (evening.version - 1, "CONFIRMED")
    change_evening(evening_id=evening.pk, user=alice, note="")
    cancel_evening(evening_id=evening.pk, user=alice, reason="Flooded")
    _, after = parsed(browsers.nobody.get(feed))
    assert after.keys() == events.keys(), "one is known by its UID whatever becomes of it"
    cancelled = after[f"evening-{evening.pk}@muster"]
    assert (str(cancelled["status"]), cancelled["sequence"]) == ("CANCELLED", evening.version + 1)
    assert (
        str(cancelled["summary"]).startswith("Cancelled:")
        and str(cancelled["description"]) == "Flooded"
    )


def test_a_feed_is_fetched_again_only_if_it_has_changed(
    browsers: Clients, club: Club, alice: User, bob: User, feed: str, evening: Evening
) -> None:
    make_public(club, alice)
    first = browsers.nobody.get(feed)
    assert first["Cache-Control"] == "public, max-age=900"
    same = browsers.nobody.get(feed, headers={"If-None-Match": first["ETag"]})
    assert (same.status_code, same.content, same["ETag"]) == (304, b"", first["ETag"])
    answer_evening(evening_id=evening.pk, user=bob, answer="coming")
    assert browsers.nobody.get(feed)["ETag"] == first["ETag"], "who comes is told to no calendar"
    change_evening(evening_id=evening.pk, user=alice, place="Elsewhere")
    assert browsers.nobody.get(feed, headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_a_private_club_opens_to_the_key_of_a_member_alone(
    browsers: Clients,
    campaign: Campaign,
    alice: User,
    bob: User,
    charlie: User,
    feed: str,
    evening: Evening,
) -> None:
    played = reverse("home:campaign-feed", args=[campaign.pk])
    keys = {user.username: make_calendar_link(user=user) for user in (bob, charlie)}
    for where in (feed, played):
        for browser in browsers:
            assert browser.get(where).status_code == 404, (
                "being signed in does not matter: a calendar cannot be"
            )
        assert browsers.nobody.get(where, {"key": keys["charlie"]}).status_code == 404
        opened = browsers.nobody.get(where, {"key": keys["bob"]})
        assert (opened.status_code, opened["Cache-Control"]) == (200, "private, max-age=900")
    for wrong in ("", "x", "x" * 500, "a\0b", "\u202e"):
        assert browsers.nobody.get(OWN, {"key": wrong}).status_code == 404
    anew = make_calendar_link(user=bob)
    assert browsers.nobody.get(feed, {"key": keys["bob"]}).status_code == 404
    assert browsers.nobody.get(feed, {"key": anew}).status_code == 200
    User.objects.filter(pk=bob.pk).update(is_active=False)
    assert browsers.nobody.get(feed, {"key": anew}).status_code == 404
    User.objects.filter(pk=bob.pk).update(is_active=True)
    revoke_calendar_link(user=bob)
    assert browsers.nobody.get(feed, {"key": anew}).status_code == 404


def test_a_private_campaign_of_a_public_club_stays_out_of_its_feed(
    browsers: Clients,
    club: Club,
    alice: User,
    campaign: Campaign,
    guards: Warband,
    haufen: Warband,
    feed: str,
) -> None:
    battle = world.planned_battle(
        alice, campaign, guards, haufen, fought_on=date.today() + timedelta(days=3)
    )
    make_public(club, alice)
    assert parsed(browsers.nobody.get(feed))[1] == {}
    _, events = parsed(browsers.nobody.get(feed, {"key": make_calendar_link(user=alice)}))
    event = events[f"battle-{battle.pk}@muster"]
    assert (event.decoded("dtstart"), str(event["transp"])) == (battle.fought_on, "TRANSPARENT")


def test_ones_own_calendar_holds_what_concerns_oneself(
    browsers: Clients, club: Club, alice: User, bob: User, dora: User, campaign: Campaign, guards: Warband,
    haufen: Warband,
) -> None:  # fmt: skip
    battle = world.planned_battle(
        alice, campaign, guards, haufen, fought_on=date.today() + timedelta(days=3)
    )
    coming, perhaps, declined = (world.evening_of(club, alice, day) for day in (2, 9, 16))
    world.evening_of(world.club_of(dora), dora)
    for evening, answer in ((coming, "coming"), (perhaps, "perhaps"), (declined, "not-coming")):
        answer_evening(evening_id=evening.pk, user=bob, answer=answer)
    _, events = parsed(browsers.nobody.get(OWN, {"key": make_calendar_link(user=bob)}))
    assert {uid: str(event["status"]) for uid, event in events.items()} == {
        f"battle-{battle.pk}@muster": "CONFIRMED",
        f"evening-{coming.pk}@muster": "CONFIRMED",
        f"evening-{perhaps.pk}@muster": "TENTATIVE",
    }
    _, doras = parsed(browsers.nobody.get(OWN, {"key": make_calendar_link(user=dora)}))
    assert f"battle-{battle.pk}@muster" not in doras and len(doras) == 4


def test_calendar_has_deadlines_of_rounds_and_own_fixtures(
    browsers: Clients, club: Club, alice: User, bob: User, campaign: Campaign
) -> None:
    day = date.today() + timedelta(days=5)
    home, away = campaign.enrolments.order_by("warband__name")
    games = Round.objects.create(campaign=campaign, number=1, deadline=day)
    fixture = Fixture.objects.create(round=games, place=0, home=home, away=away)
    evening = world.evening_of(club, alice)
    answer_evening(evening_id=evening.pk, user=alice, answer="coming")
    key = make_calendar_link(user=bob)
    for name in ("home:club-feed", "home:campaign-feed"):
        subject = club.pk if name == "home:club-feed" else campaign.pk
        _, events = parsed(browsers.nobody.get(reverse(name, args=[subject]), {"key": key}))
        assert events[f"round-{games.pk}@muster"].decoded("dtstart") == day
    _, events = parsed(browsers.nobody.get(OWN, {"key": key}))
    assert str(events[f"fixture-{fixture.pk}@muster"]["summary"]) == "Last day to play alice"
    month = browsers.bob.get(reverse("home:calendar", args=[club.pk]), {"month": f"{day:%Y-%m}"})
    assert "Last day of Round 1" in month.content.decode()
    assert (
        "You still have to play alice."
        in browsers.bob.get(reverse("home:evening", args=[evening.pk])).content.decode()
    )
    assert (
        "still to play"
        not in browsers.alice.get(reverse("home:evening", args=[evening.pk])).content.decode()
    )


def test_night_leaves_out_the_opponents_of_guests(
    browsers: Clients, club: Club, alice: User, bob: User, campaign: Campaign
) -> None:
    home, away = campaign.enrolments.order_by("player__user__username")
    games = Round.objects.create(campaign=campaign, number=1)
    Fixture.objects.create(round=games, place=0, home=home, away=away)
    evening = world.evening_of(club, alice)
    answer_evening(evening_id=evening.pk, user=bob, answer="coming")
    pages = [reverse("home:evening", args=[evening.pk]), reverse("home:club", args=[club.pk])]
    for page in pages:
        assert "You still have to play bob." in browsers.alice.get(page).content.decode()
    guest = add_guests(club_id=club.pk, user=alice, names=["Greta"])[0]
    type(home).objects.filter(pk=home.pk).update(player=guest)
    for page in pages:
        assert "You still have to play" not in browsers.alice.get(page).content.decode()
    # Alice meets the guest.
    answer_evening(evening_id=evening.pk, user=alice, answer="coming", member_id=guest.pk)
    type(away).objects.filter(pk=away.pk).update(player=club.memberships.get(user=alice))
    for page in pages:
        assert "You still have to play Greta." in browsers.alice.get(page).content.decode()


def test_a_void_battle_is_cancelled_in_calendars(
    browsers: Clients, alice: User, planned: Battle, campaign: Campaign
) -> None:
    Battle.objects.update(state="void", fought_on=date.today())
    key = make_calendar_link(user=alice)
    _, events = parsed(
        browsers.nobody.get(reverse("home:campaign-feed", args=[campaign.pk]), {"key": key})
    )
    assert [str(event["status"]) for event in events.values()] == ["CANCELLED"]


def test_the_key_is_made_shown_again_and_revoked_on_the_account_page(
    browsers: Clients, bob: User, club: Club, feed: str, settings: Any
) -> None:
    calendar = reverse("home:calendar", args=[club.pk])
    assert "webcal:" not in browsers.bob.get(calendar).content.decode()
    assert "Create calendar address" in browsers.bob.get(calendar).content.decode()
    assert (
        browsers.bob.post(reverse("make-calendar-link"), {"back": calendar})["Location"] == calendar
    )
    outside = browsers.bob.post(
        reverse("make-calendar-link"), {"back": "https://elsewhere.example/"}
    )
    assert outside["Location"] == f"{reverse('account')}#calendar"
    secret = CalendarLink.objects.get().secret
    account = browsers.bob.get(reverse("account")).content.decode()
    assert f"http://testserver{OWN}?key={secret}" in account
    assert f'href="webcal://testserver{OWN}?key={secret}"' in account
    club_page = browsers.bob.get(calendar).content.decode()
    assert f"http://testserver{feed}?key={secret}" in club_page
    assert f'href="webcal://testserver{feed}?key={secret}"' in club_page
    assert secret not in browsers.alice.get(calendar).content.decode()
    row = CalendarLink.objects.values().get()
    assert secret not in f"{row}{bytes(row['sealed'])!r}", (
        "a copy of the database opens nobody's calendar"
    )
    api = api_of(bob)
    assert api.get("/api/v1/me/calendar/").data["key"] == secret
    fresh = api.post("/api/v1/me/calendar/").data
    assert fresh["link"] == f"http://testserver{OWN}?key={fresh['key']}" and fresh["key"] != secret
    assert browsers.nobody.get(OWN, {"key": secret}).status_code == 404
    assert api.delete("/api/v1/me/calendar/").status_code == 204
    assert api.get("/api/v1/me/calendar/").data == {"link": "", "key": ""}
    browsers.bob.post(reverse("make-calendar-link"))
    browsers.bob.post(reverse("revoke-calendar-link"))
    assert not CalendarLink.objects.exists()


def test_who_fetches_too_often_is_told_to_wait(
    browsers: Clients, club: Club, alice: User, feed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_public(club, alice)
    monkeypatch.setitem(SimpleRateThrottle.THROTTLE_RATES, "calendars", "2/minute")
    answers = [browsers.nobody.get(feed) for _ in range(3)]
    assert [each.status_code for each in answers] == [200, 200, 429]
    assert int(answers[-1]["Retry-After"]) <= 60
