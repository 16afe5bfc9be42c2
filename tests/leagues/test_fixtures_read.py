"""The states of fixtures, derived from battles, walkovers and withdrawals."""

from collections.abc import Mapping
from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from battles.models import Battle
from battles.services.corrections import void_battle
from campaigns.models import Campaign, Enrolment, Fixture, Method, Round, Walkover
from campaigns.services.enrolments import withdraw_warband
from leagues.selectors.fixtures import campaign_fixtures, open_fixtures
from tests.pages import world
from tests.pages.world import DAY

Entered = Mapping[str, Enrolment]


@pytest.fixture
def entered(alice: User, bob: User) -> Entered:
    """Return four warbands in a campaign: a and c are Alice's, b and d Bob's."""
    club = world.club_of(alice, players=[bob])
    owners = {"a": alice, "b": bob, "c": alice, "d": bob}
    warbands = [
        world.warband_of(owner, name, "landsknechts", world.LANDSKNECHTS[:2])
        for name, owner in owners.items()
    ]
    campaign = world.campaign_of(club, alice, *warbands)
    return {
        row.warband.name: row for row in campaign.enrolments.select_related("warband", "campaign")
    }


def campaign_of(entered: Entered) -> Campaign:
    return entered["a"].campaign


def a_round(entered: Entered, *pairs: tuple[str, str], number: int = 1, **more: object) -> Round:
    """Return a round with these fixtures; without an opponent it is a bye."""
    made = Round.objects.create(campaign=campaign_of(entered), number=number, **more)
    for place, (home, away) in enumerate(pairs):
        Fixture.objects.create(
            round=made,
            place=place,
            home=entered[home],
            away=entered.get(away),
            bye=away not in entered,
        )
    return made


def states(entered: Entered, today: date = DAY) -> list[str]:
    rounds = campaign_fixtures(campaign_of(entered), today)
    return [row.state for each in rounds for row in each.fixtures]


def fight(entered: Entered, fixture: Fixture, organiser: User) -> Battle:
    """Return a confirmed battle of the fixture, in which the first side wounded the second."""
    assert fixture.home is not None and fixture.away is not None
    battle = world.confirmed_battle(
        organiser, organiser, campaign_of(entered), fixture.home.warband, fixture.away.warband
    )
    Battle.objects.filter(pk=battle.pk).update(fixture=fixture)
    return battle


def test_a_fixture_follows_its_battle_and_is_open_again_once_that_is_void(
    entered: Entered, alice: User
) -> None:
    fixture = a_round(entered, ("a", "b")).fixtures.get()
    assert states(entered) == ["open"]
    battle = world.planned_battle(
        alice, campaign_of(entered), entered["a"].warband, entered["b"].warband
    )
    Battle.objects.filter(pk=battle.pk).update(fixture=fixture)
    assert states(entered) == ["planned"]
    void_battle(battle_id=battle.pk, user=alice)
    assert states(entered) == ["open"]
    fought = fight(entered, fixture, alice)
    row = campaign_fixtures(campaign_of(entered), DAY)[0].fixtures[0]
    assert (row.state, row.battle) == ("confirmed", fought.pk)
    assert row.away is not None and row.home.outcome and row.home.victory_points is not None
    void_battle(battle_id=fought.pk, user=alice, reason="It was another day.")
    assert states(entered) == ["open"]


def test_a_late_fixture_is_overdue_until_its_result_is_handed_in(entered: Entered) -> None:
    a_round(entered, ("a", "b"), ("c", "d"), deadline=DAY)
    Fixture.objects.filter(home=entered["c"]).update(deadline=DAY + timedelta(days=7))
    late = campaign_fixtures(campaign_of(entered), DAY + timedelta(days=1))[0].fixtures
    assert [(row.overdue, [badge.key for badge in row.badges]) for row in late] == [
        (True, ["open", "overdue"]),
        (False, ["open"]),
    ]
    assert not any(row.overdue for row in campaign_fixtures(campaign_of(entered), DAY)[0].fixtures)


