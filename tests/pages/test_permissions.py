"""Every route of the pages against everybody: nobody, a stranger, a reader, a player, an
organiser."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.files.base import ContentFile
from django.db import transaction
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from battles.models import Battle
from campaigns.models import Campaign, Enrolment, HandOver
from campaigns.services.journal import write_entry
from clubs.models import Club, Membership
from clubs.services.invitations import invite
from documents.models import Document, Language
from exchange.models import ArchiveKind
from exchange.services.exports import request_export
from exchange.services.imports import upload_archive
from outbox.services.webhooks import add_webhook
from scripts.packages import APPS
from tests.pages import world
from tests.pages.conftest import Clients
from tests.pages.world import named
from warbands.models import Warband

pytestmark = pytest.mark.one_database

SIGN_IN = "/accounts/login/"


class Route(NamedTuple):
    """A route with the status codes for the reader, the player (Bob) and the organiser (Alice).

    ``method`` is that of the request. Anonymous users are always sent to sign in, and a stranger
    always gets 404, unless the row is open to all.
    """

    name: str
    method: str
    reader: int
    player: int
    organiser: int


FREE = 200
AWAY = 302
"""A button does what it is asked, or says why not, and leads to another page."""
BARRED = 403
HIDDEN = 404
TOO_LATE = 409

CLUB = (
    Route("exchange:club-keys", "get", FREE, FREE, FREE),
    Route("exchange:trust-in-club", "get", BARRED, BARRED, FREE),
    Route("exchange:trust-in-club", "post", BARRED, BARRED, 400),
    Route("home:club", "get", FREE, FREE, FREE),
    Route("home:seasons", "get", FREE, FREE, FREE),
    Route("home:change-club", "get", BARRED, BARRED, FREE),
    Route("home:change-club", "post", BARRED, BARRED, 400),
    Route("clubs:guest", "get", BARRED, BARRED, FREE),
    Route("clubs:guest", "post", BARRED, BARRED, 400),
    Route("clubs:invite", "get", BARRED, BARRED, FREE),
    Route("clubs:invite", "post", BARRED, BARRED, 400),
    Route("campaigns:plan", "get", BARRED, BARRED, FREE),
    Route("campaigns:plan", "post", BARRED, BARRED, 400),
    Route("home:calendar", "get", FREE, FREE, FREE),
    Route("clubs:invitations", "get", BARRED, BARRED, FREE),
    Route("home:audit", "get", BARRED, BARRED, FREE),
    Route("home:audit-file", "get", BARRED, BARRED, FREE),
    Route("home:make-evenings", "get", BARRED, BARRED, FREE),
    Route("home:make-evenings", "post", BARRED, BARRED, 400),
    Route("outbox:webhooks", "get", BARRED, BARRED, FREE),
    Route("outbox:webhooks", "post", BARRED, BARRED, 400),
)
EVENING = (
    Route("home:evening", "get", FREE, FREE, FREE),
    Route("home:answer-evening", "post", AWAY, AWAY, AWAY),
    Route("home:change-evening", "get", BARRED, BARRED, FREE),
    Route("home:change-evening", "post", BARRED, BARRED, 400),
    Route("home:cancel-evening", "get", BARRED, BARRED, FREE),
    Route("home:cancel-evening", "post", BARRED, BARRED, AWAY),
    Route("home:restore-evening", "post", BARRED, BARRED, AWAY),
)
MEMBER = (
    Route("clubs:member", "get", BARRED, FREE, FREE),
    Route("clubs:member", "post", BARRED, 400, 400),
    Route("clubs:role", "post", BARRED, BARRED, AWAY),
    Route("campaigns:merge", "get", BARRED, BARRED, FREE),
    Route("campaigns:merge", "post", BARRED, BARRED, FREE),
    Route("clubs:remove-member", "post", BARRED, AWAY, AWAY),
)
INVITATION = (
    Route("clubs:invitation", "get", HIDDEN, HIDDEN, FREE),
    Route("clubs:revoke", "post", HIDDEN, HIDDEN, AWAY),
)
WEBHOOK = (
    Route("outbox:webhook", "get", HIDDEN, HIDDEN, FREE),
    Route("outbox:change-webhook", "get", HIDDEN, HIDDEN, FREE),
    Route("outbox:change-webhook", "post", HIDDEN, HIDDEN, 400),
    Route("outbox:pause-webhook", "post", HIDDEN, HIDDEN, AWAY),
    Route("outbox:remove-webhook", "get", HIDDEN, HIDDEN, FREE),
    Route("outbox:remove-webhook", "post", HIDDEN, HIDDEN, AWAY),
)
CAMPAIGN = (
    *(Route(f"leagues:{tab}", "get", FREE, FREE, FREE)
      for tab in ("campaign", "warbands", "log", "standings", "honours", "settings")),
    Route("battles:campaign", "get", FREE, FREE, FREE),
    Route("leagues:fixtures", "get", FREE, FREE, FREE),
    Route("leagues:make-rounds", "get", BARRED, BARRED, FREE),
    Route("leagues:make-rounds", "post", BARRED, BARRED, 400),
    *(Route(f"campaigns:{form}", "get", BARRED, BARRED, FREE) for form in ("change", "scoring", "house-rules")),
    *(Route(f"campaigns:{form}", "post", BARRED, BARRED, 400) for form in ("change", "scoring", "house-rules")),
    Route("campaigns:start", "post", BARRED, BARRED, AWAY),
    *(Route(step, "get", BARRED, BARRED, FREE) for step in ("leagues:finish", "campaigns:cancel")),
    *(Route(step, "post", BARRED, BARRED, FREE) for step in ("leagues:finish", "campaigns:cancel")),
    Route("campaigns:reopen", "get", BARRED, BARRED, AWAY),
    Route("campaigns:reopen", "post", BARRED, BARRED, AWAY),
    Route("campaigns:journal", "get", BARRED, FREE, FREE),
    Route("campaigns:journal", "post", BARRED, 400, 400),
    Route("campaigns:follow", "get", BARRED, BARRED, FREE),
    Route("campaigns:follow", "post", BARRED, BARRED, 400),
    Route("campaigns:carry-on", "post", HIDDEN, HIDDEN, HIDDEN),
    Route("campaigns:enrol", "get", FREE, FREE, FREE),
    Route("campaigns:enrol", "post", 400, 400, 400),
)  # fmt: skip
ENTRY = (
    Route("campaigns:change-entry", "get", BARRED, FREE, FREE),
    Route("campaigns:change-entry", "post", BARRED, 400, 400),
    Route("campaigns:remove-entry", "post", BARRED, AWAY, BARRED),
)
ENROLMENT = (
    Route("leagues:withdraw", "get", BARRED, FREE, FREE),
    Route("leagues:withdraw", "post", BARRED, AWAY, AWAY),
    Route("campaigns:colour", "get", BARRED, FREE, FREE),
    Route("campaigns:colour", "post", BARRED, 400, 400),
    Route("leagues:latecomer", "post", BARRED, BARRED, AWAY),
)
OFFER = (
    Route("campaigns:offer", "get", HIDDEN, FREE, FREE),
    Route("campaigns:accept-offer", "post", HIDDEN, BARRED, AWAY),
    Route("campaigns:decline-offer", "post", HIDDEN, BARRED, AWAY),
    Route("campaigns:withdraw-offer", "post", HIDDEN, AWAY, BARRED),
)
ROUND = (
    Route("leagues:round", "get", BARRED, BARRED, FREE),
    Route("leagues:round", "post", BARRED, BARRED, 400),
    Route("leagues:add-fixture", "post", BARRED, BARRED, 400),
    Route("leagues:challenge", "post", AWAY, AWAY, AWAY),
    Route("leagues:delete-round", "get", BARRED, BARRED, FREE),
    Route("leagues:delete-round", "post", BARRED, BARRED, AWAY),
)
FIXTURE = (
    Route("leagues:fixture", "get", BARRED, BARRED, FREE),
    Route("leagues:fixture", "post", BARRED, BARRED, 400),
    Route("leagues:walkover", "post", BARRED, BARRED, 400),
    Route("leagues:swap", "post", BARRED, BARRED, 400),
    Route("leagues:link", "get", BARRED, FREE, FREE),
    Route("leagues:link", "post", BARRED, 400, 400),
    Route("leagues:delete-fixture", "post", BARRED, BARRED, AWAY),
    Route("battles:fixture-substitute", "get", BARRED, FREE, FREE),
    Route("battles:fixture-substitute", "post", BARRED, 400, 400),
    Route("battles:fixture-result", "get", BARRED, FREE, FREE),
    Route("battles:fixture-result", "post", BARRED, 400, 400),
)
WARBAND = (
    Route("exchange:warband-passport", "get", BARRED, FREE, FREE),
    Route("warbands:warband", "get", FREE, FREE, FREE),
    Route("warbands:chronicle", "get", FREE, FREE, FREE),
    Route("warbands:roster-csv", "get", FREE, FREE, FREE),
    Route("warbands:spreadsheet", "get", BARRED, FREE, FREE),
    Route("warbands:spreadsheet", "post", BARRED, 400, 400),
    Route("warbands:copy", "get", FREE, FREE, FREE),
    Route("warbands:copy", "post", AWAY, AWAY, AWAY),
    *(
        Route(f"warbands:{form}", "get", BARRED, FREE, FREE)
        for form in ("arrange", "build", "change", "furnish", "posts")
    ),
    Route("warbands:arrange", "post", BARRED, 400, 400),
    Route("warbands:build", "post", BARRED, AWAY, AWAY),
    Route("warbands:change", "post", BARRED, 400, 400),
    Route("warbands:furnish", "post", BARRED, 400, 400),
    Route("warbands:posts", "post", BARRED, AWAY, AWAY),
    Route("campaigns:hand-over", "get", BARRED, FREE, FREE),
    Route("campaigns:hand-over", "post", BARRED, 400, 400),
    Route("warbands:archive", "post", BARRED, AWAY, AWAY),
)
FIGHTER = (
    Route("exchange:fighter-passport", "get", BARRED, FREE, FREE),
    Route("warbands:fighter", "get", FREE, FREE, FREE),
    *(Route(f"warbands:{form}", "get", BARRED, FREE, FREE)
      for form in ("equip", "change-fighter", "leave", "rank-ups")),
    *(Route(f"warbands:{form}", "post", BARRED, 400, 400) for form in ("equip", "change-fighter", "leave")),
    Route("warbands:adjust", "get", BARRED, BARRED, FREE),
    Route("warbands:adjust", "post", BARRED, BARRED, 400),
    Route("warbands:rank-ups", "post", BARRED, FREE, FREE),
    Route("warbands:undo-rank-up", "post", BARRED, AWAY, AWAY),
)  # fmt: skip
BATTLE = (
    Route("battles:battle", "get", FREE, FREE, FREE),
    *(Route(f"battles:{form}", "get", BARRED, FREE, FREE) for form in ("describe", "sheet")),
    Route("battles:describe", "post", BARRED, 400, 400),
    Route("battles:sheet", "post", BARRED, AWAY, AWAY),
    Route("battles:review", "get", BARRED, FREE, FREE),
    Route("battles:table", "get", FREE, FREE, FREE),
    Route("battles:table", "post", BARRED, TOO_LATE, TOO_LATE),
    Route("battles:several", "get", BARRED, FREE, FREE),
    Route("battles:several", "post", BARRED, TOO_LATE, TOO_LATE),
    Route("battles:by-hand", "get", BARRED, FREE, FREE),
    Route("battles:by-hand", "post", BARRED, HIDDEN, HIDDEN),
    Route("battles:undo", "post", BARRED, AWAY, AWAY),
    Route("battles:secret", "post", BARRED, BARRED, BARRED),
    Route("battles:set-up", "get", BARRED, FREE, FREE),
    Route("battles:dice", "get", FREE, FREE, FREE),
    Route("battles:dice-file", "get", FREE, FREE, FREE),
    Route("battles:set-up", "post", BARRED, 400, 400),
    *(
        Route(f"battles:{button}", "post", BARRED, AWAY, AWAY)
        for button in ("start", "submit", "reopen", "count-in")
    ),
    Route("battles:confirm", "post", BARRED, AWAY, AWAY),
    Route("battles:dispute", "post", BARRED, AWAY, AWAY),
    Route("battles:decide", "post", BARRED, BARRED, AWAY),
    Route("battles:correct", "get", BARRED, BARRED, FREE),
    Route("battles:correct", "post", BARRED, BARRED, 400),
    Route("battles:day", "get", BARRED, BARRED, FREE),
    Route("battles:day", "post", BARRED, BARRED, 400),
    Route("battles:void", "get", BARRED, FREE, FREE),
    Route("battles:void", "post", BARRED, 400, 400),
    Route("battles:restore", "get", BARRED, BARRED, FREE),
    Route("battles:restore", "post", BARRED, BARRED, 400),
)
DOCUMENT = (
    Route("documents:document", "get", FREE, FREE, FREE),
    Route("documents:file", "get", HIDDEN, HIDDEN, HIDDEN),
    Route("documents:retry", "post", AWAY, AWAY, AWAY),
)
EXPORT = (
    Route("exchange:export", "get", HIDDEN, HIDDEN, FREE),
    Route("exchange:file", "get", HIDDEN, HIDDEN, AWAY),
)
IMPORT = (
    Route("exchange:import", "get", HIDDEN, HIDDEN, FREE),
    Route("exchange:people", "post", HIDDEN, HIDDEN, AWAY),
    Route("exchange:carry-out", "post", HIDDEN, HIDDEN, AWAY),
)
"""Of the organiser's own, as exports are."""
FOR_MEMBERS = (
    Route("exchange:archives", "get", FREE, FREE, FREE),
    Route("exchange:passports", "get", FREE, FREE, FREE),
    Route("exchange:passports", "post", 400, 400, 400),
    Route("exchange:ask", "get", HIDDEN, HIDDEN, HIDDEN),
    Route("exchange:upload", "get", FREE, FREE, FREE),
    Route("exchange:upload", "post", 400, 400, 400),
    Route("account", "get", FREE, FREE, FREE),
    Route("make-token", "post", 201, 201, 201),
    Route("make-calendar-link", "post", AWAY, AWAY, AWAY),
    Route("revoke-calendar-link", "post", AWAY, AWAY, AWAY),
    Route("home:clubs", "get", FREE, FREE, FREE),
    Route("home:found", "get", FREE, FREE, FREE),
    Route("home:found", "post", 400, 400, 400),
    Route("clubs:accept", "post", HIDDEN, HIDDEN, HIDDEN),
    Route("warbands:muster", "get", FREE, FREE, FREE),
    Route("warbands:muster", "post", 400, 400, 400),
    Route("leagues:plan", "get", FREE, FREE, FREE),
    Route("documents:documents", "get", FREE, FREE, FREE),
    Route("documents:ask", "get", HIDDEN, HIDDEN, HIDDEN),
    Route("home:preferences", "get", FREE, FREE, FREE),
    Route("home:preferences", "post", 400, 400, 400),
    Route("home:add-device", "post", AWAY, AWAY, AWAY),
    Route("home:dismiss", "post", HIDDEN, HIDDEN, HIDDEN),
)
"""Routes without a row: everybody who is signed in gets the same."""
FOR_ALL = ("exchange:keys", "home", "leagues:campaigns", "warbands:warbands", "battles:battles")
SEEN_ELSEWHERE = {
    **dict.fromkeys(("clubs:join", "clubs:join-sign-up"), "test_joining.py"),
    **dict.fromkeys(("home:club-feed", "home:campaign-feed", "home:own-feed"), "test_calendars.py"),
    "warbands:recruit": "test_recruiting.py",
    "warbands:drop-template": "test_builder.py",
    "battles:field": "test_battles.py",
    "battles:substitute": "../battles/test_substitutes.py",
    **dict.fromkeys(
        ("leagues:classic", "leagues:seal", "leagues:final", "leagues:again"),
        "../classic/test_pages.py",
    ),
    "campaigns:begin": "../classic/test_pages.py",
    "battles:strike": "test_battles.py",
    "battles:correct-entry": "test_corrections.py",
    "campaigns:undo-merge": "../campaigns/test_merging_members.py",
    **dict.fromkeys(
        (
            *("leagues:pairings", "leagues:draw-pairings", "leagues:pair-late", "leagues:hall"),
            *("leagues:swap-players", "leagues:move-game", "leagues:publish-pairings"),
            *("leagues:begin-game", "leagues:check-in", "leagues:no-show", "leagues:walk-in"),
            *("leagues:pulse", "leagues:game-result", "leagues:remove-walk-in"),
            *("leagues:wishes", "leagues:door", "leagues:forbid-pair", "leagues:allow-pair"),
        ),
        "test_club_night.py",
    ),
    "revoke-token": "test_account.py",
    **dict.fromkeys(
        (
            f"documents:{subject}-card"
            for subject in ("battle", "campaign", "club", "warband", "fighter")
        ),
        "../documents/test_preview_cards.py",
    ),
    **dict.fromkeys(("club-bot", "revoke-club-token"), "test_bots.py"),
    **dict.fromkeys(
        ("clubs:history", "clubs:import-history", "clubs:count-history", "clubs:undo-history"),
        "../clubs/test_history.py",
    ),
    "theme": "test_theme.py",
    **dict.fromkeys(("search:search", "search:suggestions"), "test_search.py"),
    **dict.fromkeys(
        ("pictures:small", "pictures:large", "pictures:caption", "pictures:remove"), "../pictures"
    ),
    **dict.fromkeys(
        (f"pictures:of-{kind}" for kind in ("fighter", "warband", "club", "battle")), "../pictures"
    ),
    **dict.fromkeys(("robots", "favicon"), "test_robots.py"),
    **dict.fromkeys(
        (
            *(f"leagues:{page}" for page in ("standings-csv", "standings-json", "results-feed")),
            *("leagues:embedded-standings", "search:sitemaps", "search:sitemap", "security"),
        ),
        "test_results_for_other_sites.py",
    ),
    **dict.fromkeys(("service-worker", "off-line"), "test_off_line.py"),
    **dict.fromkeys(("own-data", "own-data-archive", "delete-account"), "test_own_data.py"),
    "outbox:send-again": "../outbox/test_pages.py",
    **dict.fromkeys(
        ("outbox:discord-account", "outbox:discord-interactions"),
        "../outbox/test_interactions.py",
    ),
    "exchange:table": "../exchange/test_exports.py",
    **dict.fromkeys(
        (f"exchange:{name}" for name in ("passport", "take-on", "withdraw", "own-key", "trust")),
        "../exchange/test_passport_faces.py",
    ),
    "home:remove-device": "../home/test_devices.py",
    "home:unsubscribe": "../home/test_unsubscribing.py",
    "home:speak": "../home/test_languages.py",
    **dict.fromkeys(
        ("reference:rulesets", "reference:rules", "reference:ask"), "tests/reference/test_pages.py"
    ),
    **dict.fromkeys(
        ("warbands:from-spreadsheet", "warbands:roster-template"), "test_spreadsheets.py"
    ),
    **dict.fromkeys(
        ("battles:odds", "battles:odds-in-battle"), "tests/reference/test_odds_pages.py"
    ),
}


