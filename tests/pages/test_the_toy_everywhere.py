"""The toy, in both its forms, driven through the API, every page and every document, and through a
campaign.

One form has points, ranks, experience and victory points, here with the other abilities of
``tests.full_toy``; the other has none of them, but groups and a condition that goes from battle to
battle. No page and no print can mention what a rule system does not have.
"""

import re
from html.parser import HTMLParser
from random import Random
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.services.bots import make_bot_token
from audit.models import Change
from battles.models import Battle
from battles.rulebook_values import read_setup, sides_of
from campaigns.models import Campaign, HandOver
from campaigns.services.journal import write_entry
from campaigns.services.merging import merge_members
from clubs.models import HistoryImport, Membership
from clubs.services.invitations import invite
from clubs.services.members import add_guest
from core.tokens import TokenTerms
from documents.models import OPTIONS_OF, Document, DocumentKind, Language
from exchange.models import ArchiveKind, ReceivedPassport
from exchange.services.exports import request_export
from exchange.services.imports import upload_archive
from exchange.services.passports import issue_warband
from home.services.preferences import unsubscribing_token
from outbox.models import Delivery, DeliveryState
from outbox.services.webhooks import add_webhook
from rulebook.registry import RULESETS
from rulebook.ruleset import CampaignTerms, LoggedEvent, Roster, Ruleset
from tests.conftest import api_of, browser_of
from tests.documents.conftest import ask, made
from tests.documents.reading_pdfs import text
from tests.full_toy import ToyRuleset
from tests.pages import world
from tests.pages.world import evening_of
from tests.permissions.every_route import filled, routes
from tests.rulebook.conformance import check_battle, random_play
from tests.toy.ruleset import PlainToy
from warbands.models import Fighter, Warband
from warbands.services.verification import prove

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

BUILDS = [
    {"profile": key, "options": ["sword"]} for key in ("captain", "veteran", "recruit", "recruit")
]
UNKNOWN = re.compile(r"\b(points?|ranks?|rank-ups?|experience|xp)\b", re.IGNORECASE)
"""Words that pages of a system without points, ranks and experience must not contain."""
OF_THE_TABLE = re.compile(
    r"Points in the standings|Points by day|Points after each|Points: \d+ for a win|Those with the same points|Campaign with experience|points from the battles "
    r"between"
    r"|lead the table with \w+ points?(, \w+ points? ahead)?",
)
"""The points of a campaign's table are Muster's own, whatever the rules count."""
ELSEWHERE = (
    "/pictures/",
    "/api/",
    "/admin/",
    "/accounts/",
    "/health/",
    "/keys/trust/",
    "/keys/<",
    "/account/tokens/",
)
CLASSIC = ("classic/", "order/", "final/", "again/")
UNNAMED = ("/join/", "/documents/ask/", "/exports/ask/")
"""Pages that are not there without something in the address that says of what."""
EMPTY = re.compile(
    r'<(label|dt|legend|h[1-6]|button)\b[^>]*>\s*</\1>|(?:aria-label|title|data-label)="\s*"'
)


