"""Off line at the table: the service worker, what may be kept, what the queue is answered, what is
logged by hand."""

import json
import re
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from battles.models import Battle
from battles.services.logbook import NewEvent, log_events
from battles.services.review import submit_battle
from core import site_pages
from tests.pages.conftest import Clients
from tests.pages.markup import faults
from tests.pages.world import named

pytestmark = pytest.mark.one_database


def note(battle: Battle, user: User, text: str) -> None:
    log_events(battle_id=battle.pk, events=[NewEvent(uuid4(), "note", {"text": text})], user=user)


def points(battle: Battle, user: User) -> None:
    """Log one victory point for the first side, which matters to entries after it."""
    data = {"side": "a", "amount": 1, "reason": "The bridge burns"}
    log_events(battle_id=battle.pk, events=[NewEvent(uuid4(), "points", data)], user=user)


def version_of(battle: Battle) -> int:
    return Battle.objects.get(pk=battle.pk).version


def send(browser: Client, battle: Battle, writer: User, kind: str = "note", **kwargs: Any) -> Any:
    """Send an entry like the queue of a phone does."""
    address = f"{reverse('battles:by-hand', args=[battle.pk])}?kind={kind}"
    hidden = {"client_id": str(uuid4()), "version": version_of(battle)}
    return browser.post(address, {**hidden, **kwargs}, headers={"Muster-Writer": str(writer.pk)})


# What a device keeps


def test_the_worker_is_served_for_the_whole_site_and_never_kept_by_the_browser(
    client: Client,
) -> None:
    answer = client.get("/service-worker.js")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/javascript; charset=utf-8")
    assert (answer["Cache-Control"], answer["Service-Worker-Allowed"]) == ("no-cache", "/")
    assert "worker-src 'self'" in answer["Content-Security-Policy"]
    match = re.search(r"const KNOWN = (.*);", answer.content.decode())
    data = json.loads(match[1]) if match else {}
    assert data["version"] == site_pages.files_version()
    assert {"/static/site/js/offline.js", "/static/site/css/tokens.css"} <= {*data["files"]}
    assert client.get(data["offLine"]).status_code == 200
    assert not [file for file in data["files"] if client.get(file).status_code != 200]


