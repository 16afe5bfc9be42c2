"""Submitted, confirmed, disputed, decided, reopened: who may, and what it writes."""

import pytest
from django.contrib.auth.models import User

from battles.models import Battle
from battles.services.logbook import log_events
from battles.services.review import (
    Decision,
    confirm_side,
    decide_battle,
    dispute_side,
    reopen_battle,
    submit_battle,
)
from campaigns.models import Campaign
from clubs.models import Club, Membership
from core.errors import Forbidden, InvalidInput, NotFound, StateConflict
from rulebook.chronicle.facts import Adjusted
from rulebook.ruleset import Fate
from tests.battles.field import (
    begin,
    fight,
    fighters,
    log,
    muster,
    note,
    run_campaign,
    side,
    state,
    wound,
)
from warbands.models import ChronicleEntry, ExperienceEntry, Warband
from warbands.services.chronicle import append_facts
from warbands.services.verification import prove


@pytest.fixture
def battle(campaign: Campaign, alice: User, reds: Warband, blues: Warband) -> Battle:
    """Return a battle in progress in which a Red has killed a Blue."""
    battle = begin(alice, campaign, reds, blues)
    return log(alice, battle, wound(fighters(reds)[1], fighters(blues)[1], "dead", turn=3))


@pytest.fixture
def submitted(battle: Battle, alice: User) -> Battle:
    """Return the battle submitted by Alice, so that only Bob has to confirm it."""
    return submit_battle(battle_id=battle.pk, user=alice)


def fought(warband: Warband) -> int:
    """Return the number of battles in the warband's chronicle."""
    return ChronicleEntry.objects.filter(warband=warband, kind="fought").count()


def test_the_reporters_own_side_counts_as_confirmed(submitted: Battle) -> None:
    assert submitted.state == "submitted"
    assert (side(submitted, "a").verdict, side(submitted, "b").verdict) == ("confirmed", "waiting")
    assert submitted.result is not None


def test_nothing_is_written_before_everybody_has_confirmed(
    submitted: Battle, reds: Warband, blues: Warband
) -> None:
    assert fought(reds) == fought(blues) == 0
    assert side(submitted, "a").outcome == ""


def test_the_last_confirmation_writes_the_battle_everywhere(
    submitted: Battle, bob: User, reds: Warband, blues: Warband
) -> None:
    battle = confirm_side(battle_id=submitted.pk, user=bob)
    assert (battle.state, battle.confirmed_at is not None) == ("confirmed", True)
    won, lost = side(battle, "a"), side(battle, "b")
    assert (won.outcome, won.victory_points, won.victory_points_against) == ("won", 1, 0)
    assert (lost.outcome, lost.victory_points, lost.victory_points_against) == ("lost", 0, 1)
    assert (state(reds).won, state(blues).lost) == (1, 1)
    assert [fighter.experience for fighter in fighters(reds)] == [1, 2, 1]
    assert [(fighter.experience, fighter.fate) for fighter in fighters(blues)] == [
        (1, "fit"),
        (0, "dead"),
        (1, "fit"),
    ]
    assert prove(Warband.objects.get(pk=reds.pk)) == prove(Warband.objects.get(pk=blues.pk)) == []


def test_who_plays_all_sides_confirms_by_submitting(club: Club, alice: User, reds: Warband) -> None:
    kept = muster(None, "Kept", keeper=alice)
    battle = fight(alice, run_campaign(club, alice, reds, kept), reds, kept)
    assert battle.state == "confirmed"
    assert fought(reds) == fought(kept) == 1


def test_an_organiser_who_reports_for_others_confirms_for_nobody(
    club: Club, alice: User, bob: User
) -> None:
    warbands = muster(bob, "Blues"), muster(bob, "Greens")
    battle = fight(alice, run_campaign(club, alice, *warbands), *warbands)
    assert battle.state == "submitted"


def test_confirming_twice_is_answered_clearly_and_writes_once(
    submitted: Battle, bob: User, blues: Warband
) -> None:
    confirm_side(battle_id=submitted.pk, user=bob)
    with pytest.raises(StateConflict) as refusal:
        confirm_side(battle_id=submitted.pk, user=bob)
    assert refusal.value.code == "already-confirmed"
    assert fought(blues) == 1


