"""Every page is well made: one heading, landmarks, labels, ids once, nothing inline, nothing from
elsewhere."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.urls import reverse

from battles.models import Battle
from clubs.models import Club
from documents.models import Document
from tests.pages import world
from tests.pages.conftest import Clients
from tests.pages.markup import faults
from tests.pages.world import named
from warbands.models import Warband

pytestmark = pytest.mark.one_database

PLAIN = (
    "home", "account", "home:clubs", "home:found", "leagues:campaigns", "warbands:warbands",
    "warbands:muster", "battles:battles", "leagues:plan", "documents:documents", "account_login",
    "account_reset_password", "account_change_password", "account_email", "mfa_index", "account_logout",
    "home:preferences", "exchange:archives", "exchange:upload",
)  # fmt: skip
OF_A_CLUB = (
    "home:club", "home:seasons", "home:change-club", "home:calendar", "home:make-evenings",
    "clubs:guest", "clubs:invite", "clubs:invitations", "campaigns:plan",
)  # fmt: skip
OF_AN_EVENING = ("evening", "change-evening", "cancel-evening")
OF_A_CAMPAIGN = (
    "leagues:campaign", "leagues:warbands", "leagues:log", "leagues:standings", "leagues:settings",
    "leagues:honours", "campaigns:journal", "campaigns:change", "campaigns:scoring",
    "campaigns:house-rules", "campaigns:enrol", "battles:campaign",
)  # fmt: skip
OF_A_WARBAND = ("warband", "chronicle", "change", "copy", "build", "furnish", "posts")
OF_A_FIGHTER = ("fighter", "equip", "change-fighter", "leave", "adjust", "rank-ups")


def well_made(browsers: Clients, name: str, *args: Any, query: str = "") -> None:
    page = browsers.alice.get(reverse(name, args=args) + query, follow=name == "account_login")
    assert page.status_code == 200
    assert list(faults(page.content.decode())) == [], name


@pytest.mark.parametrize("name", PLAIN)
def test_pages_without_a_subject_are_well_made(browsers: Clients, club: Club, name: str) -> None:
    well_made(browsers, name)


@pytest.mark.parametrize(
    "name", ["home", "account_login", "account_signup", "warbands:warbands", "battles:battles"]
)
def test_pages_for_strangers_are_well_made(browsers: Clients, db: None, name: str) -> None:
    assert list(faults(browsers.nobody.get(reverse(name)).content.decode())) == []


def test_pages_of_a_club_are_well_made(
    browsers: Clients, club: Club, alice: User, confirmed: Battle
) -> None:
    evening = world.evening_of(club, alice, place="The cellar", note="Mind the step")
    for name in OF_A_CLUB:
        well_made(browsers, name, club.pk)
    for name in OF_AN_EVENING:
        well_made(browsers, f"home:{name}", evening.pk)


def test_pages_of_a_campaign_are_well_made(browsers: Clients, confirmed: Battle) -> None:
    for name in OF_A_CAMPAIGN:
        well_made(browsers, name, confirmed.campaign_id)


def test_pages_of_a_warband_are_well_made(
    browsers: Clients, confirmed: Battle, haufen: Warband
) -> None:
    for name in OF_A_WARBAND:
        well_made(browsers, f"warbands:{name}", haufen.pk)
    for view in ("list", "print"):
        well_made(browsers, "warbands:warband", haufen.pk, query=f"?view={view}")
    well_made(browsers, "warbands:recruit", haufen.pk, "landsknechts", "doppelsoldner")


def test_pages_of_a_fighter_are_well_made(browsers: Clients, confirmed: Battle) -> None:
    for name in OF_A_FIGHTER:
        well_made(browsers, f"warbands:{name}", named("Hans").pk)


def test_the_form_of_a_custom_fighter_is_well_made(browsers: Clients, alice: User) -> None:
    custom = world.warband_of(alice, "Die Freien", "custom", [("rank-3", "Wolf")])
    well_made(browsers, "warbands:recruit", custom.pk, "custom", "rank-2")
    well_made(browsers, "warbands:furnish", custom.pk)


@pytest.mark.parametrize("state", ["planned", "begun", "submitted", "confirmed"])
def test_pages_of_a_battle_are_well_made_in_every_state(
    browsers: Clients, request: pytest.FixtureRequest, state: str
) -> None:
    battle = request.getfixturevalue(state)
    well_made(browsers, "battles:battle", battle.pk)
    well_made(browsers, "battles:describe", battle.pk)
    well_made(browsers, "battles:void", battle.pk)


def test_forms_of_a_battle_are_well_made(browsers: Clients, begun: Battle) -> None:
    well_made(browsers, "battles:sheet", begun.pk)
    well_made(browsers, "battles:review", begun.pk)
    well_made(browsers, "battles:field", begun.pk, "a")
    well_made(browsers, "leagues:plan", query=f"?campaign={begun.campaign_id}&scenario=occupy")


def test_a_correction_is_well_made(browsers: Clients, confirmed: Battle) -> None:
    well_made(browsers, "battles:correct", confirmed.pk)
    sent = {"version": confirmed.version, "reason": "Not so", "strike": "1", "look": "1"}
    page = browsers.alice.post(reverse("battles:correct", args=[confirmed.pk]), sent)
    assert list(faults(page.content.decode())) == []


def test_pages_of_a_document_are_well_made(
    browsers: Clients, confirmed: Battle, document: Document
) -> None:
    well_made(browsers, "documents:document", document.pk)
    well_made(browsers, "documents:ask", query=f"?kind=roster&subject={document.subject}")


def test_a_form_full_of_mistakes_is_well_made_and_sums_them_up(
    browsers: Clients, club: Club
) -> None:
    page = browsers.alice.post(reverse("campaigns:plan", args=[club.pk]), {})
    body = page.content.decode()
    assert list(faults(body)) == []
    assert 'role="alert"' in body and 'href="#id_name"' in body
    assert 'aria-invalid="true"' in body


def test_errors_are_well_made(browsers: Clients, club: Club) -> None:
    for page in (
        browsers.alice.get("/nowhere/"),
        browsers.bob.get(reverse("home:change-club", args=[club.pk])),
    ):
        assert list(faults(page.content.decode())) == []


# Colours

TOKENS = Path(settings.BASE_DIR) / "static" / "site" / "css" / "tokens.css"
READ_ON = ("--paper", "--paper-raised", "--paper-sunk")
INKS = (
    *("--ink", "--ink-soft", "--oxblood", "--oxblood-deep", "--verdigris", "--ochre", "--slate"),
    *("--winner", "--danger", "--badge"),
)
STATES = ("--danger", "--verdigris", "--ochre", "--slate")
WASHED = (
    *((ink, ink.replace("--", "--wash-")) for ink in STATES),
    *(("--ink", ink.replace("--", "--wash-")) for ink in STATES),
    ("--ink-soft", "--wash-ochre"),
    ("--on-seal", "--seal"),
    ("--on-seal", "--seal-deep"),
    ("--on-badge", "--badge"),
    ("--on-badge", "--badge-deep"),
)


def palette(dark: bool) -> dict[str, str]:
    both = re.findall(
        r"(--[a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", TOKENS.read_text()
    )
    return {name: colours[dark] for name, *colours in both}


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, other: str) -> float:
    high, low = sorted((luminance(first), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_reckoned_as_wcag_does() -> None:
    assert round(contrast("#000000", "#ffffff"), 1) == 21.0
    assert round(contrast("#767676", "#ffffff"), 2) == 4.54


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_ink_can_be_read_on_every_paper(dark: bool) -> None:
    colours = palette(dark)
    pairs = [(ink, paper) for ink in INKS for paper in READ_ON] + list(WASHED)
    poor = {pair: round(contrast(colours[pair[0]], colours[pair[1]]), 2) for pair in pairs}
    assert {pair: ratio for pair, ratio in poor.items() if ratio < 4.5} == {}


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_brand_winner_danger_and_badge_differ(dark: bool) -> None:
    colours = palette(dark)
    roles = ("--oxblood", "--winner", "--danger", "--badge")
    assert len({colours[role] for role in roles}) == len(roles)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_edges_of_controls_and_the_focus_can_be_seen(dark: bool) -> None:
    colours = palette(dark)
    for mark in ("--edge", "--focus", "--seal"):
        for paper in READ_ON:
            assert contrast(colours[mark], colours[paper]) >= 3, (mark, paper)
