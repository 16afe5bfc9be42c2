"""Link previews of battles, and what strangers learn from the previews of each page."""

import re
from html import unescape

import pytest
from celery import current_app
from django.contrib.auth.models import User
from django.test import Client

from battles.models import Battle
from campaigns.models import Campaign
from clubs.models import Club
from core.users import Visibility
from documents import tasks
from documents.models import Document, DocumentKind, Paper
from documents.services.rendering import render_document
from tests.conftest import browser_of
from tests.documents.conftest import ask, made
from warbands.models import Warband

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

META = re.compile(r'<meta (?:name|property)="([^"]*)" content="([^"]*)"')


def preview(html: str) -> dict[str, str]:
    """Return the description and the tags of link previews of a page, by name."""
    tags = {name: unescape(content) for name, content in META.findall(html)}
    return {
        name: content
        for name, content in tags.items()
        if name == "description" or name.startswith(("og:", "twitter:"))
    }


def queue_of(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[str]]]:
    """Return the list that collects what is sent to workers from now on."""
    queued: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(
        current_app, "send_task", lambda name, arguments, **_: queued.append((name, arguments))
    )
    return queued


def test_public_battle_has_its_result_card(
    client: Client, battle: Battle, monkeypatch: pytest.MonkeyPatch
) -> None:
    queued = queue_of(monkeypatch)
    Campaign.objects.update(visibility=Visibility.PUBLIC)
    html = client.get(f"/battles/{battle.pk}/").text
    shown = client.get(f"/campaigns/{battle.campaign_id}/card.png")
    assert shown.headers["Location"] == f"/battles/{battle.pk}/card.png?{battle.version}"
    path = f"/battles/{battle.pk}/card.png"
    assert preview(html)["og:image"] == f"http://testserver{path}?{battle.version}"
    # Without a card strangers get the placeholder, and the work is queued once.
    for _ in range(3):
        answer = client.get(path)
        assert answer.status_code == 302 and "/static/" in answer.headers["Location"]
        assert answer.headers["Cache-Control"] == "no-store"
    assert queued == [("documents.tasks.preview_card", [str(battle.pk), "en"])]
    tasks.preview_card(*queued[0][1])
    tasks.preview_card(*queued[0][1])
    render_document(Document.objects.get().pk)
    answer = client.get(path)
    assert answer.headers["Content-Type"] == "image/png"
    assert answer.headers["Cache-Control"] == "public, max-age=600"
    assert b"".join(answer).startswith(b"\x89PNG")


def test_confirmed_public_battle_gets_a_card(battle: Battle) -> None:
    tasks.refresh_battle(str(battle.pk))
    assert not Document.objects.filter(kind=DocumentKind.RESULT_CARD).exists()
    Campaign.objects.update(visibility=Visibility.PUBLIC)
    tasks.refresh_battle(str(battle.pk))
    tasks.refresh_battle(str(battle.pk))
    assert Document.objects.filter(kind=DocumentKind.RESULT_CARD, paper=Paper.WIDE).count() == 1


def test_card_of_private_battle_is_hidden(
    client: Client, alice: User, battle: Battle, monkeypatch: pytest.MonkeyPatch
) -> None:
    queued = queue_of(monkeypatch)
    made(ask(alice, DocumentKind.RESULT_CARD, battle.pk, Paper.WIDE))
    queued.clear()
    path = f"/battles/{battle.pk}/card.png"
    assert client.get(path).status_code == 404
    assert browser_of(alice).get(path).status_code == 404
    assert queued == []


NAMES = ("Secret Club", "Secret Winter", "Secret Brawl", "Secret Reds")


@pytest.mark.parametrize("visibility", Visibility.values)
def test_previews_name_only_what_strangers_may_read(
    client: Client, club: Club, campaign: Campaign, battle: Battle, reds: Warband, visibility: str
) -> None:
    Club.objects.update(name=NAMES[0], visibility=visibility)
    Campaign.objects.update(name=NAMES[1], visibility=visibility)
    Battle.objects.update(title=NAMES[2])
    Warband.objects.update(name=NAMES[3], visibility=visibility)
    fighter = reds.fighters.order_by("pk")[0]
    pages = {
        f"/clubs/{club.pk}/": NAMES[0],
        f"/campaigns/{campaign.pk}/": NAMES[1],
        f"/campaigns/{campaign.pk}/standings/": NAMES[1],
        f"/battles/{battle.pk}/": NAMES[2],
        f"/warbands/{reds.pk}/": NAMES[3],
        f"/fighters/{fighter.pk}/": fighter.name,
    }
    for address, name in pages.items():
        answer = client.get(address, follow=True)
        tags = preview(answer.text)
        if answer.redirect_chain:
            assert address not in "".join(tags.values())
            assert "Secret" not in answer.text and fighter.name not in answer.text
            continue
        assert visibility != Visibility.PRIVATE
        assert name in tags["og:title"], address
        assert tags["og:url"] == f"http://testserver{address}"
        assert tags["og:description"] == tags["description"] != ""
        assert tags["og:image"].startswith("http://testserver/")
        assert tags["twitter:card"] == "summary_large_image"
        # Browsers ask for no login at the picture either.
        picture = client.get(tags["og:image"].removeprefix("http://testserver"))
        assert "/login/" not in picture.headers.get("Location", "")
    if visibility == Visibility.PUBLIC:
        assert all(not client.get(address).headers.get("Location") for address in pages)
