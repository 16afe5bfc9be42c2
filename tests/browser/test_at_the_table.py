"""A battle logged at the table on a phone: two turns by taps, with and without JavaScript, and two
phones at once."""

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Locator, Page, expect

from battles.models import Battle, BattleEvent
from campaigns.models import Campaign
from tests.browser.conftest import PHONE, Phone
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
    club = world.club_of(alice, players=[bob])
    campaign: Campaign = world.campaign_of(club, alice, guards, haufen)
    return world.begun_battle(alice, campaign, guards, haufen)


def settled(page: Page) -> None:
    """Wait until the tapped action is in the log and the page is fully loaded."""
    expect(page.locator("body[aria-busy]")).to_have_count(0)
    page.wait_for_load_state()


def now(page: Page) -> Locator:
    settled(page)
    return page.get_by_role("region", name="Now")


def offered(page: Page) -> Locator:
    """Return what can be done now: the offers of the panel and of the bar."""
    settled(page)
    return page.locator("#now, .table-bar")


def tap(page: Page, button: str) -> None:
    """Tap the button of what is due."""
    offered(page).get_by_role("button", name=re.compile(f"^{button}")).first.click()


def pick(page: Page, name: str, action: str) -> None:
    """Tap a fighter, then an action."""
    settled(page)
    page.get_by_role("region", name="Both sides").get_by_role(
        "link", name=re.compile(f"^{name}\\b")
    ).first.click()
    now(page).get_by_role("link", name=re.compile(f"^{action}")).first.click()


def send(page: Page) -> None:
    page.get_by_role("contentinfo").get_by_role(
        "button", name=re.compile("(Roll and save|Save entry|Save choice)$")
    ).click()


def unfold(page: Page, locator: Locator) -> Locator:
    """Return something that is due; open "Other actions" if it is in there."""
    if not locator.count():
        page.locator("#something-else > summary").click()
    return locator


def begin_turn(page: Page, number: int) -> None:
    begin = offered(page).get_by_role("button", name=re.compile("^Start turn(?!.*casualties only)"))
    unfold(page, begin).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"Turn {number}")
    expect(now(page)).to_contain_text("has Priority")
    # Bob's side lets its moves go, so that Alice's may act whoever has Priority.
    offered(page).get_by_role("button", name=re.compile(r"^Pass.*Der schwarze Haufen")).click()


def move_into_contact(page: Page, fighter: str, foe: str) -> None:
    pick(page, fighter, "Move")
    now(page).get_by_label("Inches", exact=False).first.fill("3")
    now(page).get_by_role("checkbox", name=foe).check()
    send(page)
    expect(now(page)).to_contain_text(f"{fighter} moves 3″ into contact with {foe}")


def fight_on(page: Page) -> None:
    """Fight blow by blow until the combat is over. Muster passes automatically."""
    for _ in range(30):
        or_else = page.get_by_role("contentinfo").get_by_role(
            "link", name=re.compile("^Other options")
        )
        settled(page)
        if not (or_else.count() and page.get_by_role("heading", name="Current combat").count()):
            return
        or_else.click()
        now(page).get_by_role("link", name=re.compile("^Attack")).click()
        expect(now(page)).to_contain_text("You can enter their choices too.")
        send(page)
    raise AssertionError("the combat never ends")


def fight_whole_round(page: Page) -> None:
    """Fight a combat on one form, for both players."""
    unfold(
        page,
        offered(page).get_by_role("link", name=re.compile("^(Start combat|Fight step by step)")),
    ).click()
    narrow_enough(page)
    expect(now(page)).to_contain_text("You can enter their choices too.")
    now(page).get_by_role("radio", name="2 Attack, 1 Defence").first.check()
    now(page).get_by_role("radio", name="2 Attack, 1 Defence").last.check()
    send(page)
    expect(now(page)).to_contain_text("Order of initiative")
    expect(page.get_by_role("heading", name="Current combat")).to_have_count(0)


def fight_blow_by_blow(page: Page) -> None:
    """Fight the same combat with a page for each blow, and the counters of both on one phone."""
    pick(page, "Jussac", "Fight step by step")
    narrow_enough(page)
    now(page).get_by_role("link", name=re.compile("^Sharing one phone")).click()
    now(page).get_by_role("radio", name="2 Attack, 1 Defence").first.check()
    now(page).get_by_role("radio", name="2 Attack, 1 Defence").last.check()
    send(page)
    expect(now(page)).to_contain_text("Order of initiative")
    fight_on(page)


def end_phase(page: Page) -> None:
    """Roll for everything that is due before the next turn."""
    for _ in range(30):
        roll = offered(page).get_by_role("button", name=re.compile("^Roll"))
        if not roll.count():
            return
        roll.first.click()
    raise AssertionError("the End Phase never ends")


def narrow_enough(page: Page) -> None:
    page.wait_for_load_state()
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= PHONE["width"], f"{wide} pixels wide"


