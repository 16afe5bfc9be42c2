"""The day of a battle, and its place in the day: asked for, changed by its players, corrected by
organisers."""

from datetime import date, timedelta
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from audit.models import AuditEntry
from battles.models import Battle
from battles.services.correction_conflicts import ConflictAnswers, LetStandAnswer
from battles.services.corrections import Correction, correct_battle, preview_correction
from battles.services.days import NewDay
from battles.services.planning import describe_battle, plan_battle
from battles.services.verification import check_battles
from campaigns.models import Campaign
from core.errors import Forbidden, InvalidInput, StateConflict
from rulebook.chronicle.replay import effective
from tests.battles.field import TODAY, begin, confirmed, fighters, plan, planned, state, wound
from warbands.models import ChronicleEntry, Warband
from warbands.rulebook_values import read_chronicles
from warbands.services.verification import prove

BEFORE, LATER = TODAY - timedelta(days=7), TODAY + timedelta(days=7)


def places(warband: Warband) -> list[int]:
    """Return the sequences of a chronicle's entries in the order in which they take effect."""
    return [sequence for sequence, _ in effective(read_chronicles([warband.pk])[warband.pk])]


@pytest.mark.parametrize("year", [26, 1899, 2062, 9999])
def test_an_impossible_year_is_refused(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband, year: int
) -> None:
    day = date(year, 11, 20)
    with pytest.raises(InvalidInput) as refused:
        plan_battle(
            user=alice, plan=planned(alice, reds, blues, campaign=campaign.pk, fought_on=day)
        )
    assert [(each.code, each.field, each.value) for each in refused.value.problems] == [
        ("impossible-day", "fought_on", day.isoformat())
    ]
    battle = plan(alice, campaign, reds, blues)
    with pytest.raises(InvalidInput):
        describe_battle(battle_id=battle.pk, user=alice, day=NewDay(fought_on=day))
    assert Battle.objects.get(pk=battle.pk).fought_on == TODAY


def test_an_unusual_year_is_asked_about(
    campaign: Campaign, as_alice: APIClient, reds: Warband, blues: Warband
) -> None:
    wish = {
        "client_id": str(uuid4()),
        "campaign": str(campaign.pk),
        "scenario": "brawl",
        "sides": [
            {"warband": str(reds.pk), "role": "side"},
            {"warband": str(blues.pk), "role": "side"},
        ],
        "fought_on": (timezone.localdate() + timedelta(days=500)).isoformat(),
    }
    battle = as_alice.post("/api/v1/battles/", wish).json()
    assert [
        (each["code"], each["severity"])
        for each in battle["problems"]
        if each["field"] == "fought_on"
    ] == [("unusual-day", "warns")]
    changed = as_alice.patch(
        f"/api/v1/battles/{battle['id']}/", {"fought_on": timezone.localdate().isoformat()}
    )
    assert (
        changed.status_code,
        [each["code"] for each in changed.json()["problems"]].count("unusual-day"),
    ) == (200, 0)


def test_players_put_a_battle_off(
    campaign: Campaign, alice: User, as_bob: APIClient, reds: Warband, blues: Warband
) -> None:
    battle = plan(alice, campaign, reds, blues)
    changed = as_bob.patch(f"/api/v1/battles/{battle.pk}/", {"fought_on": LATER.isoformat()})
    assert (changed.status_code, changed.data["fought_on"]) == (200, LATER.isoformat())
    assert AuditEntry.objects.filter(verb="battle.day-changed").count() == 1
    same = as_bob.patch(f"/api/v1/battles/{battle.pk}/", {"fought_on": LATER.isoformat()})
    assert (same.status_code, AuditEntry.objects.filter(verb="battle.day-changed").count()) == (
        200,
        1,
    )


def test_the_page_changes_the_day(
    campaign: Campaign, alice: User, bob: User, client: Client, reds: Warband, blues: Warband
) -> None:
    battle = plan(alice, campaign, reds, blues)
    client.force_login(bob)
    address = f"/battles/{battle.pk}/describe/"
    assert 'name="fought_on"' in client.get(address).content.decode()
    sent = {"title": "", "story": "", "fought_on": LATER.isoformat(), "version": battle.version}
    assert client.post(address, sent).status_code == 302
    assert Battle.objects.get(pk=battle.pk).fought_on == LATER
    bad = client.post(address, {**sent, "fought_on": "2062-11-20", "version": battle.version + 1})
    assert (bad.status_code, "2062-11-20" in bad.content.decode()) == (400, True)


def test_the_day_of_a_confirmed_battle_is_corrected(
    campaign: Campaign, alice: User, bob: User, reds: Warband, blues: Warband
) -> None:
    first = confirmed(alice, campaign, reds, blues)
    second = confirmed(alice, campaign, reds, blues)
    length = Warband.objects.get(pk=reds.pk).sequence
    with pytest.raises(StateConflict) as refused:
        describe_battle(battle_id=second.pk, user=alice, day=NewDay(fought_on=BEFORE))
    assert refused.value.code == "wrong-state"
    correction = Correction((), "It was a week before.", day=NewDay(fought_on=BEFORE))
    with pytest.raises(Forbidden):
        correct_battle(battle_id=second.pk, user=bob, correction=correction)
    preview = preview_correction(battle_id=second.pk, user=alice, correction=correction)
    assert (preview.day_before, preview.day_after, preview.conflicts) == (
        TODAY.isoformat(),
        BEFORE.isoformat(),
        (),
    )
    assert Battle.objects.get(pk=second.pk).fought_on == TODAY
    correct_battle(battle_id=second.pk, user=alice, correction=correction)
    second.refresh_from_db()
    assert (second.fought_on, second.revision) == (BEFORE, 1)
    assert places(reds)[-2:] == [length, length - 1]
    assert not [*check_battles()] and not any(prove(row) for row in Warband.objects.all())
    assert AuditEntry.objects.filter(
        verb="battle.corrected", details__reason="It was a week before."
    ).exists()
    with pytest.raises(InvalidInput) as refused_again:
        correct_battle(battle_id=second.pk, user=alice, correction=correction)
    assert refused_again.value.code == "nothing-to-correct"
    assert first.fought_on == TODAY


