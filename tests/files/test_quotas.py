"""Quotas of clubs, and of members outside clubs: counted, enforced, and changed by staff."""

import threading
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from battles.models import Battle
from campaigns.models import Campaign
from clubs.models import Club, ClubQuota
from core.errors import StateConflict
from core.quotas import MEGABYTE, Use, use_of
from documents.models import Document, DocumentKind, DocumentState, Paper
from documents.services.requesting import refresh_documents
from pictures.models import Picture
from pictures.services.pictures import add_picture
from pictures.subjects import PictureKind
from tests.battles import field
from tests.conftest import api_of, browser_of
from tests.documents.conftest import ask, battle, blues, campaign, club, made, reds, toy
from tests.exchange.test_importing_archives import battle_archive, imported
from tests.full_toy import register_toy
from tests.pictures.samples import scene, sent, written
from warbands.models import Warband

__all__ = ["battle", "blues", "campaign", "club", "reds", "register_toy", "toy"]

pytestmark = pytest.mark.django_db
PHOTO = written(scene(32, 24))


def photo_of(subject: Any, user: User, kind: PictureKind = PictureKind.BATTLE) -> Picture:
    return add_picture(user=user, kind=kind, subject=subject.pk, file=sent(PHOTO), size=len(PHOTO))


def limit(club: Club, **limits: int) -> None:
    ClubQuota.objects.update_or_create(pk=club.pk, defaults=limits)


def test_a_picture_counts_for_the_club_of_what_it_shows(
    battle: Battle, campaign: Campaign, club: Club, reds: Warband, alice: User
) -> None:
    pictures = [
        photo_of(battle, alice),
        photo_of(club, alice, PictureKind.CLUB),
        photo_of(reds, alice, PictureKind.WARBAND),
        photo_of(field.fighters(reds)[0], alice, PictureKind.FIGHTER),
    ]
    assert {picture.club for picture in pictures} == {club.pk}
    assert all(picture.size > len(PHOTO) / 2 for picture in pictures)
    size = sum(picture.large.size + picture.small.size for picture in pictures)
    assert use_of(club=club.pk) == Use(documents=0, pictures=4, size=size)
    with CaptureQueriesContext(connection) as queries:
        use_of(club=club.pk)
    assert len(queries) == 2


def test_a_document_counts_for_the_club_of_its_subject(
    battle: Battle, campaign: Campaign, club: Club, reds: Warband, alice: User
) -> None:
    fighter = field.fighters(reds)[0]
    subjects = [
        (DocumentKind.CAMPAIGN, campaign.pk),
        (DocumentKind.BATTLE, battle.pk),
        (DocumentKind.ROSTER, reds.pk),
        (DocumentKind.CAREER, fighter.pk),
    ]
    assert {ask(alice, *each).club for each in subjects} == {club.pk}
    document = made(ask(alice, DocumentKind.ROSTER, reds.pk))
    assert use_of(club=club.pk) == Use(documents=4, size=document.size)


def test_what_is_outside_of_clubs_counts_for_its_maker(
    toy: Any, alice: User, bob: User, settings: Any
) -> None:
    warband = field.muster(alice, "Greens")
    document, picture = ask(alice, DocumentKind.ROSTER, warband.pk), None
    picture = photo_of(warband, alice, PictureKind.WARBAND)
    assert (document.club, picture.club) == (None, None)
    use = Use(documents=1, pictures=1, size=picture.size)
    assert (use_of(club=None, user_id=alice.pk), use_of(club=None, user_id=bob.pk)) == (use, Use())
    settings.MEMBER_MAX_DOCUMENTS = 1
    assert ask(alice, DocumentKind.ROSTER, warband.pk) == document
    with pytest.raises(StateConflict, match=r"outside of clubs .* \(1 of 1\)"):
        ask(alice, DocumentKind.ROSTER, warband.pk, Paper.LETTER)
    settings.MEMBER_MAX_DOCUMENTS, settings.MEMBER_MAX_DISK_MB = 0, 1
    Document.objects.update(size=MEGABYTE)
    with pytest.raises(StateConflict, match=r"no more room \(1\.0 of 1 MB\)"):
        ask(alice, DocumentKind.ROSTER, warband.pk, Paper.LETTER)


def test_a_full_club_refuses_a_picture_and_says_what_to_do(
    battle: Battle, club: Club, alice: User, bob: User
) -> None:
    limit(club, pictures=1)
    first = photo_of(battle, bob)
    data = {"kind": "battle", "subject": str(battle.pk), "file": sent(PHOTO)}
    answer = api_of(alice).post("/api/v1/pictures/", data, format="multipart")
    assert (answer.status_code, answer.json()["code"]) == (409, "quota-reached")
    assert answer.json()["detail"] == (
        "The pictures of this club have reached the limit (1 of 1). Remove some first, or ask the "
        "person who runs this site to raise the limit."
    )
    page = browser_of(alice).post(f"/battles/{battle.pk}/pictures/", {"file": sent(PHOTO)})
    assert "reached the limit (1 of 1)" in page.content.decode()
    assert list(Picture.objects.all()) == [first]
    limit(club, pictures=2)
    photo_of(battle, alice)


def test_a_crest_can_be_replaced_in_a_full_club(club: Club, alice: User) -> None:
    limit(club, pictures=1)
    photo_of(club, alice, PictureKind.CLUB)
    photo_of(club, alice, PictureKind.CLUB)


