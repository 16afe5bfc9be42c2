"""Result cards, certificates, memorial cards and the histories of warbands."""

from io import BytesIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client, RequestFactory
from django.urls import reverse
from PIL import Image

from battles.models import Battle
from campaigns.models import Campaign, CampaignState
from campaigns.services.campaigns import finish_campaign
from core.errors import InvalidInput
from core.users import Visibility
from documents.content.documents import (
    CampaignSummary,
    Certificates,
    MemorialCard,
    ResultCard,
    WarbandBook,
)
from documents.content.print_jobs import plans
from documents.content.registry import read_content
from documents.downloads import file_answer
from documents.models import Document, DocumentKind, Paper
from documents.selectors.result_cards import newest_result_card
from documents.services.rendering import file_of
from documents.services.requesting import refresh_documents
from tests.battles import field
from tests.documents import samples
from tests.documents.conftest import ask, made, subject_of
from tests.documents.reading_pdfs import pages, printed, text
from warbands.models import Warband

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def refusal(kind: DocumentKind, subject: Any) -> str:
    """Return why such a document cannot be printed."""
    with pytest.raises(InvalidInput) as error:
        read_content(kind, subject)
    assert (error.value.code, error.value.field) == ("nothing-to-print", "subject")
    return error.value.sentence


def card_of(battle: Battle) -> ResultCard:
    content = read_content(DocumentKind.RESULT_CARD, battle.pk)
    assert isinstance(content, ResultCard)
    return content


def book_of(warband: Warband) -> WarbandBook:
    content = read_content(DocumentKind.HISTORY, warband.pk)
    assert isinstance(content, WarbandBook)
    return content


@pytest.mark.parametrize(
    ("paper", "size"), [(Paper.WIDE, (1200, 630)), (Paper.SQUARE, (1080, 1080))]
)
def test_result_card_is_a_picture_of_its_size(
    paper: Paper, size: tuple[int, int], alice: User, battle: Battle
) -> None:
    document = made(ask(alice, DocumentKind.RESULT_CARD, battle.pk, paper))
    with document.file.open("rb") as file:
        data = file.read()
    with Image.open(BytesIO(data)) as picture:
        assert (picture.format, picture.size) == ("PNG", size)
        assert "Reds" in picture.info["Description"]
    assert (document.state, document.pages, document.size) == ("ready", 1, len(data))
    assert str(document.file.name).endswith(".png")
    answer = file_answer(RequestFactory().get("/"), document)
    assert answer.headers["Content-Type"] == "image/png"
    assert 'filename="Brawl - Result card.png"' in answer.headers["Content-Disposition"]


def test_result_card_page_offers_its_formats_and_downloads_a_picture(
    client: Client, alice: User, battle: Battle
) -> None:
    client.force_login(alice)
    address = f"{reverse('documents:ask')}?kind=result-card&subject={battle.pk}"
    page = client.get(address).content.decode()
    assert "Result card as PNG" in page
    assert 'value="Square"' in page
    assert 'value="A4"' not in page
    document = made(ask(alice, DocumentKind.RESULT_CARD, battle.pk))
    assert "Download PNG" in client.get(reverse("documents:document", args=[document.pk])).text
    file = client.get(reverse("documents:file", args=[document.pk]))
    assert file.headers["Content-Type"] == "image/png"
    assert ".png" in file.headers["Content-Disposition"]


def test_result_card_has_score_sentence_and_sides(battle: Battle) -> None:
    card = card_of(battle)
    assert [(side.warband, side.player, side.outcome) for side in card.sides] == [
        ("Reds", "alice", "won"),
        ("Blues", "bob", "lost"),
    ]
    assert (card.campaign, card.fought_on) == ("The Long Winter", "2026-03-07")
    story = read_content(DocumentKind.BATTLE, battle.pk).battle.told
    assert card.sentence == story.paragraphs[0][0].sentence


