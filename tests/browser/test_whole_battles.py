"""A whole battle of each rule system in the live log: on two phones, by taps alone, from the plan to the printed report.

Accounts and warbands are there; everything after that is done on the page. How it is played is `table_player.py`.
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect

from battles.models import Battle
from documents.models import Document
from documents.services.rendering import render_document
from tests.browser.table_player import TablePlayer, Wish, follow
from tests.conftest import PASSWORD
from tests.documents.reading_pdfs import text
from tests.pages import world
from warbands.models import Warband
from warbands.services.mustering import muster_warband
from warbands.services.roster import NewFighter, recruit_fighters

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.one_database]

PHONE = {"width": 390, "height": 844}
PICTURES = os.environ.get("MUSTER_PICTURES", "")
Phone = Callable[[str], Page]


@pytest.fixture
def phone(browser: Browser, live_server: Any) -> Iterator[Phone]:
    """The phone of somebody who has signed in."""
    contexts = []

    def sign_in(name: str) -> Page:
        contexts.append(browser.new_context(base_url=live_server.url, viewport=PHONE, has_touch=True))
        page = contexts[-1].new_page()
        page.set_default_timeout(12000)
        page.goto("/accounts/login/")
        page.get_by_label("Name or e-mail address").fill(name)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        return page

    yield sign_in
    for n, context in enumerate(contexts):  # DEBUG
        context.pages[0].screenshot(path=f"/tmp/four/last{n}.png", full_page=True)
        Path(f"/tmp/four/last{n}.txt").write_text(context.pages[0].url + context.pages[0].inner_text("body"))
        Path(f"/tmp/four/last{n}.html").write_text(context.pages[0].content())
    for context in contexts:
        context.close()


def army(owner: User, ruleset: str, faction: str, name: str, fighters: Mapping[str, dict[str, Any]]) -> Warband:
    """Return a warband of these fighters."""
    warband = muster_warband(user=owner, ruleset=ruleset, faction=faction, name=name)
    recruits = [NewFighter(build=build, name=called) for called, build in fighters.items()]
    recruit_fighters(warband_id=warband.pk, fighters=recruits, user=owner)
    return Warband.objects.get(pk=warband.pk)


def go(page: Page, name: str, role: Any = "link") -> None:
    """Follow a link or press a button by its name, and wait for the page."""
    follow(page, page.get_by_role(role, name=re.compile(name)).first)


def plan(page: Page, system: str, scenario: str, foe: Warband) -> Battle:
    """Plan a one-off battle from the main menu."""
    go(page, "^Battles$")
    go(page, "Plan a one-off battle")
    go(page, f"^{re.escape(system)}$")
    go(page, f"^Play\\s+{scenario}$")
    page.get_by_role("radio", name=re.compile(f"^{foe.name}")).last.check()
    go(page, "^Plan it$", "button")
    expect(page.get_by_role("link", name=re.compile("^Field"))).to_be_visible()
    return Battle.objects.get()


def to_the_battle(page: Page) -> None:
    """Open the battle that waits on the home page."""
    go(page, "^Muster$")
    follow(page, page.get_by_role("main").locator("a[href^='/battles/']").first)


def field(page: Page, own: Warband) -> None:
    """Field everybody who is fit, from the home page of the own phone."""
    to_the_battle(page)
    if page.get_by_role("button", name=re.compile("^Field them")).count() == 0:
        go(page, f"^Field {own.name}")
    go(page, "^Field them", "button")
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Who takes the field?")


def begin(page: Page) -> None:
    """Begin the battle at the table; roll what is set up before, where there is anything."""
    to_the_battle(page)
    page.get_by_text("Begin the battle").click()
    go(page, "^At the table", "button")
    if page.get_by_role("button", name="Set it up").count():
        go(page, "^Set it up$", "button")
    if page.locator("#table").count() == 0:
        go(page, "At the table|Go on")
    expect(page.locator("#table")).to_be_visible()


def open_the_table(page: Page) -> None:
    """Open the live log of the battle that waits on the home page of the other phone."""
    to_the_battle(page)
    if page.locator("details.asks-how").count():
        page.locator("details.asks-how > summary").click()
    go(page, "^At the table$")
    expect(page.locator("#table")).to_be_visible()


def submit(page: Page) -> None:
    """Look at the result that was played, and submit it."""
    go(page, "^Check the result and submit it")
    go(page, "^Submit it$", "button")
    expect(page.get_by_text("Submitted. The other side confirms or disputes.")).to_be_visible()


def confirm(page: Page, own: Warband) -> None:
    """Confirm the result on the other phone, from its home page."""
    go(page, "^Leave")
    go(page, f"^Confirm for {own.name}", "button")
    expect(page.get_by_text("Confirmed.", exact=True)).to_be_visible()


def report(page: Page) -> str:
    """Ask for the printed report, let the printer do its work, and read what is downloaded."""
    go(page, "^PDF$")
    go(page, "^Make the PDF$", "button")
    expect(page.locator("#document")).to_be_visible()
    render_document(Document.objects.get().pk)
    download = page.locator("#document").get_by_role("link", name="Download")
    expect(download).to_be_visible()
    with page.expect_download() as file:
        download.click()
    return text(Path(file.value.path()).read_bytes())


def fight_it_out(
    phone: Phone, own: Warband, foe: Warband, system: str, scenario: str, wishes: tuple[Wish, ...], turns: int
) -> TablePlayer:
    """Play a battle from the plan to the printed report; return who played, with what was done and refused."""
    alice, bob = phone("alice"), phone("bob")
    battle = plan(alice, system, scenario, foe)
    field(alice, own)
    field(bob, foe)
    begin(alice)
    open_the_table(bob)
    folder = Path(PICTURES) / own.ruleset if PICTURES else None
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    player = TablePlayer({own.name: alice, foe.name: bob}, wishes, seed=1, folder=folder)
    try:
        player.play(turns)
    finally:
        print(player.taps, player.done, *player.refused, sep="\n")
        print(player.page.url, player.page.inner_text("body"))
    submit(player.page)
    other = bob if player.page is alice else alice
    confirm(other, foe if other is bob else own)
    verdict = other.locator("p.verdict").inner_text()
    printed = report(other)
    for each in (own.name, foe.name, verdict):
        assert each in printed, printed
    return player


def happened(battle: Battle) -> Counter[str]:
    """Count the kinds of entry of a battle's log."""
    return Counter(battle.events.values_list("kind", flat=True))