def test_a_full_disk_refuses_pictures(battle: Battle, club: Club, alice: User) -> None:
    photo_of(battle, alice)
    Picture.objects.update(size=MEGABYTE)
    limit(club, megabytes=1)
    with pytest.raises(StateConflict, match=r"no more room \(1\.0 of 1 MB\)"):
        photo_of(battle, alice)


def test_a_full_club_refuses_new_documents_and_renews_old_ones(
    battle: Battle, club: Club, reds: Warband, alice: User
) -> None:
    document = made(ask(alice, DocumentKind.ROSTER, reds.pk))
    limit(club, documents=1)
    assert ask(alice, DocumentKind.ROSTER, reds.pk) == document
    data = {"kind": "battle", "subject": str(battle.pk)}
    answer = api_of(alice).post("/api/v1/documents/", data)
    assert (answer.status_code, answer.json()["code"]) == (409, "quota-reached")
    page = browser_of(alice).post(
        "/documents/ask/", {**data, "paper": "A4", "language": "en"}, follow=True
    )
    assert "The documents of this club have reached the limit (1 of 1)." in page.content.decode()
    assert list(Document.objects.all()) == [document]


def test_a_summary_that_nobody_asked_for_is_left_out_in_a_full_club(
    battle: Battle, club: Club, reds: Warband, alice: User
) -> None:
    Document.objects.all().delete()
    ask(alice, DocumentKind.ROSTER, reds.pk)
    limit(club, documents=1)
    assert refresh_documents(DocumentKind.BATTLE, battle.pk) == []
    limit(club, documents=0)
    assert len(refresh_documents(DocumentKind.BATTLE, battle.pk)) == 1


def test_a_document_that_does_not_fit_fails_and_leaves_no_file(
    battle: Battle, club: Club, reds: Warband, alice: User, settings: Any
) -> None:
    document = ask(alice, DocumentKind.ROSTER, reds.pk)
    photo_of(battle, alice)
    Picture.objects.update(size=MEGABYTE)
    limit(club, megabytes=1)
    document = made(document)
    assert document.state == DocumentState.FAILED
    assert "of 1 MB)" in document.failure
    assert not document.file
    limit(club, megabytes=5)
    assert made(ask(alice, DocumentKind.ROSTER, reds.pk)).state == DocumentState.READY


def test_a_club_follows_the_installation_unless_staff_gave_it_its_own_limits(
    battle: Battle, club: Club, alice: User, settings: Any
) -> None:
    settings.CLUB_MAX_PICTURES = 1
    photo_of(battle, alice)
    with pytest.raises(StateConflict, match="reached the limit"):
        photo_of(battle, alice)
    limit(club, pictures=0)
    photo_of(battle, alice)


def test_a_blank_roster_counts_for_nobody(toy: Any, alice: User, settings: Any) -> None:
    settings.MEMBER_MAX_DOCUMENTS = 1
    warband = field.muster(alice, "Greens")
    ask(alice, DocumentKind.ROSTER, warband.pk)
    answer = api_of(alice).post("/api/v1/documents/", {"kind": "blank", "ruleset": "wards"})
    assert answer.status_code in (200, 201, 202), answer.json()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_at_once_cannot_both_be_the_last_picture(
    battle: Battle, campaign: Campaign, club: Club, reds: Warband, alice: User
) -> None:
    limit(club, pictures=3)
    refusals: list[str] = []
    start = threading.Barrier(6)

    def upload(subject: Any, kind: PictureKind) -> None:
        start.wait()
        try:
            photo_of(subject, alice, kind)
        except StateConflict as error:
            refusals.append(error.code)
        finally:
            connection.close()

    fighters = field.fighters(reds)[:2]
    subjects: list[tuple[Any, PictureKind]] = [
        (battle, PictureKind.BATTLE),
        (battle, PictureKind.BATTLE),
        (club, PictureKind.CLUB),
        (reds, PictureKind.WARBAND),
        *((fighter, PictureKind.FIGHTER) for fighter in fighters),
    ]
    threads = [threading.Thread(target=upload, args=each) for each in subjects]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Picture.objects.count() == 3
    assert refusals == ["quota-reached"] * 3


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_at_once_cannot_both_request_the_last_document(
    battle: Battle, club: Club, reds: Warband, blues: Warband, alice: User
) -> None:
    Document.objects.all().delete()
    limit(club, documents=1)
    refusals: list[str] = []
    start = threading.Barrier(4)

    def request(warband: Warband, paper: Paper) -> None:
        start.wait()
        try:
            ask(alice, DocumentKind.ROSTER, warband.pk, paper)
        except StateConflict as error:
            refusals.append(error.code)
        finally:
            connection.close()

    threads = [
        threading.Thread(target=request, args=(warband, paper))
        for warband in (reds, blues)
        for paper in Paper
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Document.objects.count() == 1
    assert refusals == ["quota-reached"] * 3


def test_imported_pictures_count_for_the_club_and_are_not_refused(
    alice: User, settings: Any
) -> None:
    settings.CLUB_MAX_PICTURES = 1
    made_here = imported(battle_archive("club"), alice)
    pictures = list(Picture.objects.all())
    assert pictures and {picture.club for picture in pictures} == {made_here.subject}
    assert all(picture.size == picture.large.size + picture.small.size for picture in pictures)
