"""The standings through the API."""

from contextlib import nullcontext

import pytest
from django.contrib.auth.models import User
from django.db import connection
from rest_framework.test import APIClient

from clubs.models import Membership, Role
from tests.battles.table import Table
from tests.conftest import api_of

pytestmark = pytest.mark.one_database


def test_the_table_comes_whole_with_its_rules(alice: User, django_assert_num_queries) -> None:
    club = Table("ABC")
    club.fight(0, 1, 5, 2)
    Membership.objects.create(
        club=club.campaign.club, user=alice, name="Organiser", role=Role.ORGANISER
    )
    client = api_of(alice)
    # On SQLite, the content of rows is compared, by a statement for each table.
    on_postgres = connection.vendor == "postgresql"
    with django_assert_num_queries(5) if on_postgres else nullcontext():
        answer = client.get(f"/api/v1/campaigns/{club.campaign.pk}/standings/")
    assert answer.status_code == 200
    assert [(row["position"], row["name"], row["points"]) for row in answer.data["rows"]] == [
        (1, "A", 3),
        (2, "C", 0),
        (3, "B", 0),
    ]
    first = answer.data["rows"][0]
    assert (first["played"], first["difference"], first["victory_points"]) == (1, 3, 5)
    assert answer.data["tie_rule"].startswith("Ties are broken by")
    assert answer.data["rule"] == "Points: 3 for a win, 1 for a draw, 0 for a defeat."


def test_a_table_of_a_hidden_campaign_is_not_found(
    db: None, as_charlie: APIClient, anonymous: APIClient
) -> None:
    place = f"/api/v1/campaigns/{Table('AB').campaign.pk}/standings/"
    assert as_charlie.get(place).status_code == 404
    assert anonymous.get(place).status_code == 401


def test_the_table_can_only_be_read(alice: User) -> None:
    club = Table("AB")
    Membership.objects.create(
        club=club.campaign.club, user=alice, name="Organiser", role=Role.ORGANISER
    )
    assert api_of(alice).post(f"/api/v1/campaigns/{club.campaign.pk}/standings/").status_code == 405
