"""A walkover for a fixture with a battle: a planned one is voided, one that has begun goes before
it."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from battles.models import Battle, BattleState
from battles.selectors.standings import standings
from battles.services.corrections import void_battle
from campaigns.models import Campaign, Enrolment, Fixture, Method
from campaigns.services.enrolments import enrol_warband, withdraw_warband
from core.errors import InvalidInput, StateConflict
from home.selectors.battle_cards import ToField
from leagues.selectors.fixtures import FixtureRow, campaign_fixtures
from leagues.services.fixtures import add_fixture, give_walkover
from leagues.services.rounds import RoundTerms, make_rounds
from tests.conftest import api_of, browser_of
from tests.pages import world
from tests.pages.world import DAY

pytestmark = pytest.mark.one_database


@pytest.fixture
def campaign(alice: User, bob: User) -> Campaign:
    """Return a campaign with Alice's and Bob's warbands and one pairing."""
    club = world.club_of(alice, players=[bob])
    campaign = world.campaign_of(club, alice, world.landsknechts(alice), world.guards(bob))
    world.paired(campaign, alice)
    return campaign


@pytest.fixture
def fixture(campaign: Campaign) -> Fixture:
    return Fixture.objects.get()


def row_of(fixture: Fixture) -> FixtureRow:
    rounds = campaign_fixtures(fixture.round.campaign, DAY)
    return next(row for each in rounds for row in each.fixtures if row.id == fixture.pk)


def sides(fixture: Fixture) -> tuple[Enrolment, Enrolment]:
    assert fixture.home is not None and fixture.away is not None
    return fixture.home, fixture.away


def planned(fixture: Fixture, user: User) -> Battle:
    home, away = sides(fixture)
    return world.planned_battle(user, fixture.round.campaign, home.warband, away.warband)


def test_a_walkover_voids_the_planned_battle_and_asks_nobody_to_field_for_it(
    fixture: Fixture, alice: User, bob: User
) -> None:
    battle = planned(fixture, bob)
    assert ToField().rows(bob, DAY).count() == 1
    give_walkover(fixture_id=fixture.pk, user=alice, walkover="home", reason="Ill.")
    battle.refresh_from_db()
    assert (battle.state, battle.decision) == (BattleState.VOID, "Ill.")
    assert ToField().rows(bob, DAY).count() == ToField().rows(alice, DAY).count() == 0
    assert row_of(fixture).state == "walkover"
    withdraw_warband(enrolment_id=sides(fixture)[1].pk, user=alice)


def test_a_battle_that_has_begun_goes_before_a_walkover(fixture: Fixture, alice: User) -> None:
    home, away = sides(fixture)
    battle = world.begun_battle(alice, fixture.round.campaign, home.warband, away.warband)
    address = f"/api/v1/fixtures/{fixture.pk}/walkover/"
    answer = api_of(alice).put(address, {"walkover": "home", "reason": "Ill."}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "battle-begun")
    assert answer.json()["errors"][0]["value"] == str(battle.pk)
    page = browser_of(alice).get(reverse("leagues:fixture", args=[fixture.pk])).content.decode()
    assert reverse("battles:battle", args=[battle.pk]) in page and "has started" in page
    assert reverse("leagues:walkover", args=[fixture.pk]) not in page
    void_battle(battle_id=battle.pk, user=alice, reason="Nobody came back.")
    give_walkover(fixture_id=fixture.pk, user=alice, walkover="home", reason="Ill.")


def test_the_page_says_what_happens_to_the_planned_battle_before_it_happens(
    fixture: Fixture, alice: User, bob: User
) -> None:
    browser = browser_of(alice)
    where = reverse("leagues:walkover", args=[fixture.pk])
    data = {"walkover": "home", "reason": "Ill.", "version": fixture.version}
    battle = planned(fixture, bob)
    unseen = browser.post(where, data)
    assert (
        unseen.status_code == 400 and "planned or voided in the meantime" in unseen.content.decode()
    )
    page = browser.get(reverse("leagues:fixture", args=[fixture.pk])).content.decode()
    assert reverse(
        "battles:battle", args=[battle.pk]
    ) in page and "that battle is voided" in " ".join(page.split())
    assert f'name="planned" value="{battle.pk}"' in page
    assert browser.post(where, {**data, "planned": str(battle.pk)}).status_code == 302
    battle.refresh_from_db()
    assert battle.state == BattleState.VOID


def test_a_fixture_given_up_is_played_after_all_once_its_bye_is_taken_back(
    campaign: Campaign, alice: User, bob: User
) -> None:
    Fixture.objects.all().delete()
    swiss = make_rounds(campaign_id=campaign.pk, user=alice, terms=RoundTerms(method=Method.SWISS))[
        0
    ]
    fixture = swiss.fixtures.get()
    away = sides(fixture)[1]
    withdraw_warband(enrolment_id=away.pk, user=alice)
    assert not row_of(fixture).given_up, "while it is away there is nothing to reopen"
    enrol_warband(campaign_id=campaign.pk, warband_id=away.warband_id, user=alice)
    assert (row_of(fixture).state, row_of(fixture).given_up) == ("bye", True)
    other = add_fixture(round_id=swiss.pk, user=alice, home_id=away.pk)
    with pytest.raises(InvalidInput, check=lambda raised: raised.code == "has-bye"):
        give_walkover(fixture_id=fixture.pk, user=alice, walkover="")
    other.delete()
    page = browser_of(alice).get(reverse("leagues:fixture", args=[fixture.pk])).content.decode()
    assert "reopen the fixture" in page
    version = Fixture.objects.get(pk=fixture.pk).version
    data = {"walkover": "", "reason": "", "version": version}
    assert (
        browser_of(alice).post(reverse("leagues:walkover", args=[fixture.pk]), data).status_code
        == 302
    )
    assert (row_of(fixture).state, row_of(fixture).given_up) == ("open", False)
    assert {row.points for row in standings(campaign).rows} == {0}


def test_withdrawal_lists_open_battles(
    campaign: Campaign, fixture: Fixture, alice: User, bob: User
) -> None:
    battle = planned(fixture, bob)
    away = sides(fixture)[1]
    with pytest.raises(InvalidInput) as raised:
        withdraw_warband(enrolment_id=away.pk, user=alice)
    (problem,) = raised.value.problems
    assert (raised.value.code, problem.field, problem.value) == (
        "battles-open",
        "battle",
        str(battle.pk),
    )
    answer = api_of(alice).delete(f"/api/v1/enrolments/{away.pk}/")
    assert [each["value"] for each in answer.json()["errors"]] == [str(battle.pk)]
    page = browser_of(alice).get(reverse("leagues:withdraw", args=[away.pk])).content.decode()
    assert reverse("battles:battle", args=[battle.pk]) in page
    with pytest.raises(StateConflict, check=lambda raised: raised.code == "stale-version"):
        give_walkover(fixture_id=fixture.pk, user=alice, walkover="home", reason="Ill.", version=99)