def test_another_day_that_breaks_a_later_battle_asks(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    first = confirmed(alice, campaign, reds, blues)
    sequence = ChronicleEntry.objects.get(warband=reds, subject=first.pk).sequence
    victim = fighters(reds)[1]
    last = confirmed(
        alice, campaign, reds, blues, events=[wound(fighters(blues)[0], victim, "dead")]
    )
    correction = Correction((), "It was a week before.", day=NewDay(fought_on=BEFORE))
    with pytest.raises(StateConflict) as error:
        correct_battle(battle_id=last.pk, user=alice, correction=correction)
    assert [each.value for each in error.value.problems] == [f"{reds.pk}/{sequence}"]
    answers = ConflictAnswers(stand=(LetStandAnswer(reds.pk, sequence, "Nobody knows."),))
    correct_battle(
        battle_id=last.pk,
        user=alice,
        correction=Correction((), correction.reason, answers, correction.day),
    )
    assert state(reds).fighters[str(victim.pk)].battles == 1
    assert not [*check_battles()]


def test_organisers_correct_the_day_by_the_api(
    campaign: Campaign,
    alice: User,
    as_alice: APIClient,
    as_bob: APIClient,
    reds: Warband,
    blues: Warband,
) -> None:
    battle = confirmed(alice, campaign, reds, blues)
    address, wish = (
        f"/api/v1/battles/{battle.pk}/",
        {"fought_on": BEFORE.isoformat(), "reason": "Mistyped."},
    )
    assert as_bob.patch(address, wish).status_code == 403
    assert as_alice.patch(address, {"fought_on": BEFORE.isoformat()}).status_code == 400
    dry = as_alice.patch(address, wish | {"dry_run": True})
    assert (dry.status_code, dry.data["day_after"]) == (200, BEFORE.isoformat())
    done = as_alice.patch(address, wish | {"title": "The ford"})
    assert (done.status_code, done.data["fought_on"], done.data["title"]) == (
        200,
        BEFORE.isoformat(),
        "The ford",
    )
    again = {"fought_on": LATER.isoformat(), "reason": "No, later."}
    assert as_alice.post(address + "corrections/", again).status_code == 201
    assert Battle.objects.get(pk=battle.pk).fought_on == LATER
    assert as_alice.post(address + "corrections/", {"reason": "Nothing."}).status_code == 400


def test_an_organiser_sets_the_place_in_the_day(
    campaign: Campaign,
    alice: User,
    bob: User,
    as_alice: APIClient,
    as_bob: APIClient,
    reds: Warband,
    blues: Warband,
) -> None:
    first, second, third = (confirmed(alice, campaign, reds, blues) for _ in range(3))
    length = Warband.objects.get(pk=reds.pk).sequence
    address = f"/api/v1/battles/{third.pk}/"
    wish = {"played_after": str(first.pk), "reason": "It came second."}
    assert as_bob.patch(address, wish).status_code == 403
    assert as_alice.patch(address, wish).status_code == 200
    assert places(reds)[-3:] == [length - 2, length, length - 1]
    assert (
        as_alice.patch(address, {"played_before": str(first.pk), "reason": "Or first."}).status_code
        == 200
    )
    assert places(reds)[-3:] == [length, length - 2, length - 1]
    other = begin(alice, campaign, reds, blues, fought_on=LATER)
    refused = as_alice.patch(address, {"played_before": str(other.pk), "reason": "Or last."})
    assert (refused.status_code, refused.json()["code"]) == (400, "not-that-day")
    assert second.fought_on == TODAY
    assert not [*check_battles()] and not any(prove(row) for row in Warband.objects.all())


def test_the_page_for_organisers_previews_and_saves(
    campaign: Campaign, alice: User, bob: User, client: Client, reds: Warband, blues: Warband
) -> None:
    first, second = (confirmed(alice, campaign, reds, blues) for _ in range(2))
    length = Warband.objects.get(pk=reds.pk).sequence
    address = f"/battles/{second.pk}/day/"
    client.force_login(bob)
    assert client.get(address).status_code == 403
    client.force_login(alice)
    assert f"before:{first.pk}" in client.get(address).content.decode()
    version = Battle.objects.get(pk=second.pk).version
    sent = {
        "fought_on": TODAY.isoformat(),
        "place": f"before:{first.pk}",
        "reason": "It came first.",
        "version": version,
    }
    assert client.post(address, sent | {"look": "1"}).status_code == 200
    assert places(reds)[-2:] == [length - 1, length]
    assert client.post(address, sent | {"commit": "1"}).status_code == 302
    assert places(reds)[-2:] == [length, length - 1]


def test_the_page_moves_a_battle_that_is_not_confirmed(
    campaign: Campaign, alice: User, client: Client, reds: Warband, blues: Warband
) -> None:
    battle = begin(alice, campaign, reds, blues)
    client.force_login(alice)
    sent = {"fought_on": BEFORE.isoformat(), "place": "", "version": battle.version}
    assert client.post(f"/battles/{battle.pk}/day/", sent).status_code == 302
    assert Battle.objects.get(pk=battle.pk).fought_on == BEFORE
