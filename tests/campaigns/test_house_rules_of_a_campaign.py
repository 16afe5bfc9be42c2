"""Changing house rules: the dry run, and one fact for each enrolled warband."""

import pytest
from django.contrib.auth.models import User

from campaigns.house_rules import house_rule_values
from campaigns.models import Campaign, Enrolment
from campaigns.services.campaigns import finish_campaign, start_campaign
from campaigns.services.enrolments import enrol_warband, withdraw_warband
from campaigns.services.house_rules import change_house_rules, preview_house_rules
from core.errors import Forbidden, InvalidInput, NotFound, StateConflict
from rulebook.chronicle.facts import RulesChanged
from rulebook.ruleset import RulesError, Ruleset
from tests.campaigns.conftest import Muster
from tests.full_toy import ToyRuleset
from warbands.models import ChronicleEntry, Warband
from warbands.services.chronicle import read_chronicle
from warbands.services.verification import prove

pytestmark = pytest.mark.one_database


def test_the_change_is_a_fact_in_every_enrolled_warbands_chronicle(
    enrolled: Campaign, alice: User
) -> None:
    change_house_rules(
        campaign_id=enrolled.pk,
        version=1,
        user=alice,
        house_rules={"surviving": 2},
        reason="Too slow.",
    )
    enrolled.refresh_from_db()
    assert (enrolled.house_rules, enrolled.version) == ({"surviving": 2}, 2)
    for warband in Warband.objects.all():
        assert read_chronicle(warband.pk)[-1] == RulesChanged(
            settings={"surviving": 2}, reason="Too slow."
        )
        assert warband.state["settings"] == {"surviving": 2}
        assert prove(warband) == []


def test_warbands_that_have_left_are_not_told(enrolled: Campaign, alice: User, bob: User) -> None:
    withdraw_warband(enrolment_id=Enrolment.objects.get(warband__owner=bob).pk, user=bob)
    change_house_rules(
        campaign_id=enrolled.pk,
        version=1,
        user=alice,
        house_rules={"surviving": 2},
        reason="Why not",
    )
    assert ChronicleEntry.objects.filter(kind="rules-changed").count() == 1


def test_what_is_absent_goes_back_to_its_default(enrolled: Campaign, alice: User) -> None:
    change_house_rules(
        campaign_id=enrolled.pk, version=1, user=alice, house_rules={"surviving": 2}, reason="Up"
    )
    change_house_rules(
        campaign_id=enrolled.pk,
        version=2,
        user=alice,
        house_rules={"missed_game": True},
        reason="Down",
    )
    enrolled.refresh_from_db()
    assert enrolled.house_rules == {"missed_game": True}


def test_a_dry_run_names_the_settings_that_change_and_writes_nothing(
    enrolled: Campaign, alice: User
) -> None:
    before = ChronicleEntry.objects.count()
    preview = preview_house_rules(
        campaign_id=enrolled.pk,
        user=alice,
        house_rules={"surviving": 2, "missed_game": True, "legality": "warn"},
    )
    assert [(change.key, change.before, change.after) for change in preview.settings] == [
        ("legality", "Strict", "Warn"),
        ("surviving", "1", "2"),
        ("missed_game", "no", "yes"),
    ]
    assert [change.name for change in preview.warbands] == ["Alice's Reds", "Bob's Reds"]
    assert ChronicleEntry.objects.count() == before
    enrolled.refresh_from_db()
    assert (enrolled.house_rules, enrolled.version) == ({}, 1)