def test_a_side_that_has_confirmed_need_not_again(submitted: Battle, alice: User) -> None:
    with pytest.raises(StateConflict) as refusal:
        confirm_side(battle_id=submitted.pk, user=alice)
    assert refusal.value.code == "already-confirmed"


def test_nobody_confirms_for_a_side_of_others(
    submitted: Battle, charlie: User, dora: User, bob: User
) -> None:
    for user, key in ((charlie, None), (dora, None), (dora, "b"), (bob, "a")):
        with pytest.raises(Forbidden):
            confirm_side(battle_id=submitted.pk, user=user, side=key)


def test_an_organiser_confirms_for_any_side_by_name(submitted: Battle, alice: User) -> None:
    assert confirm_side(battle_id=submitted.pk, user=alice, side="b").state == "confirmed"


def test_a_side_that_is_not_there_cannot_confirm(submitted: Battle, bob: User) -> None:
    with pytest.raises(NotFound):
        confirm_side(battle_id=submitted.pk, user=bob, side="z")


def test_a_battle_under_way_cannot_be_confirmed(battle: Battle, bob: User) -> None:
    with pytest.raises(StateConflict) as refusal:
        confirm_side(battle_id=battle.pk, user=bob)
    assert refusal.value.code == "wrong-state"


def test_who_has_seen_an_older_version_confirms_nothing(
    submitted: Battle, bob: User, blues: Warband
) -> None:
    with pytest.raises(StateConflict) as refusal:
        confirm_side(battle_id=submitted.pk, user=bob, version=submitted.version - 1)
    assert refusal.value.code == "stale-version"
    assert fought(blues) == 0


def test_a_dispute_keeps_its_reason_and_the_organiser_decides_as_logged(
    submitted: Battle, alice: User, bob: User, reds: Warband
) -> None:
    disputed = dispute_side(battle_id=submitted.pk, user=bob, reason="He only fainted.")
    assert (disputed.state, side(disputed, "b").dispute) == ("disputed", "He only fainted.")
    decided = decide_battle(
        battle_id=submitted.pk,
        user=alice,
        decision=Decision.AS_LOGGED,
        reason="Three of us saw it.",
    )
    assert (decided.state, decided.decision) == ("confirmed", "Three of us saw it.")
    assert (side(decided, "b").verdict, side(decided, "b").decided_by) == ("confirmed", alice)
    assert fought(reds) == 1


def test_who_disputed_may_come_round(submitted: Battle, bob: User) -> None:
    dispute_side(battle_id=submitted.pk, user=bob, reason="He only fainted.")
    battle = confirm_side(battle_id=submitted.pk, user=bob)
    assert (battle.state, side(battle, "b").dispute) == ("confirmed", "")


def test_the_organiser_may_open_a_disputed_log_again(
    submitted: Battle, alice: User, bob: User
) -> None:
    dispute_side(battle_id=submitted.pk, user=bob, reason="He only fainted.")
    battle = decide_battle(
        battle_id=submitted.pk, user=alice, decision=Decision.REOPEN, reason="Log it again."
    )
    assert (battle.state, battle.result, side(battle, "b").verdict) == (
        "under-way",
        None,
        "waiting",
    )
    log(bob, battle, note("He only fainted."))


def test_only_an_organiser_decides(submitted: Battle, bob: User, dora: User) -> None:
    for user in (bob, dora):
        with pytest.raises(Forbidden):
            decide_battle(battle_id=submitted.pk, user=user, decision=Decision.AS_LOGGED)


def test_logger_reopens_submitted_battle(submitted: Battle, bob: User) -> None:
    battle = reopen_battle(battle_id=submitted.pk, user=bob)
    assert (battle.state, side(battle, "a").verdict, battle.submitted_by) == (
        "under-way",
        "waiting",
        None,
    )
    assert submit_battle(battle_id=battle.pk, user=bob).state == "submitted"