def play_two_turns(page: Page, battle: Battle, fight: Callable[[Page], None]) -> None:
    begin_turn(page, 1)
    move_into_contact(page, "Jussac", "Hans")
    narrow_enough(page)
    fight(page)
    end_phase(page)
    begin_turn(page, 2)
    pick(page, "Le Rat", "Rest")
    send(page)
    expect(now(page)).to_contain_text("Le Rat rests")
    narrow_enough(page)
    kinds = [event.kind for event in BattleEvent.objects.filter(battle=battle).order_by("sequence")]
    assert kinds[:5] == ["turn", "priority", "done", "move", "combat"] and kinds.count("turn") == 2
    assert "attack" in kinds and kinds[-1] == "action"


def test_two_turns_are_played_on_a_phone(table_phone: Phone, battle: Battle) -> None:
    page = table_phone("alice")
    play_two_turns(page, battle, fight_whole_round)
    page.reload()
    expect(now(page)).to_contain_text("Le Rat rests")
    tap(page, "Undo")
    expect(page.get_by_text("Entry undone. The log still shows it.")).to_be_visible()


def test_two_turns_are_played_without_javascript(table_phone: Phone, battle: Battle) -> None:
    play_two_turns(table_phone("alice", java_script_enabled=False), battle, fight_blow_by_blow)


def test_keyboard_reaches_the_bar_before_the_board(table_phone: Phone, battle: Battle) -> None:
    page = table_phone("alice")
    settled(page)
    focused = "document.activeElement.closest('footer.table-bar') !== null"
    presses = 0
    while not page.evaluate(focused):
        page.keyboard.press("Tab")
        presses += 1
        assert presses <= 4
    bar, board = page.get_by_role("contentinfo"), page.get_by_role("region", name="Both sides")
    bar_box, board_box = bar.bounding_box(), board.bounding_box()
    assert bar_box and board_box and bar_box["y"] > board_box["y"], "it is still at the bottom"


def test_what_the_rules_forbid_is_overruled_with_a_reason(
    table_phone: Phone, battle: Battle
) -> None:
    page = table_phone("alice")
    begin_turn(page, 1)
    move_into_contact(page, "Jussac", "Hans")
    pick(page, "Jussac", "Move")
    send(page)
    refusal = page.get_by_role("alert")
    expect(refusal).to_contain_text("has already acted this turn")
    expect(refusal.get_by_role("link").first).to_have_attribute(
        "href", re.compile("^/rulesets/en-garde/#")
    )
    page.get_by_label("Override the rules. Reason").fill("We agreed on it")
    page.get_by_role("button", name="Save anyway").click()
    expect(now(page)).to_contain_text("overruled: We agreed on it")


def test_each_player_chooses_counters_on_a_phone_of_his_own(
    table_phone: Phone, battle: Battle
) -> None:
    alice, bob = table_phone("alice"), table_phone("bob")
    begin_turn(alice, 1)
    move_into_contact(alice, "Jussac", "Hans")
    for page, mine in ((alice, "2 Attack, 1 Defence"), (bob, "0 Attack, 3 Defence")):
        page.goto(f"/battles/{battle.pk}/table/")
        pick(page, "Jussac", "Fight step by step")
        assert now(page).get_by_role("radio").count() == 4, "only one's own counters are asked for"
        now(page).get_by_role("radio", name=mine).check()
        send(page)
    expect(now(bob)).to_contain_text(
        "Jussac (2 Attack, 1 Defence) against Hans (0 Attack, 3 Defence)"
    )
    expect(alice.get_by_role("heading", name="Current combat")).to_be_visible()


def test_two_phones_follow_each_other_and_lose_nothing_that_is_filled_in(
    table_phone: Phone, battle: Battle
) -> None:
    bob, alice = table_phone("bob"), table_phone("alice")
    bob.goto(f"/battles/{battle.pk}/table/?do=note")
    bob.locator("#action [name=text]").fill("It rains")
    begin_turn(alice, 1)
    expect(bob.get_by_role("heading", level=1)).to_contain_text("Turn 1")
    expect(bob.locator("#gone-on")).to_contain_text("New entries since you started: ")
    expect(bob.locator("body")).to_have_attribute("data-entries", "3")
    expect(bob.locator("#action [name=text]")).to_have_value("It rains")
    settled(alice)
    token = alice.get_by_role("region", name="Both sides").get_by_role(
        "link", name=re.compile("^Jussac")
    )
    token.focus()
    alice.evaluate("document.querySelector('#something-else').open = true")
    send(bob)
    expect(now(bob)).to_contain_text("It rains")
    expect(alice.locator("#happened")).to_contain_text("It rains")
    expect(alice.locator("#feed")).to_contain_text("It rains")
    expect(token).to_be_focused()
    expect(alice.locator("#something-else")).to_have_attribute("open", "")
    assert BattleEvent.objects.filter(battle=battle, kind="note").count() == 1
