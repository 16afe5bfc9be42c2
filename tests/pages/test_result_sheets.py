"""The result sheet as one page after the game: a row for everybody, whatever the rule system."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from battles.forms.events import board_of, sheet_kinds
from battles.models import Battle
from battles.services.logbook import NewEvent, log_events
from rulebook.registry import RULESETS, newest_ruleset
from tests.battles.test_fighting_wards import war_of
from tests.battles.war import War
from tests.conftest import browser_of
from tests.pages.conftest import Clients
from tests.pages.world import named, wound

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]
HIDDEN = re.compile(r'<input type="hidden" name="([\w-]+)" value="([^"]*)"')


@pytest.fixture
def war(alice: User) -> War:
    return war_of(alice, losses_stay=True)


def sent(browser: Client, address: str) -> dict[str, Any]:
    """Return what the page submits without input."""
    return dict(HIDDEN.findall(browser.get(address).content.decode()))


def place_of(data: dict[str, Any], name: str, battle: Battle) -> str:
    """Return the prefix of a combatant's row."""
    key = next(
        str(each.fighter_id)
        for side in battle.sides.all()
        for each in side.combatants.filter(name=name)
    )
    return next(field.removesuffix("-fighter") for field, value in data.items() if value == key)


def test_everybody_who_was_fielded_has_a_row_by_name_under_its_side(war: War) -> None:
    battle = war.start()
    html = browser_of(war.alice).get(reverse("battles:sheet", args=[battle.pk])).content.decode()
    fielded = [
        combatant.name
        for side in battle.sides.order_by("place")
        for combatant in side.combatants.order_by("place")
    ]
    named = re.findall(r"<summary>([^<]+)</summary>", html)
    assert named[: len(fielded)] == fielded
    assert re.findall(r'<h3 class="whose">([^<]+)</h3>', html) == ["Reds", "Blues"]


def test_result_sheet_ignores_untouched_rows(war: War) -> None:
    battle, browser = war.start(), browser_of(war.alice)
    address = reverse("battles:sheet", args=[battle.pk])
    data = sent(browser, address)
    bows, gun = place_of(data, "Retinue foot 2", battle), place_of(data, "Heavy gun 1", battle)
    filled = {
        f"{bows}-halves": "3",
        f"{gun}-gone": "destroyed",
        "ended-0-winner": "a",
        "ended-0-reason": "Dusk.",
    }
    answer = browser.post(address, {**data, **filled, "review": "1"})
    assert answer["Location"] == reverse("battles:review", args=[battle.pk])
    assert [event.kind for event in battle.events.all()] == ["loss", "loss", "ended"]
    review = browser.get(answer["Location"]).content.decode()
    assert "Destroyed" in review and "3 entries saved." in review and "Check result" in review
    version = Battle.objects.get(pk=battle.pk).version
    browser.post(reverse("battles:submit", args=[battle.pk]), {"version": version})
    page = browser.get(reverse("battles:battle", args=[battle.pk])).content.decode()
    score = re.search(r'class="score[^>]*>(.*?)</div>', page, re.DOTALL)
    assert score is not None
    assert score.group(1).strip() == "beat"
    assert "† destroyed" in " ".join(page.split())


def test_error_is_shown_in_row_of_its_unit(war: War) -> None:
    battle, browser = war.start(), browser_of(war.alice)
    address = reverse("battles:sheet", args=[battle.pk])
    data = sent(browser, address)
    bows = place_of(data, "Retinue foot 2", battle)
    answer = browser.post(address, {**data, f"{bows}-halves": "30"})
    assert answer.status_code == 400
    assert not battle.events.exists()
    wrong = " ".join(answer.content.decode().split()).split('class="event-row each wrong" open')
    assert len(wrong) == 2
    assert "Retinue foot 2" in wrong[1][:200]


def test_result_sheet_adds_rows_on_request(war: War) -> None:
    battle, browser = war.start(), browser_of(war.alice)
    address = reverse("battles:sheet", args=[battle.pk])
    data = sent(browser, address)
    more = browser.post(address, {**data, "more_loss": "1"}).content.decode()
    count = int(data["rows_loss"])
    assert f'name="rows_loss" value="{count + 3}"' in more
    fighter = battle.sides.all()[0].combatants.all()[3].fighter_id
    again = dict(HIDDEN.findall(more))
    answer = browser.post(
        address, {**again, f"loss-{count}-fighter": str(fighter), f"loss-{count}-halves": "1"}
    )
    assert answer.status_code == 302
    assert battle.events.get().data == {"fighter": str(fighter), "halves": 1}


def test_a_correction_begins_with_a_bare_row(war: War) -> None:
    battle = war.fight(1)
    html = browser_of(war.alice).get(reverse("battles:correct", args=[battle.pk])).content.decode()
    assert 'name="rows_loss" value="1"' in html


