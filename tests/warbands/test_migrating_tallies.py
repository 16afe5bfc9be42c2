"""What installations of before have stored of wounds dealt and kills is read as tallies."""

from importlib import import_module
from types import SimpleNamespace
from uuid import uuid4

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection

from warbands.models import Fighter, Warband

migration = import_module("warbands.migrations.0005_tallies_of_a_service_record")
BEFORE = {"name": "Hector", "battles": 3, "wounds_dealt": 2, "kills": 0}
AFTER = {"name": "Hector", "battles": 3, "tallies": {"wounds_dealt": 2}}


def test_a_stored_state_gets_tallies_and_back() -> None:
    fighter = SimpleNamespace(state=BEFORE)
    assert migration._with_tallies(fighter)
    assert fighter.state == AFTER
    assert not migration._with_tallies(fighter)
    assert migration._with_numbers(fighter)
    assert (fighter.state, fighter.wounds_dealt, fighter.kills) == (BEFORE, 2, 0)
    assert not migration._with_numbers(fighter)


@pytest.mark.django_db
def test_every_fighter_is_rewritten_in_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migration, "ROWS", 2)
    owner = User.objects.create_user("bob")
    warband = Warband.objects.create(id=uuid4(), owner=owner, ruleset="toy", edition="1", faction="reds", name="Reds")
    for place in range(5):
        Fighter.objects.create(warband=warband, name="Hector", rank=1, points=5, fate="fit", state=BEFORE, place=place)
    migration.name_tallies(apps, SimpleNamespace(connection=connection))
    assert [fighter.state for fighter in Fighter.objects.all()] == [AFTER] * 5
