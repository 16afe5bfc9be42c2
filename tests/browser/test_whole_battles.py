"""A whole battle of each rule system in the live log, on two phones, by taps alone, from the plan
to the report.

Accounts and warbands are there; everything after that is done on the page. How it is played is
`table_player.py`.
"""

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from battles.models import Battle
from battles.rulebook_values import read_result, ruleset_of_battle
from battles.stored_play import load_battle_play
from documents.models import Document
from documents.services.rendering import render_document
from documents.templatetags.printed import ended
from rulebook.dice import committed
from rulebook.values.battles import Outcome, Record
from rulebook.values.rosters import Fate
from scripts.taps import Tapped
from tests.browser.conftest import Phone
from tests.browser.table_player import TablePlayer, Wish, follow
from tests.documents.reading_pdfs import text
from tests.pages import world
from warbands.models import Warband
from warbands.services.roster import NewFighter, recruit_fighters
from warbands.services.warbands import muster_warband

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.one_database,
]

DICE = os.environ.get("MUSTER_DICE", "1")
"""The seed of the dice: another one plays other battles."""
GO_TO_THE_TABLE = "Open live log|Continue"
MORE_TURNS = 2
PICTURES = os.environ.get("MUSTER_PICTURES", "")


@pytest.fixture(autouse=True)
def fixed_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Roll the same dice in each run, whatever the ids, so that a failing battle can be repeated."""
    die = committed.die

    def throw(_seed: str, battle: str, number: int, faces: int = 6) -> int:
        _, _, purpose = battle.partition(" ")
        return die(DICE, purpose, number, faces)

    monkeypatch.setattr(committed, "die", throw)


def army(
    owner: User, ruleset: str, faction: str, name: str, fighters: Mapping[str, dict[str, Any]]
) -> Warband:
    """Return a warband of these fighters."""
    warband = muster_warband(user=owner, ruleset=ruleset, faction=faction, name=name)
    # Names differ between sides, like names that players choose.
    *_, place = name.split()
    recruits = [
        NewFighter(build=build, name=f"{called} of {place}") for called, build in fighters.items()
    ]
    recruit_fighters(warband_id=warband.pk, fighters=recruits, user=owner)
    return Warband.objects.get(pk=warband.pk)


def go(page: Page, name: str, role: Any = "link") -> None:
    """Follow a link or press a button by its name, and wait for the page."""
    follow(page, page.get_by_role(role, name=re.compile(name)).first)


def plan(page: Page, system: str, scenario: str, foe: Warband, points: int = 0) -> Battle:
    """Plan a one-off battle from the main menu."""
    go(page, "^Battles$")
    go(page, "Plan a one-off battle")
    go(page, f"^{re.escape(system)}$")
    go(page, f"^Choose\\s+{scenario}$")
    page.get_by_role("radio", name=re.compile(f"^{foe.name}")).last.check()
    if points:
        page.get_by_label("Points limit").fill(str(points))
    go(page, "^Plan battle$", "button")
    expect(page.get_by_role("link", name=re.compile("^Choose line-up")).first).to_be_visible()
    return Battle.objects.get()


def to_the_battle(page: Page) -> None:
    """Open the battle on the home page."""
    go(page, "^Muster$")
    follow(page, page.get_by_role("main").locator("a[href^='/battles/']").first)


def field(page: Page, own: Warband) -> None:
    """Choose all fit fighters for the line-up, starting from the home page."""
    to_the_battle(page)
    if page.get_by_role("button", name=re.compile("^Save line-up")).count() == 0:
        go(page, f"^Choose line-up for {own.name}")
    go(page, "^Save line-up", "button")
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Choose line-up")


def begin(page: Page) -> None:
    """Start the battle in the live log, and roll the set-up if there is one."""
    to_the_battle(page)
    page.get_by_text("Start battle").click()
    go(page, "^Open live log", "button")
    if page.get_by_role("button", name="Set up table").count():
        go(page, "^Set up table$", "button")
    if page.locator("#table").count() == 0:
        go(page, GO_TO_THE_TABLE)
    expect(page.locator("#table")).to_be_visible()


def open_the_table(page: Page) -> None:
    """Open the live log from the home page of the other phone."""
    to_the_battle(page)
    if page.locator("details.asks-how").count():
        page.locator("details.asks-how > summary").click()
    go(page, "^Open live log$")
    expect(page.locator("#table")).to_be_visible()


def submit(page: Page) -> None:
    """Check the result, and submit it."""
    go(page, "^Check and submit result")
    go(page, "^Submit result$", "button")
    expect(
        page.get_by_text("Result submitted. The other side can now confirm or dispute it.")
    ).to_be_visible()


def confirm(page: Page, own: Warband) -> None:
    """Confirm the result on the other phone, starting from its home page."""
    go(page, "^Leave")
    go(page, f"^Confirm for {own.name}", "button")
    expect(page.get_by_text("Result confirmed.", exact=True)).to_be_visible()


def report(page: Page) -> str:
    """Request the printed report, render it, and return the text of the download."""
    go(page, "^PDF$")
    go(page, "^Create PDF$", "button")
    expect(page.locator("#document")).to_be_visible()
    render_document(Document.objects.get().pk)
    download = page.locator("#document").get_by_role("link", name="Download")
    expect(download).to_be_visible()
    with page.expect_download() as file:
        download.click()
    return text(Path(file.value.path()).read_bytes())


class Game(NamedTuple):
    """The rule system and scenario by name, the points limit (0 for none), and the number of
    turns.

    ``kinds`` are the kinds of entry that every battle of the system must have; the player aims for
    ``wishes``. Dice decide whether ``by_luck`` kinds happen: for these the battle gets some more
    turns.
    """

    system: str
    scenario: str
    turns: int
    wishes: tuple[Wish, ...]
    kinds: frozenset[str]
    by_luck: frozenset[str] = frozenset()
    points: int = 0


def kinds_of(names: str) -> frozenset[str]:
    """Return kinds of entry by their names."""
    return frozenset(names.split())


def happened(battle: Battle) -> set[str]:
    """Return the kinds of entry in a log."""
    return set(battle.events.values_list("kind", flat=True))


def fight_it_out(phone: Phone, own: Warband, foe: Warband, game: Game) -> int:
    """Play a battle from the plan to the printed report, with every main kind and no dead end.

    Return the number of taps in the live log on both phones together.
    """
    alice, bob = phone("alice", has_touch=True), phone("bob", has_touch=True)
    battle = plan(alice, game.system, game.scenario, foe, game.points)
    field(alice, own)
    field(bob, foe)
    begin(alice)
    open_the_table(bob)
    folder = Path(PICTURES) / own.ruleset if PICTURES else None
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    player = TablePlayer({own.name: alice, foe.name: bob}, game.wishes, seed=1, folder=folder)
    player.play(game.turns, game.turns + MORE_TURNS, lambda: game.by_luck <= happened(battle))
    missing = game.kinds - happened(battle)
    assert not missing, (missing, player.done, player.refused)
    assert all(each.sentence for each in player.refused), "whatever is refused says why"
    submit(player.page)
    other = bob if player.page is alice else alice
    confirm(other, foe if other is bob else own)
    verdict = other.locator("p.verdict").inner_text()
    printed = " ".join(report(other).split())
    battle.refresh_from_db()
    assert own.name in printed and foe.name in printed, printed
    check_print(battle, verdict, printed)
    return player.taps


def harmed(record: Record) -> bool:
    """Return whether anything happened to a fighter or a unit."""
    gone = record.routed or record.captured or record.fate is not Fate.FIT
    return bool(record.wounds or record.losses) or gone


def check_print(battle: Battle, verdict: str, printed: str) -> None:
    """Check that the page's verdict and the print agree about the winner, the score and the losses.

    The print has its own sentence: the page's is stored in the language of the rules.
    """
    result = read_result(battle)
    assert result is not None
    names = dict(battle.sides.values_list("key", "warband__name"))
    winners = [names[side.side] for side in result.sides if side.outcome == Outcome.WON]
    if winners:
        assert re.match(rf"{winners[0]} won\b|Victory for {winners[0]}\b", verdict), verdict
    else:
        assert verdict.startswith("A draw"), verdict
    facts = [f"{winners[0]} won." if winners else "The battle ended in a draw."]

    # Without points, the losses of each side: how many of the line-up.
    scored = ruleset_of_battle(battle).visible_numbers(battle.house_rules).victory_points
    for side in result.sides:
        if scored:
            facts.append(f"{side.victory_points} {ended(side.outcome)}")
            continue
        lost = [row for row in side.records if harmed(row)]
        fielded = f"of {len(side.records)} (" if lost else ""
        facts.append(f"{names[side.side]} {len(lost) or 'none'} {fielded}".strip())
    assert [fact for fact in facts if fact not in printed] == [], printed


WARDS: dict[str, dict[str, Any]] = {
    "The Duke": {"arm": "general", "attributes": ["morale", "assaulter"]},
    "Bills": {"bases": 4, "ward": "Van", "quality": "household"},
    "Bows": {"bases": 5, "ward": "Van", "place": "rear"},
    "Levies": {"bases": 3, "ward": "Main", "quality": "levy"},
    "Scouts": {"bases": 2, "ward": "Main", "place": "reserve"},
    "Knights": {"arm": "cavalry", "bases": 3, "quality": "household"},
}
GAME_OF_WARDS = Game(
    "Wards",
    "Battle",
    3,
    (
        Wish("general", 2, answers={"does": "attach"}),
        Wish("morale", 2),
        Wish("charge", 2),
        Wish("fall-back"),
        Wish("pull-in"),
        Wish("shoot", 3, answers={"mode": "intense"}),
        Wish("move", 5, answers={"move": "assault"}),
        Wish("fight", 3),
        *(Wish(each, 2) for each in ("arrows", "order", "wards", "arrivals", "clock")),
    ),
    kinds_of("shoot move charge morale arrivals general pull-in clock"),
    kinds_of("fight fall-back order arrows wards"),
)


def test_wards(phone: Phone, alice: User, bob: User) -> None:
    world.club_of(alice, players=[bob])
    own = army(alice, "wards", "army", "Host of Carrock", WARDS)
    foe = army(bob, "wards", "army", "Array of Wigmore", WARDS)
    fight_it_out(phone, own, foe, GAME_OF_WARDS)


AVANT_GARDE: dict[str, dict[str, Any]] = {
    "The Marshal": {"profile": "commander", "rating": "inspirational"},
    "General": {"profile": "commander", "rating": "competent", "brigade": "First"},
    "The Line": {"profile": "infantry", "figures": 24, "brigade": "First"},
    "The Lights": {
        "profile": "infantry",
        "figures": 24,
        "grade": "veteran",
        "light_infantry": True,
        "brigade": "First",
    },
    "The Battery": {"profile": "artillery", "medium": 2, "brigade": "First"},
    "The Lancers": {"profile": "cavalry", "figures": 12, "brigade": "First"},
}
GAME_OF_AVANT_GARDE = Game(
    "Avant-garde",
    "Battle",
    3,
    (
        Wish("pips", 1, "Marshal"),
        Wish(
            "charge",
            3,
            "Lancers|Line|Lights",
            {"inches": "4", "facing": "front", "target": "Line|Lights"},
        ),
        Wish("move", 2, "Line|Lights", {"inches": "4"}),
        Wish("form", 1, "Line"),
        Wish("guns", 2, "Battery", {"inches": "12", "target": "Line|Lights"}),
        Wish(
            "fire",
            5,
            "Line|Lights",
            {"inches": "2", "front": "12", "target": "Line|Lights", "manner": "volley"},
        ),
        Wish("reaction", 9, answers={"answer": "stand"}),
        Wish("struck", 9, answers={"figures": "4"}),
        *(Wish(each, 9) for each in ("contact", "melee", "break", "follow", "test", "rally")),
    ),
    kinds_of("pips initiative move form charge reaction fire guns end"),
    kinds_of("contact melee break follow struck test rally"),
)


def test_avant_garde(phone: Phone, alice: User, bob: User) -> None:
    world.club_of(alice, players=[bob])
    own = army(alice, "avant-garde", "france", "Division Duval", AVANT_GARDE)
    foe = army(bob, "avant-garde", "britain", "Column of Vane", AVANT_GARDE)
    fight_it_out(phone, own, foe, GAME_OF_AVANT_GARDE)


ARGAD: dict[str, dict[str, Any]] = {
    "The Captain": {"class": 4, "clothing": "half-armour", "mount": "cavalry", "firearm": "pistol"},
    "The Sergeant": {"class": 3, "weapon": "halberd", "trained": True},
    "The Pikeman": {"class": 3, "weapon": "pike", "trained": True},
    "The Musketeer": {"class": 3, "firearm": "musket"},
    "The Arquebusier": {"class": 2, "firearm": "arquebus"},
}
GAME_OF_ARGAD = Game(
    "Argad!",
    "Battle",
    3,
    (
        Wish("loss", 1, "Arquebusier"),
        Wish("shot", 3, "Musketeer|Arquebusier|Captain"),
        Wish("reload", 2),
        Wish("move", 2, "Sergeant|Pikeman"),
        Wish("melee", 3, "Sergeant|Pikeman|Captain"),
    ),
    kinds_of("shot move loss"),
    kinds_of("reload melee"),
)


def test_argad(phone: Phone, alice: User, bob: User) -> None:
    world.club_of(alice, players=[bob])
    own = army(alice, "argad", "company", "Watch of Kerlann", ARGAD)
    foe = army(bob, "argad", "company", "Free Men of Brennilis", ARGAD)
    fight_it_out(phone, own, foe, GAME_OF_ARGAD)


GAME_OF_EN_GARDE = Game(
    "En Garde!",
    "Skirmish",
    3,
    (
        Wish("shot", 1, "Utz"),
        Wish("move", 3, "Cahusac|Biscarat|Jussac", {"contacts": "Veit|Kunz", "inches": "3"}),
        Wish("round", 9, answers={r".*\.ploys": "Subdue"}),
        *(Wish(each, 9) for each in ("combat", "attack", "morale", "removed_stun")),
    ),
    kinds_of("turn priority move combat"),
    # The crossbowman shoots unless he is fought, or stunned, before his side moves.
    kinds_of("shot attack removed_stun morale"),
    points=300,
)


def twice(fighters: Mapping[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the force with all troops a second time, but not its commanders."""
    more = {f"More {called}": build for called, build in fighters.items() if "rating" not in build}
    return {
        **fighters,
        **{called: build for called, build in more.items() if build.get("arm") != "general"},
    }


