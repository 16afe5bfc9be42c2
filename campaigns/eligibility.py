"""What a campaign's terms mean for a warband: may it enrol, and what would other house rules make
of it? Pure."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from campaigns.house_rules import house_rule_values
from campaigns.models import Campaign
from rulebook.chronicle.facts import RulesChanged
from rulebook.chronicle.replay import step
from rulebook.chronicle.states import WarbandState
from rulebook.registry import find_ruleset
from rulebook.ruleset import Problem, RosterPurpose, Ruleset

TERMS = ("points", "games", "format", "scoring")
"""What warbands enter a campaign on beside its house rules: players are told of a change."""


class SettingChange(Struct, frozen=True):
    """A house rule that changes, before and after in words."""

    key: str
    label: str
    before: str
    after: str


class FighterChange(Struct, frozen=True):
    """What a change of house rules does to a fighter: points before and after."""

    fighter: str
    name: str
    points_before: int
    points_after: int


class WarbandChange(Struct, frozen=True):
    """What a change of house rules does to a warband: its total, its fighters, and what would newly
    be wrong."""

    warband: UUID
    name: str
    points_before: int
    points_after: int
    fighters: tuple[FighterChange, ...]
    problems: tuple[Problem, ...]


class RulesPreview(Struct, frozen=True):
    """What a change of house rules would do: the settings, and every enrolled warband."""

    settings: tuple[SettingChange, ...]
    warbands: tuple[WarbandChange, ...]


def ruleset_of_campaign(campaign: Campaign) -> Ruleset:
    """The rule system that the campaign is played by, in its edition."""
    return find_ruleset(campaign.ruleset, campaign.edition)


def enrolment_problems(
    campaign: Campaign, state: WarbandState, *, carried_on: bool = False
) -> tuple[Problem, ...]:
    """What is wrong with a roster for the campaign's points and house rules; the empty tuple is
    legal.

    Composition is checked when a warband comes in; what it binds later is for the rule system to
    say. A warband that is ``carried_on`` from the campaign before is judged as one that goes on,
    with all that it has become.
    """
    purpose = RosterPurpose.CARRY_ON if carried_on else RosterPurpose.ENROL
    entering = replace(
        state, agreed_points=campaign.points, settings=campaign.house_rules, games_played=0
    )
    return ruleset_of_campaign(campaign).roster_problems(entering.roster, purpose)


def rules_preview(
    campaign: Campaign, house_rules: Mapping[str, Any], states: Mapping[UUID, WarbandState]
) -> RulesPreview:
    """What these house rules instead of the present ones would do to the campaign's warbands.
    Nothing is written."""
    return RulesPreview(
        _setting_changes(campaign, house_rules),
        tuple(_warband_change(key, state, house_rules) for key, state in states.items()),
    )


def _setting_changes(
    campaign: Campaign, house_rules: Mapping[str, Any]
) -> tuple[SettingChange, ...]:
    rules = ruleset_of_campaign(campaign)
    pairs = zip(
        house_rule_values(rules, campaign.house_rules),
        house_rule_values(rules, house_rules),
        strict=True,
    )
    return tuple(
        SettingChange(old.rule.key, old.rule.label, old.shown, new.shown)
        for old, new in pairs
        if old.value != new.value
    )


def _warband_change(
    key: UUID, before: WarbandState, house_rules: Mapping[str, Any]
) -> WarbandChange:
    after = step(before, RulesChanged(settings=house_rules), find_ruleset).state
    rules = find_ruleset(before.ruleset, before.edition)
    return WarbandChange(
        warband=key,
        name=before.name,
        points_before=rules.roster_totals(before.roster).points,
        points_after=rules.roster_totals(after.roster).points,
        fighters=_fighter_changes(before, after),
        problems=_new_problems(rules, before, after),
    )


def _fighter_changes(before: WarbandState, after: WarbandState) -> tuple[FighterChange, ...]:
    return tuple(
        FighterChange(key, fighter.name, fighter.points, after.fighters[key].points)
        for key, fighter in before.fighters.items()
        if fighter.points != after.fighters[key].points
    )


def _new_problems(rules: Ruleset, before: WarbandState, after: WarbandState) -> tuple[Problem, ...]:
    purpose = RosterPurpose.CARRY_ON if before.games_played else RosterPurpose.ENROL
    former = {
        (problem.code, problem.fighters)
        for problem in rules.roster_problems(before.roster, purpose)
    }
    problems = rules.roster_problems(after.roster, purpose)
    return tuple(problem for problem in problems if (problem.code, problem.fighters) not in former)
