"""Check whether a warband can enter a campaign, and preview changes of house rules. Pure."""

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
"""The terms of a campaign besides its house rules. Players are notified when one changes."""


class SettingChange(Struct, frozen=True):
    """A house rule that changes: its values before and after, as text."""

    key: str
    label: str
    before: str
    after: str


class FighterChange(Struct, frozen=True):
    """The effect of changed house rules on a fighter: its points before and after."""

    fighter: str
    name: str
    points_before: int
    points_after: int


class WarbandChange(Struct, frozen=True):
    """The effect of changed house rules on a warband: its total, fighters and new problems."""

    warband: UUID
    name: str
    points_before: int
    points_after: int
    fighters: tuple[FighterChange, ...]
    problems: tuple[Problem, ...]


class RulesPreview(Struct, frozen=True):
    """The effect of changed house rules: the changed settings, and every enrolled warband."""

    settings: tuple[SettingChange, ...]
    warbands: tuple[WarbandChange, ...]


def ruleset_of_campaign(campaign: Campaign) -> Ruleset:
    """Return the rule system of the campaign, in its edition."""
    return find_ruleset(campaign.ruleset, campaign.edition)


def enrolment_problems(
    campaign: Campaign, state: WarbandState, *, carried_on: bool = False
) -> tuple[Problem, ...]:
    """Return the problems of a roster under the campaign's points and house rules.

    The result is empty if the roster is legal.

    Composition is checked when a warband enters; the rule system decides which of these rules still
    apply later. A warband that is ``carried_on`` from the previous campaign is checked as one that
    continues, with everything it has gained.
    """
    purpose = RosterPurpose.CARRY_ON if carried_on else RosterPurpose.ENROL
    entering = replace(
        state, agreed_points=campaign.points, settings=campaign.house_rules, games_played=0
    )
    return ruleset_of_campaign(campaign).roster_problems(entering.roster, purpose)


def rules_preview(
    campaign: Campaign, house_rules: Mapping[str, Any], states: Mapping[UUID, WarbandState]
) -> RulesPreview:
    """Return what these house rules would change for the campaign's warbands. Writes nothing."""
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