def our_routes() -> Iterator[tuple[str, URLPattern]]:
    """Yield every route of the pages by its full name.

    The admin site lets only staff in (tests/operations/test_club_use.py).
    """
    for each in get_resolver().url_patterns:
        if str(each.pattern).startswith("admin/"):
            continue
        if isinstance(each, URLPattern) and each.name:
            yield each.name, each
        elif isinstance(each, URLResolver) and each.namespace in APPS:
            for route in each.url_patterns:
                if isinstance(route, URLPattern):
                    yield f"{each.namespace}:{route.name}", route


def test_every_route_says_who_may_ask() -> None:
    for name, pattern in our_routes():
        assert getattr(pattern.callback, "access", None) in ("open", "members"), (
            f"{name} lets everybody in unasked"
        )


def test_every_route_is_tested_against_everybody() -> None:
    rowed = (
        *CLUB,
        *EVENING,
        *MEMBER,
        *INVITATION,
        *WEBHOOK,
        *CAMPAIGN,
        *ENTRY,
        *ROUND,
        *FIXTURE,
        *ENROLMENT,
        *OFFER,
        *WARBAND,
        *FIGHTER,
        *BATTLE,
        *DOCUMENT,
        *EXPORT,
        *IMPORT,
        *FOR_MEMBERS,
    )
    tested = {route.name for route in (*rowed, *FOR_MEMBERS)} | set(FOR_ALL) | set(SEEN_ELSEWHERE)
    assert {name for name, _ in our_routes()} == tested


