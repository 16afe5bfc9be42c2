"""Battles of En Garde! from the plan to the chronicle: real lists, invented logs that obey every
rule."""

import random
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from battles.models import Battle
from battles.rulebook_values import read_result, read_setup, sides_of
from battles.selectors.confirmation_preview import preview_confirmation
from battles.selectors.standings import standings
from battles.services.correction_conflicts import ConflictAnswers, Undo
from battles.services.corrections import Correction, correct_battle, preview_correction
from battles.services.fielding import Force, field_combatants, start_battle
from battles.services.logbook import NewEvent, log_events
from battles.services.planning import BattlePlan, PlannedSide, plan_battle
from battles.services.review import submit_battle
from campaigns.models import Campaign
from campaigns.services.campaigns import plan_campaign, start_campaign
from campaigns.services.enrolments import enrol_warband
from core.errors import InvalidInput
from rulebook.ruleset import Problem, Record
from scripts.demo.referees.quick_result import quick_result
from tests.battles.field import TODAY, battle_page, fighters, found, state
from warbands.models import Fighter, Warband
from warbands.roster_rules import affordable
from warbands.rulebook_values import read_state, ruleset_of_warband
from warbands.services.posts import appoint
from warbands.services.rank_ups import take_rank_up
from warbands.services.roster import NewFighter, recruit_fighters
from warbands.services.verification import prove
from warbands.services.warbands import muster_warband

pytestmark = pytest.mark.one_database

LISTS = {
    "cardinals-guard": {"senior-officer": 1, "officer": 1, "guard": 6, "ruffian": 4},
    "swashbucklers": {"officer": 1, "petty-officer": 2, "able-seaman": 5, "seaman": 4},
    "border-reivers": {"chieftain": 1, "veteran-reiver": 2, "reiver": 5, "broken-man": 4},
    "conquistadors": {"hidalgo": 1, "veteran": 2, "soldier": 5, "militia": 4},
}
ROLES = {
    "defence": ("attacker", "defender"),
    "escort": ("attacker", "escort"),
    "hold-the-bridge": ("attacker", "defender"),
    "raid": ("attacker", "defender"),
}
DUELS = ("skirmish", "capture", "duel", "defence", "escort", "hold-the-bridge", "raid", "occupy")


def hire(owner: User, faction: str) -> Warband:
    """Return a warband of a printed list, led by its first fighter."""
    warband = muster_warband(user=owner, ruleset="en-garde", faction=faction, name=f"The {faction}")
    recruits = [NewFighter({"profile": key}, count=count) for key, count in LISTS[faction].items()]
    hired = recruit_fighters(warband_id=warband.pk, fighters=recruits, user=owner)
    appoint(warband_id=warband.pk, user=owner, posts={"leader": hired[0]})
    return Warband.objects.get(pk=warband.pk)


