"""Several at once, each on a connection of its own. Only Postgres lets writers run side by side."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection

from core.errors import MusterError
from tests.conftest import api_of
from tests.together import at_once
from tests.warbands.conftest import fight, fighter_of
from warbands.models import RankUpOffer, Warband
from warbands.services.rank_up_offers import prepare_offers
from warbands.services.rank_ups import take_rank_up
from warbands.services.roster import NewFighter, recruit_fighters, rename_fighter
from warbands.services.verification import prove

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def proved(warband: Warband) -> bool:
    return prove(Warband.objects.get(pk=warband.pk)) == []


def test_simultaneous_facts_are_all_kept_in_order(reds: Warband, bob: User) -> None:
    jack = fighter_of(reds, "Jack").pk
    results = at_once(
        *(lambda n=n: rename_fighter(fighter_id=jack, name=f"Jack {n}", user=bob) for n in range(6))
    )
    assert results == [None] * 6
    assert list(reds.chronicle.values_list("sequence", flat=True)) == list(range(1, 9))
    assert proved(reds)


def test_changes_of_the_same_reading_are_made_once(reds: Warband, bob: User) -> None:
    def recruit() -> Any:
        fighters = [NewFighter({"profile": "recruit"})]
        return recruit_fighters(
            warband_id=reds.pk, fighters=fighters, user=bob, sequence=reds.sequence
        )

    refused = [result for result in at_once(*[recruit] * 4) if isinstance(result, MusterError)]
    assert [(refusal.code, refusal.http_status) for refusal in refused] == [
        ("chronicle-went-on", 409)
    ] * 3
    assert reds.fighters.count() == 4
    assert proved(reds)


def test_one_request_sent_ten_times_recruits_once(reds: Warband, bob: User) -> None:
    body = {"fighters": [{"build": {"profile": "recruit"}, "count": 2, "client_id": str(uuid4())}]}

    def send() -> Any:
        return api_of(bob).post(f"/api/v1/warbands/{reds.pk}/fighters/", body)

    answers = at_once(*[send] * 10)
    assert {answer.status_code for answer in answers} == {201}
    assert (
        len({tuple(fighter["id"] for fighter in answer.json()["fighters"]) for answer in answers})
        == 1
    )
    assert reds.fighters.count() == 5
    assert proved(reds)


def test_a_step_is_taken_once_by_two_impatient_hands(reds: Warband, bob: User) -> None:
    fight(reds, {"Jack": 3})
    jack = fighter_of(reds, "Jack").pk
    results = at_once(*[lambda: take_rank_up(fighter_id=jack, step="veteran", user=bob)] * 2)
    assert sorted(getattr(result, "code", "taken") for result in results) == [
        "taken",
        "unknown-step",
    ]
    assert proved(reds)


def test_offers_stay_consistent_during_a_rank_up(reds: Warband, bob: User) -> None:
    fight(reds, {"Jack": 3, "Jill": 3})
    jack = fighter_of(reds, "Jack").pk
    at_once(
        *[lambda: prepare_offers(warband_id=reds.pk)] * 3,
        lambda: take_rank_up(fighter_id=jack, step="veteran", user=bob),
    )
    prepare_offers(warband_id=reds.pk)
    assert [offer.fighter.name for offer in RankUpOffer.objects.select_related("fighter")] == [
        "Jill"
    ]


def test_the_database_in_use_has_row_locks() -> None:
    assert connection.features.has_select_for_update