def test_result_card_needs_a_confirmed_battle(battle: Battle) -> None:
    Battle.objects.filter(pk=battle.pk).update(state="submitted")
    assert "Confirm the result" in refusal(DocumentKind.RESULT_CARD, battle.pk)


def test_result_card_of_many_sides_lists_all() -> None:
    names = ("Reds", "Blues", "Greens", samples.LONG)
    words = text(printed(samples.result_card(*names), "Wide").pdf)
    assert all(name.split()[-1] in words for name in names)


def test_newest_card_is_only_a_ready_one(alice: User, battle: Battle) -> None:
    assert newest_result_card(battle.pk) is None
    square = made(ask(alice, DocumentKind.RESULT_CARD, battle.pk, Paper.SQUARE))
    wide = made(ask(alice, DocumentKind.RESULT_CARD, battle.pk))
    assert newest_result_card(battle.pk) == wide
    assert newest_result_card(battle.pk, paper=Paper.SQUARE) == square
    assert len(refresh_documents(DocumentKind.RESULT_CARD, battle.pk, add_plain=False)) == 2
    assert newest_result_card(battle.pk) is None


def test_refreshing_a_battle_without_cards_adds_none(battle: Battle) -> None:
    assert refresh_documents(DocumentKind.RESULT_CARD, battle.pk, add_plain=False) == []
    assert not Document.objects.exists()


def test_certificates_need_a_finished_campaign(battle: Battle, campaign: Campaign) -> None:
    assert "Finish the campaign" in refusal(DocumentKind.CERTIFICATE, campaign.pk)


def test_certificates_need_a_champion(campaign: Campaign) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.FINISHED)
    assert "Nobody won" in refusal(DocumentKind.CERTIFICATE, campaign.pk)


def test_certificates_are_for_the_champion_and_honours(
    alice: User, battle: Battle, campaign: Campaign
) -> None:
    finish_campaign(campaign_id=campaign.pk, user=alice)
    book = read_content(DocumentKind.CAMPAIGN, campaign.pk)
    assert isinstance(book, CampaignSummary)
    only = read_content(DocumentKind.CERTIFICATE, campaign.pk)
    every = read_content(DocumentKind.CERTIFICATE, campaign.pk, ("honours",))
    assert isinstance(only, Certificates)
    assert isinstance(every, Certificates)
    assert [(each.name, each.player, each.honour) for each in only.awards] == [
        ("Reds", "alice", "")
    ]
    battles = {each.named for each in book.battles}
    honours = [
        (holder.name, honour.label, honour.count)
        for honour in (*book.honours, *book.records)
        for holder in honour.holders
        if holder.name not in battles
    ]
    assert honours
    assert [(each.name, each.honour, each.count) for each in every.awards[1:]] == honours
    on_paper = pages(printed(every).pdf)
    assert len(on_paper) == len(every.awards)
    assert "Reds" in on_paper[0]
    assert "The Old Guard" in on_paper[-1]


def test_memorial_card_is_for_the_dead(blues: Warband, battle: Battle) -> None:
    alive = field.fighters(blues)[2]
    assert alive.name in refusal(DocumentKind.MEMORIAL, alive.pk)


def test_memorial_card_has_the_epitaph_of_the_book(battle: Battle, campaign: Campaign) -> None:
    book = read_content(DocumentKind.CAMPAIGN, campaign.pk)
    assert isinstance(book, CampaignSummary)
    card = read_content(DocumentKind.MEMORIAL, subject_of(DocumentKind.MEMORIAL, battle, campaign))
    assert isinstance(card, MemorialCard)
    assert card.epitaph == book.memorial[0].epitaph != ""
    assert [chapter.title for chapter in card.chapters] == ["Brawl"]
    (page,) = pages(printed(card, "A6").pdf)
    assert "Blues 1" in page