def check(browsers: Clients, routes: Sequence[Route], key: UUID | None = None) -> None:
    """Request every route about the row, and roll back its changes before the next one.

    Without a row, a stranger or an invalid id cannot be refused.
    """
    everybody = list(browsers)
    assert len(everybody) == 5, "all have signed in before the first question"
    wrong = []
    for route in routes:
        cache.clear()
        with transaction.atomic():
            wrong += [
                f"{route.method} {route.name}: {what}"
                for what in wrong_answers(browsers, route, key)
            ]
            transaction.set_rollback(True)
    assert not wrong, "\n".join(wrong)


def wrong_answers(browsers: Clients, route: Route, key: UUID | None) -> Iterator[str]:
    """Yield what is wrong with the answers to all users.

    The organiser comes last, as the request may change something.
    """
    address = reverse(route.name, args=[key] if key else [])
    nobody = ask(browsers.nobody, route, address)
    if nobody.status_code != 302 or not nobody["Location"].startswith(SIGN_IN):
        yield f"nobody is not sent to sign in but gets {nobody.status_code}"
    gone = (HIDDEN, TOO_LATE) if key and route.player == AWAY else ()
    expected = [
        ("the stranger", browsers.charlie, (HIDDEN,), address),
        ("the reader", browsers.dora, (route.reader,), address),
        ("the player", browsers.bob, (route.player,), address),
        ("the organiser", browsers.alice, (route.organiser, *gone), address),
        ("a bad id", browsers.alice, (HIDDEN,), reverse(route.name, args=[uuid4()]) if key else ""),
    ]
    for who, browser, due, where in expected if key else expected[1:-1]:
        got = ask(browser, route, where).status_code
        if got not in due:
            yield f"{who} gets {got} instead of {due[0]}"