class Words(HTMLParser):
    """The texts of a page: its content, and the attributes that are shown or read aloud."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.said: list[str] = []
        self.silent = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent += tag in ("script", "style")
        self.said += [
            value or ""
            for name, value in attrs
            if name in ("aria-label", "title", "data-label", "alt")
        ]

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.said.append(data)


def unknown_words(text: str) -> list[str]:
    """Return what the text says about points, ranks and experience, with some context."""
    plain = OF_THE_TABLE.sub("", " ".join(text.split()))
    return [
        plain[max(0, match.start() - 40) : match.end() + 20] for match in UNKNOWN.finditer(plain)
    ]


class ToyCampaign:
    """A campaign of Alice's and Bob's warbands in one form of the toy, driven through the API."""

    def __init__(self, rules: Ruleset, alice: User, bob: User, dora: User) -> None:
        self.rules, self.users = rules, (alice, bob)
        self.clients = [api_of(alice), api_of(bob)]
        self.club = world.club_of(alice, players=[bob], spectators=[dora])
        self.warbands = [
            self._muster(client, name)
            for client, name in zip(self.clients, ("Reds", "Blues"), strict=True)
        ]
        self.id = self._run()

    def post(self, client: APIClient, path: str, data: Any = None, method: str = "post") -> Any:
        """Return the answer to a request that must succeed."""
        answer = getattr(client, method)(f"/api/v1/{path}", data or {}, format="json")
        assert answer.status_code < 300, (path, answer.content)
        return answer.json() if answer.content else None

    def _muster(self, client: APIClient, name: str) -> str:
        wish = {"ruleset": self.rules.key, "faction": "reds", "name": name}
        warband: str = self.post(client, "warbands/", wish)["id"]
        grouped = [
            {**build, **({} if self.rules.visible_numbers({}).points else {"group": "Left wing"})}
            for build in BUILDS
        ]
        fighters = [
            {"name": f"{name} {number}", "build": build} for number, build in enumerate(grouped)
        ]
        self.post(client, f"warbands/{warband}/fighters/", {"fighters": fighters})
        if self.rules.posts(CampaignTerms("reds")):
            leader = Fighter.objects.get(warband__id=warband, place=0)
            self.post(client, f"warbands/{warband}/appoint/", {"leader": str(leader.pk)})
        return warband

    def _run(self) -> str:
        wish: dict[str, Any] = {
            "club": str(self.club.pk),
            "ruleset": self.rules.key,
            "name": "The Long Winter",
        }
        points = {"points": 50} if self.rules.points.counted else {}
        campaign: str = self.post(self.clients[0], "campaigns/", {**wish, **points})["id"]
        for client, warband in zip(self.clients, self.warbands, strict=True):
            self.post(client, f"campaigns/{campaign}/enrolments/", {"warband": warband})
        self.post(self.clients[0], f"campaigns/{campaign}/start/")
        return campaign

    def planned(self, title: str) -> Battle:
        """Return a planned battle with all fit fighters."""
        sides = [{"warband": each, "role": "side"} for each in self.warbands]
        wish = {
            "campaign": self.id,
            "scenario": "brawl",
            "sides": sides,
            "title": title,
            "fought_on": "2026-03-07",
        }
        battle = self.post(self.clients[0], "battles/", {**wish, "client_id": str(uuid4())})
        for client, side, warband in zip(self.clients, battle["sides"], self.warbands, strict=True):
            fit = Fighter.objects.filter(warband__id=warband, fate="fit").values_list(
                "pk", flat=True
            )
            path = f"battles/{battle['id']}/sides/{side['key']}/combatants/"
            force = {"fighters": [str(key) for key in fit], "version": battle["version"]}
            battle = self.post(client, path, force, "put")["battle"]
        return Battle.objects.get(pk=battle["id"])

    def begun(self, title: str) -> Battle:
        """Return a battle in progress."""
        battle = self.planned(title)
        self.post(self.clients[0], f"battles/{battle.pk}/start/")
        return battle

    def log(self, battle: Battle, *events: dict[str, Any]) -> None:
        """Log entries as Alice."""
        named = [{"client_id": str(uuid4()), "kind": "wound", **event} for event in events]
        self.post(self.clients[0], f"battles/{battle.pk}/events/", named)

    def refereed(self, battle: Battle, seed: int) -> tuple[LoggedEvent, ...]:
        """Log a random game by the rules, and return its events."""
        setup = read_setup(battle, sides_of(battle))
        events = random_play(self.rules, setup, Random(seed), 6)
        check_battle(self.rules, setup, events)
        self.log(battle, *({"kind": each.kind, "data": each.data} for each in events))
        return events

    def settle(self, battle: Battle) -> None:
        """Submit as Alice, and confirm as Bob."""
        self.post(self.clients[0], f"battles/{battle.pk}/submit/")
        self.post(self.clients[1], f"battles/{battle.pk}/confirm/", {"side": "b"})
        assert Battle.objects.get(pk=battle.pk).state == "confirmed"

    def fighter(self, side: int, place: int) -> Fighter:
        """Return a fighter of a side by its place in the roster."""
        return Fighter.objects.get(warband__id=self.warbands[side], place=place)

    def hit(self, by: Fighter, whom: Fighter, result: str) -> dict[str, Any]:
        """Return an entry of the result."""
        return {"data": {"attacker": str(by.pk), "victim": str(whom.pk), "result": result}}


@pytest.fixture(params=[PlainToy, ToyRuleset], ids=["plain", "ranked"])
def rules(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Ruleset:
    """Return one form of the toy, and remove all other rule systems."""
    ruleset: Ruleset = request.param()
    for key in [*RULESETS]:
        monkeypatch.delitem(RULESETS, key)
    monkeypatch.setitem(RULESETS, ruleset.key, {ruleset.edition: ruleset})
    return ruleset


@pytest.fixture
def toy(rules: Ruleset, alice: User, bob: User, dora: User) -> ToyCampaign:
    return ToyCampaign(rules, alice, bob, dora)


@pytest.fixture
def fought(toy: ToyCampaign) -> Battle:
    """Return a confirmed battle in which Alice's captain killed one and wounded two."""
    battle = toy.begun("The Mill")
    captain, enemies = toy.fighter(0, 0), [toy.fighter(1, place) for place in range(4)]
    deeds = zip((3, 1, 0), ("dead", "grievous", "light"), strict=True)
    toy.log(battle, *(toy.hit(captain, enemies[place], result) for place, result in deeds))
    toy.settle(battle)
    return battle


