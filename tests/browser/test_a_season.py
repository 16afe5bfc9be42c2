"""A whole season by its clicks: a club by a link, enrolment, rounds, battles, a dispute, a
correction, a champion.

The organiser sits at a desk; the players hold phones, each in a browser of their own. One of them
lets no scripts run, one has a keyboard and nothing else, and one comes by the links in letters.
Rosters, the club and what its campaign is about are made behind the scenes.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from playwright.sync_api import Browser, Page, expect

from battles.models import Battle, Combatant
from campaigns.models import Campaign, Fixture
from clubs.models import Club
from documents.models import Document
from home.models import Mail
from home.services.letters import write_at_once
from home.services.preferences import prefer
from tests.browser.hands import Hand, Keyboard
from tests.conftest import PASSWORD
from tests.pages import world
from warbands.models import Fighter

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.one_database,
]

DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
CAMPAIGN, POINTS = "The Long Summer", 70
PLAYERS = ("bob", "emil", "fay", "gus", "hedi", "ines", "jon", "kim")
WITHOUT_SCRIPTS, BY_KEYS, BY_LETTER = "emil", "gus", "bob"
SOLDIERS = (
    ("doppelsoldner", "Hans"),
    ("landsknecht", "Jörg"),
    ("landsknecht", "Veit"),
    ("landsknecht", "Kunz"),
)
MOST = {"enrolling": 2, "planning": 3, "fielding": 3, "a wound": 3, "confirming": 2}
"""The maximum number of presses for a job."""
ENDS = ("corrected", "disputed", "confirmed")


class Player:
    """A user with a browser: a name, a hand, and their way of entering results."""

    def __init__(self, name: str, hand: Hand) -> None:
        self.name, self.hand, self.page = name, hand, hand.page

    @property
    def user(self) -> User:
        """The account."""
        return User.objects.get(username=self.name)

    @property
    def company(self) -> str:
        """The name of the warband."""
        return f"Company {self.name}"

    @property
    def way(self) -> str:
        """Return the way in which this user enters a result."""
        return {WITHOUT_SCRIPTS: "as a list", BY_KEYS: "by keys"}.get(self.name, "by taps")

    def press(self, role: Any, name: str | re.Pattern[str], **more: Any) -> None:
        """Press the first button, link or other control with this name."""
        self.hand.press(self.page.get_by_role(role, name=name, **more).first)

    def write(self, label: str, text: str) -> None:
        """Fill in a field."""
        labelled = re.compile(rf"^\s*{re.escape(label)}(\s*\(optional\))?\s*$")
        self.hand.write(self.page.get_by_label(labelled), text)

    def took(self, job: str) -> None:
        """Check that a job took no more presses than allowed."""
        pressed = self.hand.so_far()
        assert 0 < pressed <= MOST[job], f"{job} took {self.name} {pressed} clicks"

    def open(self, path: str) -> None:
        """Open a path, and start counting."""
        self.page.goto(path)
        self.hand.so_far()

    def inbox(self) -> set[str]:
        """Open the home page, and return the links of its cards.

        Check the number in the header.
        """
        self.open("/")
        cards = self.page.locator("ul.inbox > li .actions > a").evaluate_all(
            "all => all.map(one => one.href)"
        )
        assert self.badge() == len(cards)
        return set(cards)

    def badge(self) -> int:
        """Return the number in the header; 0 if there is none."""
        shown = self.page.locator(".inbox-number")
        return int((shown.text_content() or "").split(":")[1]) if shown.count() else 0


Sit = Callable[[str], Player]


@pytest.fixture
def sit(browser: Browser, live_server: Any, settings: Any) -> Iterator[Sit]:
    """Return a function that opens a browser for a user."""
    settings.SITE_URL = live_server.url
    contexts, complaints = [], list[str]()

    def open_browser(name: str) -> Player:
        options: dict[str, Any] = {"viewport": DESK if name in ("alice", BY_KEYS) else PHONE}
        options["java_script_enabled"] = name != WITHOUT_SCRIPTS
        contexts.append(browser.new_context(base_url=live_server.url, **options))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: complaints.append(f"{name}: {error}"))
        return Player(name, Keyboard(page) if name == BY_KEYS else Hand(page))

    yield open_browser
    for context in contexts:
        context.close()
    assert complaints == []


def invite(alice: Player, club: Club, players: int) -> str:
    """Return an invitation link for this many players."""
    alice.open(f"/accounts/login/?next=/clubs/{club.pk}/invite/")
    alice.write("User name or e-mail address", alice.name)
    alice.write("Password", PASSWORD)
    alice.press("button", "Sign in")
    alice.write("Maximum uses", str(players))
    alice.press("button", "Create link")
    return alice.page.get_by_label("Link", exact=True).input_value()


def join_and_enrol(player: Player, link: str) -> None:
    """Join the club by its link, and enter the campaign from the home page, which drops its card."""
    player.open(link)
    player.write("User name", player.name)
    player.write("E-mail address", f"{player.name}@example.org")
    player.write("Password", PASSWORD)
    player.write("Repeat password", PASSWORD)
    player.press("button", "Create account and join")
    expect(player.page.get_by_text("Welcome to The Friday Swords.")).to_be_visible()
    names = [(profile, f"{name} {player.name}") for profile, name in SOLDIERS]
    world.warband_of(player.user, player.company, "landsknechts", names)
    before = player.inbox()
    player.press("link", re.compile("^Enter your"))
    player.press("button", "Enter warband")
    expect(player.page.get_by_text(f"{player.company} entered.")).to_be_visible()
    player.took("enrolling")
    assert player.badge() == len(before) - 1


def begin_and_pair(alice: Player, campaign: Campaign) -> None:
    """Start the campaign from the home page, and pair everybody with everybody."""
    before = alice.inbox()
    alice.press("link", re.compile("^Start campaign"))
    alice.press("button", "Start campaign")
    assert alice.badge() < len(before)
    alice.open(f"/campaigns/{campaign.pk}/fixtures/")
    alice.press("link", "Create rounds")
    alice.press("radio", re.compile("^Round robin"))
    alice.press("button", "Preview pairings")
    alice.press("button", "Create these rounds")
    expect(alice.page.get_by_role("heading", name="This round: Round 1")).to_be_visible()


def next_pairing(players: dict[str, Player], entered: Counter[str]) -> tuple[Player, Player]:
    """Return the player who plans the next battle, and the opponent.

    It prefers the earliest rounds, and the rarest way to enter its result.
    """
    pairings = []
    for fixture in Fixture.objects.filter(bye=False, battles=None).select_related(
        "round", "home", "away"
    ):
        sides = [players[side.warband.owner.username] for side in (fixture.home, fixture.away)]
        first, second = sorted(
            sides, key=lambda player: (entered[player.way], player.way == "by taps")
        )
        pairings.append(((fixture.round.number, entered[first.way], fixture.place), first, second))
    _, first, second = min(pairings, key=lambda each: each[0])
    return first, second


def plan(own: Player, foe: Player, campaign: Campaign, *, from_inbox: bool) -> Battle:
    """Plan a battle from its card or from the list of fixtures. It is linked to its fixture."""
    if from_inbox:
        own.inbox()
        card = own.page.locator("ul.inbox > li").filter(has_text=foe.company)
        own.hand.press(card.get_by_role("link", name=re.compile("^Plan battle")))
    else:
        own.open(f"/campaigns/{campaign.pk}/fixtures/")
        pair = re.compile(
            rf"^Plan battle\s*:\s*({own.company} v. {foe.company}|{foe.company} v. "
            rf"{own.company})"
        )
        own.press("link", pair)
    own.press("button", "Plan battle")
    expect(own.page.get_by_role("link", name=f"Choose line-up for {own.company}")).to_be_visible()
    own.took("planning")
    return Battle.objects.filter(fixture__isnull=False).latest("created_at")


def field(own: Player, foe: Player, battle: Battle) -> None:
    """Choose both line-ups: one from the battle's page, the other from the home page."""
    own.press("link", f"Choose line-up for {own.company}")
    put_in_the_field(own)
    expect(own.page.get_by_text(f"{foe.company} has no line-up yet.")).to_be_visible()
    own.took("fielding")
    before = foe.inbox()
    foe.press("link", re.compile("^Choose "))
    put_in_the_field(foe)
    expect(foe.page.get_by_text("has no line-up yet.")).to_have_count(0)
    foe.took("fielding")
    prompts = {address for address in before if f"/battles/{battle.pk}/sides/" in address}
    assert len(prompts) == 1


