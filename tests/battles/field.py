"""A club and its battles under the toy's rules, as plain functions that need no fixture."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth.models import User

from battles.models import Battle, BattleState, Side
from battles.selectors.battle_page import BattlePage, battle_pages
from battles.services.fielding import Force, field_combatants, start_battle
from battles.services.logbook import NewEvent, log_events
from battles.services.planning import BattlePlan, PlannedSide, plan_battle
from battles.services.review import Decision, decide_battle, submit_battle
from campaigns.models import Campaign
from campaigns.services.campaigns import plan_campaign, start_campaign
from campaigns.services.enrolments import enrol_warband
from clubs.models import Club, Membership, Role
from clubs.services.clubs import found_club
from rulebook.chronicle.facts import Appointed, Mustered, RankedUp, Recruit, Recruited
from rulebook.chronicle.states import WarbandState
from warbands.models import Fighter, Warband
from warbands.rulebook_values import read_state
from warbands.services.chronicle import append_facts
from warbands.signed import create_signed

TODAY = date(2026, 3, 7)


def found(organiser: User, *players: User, spectators: Sequence[User] = ()) -> Club:
    """Return a new club with these people."""
    club = found_club(user=organiser, name="The Old Guard", member_name=organiser.username)
    for user in players:
        create_signed(Membership, club=club, user=user, name=user.username, role=Role.PLAYER)
    for user in spectators:
        create_signed(Membership, club=club, user=user, name=user.username, role=Role.SPECTATOR)
    return club


def muster(owner: User | None, name: str, *profiles: str, keeper: User | None = None) -> Warband:
    """Return a warband with fighters of these profiles; the first one leads.

    Without profiles, it gets a captain and two recruits.
    """
    user = owner or keeper
    warband = create_signed(
        Warband, owner=owner, keeper=keeper, name=name, ruleset="toy", edition="1", faction="reds"
    )
    append_facts(
        {warband.pk: Mustered(ruleset="toy", edition="1", faction="reds", name=name)}, user=user
    )
    recruits = tuple(
        Recruit(str(uuid4()), f"{name} {place}", {"profile": profile, "options": []})
        for place, profile in enumerate(profiles or ("captain", "recruit", "recruit"))
    )
    append_facts({warband.pk: Recruited(recruits=recruits)}, user=user)
    append_facts({warband.pk: Appointed(posts={"leader": (recruits[0].fighter,)})}, user=user)
    return Warband.objects.get(pk=warband.pk)


def run_campaign(club: Club, organiser: User, *warbands: Warband, **house_rules: Any) -> Campaign:
    """Return a running campaign with these warbands."""
    campaign = plan_campaign(
        club_id=club.pk,
        user=organiser,
        name="The Long Winter",
        ruleset="toy",
        points=500,
        house_rules=house_rules,
    )
    for warband in warbands:
        seat = None if warband.owner else _keep_seat(club, warband)
        bringer = warband.owner or warband.keeper or organiser
        enrol_warband(campaign_id=campaign.pk, warband_id=warband.pk, user=bringer, player_id=seat)
    return start_campaign(campaign_id=campaign.pk, user=organiser)


def _keep_seat(club: Club, warband: Warband) -> UUID:
    return create_signed(
        Membership, club=club, name=f"Player of {warband.name}", role=Role.PLAYER
    ).pk


def planned(user: User, *warbands: Warband, **more: Any) -> BattlePlan:
    """Return a plan for a brawl between these warbands."""
    sides = tuple(PlannedSide(warband.pk, "side") for warband in warbands)
    return BattlePlan(**{"scenario": "brawl", "sides": sides, "fought_on": TODAY, **more})


def plan(user: User, campaign: Campaign | None, *warbands: Warband, **more: Any) -> Battle:
    """Return a planned brawl between these warbands."""
    return plan_battle(
        user=user, plan=planned(user, *warbands, campaign=campaign and campaign.pk, **more)
    )


def field(user: User, battle: Battle) -> Battle:
    """Choose all fit fighters as the line-up of every side."""
    for side in battle.sides.order_by("place"):
        fit = Fighter.objects.filter(warband=side.warband_id, fate="fit").order_by("place")
        force = Force(tuple(fit.values_list("pk", flat=True)))
        field_combatants(battle_id=battle.pk, side=side.key, force=force, user=user)
    return Battle.objects.get(pk=battle.pk)


def begin(user: User, campaign: Campaign | None, *warbands: Warband, **more: Any) -> Battle:
    """Return a battle in progress: planned, with line-ups, and started."""
    battle = field(user, plan(user, campaign, *warbands, **more))
    return start_battle(battle_id=battle.pk, user=user)


def wound(
    attacker: Fighter, victim: Fighter, result: str = "light", turn: int | None = None
) -> NewEvent:
    """Return a wound event with its own id."""
    data = {"attacker": str(attacker.pk), "victim": str(victim.pk), "result": result}
    return NewEvent(uuid4(), "wound", data, turn)


def struck(sequence: int) -> NewEvent:
    """Return a correction that removes an event."""
    return NewEvent(uuid4(), "correction", {"event": sequence, "reason": "It was misread."})


def note(text: str) -> NewEvent:
    """Return an event that changes nothing."""
    return NewEvent(uuid4(), "note", {"text": text})


def log(user: User, battle: Battle, *events: NewEvent) -> Battle:
    """Log these events, and return the battle."""
    log_events(battle_id=battle.pk, events=events, user=user)
    return Battle.objects.get(pk=battle.pk)


def fight(
    user: User, campaign: Campaign | None, *warbands: Warband, events: Sequence[NewEvent] = ()
) -> Battle:
    """Return a submitted battle with this log.

    It is confirmed at once if the user plays all sides.
    """
    battle = begin(user, campaign, *warbands)
    if events:
        log(user, battle, *events)
    return submit_battle(battle_id=battle.pk, user=user)


def confirmed(
    organiser: User, campaign: Campaign, *warbands: Warband, events: Sequence[NewEvent] = ()
) -> Battle:
    """Return a confirmed battle with this log."""
    battle = fight(organiser, campaign, *warbands, events=events)
    if battle.state == BattleState.CONFIRMED:
        return battle
    return decide_battle(battle_id=battle.pk, user=organiser, decision=Decision.AS_LOGGED)


def rank_up(user: User, fighter: Fighter, step: str = "veteran") -> None:
    """Rank a fighter up by a step. Raises InvalidInput if that is not possible."""
    append_facts({fighter.warband_id: RankedUp(fighter=str(fighter.pk), step=step)}, user=user)


def fighters(warband: Warband) -> list[Fighter]:
    """Return the current fighters of a warband in the order of the roster."""
    return list(Fighter.objects.filter(warband=warband).order_by("place"))


def state(warband: Warband) -> WarbandState:
    """Return the current stored state of a warband."""
    return read_state(Warband.objects.get(pk=warband.pk))


def side(battle: Battle, key: str) -> Side:
    """Return the current row of a side."""
    return battle.sides.get(key=key)


def battle_page(battle_id: UUID) -> BattlePage:
    """Return the page data of a battle."""
    return battle_pages([Battle.objects.for_pages().get(pk=battle_id)])[0]