def test_who_leaves_gives_the_other_a_bye_and_what_was_played_stands(
    entered: Entered, alice: User, bob: User
) -> None:
    made = a_round(entered, ("a", "b"), ("c", "d"))
    a_round(entered, ("b", "c"), number=2)
    fight(entered, made.fixtures.get(place=0), alice)
    withdraw_warband(enrolment_id=entered["b"].pk, user=bob)
    assert states(entered) == ["confirmed", "open", "bye"]
    withdraw_warband(enrolment_id=entered["c"].pk, user=alice)
    assert states(entered) == ["confirmed", "bye", "bye"], (
        "who was left alone keeps the bye after leaving"
    )


def test_winners_go_on_in_a_knockout_and_losers_play_for_the_third_place(
    entered: Entered, alice: User
) -> None:
    semis = a_round(entered, ("a", "b"), ("c", "d"), method=Method.KNOCKOUT, name="Semi-finals")
    first, second = semis.fixtures.order_by("place")
    final = Round.objects.create(
        campaign=campaign_of(entered), number=2, method=Method.KNOCKOUT, name="Final"
    )
    for place, losers in enumerate((False, True)):
        Fixture.objects.create(
            round=final, place=place, home_from=first, away_from=second, of_losers=losers
        )
    assert states(entered) == ["open", "open", "waiting", "waiting"]
    rows = campaign_fixtures(campaign_of(entered), DAY)[1].fixtures
    assert (rows[0].home.name, rows[1].home.name) == ("Winner of a v. b", "Loser of a v. b")
    Fixture.objects.filter(pk=first.pk).update(walkover=Walkover.AWAY, reason="Alice was ill.")
    Fixture.objects.filter(pk=second.pk).update(walkover=Walkover.HOME)
    rows = campaign_fixtures(campaign_of(entered), DAY)[1].fixtures
    assert [[side.name for side in row.sides] for row in rows] == [["b", "c"], ["a", "d"]]
    Fixture.objects.filter(pk=second.pk).update(walkover=Walkover.NOBODY)
    assert states(entered) == ["walkover", "walkover", "bye", "bye"], (
        "nobody comes on from what both forfeit"
    )


def test_one_slow_player_holds_no_round_up(entered: Entered) -> None:
    a_round(entered, ("a", "b"), ("c", "d"), deadline=DAY)
    second = a_round(entered, ("a", "c"), ("b", "d"), number=2, deadline=DAY + timedelta(days=7))
    rounds = campaign_fixtures(campaign_of(entered), DAY + timedelta(days=1))
    assert [each.current for each in rounds] == [False, True]
    Round.objects.update(deadline=None)
    first = campaign_fixtures(campaign_of(entered), DAY)[0]
    assert first.current and first.open == 2
    Fixture.objects.filter(round__number=1).update(walkover=Walkover.HOME)
    assert [each.id for each in campaign_fixtures(campaign_of(entered), DAY) if each.current] == [
        second.pk
    ]


def test_everybody_has_a_list_of_what_is_left_to_play_the_most_pressing_first(
    entered: Entered, alice: User, bob: User, charlie: User
) -> None:
    a_round(entered, ("a", "b"), ("c", ""), deadline=DAY + timedelta(days=7))
    a_round(entered, ("c", "d"), number=2, deadline=DAY)
    with CaptureQueriesContext(connection) as seen:
        mine = open_fixtures(bob, DAY)
    assert len(seen) == 2
    assert [(each.own.name, each.opponent.name, each.fixture.round_name) for each in mine] == [
        ("d", "c", "Round 2"),
        ("b", "a", "Round 1"),
    ]
    assert [each.own.name for each in open_fixtures(alice, DAY)] == ["c", "a"]
    assert open_fixtures(charlie, DAY) == ()
