"""A club with the toy's rules.

Alice organises, Bob plays, Dora spectates, Charlie is a stranger.
"""

from collections.abc import Callable
from datetime import date
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User

from battles.models import Battle, Side
from campaigns.models import Campaign
from campaigns.services.campaigns import plan_campaign
from campaigns.services.enrolments import enrol_warband
from clubs.models import Club, Membership, Role
from clubs.services.clubs import found_club
from rulebook.chronicle.facts import Appointed, Mustered, Recruit, Recruited
from rulebook.ruleset import Ruleset
from tests.full_toy import register_toy
from warbands.models import Warband
from warbands.services.chronicle import append_facts
from warbands.signed import create_signed

__all__ = ["Muster", "battle_of", "register_toy", "seat"]

Muster = Callable[..., Warband]


@pytest.fixture(autouse=True)
def toy(register_toy: Ruleset) -> Ruleset:
    return register_toy


@pytest.fixture
def club(alice: User, bob: User, dora: User) -> Club:
    """Return Alice's club with Bob and Dora."""
    club = found_club(user=alice, name="The Old Guard", member_name="Alice")
    create_signed(Membership, club=club, user=bob, name="Bob", role=Role.PLAYER)
    create_signed(Membership, club=club, user=dora, name="Dora", role=Role.SPECTATOR)
    return club


@pytest.fixture
def campaign(club: Club, alice: User) -> Campaign:
    """Return a planned campaign of 50 points."""
    return plan_campaign(
        club_id=club.pk, user=alice, name="The Long Winter", ruleset="toy", points=50
    )


@pytest.fixture
def muster(db: None) -> Muster:
    """Return a function that makes a warband; the first fighter leads.

    Example: ``muster(owner, "Reds", "captain", "recruit")``.
    """

    def make(owner: User | None, name: str, *profiles: str, keeper: User | None = None) -> Warband:
        warband = create_signed(
            Warband,
            owner=owner,
            keeper=keeper,
            name=name,
            ruleset="toy",
            edition="1",
            faction="reds",
        )
        append_facts(
            {warband.pk: Mustered(ruleset="toy", edition="1", faction="reds", name=name)},
            user=owner or keeper,
        )
        recruits = tuple(
            Recruit(str(uuid4()), f"{profile} {place}", {"profile": profile, "options": []})
            for place, profile in enumerate(profiles or ("captain", "recruit"))
        )
        append_facts({warband.pk: Recruited(recruits=recruits)}, user=owner or keeper)
        append_facts(
            {warband.pk: Appointed(posts={"leader": (recruits[0].fighter,)})}, user=owner or keeper
        )
        return Warband.objects.get(pk=warband.pk)

    return make


@pytest.fixture
def enrolled(campaign: Campaign, muster: Muster, alice: User, bob: User) -> Campaign:
    """Return the campaign with a warband of Alice's and one of Bob's."""
    for owner, name in ((alice, "Alice's Reds"), (bob, "Bob's Reds")):
        enrol_warband(campaign_id=campaign.pk, warband_id=muster(owner, name).pk, user=owner)
    return campaign


def seat(club: Club, name: str) -> UUID:
    """Return the id of the club's member with this name."""
    return Membership.objects.get(club=club, name=name).pk


def battle_of(
    campaign: Campaign, warbands: list[Warband], user: User, state: str = "confirmed"
) -> Battle:
    """Return a battle of two warbands that the first one won, without a log or chronicle entries."""
    battle = create_signed(
        Battle,
        campaign=campaign,
        ruleset="toy",
        edition="1",
        scenario="brawl",
        state=state,
        fought_on=date(2030, 1, 1),
        created_by=user,
    )
    for place, (warband, outcome) in enumerate(zip(warbands, ("won", "lost"), strict=True)):
        create_signed(
            Side, battle=battle, key=str(place), place=place, warband=warband, outcome=outcome
        )
    return battle
