"""Link previews of battles, and what strangers learn from the previews of each page."""

import re
from html import unescape
from io import BytesIO
from typing import Any
from uuid import UUID

import pytest
from celery import current_app
from django.contrib.auth.models import AnonymousUser, User
from django.core.cache import cache
from django.test import Client
from django.utils import timezone, translation
from PIL import Image

from battles.models import Battle
from campaigns.models import Campaign
from clubs.models import Club
from core.users import Visibility
from documents import tasks
from documents.content.link_cards import LinkSubject, link_card
from documents.models import Document, DocumentKind, Paper
from documents.services import link_cards
from documents.services.rendering import render_document
from tests.conftest import browser_of
from tests.documents.conftest import ask, made
from warbands.models import Warband
from warbands.selectors.crests import crests_of

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
    tasks.refresh_battle(str(battle.pk), timezone.now().isoformat())
    assert not Document.objects.filter(kind=DocumentKind.RESULT_CARD).exists()
    Campaign.objects.update(visibility=Visibility.PUBLIC)
    tasks.refresh_battle(str(battle.pk), timezone.now().isoformat())
    tasks.refresh_battle(str(battle.pk), timezone.now().isoformat())
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


@pytest.fixture
def worker_at_once(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Run tasks where they are sent, and return the list that collects the languages of cards."""
    queued: list[str] = []

    def run(name: str, arguments: list[str], **_: object) -> None:
        if name == link_cards.MAKE:
            queued.append(arguments[-1])
            tasks.link_card(*arguments)

    monkeypatch.setattr(current_app, "send_task", run)
    return queued


@pytest.fixture
def cards(club: Club, campaign: Campaign, battle: Battle, reds: Warband) -> dict[LinkSubject, UUID]:
    """Return a row for each kind of card."""
    return {
        LinkSubject.CAMPAIGN: campaign.pk,
        LinkSubject.CLUB: club.pk,
        LinkSubject.WARBAND: reds.pk,
        LinkSubject.FIGHTER: reds.fighters.order_by("pk")[0].pk,
    }


@pytest.mark.parametrize("subject", LinkSubject)
def test_first_request_gets_the_card_in_its_language(
    client: Client, cards: dict[LinkSubject, UUID], worker_at_once: list[str], subject: LinkSubject
) -> None:
    for model in (Club, Campaign, Warband):
        model.objects.update(visibility=Visibility.PUBLIC)
    path = f"/{subject}s/{cards[subject]}/card.png"
    first = client.get(path)
    assert (first.status_code, first.headers["Content-Type"]) == (200, "image/png")
    assert first.headers["Cache-Control"] == "public, max-age=600"
    with Image.open(BytesIO(first.content)) as picture:
        assert picture.size == (1200, 630)
    german = client.get(path, headers={"Accept-Language": "de"})
    assert german.headers["Content-Type"] == "image/png"
    assert client.get(path).content == first.content
    assert worker_at_once == ["en", "de"]


def test_labels_of_a_card_are_translated(cards: dict[LinkSubject, UUID]) -> None:
    Warband.objects.update(visibility=Visibility.PUBLIC)
    with translation.override("de"):
        content = link_card(LinkSubject.WARBAND, cards[LinkSubject.WARBAND])
    assert content and content.figures[0].label == "Gewonnen"


def test_card_is_made_again_with_the_same_bytes_or_after_a_change(
    client: Client, reds: Warband, worker_at_once: list[str]
) -> None:
    Warband.objects.update(visibility=Visibility.PUBLIC)
    path = f"/warbands/{reds.pk}/card.png"
    first = client.get(path).content
    cache.clear()
    assert client.get(path).content == first
    Warband.objects.filter(pk=reds.pk).update(points=999)
    assert client.get(path).content != first
    assert len(worker_at_once) == 3


def test_missing_card_is_queued_once_and_replaced_by_a_placeholder(
    client: Client, reds: Warband, monkeypatch: pytest.MonkeyPatch
) -> None:
    queued = queue_of(monkeypatch)
    monkeypatch.setattr(link_cards, "PATIENCE", 0.1)
    Warband.objects.update(visibility=Visibility.PUBLIC)
    for _ in range(3):
        answer = client.get(f"/warbands/{reds.pk}/card.png")
        assert answer.status_code == 302 and "/static/" in answer.headers["Location"]
        assert answer.headers["Cache-Control"] == "no-store"
    assert queued == [(link_cards.MAKE, ["warband", str(reds.pk), "en"])]


@pytest.mark.parametrize("subject", LinkSubject)
def test_private_row_has_no_card(
    client: Client,
    alice: User,
    cards: dict[LinkSubject, UUID],
    worker_at_once: list[str],
    subject: LinkSubject,
) -> None:
    path = f"/{subject}s/{cards[subject]}/card.png"
    for visitor in (client, browser_of(alice)):
        assert visitor.get(path).status_code == 404
    # A task that was queued while it was public makes nothing either.
    tasks.link_card(subject.value, str(cards[subject]), "en")
    assert worker_at_once == []


def test_card_names_no_private_campaign_or_battle(
    club: Club, campaign: Campaign, battle: Battle, reds: Warband
) -> None:
    Campaign.objects.update(name="Secret Winter")
    for model in (Club, Warband):
        model.objects.update(visibility=Visibility.PUBLIC)
    fighter = reds.fighters.order_by("pk")[0].pk
    for subject, key in (
        (LinkSubject.CLUB, club.pk),
        (LinkSubject.WARBAND, reds.pk),
        (LinkSubject.FIGHTER, fighter),
    ):
        content = link_card(subject, key)
        assert content is not None and "Secret" not in str(content)
    club_card = link_card(LinkSubject.CLUB, club.pk)
    assert club_card and [figure.value for figure in club_card.figures] == ["0", "0"]
    Campaign.objects.update(visibility=Visibility.PUBLIC)
    club_card = link_card(LinkSubject.CLUB, club.pk)
    assert club_card and [figure.value for figure in club_card.figures] == ["1", "1"]
    warband_card = link_card(LinkSubject.WARBAND, reds.pk)
    assert warband_card and "Secret Winter" in warband_card.line


def test_arms_of_a_card_are_the_arms_of_the_warband_page(reds: Warband) -> None:
    Warband.objects.update(visibility=Visibility.PUBLIC)
    fighter = reds.fighters.order_by("pk")[0].pk
    crest = crests_of([reds.pk], AnonymousUser())[reds.pk]
    for subject, key in ((LinkSubject.WARBAND, reds.pk), (LinkSubject.FIGHTER, fighter)):
        content = link_card(subject, key)
        assert content and (content.arms, content.colour) == (crest.seed, crest.colour)


@pytest.mark.parametrize("subject", LinkSubject)
def test_content_of_a_card_takes_few_queries(
    cards: dict[LinkSubject, UUID], subject: LinkSubject, django_assert_max_num_queries: Any
) -> None:
    for model in (Club, Campaign, Warband):
        model.objects.update(visibility=Visibility.PUBLIC)
    with django_assert_max_num_queries(8):
        assert link_card(subject, cards[subject])


NAMES = ("Secret Club", "Secret Winter", "Secret Brawl", "Secret Reds")


@pytest.mark.parametrize("visibility", Visibility.values)
def test_previews_name_only_what_strangers_may_read(
    client: Client,
    club: Club,
    campaign: Campaign,
    battle: Battle,
    reds: Warband,
    visibility: str,
    worker_at_once: list[str],
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
        if not address.startswith("/battles/"):
            assert picture.headers["Content-Type"] == "image/png", address
    if visibility == Visibility.PUBLIC:
        assert all(not client.get(address).headers.get("Location") for address in pages)
