"""A small world of En Garde! for tests of pages: a club, a campaign, two warbands, and battles."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User
from django.utils import timezone

from battles.models import Battle, Combatant
from battles.services.fielding import Force, field_combatants, start_battle
from battles.services.logbook import NewEvent, log_events
from battles.services.planning import BattlePlan, PlannedSide, plan_battle
from battles.services.review import Decision, decide_battle, submit_battle
from campaigns.models import Campaign, Method, Round, TableGame
from campaigns.services.campaigns import plan_campaign, start_campaign
from campaigns.services.enrolments import enrol_warband
from clubs.models import Club, Evening, Membership, Role
from clubs.services.clubs import found_club
from clubs.services.evenings import make_evenings
from leagues.services.rounds import RoundTerms, make_rounds
from warbands.models import Fighter, Warband
from warbands.services.posts import appoint
from warbands.services.roster import NewFighter, recruit_fighters
from warbands.services.warbands import muster_warband
from warbands.signed import create_signed, update_signed

DAY = date(2026, 3, 7)
LANDSKNECHTS = (
    ("doppelsoldner", "Hans"),
    ("landsknecht", "Jörg"),
    ("landsknecht", "Veit"),
    ("landsknecht", "Kunz"),
)
GUARDS = (("officer", "Jussac"), ("guard", "Cahusac"), ("guard", "Biscarat"), ("ruffian", "Le Rat"))


def club_of(
    organiser: User, *, players: Sequence[User] = (), spectators: Sequence[User] = ()
) -> Club:
    """Return a new club with these people, each with the name of their account."""
    club = found_club(user=organiser, name="The Friday Swords", member_name=organiser.username)
    for user in players:
        create_signed(Membership, club=club, user=user, name=user.username, role=Role.PLAYER)
    for user in spectators:
        create_signed(Membership, club=club, user=user, name=user.username, role=Role.SPECTATOR)
    return club


def evening_of(club: Club, organiser: User, days: int = 3, **details: Any) -> Evening:
    """Create a club night in this many days, from 19:00 to 23:00 UTC."""
    start = (timezone.now() + timedelta(days=days)).replace(
        hour=19, minute=0, second=0, microsecond=0
    )
    hours = {"starts_at": start, "ends_at": start + timedelta(hours=4)}
    return make_evenings(club_id=club.pk, user=organiser, **{**hours, **details})[0]


def game_of(campaign: Campaign, organiser: User, *members: Membership) -> TableGame:
    """Return the published game of two members at a club night in three days."""
    evening = evening_of(campaign.club, organiser)
    Evening.objects.filter(pk=evening.pk).update(published_at=timezone.now())
    first, second = members
    return TableGame.objects.create(
        evening=evening, first=first, second=second, table=1, campaign=campaign
    )


def warband_of(
    owner: User, name: str, faction: str, fighters: Sequence[tuple[str, str]]
) -> Warband:
    """Return a warband with these fighters; the first one leads."""
    warband = muster_warband(user=owner, ruleset="en-garde", faction=faction, name=name)
    recruits = [NewFighter(build={"profile": profile}, name=called) for profile, called in fighters]
    joined = recruit_fighters(warband_id=warband.pk, fighters=recruits, user=owner)
    appoint(warband_id=warband.pk, user=owner, posts={"leader": joined[0]})
    return Warband.objects.get(pk=warband.pk)


def landsknechts(owner: User, name: str = "Der schwarze Haufen") -> Warband:
    """Return four Landsknechts."""
    return warband_of(owner, name, "landsknechts", LANDSKNECHTS)


def guards(owner: User, name: str = "Compagnie du Cardinal") -> Warband:
    """Return four of the Cardinal's Guard."""
    return warband_of(owner, name, "cardinals-guard", GUARDS)


def campaign_of(
    club: Club, organiser: User, *warbands: Warband, running: bool = True, **details: Any
) -> Campaign:
    """Return a campaign with these warbands."""
    terms = {"name": "The Long Summer", "points": 300, **details}
    campaign = plan_campaign(club_id=club.pk, user=organiser, ruleset="en-garde", **terms)
    for warband in warbands:
        owner = warband.owner
        assert owner is not None
        enrol_warband(campaign_id=campaign.pk, warband_id=warband.pk, user=owner)
    return start_campaign(campaign_id=campaign.pk, user=organiser) if running else campaign


def paired(campaign: Campaign, organiser: User) -> Round:
    """Create a round robin of all warbands in the campaign, and return its first round."""
    return make_rounds(
        campaign_id=campaign.pk, user=organiser, terms=RoundTerms(method=Method.ROUND_ROBIN)
    )[0]


def planned_battle(
    user: User, campaign: Campaign | None, *warbands: Warband, **more: Any
) -> Battle:
    """Return a planned Skirmish."""
    sides = tuple(PlannedSide(warband.pk, "warband") for warband in warbands)
    campaign_id = campaign.pk if campaign else None
    terms = {
        "scenario": "skirmish",
        "fought_on": DAY,
        "campaign": campaign_id,
        "client_id": uuid4(),
        **more,
    }
    return plan_battle(user=user, plan=BattlePlan(sides=sides, **terms))


def begun_battle(user: User, campaign: Campaign | None, *warbands: Warband, **more: Any) -> Battle:
    """Return a Skirmish in progress with all fit fighters."""
    battle = planned_battle(user, campaign, *warbands, **more)
    for side in battle.sides.order_by("place"):
        fit = list(Fighter.objects.filter(warband=side.warband_id, fate="fit").order_by("place"))
        force = Force(tuple(row.pk for row in fit), {"leader": (fit[0].pk,)})
        field_combatants(battle_id=battle.pk, side=side.key, force=force, user=user)
    return start_battle(battle_id=battle.pk, user=user)


def wound(attacker: Fighter, victim: Fighter, result: str = "light", **more: Any) -> NewEvent:
    """Return a wound as an entry of the log."""
    data = {"attacker": str(attacker.pk), "victim": str(victim.pk), "result": result, **more}
    return NewEvent(uuid4(), "wound", data, turn=1)


def submitted_battle(
    user: User, campaign: Campaign | None, *warbands: Warband, **more: Any
) -> Battle:
    """Return a submitted Skirmish.

    The first fighter of the first warband has wounded the first of the second.
    """
    battle = begun_battle(user, campaign, *warbands, **more)
    first, second = (
        Fighter.objects.filter(warband=row).order_by("place").first() for row in warbands[:2]
    )
    assert first is not None and second is not None
    log_events(battle_id=battle.pk, events=[wound(first, second)], user=user)
    return submit_battle(battle_id=battle.pk, user=user)


def confirmed_battle(
    user: User, organiser: User, campaign: Campaign, *warbands: Warband, **more: Any
) -> Battle:
    """Return the same, confirmed by the organiser."""
    battle = submitted_battle(user, campaign, *warbands, **more)
    if battle.state == "confirmed":
        return battle
    return decide_battle(battle_id=battle.pk, user=organiser, decision=Decision.AS_LOGGED)


def named(name: str) -> Fighter:
    """Return the fighter with this name."""
    return Fighter.objects.get(name=name)


def fielded(battle: Battle) -> int:
    """Return the number of fighters in a battle."""
    return Combatant.objects.filter(side__battle=battle).count()


def warbands_see_each_other(*warbands: Warband) -> None:
    """Make warbands public, so that others can play against them."""
    update_signed(Warband.objects.filter(pk__in=[row.pk for row in warbands]), visibility="public")