def test_a_dry_run_shows_points_that_change_and_new_problems(
    enrolled: Campaign, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under this rule survival costs points: a captain and a recruit of 21 points become too dear
    for 50."""
    plain = ToyRuleset.fighter_facts

    def dearer(self, build, terms, *condition):
        facts = plain(self, build, terms, *condition)
        return type(facts)(
            facts.rank,
            facts.points + 20 * (terms.settings.get("surviving", 1) - 1),
            facts.profile_name,
        )

    monkeypatch.setattr(ToyRuleset, "fighter_facts", dearer)
    preview = preview_house_rules(campaign_id=enrolled.pk, user=alice, house_rules={"surviving": 2})
    change = preview.warbands[0]
    assert (change.points_before, change.points_after) == (21, 61)
    assert [
        (fighter.name, fighter.points_before, fighter.points_after) for fighter in change.fighters
    ] == [
        ("captain 0", 16, 36),
        ("recruit 1", 5, 25),
    ]
    assert [problem.code for problem in change.problems] == ["over-points"]


def test_house_rules_refuse_unchanged_values(enrolled: Campaign, alice: User) -> None:
    with pytest.raises(InvalidInput) as refused:
        preview_house_rules(campaign_id=enrolled.pk, user=alice, house_rules={"surviving": 1})
    assert refused.value.code == "nothing-changes"


def test_a_change_needs_a_reason_and_writes_nothing_without(
    enrolled: Campaign, alice: User
) -> None:
    with pytest.raises(InvalidInput) as refused:
        change_house_rules(
            campaign_id=enrolled.pk, version=1, user=alice, house_rules={"surviving": 2}, reason=" "
        )
    assert refused.value.field == "reason"
    assert not ChronicleEntry.objects.filter(kind="rules-changed").exists()


def test_house_rules_that_make_no_sense_change_nothing(enrolled: Campaign, alice: User) -> None:
    with pytest.raises(RulesError):
        change_house_rules(
            campaign_id=enrolled.pk, version=1, user=alice, house_rules={"luck": 2}, reason="Fate"
        )
    enrolled.refresh_from_db()
    assert enrolled.version == 1


def test_an_old_version_loses(enrolled: Campaign, alice: User) -> None:
    change_house_rules(
        campaign_id=enrolled.pk, version=1, user=alice, house_rules={"surviving": 2}, reason="Up"
    )
    with pytest.raises(StateConflict):
        change_house_rules(
            campaign_id=enrolled.pk,
            version=1,
            user=alice,
            house_rules={"surviving": 3},
            reason="Up",
        )


def test_the_rules_of_a_finished_campaign_stand(enrolled: Campaign, alice: User) -> None:
    start_campaign(campaign_id=enrolled.pk, user=alice)
    version = finish_campaign(campaign_id=enrolled.pk, user=alice).version
    with pytest.raises(InvalidInput) as refused:
        change_house_rules(
            campaign_id=enrolled.pk,
            version=version,
            user=alice,
            house_rules={"surviving": 2},
            reason="Late",
        )
    assert refused.value.code == "campaign-finished"


def test_only_organisers_change_the_rules(enrolled: Campaign, bob: User, charlie: User) -> None:
    for user, answer in ((bob, Forbidden), (charlie, NotFound)):
        with pytest.raises(answer):
            preview_house_rules(campaign_id=enrolled.pk, user=user, house_rules={"surviving": 2})
        with pytest.raises(answer):
            change_house_rules(
                campaign_id=enrolled.pk,
                version=1,
                user=user,
                house_rules={"surviving": 2},
                reason="Mine",
            )


def test_a_change_costs_the_same_queries_for_two_warbands_as_for_five(
    enrolled: Campaign, muster: Muster, alice: User, bob: User, django_assert_max_num_queries
) -> None:
    counted = []
    for value in (2, 3):
        with django_assert_max_num_queries(30) as captured:
            change_house_rules(
                campaign_id=enrolled.pk,
                version=value - 1,
                user=alice,
                house_rules={"surviving": value},
                reason="Up",
            )
        counted.append(len(captured))
        for number in range(3):
            enrol_warband(
                campaign_id=enrolled.pk,
                warband_id=muster(bob, f"More {value} {number}").pk,
                user=bob,
            )
    assert counted[0] == counted[1]


def test_house_rule_values_have_text_and_default(toy: Ruleset) -> None:
    legality, surviving, missed = house_rule_values(toy, {"missed_game": True})
    assert (legality.shown, legality.changed) == ("Strict", False)
    assert (surviving.value, surviving.shown) == (1, "1")
    assert (missed.shown, missed.default_shown, missed.changed) == ("yes", "no", True)
