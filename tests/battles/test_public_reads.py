"""Reads of the API that need no account: everybody gets what a signed-in stranger gets."""

import pytest
from django.contrib.auth.models import User
from knox.models import AuthToken
from rest_framework.test import APIClient

from battles.models import Battle
from campaigns.models import Campaign
from core.users import Visibility
from tests.battles.field import confirmed, fighters, wound
from warbands.models import Warband

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture
def battle(campaign: Campaign, alice: User, reds: Warband, blues: Warband) -> Battle:
    blow = wound(fighters(reds)[0], fighters(blues)[0])
    return confirmed(alice, campaign, reds, blues, events=(blow,))


def addresses(battle: Battle) -> list[str]:
    campaign = f"/api/v1/campaigns/{battle.campaign_id}/"
    return [
        campaign,
        f"{campaign}standings/",
        f"{campaign}fixtures/",
        f"/api/v1/battles/{battle.pk}/",
        f"/api/v1/battles/{battle.pk}/events/",
    ]


LISTS = ["/api/v1/campaigns/", "/api/v1/battles/", "/api/v1/rulesets/", "/api/v1/rulesets/toy/"]


def publish(battle: Battle) -> None:
    Campaign.objects.filter(battles=battle).update(visibility=Visibility.PUBLIC)


def test_everybody_reads_what_a_stranger_reads_of_a_public_campaign(
    battle: Battle, as_charlie: APIClient
) -> None:
    publish(battle)
    anonymous = APIClient()
    for address in [*addresses(battle), *LISTS]:
        answer = anonymous.get(address)
        assert answer.status_code == 200, address
        assert answer.json() == as_charlie.get(address).json(), address
        unchanged = anonymous.get(address, headers={"If-None-Match": answer["ETag"]})
        assert unchanged.status_code == 304, address


def test_a_private_campaign_asks_to_sign_in(battle: Battle) -> None:
    anonymous = APIClient()
    for address in addresses(battle):
        answer = anonymous.get(address)
        assert (answer.status_code, answer.json()["code"]) == (401, "not_authenticated"), address
        assert answer["WWW-Authenticate"].startswith("Token")
    for address in LISTS[:2]:
        assert anonymous.get(address).json()["results"] == []


def test_nobody_writes_without_an_account(battle: Battle) -> None:
    publish(battle)
    anonymous = APIClient()
    for address in [*addresses(battle), *LISTS]:
        for method in ("post", "put", "patch", "delete"):
            answer = getattr(anonymous, method)(address, {}, format="json")
            assert answer.status_code == 401, (method, address)


def test_a_wrong_token_is_refused_everywhere(battle: Battle) -> None:
    publish(battle)
    for scheme in ("Token", "Bearer"):
        client = APIClient(headers={"Authorization": f"{scheme} wrong"})
        assert {client.get(address).status_code for address in addresses(battle)} == {401}


def test_a_token_is_read_after_either_word(battle: Battle, bob: User) -> None:
    _, token = AuthToken.objects.create(bob)
    for scheme in ("Token", "Bearer", "bearer"):
        client = APIClient(headers={"Authorization": f"{scheme} {token}"})
        assert client.get(addresses(battle)[0]).status_code == 200
    for header in (f"Basic {token}", f"Bearer {token} {token}", "Bearer"):
        client = APIClient(headers={"Authorization": header})
        assert client.get(addresses(battle)[0]).status_code == 401