def put_in_the_field(player: Player) -> None:
    """Submit the ticked fighters. If nobody leads them, choose the first one."""
    leader = player.page.get_by_label("Leader")
    if leader.count() and not leader.input_value():
        player.hand.choose_first(leader)
    player.press("button", "Save line-up")


def enter(own: Player, foe: Player, battle: Battle) -> tuple[Fighter, Fighter]:
    """Enter a result with two wounds, and submit it.

    Return the badly wounded fighter and the attacker.
    """
    own.open(f"/battles/{battle.pk}/")
    own.hand.press(own.page.get_by_text("Start battle"))
    own.press("button", "Enter result")
    attacker, victim = fighting(own, battle)[0], fighting(foe, battle)[-1]
    wounds = ((attacker, "Scratch", fighting(foe, battle)[0]), (victim, "Critical", attacker))
    for row, (hurt, result, by) in enumerate(wounds, start=1):
        if own.way == "as a list":
            fill_in(own.page, row, hurt, result, by)
        else:
            tap(own, hurt, result, by)
    own.press("button", "Save and check result")
    expect(own.page.get_by_role("heading", name="Check result")).to_be_visible()
    own.press("button", "Submit result")
    expect(
        own.page.get_by_text("Result submitted. The other side can now confirm or dispute it.")
    ).to_be_visible()
    assert battle.events.count() == len(wounds)
    return victim, attacker