def test_a_campaign_is_played_and_every_chronicle_proves_itself(
    toy: ToyCampaign, fought: Battle
) -> None:
    next_one = toy.begun("The Ford")
    toy.refereed(next_one, 3)
    toy.settle(next_one)
    for warband in Warband.objects.filter(pk__in=toy.warbands):
        assert prove(warband) == []
    table = toy.clients[0].get(f"/api/v1/campaigns/{toy.id}/standings/").json()
    assert len(table["rows"]) == 2


def test_what_is_not_counted_cannot_be_agreed_on(toy: ToyCampaign) -> None:
    wish = {"club": str(toy.club.pk), "ruleset": toy.rules.key, "name": "Another"}
    counted = toy.rules.points.counted
    given = toy.clients[0].post("/api/v1/campaigns/", {**wish, "points": 50}, format="json")
    left_out = toy.clients[0].post("/api/v1/campaigns/", wish, format="json")
    assert (given.status_code, left_out.status_code) == ((201, 400) if counted else (400, 201))


def test_a_correction_carries_what_it_changes_to_the_next_battle(
    toy: ToyCampaign, fought: Battle
) -> None:
    hurt, killed = toy.fighter(1, 1), toy.fighter(1, 3)
    assert killed.fate == "dead"
    left = {} if toy.rules.visible_numbers({}).points else {"strength": 2}
    fielded = {each.id: each for side in setup_of_next(toy).sides for each in side.fighters}
    assert (fielded[str(hurt.pk)].condition, str(killed.pk) in fielded) == (left, False)
    reason = "It was a scratch."
    data = toy.hit(toy.fighter(0, 0), hurt, "light")["data"]
    mended = {"event": 2, "reason": reason, "kind": "wound", "data": data}
    events = [{"client_id": str(uuid4()), "kind": "correction", "data": mended}]
    version = Battle.objects.get(pk=fought.pk).version
    body = {"events": events, "reason": reason, "version": version}
    seen = toy.post(toy.clients[0], f"battles/{fought.pk}/corrections/", {**body, "dry_run": True})
    toy.post(toy.clients[0], f"battles/{fought.pk}/corrections/", body)
    assert seen
    lighter = {} if toy.rules.visible_numbers({}).points else {"strength": 3}
    fielded = {each.id: each for side in setup_of_next(toy).sides for each in side.fighters}
    assert fielded[str(hurt.pk)].condition == lighter


def setup_of_next(toy: ToyCampaign) -> Any:
    """Return the set-up of a newly planned battle."""
    battle = toy.planned(f"Another {uuid4()}")
    return read_setup(battle, sides_of(battle))


