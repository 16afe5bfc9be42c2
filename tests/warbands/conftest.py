"""Bob's Reds, under the toy's rules. Alice organises the campaign that they may be in."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from campaigns.models import Campaign, CampaignState, Enrolment
from clubs.models import Club, Membership, Role
from rulebook.chronicle.facts import Enrolled, Fought
from rulebook.ruleset import Deed, Fate, Outcome, Record, Ruleset
from tests import full_toy
from warbands.models import Fighter, Warband
from warbands.services.chronicle import append_facts
from warbands.services.roster import NewFighter, recruit_fighters
from warbands.services.warbands import muster_warband
from warbands.signed import create_signed

Enrol = Callable[..., Campaign]
register_toy = full_toy.register_toy


@pytest.fixture(autouse=True)
def toy(register_toy: Ruleset) -> Ruleset:
    return register_toy


@pytest.fixture
def club(alice: User, bob: User, dora: User) -> Club:
    """Return Alice's club with Bob and Dora; Charlie is not a member."""
    club = create_signed(Club, name="The Old Guard")
    for user, role in ((alice, Role.ORGANISER), (bob, Role.PLAYER), (dora, Role.SPECTATOR)):
        create_signed(Membership, club=club, user=user, name=user.username, role=role)
    return club


@pytest.fixture
def reds(bob: User) -> Warband:
    """Return Bob's draft: a captain and two recruits, 26 points, without a leader."""
    warband = muster_warband(user=bob, ruleset="toy", faction="reds", name="The Reds")
    recruits = [
        NewFighter(build={"profile": "captain"}, name="Hector"),
        NewFighter(build={"profile": "recruit"}, name="Jack"),
        NewFighter(build={"profile": "recruit"}, name="Jill"),
    ]
    recruit_fighters(warband_id=warband.pk, fighters=recruits, user=bob)
    warband.refresh_from_db()
    return warband


@pytest.fixture
def enrol(club: Club, alice: User) -> Enrol:
    """Return a function that enters a warband in a running campaign of Alice's.

    Example: ``enrol(reds, points=40, surviving=2)``.
    """

    def enrol(warband: Warband, points: int = 40, **house_rules: Any) -> Campaign:
        campaign = create_signed(
            Campaign,
            club=club,
            name="The Long Winter",
            ruleset="toy",
            edition="1",
            points=points,
            house_rules=house_rules,
            state=CampaignState.RUNNING,
        )
        player = Membership.objects.get(club=club, user=warband.owner or alice)
        now = timezone.now() + timedelta(seconds=Enrolment.objects.count())
        create_signed(Enrolment, campaign=campaign, warband=warband, player=player, enrolled_at=now)
        fact = Enrolled(
            campaign=str(campaign.pk),
            campaign_name=campaign.name,
            agreed_points=points,
            settings=house_rules,
        )
        append_facts({warband.pk: fact}, user=alice)
        warband.refresh_from_db()
        return campaign

    return enrol


@pytest.fixture
def campaign(reds: Warband, enrol: Enrol) -> Campaign:
    """Return Alice's running campaign of 40 points with the Reds."""
    return enrol(reds)


def fighter_of(warband: Warband, name: str) -> Fighter:
    """Return a fighter by its name."""
    return Fighter.objects.get(warband=warband, name=name)


def fight(
    warband: Warband,
    wounds: dict[str, int] | None = None,
    *,
    dead: tuple[str, ...] = (),
    friendly: bool = False,
) -> UUID:
    """Fight a battle that all fit fighters win, and return its id.

    ``wounds`` counts the wounds dealt by each fighter.
    """
    fighters = {fighter.name: fighter for fighter in warband.fighters.filter(fate=Fate.FIT)}
    battle = uuid4()
    deeds = tuple(
        Deed(
            str(fighters[name].pk),
            "wound",
            1,
            victim_name="Black Tom",
            victim_rank=3,
            result="light",
        )
        for name, count in (wounds or {}).items()
        for _ in range(count)
    )
    fact = Fought(
        battle=str(battle),
        title="The Mill",
        scenario="brawl",
        fought_on="2026-03-01",
        side="a",
        role="side",
        against=("The Blues",),
        outcome=Outcome.WON,
        victory_points=3,
        victory_points_against=1,
        friendly=friendly,
        records=tuple(_record(fighter, fighter.name in dead) for fighter in fighters.values()),
        deeds=deeds,
    )
    append_facts({warband.pk: fact}, user=None)
    return battle


def _record(fighter: Fighter, dead: bool) -> Record:
    if not dead:
        return Record(str(fighter.pk), fighter.rank, Fate.FIT)
    return Record(
        str(fighter.pk),
        fighter.rank,
        Fate.DEAD,
        survived=False,
        wounds="critical",
        killed_by="Black Tom",
    )