class Season:
    """A campaign of En Garde! with warbands of Alice's only, so submitted battles are confirmed."""

    def __init__(self, alice: User, sides: int = 2, **house_rules: Any) -> None:
        self.alice = alice
        self.warbands = [hire(alice, faction) for faction in list(LISTS)[:sides]]
        self.campaign: Campaign = plan_campaign(
            club_id=found(alice).pk,
            user=alice,
            name="Winter",
            ruleset="en-garde",
            points=300,
            house_rules={"legality": "warn", **house_rules},
        )
        for warband in self.warbands:
            enrol_warband(campaign_id=self.campaign.pk, warband_id=warband.pk, user=alice)
        start_campaign(campaign_id=self.campaign.pk, user=alice)
        self.warnings: list[Problem] = []

    def start(self, scenario: str) -> Battle:
        """Start a battle with all fit fighters and a Leader among them."""
        roles = ROLES.get(scenario, ("warband",) * len(self.warbands))
        sides = tuple(
            PlannedSide(each.pk, role) for each, role in zip(self.warbands, roles, strict=True)
        )
        wish = BattlePlan(
            scenario=scenario, sides=sides, fought_on=TODAY, campaign=self.campaign.pk
        )
        battle = plan_battle(user=self.alice, plan=wish)
        for side in battle.sides.all():
            fit = list(
                Fighter.objects.filter(warband=side.warband_id, fate="fit").order_by("place")
            )
            leader = max(fit, key=lambda each: each.rank)
            force = Force(tuple(each.pk for each in fit), {"leader": (leader.pk,)})
            self.warnings += field_combatants(
                battle_id=battle.pk, side=side.key, force=force, user=self.alice
            )
        return start_battle(battle_id=battle.pk, user=self.alice)

    def fight(self, scenario: str, seed: int, idle: int = 4) -> Battle:
        """Return a confirmed battle with an invented log."""
        battle = self.start(scenario)
        invented = quick_result(
            read_setup(battle, sides_of(battle)), random.Random(seed), idle=idle
        )
        events = [NewEvent(uuid4(), event.kind, event.data, event.turn) for event in invented]
        log_events(battle_id=battle.pk, events=events, user=self.alice)
        preview = preview_confirmation(battle.pk)
        battle = submit_battle(battle_id=battle.pk, user=self.alice)
        assert battle.state == "confirmed"
        for previewed_side, side in zip(preview.sides, battle.sides.order_by("place"), strict=True):
            assert (previewed_side.outcome, previewed_side.victory_points) == (
                side.outcome,
                side.victory_points,
            )
        return battle

    def promote(self) -> int:
        """Let everybody who can afford a step take the first one, and return their number."""
        taken = 0
        for warband in self.warbands:
            now = Warband.objects.get(pk=warband.pk)
            warband_state = read_state(now)
            for fighter in warband_state.fighters.values():
                steps = affordable(ruleset_of_warband(now), warband_state, fighter)
                if steps:
                    take_rank_up(fighter_id=_key(fighter.id), step=steps[0].key, user=self.alice)
                    taken += 1
        return taken

    def check(self) -> None:
        """Check that stored and replayed data agree, and that nobody who died is fit."""
        for warband in self.warbands:
            assert prove(Warband.objects.get(pk=warband.pk)) == []
        dead = _dead(self.campaign)
        assert set(Fighter.objects.filter(pk__in=dead).values_list("fate", flat=True)) <= {"dead"}


def _key(text: str) -> Any:
    return Fighter.objects.get(pk=text).pk


def _dead(campaign: Campaign) -> set[str]:
    """Return the fighters who are dead by any result of the campaign."""
    results = [
        read_result(battle)
        for battle in Battle.objects.filter(campaign=campaign, state="confirmed")
    ]
    sides = [side for result in results if result for side in result.sides]
    return {record.fighter for side in sides for record in side.records if record.fate == "dead"}


@pytest.fixture
def season(alice: User) -> Season:
    return Season(alice)


@pytest.mark.parametrize("scenario", DUELS)
def test_every_scenario_is_planned_logged_confirmed_and_read(season: Season, scenario: str) -> None:
    battle = season.fight(scenario, seed=7)
    season.check()
    page = battle_page(battle.pk)
    assert page.verdict
    for side in page.sides:
        assert sum(line.points for line in side.score) == side.victory_points
        living = [each for each in side.combatants if each.fate != "dead"]
        assert all(
            each.experience == sum(award.amount for award in each.awards)
            for each in side.combatants
        )
        assert any(each.awards for each in living) or not living
    assert all(line.sentence and line.label != line.kind for line in page.log)
    assert not any(
        fighter in line.sentence for line in page.log for fighter in _ids(season.warbands)
    )


def _ids(warbands: Sequence[Warband]) -> list[str]:
    return [str(each.pk) for warband in warbands for each in fighters(warband)]


@pytest.mark.parametrize("sides", [3, 4])
def test_occupy_is_fought_by_three_and_by_four(alice: User, sides: int) -> None:
    season = Season(alice, sides)
    battle = season.fight("occupy", seed=sides)
    season.check()
    outcomes = [side.outcome for side in battle.sides.order_by("place")]
    assert len(outcomes) == sides
    assert outcomes.count("won") <= 1
    assert outcomes.count("won") == 1 or set(outcomes) <= {"drew", "lost"}
    assert len(standings(season.campaign).rows) == sides


def test_a_season_of_nine_battles_with_rank_ups_holds_together(season: Season) -> None:
    promoted = 0
    for number in range(9):
        season.fight(DUELS[number % len(DUELS)], seed=number, idle=25)
        promoted += season.promote()
    season.check()
    assert promoted
    assert {row.played for row in standings(season.campaign).rows} == {9}


