"""Warbands that leave a campaign and return: others keep what they got in the meantime."""

from collections.abc import Mapping
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from battles.selectors.fixture_results import fixture_results
from battles.selectors.standings import standings
from campaigns.models import Campaign, Enrolment, Fixture, Method, Round
from campaigns.services.campaigns import finish_campaign
from campaigns.services.enrolments import enrol_warband, withdraw_warband
from leagues.selectors.fixtures import campaign_fixtures
from leagues.services.fixtures import challenge, give_walkover
from leagues.services.rounds import RoundTerms, Seeding, make_rounds
from tests.pages import world

pytestmark = pytest.mark.one_database

Entered = Mapping[str, Enrolment]


@pytest.fixture
def entered(alice: User) -> Entered:
    """Return four warbands of Alice's in a campaign."""
    warbands = [
        world.warband_of(alice, name, "landsknechts", world.LANDSKNECHTS[:2]) for name in "abcd"
    ]
    campaign = world.campaign_of(world.club_of(alice), alice, *warbands)
    return {
        row.warband.name: row for row in campaign.enrolments.select_related("warband", "campaign")
    }


@pytest.fixture
def campaign(entered: Entered) -> Campaign:
    return entered["a"].campaign


def make(campaign: Campaign, user: User, method: Method, **terms: object) -> list[Round]:
    order = tuple(campaign.enrolments.order_by("warband__name").values_list("pk", flat=True))
    given = {"seeding": Seeding.GIVEN, "entrants": order, **terms}
    return make_rounds(campaign_id=campaign.pk, user=user, terms=RoundTerms(method=method, **given))  # type: ignore[arg-type]


def leave(enrolment: Enrolment, user: User) -> None:
    withdraw_warband(enrolment_id=enrolment.pk, user=user)


def come_back(enrolment: Enrolment, user: User) -> None:
    enrol_warband(campaign_id=enrolment.campaign_id, warband_id=enrolment.warband_id, user=user)


def states(campaign: Campaign) -> list[list[str]]:
    """Return the states of all fixtures by round."""
    return [
        [row.state for row in each.fixtures]
        for each in campaign_fixtures(campaign, timezone.localdate())
    ]


def points(campaign: Campaign) -> dict[str, int]:
    return {row.name: row.points for row in standings(campaign).rows}


def opponent(campaign: Campaign, name: str) -> str:
    """Return the opponent of a warband in the first round."""
    results = fixture_results(Fixture.objects.filter(round__campaign=campaign))
    pair = next(
        each.entrants for each in results if name in {entrant.name for entrant in each.entrants}
    )
    return next(each.name for each in pair if each.name != name)


