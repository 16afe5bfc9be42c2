"""The light way at the table: casualties by three taps, turns by one, and what is owed offered and
not demanded."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from battles.models import Battle, BattleEvent
from battles.services.logbook import NewEvent, log_events
from tests.pages.conftest import Clients
from tests.pages.markup import faults
from tests.pages.world import named

pytestmark = pytest.mark.one_database


def table(battle: Battle) -> str:
    return reverse("battles:table", args=[battle.pk])


def who(name: str) -> str:
    return str(named(name).pk)


def post(browser: Client, battle: Battle, do: str, **kwargs: Any) -> Any:
    """Submit a form of the live log with the current version."""
    hidden = {"client_id": str(uuid4()), "version": Battle.objects.get(pk=battle.pk).version}
    return browser.post(f"{table(battle)}?do={do}", {**hidden, **kwargs})


def tap(
    browser: Client, battle: Battle, victim: str, result: str, by: str = "", **more: Any
) -> Any:
    kwargs = {"tap_victim": who(victim), "tap_result": result, "tap_by": by and who(by), **more}
    return post(browser, battle, "casualty", **kwargs)


def newest(battle: Battle) -> BattleEvent:
    return battle.events.order_by("-sequence")[0]


@pytest.fixture
def light(begun: Battle, browsers: Clients) -> Battle:
    """Return a light battle in turn 1."""
    assert post(browsers.alice, begun, "light-turn").status_code == 302
    return begun


def test_battle_can_begin_in_either_way(browsers: Clients, begun: Battle) -> None:
    html = browsers.alice.get(table(begun)).content.decode()
    assert "do=light-turn" in html and "do=turn" in html and not list(faults(html))


def test_light_turn_shows_the_board_and_the_next_turn(browsers: Clients, light: Battle) -> None:
    answer = browsers.alice.get(table(light))
    html = answer.content.decode()
    assert answer.context["page"].is_light and answer.context["casualty"] is not None
    assert (
        'name="tap_victim"' in html and "Start turn 2" in html and "Roll for Priority" not in html
    )
    assert not list(faults(html))


def test_casualty_takes_one_post_with_the_running_turn(browsers: Clients, light: Battle) -> None:
    answer = tap(browsers.bob, light, "Jussac", "wound.result.light", "Hans")
    assert answer["Location"] == f"{table(light)}?latest=2"
    event = newest(light)
    assert (event.kind, event.turn, event.data["result"]) == ("wound", 1, "light")
    assert (event.data["victim"], event.data["attacker"]) == (who("Jussac"), who("Hans"))
    html = browsers.bob.get(answer["Location"]).content.decode()
    assert "Hans struck Jussac: a Light wound" in html and 'id="undo-newest"' in html


def test_how_and_more_may_be_added(browsers: Clients, light: Battle) -> None:
    tap(
        browsers.alice,
        light,
        "Jussac",
        "wound.result.grievous",
        "Hans",
        means="shooting",
        weapon="musket",
    )
    assert newest(light).data | {"victim": "", "attacker": ""} == {
        "victim": "",
        "attacker": "",
        "result": "grievous",
        "means": "shooting",
        "weapon": "musket",
    }


def test_casualty_of_nobody_and_one_without_an_attacker(browsers: Clients, light: Battle) -> None:
    tap(browsers.alice, light, "Jussac", "wound.result.light", means="fall")
    assert "attacker" not in newest(light).data
    tap(browsers.alice, light, "Hans", "routed")
    assert (newest(light).kind, newest(light).data) == ("routed", {"fighter": who("Hans")})


def test_refusal_keeps_what_was_tapped_and_can_be_overruled(
    browsers: Clients, light: Battle
) -> None:
    answer = tap(browsers.alice, light, "Jussac", "captured", "Hans")
    html = answer.content.decode()
    assert answer.status_code == 400 and "unconscious" in html and 'name="overruled"' in html
    assert re.search(rf'value="{who("Jussac")}" required\s+checked', html) and not list(
        faults(html)
    )
    assert (
        tap(browsers.alice, light, "Jussac", "captured", "Hans", overruled="Agreed").status_code
        == 302
    )
    assert newest(light).data["fighter"] == who("Jussac")


def test_tapping_a_victim_alone_says_what_is_missing(browsers: Clients, light: Battle) -> None:
    answer = post(browsers.alice, light, "casualty", tap_victim=who("Jussac"))
    assert answer.status_code == 400 and "Choose what happened." in answer.content.decode()
    assert post(browsers.alice, light, "casualty").status_code == 400


def test_double_tap_logs_one_casualty(browsers: Clients, light: Battle) -> None:
    kwargs = {"client_id": str(uuid4()), "version": Battle.objects.get(pk=light.pk).version}
    first, again = (
        tap(browsers.alice, light, "Jussac", "wound.result.light", "Hans", **kwargs)
        for _ in range(2)
    )
    assert first["Location"] == again["Location"]
    assert light.events.filter(kind="wound").count() == 1


def test_two_phones_do_not_log_the_same_casualty_blindly(browsers: Clients, light: Battle) -> None:
    seen = Battle.objects.get(pk=light.pk).version
    tap(browsers.alice, light, "Jussac", "wound.result.light", "Hans")
    answer = tap(browsers.bob, light, "Jussac", "wound.result.light", "Hans", version=seen)
    assert (
        answer.status_code == 409 and "Someone else saved an entry first" in answer.content.decode()
    )
    assert light.events.filter(kind="wound").count() == 1


def test_second_killer_can_replace_the_first_in_one_press(browsers: Clients, light: Battle) -> None:
    tap(browsers.alice, light, "Jussac", "wound.result.critical", "Hans")
    answer = tap(browsers.bob, light, "Jussac", "wound.result.critical", "Veit")
    html = answer.content.decode()
    assert answer.status_code == 400 and "Jussac was killed by Hans" in html and "(entry 2)" in html
    assert re.search(r'name="replaces"\s+value="2">Replace entry<', html) and not list(faults(html))
    assert (
        re.search(rf'name="tap_by" value="{who("Veit")}"', html) and 'name="overruled"' not in html
    )
    kwargs = {
        "client_id": str(uuid4()),
        "version": Battle.objects.get(pk=light.pk).version,
        "replaces": "2",
    }
    for _ in range(2):
        answer = tap(browsers.bob, light, "Jussac", "wound.result.critical", "Veit", **kwargs)
        assert answer.status_code == 302
    assert "Veit struck Jussac" in browsers.bob.get(answer["Location"]).content.decode()
    assert [event.kind for event in light.events.order_by("sequence")] == [
        "turn",
        "wound",
        "correction",
    ]
    assert newest(light).data["event"] == 2 and newest(light).data["data"]["attacker"] == who(
        "Veit"
    )


def test_morale_is_offered_and_holds_nothing_up(browsers: Clients, light: Battle) -> None:
    for victim in ("Hans", "Veit"):
        tap(browsers.alice, light, victim, "wound.result.critical", "Jussac")
    assert post(browsers.alice, light, "light-turn").status_code == 302
    page = browsers.alice.get(table(light)).context["page"]
    assert [(due.do, due.who) for due in page.owed] == [("morale", "b")]
    assert post(browsers.alice, light, "light-turn").status_code == 302
    assert newest(light).kind == "turn"


def test_full_turn_follows_a_light_one_and_a_casualty_fits_into_it(
    browsers: Clients, light: Battle
) -> None:
    assert post(browsers.alice, light, "turn").status_code == 302
    answer = browsers.alice.get(table(light))
    assert not answer.context["page"].is_light and "Roll for Priority" in answer.content.decode()
    assert 'name="tap_victim"' not in answer.content.decode()
    assert 'name="tap_victim"' in browsers.alice.get(f"{table(light)}?do=casualty").content.decode()
    assert tap(browsers.alice, light, "Hans", "wound.result.critical", "Jussac").status_code == 302
    assert newest(light).turn == 2


def test_readers_and_strangers_get_no_board(browsers: Clients, light: Battle) -> None:
    assert 'name="tap_victim"' not in browsers.dora.get(table(light)).content.decode()
    before = light.events.count()
    assert tap(browsers.dora, light, "Jussac", "wound.result.light", "Hans").status_code == 403
    assert tap(browsers.charlie, light, "Jussac", "wound.result.light", "Hans").status_code == 404
    assert tap(Client(), light, "Jussac", "wound.result.light", "Hans").status_code == 302
    assert light.events.count() == before


def test_odd_taps_are_answered(browsers: Clients, light: Battle) -> None:
    for kwargs in (
        {"tap_victim": "nobody"},
        {"tap_victim": who("Jussac"), "tap_result": "x"},
        {"tap_by": "\x00"},
    ):
        assert post(browsers.alice, light, "casualty", **kwargs).status_code == 400


def test_light_battle_is_confirmed_with_experience_deeds_and_turns(
    browsers: Clients, light: Battle, alice: User
) -> None:
    tap(browsers.alice, light, "Hans", "wound.result.critical", "Jussac")
    post(browsers.alice, light, "light-turn")
    tap(browsers.alice, light, "Le Rat", "wound.result.light", "Kunz")
    events = [NewEvent(uuid4(), "ended", {"how": "agreed"})]
    log_events(battle_id=light.pk, events=events, user=alice)
    for browser, step, data in (
        (browsers.alice, "submit", {}),
        (browsers.bob, "confirm", {"side": "b"}),
    ):
        version = Battle.objects.get(pk=light.pk).version
        assert (
            browser.post(
                reverse(f"battles:{step}", args=[light.pk]), {"version": version, **data}
            ).status_code
            == 302
        )
    battle = Battle.objects.get(pk=light.pk)
    assert (battle.state, named("Hans").fate) == ("confirmed", "dead")
    assert named("Jussac").experience > 0
    html = browsers.alice.get(reverse("battles:battle", args=[light.pk])).content.decode()
    assert "Turn 2" in html and "Jussac" in html