def ask(browser: Client, route: Route, address: str):
    return browser.get(address) if route.method == "get" else browser.post(address, {})


def test_doors_of_a_club(browsers: Clients, club: Club) -> None:
    check(browsers, CLUB, club.pk)


def test_doors_of_an_evening(browsers: Clients, club: Club, alice: User) -> None:
    check(browsers, EVENING, world.evening_of(club, alice).pk)


def test_doors_of_a_member(browsers: Clients, club: Club) -> None:
    check(browsers, MEMBER, Membership.objects.get(club=club, name="bob").pk)


def test_doors_of_an_invitation(browsers: Clients, club: Club, alice: User) -> None:
    check(browsers, INVITATION, invite(club_id=club.pk, user=alice).invitation.pk)


def test_doors_of_a_webhook(browsers: Clients, club: Club, alice: User) -> None:
    webhook = add_webhook(club_id=club.pk, user=alice, name="x", address="https://example.org/")
    check(browsers, WEBHOOK, webhook.pk)


def test_doors_of_a_campaign(browsers: Clients, campaign: Campaign) -> None:
    check(browsers, CAMPAIGN, campaign.pk)


def test_doors_of_an_entry(browsers: Clients, campaign: Campaign, bob: User) -> None:
    check(browsers, ENTRY, write_entry(campaign_id=campaign.pk, user=bob, text="We were there.").pk)


