"""A classic campaign.

Alice organises and plays, Bob plays, Dora spectates, Charlie is a stranger.
"""

import pytest
from django.contrib.auth.models import User

from campaigns.models import Campaign
from clubs.models import Club
from tests.leagues.classic import world
from warbands.models import Warband


@pytest.fixture
def club(alice: User, bob: User, dora: User) -> Club:
    return world.club_of(alice, bob, spectators=[dora])


@pytest.fixture
def reds(alice: User) -> Warband:
    """Return Alice's company."""
    return world.guards(alice, "Reds")


@pytest.fixture
def blues(bob: User) -> Warband:
    """Return Bob's company."""
    return world.guards(bob, "Blues")


@pytest.fixture
def campaign(club: Club, alice: User, reds: Warband, blues: Warband) -> Campaign:
    """Return a running campaign without sealed orders."""
    return world.classic(club, alice, reds, blues)


@pytest.fixture
def opened(campaign: Campaign, reds: Warband, blues: Warband) -> Campaign:
    """Return the campaign with all orders open and the small games planned."""
    return world.revealed(campaign, reds, blues)
