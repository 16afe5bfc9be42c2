"""Rows that are signed: what a change makes of their signature, and what an upgrade, new keys and
broken rows do."""

from io import StringIO
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from campaigns.models import Campaign, Enrolment
from clubs.models import Club, Membership
from rulebook.chronicle.states import WarbandState
from tests.warbands.test_check_chronicle import SOUND, check, complaint
from warbands.models import Warband
from warbands.services.verification import check_rows, complete, prove
from warbands.services.warbands import archive_warband
from warbands.signed import create_signed, remember_signed, save_signed, update_signed


def broken() -> list[str]:
    """Return the rows whose signature does not hold."""
    return [difference.where for difference in check_rows()]


@pytest.fixture(autouse=True)
def battles_of_facts_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip the check of battles: the campaign of these warbands has none."""
    monkeypatch.setattr("operations.management.commands.check_chronicle.check_battles", lambda: ())


def test_update_signed_signs_every_row(reds: Warband, campaign: Campaign, alice: User) -> None:
    assert not broken()
    rows = Membership.objects.filter(club=campaign.club)
    assert update_signed(rows, left_at=campaign.created_at) == rows.count() > 1
    assert update_signed(rows.filter(user=alice), name="Alix") == 1
    assert update_signed(rows.filter(name="nobody"), name="Nobody") == 0
    assert not broken()
    rows.update(left_at=None)
    assert len(broken()) == rows.count()


def test_save_signed_signs_the_stored_columns(
    reds: Warband, campaign: Campaign, alice: User
) -> None:
    """An object that is out of date in what it does not save breaks nothing."""
    stale = Campaign.objects.get(pk=campaign.pk)
    campaign.points = 77
    save_signed(campaign, "points")
    stale.name = "The Short Summer"
    save_signed(stale, "name")
    stored = Campaign.objects.get(pk=campaign.pk)
    assert (stored.name, stored.points) == ("The Short Summer", 77)
    assert not broken()


def test_change_of_a_forged_row_makes_nothing_good(
    reds: Warband, campaign: Campaign, alice: User, bob: User
) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(scoring={"win": 9})
    for held in (False, True):
        forged = Campaign.objects.get(pk=campaign.pk)
        if held:
            remember_signed(forged)
        forged.name = f"{forged.name}!"
        save_signed(forged, "name")
        assert [str(campaign.pk) in line for line in broken()] == [True]
    update_signed(Campaign.objects.all(), name="Again")
    assert [str(campaign.pk) in line for line in broken()] == [True]
    Campaign.objects.filter(pk=campaign.pk).update(scoring={}, name=campaign.name)
    assert broken() == [], "it is again what was signed"


def test_unsigned_row_is_found_until_somebody_trusts_it(reds: Warband, campaign: Campaign) -> None:
    Club.objects.create(name="From nowhere")
    assert (
        len(broken()) == 1
        and "club From nowhere (" in complaint()
        and "changed behind" in complaint()
    )
    with pytest.raises(CommandError, match="verify 1 signatures"):
        call_command("renew_keys", stdout=StringIO())
    call_command("sign_chronicles", stdout=StringIO())
    assert SOUND in check()


def test_signature_is_worth_nothing_in_another_row(reds: Warband, campaign: Campaign) -> None:
    first, second = Membership.objects.order_by("pk")[:2]
    update_signed(Membership.objects.filter(pk=first.pk), name="x", role="player", user=None)
    first.refresh_from_db()
    Membership.objects.filter(pk=first.pk).update(name="y")
    Membership.objects.filter(pk=second.pk).update(name="x", role="player", user=None)
    assert len(broken()) == 2
    Membership.objects.filter(pk=second.pk).update(row_signature=first.row_signature)
    assert len(broken()) == 2


def test_rows_are_resigned_with_another_key(
    reds: Warband, campaign: Campaign, bob: User, settings: Any
) -> None:
    former, settings.SECRET_KEY = (
        settings.SECRET_KEY,
        "another key that is long enough for anybody to use",
    )
    assert len(broken()) > 3
    settings.SECRET_KEY_FALLBACKS = [former]
    update_signed(Enrolment.objects.all(), colour="#000000")
    assert not broken()
    call_command("renew_keys", stdout=StringIO())
    settings.SECRET_KEY_FALLBACKS = []
    assert not broken()


def test_deleted_member_leaves_signed_rows(
    reds: Warband, club: Club, alice: User, bob: User
) -> None:
    hand_over = apps.get_model("campaigns.HandOver")
    seats = [create_signed(Membership, club=club, name=name) for name in ("Giver", "Receiver")]
    create_signed(
        hand_over,
        warband=reds,
        giver=bob,
        giver_seat=seats[0],
        receiver_seat=seats[1],
        made_by=alice,
        made_at=club.created_at,
    )
    Membership.objects.filter(pk__in=[seat.pk for seat in seats]).delete()
    row = hand_over.objects.get()
    assert (row.giver_seat, row.receiver_seat) == (None, None)
    assert not broken()


# States of an earlier Muster


def test_state_without_a_new_field_is_proved(reds: Warband, campaign: Campaign) -> None:
    warband = Warband.objects.get(pk=reds.pk)
    for name in ("last_played", "risen", "posts"):
        warband.state.pop(name)
    fighter = warband.fighters.all()[0]
    del fighter.state["condition"], fighter.state["tallies"]
    fighter.save()
    warband.save()
    assert prove(Warband.objects.get(pk=reds.pk)) == []
    warband.state["last_played"] = ["2026-01-01", ""]
    warband.save()
    assert [difference.where for difference in prove(warband)] == ["warband state"]


def test_state_without_a_field_that_has_another_value_is_found(
    reds: Warband, campaign: Campaign
) -> None:
    warband = Warband.objects.get(pk=reds.pk)
    del warband.state["campaign"]
    assert [difference.where for difference in prove(warband)] == ["warband state"]


def test_unreadable_state_stays_unchanged() -> None:
    assert complete({"sequence": "x"}, WarbandState) == {"sequence": "x"}
    assert complete(None, WarbandState) is None


def test_archiving_keeps_the_row_signed(reds: Warband, bob: User) -> None:
    archive_warband(warband_id=reds.pk, user=bob)
    archive_warband(warband_id=reds.pk, user=bob, archived=False)
    assert not broken()