def test_doors_of_an_enrolment(browsers: Clients, campaign: Campaign, haufen: Warband) -> None:
    check(browsers, ENROLMENT, Enrolment.objects.get(campaign=campaign, warband=haufen).pk)


def test_doors_of_an_offer(
    browsers: Clients, campaign: Campaign, haufen: Warband, alice: User, bob: User
) -> None:
    offer = HandOver(warband=haufen, giver=bob, receiver=alice, made_by=bob, made_at=timezone.now())
    offer.save()
    check(browsers, OFFER, offer.pk)


def test_doors_of_a_round(browsers: Clients, campaign: Campaign, alice: User) -> None:
    check(browsers, ROUND, world.paired(campaign, alice).pk)


def test_doors_of_a_fixture(browsers: Clients, campaign: Campaign, alice: User) -> None:
    check(browsers, FIXTURE, world.paired(campaign, alice).fixtures.get().pk)


def test_doors_of_a_warband(browsers: Clients, campaign: Campaign, haufen: Warband) -> None:
    check(browsers, WARBAND, haufen.pk)


def test_doors_of_a_fighter(browsers: Clients, campaign: Campaign, haufen: Warband) -> None:
    check(browsers, FIGHTER, named("Hans").pk)


def test_doors_of_a_battle(browsers: Clients, begun: Battle) -> None:
    check(browsers, BATTLE, begun.pk)


