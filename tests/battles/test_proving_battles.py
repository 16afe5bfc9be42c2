"""``check_chronicle`` finds whatever somebody who owns the database, and not the key, changes in a
battle."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from battles.models import Battle, BattleEvent, BattleState, Combatant, Side, StoredPlay
from battles.rulebook_values import read_log, replay_battle, sides_of
from battles.services.corrections import Correction, correct_battle, void_battle
from battles.services.verification import seal_anew
from campaigns.models import Campaign
from tests.battles.field import confirmed, fighters, struck, wound
from tests.warbands.test_check_chronicle import behind_its_back
from warbands.models import ChronicleEntry, Warband


@pytest.fixture
def battle(campaign: Campaign, alice: User, reds: Warband, blues: Warband) -> Battle:
    """Return a confirmed battle in which the Reds killed one Blue and wounded another."""
    captain, victims = fighters(reds)[0], fighters(blues)
    return confirmed(
        alice,
        campaign,
        reds,
        blues,
        events=(wound(captain, victims[1], "dead"), wound(captain, victims[0])),
    )


def complaint() -> str:
    output = StringIO()
    with pytest.raises(CommandError):
        call_command("check_chronicle", stdout=output, stderr=output, every=True)
    return output.getvalue()


def change(battle: Battle, **columns: object) -> None:
    Battle.objects.filter(pk=battle.pk).update(**columns)


def another_result(battle: Battle) -> None:
    assert battle.result is not None
    battle.result["sides"][0]["victory_points"] += 5
    change(battle, result=battle.result)


def another_seed(battle: Battle) -> None:
    change(battle, dice_seed="f" * 64)


def another_event(battle: Battle) -> None:
    event = battle.events.order_by("sequence")[0]
    BattleEvent.objects.filter(pk=event.pk).update(data={**event.data, "result": "light"})


def another_author(battle: Battle) -> None:
    battle.events.update(recorded_by=User.objects.get(username="bob"))


def lost_event(battle: Battle) -> None:
    battle.events.order_by("-sequence")[0].delete()


def another_fighter(battle: Battle) -> None:
    Combatant.objects.filter(side__battle=battle).update(points=1)


def another_table(battle: Battle) -> None:
    change(battle, set_up={"weather": "fog"})


def log_sealed_anew(battle: Battle) -> None:
    """Forge the log without its last event, with its result and all seals that need no key."""
    lost_event(battle)
    battle.last_sequence -= 1
    seal_anew(battle)
    result = replay_battle(battle, sides_of(battle), read_log(battle))
    assert result
    change(battle, last_sequence=battle.last_sequence, log_seal=battle.log_seal)


def no_signature(battle: Battle) -> None:
    change(battle, signature="")


def taken_back(battle: Battle) -> None:
    change(battle, state=BattleState.UNDER_WAY, signature="")


FORGERIES: list[tuple[Callable[[Battle], None], str]] = [
    (another_result, "signature"),
    (another_seed, "seal of its log"),
    (another_event, "seal of its log"),
    (another_author, "seal of its log"),
    (lost_event, "seal of its log"),
    (another_fighter, "seal of its log"),
    (another_table, "seal of its log"),
    (log_sealed_anew, "signature"),
    (no_signature, "signature: missing, or not made with the key"),
    (taken_back, "state: stored under-way, proper confirmed"),
]


@contextmanager
def undone() -> Iterator[None]:
    """Roll back everything that is written inside the block."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.mark.soak("kinds of tampering, each found and named", each=len(FORGERIES), sample=1)
def test_whatever_is_changed_in_a_confirmed_battle_is_found(battle: Battle) -> None:
    call_command("check_chronicle", stdout=StringIO())
    for forge, expected in FORGERIES:
        with undone():
            forge(Battle.objects.get(pk=battle.pk))
            assert expected in complaint(), forge.__name__
    call_command("check_chronicle", stdout=StringIO())


@pytest.mark.soak("kinds of tampering, each found and named", each=3, sample=1)
def test_what_a_side_came_to_is_proved_by_the_log(battle: Battle) -> None:
    for column, forged in {
        "outcome": "won",
        "victory_points": 99,
        "victory_points_against": 99,
    }.items():
        with undone():
            Side.objects.filter(battle=battle, key="b").update(**{column: forged})
            assert f"{column} of side b: stored" in complaint()


def forged_words(battle: Battle) -> None:
    battle.stored_outcomes.filter(sequence=1).update(outcome={"sentences": ["They missed."]})


def deleted_outcome(battle: Battle) -> None:
    battle.stored_outcomes.get(sequence=1).delete()


def outcome_without_content(battle: Battle) -> None:
    battle.stored_outcomes.filter(sequence=1).update(outcome=None)


def outcome_of_another_kind(battle: Battle) -> None:
    battle.stored_outcomes.filter(sequence=1).update(outcome=["?"])


def added_outcome(battle: Battle) -> None:
    battle.stored_outcomes.create(sequence=99, outcome={"sentences": ["They ran."]})


