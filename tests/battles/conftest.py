"""A campaign with the toy's rules.

Alice organises, Bob plays, Dora spectates, Charlie is a stranger.
"""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from battles.models import Battle
from campaigns.models import Campaign
from clubs.models import Club
from rulebook.ruleset import Ruleset
from tests.battles import field
from tests.full_toy import register_toy as register_toy
from warbands.models import Warband


@pytest.fixture(autouse=True)
def toy(register_toy: Ruleset) -> Ruleset:
    return register_toy


@pytest.fixture
def club(alice: User, bob: User, dora: User) -> Club:
    """Return Alice's club with Bob and Dora."""
    return field.found(alice, bob, spectators=[dora])


@pytest.fixture
def reds(alice: User) -> Warband:
    """Return Alice's warband."""
    return field.muster(alice, "Reds")


@pytest.fixture
def blues(bob: User) -> Warband:
    """Return Bob's warband."""
    return field.muster(bob, "Blues")


@pytest.fixture
def campaign(club: Club, alice: User, reds: Warband, blues: Warband) -> Campaign:
    """Return a running campaign with both warbands."""
    return field.run_campaign(club, alice, reds, blues)


@pytest.fixture
def battle_that_is(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> Callable[[str], Battle]:
    """Return a function that makes a battle in the named state."""
    make: dict[str, Callable[[], Battle]] = {
        "planned": lambda: field.plan(alice, campaign, reds, blues),
        "fielded": lambda: field.plan(alice, campaign, reds, blues),
        "under-way": lambda: field.begin(alice, campaign, reds, blues),
        "submitted": lambda: field.fight(alice, campaign, reds, blues),
        "confirmed": lambda: field.confirmed(alice, campaign, reds, blues),
    }
    return lambda name: make[name]()