def test_doors_of_a_document(browsers: Clients, campaign: Campaign, document: Document) -> None:
    check(browsers, DOCUMENT, document.pk)


def test_doors_of_an_export(browsers: Clients, club: Club, alice: User) -> None:
    check(browsers, EXPORT, request_export(user=alice, kind=ArchiveKind.CLUB, subject=club.pk).pk)


def test_doors_of_an_import(browsers: Clients, alice: User) -> None:
    brought = upload_archive(
        user=alice, file=ContentFile(b"PK"), size=2, name="club.zip", language=Language.ENGLISH
    )
    check(browsers, IMPORT, brought.pk)


def test_doors_without_a_row(browsers: Clients, club: Club) -> None:
    check(browsers, FOR_MEMBERS)


@pytest.mark.parametrize("name", FOR_ALL)
def test_lists_and_the_first_page_are_open_to_all(browsers: Clients, name: str) -> None:
    assert all(browser.get(reverse(name)).status_code == 200 for browser in browsers)


def test_address_without_id_is_404(browsers: Clients) -> None:
    with pytest.raises(NoReverseMatch):
        reverse("warbands:warband", args=["hans"])
    assert browsers.alice.get("/warbands/hans/").status_code == 404


def test_what_is_public_is_seen_by_all_and_touched_by_nobody_else(
    browsers: Clients, club: Club, alice: User
) -> None:
    browsers.alice.post(
        reverse("home:change-club", args=[club.pk]), {"name": "Open", "visibility": "public"}
    )
    assert browsers.nobody.get(reverse("home:club", args=[club.pk])).status_code == 200
    assert browsers.charlie.get(reverse("home:club", args=[club.pk])).status_code == 200
    assert browsers.charlie.get(reverse("home:change-club", args=[club.pk])).status_code == 403
