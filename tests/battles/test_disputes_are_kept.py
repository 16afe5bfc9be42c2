"""A dispute and its decision stay visible, the disputing player is notified, and until then no page
shows a winner."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from battles.models import Battle, Dispute
from battles.services.corrections import void_battle
from battles.services.review import (
    Decision,
    confirm_side,
    decide_battle,
    dispute_side,
    reopen_battle,
    submit_battle,
)
from campaigns.models import Campaign
from core.errors import InvalidInput
from home.selectors.audit_log import audit_entries, audit_lines
from home.selectors.cards import inbox_of
from home.services.preferences import dismiss
from tests.battles.field import battle_page, confirmed, fight, fighters, wound
from warbands.models import Warband

pytestmark = pytest.mark.one_database


@pytest.fixture
def battle(campaign: Campaign, alice: User, bob: User, reds: Warband, blues: Warband) -> Battle:
    """Return a battle with a kill by Alice's Reds, submitted by Alice and disputed by Bob."""
    battle = fight(
        alice, campaign, reds, blues, events=[wound(fighters(reds)[1], fighters(blues)[1], "dead")]
    )
    return dispute_side(battle_id=battle.pk, user=bob, reason="He only fell down.")


def page_of(user: User, battle: Battle) -> str:
    browser = Client()
    browser.force_login(user)
    return " ".join(
        browser.get(reverse("battles:battle", args=[battle.pk])).content.decode().split()
    )


def kinds(user: User) -> list[str]:
    return [card.kind for card in inbox_of(user).cards]


def test_decision_needs_a_reason_and_stays_on_the_page(
    battle: Battle, alice: User, bob: User
) -> None:
    with pytest.raises(InvalidInput, check=lambda error: error.code == "reason-needed"):
        decide_battle(battle_id=battle.pk, user=alice, decision=Decision.AS_LOGGED)
    with pytest.raises(InvalidInput, check=lambda error: error.code == "reason-needed"):
        decide_battle(battle_id=battle.pk, user=alice, decision=Decision.REOPEN, reason=" ")
    decide_battle(
        battle_id=battle.pk, user=alice, decision=Decision.AS_LOGGED, reason="Three of us saw it."
    )
    (line,) = battle_page(battle.pk).disputes
    assert (line.warband_name, line.reason, line.raised_by) == (
        "Blues",
        "He only fell down.",
        "bob",
    )
    assert (line.answer, line.answer_reason, line.answered_by) == (
        "as-logged",
        "Three of us saw it.",
        "alice",
    )
    body = page_of(bob, battle)
    assert "He only fell down." in body and "Three of us saw it." in body


def test_disputing_player_is_notified_once(battle: Battle, alice: User, bob: User) -> None:
    assert "answered" not in kinds(bob)
    decide_battle(
        battle_id=battle.pk, user=alice, decision=Decision.AS_LOGGED, reason="Three of us saw it."
    )
    card = next(card for card in inbox_of(bob).cards if card.kind == "answered")
    assert "Three of us saw it." in card.sentence and card.dismissible
    assert "answered" not in kinds(alice)
    dismiss(user=bob, kind="answered", subject=card.subject)
    assert "answered" not in kinds(bob)


def test_every_end_of_a_dispute_is_kept(
    battle: Battle, campaign: Campaign, alice: User, bob: User, reds: Warband, blues: Warband
) -> None:
    reopen_battle(battle_id=battle.pk, user=alice)
    submit_battle(battle_id=battle.pk, user=alice)
    dispute_side(battle_id=battle.pk, user=bob, reason="Still not.")
    dispute_side(battle_id=battle.pk, user=bob, reason="Still not, I say.")
    confirm_side(battle_id=battle.pk, user=bob)
    other = fight(alice, campaign, reds, blues)
    dispute_side(battle_id=other.pk, user=bob, reason="Never played.")
    with pytest.raises(InvalidInput, check=lambda error: error.code == "reason-needed"):
        void_battle(battle_id=other.pk, user=alice)
    void_battle(battle_id=other.pk, user=alice, reason="So it was.")
    assert [(row.reason, row.answer) for row in Dispute.objects.order_by("raised_at")] == [
        ("He only fell down.", "reopened"),
        ("Still not, I say.", "withdrawn"),
        ("Never played.", "voided"),
    ]


def test_disputed_or_void_battle_does_not_say_who_won(
    battle: Battle, alice: User, bob: User
) -> None:
    page = battle_page(battle.pk)
    assert (page.verdict, page.winner, {side.outcome for side in page.sides}) == ("", None, {""})
    assert "This result is disputed" in page_of(bob, battle)
    decide_battle(
        battle_id=battle.pk, user=alice, decision=Decision.AS_LOGGED, reason="Three of us saw it."
    )
    assert battle_page(battle.pk).winner == "a"
    void_battle(battle_id=battle.pk, user=alice, reason="Wrong lists.")
    page, body = battle_page(battle.pk), page_of(bob, battle)
    assert (page.verdict, page.winner, {side.outcome for side in page.sides}) == ("", None, {""})
    assert "This battle is void. It does not count." in body
    assert ' class="won"' not in body and " beat " not in body


def test_activity_log_names_the_battle(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    confirmed(alice, campaign, reds, blues)
    lines = audit_lines(campaign.club, audit_entries(campaign.club), alice)
    battle_lines = [line for line in lines if line.subject.kind == "battle"]
    assert battle_lines and all(
        line.context[0] == "Reds v. Blues, 7 March 2026" for line in battle_lines
    )
