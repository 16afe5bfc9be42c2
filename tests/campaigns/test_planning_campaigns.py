"""Planning, changing, starting, finishing and cancelling campaigns."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from battles.models import Battle
from campaigns.models import Campaign, CampaignState, Enrolment, Format
from campaigns.scoring import Scoring, scoring_of
from campaigns.services.campaigns import (
    cancel_campaign,
    edit_campaign,
    finish_campaign,
    plan_campaign,
    start_campaign,
)
from campaigns.services.enrolments import enrol_warband, withdraw_warband
from clubs.models import Club
from clubs.services.clubs import found_club
from core.errors import Forbidden, InvalidInput, NotFound, StateConflict
from rulebook.chronicle.facts import Withdrawn
from rulebook.ruleset import RulesError
from tests.campaigns.conftest import Muster, battle_of
from warbands.models import Warband
from warbands.services.chronicle import read_chronicle


def test_a_campaign_is_planned_with_the_defaults_of_its_rule_system(
    club: Club, alice: User
) -> None:
    campaign = plan_campaign(club_id=club.pk, user=alice, name="Winter", ruleset="toy", points=50)
    assert (campaign.state, campaign.edition, campaign.format) == (
        CampaignState.PLANNED,
        "1",
        Format.LINKED,
    )
    assert (campaign.house_rules, campaign.games, campaign.version) == ({}, None, 1)
    assert scoring_of(campaign.scoring) == Scoring()


def test_only_house_rules_that_differ_are_kept(club: Club, alice: User) -> None:
    rules = {"legality": "warn", "surviving": 1}
    campaign = plan_campaign(
        club_id=club.pk, user=alice, name="W", ruleset="toy", points=50, house_rules=rules
    )
    assert campaign.house_rules == {"legality": "warn"}


def test_house_rules_that_make_no_sense_are_all_named(club: Club, alice: User) -> None:
    rules = {"legality": "lax", "surviving": 6, "missed_game": 1, "luck": True}
    with pytest.raises(RulesError) as refused:
        plan_campaign(
            club_id=club.pk, user=alice, name="W", ruleset="toy", points=50, house_rules=rules
        )
    assert {(problem.field, problem.code) for problem in refused.value.problems} == {
        ("house_rules.luck", "unknown-house-rule"),
        ("house_rules.legality", "wrong-house-rule-value"),
        ("house_rules.surviving", "wrong-house-rule-value"),
        ("house_rules.missed_game", "wrong-house-rule-value"),
    }
    assert not Campaign.objects.exists()


@pytest.mark.parametrize("value", [True, "1", 1.5, None, -1, [1]])
def test_a_number_among_house_rules_is_a_whole_number_within_bounds(
    club: Club, alice: User, value: object
) -> None:
    with pytest.raises(RulesError):
        plan_campaign(
            club_id=club.pk,
            user=alice,
            name="W",
            ruleset="toy",
            points=50,
            house_rules={"surviving": value},
        )


def test_an_unknown_rule_system_is_refused(club: Club, alice: User) -> None:
    with pytest.raises(RulesError) as refused:
        plan_campaign(club_id=club.pk, user=alice, name="W", ruleset="chess", points=50)
    assert refused.value.problems[0].code == "unknown-ruleset"


def test_every_wrong_field_of_a_plan_is_named_at_once(club: Club, alice: User) -> None:
    with pytest.raises(InvalidInput) as refused:
        plan_campaign(
            club_id=club.pk,
            user=alice,
            name="",
            ruleset="toy",
            points=0,
            games=0,
            format="ladder",
            visibility="secret",
            story="x" * 20_001,
            scoring={"win": -1},
        )
    fields = {problem.field for problem in refused.value.problems}
    assert fields == {"name", "points", "games", "format", "visibility", "story", "scoring.win"}


def test_only_organisers_plan(club: Club, bob: User, dora: User, charlie: User) -> None:
    found_club(user=charlie, name="Another club")
    for user, answer in ((bob, Forbidden), (dora, Forbidden), (charlie, NotFound)):
        with pytest.raises(answer):
            plan_campaign(club_id=club.pk, user=user, name="Mine", ruleset="toy", points=50)


def test_a_change_makes_a_new_version_and_leaves_the_rest(campaign: Campaign, alice: User) -> None:
    edited = edit_campaign(
        campaign_id=campaign.pk, version=1, user=alice, name="Spring", games=6, points=60
    )
    edited.refresh_from_db()
    assert (edited.name, edited.games, edited.points, edited.version) == ("Spring", 6, 60, 2)
    edited = edit_campaign(campaign_id=campaign.pk, version=2, user=alice, games=None)
    assert (edited.name, edited.games, edited.version) == ("Spring", None, 3)


def test_who_changes_an_old_version_is_told_so(campaign: Campaign, alice: User) -> None:
    edit_campaign(campaign_id=campaign.pk, version=1, user=alice, name="Spring")
    with pytest.raises(StateConflict) as refused:
        edit_campaign(campaign_id=campaign.pk, version=1, user=alice, name="Summer")
    assert refused.value.code == "stale-version"
    assert Campaign.objects.get().name == "Spring"


def test_only_organisers_change_a_campaign(campaign: Campaign, bob: User, charlie: User) -> None:
    with pytest.raises(Forbidden):
        edit_campaign(campaign_id=campaign.pk, version=1, user=bob, name="Mine")
    with pytest.raises(NotFound):
        edit_campaign(campaign_id=campaign.pk, version=1, user=charlie, name="Mine")


def test_the_agreed_points_stand_once_a_warband_is_enrolled(
    enrolled: Campaign, alice: User
) -> None:
    with pytest.raises(InvalidInput) as refused:
        edit_campaign(campaign_id=enrolled.pk, version=1, user=alice, points=60)
    assert refused.value.code == "warbands-enrolled"
    edit_campaign(
        campaign_id=enrolled.pk,
        version=1,
        user=alice,
        points=50,
        story="The same points are no change.",
    )


def test_a_campaign_starts_with_two_warbands(enrolled: Campaign, alice: User) -> None:
    started = start_campaign(campaign_id=enrolled.pk, user=alice)
    assert (started.state, started.version) == (CampaignState.RUNNING, 2)
    assert started.started_at is not None
    with pytest.raises(InvalidInput) as refused:
        start_campaign(campaign_id=enrolled.pk, user=alice)
    assert refused.value.code == "not-planned"


def test_a_campaign_does_not_start_with_one_warband(
    campaign: Campaign, muster: Muster, alice: User
) -> None:
    enrol_warband(campaign_id=campaign.pk, warband_id=muster(alice, "Reds").pk, user=alice)
    with pytest.raises(InvalidInput) as refused:
        start_campaign(campaign_id=campaign.pk, user=alice)
    assert refused.value.code == "too-few-warbands"


def test_a_rule_system_without_a_classic_campaign_has_none(club: Club, alice: User) -> None:
    terms: dict[str, Any] = {
        "club_id": club.pk,
        "user": alice,
        "name": "C",
        "ruleset": "toy",
        "points": 50,
    }
    with pytest.raises(RulesError) as refused:
        plan_campaign(**terms, format=Format.CLASSIC)
    assert [(problem.code, problem.field) for problem in refused.value.problems] == [
        ("no-classic-campaign", "format")
    ]
    linked = plan_campaign(**terms)
    with pytest.raises(RulesError):
        edit_campaign(campaign_id=linked.pk, version=1, user=alice, format=Format.CLASSIC)
    assert Campaign.objects.get().format == Format.LINKED


def test_the_end_of_a_campaign_sets_its_warbands_free(enrolled: Campaign, alice: User) -> None:
    start_campaign(campaign_id=enrolled.pk, user=alice)
    finished = finish_campaign(campaign_id=enrolled.pk, user=alice, version=2)
    assert finished.state == CampaignState.FINISHED
    assert {row.left_at for row in Enrolment.objects.all()} == {finished.finished_at}
    for warband in Warband.objects.all():
        assert warband.state["campaign"] is None
        assert isinstance(read_chronicle(warband.pk)[-1], Withdrawn)


@pytest.mark.parametrize("state", ["planned", "under-way", "submitted", "disputed"])
def test_campaign_with_open_battles_does_not_end(
    enrolled: Campaign, alice: User, state: str
) -> None:
    start_campaign(campaign_id=enrolled.pk, user=alice)
    battle = battle_of(enrolled, list(Warband.objects.all()), alice, state=state)
    with pytest.raises(InvalidInput) as refused:
        finish_campaign(campaign_id=enrolled.pk, user=alice)
    assert refused.value.code == "battles-open"
    Battle.objects.filter(pk=battle.pk).update(state="void")
    assert finish_campaign(campaign_id=enrolled.pk, user=alice).state == CampaignState.FINISHED


def test_a_warband_does_not_withdraw_before_its_battles_are_settled(
    enrolled: Campaign, alice: User, bob: User
) -> None:
    start_campaign(campaign_id=enrolled.pk, user=alice)
    battle = battle_of(enrolled, list(Warband.objects.all()), alice, state="submitted")
    enrolment = Enrolment.objects.get(warband__owner=bob)
    with pytest.raises(InvalidInput) as refused:
        withdraw_warband(enrolment_id=enrolment.pk, user=bob)
    assert refused.value.code == "battles-open"
    Battle.objects.filter(pk=battle.pk).update(state="confirmed")
    assert withdraw_warband(enrolment_id=enrolment.pk, user=bob).left_at is not None


def test_a_planned_campaign_cannot_be_finished(enrolled: Campaign, alice: User) -> None:
    with pytest.raises(InvalidInput) as refused:
        finish_campaign(campaign_id=enrolled.pk, user=alice)
    assert refused.value.code == "not-running"


def test_of_a_finished_campaign_only_the_words_change(enrolled: Campaign, alice: User) -> None:
    start_campaign(campaign_id=enrolled.pk, user=alice)
    version = finish_campaign(campaign_id=enrolled.pk, user=alice).version
    with pytest.raises(InvalidInput) as refused:
        edit_campaign(campaign_id=enrolled.pk, version=version, user=alice, scoring={"win": 5})
    assert refused.value.code == "campaign-finished"
    edit_campaign(
        campaign_id=enrolled.pk,
        version=version,
        user=alice,
        story="It was long.",
        visibility="public",
    )


def test_a_planned_campaign_can_be_cancelled_and_frees_its_warbands(
    enrolled: Campaign, alice: User
) -> None:
    cancel_campaign(campaign_id=enrolled.pk, user=alice)
    assert not Campaign.objects.exists()
    assert not Enrolment.objects.exists()
    assert {warband.state["campaign"] for warband in Warband.objects.all()} == {None}


def test_a_running_campaign_cannot_be_cancelled(enrolled: Campaign, alice: User) -> None:
    start_campaign(campaign_id=enrolled.pk, user=alice)
    with pytest.raises(InvalidInput) as refused:
        cancel_campaign(campaign_id=enrolled.pk, user=alice)
    assert refused.value.code == "not-planned"


def test_only_organisers_start_finish_and_cancel(
    enrolled: Campaign, bob: User, charlie: User
) -> None:
    for verb in (start_campaign, finish_campaign, cancel_campaign):
        with pytest.raises(Forbidden):
            verb(campaign_id=enrolled.pk, user=bob)
        with pytest.raises(NotFound):
            verb(campaign_id=enrolled.pk, user=charlie)


def test_a_campaign_can_end_after_everybody_has_withdrawn(enrolled: Campaign, alice: User) -> None:
    start_campaign(campaign_id=enrolled.pk, user=alice)
    for enrolment in Enrolment.objects.all():
        withdraw_warband(enrolment_id=enrolment.pk, user=alice)
    assert finish_campaign(campaign_id=enrolled.pk, user=alice).state == CampaignState.FINISHED