def fighting(player: Player, battle: Battle) -> list[Fighter]:
    """Return the fighters of a side, the leader first."""
    rows = Combatant.objects.filter(side__battle=battle, side__warband__owner=player.user)
    return [row.fighter for row in rows.select_related("fighter").order_by("fighter__place")]


def tap(player: Player, hurt: Fighter, result: str, by: Fighter) -> None:
    player.hand.so_far()
    sides = player.page.locator(".board-sides")
    player.hand.press(sides.get_by_role("button", name=hurt.name))
    player.hand.press(
        player.page.locator(".board-results").get_by_role("button", name=result, exact=True)
    )
    player.hand.press(sides.get_by_role("button", name=by.name))
    player.took("a wound")


def fill_in(page: Page, row: int, hurt: Fighter, result: str, by: Fighter) -> None:
    group = page.get_by_role("group", name=f"Wound {row}", exact=True)
    group.get_by_label("Victim").select_option(label=hurt.name)
    group.get_by_label("Result").select_option(label=result)
    group.get_by_label("Attacker").select_option(label=by.name)


def confirm(own: Player, foe: Player, battle: Battle) -> None:
    """Confirm a result in two clicks: from the letter for users who get one, else from the home
    page.
    """
    before = foe.inbox()
    prompts = {address for address in before if address.endswith(f"/battles/{battle.pk}/")}
    assert len(prompts) == 1
    assert not any(f"/battles/{battle.pk}/sides/" in address for address in before), (
        "it was fielded long ago"
    )
    if foe.name == BY_LETTER:
        follow_the_letter(foe, own, battle)
    else:
        foe.press("link", re.compile("^Check result"))
    foe.press("button", f"Confirm for {foe.company}")
    expect(foe.page.get_by_text("Result confirmed.", exact=True)).to_be_visible()
    foe.took("confirming")
    after = foe.inbox()
    assert not prompts & after
    assert all("/warbands/" in address for address in after - before), (
        "what it earned is all that is new"
    )


def follow_the_letter(foe: Player, own: Player, battle: Battle) -> None:
    """Check that one letter about the battle is sent, once, and follow its link."""
    sent = len(mail.outbox)
    assert write_at_once(user_id=foe.user.pk) is True
    assert write_at_once(user_id=foe.user.pk) is False
    (letter,) = mail.outbox[sent:]
    assert letter.to == [f"{foe.name}@example.org"]
    assert f"{own.name} entered the result. Confirm or dispute it." in letter.body
    ((html, kind),) = letter.alternatives  # type: ignore[attr-defined]
    (link,) = re.findall(
        rf"^Check result: (http\S+/battles/{battle.pk}/)$", str(letter.body), re.MULTILINE
    )
    assert kind == "text/html" and link in html
    foe.page.goto(link)
    foe.hand.pressed += 1