WARDS = {
    "The Duke": {"arm": "general", "attributes": ["morale", "assaulter"]},
    "Bills": {"bases": 4, "ward": "Van", "quality": "household"},
    "Bows": {"bases": 5, "ward": "Van", "place": "rear"},
    "Levies": {"bases": 3, "ward": "Main", "quality": "levy"},
    "Scouts": {"bases": 2, "ward": "Main", "place": "reserve"},
    "Knights": {"arm": "cavalry", "bases": 3, "quality": "household"},
}


def test_wards(phone: Phone, alice: User, bob: User) -> None:
    world.club_of(alice, players=[bob])
    own = army(alice, "wards", "army", "Host of Carrock", WARDS)
    foe = army(bob, "wards", "army", "Array of Wigmore", WARDS)
    wishes = (
        Wish("general", 2, answers={"does": "attach"}),
        Wish("morale", 2),
        Wish("charge", 2),
        Wish("fall-back"),
        Wish("pull-in"),
        Wish("shoot", 4, answers={"mode": "intense"}),
        Wish("move", 6, answers={"move": "assault"}),
        Wish("fight", 4),
        Wish("arrows", 2),
        Wish("order", 2),
        Wish("wards", 2),
        Wish("arrivals", 2),
        Wish("clock", 2),
    )
    player = fight_it_out(phone, own, foe, "Wards", "Battle", wishes, 4)
    print(player.taps, player.done, *player.refused, sep="\n")
    print(happened(Battle.objects.get()))


AVANT_GARDE = {
    "The Marshal": {"profile": "commander", "rating": "inspirational"},
    "General of Brigade": {"profile": "commander", "rating": "competent", "brigade": "First"},
    "The Line": {"figures": 24, "brigade": "First"},
    "The Lights": {"figures": 24, "grade": "veteran", "light_infantry": True, "brigade": "First"},
    "The Battery": {"profile": "artillery", "medium": 2, "brigade": "First"},
    "The Lancers": {"profile": "cavalry", "figures": 12, "brigade": "First"},
}


def test_avant_garde(phone: Phone, alice: User, bob: User) -> None:
    world.club_of(alice, players=[bob])
    own = army(alice, "avant-garde", "france", "Division Duval", AVANT_GARDE)
    foe = army(bob, "avant-garde", "britain", "Column of Vane", AVANT_GARDE)
    wishes = (
        Wish("pips", 1, "Marshal"),
        Wish("charge", 3, "Lancers|Line|Lights", {"inches": "4", "facing": "front", "target": "Line|Lights"}),
        Wish("move", 2, "Line|Lights", {"inches": "4"}),
        Wish("form", 1, "Line"),
        Wish("guns", 2, "Battery", {"inches": "12"}),
        Wish("fire", 3, "Line|Lights", {"inches": "3", "front": "8", "target": "Line|Lights"}),
        Wish("reaction", 9, answers={"answer": "stand|fire|shoot"}),
        Wish("struck", 9, answers={"figures": "2"}),
        *(Wish(kind, 9) for kind in ("contact", "melee", "break", "follow", "test", "rally")),
    )
    player = fight_it_out(phone, own, foe, "Avant-garde", "Battle", wishes, 3)
    print(happened(Battle.objects.get()))


ARGAD = {
    "The Captain": {"class": 4, "clothing": "half-armour", "mount": "cavalry", "firearm": "pistol"},
    "The Sergeant": {"class": 3, "weapon": "halberd", "trained": True},
    "The Pikeman": {"class": 3, "weapon": "pike", "trained": True},
    "The Musketeer": {"class": 3, "firearm": "musket"},
    "The Arquebusier": {"class": 2, "firearm": "arquebus"},
}


def test_argad(phone: Phone, alice: User, bob: User) -> None:
    world.club_of(alice, players=[bob])
    own = army(alice, "argad", "company", "Kerlann Watch", ARGAD)
    foe = army(bob, "argad", "company", "Free Men of Brennilis", ARGAD)
    wishes = (
        Wish("shot", 3, "Musketeer|Arquebusier|Captain"),
        Wish("reload", 2),
        Wish("melee", 4, "Sergeant|Pikeman|Captain"),
        Wish("move", 2, "Sergeant|Pikeman"),
        Wish("loss", 1, "Pikeman"),
    )
    player = fight_it_out(phone, own, foe, "Argad!", "Battle", wishes, 4)
    print(happened(Battle.objects.get()))
