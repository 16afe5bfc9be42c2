"""Several people at once, each with a connection of their own: nothing is lost and nothing is
written twice."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from battles.models import Battle, BattleEvent, Combatant, Revision
from battles.services.corrections import Correction, correct_battle
from battles.services.fielding import Force, field_combatants
from battles.services.logbook import log_events
from battles.services.planning import plan_battle
from battles.services.review import Decision, confirm_side, decide_battle, submit_battle
from campaigns.models import Campaign
from clubs.models import Club, Membership
from core.errors import MusterError, StateConflict
from tests.battles.field import (
    begin,
    confirmed,
    fight,
    fighters,
    muster,
    note,
    planned,
    rank_up,
    run_campaign,
    struck,
    wound,
)
from tests.together import at_once
from warbands.models import ChronicleEntry, Warband
from warbands.services.verification import prove

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def refusals(answers: list[Any]) -> list[str]:
    """Return the codes of refused answers."""
    return sorted(answer.code for answer in answers if isinstance(answer, MusterError))


def whole(*warbands: Warband) -> bool:
    """Return whether stored warbands equal their chronicles."""
    return all(prove(Warband.objects.get(pk=warband.pk)) == [] for warband in warbands)


@pytest.fixture
def battle(campaign: Campaign, alice: User, reds: Warband, blues: Warband) -> Battle:
    return begin(alice, campaign, reds, blues)


def test_a_player_and_the_organiser_confirm_at_once_and_one_of_them_wins(
    battle: Battle, alice: User, bob: User, reds: Warband, blues: Warband
) -> None:
    submit_battle(battle_id=battle.pk, user=alice)
    answers = at_once(
        lambda: confirm_side(battle_id=battle.pk, user=bob),
        lambda: decide_battle(battle_id=battle.pk, user=alice, decision=Decision.AS_LOGGED),
    )
    assert refusals(answers) == ["already-confirmed"]
    assert ChronicleEntry.objects.filter(kind="fought").count() == 2
    assert whole(reds, blues)


def test_a_double_click_confirms_once(
    battle: Battle, alice: User, bob: User, blues: Warband
) -> None:
    submit_battle(battle_id=battle.pk, user=alice)
    answers = at_once(*[lambda: confirm_side(battle_id=battle.pk, user=bob)] * 4)
    assert refusals(answers) == ["already-confirmed"] * 3
    assert ChronicleEntry.objects.filter(kind="fought", warband=blues).count() == 1


def test_two_players_of_a_battle_of_three_confirm_at_once(
    club: Club, alice: User, bob: User, charlie: User
) -> None:
    Membership.objects.create(club=club, user=charlie, name="charlie", role="player")
    warbands = muster(alice, "Reds"), muster(bob, "Blues"), muster(charlie, "Greens")
    battle = fight(alice, run_campaign(club, alice, *warbands), *warbands)
    answers = at_once(
        lambda: confirm_side(battle_id=battle.pk, user=bob),
        lambda: confirm_side(battle_id=battle.pk, user=charlie),
    )
    assert refusals(answers) == []
    assert Battle.objects.get().state == "confirmed"
    assert ChronicleEntry.objects.filter(kind="fought").count() == 3
    assert whole(*warbands)


def test_one_event_sent_ten_times_at_once_is_logged_once(battle: Battle, alice: User) -> None:
    events = [note("We met at dawn."), note("They fled.")]
    answers = at_once(*[lambda: log_events(battle_id=battle.pk, events=events, user=alice)] * 10)
    assert refusals(answers) == []
    assert (
        len(
            {
                tuple((event.pk, event.sequence, event.version) for event in answer)
                for answer in answers
            }
        )
        == 1
    )
    assert BattleEvent.objects.count() == 2


def test_events_of_two_people_at_once_all_find_their_place(
    battle: Battle, alice: User, bob: User
) -> None:
    calls = [
        lambda user=user, number=number: log_events(
            battle_id=battle.pk, events=[note(str(number))], user=user
        )
        for number in range(4)
        for user in (alice, bob)
    ]
    assert refusals(at_once(*calls)) == []
    assert list(BattleEvent.objects.values_list("sequence", flat=True)) == list(range(1, 9))


def test_two_people_who_saw_the_same_version_cannot_both_go_on(
    battle: Battle, alice: User, bob: User
) -> None:
    calls = [
        lambda user=user: log_events(
            battle_id=battle.pk, events=[note("Mine.")], user=user, version=battle.version
        )
        for user in (alice, bob)
    ]
    assert refusals(at_once(*calls)) == ["stale-version"]


@pytest.mark.parametrize("round_", range(3))
def test_two_phones_field_at_once(
    campaign: Campaign, alice: User, bob: User, reds: Warband, blues: Warband, round_: int
) -> None:
    battle = plan_battle(user=alice, plan=planned(alice, reds, blues, campaign=campaign.pk))
    forces = [(alice, "a", reds), (bob, "b", blues)]
    calls = [
        lambda user=user, side=side, row=row: field_combatants(
            battle_id=battle.pk,
            side=side,
            force=Force(tuple(each.pk for each in fighters(row))),
            user=user,
            version=battle.version,
        )
        for user, side, row in (forces if round_ % 2 else forces[::-1])
    ]
    assert refusals(at_once(*calls)) == []
    assert Combatant.objects.count() == len(fighters(reds)) + len(fighters(blues))


def test_one_submission_sent_ten_times_at_once_is_taken_once(battle: Battle, alice: User) -> None:
    answers = at_once(*[lambda: submit_battle(battle_id=battle.pk, user=alice)] * 10)
    assert refusals(answers) == ["wrong-state"] * 9
    assert all(isinstance(answer, Battle | StateConflict) for answer in answers)


def test_one_plan_sent_ten_times_at_once_plans_one_battle(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    wish = planned(alice, reds, blues, campaign=campaign.pk, client_id=uuid4())
    answers = at_once(*[lambda: plan_battle(user=alice, plan=wish)] * 10)
    assert {answer.pk for answer in answers} == {Battle.objects.get().pk}


@pytest.mark.parametrize("round_", range(4))
def test_a_correction_racing_a_rank_up_loses_neither(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband, round_: int
) -> None:
    hits = [wound(fighters(reds)[1], fighters(blues)[0]) for _ in range(3)]
    battle = confirmed(alice, campaign, reds, blues, events=hits)
    veteran = fighters(reds)[1]
    correction = Correction((struck(1), struck(2)), "Two of the three never happened.")
    answers = at_once(
        lambda: correct_battle(battle_id=battle.pk, user=alice, correction=correction),
        lambda: rank_up(alice, veteran),
    )
    veteran = fighters(reds)[1]
    if isinstance(answers[0], Revision):
        assert refusals(answers) == ["unaffordable-rank-up"]
        assert (veteran.rank, veteran.experience) == (1, 2)
    else:
        assert refusals(answers) == ["open-conflicts"]
        assert (veteran.rank, veteran.experience) == (2, 1)
    assert whole(reds, blues)
