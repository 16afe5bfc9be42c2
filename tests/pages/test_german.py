"""Every room in German: its words, dates, numbers and plurals, and nothing that the catalogue knows
left in English."""

from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext

from battles.models import Battle
from campaigns.models import Campaign
from clubs.models import Club
from documents.models import Document
from scripts.translations import translated
from tests.pages import world
from tests.pages.conftest import Clients
from tests.pages.world import named
from warbands.models import Warband

pytestmark = pytest.mark.one_database

GERMAN = {"Accept-Language": "de"}
OF_BOOKS = frozenset({"At the table", "Victory points"})
"""Which rule systems say as well, in their books' English."""


class Texts(HTMLParser):
    """The texts of a page, each without surrounding white space."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.feed(page)

    def handle_data(self, data: str) -> None:
        self.found.add(" ".join(data.split()))


def english() -> Iterator[str]:
    """Yield the English messages with a different translation that have several words."""
    for message in translated("de"):
        text = message.id if isinstance(message.id, str) else ""
        if " " in text and "%(" not in text and "<" not in text and message.string != text:
            yield text


def german(client: Client, address: str, *texts: str, status: int = 200) -> str:
    """Return a page in German. Check that it has these texts and no English that is translated."""
    answer = client.get(address, headers=GERMAN)
    page = answer.content.decode()
    assert (answer.status_code, answer.headers["Content-Language"]) == (status, "de"), address
    assert [text for text in texts if text not in " ".join(page.split())] == [], address
    assert sorted(Texts(page).found.intersection(english()) - OF_BOOKS) == [], address
    return page


def test_the_house_speaks_german(browsers: Clients, submitted: Battle) -> None:
    german(browsers.nobody, "/", "deines Vereins mit Muster", "Anmelden")
    german(browsers.nobody, reverse("account_login"), "Auf diesem Gerät angemeldet bleiben")
    german(browsers.nobody, reverse("account_signup"), "Konto anlegen")
    german(
        browsers.bob,
        "/",
        "Hallo, bob",
        "alice hat das Ergebnis eingetragen.",
        "Ergebnis prüfen",
        "Seit ",
    )
    german(
        browsers.bob,
        reverse("home:preferences"),
        "E-Mails an mich",
        "Zeitzone",
        "Tägliche E-Mails kommen um 08:00",
    )
    german(browsers.bob, reverse("account"), "Vorname", "Token anlegen")
    german(browsers.bob, "/nowhere/", "Seite nicht gefunden", status=404)


def test_clubs_speak_german(browsers: Clients, club: Club, alice: User, confirmed: Battle) -> None:
    evening = world.evening_of(club, alice)
    with translation.override("de"):
        day = f"{gettext(evening.local_start.strftime('%A'))}, {evening.local_start.day}. "
    german(
        browsers.bob, reverse("home:club", args=[club.pk]), "Nächster Spielabend", day, "Mitglieder"
    )
    german(browsers.bob, reverse("home:clubs"), "3 Mitglieder")
    german(browsers.bob, reverse("home:calendar", args=[club.pk]), "Dein eigener Kalender")
    german(browsers.alice, reverse("home:make-evenings", args=[club.pk]), "Anzahl Wochen")
    german(browsers.alice, reverse("clubs:invite", args=[club.pk]), "Gültig für (Tage)")
    refused = browsers.alice.post(
        reverse("clubs:guest", args=[club.pk]), {"name": "bob"}, headers=GERMAN
    )
    assert "Im Verein gibt es schon ein Mitglied namens bob." in refused.content.decode()


def test_campaigns_speak_german(browsers: Clients, campaign: Campaign, confirmed: Battle) -> None:
    for tab, text in {
        "campaign": "Direkter Vergleich", "warbands": "Gewonnen–unentschieden–verloren", "log": "Alle",
        "standings": "Punkte: 3 für einen Sieg", "honours": "Ehrentafel", "settings": "Kampagneneinstellungen",
    }.items():  # fmt: skip
        german(
            browsers.alice,
            reverse(f"leagues:{tab}", args=[campaign.pk]),
            "300 Punkte",
            "Läuft",
            text,
        )
    for form, text in {
        "change": "Kampagne bearbeiten",
        "scoring": "Klare Siege",
        "house-rules": "Hausregeln",
    }.items():
        german(browsers.alice, reverse(f"campaigns:{form}", args=[campaign.pk]), text, "Abbrechen")


def test_battles_speak_german(browsers: Clients, campaign: Campaign, confirmed: Battle) -> None:
    with translation.override("de"):
        named_month = translation.gettext(confirmed.fought_on.strftime("%B"))
    german(
        browsers.bob,
        reverse("battles:battle", args=[confirmed.pk]),
        f"{confirmed.fought_on.day}. {named_month}",
    )
    german(browsers.bob, reverse("battles:battles"), "Gefechte")
    german(browsers.alice, reverse("leagues:fixtures", args=[campaign.pk]), "Paarungen")
    german(browsers.bob, reverse("leagues:plan"), "Gefecht planen")


def test_warbands_rules_and_documents_speak_german(
    browsers: Clients, haufen: Warband, document: Document
) -> None:
    german(browsers.bob, reverse("warbands:warband", args=[haufen.pk]), "Punkte", "Verlauf")
    german(browsers.bob, reverse("warbands:fighter", args=[named("Hans").pk]), "Erfahrung")
    german(browsers.bob, reverse("reference:rulesets"), "Regeln")
    german(browsers.bob, reverse("documents:documents"), "Dokumente")
