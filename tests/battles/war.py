"""A campaign of two armies of any rule system. Alice owns both, and a referee plays the battles."""

import random
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User

from battles.models import Battle
from battles.rulebook_values import read_setup, sides_of
from battles.services.fielding import Force, field_combatants, start_battle
from battles.services.logbook import NewEvent, log_events
from battles.services.planning import BattlePlan, PlannedSide, plan_battle
from battles.services.review import submit_battle
from campaigns.services.campaigns import plan_campaign, start_campaign
from campaigns.services.enrolments import enrol_warband
from scripts.demo.campaigns import REFEREES
from tests.battles.field import TODAY, found
from warbands.models import Fighter, Warband
from warbands.services.roster import NewFighter, recruit_fighters
from warbands.services.warbands import muster_warband


class War:
    """A running campaign with one warband per faction, all with the same builds.

    ``points`` is the limit if the rules have points.
    """

    scenario = "battle"

    def __init__(
        self,
        alice: User,
        ruleset: str,
        factions: Sequence[str],
        builds: Sequence[dict[str, Any]],
        *,
        points: int | None = None,
        **house_rules: Any,
    ) -> None:
        self.alice, self.ruleset = alice, ruleset
        self.companies = [
            self._hire(name, faction, builds)
            for name, faction in zip(("Reds", "Blues"), factions, strict=True)
        ]
        self.campaign = plan_campaign(
            club_id=found(alice).pk,
            user=alice,
            name="Raids",
            ruleset=ruleset,
            points=points,
            house_rules=house_rules,
        )
        for company in self.companies:
            enrol_warband(campaign_id=self.campaign.pk, warband_id=company.pk, user=alice)
        start_campaign(campaign_id=self.campaign.pk, user=alice)

    def _hire(self, name: str, faction: str, builds: Sequence[dict[str, Any]]) -> Warband:
        company = muster_warband(user=self.alice, ruleset=self.ruleset, faction=faction, name=name)
        recruits = [NewFighter(build) for build in builds]
        recruit_fighters(warband_id=company.pk, fighters=recruits, user=self.alice)
        return Warband.objects.get(pk=company.pk)

    def start(self) -> Battle:
        """Start the next battle with all fit fighters."""
        sides = tuple(PlannedSide(each.pk, "side") for each in self.companies)
        wish = BattlePlan(
            scenario=self.scenario, sides=sides, fought_on=TODAY, campaign=self.campaign.pk
        )
        battle = plan_battle(user=self.alice, plan=wish)
        for side in battle.sides.all():
            fit = Fighter.objects.filter(warband=side.warband_id, fate="fit").order_by("place")
            force = Force(tuple(each.pk for each in fit), {})
            field_combatants(battle_id=battle.pk, side=side.key, force=force, user=self.alice)
        return start_battle(battle_id=battle.pk, user=self.alice)

    def log(self, battle: Battle, *entries: tuple[str, dict[str, Any]]) -> None:
        """Log these events, with dice rolled for them."""
        events = [NewEvent(uuid4(), kind, data) for kind, data in entries]
        log_events(battle_id=battle.pk, events=events, user=self.alice)

    def fight(self, seed: int) -> Battle:
        """Play and confirm a whole battle."""
        battle = self.start()
        log = REFEREES[self.ruleset].battle(
            read_setup(battle, sides_of(battle)), random.Random(seed)
        )
        events = [NewEvent(uuid4(), event.kind, event.data, event.turn) for event in log]
        log_events(battle_id=battle.pk, events=events, user=self.alice)
        return submit_battle(battle_id=battle.pk, user=self.alice)
