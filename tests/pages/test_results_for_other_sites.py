"""Standings and results that other sites read: CSV, JSON, an Atom feed, and the sitemap."""

import csv
from io import StringIO
from typing import Any
from uuid import uuid4
from xml.etree import ElementTree as ET

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from battles.models import Battle
from battles.services.corrections import Correction, correct_battle
from campaigns.models import Campaign
from core.users import Visibility
from tests.battles.field import struck
from warbands.models import Warband

pytestmark = pytest.mark.one_database
ATOM = "{http://www.w3.org/2005/Atom}"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


@pytest.fixture
def public(campaign: Campaign) -> Campaign:
    Campaign.objects.filter(pk=campaign.pk).update(visibility=Visibility.PUBLIC)
    return campaign


def entries(client: Client, campaign: Campaign) -> list[dict[str, str]]:
    """Return the entries of the feed: the text of each part, and the address of the link."""
    answer = client.get(reverse("leagues:results-feed", args=[campaign.pk]))
    assert (answer.status_code, answer["Content-Type"]) == (
        200,
        "application/atom+xml; charset=utf-8",
    )
    feed = ET.fromstring(answer.content)
    return [
        {part.tag.removeprefix(ATOM): part.get("href") or part.text or "" for part in entry}
        for entry in feed.iter(f"{ATOM}entry")
    ]


def test_anybody_reads_the_standings_of_a_public_campaign(
    client: Client, public: Campaign, confirmed: Battle
) -> None:
    answer = client.get(f"/campaigns/{public.pk}/standings.json")
    table: dict[str, Any] = answer.json()
    assert table["campaign"] == public.name
    assert {row["warband"] for row in table["rows"]} == set(
        public.enrolments.values_list("warband__name", flat=True)
    )
    file = b"".join(client.get(f"/campaigns/{public.pk}/standings.csv")).decode("utf-8-sig")
    rows = list(csv.DictReader(StringIO(file)))
    assert [
        {**row, "player": each["player"]} for row, each in zip(rows, table["rows"], strict=True)
    ] == [{key: str(value) for key, value in row.items()} for row in table["rows"]]


def test_formulas_in_names_stay_text(client: Client, public: Campaign, confirmed: Battle) -> None:
    Warband.objects.filter(enrolments__campaign=public).update(name="=1+1")
    file = b"".join(client.get(f"/campaigns/{public.pk}/standings.csv")).decode()
    assert "=1+1" in file
    assert ",=1+1" not in file


def test_feed_has_each_result_and_follows_corrections(
    client: Client, public: Campaign, confirmed: Battle, alice: User
) -> None:
    [entry] = entries(client, public)
    assert entry["link"] == f"http://testserver/battles/{confirmed.pk}/"
    for side in confirmed.sides.select_related("warband"):
        assert side.warband.name in entry["summary"]
    correct_battle(
        battle_id=confirmed.pk, user=alice, correction=Correction((struck(1),), "It was misread.")
    )
    [later] = entries(client, public)
    assert later["updated"] > entry["updated"]
    assert later["id"] == entry["id"]


FILES = (
    "/campaigns/{}/standings.csv",
    "/campaigns/{}/standings.json",
    "/campaigns/{}/results.atom",
    "/campaigns/{}/card.png",
    "/embed/campaigns/{}/",
)


@pytest.mark.parametrize("file", FILES)
def test_files_of_private_and_unknown_campaigns_are_not_found(
    client: Client, charlie: User, campaign: Campaign, confirmed: Battle, file: str
) -> None:
    # Programs fetch these: a redirect to the sign-in page would be a table full of HTML.
    for key in (campaign.pk, uuid4()):
        assert client.get(file.format(key)).status_code == 404
    client.force_login(charlie)
    assert client.get(file.format(campaign.pk)).status_code == 404


def test_sitemap_lists_public_pages_only(
    client: Client, campaign: Campaign, confirmed: Battle
) -> None:
    def listed() -> set[str]:
        index = ET.fromstring(client.get("/sitemap.xml").content)
        files = [place.text or "" for place in index.iter(f"{SITEMAP}loc")]
        return {
            place.text or ""
            for file in files
            for place in ET.fromstring(client.get(file).content).iter(f"{SITEMAP}loc")
        }

    pages = {
        f"http://testserver/campaigns/{campaign.pk}/",
        f"http://testserver/battles/{confirmed.pk}/",
    }
    assert not pages & listed()
    assert "http://testserver/rulesets/wards/" in listed()
    Campaign.objects.filter(pk=campaign.pk).update(visibility=Visibility.PUBLIC)
    assert pages <= listed()


def test_security_contact_is_shown_if_it_is_set(client: Client, settings: Any, db: None) -> None:
    address = "/.well-known/security.txt"
    assert client.get(address).status_code == 404
    settings.SECURITY_CONTACT = "mailto:security@example.org"
    text = client.get(address).content.decode()
    assert "Contact: mailto:security@example.org\n" in text
    assert "\nExpires: 20" in text


def test_only_the_table_of_a_public_campaign_may_be_framed(
    client: Client, campaign: Campaign, confirmed: Battle, alice: User
) -> None:
    address = f"/embed/campaigns/{campaign.pk}/"
    client.force_login(alice)
    assert client.get(address).status_code == 404
    Campaign.objects.filter(pk=campaign.pk).update(visibility=Visibility.PUBLIC)
    client.logout()
    for _ in range(2):
        # The second answer is a copy.
        answer = client.get(address)
        assert answer.status_code == 200
        assert "X-Frame-Options" not in answer
        assert "frame-ancestors *" in answer["Content-Security-Policy"]
        html = answer.content.decode()
        assert "<form" not in html
        for name in campaign.enrolments.values_list("warband__name", flat=True):
            assert name in html
    usual = client.get(f"/campaigns/{campaign.pk}/standings/")
    assert usual["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in usual["Content-Security-Policy"]


def test_names_in_the_feed_are_text(client: Client, public: Campaign, confirmed: Battle) -> None:
    Warband.objects.filter(enrolments__campaign=public).update(name="<b>Bold</b>")
    [entry] = entries(client, public)
    assert "&lt;b&gt;Bold&lt;/b&gt;" in entry["summary"]
    assert "<b>" not in entry["summary"]
