"""A battle continues without a network: entries wait on the phone, arrive once and in order, and
conflicts are resolved."""

import re
from itertools import groupby
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, JsonResponse
from playwright.sync_api import Page, expect

from battles.models import Battle, BattleEvent
from battles.services.logbook import NewEvent, log_events
from battles.views import all_events
from battles.views.offline_queue import logged
from core import site_pages
from tests.browser.conftest import Phone, table_of
from tests.live import PATIENCE, eventually
from tests.pages import world

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.one_database,
]


@pytest.fixture
def battle(alice: User, bob: User) -> Battle:
    """Return a battle in progress: Alice's guards against Bob's Landsknechts."""
    guards, haufen = world.guards(alice), world.landsknechts(bob)
    campaign = world.campaign_of(world.club_of(alice, players=[bob]), alice, guards, haufen)
    return world.begun_battle(alice, campaign, guards, haufen)


@pytest.fixture
def ready_phone(phone: Phone, battle: Battle) -> Phone:
    """Return a function that opens a phone with everything it needs to work offline."""

    def sign_in(name: str) -> Page:
        page = phone(name, at=f"{table_of(battle)}by-hand/")
        keeps(page, f"{table_of(battle)}by-hand/")
        keeps(page, table_of(battle))
        return page

    return sign_in


def keeps(page: Page, path: str) -> None:
    eventually(lambda: page.evaluate("path => caches.match(path).then(Boolean)", path))


def log_note(page: Page, text: str) -> None:
    """Log a note by hand."""
    kind = page.locator("#kind-note")
    if kind.get_attribute("open") is None:
        kind.locator("summary").first.click()
    kind.get_by_label("Text").fill(text)
    kind.get_by_role("button", name="Save entry").click()
    expect(kind).not_to_have_attribute("open", "")


def notes(battle: Battle) -> list[str]:
    return [event.data["text"] for event in battle.events.filter(kind="note").order_by("sequence")]


def entries(page: Page) -> Any:
    return page.locator("#unsent-list ol > li")


