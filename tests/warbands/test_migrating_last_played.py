"""What installations of before have stored gets the day of the latest battle, as the replay tells it."""

from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection

from campaigns.models import Campaign
from tests.battles.conftest import blues as blues
from tests.battles.conftest import campaign as campaign
from tests.battles.conftest import club as club
from tests.battles.conftest import reds as reds
from tests.battles.field import confirmed
from tests.full_toy import register_toy as register_toy
from warbands.models import Warband
from warbands.services.verification import prove

migration = import_module("warbands.migrations.0011_battles_in_the_order_of_play")


def fought(day: str, **more: Any) -> dict[str, Any]:
    return {"kind": "fought", "fought_on": day, **more}


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([], ["", ""]),
        ([(3, fought("2026-03-07")), (5, fought("2026-02-07"))], ["2026-03-07", ""]),
        (
            [(3, fought("2026-03-07")), (4, {"kind": "corrected", "target": 3, "replacement": fought("2026-01-01")})],
            ["2026-01-01", ""],
        ),
        ([(3, fought("2026-03-07")), (4, {"kind": "corrected", "target": 3})], ["", ""]),
        ([(3, fought("2026-03-07")), (5, {"kind": "corrected", "target": 4, "undone": [3]})], ["", ""]),
        ([(3, fought("2026-03-07", place_in_day="x"))], ["2026-03-07", "x"]),
    ],
)
def test_the_latest_battle_that_counts_is_told(entries: list[tuple[int, dict[str, Any]]], expected: list[str]) -> None:
    assert migration._last_played(entries) == expected


@pytest.mark.usefixtures("register_toy")
def test_stored_states_become_what_the_replay_says(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migration, "ROWS", 1)
    confirmed(alice, campaign, reds, blues)
    for warband in Warband.objects.all():
        warband.state.pop("last_played")
        warband.save(update_fields=["state"])
    assert all(prove(warband) for warband in Warband.objects.all())
    migration.name_last_played(apps, SimpleNamespace(connection=connection))
    assert not any(prove(warband) for warband in Warband.objects.all())
