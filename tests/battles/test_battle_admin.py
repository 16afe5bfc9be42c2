"""Support sees every battle, and cannot change anything from logs and chronicles."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from battles.models import Battle, BattleEvent, Side
from battles.services.corrections import Correction, correct_battle
from campaigns.models import Campaign
from tests.battles.field import confirmed, fighters, note, wound
from tests.conftest import browser_of
from warbands.models import Warband

pytestmark = pytest.mark.one_database


@pytest.fixture
def support(db: None) -> Client:
    """Return a browser of a superuser of the admin site."""
    return browser_of(User.objects.create_superuser("support", password="x"))


@pytest.fixture
def battle(campaign: Campaign, alice: User, reds: Warband, blues: Warband) -> Battle:
    battle = confirmed(
        alice, campaign, reds, blues, events=[wound(fighters(reds)[0], fighters(blues)[0])]
    )
    correct_battle(
        battle_id=battle.pk, user=alice, correction=Correction((note("Also."),), "Forgotten.")
    )
    return battle


@pytest.mark.parametrize("kind", [Battle, Side, BattleEvent])
def test_support_lists_searches_and_reads_but_adds_nothing(
    battle: Battle, support: Client, kind: Any
) -> None:
    name = f"admin:battles_{kind._meta.model_name}"
    assert support.get(reverse(f"{name}_changelist"), {"q": "Reds"}).status_code == 200
    page = support.get(reverse(f"{name}_change", args=[kind.objects.all()[0].pk]))
    assert page.status_code == 200
    assert battle.dice_seed not in page.content.decode()
    assert support.get(reverse(f"{name}_add")).status_code == 403


def test_support_edits_only_title_and_story(battle: Battle, support: Client) -> None:
    inlines = {
        f"{name}-{part}_FORMS": "0"
        for name in ("sides", "revisions")
        for part in ("TOTAL", "INITIAL")
    }
    sent = {
        "title": "The ford",
        "story": "It rained.",
        "state": "void",
        "friendly": "on",
        **inlines,
    }
    assert (
        support.post(reverse("admin:battles_battle_change", args=[battle.pk]), sent).status_code
        == 302
    )
    battle = Battle.objects.get()
    assert (battle.title, battle.story, battle.state, battle.friendly) == (
        "The ford",
        "It rained.",
        "confirmed",
        False,
    )


def test_support_deletes_no_battle(battle: Battle, support: Client) -> None:
    assert (
        support.post(
            reverse("admin:battles_battle_delete", args=[battle.pk]), {"post": "yes"}
        ).status_code
        == 403
    )
    assert Battle.objects.exists()
