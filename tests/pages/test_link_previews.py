"""Titles, descriptions and link previews of pages."""

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client

from battles.models import Battle
from campaigns.models import Campaign
from core.users import Visibility
from tests.conftest import browser_of
from warbands.models import Warband

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def meta(html: str, name: str) -> str:
    """Return the content of a meta tag, or "" if there is none."""
    match = re.search(rf'<meta (?:name|property)="{name}" content="([^"]*)"', html)
    return unescape(match[1]) if match else ""


def test_public_campaign_has_link_preview(client: Client, campaign: Campaign) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(
        visibility=Visibility.PUBLIC, name='The "Long" Winter <1600>'
    )
    html = client.get(f"/campaigns/{campaign.pk}/").content.decode()
    assert meta(html, "og:title") == 'The "Long" Winter <1600>'
    assert meta(html, "og:description") == meta(html, "description") != ""
    assert campaign.club.name in meta(html, "description")
    assert meta(html, "og:url") == f"http://testserver/campaigns/{campaign.pk}/"
    assert meta(html, "og:image") == f"http://testserver/campaigns/{campaign.pk}/card.png"
    assert meta(html, "twitter:card") == "summary_large_image"


def test_public_battle_names_both_sides_in_its_preview(
    client: Client, campaign: Campaign, planned: Battle
) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(visibility=Visibility.PUBLIC)
    html = client.get(f"/battles/{planned.pk}/").content.decode()
    first, second = planned.sides.select_related("warband").order_by("place")
    title = meta(html, "og:title")
    assert title.endswith(f": {first.warband.name} – {second.warband.name}")
    assert "\n" not in title and "  " not in title


def test_member_page_has_no_link_preview(bob: User, haufen: Warband) -> None:
    html = browser_of(bob).get(f"/warbands/{haufen.pk}/").content.decode()
    assert meta(html, "description") and not meta(html, "og:title")


def test_stranger_finds_create_account_in_masthead(client: Client) -> None:
    html = client.get("/campaigns/").content.decode()
    masthead = html.partition("</header>")[0]
    assert "Create account" in masthead and "/accounts/signup/" in masthead