def test_other_content_of_a_file_is_another_version(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    before = site_pages.files_version()
    changed = tmp_path / "tokens.css"
    changed.write_text("/* an upgrade */")
    monkeypatch.setattr(site_pages, "find", lambda name: str(changed))
    site_pages.files_version.cache_clear()
    try:
        assert site_pages.files_version() != before
    finally:
        site_pages.files_version.cache_clear()


def test_the_page_without_a_network_names_nobody(browsers: Clients) -> None:
    page = browsers.alice.get("/off-line/")
    assert [*faults(page.content.decode())] == [] and "alice" not in page.content.decode()


def test_live_log_pages_are_kept_for_signed_in_users(
    browsers: Clients, begun: Battle, alice: User, client: Client
) -> None:
    table, by_hand = (reverse(f"battles:{name}", args=[begun.pk]) for name in ("table", "by-hand"))
    for page in (browsers.alice.get(table), browsers.alice.get(by_hand)):
        assert (page["Muster-Reader"], page["Muster-Version"]) == (
            str(alice.pk),
            site_pages.files_version(),
        )
    for page in (
        browsers.alice.get(reverse("battles:battle", args=[begun.pk])),
        browsers.alice.get("/"),
    ):
        assert "Muster-Reader" not in page
    assert "Muster-Reader" not in client.get(table)


# What the queue is answered


def test_an_entry_that_is_sent_twice_is_answered_as_at_first_and_logged_once(
    browsers: Clients, begun: Battle, alice: User, bob: User
) -> None:
    kwargs: dict[str, Any] = {
        "client_id": str(uuid4()),
        "version": version_of(begun),
        "text": "It rains",
    }
    first = send(browsers.alice, begun, alice, **kwargs).json()
    note(begun, bob, "Of the other phone")
    again = send(browsers.alice, begun, alice, **kwargs)
    assert again.status_code == 200 and again.json() == first
    assert first["sequence"] == 1 and first["address"].endswith("?latest=1")
    assert [event.data["text"] for event in begun.events.order_by("sequence")] == [
        "It rains",
        "Of the other phone",
    ]


def test_queue_stops_at_newer_entries_of_others(
    browsers: Clients, begun: Battle, alice: User, bob: User
) -> None:
    seen = version_of(begun)
    points(begun, bob)
    answer = send(browsers.alice, begun, alice, version=seen, text="It rains")
    assert (answer.status_code, answer.json()["code"], answer.json()["problems"]) == (
        409,
        "gone-on",
        [],
    )
    (newer,) = answer.json()["since"]
    assert "The bridge burns" in newer["sentence"] and newer["by"] == "bob"
    assert begun.events.count() == 1
    assert (
        send(
            browsers.alice, begun, alice, version=answer.json()["version"], text="It rains"
        ).status_code
        == 200
    )


def test_queue_is_not_stopped_by_notes_of_others(
    browsers: Clients, begun: Battle, alice: User, bob: User
) -> None:
    seen = version_of(begun)
    note(begun, bob, "Tea is ready")
    table = f"{reverse('battles:table', args=[begun.pk])}?do=turn"
    hidden = {"client_id": str(uuid4()), "version": seen}
    answer = browsers.alice.post(table, hidden, headers={"Muster-Writer": str(alice.pk)})
    assert answer.status_code == 200 and begun.events.filter(kind="turn").exists()
    note(begun, bob, "And cake")
    points(begun, bob)
    stale = send(browsers.alice, begun, alice, version=answer.json()["version"], text="It rains")
    assert (stale.status_code, stale.json()["code"]) == (409, "gone-on")
    by_hand = reverse("battles:by-hand", args=[begun.pk])
    seen = version_of(begun)
    note(begun, bob, "And biscuits")
    page = browsers.alice.post(
        f"{by_hand}?kind=note", {"client_id": str(uuid4()), "version": seen, "text": "Thanks"}
    )
    assert page.status_code == 409, "who is on line sees what is new first"


def test_what_the_rules_forbid_comes_with_its_rule_and_may_be_overruled(
    browsers: Clients, begun: Battle, alice: User
) -> None:
    jussac = str(named("Jussac").pk)
    begins = (
        NewEvent(uuid4(), "turn", {}, 1),
        NewEvent(uuid4(), "priority", {"rolls": [{"a": 6, "b": 1}]}, 1),
    )
    log_events(battle_id=begun.pk, events=begins, user=alice)
    assert send(browsers.alice, begun, alice, "move", fighter=jussac).status_code == 200
    answer = send(browsers.alice, begun, alice, "move", fighter=jussac)
    assert (answer.status_code, answer.json()["overrule"]) == (400, True)
    assert (
        "has already acted this turn" in answer.json()["problems"][0]["sentence"]
        and answer.json()["problems"][0]["rule"]
    )
    assert (
        send(browsers.alice, begun, alice, "move", fighter=jussac, overruled="Agreed").status_code
        == 200
    )
    newest = begun.events.order_by("sequence").last()
    assert newest is not None and (newest.turn, newest.data["overruled"]) == (1, "Agreed")


def test_invalid_field_is_named(browsers: Clients, begun: Battle, alice: User) -> None:
    answer = send(browsers.alice, begun, alice, text="")
    assert answer.status_code == 400 and answer.json()["problems"][0]["sentence"].startswith(
        "Text: "
    )


def test_nobody_sends_what_somebody_else_typed(
    browsers: Clients, begun: Battle, alice: User, bob: User, client: Client, charlie: User
) -> None:
    assert send(client, begun, alice, text="It rains").status_code == 401
    assert send(browsers.bob, begun, alice, text="It rains").status_code == 401
    stranger = send(browsers.charlie, begun, charlie, text="It rains")
    assert (stranger.status_code, stranger.json()["code"]) == (403, "not-yours")
    assert not begun.events.exists()


def test_the_table_answers_the_queue_as_well(
    browsers: Clients, begun: Battle, alice: User, bob: User
) -> None:
    address, seen = f"{reverse('battles:table', args=[begun.pk])}?do=turn", version_of(begun)
    hidden: dict[str, Any] = {"client_id": str(uuid4()), "version": seen}
    headers = {"Muster-Writer": str(alice.pk)}
    first = browsers.alice.post(address, hidden, headers=headers)
    assert (
        first.status_code == 200
        and first.json() == browsers.alice.post(address, hidden, headers=headers).json()
    )
    late = browsers.bob.post(
        address, {**hidden, "client_id": str(uuid4())}, headers={"Muster-Writer": str(bob.pk)}
    )
    assert (late.status_code, late.json()["code"]) == (409, "gone-on")
    assert [each["by"] for each in late.json()["since"]] == [
        "alice"
    ] * 2 and begun.events.count() == 2
    gone = {"client_id": str(uuid4()), "version": version_of(begun)}
    never = browsers.alice.post(address.replace("=turn", "=reload"), gone, headers=headers)
    assert (
        never.status_code == 409
        and "Someone else saved an entry first" in never.json()["problems"][0]["sentence"]
    )


def test_a_battle_that_is_over_takes_nothing_from_the_queue(
    browsers: Clients, begun: Battle, alice: User
) -> None:
    note(begun, alice, "The end")
    submit_battle(battle_id=begun.pk, user=alice)
    answer = send(browsers.alice, begun, alice, text="It rains")
    assert (answer.status_code, answer.json()["code"]) == (409, "not-open")


# By hand


def test_the_page_by_hand_takes_the_same_queries_however_long_the_log(
    browsers: Clients, begun: Battle, alice: User
) -> None:
    address = reverse("battles:by-hand", args=[begun.pk])

    def taken() -> int:
        browsers.alice.get(address)  # The number in the header is counted once and kept.
        with CaptureQueriesContext(connection) as seen:
            assert browsers.alice.get(address).status_code == 200
        return len(seen)

    some = taken()
    events = [NewEvent(uuid4(), "note", {"text": f"Note {place}"}) for place in range(20)]
    log_events(battle_id=begun.pk, events=events, user=alice)
    assert taken() == some <= 7, "one is for the play, whose groups can be chosen"


def test_everything_that_a_log_takes_is_logged_by_hand_without_a_script(
    browsers: Clients, begun: Battle
) -> None:
    address = reverse("battles:by-hand", args=[begun.pk])
    page = browsers.alice.get(address)
    assert [*faults(page.content.decode())] == []
    assert {entry.action.key for _, group in page.context["groups"] for entry, _ in group} > {
        "note",
        "move",
        "shot",
        "wound",
        "turn",
    }
    hidden: dict[str, Any] = {"client_id": str(uuid4()), "version": version_of(begun)}
    done: Any = browsers.alice.post(f"{address}?kind=turn", hidden)
    assert (
        done.status_code == 302 and done.url.endswith("?latest=1") and begun.events.get().turn == 1
    )
    refused = browsers.alice.post(
        f"{address}?kind=note", {**hidden, "client_id": str(uuid4()), "text": "Too late"}
    )
    assert refused.status_code == 409 and "Too late" in refused.content.decode()
    assert browsers.alice.post(f"{address}?kind=correction", hidden).status_code == 404
    assert UUID(hidden["client_id"]) == begun.events.get().client_id
