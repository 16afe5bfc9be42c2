"""A battle that is confirmed after battles that were played later: placed, asked about, proved."""

from datetime import date, timedelta
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.formats import date_format
from rest_framework.test import APIClient

from battles.models import Battle, BattleState
from battles.selectors.confirmation_preview import preview_confirmation
from battles.services.correction_conflicts import ConflictAnswers, LetStandAnswer, Undo
from battles.services.fielding import Force, field_combatants, start_battle
from battles.services.late_battles import Consent
from battles.services.logbook import NewEvent
from battles.services.review import (
    Decision,
    confirm_side,
    decide_battle,
    dispute_side,
    preview_confirming,
    submit_battle,
)
from battles.services.verification import check_battles
from campaigns.models import Campaign
from clubs.models import Club
from core.errors import InvalidInput, StateConflict
from rulebook.chronicle.facts import Recruit, Recruited
from rulebook.chronicle.replay import effective
from tests.battles.field import (
    TODAY,
    confirmed,
    field,
    fighters,
    log,
    muster,
    plan,
    rank_up,
    run_campaign,
    state,
    wound,
)
from warbands.models import ChronicleEntry, ExperienceEntry, Warband
from warbands.rulebook_values import read_chronicles
from warbands.services.chronicle import append_facts
from warbands.services.verification import prove

BEFORE = TODAY - timedelta(days=14)


def submitted(
    user: User,
    campaign: Campaign,
    *warbands: Warband,
    events: tuple[NewEvent, ...] = (),
    day: date = BEFORE,
) -> Battle:
    """Return a submitted battle of that day, which the other side has yet to confirm."""
    battle = field(user, plan(user, campaign, *warbands, fought_on=day))
    start_battle(battle_id=battle.pk, user=user)
    if events:
        log(user, battle, *events)
    return submit_battle(battle_id=battle.pk, user=user)


def late(
    user: User, campaign: Campaign, *warbands: Warband, events: tuple[NewEvent, ...] = ()
) -> Battle:
    """Return a battle two weeks earlier with everybody who was alive then."""
    battle = plan(user, campaign, *warbands, fought_on=BEFORE)
    for side, warband in zip(("a", "b"), warbands, strict=True):
        force = Force(tuple(each.pk for each in fighters(warband)))
        field_combatants(battle_id=battle.pk, side=side, force=force, user=user)
    start_battle(battle_id=battle.pk, user=user)
    if events:
        log(user, battle, *events)
    return submit_battle(battle_id=battle.pk, user=user)


def proved(*warbands: Warband) -> bool:
    """Return whether all battles and these warbands are verified."""
    rows = Warband.objects.filter(pk__in=[each.pk for each in warbands])
    return not [*check_battles()] and not any(prove(row) for row in rows)


def places(warband: Warband) -> list[int]:
    """Return the sequences of a chronicle's entries in the order in which they take effect."""
    return [sequence for sequence, _ in effective(read_chronicles([warband.pk])[warband.pk])]


def test_a_late_battle_is_placed_without_a_question(
    campaign: Campaign, alice: User, bob: User, reds: Warband, blues: Warband
) -> None:
    killed = wound(fighters(blues)[0], fighters(reds)[1], "dead")
    confirmed(alice, campaign, reds, blues, events=[killed])
    length = Warband.objects.get(pk=reds.pk).sequence
    battle = late(
        alice, campaign, reds, blues, events=(wound(fighters(reds)[1], fighters(blues)[2]),)
    )
    battle = confirm_side(battle_id=battle.pk, user=bob)
    assert battle.state == BattleState.CONFIRMED
    assert places(reds)[-2:] == [length + 1, length]
    second = state(reds).fighters[str(fighters(reds)[1].pk)]
    assert (second.fate, second.battles) == ("dead", 2)
    assert proved(reds, blues)