def test_only_where_there_are_ranks_somebody_rises(toy: ToyCampaign, fought: Battle) -> None:
    survived_and_hit_an_equal = 2 if toy.rules.visible_numbers({}).experience else 0
    assert toy.fighter(0, 0).experience == survived_and_hit_an_equal
    raised = toy.fighter(0, 2)
    for number in range(2):
        battle = toy.begun(f"Skirmish {number}")
        toy.log(battle, toy.hit(raised, toy.fighter(1, 0), "light"))
        toy.settle(battle)
    page = toy.clients[0].get(f"/api/v1/fighters/{raised.pk}/rank-ups/").json()
    if not toy.rules.visible_numbers({}).ranks:
        assert page["steps"] == []
        return
    sequence = Warband.objects.get(pk=toy.warbands[0]).sequence
    toy.post(
        toy.clients[0], f"fighters/{raised.pk}/rank-ups/", {"step": "veteran", "sequence": sequence}
    )
    raised.refresh_from_db()
    assert (raised.rank, raised.points) == (2, 11)


def test_at_the_table_a_die_is_thrown_by_a_form_of_the_page(toy: ToyCampaign, alice: User) -> None:
    battle = toy.begun("The Table")
    first, other = toy.fighter(0, 0), toy.fighter(1, 0)
    client = browser_of(alice)
    address = f"/battles/{battle.pk}/table/?who={first.pk}&do=wound"
    page = client.get(address)
    assert page.status_code == 200
    names = dict(
        re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.content.decode())
    )
    sent = {**names, "victim": str(other.pk), "result": ""}
    answer = client.post(address, sent)
    assert answer.status_code in (200, 302), answer.content
    assert battle.events.get().dice


def pages_of(ids: dict[str, str]) -> list[str]:
    """Return the path of every page with the ids of this campaign.

    Calendars and pictures are left out: they are not pages.
    """
    pages = (
        route
        for route in routes()
        if not route.startswith(ELSEWHERE) and not route.endswith((".ics", ".png"))
    )
    return [filled(route, ids) for route in pages]


def receive(toy: ToyCampaign) -> ReceivedPassport:
    """Return an uploaded passport of a warband."""
    content = issue_warband(warband_id=UUID(toy.warbands[0]), user=toy.users[0])
    return ReceivedPassport.objects.create(
        user=toy.users[0], content=content, name="A toy", fingerprint="0" * 32
    )


def known_things(toy: ToyCampaign, document: Document) -> dict[str, str]:
    """Return the values for the brackets of routes that do not depend on the battle.

    Ids are by the word before the bracket, others by name.
    """
    paired = world.paired(Campaign.objects.get(pk=toy.id), toy.users[0])
    alice, bob = toy.users[:2]
    member = Membership.objects.get(club=toy.club, name="bob")
    guest = add_guest(club_id=toy.club.pk, user=alice, name="Bob's cousin")
    offer = HandOver.objects.create(
        warband_id=toy.warbands[1], giver=bob, receiver=alice, made_by=bob, made_at=timezone.now()
    )
    webhook = add_webhook(
        club_id=toy.club.pk, user=alice, name="Our site", address="https://example.org/"
    )
    ids = {
        "webhooks": webhook.pk,
        "deliveries": Delivery.objects.create(
            webhook=webhook, change=Change.objects.earliest("entry"), state=DeliveryState.SENT
        ).pk,
        "rounds": paired.pk,
        "fixtures": paired.fixtures.get().pk,
        "clubs": toy.club.pk,
        "journal": write_entry(
            campaign_id=UUID(toy.id), user=toy.users[0], text="We were there."
        ).pk,
        "members": member.pk,
        "merges": merge_members(seat_id=guest.pk, into=member.pk, user=alice).pk,
        "hand-overs": offer.pk,
        "bot-tokens": make_bot_token(club_id=toy.club.pk, user=alice, terms=TokenTerms())[0].pk,
        "history-imports": HistoryImport.objects.create(club=toy.club, number=0).pk,
        "invitations": invite(club_id=toy.club.pk, user=toy.users[0]).invitation.pk,
        "evenings": evening_of(toy.club, toy.users[0]).pk,
        "walk-ins": member.pk,
        "games": world.game_of(
            Campaign.objects.get(pk=toy.id),
            alice,
            *(Membership.objects.get(club=toy.club, user=user) for user in toy.users),
        ).pk,
        "campaigns": toy.id,
        "enrolments": Campaign.objects.get(pk=toy.id).enrolments.earliest("enrolled_at").pk,
        "warbands": toy.warbands[0],
        "fighters": toy.fighter(0, 0).pk,
        "documents": document.pk,
        "exports": request_export(user=toy.users[0], kind=ArchiveKind.CLUB, subject=toy.club.pk).pk,
        "imports": upload_archive(
            user=toy.users[0],
            file=ContentFile(b"PK"),
            size=2,
            name="toy.zip",
            language=Language.ENGLISH,
        ).pk,
        "tables": "warbands",
        "passports": receive(toy).pk,
        "sides": "a",
        "log": "1",
        "rulesets": toy.rules.key,
        "recruit": "reds",
        "faction": "reds",
        "section": "rules",
        "profile": "captain",
        "calculator": next((each.key for each in toy.rules.calculators.all()), "none"),
        "digest": "none",
        "token": unsubscribing_token(toy.users[1]),
    }
    return {name: str(key) for name, key in ids.items()}


