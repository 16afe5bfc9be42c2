"""Pages in German: whole sentences, plurals, dates and numbers, and none of it where machines read."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from battles.models import Battle, BattleState
from campaigns.models import Campaign
from tests.pages import world
from tests.pages.conftest import Clients
from warbands.models import Warband

pytestmark = pytest.mark.one_database
SHOT = "/rulesets/en-garde/ask/shot/"


def read(client: Client, address: str) -> str:
    """Return the text of a page in German, with single spaces."""
    answer = client.get(address, headers={"Accept-Language": "de"})
    assert answer.status_code == 200
    return " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split())


def test_german_battle_page_keeps_rulebook_terms(
    browsers: Clients, confirmed: Battle, haufen: Warband
) -> None:
    text = read(browsers.bob, reverse("battles:battle", args=[confirmed.pk]))
    assert "Gefallene und Verletzte" in text and "Bestätigt" in text
    assert "7. März 2026" in text and "Skirmish" in text and "Light wound" in text
    assert "4 in der Aufstellung" in text and "1 Eintrag " in text and "entr" not in text
    listed = read(browsers.bob, f"{reverse('battles:battles')}?state={BattleState.CONFIRMED}")
    assert "7. März 2026" in listed and "gegen" in listed
    chronicle = read(browsers.bob, reverse("warbands:chronicle", args=[haufen.pk]))
    assert (
        "Warb an: Hans, Jörg, Veit und Kunz" in chronicle
        and "Ernannte Hans als Leader" in chronicle
    )


def test_reasons_of_experience_are_german(
    browsers: Clients, confirmed: Battle, haufen: Warband
) -> None:
    fighter = haufen.fighters.order_by("place").last()
    assert fighter is not None
    page = read(browsers.bob, reverse("warbands:fighter", args=[fighter.pk]))
    assert "Hat das Gefecht überlebt" in page and "Survived the battle" not in page


def test_what_is_counted_is_called_alike_at_the_head_of_a_table_and_in_its_cells(
    browsers: Clients, confirmed: Battle
) -> None:
    address = reverse("battles:battle", args=[confirmed.pk])
    page = browsers.bob.get(address, headers={"Accept-Language": "de"}).content.decode()
    heads = set(re.findall(r'<th scope="col" class="n"><abbr title="([^"]+)">', page))
    assert heads == {"Wunden geschlagen", "Erschlagene"}
    assert heads <= set(re.findall(r'data-label="([^"]+)"', page))


def test_forms_their_labels_and_what_they_refuse_are_german(
    browsers: Clients, begun: Battle
) -> None:
    sheet = read(browsers.bob, reverse("battles:sheet", args=[begun.pk]))
    assert "Speichern und Ergebnis prüfen" in sheet and "{name}: Was ist passiert?" not in sheet, (
        "it is an attribute"
    )
    refused = browsers.alice.post(
        reverse("battles:void", args=[begun.pk]),
        {"version": begun.version - 1, "reason": "Regen", "commit": "1"},
        headers={"Accept-Language": "de"},
    )
    assert "Jemand hat dieses Gefecht inzwischen geändert" in refused.content.decode()


def test_a_roster_counts_as_germans_do(
    browsers: Clients, haufen: Warband, campaign: Campaign
) -> None:
    page = read(browsers.bob, reverse("warbands:warband", args=[haufen.pk]))
    assert "Siege–Unent.–Niederl." in page and "Rang" in page
    build = read(browsers.bob, reverse("warbands:build", args=[haufen.pk]))
    assert "4 Kämpfer" in build and "Profile" in build and "regelgerecht" in build
    alone = world.warband_of(haufen.owner, "Allein", "landsknechts", world.LANDSKNECHTS[:1])  # type: ignore[arg-type]
    assert "22 Punkte, 1 Kämpfer" in read(browsers.bob, reverse("warbands:warbands"))
    assert "Allein" in read(browsers.bob, reverse("warbands:warband", args=[alone.pk]))


def test_a_number_has_a_comma_for_people_and_a_point_for_the_drawing(browsers: Clients) -> None:
    body = browsers.bob.get(SHOT, headers={"Accept-Language": "de"}).content.decode()
    assert re.search(r"\d+,\d</td>", body), "percentages to be read"
    assert re.search(r'<rect width="\d+\.\d"', body) and not re.search(r'<rect width="\d+,', body)