def test_coming_back_to_a_swiss_reopens_no_round(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    make(campaign, alice, Method.SWISS)
    lucky = opponent(campaign, "a")
    leave(entered["a"], alice)
    assert points(campaign)[lucky] == 1 and "a" not in points(campaign)
    come_back(entered["a"], alice)
    assert points(campaign)[lucky] == 1, "who was given the round keeps it"
    assert sorted(states(campaign)[0]) == ["bye", "open"], (
        "the other game of the round is still to be played"
    )
    make(campaign, alice, Method.SWISS)
    assert states(campaign)[1] == ["open", "open"], "and who is back plays the next round"


@pytest.mark.parametrize("method", [Method.SWISS, Method.ROUND_ROBIN])
@pytest.mark.parametrize("first_back", [0, 1])
def test_of_two_who_left_the_second_keeps_the_bye(
    campaign: Campaign, entered: Entered, alice: User, method: Method, first_back: int
) -> None:
    make(campaign, alice, method)
    away = ["a", opponent(campaign, "a")]
    for name in away:
        leave(entered[name], alice)
    before = points(campaign)[away[1]]
    assert before == 1
    back = [away[first_back], away[1 - first_back]]
    come_back(entered[back[0]], alice)
    come_back(entered[back[1]], alice)
    first = states(campaign)[0]
    if method == Method.SWISS:
        assert sorted(first) == ["bye", "open"]
        assert points(campaign) == dict.fromkeys("abcd", 0) | {away[1]: 1}
    else:
        assert points(campaign)["a"] == 0


def test_a_bye_stays_with_who_leaves_and_comes_back(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    leave(entered["d"], alice)
    entrants = tuple(entered[name].pk for name in "abc")
    next_round = make(campaign, alice, Method.SWISS, entrants=entrants)[0]
    resting = next_round.fixtures.get(bye=True).home
    assert resting is not None
    leave(resting, alice)
    name = resting.warband.name
    assert points(campaign)[name] == 1, "what counts stays in the table"
    come_back(resting, alice)
    assert points(campaign)[name] == 1


def test_knockout_continues_without_returning_warband(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    semis, final = make(campaign, alice, Method.KNOCKOUT)
    first = semis.fixtures.get(place=0)
    assert first.home == entered["a"]
    leave(entered["a"], alice)
    come_back(entered["a"], alice)
    assert states(campaign) == [["bye", "open"], ["waiting"]]
    second = semis.fixtures.get(place=1)
    give_walkover(fixture_id=second.pk, user=alice, walkover="home", reason="Ill.")
    assert states(campaign)[1] == ["open"] and final.fixtures.count() == 1
    winner = second.home
    assert winner is not None
    leave(winner, alice)
    come_back(winner, alice)
    assert states(campaign) == [["bye", "walkover"], ["bye"]], "out of the final too"


def test_coming_back_to_a_round_robin_plays_this_round_and_later_ones(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    rounds = make(campaign, alice, Method.ROUND_ROBIN)
    leave(entered["a"], alice)
    others = rounds[0].fixtures.exclude(home=entered["a"]).exclude(away=entered["a"]).get()
    give_walkover(fixture_id=others.pk, user=alice, walkover="home", reason="Ill.")
    before = points(campaign)
    come_back(entered["a"], alice)
    assert [sorted(each) for each in states(campaign)] == [
        ["bye", "walkover"],
        ["open", "open"],
        ["open", "open"],
    ]
    lucky = opponent(campaign, "a")
    assert points(campaign)[lucky] == before[lucky] == 1, "the bye of the round that is over stays"


def test_past_round_is_over_for_returning_warband(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    make(
        campaign,
        alice,
        Method.ROUND_ROBIN,
        deadline=timezone.localdate() - timedelta(days=3),
        days=7,
    )
    leave(entered["a"], alice)
    come_back(entered["a"], alice)
    assert [sorted(each) for each in states(campaign)] == [
        ["bye", "open"],
        ["open", "open"],
        ["open", "open"],
    ]


def test_a_challenge_does_not_come_back_to_a_ladder(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    ladder = make(campaign, alice, Method.LADDER)[0]
    challenge(
        round_id=ladder.pk, user=alice, challenger_id=entered["b"].pk, opponent_id=entered["a"].pk
    )
    leave(entered["a"], alice)
    come_back(entered["a"], alice)
    assert states(campaign) == [["void"]]
    challenge(
        round_id=ladder.pk, user=alice, challenger_id=entered["b"].pk, opponent_id=entered["a"].pk
    )
    assert states(campaign) == [["void", "open"]]


def test_before_a_campaign_begins_coming_back_changes_nothing(
    entered: Entered, alice: User
) -> None:
    warbands = [
        world.warband_of(alice, name, "landsknechts", world.LANDSKNECHTS[:2]) for name in "wxyz"
    ]
    planned = world.campaign_of(
        entered["a"].campaign.club, alice, *warbands, running=False, name="Later"
    )
    make(planned, alice, Method.SWISS)
    gone = planned.enrolments.get(warband=warbands[0])
    leave(gone, alice)
    come_back(gone, alice)
    assert states(planned) == [["open", "open"]]


def test_the_byes_of_who_was_left_alone_stay_at_the_campaigns_end(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    make(campaign, alice, Method.SWISS)
    leave(entered["a"], alice)
    before = points(campaign)
    assert sum(before.values()) == 1
    finish_campaign(campaign_id=campaign.pk, user=alice)
    assert points(Campaign.objects.get()) == before
