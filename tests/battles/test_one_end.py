"""The same casualty entered twice: refused with the entry that has it, replaced in one step, and
never paid twice."""

from io import StringIO
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from battles.models import Battle, BattleState
from battles.rulebook_values import read_log, replay_battle, sides_of
from battles.services.logbook import NewEvent, log_events
from campaigns.models import Campaign
from core.errors import InvalidInput
from rulebook.battle_log.log import BattleLog
from rulebook.values.problems import Repeated
from tests.battles.field import begin, confirmed, fighters, log, note, wound
from tests.conftest import api_of
from warbands.models import Fighter, Warband


@pytest.fixture
def battle(campaign: Campaign, alice: User, reds: Warband, blues: Warband) -> Battle:
    return begin(alice, campaign, reds, blues)


def refusal(user: User, battle: Battle, *events: NewEvent) -> Repeated:
    with pytest.raises(InvalidInput) as refused:
        log_events(battle_id=battle.pk, events=events, user=user)
    assert refused.value.code == "illegal-events"
    (problem,) = refused.value.problems
    assert isinstance(problem, Repeated)
    assert problem.code == "already-logged"
    return problem


def test_second_phone_learns_of_earlier_entry(
    battle: Battle, alice: User, bob: User, reds: Warband, blues: Warband
) -> None:
    killer, other, victim = *fighters(reds)[:2], fighters(blues)[1]
    first = wound(killer, victim, "dead", turn=2)
    log(alice, battle, note("It rains."), first)
    for attacker in (killer, other):
        problem = refusal(bob, battle, wound(attacker, victim, "dead", turn=3))
        assert problem.sentence == (
            f"{victim.name} was killed by {killer.name} in turn 2 (entry 2). Replace that entry if "
            "it is wrong."
        )
        assert (problem.field, problem.entry) == ("0.victim", 2)
    (again,) = log_events(battle_id=battle.pk, events=[first], user=bob)
    assert again.sequence == 2
    assert battle.events.count() == 2


def test_two_events_of_one_request_name_each_other(
    battle: Battle, alice: User, reds: Warband, blues: Warband
) -> None:
    killer, victim = fighters(reds)[0], fighters(blues)[1]
    problem = refusal(
        alice,
        battle,
        note("It rains."),
        wound(killer, victim, "dead"),
        wound(killer, victim, "dead"),
    )
    assert (problem.field, problem.beside, problem.entry, problem.correction) == (
        "2.victim",
        1,
        0,
        None,
    )
    assert "(number 2 of the entries sent). Remove one of the two." in problem.sentence
    assert not battle.events.exists()


def test_the_api_carries_the_entry_and_the_correction_that_replaces_it(
    battle: Battle, alice: User, reds: Warband, blues: Warband
) -> None:
    killer, other, victim = *fighters(reds)[:2], fighters(blues)[1]
    log(alice, battle, wound(killer, victim, "dead"))
    again = wound(other, victim, "dead", turn=4)
    sent = {"client_id": str(again.client_id), "kind": "wound", "data": again.data, "turn": 4}
    api, address = api_of(alice), f"/api/v1/battles/{battle.pk}/events/"
    answer = api.post(address, {"events": [sent]}, format="json")
    assert answer.status_code == 400
    (line,) = answer.json()["errors"]
    assert (line["code"], line["field"], line["entry"]) == (
        "already-logged",
        "/events/0/data/victim",
        1,
    )
    correction = {"client_id": str(uuid4()), "kind": "correction", "data": line["correction"]}
    answer = api.post(address, {"events": [correction]}, format="json")
    assert answer.status_code in (200, 201), answer.json()
    battle.refresh_from_db()
    result = replay_battle(battle, sides_of(battle), read_log(battle))
    assert [deed.fighter for side in result.sides for deed in side.deeds] == [str(other.pk)]


def test_stored_battle_with_repeated_death_stays(
    monkeypatch: pytest.MonkeyPatch, campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    killer, victim = fighters(reds)[1], fighters(blues)[1]
    twice = (wound(killer, victim, "dead"), wound(killer, victim, "dead"))
    with monkeypatch.context() as before:
        before.setattr(BattleLog, "repeated", lambda *args: ())
        battle = confirmed(alice, campaign, reds, blues, events=twice)
    assert Battle.objects.get(pk=battle.pk).state == BattleState.CONFIRMED
    call_command("check_chronicle", stdout=StringIO(), stderr=StringIO(), every=True)
    assert Fighter.objects.get(pk=killer.pk).experience == 3