@pytest.mark.soak("whole battles by taps", each=1, sample=0)
@pytest.mark.parametrize(
    ("ruleset", "faction", "fighters", "game"),
    [
        ("wards", "army", WARDS, GAME_OF_WARDS),
        ("avant-garde", "france", AVANT_GARDE, GAME_OF_AVANT_GARDE),
        ("argad", "company", ARGAD, GAME_OF_ARGAD),
    ],
    ids=("wards", "avant-garde", "argad"),
)
def test_longer_battles_of_bigger_forces(
    phone: Phone,
    alice: User,
    bob: User,
    ruleset: str,
    faction: str,
    fighters: dict[str, dict[str, Any]],
    game: Game,
    record_property: Callable[..., None],
) -> None:
    world.club_of(alice, players=[bob])
    own, foe = (
        army(user, ruleset, faction, name, twice(fighters))
        for user, name in ((alice, "Reds"), (bob, "Blues"))
    )
    taps = fight_it_out(phone, own, foe, game._replace(turns=game.turns + 2))
    battle = Battle.objects.get()
    table = ruleset_of_battle(battle).at_table(
        load_battle_play(battle, list(battle.sides.all())).play
    )
    assert table is not None
    casualties, turns = (
        sum(bool(view.out) for view in table.fighters),
        battle.events.filter(kind="turn").count(),
    )
    row = Tapped(game.system, "in full", turns, casualties, battle.events.count(), taps)
    record_property("taps", msgspec.to_builtins(row))


def test_en_garde(phone: Phone, alice: User, bob: User) -> None:
    own, foe = world.guards(alice), world.landsknechts(bob)
    world.club_of(alice, players=[bob])
    bows = [
        NewFighter(
            build={"profile": "landsknecht", "options": {"exchange-pike": "crossbow"}}, name="Utz"
        )
    ]
    recruit_fighters(warband_id=foe.pk, fighters=bows, user=bob)
    fight_it_out(phone, own, foe, GAME_OF_EN_GARDE)
