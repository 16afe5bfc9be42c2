"""Members' pictures in print: owners, readers, and replacements."""

import re
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from msgspec.structs import replace

from battles.models import Battle
from campaigns.models import Campaign
from core.users import Visibility
from documents import print_resources
from documents.content.battles import battle_content
from documents.content.careers import career_content
from documents.content.documents import CampaignSummary
from documents.content.print_jobs import PHOTOS_OF_A_BATTLE, entries, plans
from documents.content.registry import content_hash, read_content
from documents.content.rosters import roster_content
from documents.content.structs import PrintedPicture
from documents.models import DocumentKind
from documents.printing import markup, typeset
from documents.services.parts import print_whole
from documents.templatetags.photographs import PIXELS, WIDE, photo_rows
from pictures.models import Picture
from pictures.services.pictures import add_picture, caption_picture, remove_picture
from pictures.subjects import PictureKind
from tests.battles import field
from tests.documents.reading_pdfs import IDENTIFIER, pages, printed, reader
from tests.documents.reading_tags import document
from tests.pictures.samples import scene, sent, written
from warbands.models import Fighter, Warband
from warbands.services.warbands import rename_warband

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]
CLEAR = written(scene(300, 400, "RGBA"), "PNG")


def bring(
    user: User, kind: PictureKind, subject: UUID, caption: str = "", content: bytes | None = None
) -> Picture:
    file = sent(content)
    return add_picture(
        user=user, kind=kind, subject=subject, file=file, size=file.size or 0, caption=caption
    )


def summary(campaign: Campaign) -> CampaignSummary:
    content = read_content(DocumentKind.CAMPAIGN, campaign.pk)
    assert isinstance(content, CampaignSummary)
    return content


def shown(content: CampaignSummary) -> dict[str, bool]:
    """Return which kinds of pictures a summary has."""
    (tale,) = content.battles
    return {
        "club": bool(content.crest),
        "battle": bool(tale.photos),
        "side": bool(tale.sides[1].crest),
        "roster": any(roster.crest for roster in content.rosters if roster.name == "Blues"),
        "veteran": any(each.picture for each in content.veterans),
        "fallen": any(each.picture for each in content.memorial),
    }


def images(pdf: bytes) -> list[int]:
    """Return the number of pictures on each page."""
    return [len(page.images) for page in reader(pdf).pages]


def alternatives(pdf: bytes) -> list[str]:
    return [element.alternative for element in document(pdf).walk() if element.kind == "Figure"]


def shields(kind: DocumentKind, subject: UUID) -> list[str]:
    """Return the drawn arms of a document in its order, without their names and sizes."""
    html = "".join(markup(plan) for plan in plans(read_content(kind, subject)))
    drawn = re.findall(r'<svg[^>]*viewBox="0 0 100 120"[^>]*>(.*?)</svg>', html, re.DOTALL)
    return [re.sub(r"<title>.*?</title>", "", each, flags=re.DOTALL) for each in drawn]


@pytest.fixture
def people(blues: Warband) -> list[Fighter]:
    return field.fighters(blues)


@pytest.fixture
def pictured(
    battle: Battle,
    campaign: Campaign,
    alice: User,
    bob: User,
    blues: Warband,
    people: list[Fighter],
) -> None:
    """Add a picture of each kind to a campaign: all Blues, their crest, the club's, and the
    battle.
    """
    bring(alice, PictureKind.CLUB, campaign.club_id, content=CLEAR)
    bring(bob, PictureKind.WARBAND, blues.pk)
    for fighter in people:
        bring(bob, PictureKind.FIGHTER, fighter.pk)
    bring(alice, PictureKind.BATTLE, battle.pk, "The bridge, as it was held")


@pytest.mark.usefixtures("pictured")
def test_a_book_shows_what_all_its_readers_may_see_and_nothing_else(
    campaign: Campaign, blues: Warband
) -> None:
    assert set(shown(summary(campaign)).values()) == {True}
    Campaign.objects.update(visibility=Visibility.UNLISTED)
    theirs = {"side": False, "roster": False, "veteran": False, "fallen": False}
    assert shown(summary(campaign)) == {"club": False, "battle": True, **theirs}
    Warband.objects.filter(pk=blues.pk).update(visibility=Visibility.UNLISTED)
    assert shown(summary(campaign)) == dict.fromkeys(theirs, True) | {"club": False, "battle": True}


def test_renamed_warband_keeps_its_arms_in_every_print(
    battle: Battle, campaign: Campaign, blues: Warband, bob: User
) -> None:
    documents = [
        (DocumentKind.CAMPAIGN, campaign.pk),
        (DocumentKind.BATTLE, battle.pk),
        (DocumentKind.ROSTER, blues.pk),
        (DocumentKind.STANDINGS, campaign.pk),
        (DocumentKind.HISTORY, blues.pk),
        (DocumentKind.RESULT_CARD, battle.pk),
        (DocumentKind.RESULT_SHEET, battle.pk),
    ]
    before = [shields(*each) for each in documents]
    (arms,) = set(before[2])
    assert [arms in each for each in before] == [True] * len(documents)
    rename_warband(warband_id=blues.pk, name="Purples", user=bob)
    assert [shields(*each) for each in documents] == before


