"""Void a battle: before submission, under review, and after it is confirmed."""

import pytest
from django.contrib.auth.models import User

from battles.models import Battle, Revision
from battles.services.correction_conflicts import ConflictAnswers, Undo
from battles.services.corrections import preview_void, void_battle
from campaigns.models import Campaign
from core.errors import Forbidden, InvalidInput, StateConflict
from tests.battles.field import begin, confirmed, fight, fighters, rank_up, side, state, wound
from warbands.models import ChronicleEntry, Warband
from warbands.services.verification import prove


@pytest.fixture
def battle(campaign: Campaign, alice: User, reds: Warband, blues: Warband) -> Battle:
    """Return a confirmed battle in which a recruit of the Reds wounded three times, then killed."""
    hits = [wound(fighters(reds)[1], fighters(blues)[1]) for _ in range(3)]
    return confirmed(
        alice,
        campaign,
        reds,
        blues,
        events=[*hits, wound(fighters(reds)[1], fighters(blues)[2], "dead")],
    )


def test_logger_voids_battle_in_progress(
    campaign: Campaign, bob: User, alice: User, reds: Warband, blues: Warband
) -> None:
    battle = begin(alice, campaign, reds, blues)
    voided = void_battle(battle_id=battle.pk, user=bob, reason="The dog ate the dice.")
    assert (voided.state, voided.decision) == ("void", "The dog ate the dice.")
    assert not ChronicleEntry.objects.filter(kind="fought").exists()


def test_a_submitted_battle_is_voided_by_the_organiser_alone(
    campaign: Campaign, bob: User, alice: User, reds: Warband, blues: Warband
) -> None:
    battle = fight(alice, campaign, reds, blues)
    with pytest.raises(Forbidden):
        void_battle(battle_id=battle.pk, user=bob, reason="I lost.")
    assert void_battle(battle_id=battle.pk, user=alice).state == "void"


def test_a_voided_battle_stays_void(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    battle = begin(alice, campaign, reds, blues)
    void_battle(battle_id=battle.pk, user=alice)
    with pytest.raises(StateConflict):
        void_battle(battle_id=battle.pk, user=alice)


def test_voiding_a_confirmed_battle_strikes_it_from_every_chronicle(
    battle: Battle, alice: User, reds: Warband, blues: Warband
) -> None:
    voided = void_battle(
        battle_id=battle.pk, user=alice, reason="It was played with the wrong lists."
    )
    assert (voided.state, side(voided, "a").outcome) == ("void", "")
    assert (state(reds).won, state(reds).games_played, state(blues).lost) == (0, 0, 0)
    assert {
        (fighter.fate, fighter.experience) for fighter in (*fighters(reds), *fighters(blues))
    } == {("fit", 0)}
    assert Revision.objects.get().reason == "It was played with the wrong lists."
    assert prove(Warband.objects.get(pk=reds.pk)) == prove(Warband.objects.get(pk=blues.pk)) == []


def test_a_confirmed_battle_is_voided_only_with_a_reason_and_by_the_organiser(
    battle: Battle, alice: User, bob: User
) -> None:
    with pytest.raises(InvalidInput) as refusal:
        void_battle(battle_id=battle.pk, user=alice)
    assert refusal.value.code == "reason-needed"
    with pytest.raises(Forbidden):
        void_battle(battle_id=battle.pk, user=bob, reason="I lost.")


def test_voiding_a_confirmed_battle_handles_later_choices_as_a_correction_does(
    battle: Battle, alice: User, reds: Warband
) -> None:
    rank_up(alice, fighters(reds)[1])
    place = state(reds).sequence
    (conflict,) = preview_void(battle_id=battle.pk, user=alice).conflicts
    assert (conflict.sequence, conflict.code) == (place, "unaffordable-rank-up")
    with pytest.raises(StateConflict) as refusal:
        void_battle(battle_id=battle.pk, user=alice, reason="Wrong lists.")
    assert refusal.value.code == "open-conflicts"
    void_battle(
        battle_id=battle.pk,
        user=alice,
        reason="Wrong lists.",
        answers=ConflictAnswers(undo=(Undo(reds.pk, place),)),
    )
    assert (fighters(reds)[1].rank, fighters(reds)[1].experience) == (1, 0)


def test_a_dry_run_of_voiding_writes_nothing(battle: Battle, alice: User, reds: Warband) -> None:
    preview = preview_void(battle_id=battle.pk, user=alice)
    assert (preview.verdict_after, preview.sides[0].outcome_after) == ("", "")
    assert {row.points_after for row in preview.table} == {0}
    assert (Battle.objects.get().state, state(reds).won) == ("confirmed", 1)
