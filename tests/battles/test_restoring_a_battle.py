"""A battle that was voided by mistake is restored: it counts again in its place, or continues where
it was."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from audit.models import AuditEntry
from battles.models import Battle, Revision
from battles.selectors.permissions import battle_permissions
from battles.selectors.standings import standings
from battles.services.correction_conflicts import ConflictAnswers, LetStandAnswer, Undo
from battles.services.corrections import preview_restore, preview_void, restore_battle, void_battle
from battles.services.review import dispute_side
from battles.services.verification import prove_battle
from campaigns.models import Campaign
from campaigns.services.campaigns import finish_campaign
from core.errors import Forbidden, InvalidInput, StateConflict
from tests.battles.field import begin, confirmed, fight, fighters, plan, rank_up, side, state, wound
from warbands.models import Warband
from warbands.services.chronicle import read_chronicle
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


def figures(*warbands: Warband) -> list[tuple[object, ...]]:
    return [
        (each.name, each.fate, each.experience, each.battles, each.rank)
        for warband in warbands
        for each in fighters(warband)
    ]


def test_restored_battle_counts_again(
    battle: Battle, campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    before = figures(reds, blues), standings(campaign), side(battle, "a").outcome
    chronicle = len(read_chronicle(reds.pk))
    void_battle(battle_id=battle.pk, user=alice, reason="Wrong lists.")
    assert figures(reds, blues) != before[0]
    preview = preview_restore(battle_id=battle.pk, user=alice)
    assert (preview.verdict_before, bool(preview.verdict_after)) == ("", True)
    assert {each.outcome_after for each in preview.sides} == {"won", "lost"} and preview.table
    assert Battle.objects.get(pk=battle.pk).state == "void", "a preview writes nothing"
    restored = restore_battle(battle_id=battle.pk, user=alice, reason="They were the right ones.")
    assert (restored.state, restored.decision) == ("confirmed", "They were the right ones.")
    assert (figures(reds, blues), standings(campaign), side(battle, "a").outcome) == before
    assert len(read_chronicle(reds.pk)) == chronicle + 2, "facts are added, none is taken away"
    assert prove(Warband.objects.get(pk=reds.pk)) == prove(Warband.objects.get(pk=blues.pk)) == []
    assert list(prove_battle(Battle.objects.get(pk=battle.pk))) == []
    assert [row.reason for row in Revision.objects.order_by("number")] == [
        "Wrong lists.",
        "They were the right ones.",
    ]
    assert AuditEntry.objects.filter(verb="battle.restored").count() == 1
    void_battle(battle_id=battle.pk, user=alice, reason="No: wrong lists.")
    assert figures(reds, blues) != before[0]


def test_restoring_goes_into_its_place_before_later_battles(
    battle: Battle, alice: User, reds: Warband, blues: Warband, campaign: Campaign
) -> None:
    void_battle(battle_id=battle.pk, user=alice, reason="Wrong lists.")
    later = confirmed(alice, campaign, reds, blues)
    (conflict,) = preview_restore(battle_id=battle.pk, user=alice).conflicts
    assert conflict.code == "fighter-gone", "the dead of the restored battle have fought since"
    with pytest.raises(StateConflict) as refusal:
        restore_battle(battle_id=battle.pk, user=alice, reason="Right after all.")
    assert refusal.value.code == "open-conflicts"
    stand = ConflictAnswers(
        stand=(LetStandAnswer(conflict.warband, conflict.sequence, "He was there."),)
    )
    restore_battle(battle_id=battle.pk, user=alice, reason="Right after all.", answers=stand)
    assert state(reds).games_played == 2 and fighters(blues)[2].fate == "dead"
    assert prove(Warband.objects.get(pk=blues.pk)) == []
    assert Battle.objects.get(pk=later.pk).state == "confirmed"


def test_what_was_undone_with_the_battle_stays_undone(
    battle: Battle, alice: User, reds: Warband
) -> None:
    rank_up(alice, fighters(reds)[1])
    (conflict,) = preview_void(battle_id=battle.pk, user=alice).conflicts
    undo = ConflictAnswers(undo=(Undo(reds.pk, conflict.sequence),))
    void_battle(battle_id=battle.pk, user=alice, reason="Wrong lists.", answers=undo)
    restore_battle(battle_id=battle.pk, user=alice, reason="Right lists.")
    assert (fighters(reds)[1].rank, fighters(reds)[1].experience > 0) == (1, True)


def test_unconfirmed_battles_go_on_where_they_were(
    campaign: Campaign, alice: User, bob: User, reds: Warband, blues: Warband
) -> None:
    planned = plan(alice, campaign, reds, blues)
    under_way = begin(alice, campaign, reds, blues)
    submitted = fight(alice, campaign, reds, blues)
    disputed = fight(alice, campaign, reds, blues)
    dispute_side(battle_id=disputed.pk, user=bob, reason="No.")
    before = {
        planned: "planned",
        under_way: "planned",
        submitted: "submitted",
        disputed: "disputed",
    }
    for each, expected in before.items():
        void_battle(battle_id=each.pk, user=alice, reason="Slip.")
        assert preview_restore(battle_id=each.pk, user=alice).sides == ()
        assert restore_battle(battle_id=each.pk, user=alice, reason="Slip.").state == expected


def test_only_an_organiser_restores_and_says_why(battle: Battle, alice: User, bob: User) -> None:
    with pytest.raises(StateConflict, check=lambda error: error.code == "wrong-state"):
        restore_battle(battle_id=battle.pk, user=alice, reason="So.")
    void_battle(battle_id=battle.pk, user=alice, reason="Wrong lists.")
    with pytest.raises(Forbidden):
        restore_battle(battle_id=battle.pk, user=bob, reason="I won.")
    with pytest.raises(InvalidInput, check=lambda error: error.code == "reason-needed"):
        restore_battle(battle_id=battle.pk, user=alice, reason=" ")
    with pytest.raises(StateConflict, check=lambda error: error.code == "stale-version"):
        restore_battle(battle_id=battle.pk, user=alice, reason="So.", version=1)
    fresh = Battle.objects.get(pk=battle.pk)
    assert "restore" in battle_permissions(fresh, alice).actions
    assert "restore" not in battle_permissions(fresh, bob).actions


def test_unconfirmed_battle_of_an_ended_campaign_is_not_restored(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    planned = plan(alice, campaign, reds, blues)
    void_battle(battle_id=planned.pk, user=alice, reason="Slip.")
    finish_campaign(campaign_id=campaign.pk, user=alice)
    with pytest.raises(InvalidInput, check=lambda error: error.code == "campaign-finished"):
        restore_battle(battle_id=planned.pk, user=alice, reason="Slip.")


def test_page_and_api_restore(battle: Battle, alice: User, bob: User) -> None:
    void_battle(battle_id=battle.pk, user=alice, reason="Wrong lists.")
    browser, where = Client(), reverse("battles:restore", args=[battle.pk])
    browser.force_login(alice)
    assert where in browser.get(reverse("battles:battle", args=[battle.pk])).content.decode()
    html = browser.get(where).content.decode()
    assert "Wrong lists." in html and 'name="commit"' not in html
    version = Battle.objects.get(pk=battle.pk).version
    looked = browser.post(
        where, {"reason": "Right lists.", "version": version, "look": "1"}
    ).content.decode()
    assert "Changes" in looked and 'name="commit"' in looked
    assert (
        browser.post(
            where, {"reason": "Right lists.", "version": version, "commit": "1"}
        ).status_code
        == 302
    )
    assert Battle.objects.get(pk=battle.pk).state == "confirmed"
    void_battle(battle_id=battle.pk, user=alice, reason="Wrong lists.")
    client, path = APIClient(), f"/api/v1/battles/{battle.pk}/restore/"
    client.force_authenticate(bob)
    assert client.post(path, {"reason": "So."}, format="json").status_code == 403
    client.force_authenticate(alice)
    assert client.post(path, {"dry_run": True}, format="json").json()["verdict_before"] == ""
    assert client.post(path, {}, format="json").json()["code"] == "reason-needed"
    assert client.post(path, {"reason": "So."}, format="json").json()["state"] == "confirmed"