def test_the_dead_of_today_can_be_fielded_for_a_battle_of_before(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    confirmed(
        alice, campaign, reds, blues, events=[wound(fighters(blues)[0], fighters(reds)[1], "dead")]
    )
    dead = fighters(reds)[1]
    now = plan(alice, campaign, reds, blues, fought_on=TODAY + timedelta(days=1))
    with pytest.raises(InvalidInput) as refused:
        field_combatants(battle_id=now.pk, side="a", force=Force((dead.pk,)), user=alice)
    assert refused.value.problems[0].code == "not-fit"
    before = plan(alice, campaign, reds, blues, fought_on=BEFORE)
    field_combatants(battle_id=before.pk, side="a", force=Force((dead.pk,)), user=alice)
    assert before.sides.get(key="a").combatants.get().fighter_id == dead.pk


def test_a_fighter_takes_the_field_as_it_was_then(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    deeds = [wound(fighters(reds)[1], fighters(blues)[0]) for _ in range(3)]
    confirmed(alice, campaign, reds, blues, events=deeds)
    rank_up(alice, fighters(reds)[1])
    battle = plan(alice, campaign, reds, blues, fought_on=BEFORE)
    field_combatants(
        battle_id=battle.pk, side="a", force=Force((fighters(reds)[1].pk,)), user=alice
    )
    assert (fighters(reds)[1].rank, battle.sides.get(key="a").combatants.get().rank) == (2, 1)


def test_a_recruit_of_today_cannot_be_fielded_before(
    campaign: Campaign, alice: User, bob: User, reds: Warband, blues: Warband
) -> None:
    confirmed(alice, campaign, reds, blues)
    key = str(uuid4())
    recruit = Recruited(recruits=(Recruit(key, "New", {"profile": "recruit", "options": []}),))
    append_facts({reds.pk: recruit}, user=alice)
    battle = plan(alice, campaign, reds, blues, fought_on=BEFORE)
    with pytest.raises(InvalidInput) as refused:
        field_combatants(battle_id=battle.pk, side="a", force=Force((UUID(key),)), user=alice)
    assert refused.value.problems[0].code == "unknown-fighter"


def test_late_death_asks_about_later_battles(
    campaign: Campaign, alice: User, bob: User, reds: Warband, blues: Warband
) -> None:
    later = confirmed(alice, campaign, reds, blues)
    sequence = ChronicleEntry.objects.get(warband=reds, subject=later.pk).sequence
    victim = fighters(reds)[1]
    battle = late(alice, campaign, reds, blues, events=(wound(fighters(blues)[0], victim, "dead"),))
    before = Warband.objects.get(pk=reds.pk).head_seal
    with pytest.raises(StateConflict) as error:
        confirm_side(battle_id=battle.pk, user=bob)
    assert error.value.code == "open-conflicts"
    assert str(error.value).startswith("1 later choice would become impossible. Undo it")
    assert [(each.code, each.value) for each in error.value.problems] == [
        ("fighter-gone", f"{reds.pk}/{sequence}")
    ]
    preview = preview_confirming(battle_id=battle.pk, user=bob)
    assert [
        (conflict.sequence, conflict.code, conflict.may_be_undone) for conflict in preview.conflicts
    ] == [(sequence, "fighter-gone", False)]
    assert (preview.verdict_before, {side.outcome_before for side in preview.sides}) == ("", {""})
    assert Warband.objects.get(pk=reds.pk).head_seal == before
    answers = ConflictAnswers(
        stand=(LetStandAnswer(reds.pk, sequence, "Nobody remembers who came second."),)
    )
    done = confirm_side(battle_id=battle.pk, user=bob, consent=Consent(answers))
    assert done.state == BattleState.CONFIRMED
    assert state(reds).fighters[str(victim.pk)].fate == "dead"
    assert proved(reds, blues)


def test_a_rank_up_that_a_late_battle_takes_away_can_be_undone(
    campaign: Campaign, alice: User, bob: User, reds: Warband, blues: Warband
) -> None:
    fighter = fighters(reds)[1]
    confirmed(
        alice, campaign, reds, blues, events=[wound(fighter, fighters(blues)[0]) for _ in range(3)]
    )
    rank_up(alice, fighter)
    place = Warband.objects.get(pk=reds.pk).sequence
    battle = late(
        alice, campaign, reds, blues, events=(wound(fighters(blues)[0], fighter, "dead"),)
    )
    preview = preview_confirming(battle_id=battle.pk, user=bob)
    assert {(each.kind, each.may_be_undone) for each in preview.conflicts} == {
        ("fought", False),
        ("ranked-up", True),
    }
    fought = next(each.sequence for each in preview.conflicts if each.kind == "fought")
    answers = ConflictAnswers(
        undo=(Undo(reds.pk, place),), stand=(LetStandAnswer(reds.pk, fought, "So it was."),)
    )
    preview = preview_confirming(battle_id=battle.pk, user=bob, answers=answers)
    assert not preview.open_conflicts
    confirm_side(battle_id=battle.pk, user=bob, consent=Consent(answers))
    assert (fighters(reds)[1].rank, fighters(reds)[1].fate) == (1, "dead")
    assert ChronicleEntry.objects.filter(warband=reds, kind="corrected").count() == 1
    assert proved(reds, blues)


def test_an_organiser_may_decide_a_late_battle_with_answers(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    later = confirmed(alice, campaign, reds, blues)
    sequence = ChronicleEntry.objects.get(warband=reds, subject=later.pk).sequence
    battle = late(
        alice, campaign, reds, blues, events=(wound(fighters(blues)[0], fighters(reds)[1], "dead"),)
    )
    answers = ConflictAnswers(stand=(LetStandAnswer(reds.pk, sequence, "Both saw it."),))
    done = decide_battle(
        battle_id=battle.pk,
        user=alice,
        decision=Decision.AS_LOGGED,
        reason="As played.",
        consent=Consent(answers),
    )
    assert (done.state, done.decision) == (BattleState.CONFIRMED, "As played.")


def test_answers_without_conflict_are_refused(
    campaign: Campaign, alice: User, bob: User, reds: Warband, blues: Warband
) -> None:
    battle = submitted(alice, campaign, reds, blues)
    answers = ConflictAnswers(stand=(LetStandAnswer(reds.pk, 1, "Why not?"),))
    with pytest.raises(InvalidInput) as refused:
        confirm_side(battle_id=battle.pk, user=bob, consent=Consent(answers))
    assert refused.value.code == "not-a-conflict"


def test_change_for_those_who_were_not_there_is_shown_first(
    club: Club,
    alice: User,
    bob: User,
    reds: Warband,
    blues: Warband,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Somebody who has to miss a game is fit again once there is one more that he sat out."""
    monkeypatch.setattr("battles.services.outcomes.recovery_die", lambda battle, fighter: 1)
    campaign = run_campaign(club, alice, reds, blues, missed_game=True)
    victim, day = fighters(reds)[1], TODAY - timedelta(days=28)
    hurt = submitted(
        alice,
        campaign,
        reds,
        blues,
        events=(wound(fighters(blues)[0], victim, "grievous"),),
        day=day,
    )
    confirm_side(battle_id=hurt.pk, user=bob)
    assert state(reds).fighters[str(victim.pk)].fate == "recovering"
    friendly = field(alice, plan(alice, None, reds, blues))
    start_battle(battle_id=friendly.pk, user=alice)
    submit_battle(battle_id=friendly.pk, user=alice)
    confirm_side(battle_id=friendly.pk, user=bob)
    battle = submitted(alice, campaign, reds, blues)
    sequence = Warband.objects.get(pk=reds.pk).sequence + 1
    with pytest.raises(StateConflict) as error:
        confirm_side(battle_id=battle.pk, user=bob)
    assert (error.value.code, error.value.problems[0].value) == (
        "late-battle",
        f"{reds.pk}/{sequence}",
    )
    assert [
        change.fighter_name for change in preview_confirming(battle_id=battle.pk, user=bob).changes
    ] == ["Reds 1"]
    confirm_side(battle_id=battle.pk, user=bob, consent=Consent(changes=True))
    assert state(reds).fighters[str(victim.pk)].fate == "fit"


def test_submitting_all_sides_asks_before_it_confirms(
    club: Club, alice: User, reds: Warband
) -> None:
    greens = muster(alice, "Greens")
    campaign = run_campaign(club, alice, reds, greens)
    confirmed(alice, campaign, reds, greens)
    quiet = late(alice, campaign, reds, greens)
    assert quiet.state == BattleState.CONFIRMED
    battle = late(
        alice,
        campaign,
        reds,
        greens,
        events=(wound(fighters(greens)[0], fighters(reds)[1], "dead"),),
    )
    assert (battle.state, set(battle.sides.values_list("verdict", flat=True))) == (
        BattleState.SUBMITTED,
        {"waiting"},
    )
    with pytest.raises(StateConflict) as error:
        confirm_side(battle_id=battle.pk, user=alice)
    assert error.value.code == "open-conflicts"
    assert proved(reds, greens)


def test_the_ledger_is_in_the_order_of_play(
    campaign: Campaign, alice: User, bob: User, reds: Warband, blues: Warband
) -> None:
    fighter = fighters(reds)[1]
    confirmed(alice, campaign, reds, blues, events=[wound(fighter, fighters(blues)[0])])
    battle = late(alice, campaign, reds, blues, events=(wound(fighter, fighters(blues)[0]),))
    confirm_side(battle_id=battle.pk, user=bob)
    lines = list(ExperienceEntry.objects.filter(fighter=fighter))
    balances = [line.balance for line in lines]
    assert balances == [
        sum(line.amount for line in lines[: number + 1]) for number in range(len(lines))
    ]
    assert lines[0].sequence > lines[-1].sequence


def test_a_preview_shows_a_late_battle_in_its_place(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    confirmed(
        alice, campaign, reds, blues, events=[wound(fighters(blues)[0], fighters(reds)[1], "dead")]
    )
    battle = late(alice, campaign, reds, blues)
    first_side = next(side for side in preview_confirmation(battle.pk).sides if side.key == "a")
    assert not first_side.problems
    assert {fighter.fate_before for fighter in first_side.fighters} == {"fit"}


def test_a_disputed_late_battle_is_decided(
    campaign: Campaign, alice: User, bob: User, reds: Warband, blues: Warband
) -> None:
    confirmed(alice, campaign, reds, blues)
    battle = late(alice, campaign, reds, blues)
    dispute_side(battle_id=battle.pk, user=bob, reason="It was a draw.")
    decided = decide_battle(
        battle_id=battle.pk, user=alice, decision=Decision.AS_LOGGED, reason="Three saw it."
    )
    assert decided.state == BattleState.CONFIRMED
    again = decide_battle(
        battle_id=battle.pk,
        user=alice,
        decision=Decision.AS_LOGGED,
        reason="As said.",
        version=decided.version,
    )
    assert (again.state, again.decision) == (BattleState.CONFIRMED, "As said.")


def test_the_place_in_the_day_is_proved(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    battle = confirmed(alice, campaign, reds, blues)
    assert proved(reds, blues)
    assert battle.place_in_day is not None
    Battle.objects.filter(pk=battle.pk).update(
        place_in_day=battle.place_in_day - timedelta(hours=1)
    )
    assert [difference.where.split(": ")[-1] for difference in check_battles()] == ["signature"]
    Battle.objects.filter(pk=battle.pk).update(place_in_day=battle.place_in_day, fought_on=BEFORE)
    assert [difference.where.split(": ")[-1] for difference in check_battles()] == ["signature"]


def test_the_api_asks_and_takes_answers(
    campaign: Campaign, alice: User, as_bob: APIClient, reds: Warband, blues: Warband
) -> None:
    later = confirmed(alice, campaign, reds, blues)
    sequence = ChronicleEntry.objects.get(warband=reds, subject=later.pk).sequence
    battle = late(
        alice, campaign, reds, blues, events=(wound(fighters(blues)[0], fighters(reds)[1], "dead"),)
    )
    address = f"/api/v1/battles/{battle.pk}/confirm/"
    refused = as_bob.post(address, {"version": battle.version})
    assert (refused.status_code, refused.json()["code"]) == (409, "open-conflicts")
    assert [error["value"] for error in refused.json()["errors"]] == [f"{reds.pk}/{sequence}"]
    dry = as_bob.post(address, {"dry_run": True})
    assert (dry.status_code, dry.data["conflicts"][0]["sequence"], dry.data["verdict_before"]) == (
        200,
        sequence,
        "",
    )
    stand = [{"warband": str(reds.pk), "sequence": sequence, "reason": "Nobody remembers."}]
    dry = as_bob.post(address, {"dry_run": True, "stand": stand})
    assert dry.data["conflicts"][0]["answer"] == "stand"
    done = as_bob.post(address, {"version": battle.version, "stand": stand})
    assert (done.status_code, done.data["state"]) == (200, "confirmed")


def test_an_organiser_previews_and_decides_by_the_api(
    campaign: Campaign,
    alice: User,
    as_alice: APIClient,
    as_bob: APIClient,
    reds: Warband,
    blues: Warband,
) -> None:
    confirmed(alice, campaign, reds, blues)
    battle = late(alice, campaign, reds, blues)
    address = f"/api/v1/battles/{battle.pk}/decide/"
    dry = as_alice.post(address, {"decision": "as-logged", "dry_run": True})
    assert (dry.status_code, dry.data["conflicts"], dry.data["changes"]) == (200, (), ())
    done = as_alice.post(address, {"decision": "as-logged", "accept_changes": True})
    assert done.data["state"] == "confirmed"


def test_the_page_shows_what_a_late_battle_breaks(
    campaign: Campaign, alice: User, bob: User, client: Client, reds: Warband, blues: Warband
) -> None:
    later = confirmed(alice, campaign, reds, blues)
    sequence = ChronicleEntry.objects.get(warband=reds, subject=later.pk).sequence
    battle = late(
        alice, campaign, reds, blues, events=(wound(fighters(blues)[0], fighters(reds)[1], "dead"),)
    )
    client.force_login(bob)
    sent = {"version": battle.version, "side": "b"}
    response = client.post(f"/battles/{battle.pk}/confirm/", sent)
    field_name = f"answer-{reds.pk}-{sequence}"
    assert field_name in response.content.decode()
    open_still = client.post(f"/battles/{battle.pk}/confirm/", sent | {"commit": "1"})
    assert open_still.status_code == 409
    answers = {field_name: "stand", f"{field_name}-reason": "So it was."}
    done = client.post(f"/battles/{battle.pk}/confirm/", sent | answers | {"commit": "1"})
    assert (done.status_code, Battle.objects.get(pk=battle.pk).state) == (302, "confirmed")


def test_the_page_that_fields_a_late_battle_names_the_day_of_the_roster(
    campaign: Campaign, alice: User, client: Client, reds: Warband, blues: Warband
) -> None:
    confirmed(alice, campaign, reds, blues)
    client.force_login(alice)
    pages = [
        client.get(
            f"/battles/{plan(alice, campaign, reds, blues, fought_on=day).pk}/sides/a/"
        ).content.decode()
        for day in (BEFORE, TODAY + timedelta(days=1))
    ]
    day = date_format(BEFORE, "j F Y")
    assert [f"You see the roster of {day}" in " ".join(page.split()) for page in pages] == [
        True,
        False,
    ]


def test_the_page_confirms_a_quiet_late_battle_at_once(
    campaign: Campaign, alice: User, client: Client, reds: Warband, blues: Warband
) -> None:
    confirmed(alice, campaign, reds, blues)
    battle = late(alice, campaign, reds, blues)
    client.force_login(alice)
    sent = {"version": battle.version, "decision": "as-logged", "reason": "As played."}
    done = client.post(f"/battles/{battle.pk}/decide/", sent)
    battle.refresh_from_db()
    assert (done.status_code, battle.state, battle.decision) == (302, "confirmed", "As played.")


@pytest.mark.usefixtures("club")
def test_a_private_warband_of_an_opponent_keeps_its_secrets(
    alice: User, bob: User, reds: Warband, blues: Warband
) -> None:
    victim, other = fighters(reds)[0], fighters(blues)[0]

    def submitted_one_off(day: date, *events: NewEvent) -> Battle:
        """A one-off battle of one fighter a side, each chosen by its own player."""
        battle = plan(alice, None, reds, blues, fought_on=day)
        field_combatants(battle_id=battle.pk, side="a", force=Force((victim.pk,)), user=alice)
        field_combatants(battle_id=battle.pk, side="b", force=Force((other.pk,)), user=bob)
        start_battle(battle_id=battle.pk, user=alice)
        if events:
            log(alice, battle, *events)
        return submit_battle(battle_id=battle.pk, user=alice)

    confirm_side(battle_id=submitted_one_off(TODAY).pk, user=bob)
    Warband.objects.filter(pk=reds.pk).update(visibility="private")
    battle = submitted_one_off(BEFORE, wound(other, victim, "dead"))
    theirs = preview_confirming(battle_id=battle.pk, user=bob)
    assert {change.name for change in theirs.fighters if change.warband == reds.pk} == {"Reds 0"}
    assert [(each.fighter_name, each.title) for each in theirs.conflicts] == [("", "")]
    assert "Reds 0" not in theirs.conflicts[0].sentence


def test_queries_of_a_late_battle_do_not_grow_with_what_followed(
    campaign: Campaign, alice: User, bob: User, reds: Warband, blues: Warband
) -> None:
    counts = set()
    for later in (1, 4):
        for _ in range(later):
            confirmed(alice, campaign, reds, blues)
        battle = late(alice, campaign, reds, blues)
        with CaptureQueriesContext(connection) as queries:
            confirm_side(battle_id=battle.pk, user=bob)
        counts.add(len(queries))
    assert len(counts) == 1