@pytest.mark.usefixtures("pictured")
def test_the_cover_has_a_photo_only_if_it_is_requested(campaign: Campaign) -> None:
    assert summary(campaign).cover_photo is None
    content = read_content(DocumentKind.CAMPAIGN, campaign.pk, ("cover-photo",))
    assert isinstance(content, CampaignSummary)
    assert content.cover_photo == content.battles[0].photos[0]
    (plan,) = plans(content)
    cover = markup(plan).partition('class="contents')[0]
    assert 'alt="The bridge, as it was held"' in cover


@pytest.mark.usefixtures("pictured")
def test_a_battle_of_no_campaign_shows_no_crest_of_a_private_warband(
    battle: Battle, blues: Warband
) -> None:
    assert [bool(side.crest) for side in battle_content(battle).battle.sides] == [False, True]
    battle.campaign = None
    assert not any(side.crest for side in battle_content(battle).battle.sides)
    Warband.objects.filter(pk=blues.pk).update(visibility=Visibility.PUBLIC)
    assert [bool(side.crest) for side in battle_content(battle).battle.sides] == [False, True]


@pytest.mark.usefixtures("pictured")
def test_another_picture_or_caption_or_none_is_another_print(
    bob: User, blues: Warband, people: list[Fighter]
) -> None:
    def hashes() -> list[str]:
        contents = (roster_content(blues, ["cards"]), career_content(people[0]))
        return [content_hash(content, "A4") for content in contents]

    seen = [hashes()]
    assert hashes() == seen[0]
    second = bring(bob, PictureKind.FIGHTER, people[0].pk, content=CLEAR)
    seen.append(hashes())
    remove_picture(user=bob, picture_id=second.pk)
    seen.append(hashes())
    assert len({first for first, _ in seen}) == len({other for _, other in seen}) == 3


def test_another_caption_is_another_print(alice: User, battle: Battle) -> None:
    photo = bring(alice, PictureKind.BATTLE, battle.pk, "Before")
    before = content_hash(battle_content(battle), "A4")
    caption_picture(user=alice, picture_id=photo.pk, caption="After")
    assert content_hash(battle_content(battle), "A4") != before


@pytest.mark.usefixtures("pictured")
def test_book_pictures_have_text_alternatives(
    campaign: Campaign,
) -> None:
    content = summary(campaign)
    pdf = print_whole(content, paper="A4", identifier=IDENTIFIER).pdf
    texts = alternatives(pdf)
    assert all(texts)
    assert {"The arms of The Old Guard", "The arms of Blues", "The bridge, as it was held"} < set(
        texts
    )
    assert any(each.startswith("Portrait of Blues") for each in texts)
    # The crest of the club, that of the Blues, one portrait of all, and the photo.
    assert max(images(pdf)) == 4
    assert "The bridge, as it was held" in " ".join(pages(pdf))


@pytest.mark.usefixtures("pictured")
def test_what_lacks_its_file_is_drawn(
    battle: Battle,
    blues: Warband,
    people: list[Fighter],
    settings: Any,
    caplog: pytest.LogCaptureFixture,
) -> None:
    print_resources._address.cache_clear()
    for file in Path(settings.MEDIA_ROOT, "pictures").rglob("*-small.*"):
        file.write_bytes(b"no picture")
    for file in Path(settings.MEDIA_ROOT, "pictures").rglob("*-large.*"):
        file.unlink()
    pdf, career = printed(battle_content(battle)).pdf, printed(career_content(people[0])).pdf
    assert images(pdf) + images(career) == [0] * (len(images(pdf)) + len(images(career)))
    assert "The arms of Blues" in alternatives(pdf)
    assert "The bridge" not in " ".join(pages(pdf))
    assert alternatives(career)[0].startswith("Figure of Blues")
    assert "cannot be printed" in caplog.text


@pytest.fixture
def twelve(alice: User, battle: Battle) -> list[str]:
    """Add twelve photos to a battle, every third in portrait format, and return the captions."""
    captions = [f"Caption number {number:02}" for number in range(1, 13)]
    for number, caption in enumerate(captions):
        size = (480, 640) if number % 3 == 2 else (640, 480)
        photo = written(scene(*size), quality=60 + number)
        bring(alice, PictureKind.BATTLE, battle.pk, caption, content=photo)
    return captions


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_all_photos_are_in_book_and_report(
    campaign: Campaign, battle: Battle, twelve: list[str], paper: str
) -> None:
    book = print_whole(summary(campaign), paper=paper, identifier=IDENTIFIER).pdf
    report = print_whole(battle_content(battle), paper=paper, identifier=IDENTIFIER).pdf
    for pdf in (book, report):
        assert [each for each in alternatives(pdf) if each in twelve] == twelve
        text = " ".join(pages(pdf))
        assert all(text.count(caption) == 1 for caption in twelve)
        assert text.count("Photo: alice") == len(twelve)
        shapes = {round(image.width / image.height, 2) for image in photos_of(pdf)}
        assert shapes == {1.33, 0.75}, "no photo is cropped"