def of_a_battle(battle: Battle) -> dict[str, str]:
    """Return the values that depend on the battle; its id also stands for missing things."""
    return dict.fromkeys(("battles", "templates", "keys", "device_id", "pairs"), str(battle.pk))


@pytest.mark.soak(
    "visits of all pages by one of three readers, with a made-up rule system", each=1, sample=3
)
@pytest.mark.parametrize(
    ("rules", "reader"),
    # The sample is the first of each pair: every reader, and either form.
    [
        *((PlainToy, "alice"), (ToyRuleset, "alice")),
        *((ToyRuleset, "bob"), (PlainToy, "bob")),
        *((PlainToy, "dora"), (ToyRuleset, "dora")),
    ],
    indirect=["rules"],
)
def test_every_page_omits_features_the_rules_lack(
    toy: ToyCampaign, fought: Battle, alice: User, reader: str
) -> None:
    open_one = toy.begun("The Ford")
    toy.log(open_one, toy.hit(toy.fighter(0, 0), toy.fighter(1, 0), "light"))
    submitted = toy.begun("The Bridge")
    toy.log(submitted, toy.hit(toy.fighter(0, 0), toy.fighter(1, 0), "light"))
    toy.post(toy.clients[0], f"battles/{submitted.pk}/submit/")
    document = made(ask(alice, DocumentKind.ROSTER, Warband.objects.get(pk=toy.warbands[0]).pk))
    battles = (toy.planned("To come"), open_one, submitted, fought)
    ids = known_things(toy, document)
    addresses = [address for battle in battles for address in pages_of(ids | of_a_battle(battle))]
    addresses += extra_pages(toy, open_one)
    client = browser_of(User.objects.get(username=reader))
    wrong = [
        fault
        for address in dict.fromkeys(addresses)
        for fault in faults(toy, address, client.get(address), organises=reader == "alice")
    ]
    assert not wrong, "\n".join(wrong)


def extra_pages(toy: ToyCampaign, battle: Battle) -> list[str]:
    """Return pages whose addresses have more than the route."""
    first, other = toy.fighter(0, 0), toy.fighter(1, 0)
    return [
        f"/warbands/{toy.warbands[0]}/?view=list",
        f"/warbands/{toy.warbands[0]}/?view=print",
        f"/warbands/{toy.warbands[0]}/?view=text",
        f"/battles/plan/?campaign={toy.id}",
        f"/battles/plan/?campaign={toy.id}&scenario=brawl",
        f"/battles/plan/?ruleset={toy.rules.key}&scenario=brawl",
        f"/battles/{battle.pk}/table/?who={first.pk}&do=wound",
        f"/battles/{battle.pk}/table/?who=a",
        f"/fighters/{first.pk}/odds/?against={other.pk}",
        f"/campaigns/{toy.id}/enrol/?warband={toy.warbands[0]}",
        f"/documents/ask/?kind=roster&subject={toy.warbands[0]}",
        f"/warbands/muster/?ruleset={toy.rules.key}",
    ]