def test_result_sheet_preview_writes_nothing(war: War) -> None:
    battle, browser = war.start(), browser_of(war.alice)
    address = reverse("battles:sheet", args=[battle.pk])
    data = sent(browser, address)
    gun, bows = place_of(data, "Heavy gun 1", battle), place_of(data, "Retinue foot 2", battle)
    filled = {f"{gun}-gone": "destroyed", f"{bows}-halves": "30", "ended-0-winner": "a"}
    page = browser.post(address, {**data, **filled, "look": "1"})
    preview = page.context["so_far"].preview
    assert [side.outcome for side in preview.sides] == ["won", "lost"]
    hurt = [
        fighter.name for side in preview.sides for fighter in side.fighters if fighter.wounds_phrase
    ]
    assert hurt == ["Heavy gun 1"], "a row that makes no sense yet is left out"
    assert page.context["so_far"].problems and ">Won<" in page.content.decode()
    half = browser.post(address, {**data, f"{gun}-gone": "destroyed", "look": "1"})
    assert (
        ">Drew<" not in half.content.decode() and "The winner appears once" in half.content.decode()
    )
    assert not battle.events.exists()


BOARDS = {
    "en-garde": ("victim", "result", "attacker"),
    **dict.fromkeys(("argad", "wards", "avant-garde"), ("fighter", "gone", "by")),
}
"""The fields of the boards of the rulebooks: victim, effect, attacker."""


@pytest.mark.parametrize("system", RULESETS)
def test_board_has_subject_result_and_attacker(system: str) -> None:
    rules = newest_ruleset(system)
    board = board_of(sheet_kinds(rules, rules.scenarios()[0].key))
    assert board is not None
    named = (board.subject.key, board.result, board.by)
    assert all(named) and named == BOARDS.get(system, named)


def test_two_rows_of_one_sheet_that_tell_the_same_end_name_each_other(war: War) -> None:
    battle, browser = war.start(), browser_of(war.alice)
    address = reverse("battles:sheet", args=[battle.pk])
    data = sent(browser, address)
    bows, gun = place_of(data, "Retinue foot 2", battle), place_of(data, "Heavy gun 1", battle)
    twice = {
        f"{bows}-gone": "destroyed",
        f"{gun}-gone": "lost",
        f"{gun}-fighter": data[f"{bows}-fighter"],
    }
    html = " ".join(browser.post(address, {**data, **twice}).content.decode().split())
    assert (
        "Retinue foot 2 was destroyed (the row of Retinue foot 2). Leave one of the two rows empty."
        in html
    )
    assert not battle.events.exists()


def test_a_row_can_replace_the_entry_that_tells_the_same_end(war: War) -> None:
    battle, browser = war.start(), browser_of(war.alice)
    address = reverse("battles:sheet", args=[battle.pk])
    data = sent(browser, address)
    bows = place_of(data, "Retinue foot 2", battle)
    browser.post(address, {**data, f"{bows}-gone": "destroyed"})
    second = {**sent(browser, address), f"{bows}-gone": "routed"}
    answer = browser.post(address, second)
    html = " ".join(answer.content.decode().split())
    assert answer.status_code == 400
    assert re.search(r"id=\"kind-loss\"\s+open>", html)
    assert "Retinue foot 2 was destroyed (entry 1). Replace that entry if it is wrong." in html
    assert f'name="replace" value="{bows}:1"> Replace entry 1</button>' in html.replace(
        '1">Replace', '1"> Replace'
    )
    assert browser.post(address, {**second, "replace": f"{bows}:1"}).status_code == 302
    assert [event.kind for event in battle.events.order_by("sequence")] == ["loss", "correction"]
    assert battle.events.get(sequence=2).data["data"]["gone"] == "routed"


def test_board_shows_the_dead_and_rows_get_the_turn(
    browsers: Clients, begun: Battle, alice: User
) -> None:
    address = reverse("battles:sheet", args=[begun.pk])
    assert "data-dead" not in browsers.alice.get(address).content.decode()
    jussac, hans, veit = (named(name) for name in ("Jussac", "Hans", "Veit"))
    turn = NewEvent(uuid4(), "turn", {"light": True}, 1)
    events = [turn, wound(jussac, hans, "critical"), wound(jussac, veit, "light")]
    log_events(battle_id=begun.pk, events=events, user=alice)
    html = browsers.alice.get(address).content.decode()
    buttons = dict(re.findall(r'data-fighter="([^"]+)"(.*?)</button>', html, re.DOTALL))
    assert "data-dead" in buttons[str(hans.pk)] and "dead" in buttons[str(hans.pk)]
    assert "data-dead" not in buttons[str(veit.pk)] and "Light" in buttons[str(veit.pk)]
    row = {f"wound-0-{key}": value for key, value in wound(veit, jussac).data.items()}
    hidden = {"rows_wound": "1", "wound-0-client_id": str(uuid4())}
    assert browsers.alice.post(address, {**hidden, **row}).status_code == 302
    assert begun.events.order_by("sequence").last().turn == 1


def test_a_scanned_sheet_of_a_confirmed_battle_leads_to_its_page(
    browsers: Clients, confirmed: Battle
) -> None:
    answer = browsers.alice.get(reverse("battles:sheet", args=[confirmed.pk]), follow=True)
    page = reverse("battles:battle", args=[confirmed.pk])
    assert [where for where, _ in answer.redirect_chain] == [page]
    assert "any more." in answer.content.decode()