def photos_of(pdf: bytes) -> list[Any]:
    """Return the pictures that are bigger than portraits and crests."""
    every = [picture.image for page in reader(pdf).pages for picture in page.images]
    return [image for image in every if image and min(image.size) > 250]


@pytest.mark.usefixtures("twelve")
def test_plates_have_line_in_contents_and_lead_to_battle(campaign: Campaign) -> None:
    content = summary(campaign)
    parts = [entry.title for entry in entries(content) if entry.part]
    assert parts[parts.index("The battles") + 1] == "Photographs"
    html = markup(plans(content)[0])
    plates = html.split('id="plates"')[1].split("</section>")[0]
    assert plates.count("<img") == 12 - PHOTOS_OF_A_BATTLE
    assert f'href="#battle-{content.battles[0].id}"' in plates


def test_plates_of_book_in_parts_are_one_part(
    campaign: Campaign, twelve: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("documents.content.print_jobs.IN_ONE_GO", 0)
    parts = plans(summary(campaign))
    assert [part.shown.only_plates for part in parts].count(True) == 1
    pdf = print_whole(summary(campaign), paper="A4", identifier=IDENTIFIER).pdf
    assert [each for each in alternatives(pdf) if each in twelve] == twelve


@pytest.mark.parametrize(
    ("shapes", "size", "expected"),
    [
        ([(4, 3)], "large", [[(168, 126)]]),
        ([(16, 9)], "large", [[(168, 94)]]),
        ([(4, 3), (4, 3)], "large", [[(82, 62), (82, 62)]]),
        ([(3, 4), (3, 4)], "large", [[(75, 100), (75, 100)]]),
        ([(4, 3)] * 3, "large", [[(168, 126)], [(82, 62), (82, 62)]]),
        ([(4, 3), (3, 4)], "row", [[(105, 79), (59, 79)]]),
        ([(4, 3)], "margin", [[(48, 36)]]),
        ([(3, 4)], "margin", [[(48, 64)]]),
        ([(0, 0)], "row", [[(88, 66)]]),
    ],
)
def test_photos_fill_rows_uncropped(shapes: Any, size: Any, expected: Any) -> None:
    photos = [PrintedPicture("", "", "", *shape) for shape in shapes]
    rows = photo_rows(photos, size)
    assert [[(round(each.width), round(each.height)) for each in row] for row in rows] == expected


def test_photo_without_uploader_has_no_credit(campaign: Campaign, twelve: list[str]) -> None:
    Picture.objects.update(added_by=None)
    assert "Photo:" not in markup(plans(summary(campaign))[0])


def test_photos_are_printed_with_same_bytes(battle: Battle, twelve: list[str]) -> None:
    first = print_whole(battle_content(battle), paper="A4", identifier=IDENTIFIER).pdf
    print_resources._address.cache_clear()
    assert print_whole(battle_content(battle), paper="A4", identifier=IDENTIFIER).pdf == first


def test_pictures_of_a_book_are_no_bigger_than_paper_shows(
    campaign: Campaign,
    battle: Battle,
    alice: User,
    bob: User,
    blues: Warband,
    people: list[Fighter],
) -> None:
    """So that a book of sixty photos and hundreds of portraits can still be sent by mail."""
    large = written(scene(2400, 1800), quality=95)
    bring(alice, PictureKind.BATTLE, battle.pk, content=large)
    for fighter in people:
        bring(bob, PictureKind.FIGHTER, fighter.pk, content=large)
    pdf = printed(replace(summary(campaign), rosters=())).pdf
    sizes = {
        picture.image.size for page in reader(pdf).pages for picture in page.images if picture.image
    }
    assert print_resources.LITTLE_PORTRAIT in sizes
    photo = max(sizes)
    assert max(photo) <= round(WIDE * PIXELS)


def test_nothing_but_what_an_address_holds_is_fetched_for_a_picture() -> None:
    held = (
        '<img src="data:image/png;base64,AAAA" alt="broken"><img src="data:image/svg+xml,<svg/>" '
        'alt="x">'
    )
    other = (
        '<img src="https://muster.invalid/pictures/1-small.jpg" alt="x"><img '
        'src="data:text/html,x" alt="x">'
    )
    pdf = typeset(
        f"<html lang='en'><title>T</title>{held}{other}", paper="A4", identifier=IDENTIFIER
    ).pdf
    assert images(pdf) == [0]
