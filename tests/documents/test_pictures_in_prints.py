"""Members' pictures in print: owners, readers, and replacements."""

from collections.abc import Iterable
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
from documents.content.documents import BattleSummary, CampaignSummary
from documents.content.registry import content_hash, read_content
from documents.content.rosters import roster_content
from documents.content.structs import PrintedPicture
from documents.content.text_heights import MAX_ABREAST, battle_height
from documents.models import DocumentKind
from documents.printing import typeset
from documents.services.parts import print_whole
from pictures.models import Picture
from pictures.services.pictures import add_picture, caption_picture, remove_picture
from pictures.subjects import PictureKind
from tests.battles import field
from tests.documents.reading_pdfs import IDENTIFIER, pages, printed, reader
from tests.documents.reading_tags import document
from tests.pictures.samples import scene, sent, written
from warbands.models import Fighter, Warband

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


def test_photos_stand_three_abreast_are_made_small_and_leave_room(
    alice: User, battle: Battle, blues: Warband
) -> None:
    photo = written(scene(2400, 1800), quality=95)
    bring(alice, PictureKind.BATTLE, battle.pk, "A caption", content=photo)
    content = battle_content(battle)
    first_photo = content.battle.photos[0]
    tall = [
        battle_height(_with_photos(content, [first_photo] * count).battle, content.words)
        for count in (0, 1, 2, 3, 4)
    ]
    assert tall[0] < tall[3] < tall[2] < tall[1]
    assert tall[4] == tall[MAX_ABREAST]
    pdf = printed(_with_photos(content, [first_photo] * 5)).pdf
    widths = {
        picture.image.width
        for page in reader(pdf).pages
        for picture in page.images
        if picture.image
    }
    assert widths == {print_resources.PHOTO[0]}
    assert alternatives(pdf).count("A caption") == 5
    assert len(pdf) < 300_000
    print_resources._address.cache_clear()
    assert printed(_with_photos(content, [first_photo] * 5)).pdf == pdf


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
    assert sizes == {(768, 576), print_resources.LITTLE_PORTRAIT}


def _with_photos(content: BattleSummary, photos: Iterable[PrintedPicture]) -> BattleSummary:
    return replace(content, battle=replace(content.battle, photos=tuple(photos)))


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