def faults(toy: ToyCampaign, address: str, answer: Any, *, organises: bool) -> list[str]:
    """Return what is wrong with a page for this reader.

    Faults are errors, empty labels, and words that the rules do not have.
    """
    allowed = {200, 302, 405} if organises else {200, 302, 403, 404, 405}
    missing = (
        address.endswith((*CLASSIC, "/strike/", "/log/1/correct/", "/security.txt", *UNNAMED))
        or "/ask/none/" in address
        # A table to embed is for public campaigns.
        or address.startswith("/embed/")
    )
    missing = missing or (
        address.endswith("/rank-ups/") and not toy.rules.visible_numbers({}).rises
    )
    missing = missing or (
        address.endswith("/furnish/")
        and not toy.rules.extras_fields(Roster(CampaignTerms("reds"), ()))
    )
    missing = missing or (
        address.endswith("/posts/") and not toy.rules.posts(CampaignTerms("reds"))
    )
    missing = missing or (address.endswith("/set-up/") and not toy.rules.set_up.laid_out)
    missing = missing or ("/odds/" in address and not toy.rules.calculators.all())
    if answer.status_code not in (allowed | {404} if missing else allowed):
        return [f"{address}: {answer.status_code}"]
    if answer.status_code != 200 or not answer.headers["Content-Type"].startswith("text/html"):
        return []
    html = answer.content.decode()
    problems = [f"{address}: {empty.group(0)}" for empty in EMPTY.finditer(html)]
    if not toy.rules.visible_numbers({}).points and not address.endswith("/scoring/"):
        problems += [f"{address}: {words}" for words in unknown_words(" ".join(Words(html).said))]
    return problems


PRINTS = [DocumentKind.ROSTER, DocumentKind.BATTLE, DocumentKind.CAMPAIGN, DocumentKind.CAREER]


@pytest.mark.parametrize("kind", PRINTS)
def test_every_document_omits_features_the_rules_lack(
    toy: ToyCampaign, fought: Battle, alice: User, kind: DocumentKind
) -> None:
    subjects = {
        DocumentKind.ROSTER: Warband.objects.get(pk=toy.warbands[1]).pk,
        DocumentKind.BATTLE: fought.pk,
        DocumentKind.CAMPAIGN: Campaign.objects.get(pk=toy.id).pk,
        DocumentKind.CAREER: toy.fighter(0, 0).pk,
    }
    options = OPTIONS_OF[kind] if kind == DocumentKind.ROSTER else ()
    document = made(ask(alice, kind, subjects[kind], options=options))
    assert (document.state, document.failure) == ("ready", "")
    with document.file.open("rb") as file:
        printed = text(file.read())
    if toy.rules.visible_numbers({}).points:
        assert re.search("points|experience", printed, re.IGNORECASE)
    else:
        assert unknown_words(printed) == []
    if kind == DocumentKind.ROSTER and not toy.rules.visible_numbers({}).points:
        assert "Strength 2 of 4" in " ".join(printed.split())


def test_the_rules_and_their_questions_are_asked_through_the_api(toy: ToyCampaign) -> None:
    client = toy.clients[0]
    for path in (
        f"rulesets/{toy.rules.key}/",
        f"warbands/{toy.warbands[0]}/",
        f"fighters/{toy.fighter(0, 0).pk}/",
    ):
        assert client.get(f"/api/v1/{path}").status_code == 200, path
    shown = client.get(f"/api/v1/warbands/{toy.warbands[0]}/").json()["shown"]
    assert set(shown.values()) == {toy.rules.points.counted}
    groups = client.get(f"/api/v1/warbands/{toy.warbands[0]}/").json()["groups"]
    assert bool(groups) is not toy.rules.points.counted
    assert Client().get(f"/rulesets/{toy.rules.key}/").status_code == 200