def test_a_confirmed_battle_cannot_be_reopened_disputed_or_logged(
    submitted: Battle, alice: User, bob: User
) -> None:
    confirm_side(battle_id=submitted.pk, user=bob)
    with pytest.raises(StateConflict):
        reopen_battle(battle_id=submitted.pk, user=bob)
    with pytest.raises(StateConflict):
        dispute_side(battle_id=submitted.pk, user=bob, reason="Too late.")
    with pytest.raises(StateConflict):
        log_events(battle_id=submitted.pk, events=[note("Too late.")], user=alice)
    with pytest.raises(StateConflict):
        submit_battle(battle_id=submitted.pk, user=alice)


def test_a_chronicle_that_cannot_take_the_battle_keeps_it_unconfirmed(
    submitted: Battle, alice: User, bob: User, reds: Warband, blues: Warband
) -> None:
    append_facts(
        {reds.pk: Adjusted(fighter=str(fighters(reds)[2].pk), fate=Fate.DEAD, reason="Fever")},
        user=alice,
    )
    with pytest.raises(InvalidInput) as refusal:
        confirm_side(battle_id=submitted.pk, user=bob)
    assert refusal.value.code == "fighter-gone"
    assert Battle.objects.get().state == "submitted"
    assert side(submitted, "b").verdict == "waiting"
    assert fought(blues) == 0
    assert not ExperienceEntry.objects.exists()


def test_friendly_battle_changes_no_fighter(
    campaign: Campaign, alice: User, bob: User, reds: Warband, blues: Warband
) -> None:
    battle = begin(alice, None, reds, blues, friendly=True)
    log(alice, battle, wound(fighters(reds)[0], fighters(blues)[0], "dead"))
    submit_battle(battle_id=battle.pk, user=alice)
    confirm_side(battle_id=battle.pk, user=bob)
    assert fought(blues) == 1
    assert [(fighter.fate, fighter.experience, fighter.battles) for fighter in fighters(blues)] == [
        ("fit", 0, 0)
    ] * 3
    assert state(blues).lost == 0


def test_a_one_off_battle_that_counts_does_not_spill_into_a_campaign(
    club: Club, alice: User, bob: User
) -> None:
    reds, blues = muster(alice, "Reds"), muster(bob, "Blues")
    Warband.objects.update(visibility="public")
    battle = begin(alice, None, reds, blues)
    run_campaign(club, alice, reds, blues)
    submit_battle(battle_id=battle.pk, user=alice)
    with pytest.raises(InvalidInput) as refusal:
        confirm_side(battle_id=battle.pk, user=bob)
    assert refusal.value.code == "warband-moved-on"


def test_nobody_decides_a_one_off_battle_over_the_head_of_the_other(alice: User, bob: User) -> None:
    reds, blues = muster(alice, "Reds"), muster(bob, "Blues")
    Warband.objects.update(visibility="public")
    battle = begin(alice, None, reds, blues)
    submit_battle(battle_id=battle.pk, user=alice)
    with pytest.raises(Forbidden):
        decide_battle(battle_id=battle.pk, user=alice, decision=Decision.AS_LOGGED)
    with pytest.raises(Forbidden):
        confirm_side(battle_id=battle.pk, user=alice, side="b")
    assert confirm_side(battle_id=battle.pk, user=bob).state == "confirmed"


def test_a_battle_of_three_needs_all_three(
    club: Club, alice: User, bob: User, charlie: User
) -> None:
    Membership.objects.create(club=club, user=charlie, name="charlie", role="player")
    warbands = muster(alice, "Reds"), muster(bob, "Blues"), muster(charlie, "Greens")
    campaign = run_campaign(club, alice, *warbands)
    battle = begin(alice, campaign, *warbands)
    log(alice, battle, wound(fighters(warbands[0])[0], fighters(warbands[2])[1], "dead"))
    submit_battle(battle_id=battle.pk, user=alice)
    assert confirm_side(battle_id=battle.pk, user=bob).state == "submitted"
    confirmed = confirm_side(battle_id=battle.pk, user=charlie)
    assert confirmed.state == "confirmed"
    assert [each.outcome for each in confirmed.sides.order_by("place")] == ["won", "lost", "lost"]
    assert [each.victory_points_against for each in confirmed.sides.order_by("place")] == [0, 1, 1]