def test_thirty_entries_typed_off_line_arrive_once_and_in_order(
    ready_phone: Phone, battle: Battle, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, texts = ready_phone("alice"), [f"Entry {number}" for number in range(1, 31)]
    page.context.set_offline(True)
    for text in texts[:29]:
        log_note(page, text)
    page.reload()
    sign = page.get_by_role("status")
    expect(sign).to_contain_text("29 entries not sent yet")
    expect(page.get_by_text("The board does not include these entries yet.")).to_be_visible()
    expect(entries(page)).to_have_count(29)
    log_note(page, texts[29])
    expect(sign).to_contain_text("30 entries not sent yet")
    page.goto(f"/battles/{battle.pk}/table/")
    expect(page).to_have_title(re.compile("first\\s+turn"))
    assert not battle.events.exists()
    page.goto("/campaigns/")
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    page.goto(f"/battles/{battle.pk}/table/by-hand/")
    expect(entries(page)).to_have_count(30)
    # An answer that is lost on its way back, and three who may send: the page, a second tab, the
    # service worker.
    taken: list[BattleEvent] = []

    def lose_one(request: HttpRequest, battle: Battle, event: BattleEvent) -> HttpResponse:
        taken.append(event)
        return JsonResponse({}, status=502) if len(taken) == 3 else logged(request, battle, event)

    monkeypatch.setattr(all_events, "logged", lose_one)
    page.context.set_offline(False)
    page.context.new_page().goto(page.url)
    expect(entries(page)).to_have_count(0, timeout=PATIENCE * 1000)
    assert notes(battle) == texts
    # Whatever is answered too late for a page is sent again as well, and is not lost here either.
    sent = [event.data["text"] for event in taken]
    assert [text for text, _ in groupby(sent)] == texts and sent.count(texts[2]) > 1


def test_entries_of_another_phone_are_resolved_by_person(
    ready_phone: Phone, battle: Battle, alice: User, bob: User
) -> None:
    page = ready_phone("alice")
    page.context.set_offline(True)
    for text in ("Kept", "Changed", "Dropped"):
        log_note(page, text)
    expect(entries(page)).to_have_count(3)
    data = {"side": "b", "amount": 1, "reason": "Of Bob"}
    log_events(battle_id=battle.pk, events=[NewEvent(uuid4(), "points", data)], user=bob)
    page.context.set_offline(False)
    refusal = page.locator("#unsent-list").get_by_role("alert")
    expect(refusal).to_contain_text(re.compile("Of Bob.*, by bob"))
    expect(page.get_by_role("status")).to_contain_text("One entry was rejected.")
    assert not notes(battle)
    page.context.set_offline(True)
    entries(page).nth(2).get_by_role("button", name="Discard entry").first.click()
    entries(page).nth(2).get_by_role("button", name="Discard entry").last.click()
    expect(entries(page)).to_have_count(2)
    entries(page).nth(1).get_by_role("button", name="Edit entry").click()
    entries(page).nth(1).get_by_label("Text").fill("Changed, as agreed")
    entries(page).nth(1).get_by_role("button", name="Save changes").click()
    expect(entries(page).nth(1)).to_contain_text("Text: Changed, as agreed")
    page.context.set_offline(False)
    page.get_by_role("button", name="Send anyway").click()
    expect(page.get_by_role("status")).to_have_text("All entries sent.")
    assert notes(battle) == ["Kept", "Changed, as agreed"]


def tap(page: Page, name: str, kind: str, **values: str) -> None:
    """Tap a card of the board, or nothing for the table, then a kind of entry; fill in and save."""
    if name:
        page.locator("#board").get_by_role("link", name=re.compile(f"^{name}")).first.click()
    page.locator("#now").get_by_role("button", name=kind, exact=True).click()
    for label, value in values.items():
        page.locator("#action").get_by_label(label).first.fill(value)
    page.get_by_role("contentinfo").get_by_role("button", name="Save entry").click()
    expect(page.locator("#action")).to_have_count(0)


def test_board_records_two_turns_offline(
    ready_phone: Phone, battle: Battle, alice: User, bob: User
) -> None:
    page = ready_phone("alice")
    page.goto(table_of(battle))
    page.context.set_offline(True)
    dice = {"Die of Compagnie du Cardinal": "6", "Die of Der schwarze Haufen": "1"}
    for turn in (1, 2):
        tap(page, "", "Turn")
        expect(page.locator("#table-top")).to_contain_text(f"Turn {turn} not sent yet")
        tap(page, "", "Priority", **dice)
        tap(page, "Jussac", "Move")
        jussac = page.locator("a.token").filter(has_text="Jussac")
        expect(jussac.locator(".waits")).to_have_text("Move")
        tap(page, "Der schwarze Haufen", "Passes in the Move Phase")
        tap(page, "Compagnie du Cardinal", "Passes in the Move Phase")
    tap(page, "", "Note", Text="A slip")
    expect(page.locator("#unsent-list")).to_contain_text("Note: Text: A slip")
    page.get_by_role("button", name=re.compile("^Undo")).click()
    expect(page.get_by_role("status").first).to_contain_text("10 entries not sent yet")
    # The board survives a reload, and a fighter's own address opens the fighter.
    page.goto(f"{table_of(battle)}?who={world.named('Cahusac').pk}")
    expect(page.locator("#now").get_by_role("heading", name="Cahusac")).to_be_visible()
    page.get_by_role("button", name="Back to the live log").click()
    expect(page.locator("#table-top")).to_contain_text("Turn 2 not sent yet")
    log_events(
        battle_id=battle.pk, events=[NewEvent(uuid4(), "note", {"text": "Tea is ready"})], user=bob
    )
    page.context.set_offline(False)
    expect(page.locator("#unsent-list")).to_be_hidden(timeout=PATIENCE * 1000)
    expect(
        page.locator("#table-top").get_by_role("heading", name="Turn 2", exact=True)
    ).to_be_visible()
    kinds = ["turn", "priority", "move", "done", "done"]
    logged_events = list(battle.events.order_by("sequence"))
    assert [event.kind for event in logged_events] == ["note", *kinds, *kinds]
    assert [event.turn for event in logged_events[1:]] == [1] * 5 + [2] * 5
    assert logged_events[2].data["rolls"] == [{"a": 6, "b": 1}]


def test_an_upgrade_is_never_answered_with_what_was_kept_before(
    ready_phone: Phone, battle: Battle, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, address = ready_phone("alice"), f"/battles/{battle.pk}/table/by-hand/"
    names = "caches.keys().then(names => names.filter(name => name.startsWith('muster-')).sort())"
    before = page.evaluate(names)
    # Two upgrades in a row: the first worker takes nothing from the second.
    for version in ("between", "upgraded"):
        monkeypatch.setattr(site_pages, "files_version", lambda version=version: version)
        page.reload()
    expected = ["muster-files-upgraded", "muster-pages-upgraded"]

    def taken_over() -> bool:
        """At once, or with the next page where tools of developers are attached to the browser, as
        here. A browser looks for an upgrade once a page is left in peace: who loads the next one
        each second waits three minutes."""
        taken = bool(page.evaluate(names) == expected)
        if not taken:
            page.wait_for_timeout(4000)
            page.reload()
        return taken

    eventually(taken_over)
    assert expected != before
    keeps(page, address)
    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("heading", name="Manual entries")).to_be_visible()
    log_note(page, "After the upgrade")
    expect(page.get_by_role("status")).to_contain_text("1 entry not sent yet")
    page.context.set_offline(False)
    expect(page.get_by_role("status")).to_have_text("All entries sent.")
    assert notes(battle) == ["After the upgrade"]
    # Signed out, the device has nothing of the battle any more.
    page.goto("/accounts/logout/")
    page.get_by_role("main").get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()
    page.context.set_offline(True)
    page.goto(address)
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