def test_public_memorial_card_says_nothing_of_a_private_campaign(
    battle: Battle, campaign: Campaign, blues: Warband
) -> None:
    subject = subject_of(DocumentKind.MEMORIAL, battle, campaign)
    Warband.objects.filter(pk=blues.pk).update(visibility=Visibility.UNLISTED)
    card = read_content(DocumentKind.MEMORIAL, subject)
    assert isinstance(card, MemorialCard)
    assert card.epitaph == ""
    assert "Reds 0" not in text(printed(card, "A6").pdf)


def test_history_has_every_battle_and_entry(
    alice: User, battle: Battle, campaign: Campaign, reds: Warband, blues: Warband
) -> None:
    field.confirmed(alice, campaign, reds, blues)
    book = book_of(blues)
    assert [each.number for each in book.battles] == [1, 2]
    assert [each.name for each in book.histories] == ["", "The Long Winter"]
    assert [each.name for each in book.memorial] == ["Blues 1"]
    assert book.memorial[0].epitaph
    numbers = {
        number
        for history in book.histories
        for step in history.steps
        for number in (*step.entries, *(entry for line in step.lines for entry in line.entries))
    }
    blues.refresh_from_db()
    assert numbers == set(range(1, blues.sequence + 1))
    assert [each.name for each in book_of(reds).killed] == ["Blues 1"]


def test_history_needs_a_battle(campaign: Campaign, reds: Warband) -> None:
    assert "first battle" in refusal(DocumentKind.HISTORY, reds.pk)


def test_public_history_leaves_out_battles_of_a_private_campaign(
    battle: Battle, campaign: Campaign, reds: Warband
) -> None:
    assert len(book_of(reds).battles) == 1
    Warband.objects.filter(pk=reds.pk).update(visibility=Visibility.PUBLIC)
    book = book_of(reds)
    assert (book.battles, book.killed) == ((), ())
    assert "Blues 1" not in text(printed(book).pdf)
    Campaign.objects.filter(pk=campaign.pk).update(visibility=Visibility.UNLISTED)
    assert len(book_of(reds).battles) == 1


def test_long_history_is_split_into_parts_like_a_book(
    battle: Battle, campaign: Campaign, reds: Warband, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("documents.content.print_jobs.IN_ONE_GO", 0)
    parts = [plan.content for plan in plans(book_of(reds))]
    assert len(parts) > 3
    books = [part for part in parts if isinstance(part, WarbandBook)]
    assert [bool(part.histories) for part in books] == [False, True, *[False] * (len(books) - 2)]
    assert sum(bool(part.killed) for part in books) == 1


def test_picture_is_made_of_the_printed_page() -> None:
    card = samples.result_card()
    with Image.open(BytesIO(file_of(card, printed(card, "Square")))) as picture:
        assert picture.size == (1080, 1080)
        # The head is ink on paper: neither is empty.
        assert len(picture.convert("L").getcolors(256) or ()) > 20


def test_certificate_is_for_the_champion_and_not_for_a_namesake(
    campaign: Campaign, battle: Battle, reds: Warband
) -> None:
    subject_of(DocumentKind.CERTIFICATE, battle, campaign)
    Warband.objects.filter(name="Blues").update(name=reds.name)
    certificates = read_content(DocumentKind.CERTIFICATE, campaign.pk)
    assert isinstance(certificates, Certificates)
    assert [(award.name, award.player) for award in certificates.awards] == [("Reds", "alice")]
    book = read_content(DocumentKind.CAMPAIGN, campaign.pk)
    assert isinstance(book, CampaignSummary)
    assert book.ending
    assert [each.player for each in book.ending.champions] == ["alice"]


def test_a_result_card_has_no_file_once_its_battle_is_void(alice: User, battle: Battle) -> None:
    card = made(ask(alice, DocumentKind.RESULT_CARD, battle.pk))
    assert card.file
    Battle.objects.filter(pk=battle.pk).update(state="void")
    refresh_documents(DocumentKind.RESULT_CARD, battle.pk, add_plain=False)
    Document.objects.filter(pk=card.pk).update(due_at=None)
    card = made(card)
    assert (card.state, card.file.name, card.size) == ("failed", "", 0)
    assert "Confirm the result" in card.failure