def moved_outcome(battle: Battle) -> None:
    battle.stored_outcomes.filter(sequence=1).update(sequence=77)


def forged_play(battle: Battle) -> None:
    play = json.loads(bytes(battle.stored_play.play))
    play["state"]["wounds"] = []
    StoredPlay.objects.filter(battle=battle).update(play=json.dumps(play).encode())


STORED_PLAY: list[tuple[Callable[[Battle], None], str]] = [
    (forged_words, "stored outcome of event 1: stored another one, proper that of its log"),
    (deleted_outcome, "stored outcome of event 1: stored none, proper that of its log"),
    (outcome_without_content, "stored outcome of event 1: stored none, proper that of its log"),
    (
        outcome_of_another_kind,
        "stored outcome of event 1: stored another one, proper that of its log",
    ),
    (added_outcome, "stored outcome of event 99: stored another one, proper none"),
    (moved_outcome, "stored outcome of event 1: stored none, proper that of its log"),
    (forged_play, "stored play: stored another one, proper what its log comes to"),
]


@pytest.mark.soak("kinds of tampering, each found and named", each=len(STORED_PLAY), sample=1)
def test_a_forged_stored_play_is_found_and_deleted(battle: Battle) -> None:
    for forge, expected in STORED_PLAY:
        with undone():
            forge(Battle.objects.get(pk=battle.pk))
            assert expected in complaint(), forge.__name__
            out = StringIO()
            call_command("rebuild_projections", stdout=out)
            assert (
                f"Deleted the stored play of {battle.described()} ({battle.pk})." in out.getvalue()
            )
            call_command("check_chronicle", stdout=StringIO())
    call_command("rebuild_projections", stdout=StringIO())
    assert StoredPlay.objects.filter(battle=battle).exists()


def test_a_broken_stored_outcome_does_not_end_the_check(
    battle: Battle, alice: User, campaign: Campaign, reds: Warband, blues: Warband
) -> None:
    events = (wound(fighters(reds)[0], fighters(blues)[0]),)
    other = confirmed(alice, campaign, reds, blues, events=events)
    for each in (battle, other):
        forged_words(each)
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA ignore_check_constraints = ON")
            cursor.execute(
                "UPDATE battles_storedoutcome SET outcome = '{' WHERE battle_id = %s",
                [battle.pk.hex],
            )
            cursor.execute("PRAGMA ignore_check_constraints = OFF")
    output = complaint()
    assert str(battle.pk) in output and f"({other.pk}): stored outcome of event 1" in output


def test_stored_outcomes_that_no_page_shows_are_not_compared(battle: Battle) -> None:
    """Archives bring none, and a corrected battle is replayed."""
    forged_words(battle)
    StoredPlay.objects.all().delete()
    call_command("check_chronicle", stdout=StringIO())


@pytest.mark.soak("kinds of tampering, each found and named", each=1, sample=1)
def test_a_result_is_proved_by_folding_the_log_again(battle: Battle) -> None:
    """Even where the forger has the key."""
    another_result(battle)
    call_command("sign_chronicles", stdout=StringIO())
    assert "result: stored another one, proper what its log comes to" in complaint()


def test_reworded_result_is_still_proved(
    battle: Battle,
) -> None:
    assert battle.result is not None
    battle.result["verdict"] = "a has won (Rule of the toy)."
    for line in battle.result["sides"][0]["lines"]:
        line["sentence"] = f"{line['sentence']} So it was put then."
    change(battle, result=battle.result)
    call_command("sign_chronicles", stdout=StringIO())
    call_command("check_chronicle", stdout=StringIO(), every=True)


def test_forged_result_text_is_found(battle: Battle) -> None:
    assert battle.result is not None
    change(battle, result=battle.result | {"verdict": "b wins."})
    assert "signature" in complaint()


@pytest.mark.soak("kinds of tampering, each found and named", each=1, sample=1)
def test_fact_with_other_result_is_found(battle: Battle) -> None:
    entry = ChronicleEntry.objects.filter(subject=battle.pk, kind="fought")[0]
    others = ChronicleEntry.objects.exclude(pk=entry.pk).filter(subject=battle.pk)[0]
    payload = {**entry.payload, "records": others.payload["records"]}
    with behind_its_back():
        ChronicleEntry.objects.filter(pk=entry.pk).update(payload=payload)
    assert "seal of chronicle entry" in complaint()


def test_corrected_and_voided_battles_are_signed_again(
    battle: Battle, alice: User, reds: Warband, blues: Warband
) -> None:
    events = (struck(2), wound(fighters(reds)[1], fighters(blues)[0]))
    correct_battle(
        battle_id=battle.pk, user=alice, correction=Correction(events, "It was misread.")
    )
    call_command("check_chronicle", stdout=StringIO())
    void_battle(battle_id=battle.pk, user=alice, reason="It never was.")
    call_command("check_chronicle", stdout=StringIO())
    lost_event(battle)
    assert "seal of its log" in complaint()
