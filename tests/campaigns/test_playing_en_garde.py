"""Campaigns of En Garde!: real lists, real house rules, the agreed points."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User

from campaigns.eligibility import ruleset_of_campaign
from campaigns.house_rules import house_rule_values
from campaigns.models import Campaign
from campaigns.services.campaigns import plan_campaign, start_campaign
from campaigns.services.enrolments import check_enrolment, enrol_warband
from campaigns.services.house_rules import change_house_rules, preview_house_rules
from clubs.models import Club
from core.errors import InvalidInput
from leagues.selectors.campaign_page import campaign_page
from rulebook.ruleset import RulesError, Severity
from warbands.models import Warband
from warbands.services.posts import appoint
from warbands.services.roster import NewFighter, recruit_fighters
from warbands.services.verification import prove
from warbands.services.warbands import muster_warband

pytestmark = pytest.mark.one_database

Hire = Callable[..., Warband]


@pytest.fixture
def hire() -> Hire:
    """Return a function that makes a warband of a printed list, led by its first fighter.

    Example: ``hire(owner, "cardinals-guard", officer=1, guard=4)``.
    """

    def make(owner: User, faction: str, **profiles: int) -> Warband:
        warband = muster_warband(
            user=owner, ruleset="en-garde", faction=faction, name=f"{owner} of the {faction}"
        )
        recruits = [
            NewFighter({"profile": key.replace("_", "-")}, count=count)
            for key, count in profiles.items()
        ]
        ids = recruit_fighters(warband_id=warband.pk, fighters=recruits, user=owner)
        appoint(warband_id=warband.pk, user=owner, posts={"leader": ids[0]})
        warband.refresh_from_db()
        return warband

    return make


@pytest.fixture
def winter(club: Club, alice: User) -> Campaign:
    """Return a campaign with experience and 100 points."""
    return plan_campaign(
        club_id=club.pk, user=alice, name="Winter", ruleset="en-garde", points=100, games=3
    )


def test_a_printed_list_enters_and_the_campaign_starts(
    winter: Campaign, hire: Hire, alice: User, bob: User
) -> None:
    guards = hire(alice, "cardinals-guard", officer=1, guard=4, ruffian=4)
    musketeers = hire(bob, "cardinals-guard", senior_officer=1, guard=5, ruffian=3)
    for owner, warband in ((alice, guards), (bob, musketeers)):
        assert check_enrolment(campaign_id=winter.pk, warband_id=warband.pk, user=owner) == ()
        enrol_warband(campaign_id=winter.pk, warband_id=warband.pk, user=owner)
    start_campaign(campaign_id=winter.pk, user=alice)
    page = campaign_page(Campaign.objects.get(), alice)
    assert (page.ruleset_name, page.state_label) == ("En Garde!", "Running")
    assert [(row.points, row.fighters) for row in page.enrolments] == [(66, 9), (76, 9)]
    assert all(prove(warband) == [] for warband in Warband.objects.all())


def test_the_agreed_points_and_the_lists_lines_are_checked(
    winter: Campaign, hire: Hire, alice: User
) -> None:
    warband = hire(alice, "cardinals-guard", general=1, senior_officer=3, guard=2)
    with pytest.raises(InvalidInput) as refused:
        enrol_warband(campaign_id=winter.pk, warband_id=warband.pk, user=alice)
    codes = {
        problem.code for problem in refused.value.problems if problem.severity is Severity.FORBIDS
    }
    assert "too-few-low-ranks" in codes
    assert len(codes) >= 2


def test_under_warnings_the_same_warband_gets_in(club: Club, hire: Hire, alice: User) -> None:
    lax = plan_campaign(
        club_id=club.pk,
        user=alice,
        name="L",
        ruleset="en-garde",
        points=100,
        house_rules={"legality": "warn"},
    )
    warband = hire(alice, "cardinals-guard", general=1, senior_officer=3, guard=2)
    problems = check_enrolment(campaign_id=lax.pk, warband_id=warband.pk, user=alice)
    assert {problem.severity for problem in problems} == {Severity.WARNS}
    assert enrol_warband(campaign_id=lax.pk, warband_id=warband.pk, user=alice).overruled == ""


def test_printed_prices_make_the_cardinals_officers_cheaper(
    winter: Campaign, hire: Hire, alice: User
) -> None:
    """Ruling D2: printed 16, corrected 18."""
    warband = hire(alice, "cardinals-guard", officer=2, guard=4)
    enrol_warband(campaign_id=winter.pk, warband_id=warband.pk, user=alice)
    preview = preview_house_rules(
        campaign_id=winter.pk, user=alice, house_rules={"prices": "printed"}
    )
    change = preview.warbands[0]
    assert [(row.points_before, row.points_after) for row in change.fighters] == [
        (18, 16),
        (18, 16),
    ]
    assert (change.points_before, change.points_after) == (68, 64)
    change_house_rules(
        campaign_id=winter.pk,
        version=1,
        user=alice,
        house_rules={"prices": "printed"},
        reason="As the book has it.",
    )
    warband.refresh_from_db()
    assert warband.points == 64
    assert prove(warband) == []


def test_a_warband_is_weighed_by_the_campaigns_prices_when_it_enters(
    club: Club, hire: Hire, alice: User
) -> None:
    tight = plan_campaign(
        club_id=club.pk,
        user=alice,
        name="T",
        ruleset="en-garde",
        points=64,
        house_rules={"prices": "printed"},
    )
    warband = hire(alice, "cardinals-guard", officer=2, guard=4)
    assert warband.points == 68
    enrol_warband(campaign_id=tight.pk, warband_id=warband.pk, user=alice)
    warband.refresh_from_db()
    assert warband.points == 64


def test_every_house_rule_of_en_garde_can_be_set_to_each_of_its_values(
    winter: Campaign, alice: User
) -> None:
    forbidden = 0
    for value in house_rule_values(ruleset_of_campaign(winter), {}):
        rule = value.rule
        others: dict[str, list[Any]] = {
            "flag": [not rule.default],
            "choice": [key for key, _ in rule.choices],
            "number": [rule.most],
        }
        for other in others[rule.kind]:
            if other != rule.default:
                preview = preview_house_rules(
                    campaign_id=winter.pk, user=alice, house_rules={rule.key: other}
                )
                assert [change.key for change in preview.settings] == [rule.key]
                forbidden += 1
    assert forbidden > 20


def test_nonsense_for_any_house_rule_is_refused(winter: Campaign, alice: User) -> None:
    rules = {
        value.rule.key: "nonsense" for value in house_rule_values(ruleset_of_campaign(winter), {})
    }
    with pytest.raises(RulesError) as refused:
        preview_house_rules(campaign_id=winter.pk, user=alice, house_rules=rules)
    assert len(refused.value.problems) == len(rules)
