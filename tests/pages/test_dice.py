"""The dice of a battle on pages: the commitment before, each throw, and the seed after
confirmation."""

import json
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from battles.models import Battle
from battles.services.logbook import NewEvent, log_events
from battles.services.review import Decision, decide_battle, submit_battle
from rulebook.dice.committed import commitment
from scripts.verify_dice import faults as wrong_dice
from tests.pages.conftest import Clients
from tests.pages.markup import faults

pytestmark = pytest.mark.one_database


def address(battle: Battle) -> str:
    return reverse("battles:dice", args=[battle.pk])


def thrown(battle: Battle, user: User) -> Battle:
    """Return a battle with dice rolled by Muster."""
    events = [NewEvent(uuid4(), "turn", {}, 1), NewEvent(uuid4(), "priority", {})]
    log_events(battle_id=battle.pk, events=events, user=user)
    return Battle.objects.get(pk=battle.pk)


def test_the_commitment_is_there_from_the_start_and_the_seed_is_not(
    browsers: Clients, planned: Battle
) -> None:
    body = browsers.dora.get(address(planned)).content.decode()
    assert commitment(planned.dice_seed) in body and planned.dice_seed not in body
    assert "No rolls yet" in body


def test_every_throw_is_shown_with_its_purpose(
    browsers: Clients, begun: Battle, alice: User
) -> None:
    thrown(begun, alice)
    page = browsers.dora.get(address(begun))
    ((throw, sentence),) = page.context["throws"]
    assert throw.event == 2 and sentence.startswith("Priority: ")
    assert list(faults(page.content.decode())) == []


def test_after_the_battle_the_seed_is_shown_and_its_file_can_be_checked(
    browsers: Clients, begun: Battle, alice: User
) -> None:
    battle = thrown(begun, alice)
    submit_battle(battle_id=battle.pk, user=alice)
    decide_battle(battle_id=battle.pk, user=alice, decision=Decision.AS_LOGGED)
    assert battle.dice_seed in browsers.dora.get(address(battle)).content.decode()
    record = json.loads(browsers.dora.get(reverse("battles:dice-file", args=[battle.pk])).content)
    assert record["seed"] == battle.dice_seed and wrong_dice(record) == []


def test_dice_typed_in_are_called_so(browsers: Clients, begun: Battle, alice: User) -> None:
    events = [
        NewEvent(uuid4(), "turn", {}, 1),
        NewEvent(uuid4(), "priority", {"rolls": [{"a": 6, "b": 1}]}),
    ]
    log_events(battle_id=begun.pk, events=events, user=alice)
    page = browsers.dora.get(address(begun))
    assert [sequence for sequence, _ in page.context["typed"]] == [2]
    assert "Rolled at the table and entered" in page.content.decode()


def test_the_battle_leads_to_its_dice(browsers: Clients, begun: Battle) -> None:
    assert (
        address(begun)
        in browsers.dora.get(reverse("battles:battle", args=[begun.pk])).content.decode()
    )


def test_dice_of_removed_entry_are_still_shown(
    browsers: Clients, begun: Battle, alice: User
) -> None:
    thrown(begun, alice)
    struck = NewEvent(uuid4(), "correction", {"event": 2, "reason": "Thrown twice"})
    log_events(battle_id=begun.pk, events=[struck], user=alice)
    page = browsers.dora.get(address(begun))
    assert [sequence for sequence, _ in page.context["corrected"]] == [2]
    assert page.context["throws"][0][0].event == 2


def test_secret_dice_are_shown_after_confirmation(
    browsers: Clients, begun: Battle, alice: User
) -> None:
    Battle.objects.filter(pk=begun.pk).update(
        house_rules={**begun.house_rules, "minor_objectives": "secret"}
    )
    log_events(
        battle_id=begun.pk, events=[NewEvent(uuid4(), "ended", {"how": "agreed"})], user=alice
    )
    assert browsers.dora.get(address(begun)).context["asides"] == []
    for side in ("a", "b"):
        log_events(
            battle_id=begun.pk,
            events=[NewEvent(uuid4(), "minor_objective", {"side": side})],
            user=alice,
        )
    submit_battle(battle_id=begun.pk, user=alice)
    decide_battle(battle_id=begun.pk, user=alice, decision=Decision.AS_LOGGED)
    page = browsers.dora.get(address(begun))
    assert len(page.context["asides"]) == 2 and "Secret rolls of one side" in page.content.decode()
