"""What installations of before have stored of leaders, banners and Morale is read as posts and figures."""

from importlib import import_module
from types import SimpleNamespace
from uuid import uuid4

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection

from rulebook.chronicle.facts import Appointed, decode, encode
from warbands.models import Warband

migration = import_module("warbands.migrations.0004_posts_of_a_warband")


@pytest.fixture
def stored() -> Warband:
    owner = User.objects.create_user("bob")
    state = {"name": "The Reds", "leader": "hector", "bearer": None}
    return Warband.objects.create(
        id=uuid4(), owner=owner, ruleset="toy", edition="1", faction="reds", name="The Reds", state=state
    )


@pytest.mark.django_db
def test_the_state_of_a_warband_gets_posts_and_back(stored: Warband) -> None:
    editor = SimpleNamespace(connection=connection)
    migration.name_posts(apps, editor)
    stored.refresh_from_db()
    assert stored.state == {"name": "The Reds", "posts": {"leader": ["hector"]}}
    migration.name_posts(apps, editor)
    migration.name_leader_and_bearer(apps, editor)
    stored.refresh_from_db()
    assert stored.state == {"name": "The Reds", "leader": "hector", "bearer": None}


def test_a_fact_of_before_is_read_and_written_as_it_was() -> None:
    stored = {"kind": "appointed", "leader": "hector", "bearer": "jill", "version": 1}
    fact = decode(stored)
    assert isinstance(fact, Appointed)
    assert fact.holders == {"leader": ("hector",), "banner": ("jill",)}
    assert encode(fact) == stored
