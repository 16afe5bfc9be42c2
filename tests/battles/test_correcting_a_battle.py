"""Correcting a confirmed battle: the dry run, the conflicts, and the choices that are undone or kept."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from msgspec.structs import replace

from battles.models import Battle, BattleEvent, Revision
from battles.services.correction_conflicts import ConflictAnswers, LetStandAnswer, Undo
from battles.services.correction_differences import CorrectionDifference
from battles.services.corrections import Correction, correct_battle, preview_correction
from battles.services.days import UNCHANGED, NewDay
from battles.services.logbook import NewEvent
from campaigns.models import Campaign
from core.errors import Forbidden, InvalidInput, StateConflict
from tests.battles.field import (
    confirmed,
    fight,
    fighters,
    note,
    rank_up,
    side,
    state,
    struck,
    wound,
)
from warbands.models import ChronicleEntry, Warband
from warbands.services.verification import prove


def kills(reds: Warband, blues: Warband, times: int = 3) -> list[NewEvent]:
    """Return light wounds by the second Red on the first Blue."""
    return [wound(fighters(reds)[1], fighters(blues)[0]) for _ in range(times)]


@pytest.fixture
def battle(campaign: Campaign, alice: User, reds: Warband, blues: Warband) -> Battle:
    """Return a confirmed battle in which the second Red dealt three wounds and earned 4
    experience.
    """
    return confirmed(alice, campaign, reds, blues, events=kills(reds, blues))


def previewed(
    battle: Battle, user: User, *events: NewEvent, answers: ConflictAnswers | None = None
) -> CorrectionDifference:
    """Return the preview of a correction."""
    correction = Correction(
        tuple(events), "The dice were read wrongly.", answers or ConflictAnswers()
    )
    return preview_correction(battle_id=battle.pk, user=user, correction=correction)


def corrected(
    battle: Battle,
    user: User,
    *events: NewEvent,
    answers: ConflictAnswers | None = None,
    **more: int,
) -> Revision:
    """Make the correction."""
    correction = Correction(
        tuple(events), "The dice were read wrongly.", answers or ConflictAnswers()
    )
    return correct_battle(battle_id=battle.pk, user=user, correction=correction, **more)


def snapshot() -> tuple[object, ...]:
    """Everything that a dry run must not change."""
    return (
        list(Battle.objects.values_list("version", "state", "result", "revision", "last_sequence")),
        list(
            Warband.objects.order_by("pk").values_list(
                "experience", "sequence", "head_seal", "state"
            )
        ),
        ChronicleEntry.objects.count(),
        BattleEvent.objects.count(),
        [
            (each.outcome, each.victory_points)
            for each in Battle.objects.get().sides.order_by("place")
        ],
    )


def test_a_dry_run_says_what_changes_and_writes_nothing(
    battle: Battle, alice: User, reds: Warband, blues: Warband
) -> None:
    before = snapshot()
    preview = previewed(
        battle, alice, struck(1), struck(2), wound(fighters(blues)[0], fighters(reds)[2], "dead")
    )
    assert snapshot() == before
    changes = {change.name: change for change in preview.fighters}
    reds_change = changes["Reds 1"]
    assert (reds_change.experience_before, reds_change.experience_after) == (4, 2)
    fallen = changes["Reds 2"]
    assert (fallen.fate_before, fallen.fate_after, fallen.experience_after) == ("fit", "dead", 0)
    assert changes.keys() == {"Reds 1", "Reds 2"}
    reds_side, blues_side = preview.sides
    assert (reds_side.outcome_before, reds_side.outcome_after) == ("drew", "lost")
    assert (blues_side.victory_points_before, blues_side.victory_points_after) == (0, 1)
    assert preview.conflicts == ()


def test_a_dry_run_shows_the_table_before_and_after(
    battle: Battle, alice: User, reds: Warband, blues: Warband
) -> None:
    preview = previewed(battle, alice, wound(fighters(blues)[0], fighters(reds)[2], "dead"))
    rows = {row.name: row for row in preview.table}
    assert (
        rows["Blues"].points_before,
        rows["Blues"].points_after,
        rows["Blues"].position_after,
    ) == (1, 3, 1)
    assert (rows["Reds"].points_before, rows["Reds"].points_after, rows["Reds"].position_after) == (
        1,
        0,
        2,
    )
    assert rows["Reds"].victory_point_difference_after == -1


def test_a_correction_rewrites_every_chronicle_and_keeps_what_was(
    battle: Battle, alice: User, reds: Warband, blues: Warband
) -> None:
    before = Battle.objects.get().result
    revision = corrected(battle, alice, wound(fighters(blues)[0], fighters(reds)[2], "dead"))
    battle.refresh_from_db()
    assert (battle.revision, revision.number, revision.result_before) == (1, 1, before)
    assert (side(battle, "a").outcome, side(battle, "b").outcome) == ("lost", "won")
    assert (state(reds).lost, state(reds).drawn, state(blues).won) == (1, 0, 1)
    assert fighters(reds)[2].fate == "dead"
    assert battle.events.get(sequence=4).revision == 1
    for warband in (reds, blues):
        assert prove(Warband.objects.get(pk=warband.pk)) == []
        assert ChronicleEntry.objects.filter(warband=warband, kind="corrected").count() == 1


def test_a_rank_up_that_cannot_be_afforded_any_more_is_a_conflict(
    battle: Battle, alice: User, reds: Warband
) -> None:
    rank_up(alice, fighters(reds)[1])
    (conflict,) = previewed(battle, alice, struck(1), struck(2)).conflicts
    assert (conflict.warband, conflict.code, conflict.kind) == (
        reds.pk,
        "unaffordable-rank-up",
        "ranked-up",
    )
    assert (conflict.sequence, conflict.fighter_name, conflict.answer) == (
        state(reds).sequence,
        "Reds 1",
        "",
    )
    assert conflict.may_be_undone


def test_open_conflicts_stop_a_correction(battle: Battle, alice: User, reds: Warband) -> None:
    rank_up(alice, fighters(reds)[1])
    before = snapshot()
    with pytest.raises(StateConflict) as refusal:
        corrected(battle, alice, struck(1), struck(2))
    assert refusal.value.code == "open-conflicts"
    (problem,) = refusal.value.problems
    assert (problem.code, problem.value) == (
        "unaffordable-rank-up",
        f"{reds.pk}/{state(reds).sequence}",
    )
    assert snapshot() == before


def test_a_conflict_can_be_undone_with_the_correction(
    battle: Battle, alice: User, reds: Warband
) -> None:
    rank_up(alice, fighters(reds)[1])
    answers = ConflictAnswers(undo=(Undo(reds.pk, state(reds).sequence),))
    (conflict,) = previewed(battle, alice, struck(1), struck(2), answers=answers).conflicts
    assert conflict.answer == "undo"
    corrected(battle, alice, struck(1), struck(2), answers=answers)
    veteran = fighters(reds)[1]
    assert (veteran.rank, veteran.experience) == (1, 2)
    assert prove(Warband.objects.get(pk=reds.pk)) == []


def test_conflict_is_kept_with_a_reason(battle: Battle, alice: User, reds: Warband) -> None:
    rank_up(alice, fighters(reds)[1])
    place = state(reds).sequence
    answers = ConflictAnswers(
        stand=(LetStandAnswer(reds.pk, place, "He has played two games as a veteran."),)
    )
    corrected(battle, alice, struck(1), struck(2), answers=answers)
    veteran = fighters(reds)[1]
    assert (veteran.rank, veteran.experience) == (2, -1)
    corrected(battle, alice, note("Nothing new."))
    assert fighters(reds)[1].rank == 2


def test_only_what_is_a_conflict_can_be_undone(battle: Battle, alice: User, reds: Warband) -> None:
    for answers in (
        ConflictAnswers(undo=(Undo(reds.pk, 2),)),
        ConflictAnswers(stand=(LetStandAnswer(reds.pk, 2, "No reason."),)),
    ):
        with pytest.raises(InvalidInput) as refusal:
            previewed(battle, alice, struck(1), answers=answers)
        assert refusal.value.code == "not-a-conflict"


def test_a_later_battle_is_not_undone_on_the_way_but_may_stand(
    campaign: Campaign, battle: Battle, alice: User, reds: Warband, blues: Warband
) -> None:
    confirmed(alice, campaign, reds, blues)
    place = state(reds).sequence
    death = wound(fighters(blues)[0], fighters(reds)[1], "dead")
    (conflict,) = previewed(battle, alice, death).conflicts
    assert (conflict.code, conflict.kind, conflict.may_be_undone) == (
        "fighter-gone",
        "fought",
        False,
    )
    with pytest.raises(InvalidInput) as refusal:
        previewed(battle, alice, death, answers=ConflictAnswers(undo=(Undo(reds.pk, place),)))
    assert refusal.value.code == "not-undoable"
    stand = ConflictAnswers(stand=(LetStandAnswer(reds.pk, place, "His brother fought as him."),))
    revision = corrected(battle, alice, death, answers=stand)
    with pytest.raises(StateConflict) as lost:
        corrected(battle, alice, death)
    assert lost.value.code == "client-id-reused"
    assert corrected(battle, alice, death, answers=stand) == revision
    assert (fighters(reds)[1].fate, fighters(reds)[1].battles) == ("dead", 1)


def test_the_same_correction_sent_twice_corrects_once(
    battle: Battle, alice: User, reds: Warband
) -> None:
    event = struck(1)
    first = corrected(battle, alice, event, version=battle.version)
    assert corrected(battle, alice, event, version=battle.version) == first
    assert Revision.objects.count() == 1
    with pytest.raises(StateConflict) as refusal:
        previewed(battle, alice, event)
    assert refusal.value.code == "event-known"


def test_correction_refuses_events_of_another_correction(
    battle: Battle, alice: User, reds: Warband, blues: Warband
) -> None:
    events = (struck(1), wound(fighters(reds)[0], fighters(blues)[0]))
    revision = corrected(battle, alice, *events)
    for other in (
        Correction(events, "It was another reason."),
        Correction(events[:1], revision.reason),
    ):
        with pytest.raises(StateConflict) as refusal:
            correct_battle(battle_id=battle.pk, user=alice, correction=other)
        assert (refusal.value.code, refusal.value.field) == ("client-id-reused", "events")
    assert Revision.objects.count() == 1
    assert corrected(battle, alice, *events) == revision


def test_correction_refuses_events_of_a_correction_with_another_day(
    battle: Battle, alice: User
) -> None:
    day, events = battle.fought_on - timedelta(days=1), (struck(1),)
    sent = Correction(events, "It was misread.", day=NewDay(fought_on=day))
    revision = correct_battle(battle_id=battle.pk, user=alice, correction=sent)
    for other in (UNCHANGED, NewDay(fought_on=day - timedelta(days=1))):
        with pytest.raises(StateConflict) as refusal:
            correct_battle(battle_id=battle.pk, user=alice, correction=replace(sent, day=other))
        assert refusal.value.code == "client-id-reused"
    assert correct_battle(battle_id=battle.pk, user=alice, correction=sent) == revision


def test_a_correction_of_an_older_version_is_refused(battle: Battle, alice: User) -> None:
    corrected(battle, alice, struck(1), version=battle.version)
    with pytest.raises(StateConflict) as refusal:
        corrected(battle, alice, struck(2), version=battle.version)
    assert refusal.value.code == "stale-version"


def test_a_correction_needs_events_that_make_sense(battle: Battle, alice: User) -> None:
    with pytest.raises(InvalidInput) as refusal:
        corrected(battle, alice)
    assert refusal.value.code == "nothing-to-correct"
    with pytest.raises(InvalidInput) as refusal:
        corrected(battle, alice, struck(99))
    assert refusal.value.code == "illegal-events"


def test_only_an_organiser_corrects_or_looks_at_a_dry_run(
    battle: Battle, bob: User, dora: User
) -> None:
    for user in (bob, dora):
        for verb in (previewed, corrected):
            with pytest.raises(Forbidden):
                verb(battle, user, struck(1))


def test_a_battle_that_is_not_confirmed_is_logged_not_corrected(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    battle = fight(alice, campaign, reds, blues, events=kills(reds, blues))
    with pytest.raises(StateConflict) as refusal:
        corrected(battle, alice, struck(1))
    assert refusal.value.code == "wrong-state"


def test_a_battle_can_be_corrected_again(
    battle: Battle, alice: User, reds: Warband, blues: Warband
) -> None:
    corrected(battle, alice, struck(1))
    again = corrected(battle, alice, struck(2))
    assert again.number == 2
    assert [fighter.experience for fighter in fighters(reds)] == [1, 2, 1]
