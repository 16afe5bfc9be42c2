"""The taps on a phone that each kind of step in a fully logged battle of En Garde! takes."""

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Locator, expect

from battles.models import Battle, BattleEvent
from campaigns.models import Campaign
from tests.browser.conftest import Phone
from tests.browser.hands import Hand
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


class Finger(Hand):
    """A finger on Alice's phone, which shows the live log."""

    def tap(self, what: Locator) -> None:
        """Tap an element, and wait for the result."""
        self.press(what)
        self.settle()

    def settle(self) -> None:
        """Wait until the tapped action is in the log."""
        expect(self.page.locator("body[aria-busy]")).to_have_count(0)
        self.page.wait_for_load_state()

    @property
    def bar(self) -> Locator:
        """The bar at the bottom of the page."""
        return self.page.get_by_role("contentinfo")

    @property
    def now(self) -> Locator:
        """The panel."""
        return self.page.get_by_role("region", name="Now")

    def button(self, words: str) -> Locator:
        """Return a button of the panel or of the bar."""
        return (
            self.page.locator("#now, .table-bar")
            .get_by_role("button", name=re.compile(words))
            .first
        )

    def link(self, words: str) -> Locator:
        """Return a link of the panel or of the bar."""
        return (
            self.page.locator("#now, .table-bar").get_by_role("link", name=re.compile(words)).first
        )

    def fighter(self, name: str) -> Locator:
        """Return a fighter on the board."""
        board = self.page.get_by_role("region", name="Both sides")
        return board.get_by_role("link", name=re.compile(f"^{name}\\b")).first

    def log(self) -> None:
        """Submit the form."""
        self.tap(
            self.bar.get_by_role(
                "button",
                name=re.compile("(Roll and save|Save entry|Save entries|Save \\d+ entries)$"),
            )
        )


@pytest.fixture
def finger(table_phone: Phone) -> Finger:
    """Return a finger on Alice's phone."""
    return Finger(table_phone("alice"))


def kinds(battle: Battle) -> list[str]:
    return [
        *BattleEvent.objects.filter(battle=battle)
        .order_by("sequence")
        .values_list("kind", flat=True)
    ]


def charge_one_by_one(finger: Finger, name: str, foe: str) -> None:
    finger.tap(finger.fighter(name))
    finger.tap(finger.link("^Move"))
    finger.press(finger.now.get_by_role("checkbox", name=foe))
    finger.log()


def charge_together(finger: Finger, side: str, **foes: str) -> None:
    finger.tap(finger.link(f"^{side}: enter moves and charges"))
    for name, foe in foes.items():
        fold = finger.now.locator("details", has=finger.page.locator("summary", has_text=name))
        finger.press(fold.locator("summary"))
        finger.press(fold.get_by_role("checkbox", name=foe))
    finger.log()


def test_steps_of_a_battle_take_few_taps(finger: Finger, battle: Battle) -> None:
    taps: dict[str, int] = {}

    def step(name: str, *does: Callable[[], None]) -> None:
        for each in does:
            each()
        taps[name] = finger.so_far()

    step("both minor objectives", lambda: finger.tap(finger.button("^Roll: both sides")))
    step(
        "a quiet turn",
        lambda: finger.tap(finger.button("^Start turn(?!.*casualties only)")),
        lambda: finger.tap(finger.button("^Pass: both")),
    )
    assert kinds(battle) == ["minor_objective"] * 2 + ["turn", "priority", "done", "done"]
    step(
        "the start of a turn", lambda: finger.tap(finger.button("^Start turn(?!.*casualties only)"))
    )
    step(
        "a whole side moves", lambda: finger.tap(finger.button("^Der schwarze Haufen: all 4 move"))
    )
    assert kinds(battle)[-4:] == ["move"] * 4
    step(
        "two charges",
        lambda: charge_together(finger, "Compagnie du Cardinal", Jussac="Hans", Cahusac="Veit"),
    )
    step("a charge", lambda: charge_one_by_one(finger, "Le Rat", "Kunz"))
    finger.tap(finger.button("^Pass.*Compagnie"))
    finger.so_far()
    expect(finger.bar).to_contain_text(re.compile("has Priority and picks a combat"))
    step("a combat of two", lambda: finger.tap(finger.link("^Start combat")), finger.log)
    while finger.link("^Start combat").count():
        finger.tap(finger.link("^Start combat"))
        finger.log()
    assert kinds(battle).count("combat") == 3 and "attack" in kinds(battle)
    assert (
        BattleEvent.objects.filter(battle=battle, kind="combat", data__has_key="overruled").count()
        == 0
    )
    assert taps == {
        "both minor objectives": 1,
        "a quiet turn": 2,
        "the start of a turn": 1,
        "a whole side moves": 1,
        "two charges": 6,
        "a charge": 4,
        "a combat of two": 2,
    }


def test_combat_of_three_takes_two_taps(finger: Finger, battle: Battle) -> None:
    finger.tap(finger.button("^Roll: both sides"))
    finger.tap(finger.button("^Start turn(?!.*casualties only)"))
    charge_together(finger, "Compagnie du Cardinal", Jussac="Hans", Cahusac="Hans")
    finger.tap(finger.button("^Pass: both"))
    finger.so_far()
    finger.tap(finger.link("^Start combat"))
    expect(finger.now).to_contain_text("You can enter their choices too.")
    finger.log()
    assert finger.so_far() == 2 and kinds(battle).count("combat") == 1
    expect(finger.now).to_contain_text("Order of initiative")
    expect(finger.page.locator("h1")).to_contain_text("Turn 1")
