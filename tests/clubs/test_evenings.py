"""Evenings of a club: made week by week, changed, cancelled, answered."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.utils import timezone
from rest_framework.test import APIClient

from clubs.models import Attendance, Club, Evening
from clubs.services.clubs import edit_club
from clubs.services.evenings import (
    answer_evening,
    cancel_evening,
    change_evening,
    make_evenings,
    restore_evening,
)
from clubs.services.members import add_guest, remove_member
from core.errors import Forbidden, InvalidInput, NotFound, StateConflict
from home.selectors.evenings import evening_card
from tests.campaigns.conftest import seat

SOON = timezone.now().replace(microsecond=0) + timedelta(days=2)
HOURS: dict[str, Any] = {"starts_at": SOON, "ends_at": SOON + timedelta(hours=4)}


@pytest.fixture
def evening(club: Club, alice: User) -> Evening:
    return make_evenings(club_id=club.pk, user=alice, place="The Three Tuns", **HOURS)[0]


def test_evenings_of_a_season_keep_their_hour_over_the_end_of_summer_time(
    club: Club, alice: User
) -> None:
    edit_club(club_id=club.pk, user=alice, time_zone="Europe/Berlin")
    club.refresh_from_db()
    year = timezone.now().year + 1
    start = datetime(year, 10, 15, 19, tzinfo=club.zone).astimezone(UTC)
    made = make_evenings(
        club_id=club.pk, user=alice, starts_at=start, ends_at=start + timedelta(hours=4), weeks=4
    )
    assert {(each.local_start.hour, each.local_end.hour) for each in made} == {(19, 23)}
    assert {each.starts_at.hour for each in made} == {17, 18}
    assert [(later.local_start.date() - made[0].local_start.date()).days for later in made] == [
        0,
        7,
        14,
        21,
    ]


def test_new_time_zone_keeps_local_hours(club: Club, alice: User) -> None:
    past: dict[str, Any] = {
        "starts_at": SOON - timedelta(days=9),
        "ends_at": SOON - timedelta(days=9) + timedelta(hours=1),
    }
    made = [make_evenings(club_id=club.pk, user=alice, **hours)[0] for hours in (HOURS, past)]
    edit_club(club_id=club.pk, user=alice, time_zone="America/New_York")
    coming, over = (Evening.objects.select_related("club").get(pk=each.pk) for each in made)
    assert coming.local_start.replace(tzinfo=None) == SOON.replace(tzinfo=None)
    assert (coming.version, coming.starts_at != SOON) == (2, True)
    assert (over.version, over.starts_at) == (1, past["starts_at"])


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"ends_at": SOON}, "ends_at", "ends-too-early"),
        ({"ends_at": SOON + timedelta(days=5)}, "ends_at", "lasts-too-long"),
        ({"starts_at": SOON - timedelta(days=4000)}, "starts_at", "out-of-range"),
        ({"starts_at": datetime.max.replace(tzinfo=UTC)}, "starts_at", "out-of-range"),
        ({"weeks": 31}, "weeks", "out-of-range"),
        ({"weeks": 0}, "weeks", "out-of-range"),
        ({"place": "x" * 121}, "place", "too-long"),
        ({"note": "a\0b"}, "note", "unstorable-text"),
    ],
)
def test_what_makes_no_evening_is_refused(
    club: Club, alice: User, changes: dict[str, Any], field: str, code: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        make_evenings(club_id=club.pk, user=alice, **{**HOURS, **changes})
    assert [(problem.field, problem.code) for problem in refused.value.problems] == [(field, code)]
    assert not Evening.objects.exists()


def test_each_change_is_a_version_and_answers_stay(
    evening: Evening, alice: User, bob: User
) -> None:
    answer_evening(evening_id=evening.pk, user=bob, answer="coming")
    changed = change_evening(
        evening_id=evening.pk, user=alice, place="The  Red Lion", note="Elsewhere"
    )
    assert (changed.place, changed.note, changed.version, changed.starts_at) == (
        "The Red Lion",
        "Elsewhere",
        2,
        SOON,
    )
    cancelled = cancel_evening(evening_id=evening.pk, user=alice, reason="Flooded")
    assert (cancelled.version, cancelled.reason, cancelled.cancelled_at is None) == (
        3,
        "Flooded",
        False,
    )
    for late in (lambda: answer_evening(evening_id=evening.pk, user=bob, answer="coming"),
                 lambda: cancel_evening(evening_id=evening.pk, user=alice)):  # fmt: skip
        with pytest.raises(StateConflict, match="cancelled"):
            late()
    assert restore_evening(evening_id=evening.pk, user=alice).version == 4
    assert evening_card(Evening.objects.get(), bob).mine == "coming"


def test_the_last_answer_counts_and_who_has_left_is_not_expected(
    evening: Evening, club: Club, alice: User, bob: User, dora: User
) -> None:
    for user, answer in ((bob, "coming"), (bob, "perhaps"), (dora, "coming"), (bob, "coming")):
        answer_evening(evening_id=evening.pk, user=user, answer=answer)
    assert Attendance.objects.count() == 2
    card = evening_card(evening, alice)
    assert (card.coming, card.perhaps, card.mine) == (2, 0, "")
    remove_member(member_id=seat(club, "Dora"), user=dora)
    assert [row.name for row in evening_card(evening, alice).comers] == ["Bob"]


def test_evening_shows_strangers_only_a_count(
    evening: Evening, club: Club, alice: User, bob: User, charlie: User
) -> None:
    edit_club(club_id=club.pk, user=alice, visibility="public")
    answer_evening(evening_id=evening.pk, user=bob, answer="coming")
    for stranger in (charlie, AnonymousUser()):
        card = evening_card(evening, stranger)
        assert (card.coming, card.answers, card.may_answer, card.guests) == (1, (), False, ())
    with pytest.raises(Forbidden) as refused:
        answer_evening(evening_id=evening.pk, user=charlie, answer="coming")
    assert refused.value.code == "members-only"


def test_organisers_answer_for_guests_and_members_who_phoned(
    evening: Evening, club: Club, alice: User, bob: User
) -> None:
    guest = add_guest(club_id=club.pk, user=alice, name="Gaston")
    answer_evening(evening_id=evening.pk, user=alice, answer="coming", member_id=guest.pk)
    assert [row.name for row in evening_card(evening, bob).comers] == ["Gaston"]
    assert [(row.name, row.answer) for row in evening_card(evening, alice).guests] == [
        ("Gaston", "coming")
    ]
    with pytest.raises(Forbidden):
        answer_evening(evening_id=evening.pk, user=bob, answer="not-coming", member_id=guest.pk)
    answer_evening(evening_id=evening.pk, user=alice, answer="coming", member_id=seat(club, "Bob"))
    card = evening_card(evening, bob)
    assert (card.mine, card.mine_by_organiser) == ("coming", True)
    assert {row.name: row.by_organiser for row in card.answers} == {"Gaston": True, "Bob": True}
    # The member's own answer replaces it.
    answer_evening(evening_id=evening.pk, user=bob, answer="not-coming")
    card = evening_card(evening, bob)
    assert (card.mine, card.mine_by_organiser) == ("not-coming", False)
    # An organiser's own answer is not marked.
    answer_evening(evening_id=evening.pk, user=alice, answer="coming")
    assert not evening_card(evening, alice).mine_by_organiser


def test_an_evening_that_is_over_takes_no_answers(evening: Evening, bob: User) -> None:
    Evening.objects.update(starts_at=SOON - timedelta(days=9), ends_at=SOON - timedelta(days=8))
    with pytest.raises(StateConflict) as refused:
        answer_evening(evening_id=evening.pk, user=bob, answer="coming")
    assert refused.value.code == "evening-over"


def test_only_organisers_of_this_club_make_and_change_evenings(
    evening: Evening, club: Club, bob: User, charlie: User
) -> None:
    for user, expected in ((bob, Forbidden), (charlie, NotFound)):
        for verb in (
            lambda user=user: make_evenings(club_id=club.pk, user=user, **HOURS),
            lambda user=user: change_evening(evening_id=evening.pk, user=user, place="Mine"),
            lambda user=user: cancel_evening(evening_id=evening.pk, user=user),
            lambda user=user: restore_evening(evening_id=evening.pk, user=user),
        ):
            with pytest.raises(expected):
                verb()
    assert Evening.objects.get().place == "The Three Tuns"


def test_api_does_everything_that_pages_do(
    club: Club, as_alice: APIClient, as_bob: APIClient, as_charlie: APIClient
) -> None:
    place = f"/api/v1/clubs/{club.pk}/evenings/"
    body = {
        "starts_at": SOON.isoformat(),
        "ends_at": (SOON + timedelta(hours=3)).isoformat(),
        "weeks": 3,
    }
    made = as_alice.post(place, body)
    assert made.status_code == 201
    address = f"/api/v1/evenings/{made.data['id']}/"
    assert as_bob.post(f"{address}answer/", {"answer": "coming"}).data["mine"] == "coming"
    assert as_alice.patch(address, {"place": "The cellar"}).data["place"] == "The cellar"
    assert as_alice.post(f"{address}cancel/", {"reason": "Flooded"}).data["cancelled"] is True
    assert (
        as_bob.post(f"{address}answer/", {"answer": "coming"}).data["code"] == "evening-cancelled"
    )
    assert as_alice.post(f"{address}restore/").data["cancelled"] is False
    later = (SOON + timedelta(days=5)).isoformat()
    assert as_bob.get(place).data["count"] == 3
    assert [each["coming"] for each in as_bob.get(place, {"since": later}).data["results"]] == [
        0,
        0,
    ]
    assert as_bob.post(place, body).status_code == 403
    for hidden in (
        as_charlie.get(place),
        as_charlie.get(address),
        as_charlie.post(f"{address}answer/", {"answer": "coming"}),
    ):
        assert hidden.status_code == 404
    days = {
        "since": SOON.date().isoformat(),
        "until": (SOON + timedelta(days=8)).date().isoformat(),
    }
    calendar = as_bob.get(f"/api/v1/clubs/{club.pk}/calendar/", days).data
    assert [(entry["kind"], entry["mine"]) for entry in calendar["entries"]] == [
        ("evening", "coming"),
        ("evening", ""),
    ]
    assert (
        as_bob.get(f"/api/v1/clubs/{club.pk}/calendar/", {"since": "9999-12-31"}).status_code == 400
    )


# A series


@pytest.fixture
def series(club: Club, alice: User) -> list[Evening]:
    """Return four Thursdays from 19:00 to 23:00 local time, over the end of summer time."""
    edit_club(club_id=club.pk, user=alice, time_zone="Europe/Berlin")
    club.refresh_from_db()
    start = datetime(timezone.now().year + 1, 10, 15, 19, tzinfo=club.zone)
    hours: dict[str, Any] = {"starts_at": start, "ends_at": start + timedelta(hours=4), "weeks": 4}
    return make_evenings(club_id=club.pk, user=alice, place="The Three Tuns", **hours)


def now_of(series: list[Evening]) -> list[Evening]:
    return [Evening.objects.select_related("club").get(pk=each.pk) for each in series]


def test_this_and_the_later_evenings_of_a_series_are_changed_together(
    series: list[Evening], alice: User
) -> None:
    first, second, third, _last = series
    assert len({each.series for each in series}) == 1 and first.series is not None
    change_evening(evening_id=third.pk, user=alice, note="Bring dice")
    start = second.local_start + timedelta(days=1, hours=1)
    kwargs: dict[str, Any] = {
        "starts_at": start,
        "ends_at": start + timedelta(hours=6),
        "place": "The Red Lion",
    }
    change_evening(evening_id=second.pk, user=alice, later=True, note="", **kwargs)
    now = now_of(series)
    assert [each.version for each in now] == [1, 2, 3, 2], "calendars hear of each that was changed"
    assert [each.place for each in now] == ["The Three Tuns", *["The Red Lion"] * 3]
    assert now[2].note == "Bring dice", "what was not changed stays with each as it is"
    assert [(each.local_start.hour, each.local_end.hour) for each in now] == [
        (19, 23),
        *[(20, 2)] * 3,
    ]
    moved = [
        (new.local_start.date() - old.local_start.date()).days
        for new, old in zip(now, series, strict=True)
    ]
    assert moved == [0, 1, 1, 1]
    change_evening(
        evening_id=third.pk, user=alice, later=True, note="No dice", place="The Red Lion"
    )
    assert [each.version for each in now_of(series)] == [1, 2, 4, 3]
    with pytest.raises(InvalidInput, match="must be after the start"):
        change_evening(evening_id=first.pk, user=alice, later=True, ends_at=first.starts_at)
    assert [each.version for each in now_of(series)] == [1, 2, 4, 3], "all or none"


def test_the_rest_of_a_series_is_cancelled_and_takes_place_after_all(
    series: list[Evening], alice: User, bob: User, as_alice: APIClient
) -> None:
    _, second, third, _last = series
    cancel_evening(evening_id=third.pk, user=alice, reason="A wedding")
    cancel_evening(evening_id=second.pk, user=alice, reason="Flooded", later=True)
    assert [each.reason for each in now_of(series)] == ["", "Flooded", "A wedding", "Flooded"]
    with pytest.raises(Forbidden):
        restore_evening(evening_id=second.pk, user=bob, later=True)
    where = f"/api/v1/evenings/{second.pk}/"
    restored = as_alice.post(f"{where}restore/", {"later": True}, format="json").json()
    assert restored["series"] == str(second.series)
    assert not any(each.cancelled_at for each in now_of(series))
    as_alice.patch(where, {"place": "Outside", "later": True}, format="json")
    assert [each.place for each in now_of(series)] == ["The Three Tuns", *["Outside"] * 3]
    as_alice.post(f"{where}cancel/", {"reason": "Snow", "later": True}, format="json")
    assert [each.cancelled_at is None for each in now_of(series)] == [True, False, False, False]
    body = as_alice.get(
        f"/api/v1/clubs/{second.club_id}/evenings/", {"series": str(second.series)}
    ).json()
    assert [each["reason"] for each in body["results"]] == ["", "Snow", "Snow", "Snow"]


def test_an_evening_that_was_made_alone_has_no_later_ones(
    evening: Evening, club: Club, alice: User
) -> None:
    week: dict[str, Any] = {key: moment + timedelta(weeks=1) for key, moment in HOURS.items()}
    other = make_evenings(club_id=club.pk, user=alice, **week)[0]
    change_evening(evening_id=evening.pk, user=alice, later=True, place="Outside")
    assert (evening.series, now_of([other])[0].version) == (None, 1)
