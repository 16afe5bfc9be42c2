"""A classic campaign: Alice organises and plays, Bob plays, Dora looks on, Charlie is a
stranger."""

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
    """Alice's company."""
    return world.guards(alice, "Reds")


@pytest.fixture
def blues(bob: User) -> Warband:
    """Bob's company."""
    return world.guards(bob, "Blues")


@pytest.fixture
def campaign(club: Club, alice: User, reds: Warband, blues: Warband) -> Campaign:
    """Running; nobody has sealed yet."""
    return world.classic(club, alice, reds, blues)


@pytest.fixture
def opened(campaign: Campaign, reds: Warband, blues: Warband) -> Campaign:
    """All orders are open and the small games planned."""
    return world.revealed(campaign, reds, blues)