def dispute(alice: Player, foe: Player, battle: Battle) -> None:
    """Dispute a result, and let the organiser decide that it counts."""
    foe.inbox()
    foe.press("link", re.compile("^Check result"))
    foe.hand.press(foe.page.get_by_text("Dispute result").first)
    foe.write("What is wrong", "He fell and was not hit.")
    foe.press("button", "Dispute result")
    expect(foe.page.get_by_text("Result disputed. An organiser will decide.")).to_be_visible()
    before = alice.inbox()
    alice.press("link", re.compile("^Decide"))
    expect(alice.page.get_by_text("He fell and was not hit.").first).to_be_visible()
    alice.write("Reason", "Both saw it.")
    alice.press("button", "Save decision", exact=True)
    expect(alice.page.get_by_text("An organiser decided: Both saw it.")).to_be_visible()
    assert alice.badge() < len(before)
    address = f"/battles/{battle.pk}/"
    (decided,) = (each for each in foe.inbox() if address in each)
    assert decided.endswith("#disputes")
    card = foe.page.locator("ul.inbox > li", has=foe.page.locator(f'a[href*="{address}"]'))
    foe.hand.press(card.get_by_role("button", name=re.compile("^Dismiss")))
    assert not any(address in each for each in foe.inbox())


def correct(alice: Player, battle: Battle, victim: Fighter) -> None:
    """Correct a wound as the organiser, after a preview: the victim lives."""
    alice.open(f"/battles/{battle.pk}/")
    alice.hand.press(alice.page.locator("#log > summary"))
    alice.press("link", re.compile("^Correct\\s+entry 2"))
    alice.page.get_by_label("Result", exact=True).select_option(label="Light")
    alice.write("Reason", "It was a light one.")
    alice.press("button", "Preview changes")
    alice.press("button", "Save correction")
    expect(alice.page.get_by_text("It was a light one.").first).to_be_visible()
    victim.refresh_from_db()
    assert victim.fate != "dead"


def table(player: Player, campaign: Campaign) -> list[tuple[str, str, int, int]]:
    """Return the standings as shown: position, warband, battles played, points."""
    player.open(f"/campaigns/{campaign.pk}/standings/")
    rows = []
    for row in player.page.locator("table.table tbody tr").all():
        cells = row.locator("td, th").all_inner_texts()
        name = row.get_by_role("link").first.inner_text()
        rows.append((cells[0].rstrip("="), name, int(cells[3]), int(cells[-1])))
    return rows


def finish(alice: Player, campaign: Campaign) -> None:
    """End the campaign from the home page. Check its champion, and request its summary."""
    rows = table(alice, campaign)
    assert {played for *_, played, _ in rows} == {campaign.games}
    best = [name for position, name, *_ in rows if position == "1"]
    alice.inbox()
    alice.press("link", re.compile("^End campaign"))
    alice.press("button", "End campaign")
    alice.open(f"/campaigns/{campaign.pk}/")
    champion = alice.page.locator("section.champion")
    expect(champion.get_by_role("heading", name=re.compile("^Champion"))).to_be_visible()
    assert champion.locator("p.name a").all_inner_texts() == best
    alice.press("link", "Campaign book as PDF")
    alice.press("button", "Create PDF")
    expect(alice.page.get_by_text("Waiting in the queue")).to_be_visible()
    assert Document.objects.get(kind="campaign").state == "queued"
    assert alice.badge() == 0


@pytest.mark.soak("seasons by clicks", each=1, sample=0)
@pytest.mark.parametrize(("size", "games", "battles"), [(4, 1, 2), (8, 3, 12)])
def test_a_season_by_everybody_in_their_own_browser(
    sit: Sit, alice: User, size: int, games: int, battles: int
) -> None:
    club = world.club_of(alice)
    campaign = world.campaign_of(
        club, alice, running=False, name=CAMPAIGN, points=POINTS, games=games
    )
    organiser, players = sit("alice"), {name: sit(name) for name in PLAYERS[:size]}
    link = invite(organiser, club, size)
    for player in players.values():
        join_and_enrol(player, link)
    begin_and_pair(organiser, campaign)
    user = players[BY_LETTER].user
    prefer(user=user, mail=Mail.AT_ONCE)
    assert write_at_once(user_id=user.pk), "that there is somebody to play"
    entered = Counter[str]()
    for number in range(battles):
        own, foe = next_pairing(players, entered)
        entered[own.way] += 1
        battle = plan(own, foe, campaign, from_inbox=number % 2 == 0)
        field(own, foe, battle)
        victim, _ = enter(own, foe, battle)
        end = ENDS[number % len(ENDS)]
        if end == "disputed":
            dispute(organiser, foe, battle)
        else:
            confirm(own, foe, battle)
        victim.refresh_from_db()
        assert victim.fate == "dead"
        if end == "corrected":
            correct(organiser, battle, victim)
    assert {"as a list", "by keys"} <= {*entered}
    assert len(mail.outbox) > 1
    finish(organiser, campaign)
