"""A club with two full warbands and any number of submitted battles, created by the services."""

from datetime import date
from itertools import count
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from msgspec import Struct

from battles.models import Battle
from battles.services.fielding import Force, field_combatants, start_battle
from battles.services.logbook import NewEvent, log_events
from battles.services.planning import BattlePlan, PlannedSide, plan_battle
from battles.services.review import submit_battle
from campaigns.models import Campaign
from campaigns.services.campaigns import plan_campaign, start_campaign
from campaigns.services.enrolments import enrol_warband
from clubs.models import Membership, Role
from clubs.services.clubs import found_club
from scripts.bench.forces import BUILDS, FACTION, sixty_events
from warbands.models import Fighter, Warband
from warbands.services.roster import NewFighter, recruit_fighters
from warbands.services.warbands import muster_warband
from warbands.signed import create_signed

POINTS = 500
NUMBERS = count(1)


class World(Struct, frozen=True):
    """A running campaign of Alice's club, with her warband and Bob's."""

    campaign: Campaign
    alice: User
    bob: User
    warbands: tuple[Warband, Warband]


def make_world() -> World:
    """Create two players, one campaign, and a warband of twenty for each."""
    number = next(NUMBERS)
    alice, bob = (User.objects.create(username=f"{name}-{number}") for name in ("alice", "bob"))
    club = found_club(user=alice, name=f"Bench {number}", member_name="Alice")
    create_signed(Membership, club=club, user=bob, name="Bob", role=Role.PLAYER)
    campaign = plan_campaign(
        club_id=club.pk, user=alice, ruleset="en-garde", name="Bench", points=POINTS
    )
    ours, theirs = muster(alice, "Ours"), muster(bob, "Theirs")
    for owner, warband in ((alice, ours), (bob, theirs)):
        enrol_warband(campaign_id=campaign.pk, warband_id=warband.pk, user=owner)
    return World(start_campaign(campaign_id=campaign.pk, user=alice), alice, bob, (ours, theirs))


def muster(owner: User, name: str) -> Warband:
    """Create a warband of twenty."""
    warband = muster_warband(user=owner, ruleset="en-garde", faction=FACTION, name=name)
    recruit_fighters(
        warband_id=warband.pk, fighters=[NewFighter(build) for build in BUILDS], user=owner
    )
    return warband


def begun(world: World) -> tuple[UUID, list[str], list[str]]:
    """Start a battle of all fighters, and return its id and the fighters of both sides."""
    sides = tuple(PlannedSide(warband.pk, "warband") for warband in world.warbands)
    plan = BattlePlan(
        scenario="skirmish", sides=sides, fought_on=date(2026, 1, 1), campaign=world.campaign.pk
    )
    battle = plan_battle(user=world.alice, plan=plan)
    ours, theirs = (
        _field(world, battle, key, warband)
        for key, warband in zip("ab", world.warbands, strict=True)
    )
    start_battle(battle_id=battle.pk, user=world.alice)
    return battle.pk, ours, theirs


def fought(world: World) -> UUID:
    """Fight a battle of all fighters with sixty events.

    Alice submits it, and Bob has not confirmed it.
    """
    battle, ours, theirs = begun(world)
    events = [NewEvent(uuid4(), *event) for event in sixty_events(ours, theirs)]
    log_events(battle_id=battle, events=events, user=world.alice)
    submit_battle(battle_id=battle, user=world.alice)
    return battle


def _field(world: World, battle: Battle, key: str, warband: Warband) -> list[str]:
    fighters = list(
        Fighter.objects.filter(warband=warband).order_by("place").values_list("pk", flat=True)
    )
    force = Force(tuple(fighters), {"leader": (fighters[0],)})
    field_combatants(battle_id=battle.pk, side=key, force=force, user=world.alice)
    return [str(fighter) for fighter in fighters]
