"""Alice's guards and Bob's Landsknechts in a campaign that Alice organises.

Dora spectates, and Charlie is a stranger.
"""

import pytest
from django.contrib.auth.models import User

from battles.models import Battle
from campaigns.models import Campaign
from clubs.models import Club
from tests.pages import world
from warbands.models import Warband


@pytest.fixture
def club(alice: User, bob: User, dora: User) -> Club:
    return world.club_of(alice, players=[bob], spectators=[dora])


@pytest.fixture
def guards(alice: User) -> Warband:
    return world.guards(alice)


@pytest.fixture
def haufen(bob: User) -> Warband:
    return world.landsknechts(bob)


@pytest.fixture
def campaign(club: Club, alice: User, guards: Warband, haufen: Warband) -> Campaign:
    return world.campaign_of(club, alice, guards, haufen)


@pytest.fixture
def begun(alice: User, campaign: Campaign, guards: Warband, haufen: Warband) -> Battle:
    """Return a battle in progress."""
    return world.begun_battle(alice, campaign, guards, haufen)