def test_a_past_battle_of_a_season_is_corrected_and_the_rest_holds(season: Season) -> None:
    first = season.fight("skirmish", seed=1, idle=8)
    for number in (2, 3, 4):
        season.fight("capture", seed=number, idle=15)
        season.promote()
    hits = first.events.filter(kind="wound").order_by("sequence")[:3]
    events = tuple(
        NewEvent(uuid4(), "correction", {"event": hit.sequence, "reason": "It never happened."})
        for hit in hits
    )
    correction = Correction(events, "The sheet was misread.")
    dry = preview_correction(battle_id=first.pk, user=season.alice, correction=correction)
    undo = tuple(
        {Undo(each.warband, each.sequence) for each in dry.conflicts if each.may_be_undone}
    )
    answers = ConflictAnswers(undo=undo)
    dry = preview_correction(
        battle_id=first.pk, user=season.alice, correction=Correction(events, "Misread.", answers)
    )
    assert dry.fighters
    assert dry.open_conflicts == ()
    correct_battle(
        battle_id=first.pk, user=season.alice, correction=Correction(events, "Misread.", answers)
    )
    season.check()
    now = {str(each.pk): each for warband in season.warbands for each in fighters(warband)}
    for change in dry.fighters:
        fighter = now[str(change.fighter)]
        assert (fighter.experience, fighter.fate, fighter.rank, fighter.points) == (
            change.experience_after,
            change.fate_after,
            change.rank_after,
            change.points_after,
        )


def test_the_gravely_wounded_throw_a_die_where_the_campaign_says_so(alice: User) -> None:
    season = Season(alice, wounds_after="grievous-roll")
    rolls: dict[str, Record] = {}
    for seed in range(4):
        result = read_result(season.fight("skirmish", seed=seed, idle=15))
        assert result is not None
        rolls |= {
            each.fighter: each
            for side in result.sides
            for each in side.records
            if each.recovery_roll
        }
    assert rolls
    assert all(each.wounds in ("grievous", "unconscious") for each in rolls.values())
    season.check()


def test_warnings_about_the_forces_are_kept_and_shown(season: Season) -> None:
    battle = season.start("defence")
    assert "uneven-forces" in {problem.code for problem in season.warnings}
    assert "uneven-forces" in {problem.code for problem in battle_page(battle.pk).problems}


def test_a_strict_campaign_refuses_a_force_over_its_limit(alice: User) -> None:
    season = Season(alice, legality="strict")
    sides = tuple(PlannedSide(each.pk, "warband") for each in season.warbands)
    wish = BattlePlan(
        scenario="skirmish",
        sides=sides,
        fought_on=TODAY,
        campaign=season.campaign.pk,
        points_limit=20,
    )
    battle = plan_battle(user=alice, plan=wish)
    everybody = Force(tuple(each.pk for each in fighters(season.warbands[0])))
    with pytest.raises(InvalidInput) as refusal:
        field_combatants(battle_id=battle.pk, side="a", force=everybody, user=alice)
    assert "over-the-limit" in {problem.code for problem in refusal.value.problems}


def test_nonsense_in_a_log_is_refused_with_the_rules_own_reason(season: Season) -> None:
    battle = season.start("skirmish")
    nonsense: list[tuple[str, dict[str, Any]]] = [
        ("wound", {"victim": ["a"], "result": {}}),
        ("wound", {"victim": "nobody", "result": "light"}),
        ("wound", {}),
        ("captured", {"by": 7}),
        ("correction", {"event": "first", "reason": "X"}),
        ("correction", {"event": 99, "reason": "No such event."}),
        ("points", {"side": "a", "amount": 10**6, "reason": "I like it."}),
        ("objective", {"side": "a", "by": "everybody"}),
    ]
    for kind, data in nonsense:
        with pytest.raises(InvalidInput) as refusal:
            log_events(
                battle_id=battle.pk, events=[NewEvent(uuid4(), kind, data)], user=season.alice
            )
        assert refusal.value.problems
    assert not battle.events.exists()
    assert state(season.warbands[0]).games_played == 0
