"""A classic campaign of En Garde! with two rosters of 66 points each, as plain functions."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth.models import User

from battles.models import Battle, Part
from battles.services.fielding import start_battle
from battles.services.logbook import NewEvent, log_events
from battles.services.review import Decision, decide_battle, submit_battle
from campaigns.models import Campaign, Format
from campaigns.services.campaigns import plan_campaign, start_campaign
from campaigns.services.enrolments import enrol_warband
from clubs.models import Club, Membership, Role
from clubs.services.clubs import found_club
from leagues.services.classic import seal_order
from warbands.models import Fighter, Warband
from warbands.services.posts import appoint
from warbands.services.roster import NewFighter, recruit_fighters
from warbands.services.warbands import muster_warband
from warbands.signed import create_signed, update_signed

SCENARIOS = ("duel", "capture", "raid")
PROFILES = ("officer", *["guard"] * 4, *["ruffian"] * 4)
"""18, 8 and 4 points: 66 in all, so that a small warband costs from 17 to 33."""
SHARES = {"duel": (0,), "capture": (1, 2, 3), "raid": (4, 5, 6, 7)}
"""The places on the roster that a usual plan sends to each scenario.

The last Ruffian stays at home.
"""


def club_of(organiser: User, *players: User, spectators: Sequence[User] = ()) -> Club:
    """Return a new club with these people."""
    club = found_club(user=organiser, name="The Friday Swords", member_name=organiser.username)
    for user in players:
        create_signed(Membership, club=club, user=user, name=user.username, role=Role.PLAYER)
    for user in spectators:
        create_signed(Membership, club=club, user=user, name=user.username, role=Role.SPECTATOR)
    return club


def guards(owner: User | None, name: str, *, keeper: User | None = None) -> Warband:
    """Return a warband of the Cardinal's Guard; the names of its fighters begin with its own."""
    user = owner or keeper
    assert user is not None
    warband = muster_warband(user=user, ruleset="en-garde", faction="cardinals-guard", name=name)
    recruits = [
        NewFighter({"profile": profile}, name=f"{name} {profile} {place}")
        for place, profile in enumerate(PROFILES)
    ]
    ids = recruit_fighters(warband_id=warband.pk, fighters=recruits, user=user)
    appoint(warband_id=warband.pk, user=user, posts={"leader": ids[0]})
    if owner is None:
        update_signed(Warband.objects.filter(pk=warband.pk), owner=None, keeper=keeper)
    return Warband.objects.get(pk=warband.pk)


def classic(
    club: Club, organiser: User, *warbands: Warband, start: bool = True, **house_rules: Any
) -> Campaign:
    """Return a classic campaign of these warbands with its three scenarios, running if ``start``."""
    campaign = plan_campaign(
        club_id=club.pk,
        user=organiser,
        name="The Two Companies",
        ruleset="en-garde",
        points=100,
        format=Format.CLASSIC,
        house_rules=house_rules,
    )
    for warband in warbands:
        enrol(campaign, warband, organiser)
    drawn = house_rules.get("classic_scenarios") == "drawn"
    if start:
        start_campaign(
            campaign_id=campaign.pk, user=organiser, scenarios=() if drawn else SCENARIOS
        )
    return Campaign.objects.get(pk=campaign.pk)


def enrol(campaign: Campaign, warband: Warband, organiser: User) -> None:
    """Enter a warband; a warband without an owner gets a guest player."""
    seat = None
    if warband.owner is None:
        seat = create_signed(
            Membership, club=campaign.club, name=f"Guest of {warband.name}", role=Role.PLAYER
        ).pk
    enrol_warband(
        campaign_id=campaign.pk,
        warband_id=warband.pk,
        user=warband.owner or warband.keeper or organiser,
        player_id=seat,
    )


def fighters(warband: Warband) -> list[Fighter]:
    """Return the current fighters of a warband in the order of the roster."""
    return list(Fighter.objects.filter(warband=warband).order_by("place"))


def plan_of(
    warband: Warband, shares: Mapping[str, Sequence[int]] = SHARES
) -> dict[str, tuple[str, ...]]:
    """Return a plan by places on the roster."""
    roster = fighters(warband)
    return {
        scenario: tuple(str(roster[place].pk) for place in places)
        for scenario, places in shares.items()
    }


def sealed(campaign: Campaign, user: User, warband: Warband, **more: Any) -> None:
    """Seal the usual plan for this warband as the user."""
    plan = more.pop("plan", None) or plan_of(warband)
    seal_order(campaign_id=campaign.pk, user=user, plan=plan, warband_id=warband.pk, **more)


def revealed(campaign: Campaign, *warbands: Warband) -> Campaign:
    """Seal the orders of these warbands, and return the campaign."""
    for warband in warbands:
        assert warband.owner is not None
        sealed(campaign, warband.owner, warband)
    return Campaign.objects.get(pk=campaign.pk)


def game(campaign: Campaign, scenario: str) -> Battle:
    """Return the small game of a scenario."""
    return campaign.battles.exclude(state="void").get(part=Part.SMALL, scenario=scenario)


def wound(attacker: Fighter, victim: Fighter, result: str = "grievous", **more: Any) -> NewEvent:
    """Return a wound as an entry of the log."""
    data = {"attacker": str(attacker.pk), "victim": str(victim.pk), "result": result, **more}
    return NewEvent(uuid4(), "wound", data, turn=1)


def told(kind: str, **data: Any) -> NewEvent:
    """Return any other entry of the log."""
    return NewEvent(uuid4(), kind, data, turn=2)


def fought(organiser: User, battle: Battle, *events: NewEvent) -> Battle:
    """Fight a battle with these events, and return it confirmed."""
    start_battle(battle_id=battle.pk, user=organiser)
    if events:
        log_events(battle_id=battle.pk, events=events, user=organiser)
    submitted = submit_battle(battle_id=battle.pk, user=organiser)
    if submitted.state != "confirmed":
        decide_battle(battle_id=battle.pk, user=organiser, decision=Decision.AS_LOGGED)
    return Battle.objects.get(pk=battle.pk)


def all_fought(organiser: User, campaign: Campaign, **events: Sequence[NewEvent]) -> None:
    """Fight all three small games, with these events by scenario."""
    for scenario in campaign.scenarios:
        fought(organiser, game(campaign, scenario), *events.get(scenario, ()))


def ids(rows: Sequence[Fighter]) -> set[UUID]:
    """Return the ids of fighters."""
    return {row.pk for row in rows}
