"""The staff page that shows what each club keeps, and where its limits are changed."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from audit.models import AuditEntry
from battles.models import Battle
from clubs.models import Club, ClubQuota
from clubs.services.clubs import found_club
from core.quotas import MEGABYTE
from documents.models import Document, DocumentKind
from operations.club_use import clubs_by_use, described
from pictures.models import Picture
from tests.conftest import browser_of
from tests.documents.conftest import ask, battle, blues, campaign, club, made, reds, toy
from tests.files.test_quotas import photo_of
from tests.full_toy import register_toy
from warbands.models import Warband

__all__ = ["battle", "blues", "campaign", "club", "reds", "register_toy", "toy"]

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
PAGE = "/admin/use/"


@pytest.fixture
def staff(alice: User) -> Client:
    return browser_of(User.objects.create_superuser("support", password="x"))


def club_named(organiser: User, name: str) -> Club:
    return found_club(user=organiser, name=name, member_name=organiser.username)


def names(answer: Any) -> list[str]:
    return [line.club.name for line in answer.context["lines"]]


def test_the_page_shows_what_a_club_keeps(
    battle: Battle, club: Club, reds: Warband, alice: User, staff: Client
) -> None:
    photo_of(battle, alice)
    document = made(ask(alice, DocumentKind.ROSTER, reds.pk))
    picture = Picture.objects.get()
    Document.objects.exclude(pk=document.pk).delete()
    ClubQuota.objects.create(club=club, documents=1, pictures=50)
    line = described(clubs_by_use().get(pk=club.pk))
    assert (line.documents, line.pictures) == (1, 1)
    assert line.disk * MEGABYTE == document.size + picture.size
    assert line.events == battle.events.count() > 0
    assert line.last_activity == AuditEntry.objects.filter(club=club.pk).latest("at").at
    assert line.nearly == {"documents"}
    text = " ".join(staff.get(PAGE).content.decode().split())
    assert "<strong>1</strong> of 1" in text and "1 of 50" in text and club.name in text


def test_an_empty_club_has_nothing_but_its_name(club: Club, staff: Client) -> None:
    line = described(clubs_by_use().get(pk=club.pk))
    assert (line.documents, line.disk, line.archives, line.events) == (
        0,
        0.0,
        0.0,
        0,
    )


def test_the_page_is_sorted_searched_and_paged(
    alice: User, toy: Any, staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    clubs = [club_named(alice, name) for name in ("Anvil", "Bears", "Cranes")]
    Picture.objects.bulk_create(
        Picture(
            kind="battle",
            subject=owner.pk,
            club=owner.pk,
            size=size,
            large_width=1,
            large_height=1,
            small_width=1,
            small_height=1,
            added_at=owner.created_at,
        )
        for owner, size in zip(clubs, (1, 9, 5), strict=True)
    )
    assert names(staff.get(PAGE)) == ["Bears", "Cranes", "Anvil"]
    assert names(staff.get(f"{PAGE}?o=name")) == ["Anvil", "Bears", "Cranes"]
    assert names(staff.get(f"{PAGE}?o=disk")) == ["Anvil", "Cranes", "Bears"]
    assert names(staff.get(f"{PAGE}?q=cra")) == ["Cranes"]
    assert staff.get(f"{PAGE}?o=nonsense&p=x&q=%25").status_code == 200
    monkeypatch.setattr("operations.views.PAGE", 2)
    assert names(staff.get(f"{PAGE}?o=name&p=2")) == ["Cranes"]
    for sort in ("documents", "pictures", "archives", "events", "activity"):
        assert len(names(staff.get(f"{PAGE}?o=-{sort}"))) == 2


def test_the_page_takes_as_many_queries_for_many_clubs(
    alice: User, toy: Any, staff: Client
) -> None:
    club_named(alice, "Anvil")
    staff.get(PAGE)
    with CaptureQueriesContext(connection) as before:
        staff.get(PAGE)
    for number in range(5):
        ClubQuota.objects.create(club=club_named(alice, f"Club {number}"), documents=1)
    with CaptureQueriesContext(connection) as after:
        staff.get(PAGE)
    assert len(after) == len(before) <= 5


def test_only_staff_see_the_page(club: Club, alice: User, staff: Client, client: Client) -> None:
    for other in (browser_of(alice), client):
        answer = other.get(PAGE)
        assert answer.status_code in (302, 403) and club.name not in answer.content.decode()
    assert PAGE in staff.get("/admin/").content.decode()


def test_staff_give_a_club_its_own_limit_and_the_club_sees_who_did(
    club: Club, staff: Client
) -> None:
    form = {"name": club.name, "story": "", "visibility": club.visibility}
    form |= {"time_zone": "UTC", "battles_run_by": club.battles_run_by}
    form |= {"memberships-TOTAL_FORMS": "0", "memberships-INITIAL_FORMS": "0"}
    form |= {"quota-TOTAL_FORMS": "1", "quota-INITIAL_FORMS": "0", "quota-0-club": str(club.pk)}
    form |= {"quota-0-documents": "50", "quota-0-pictures": "", "quota-0-megabytes": "0"}
    page = f"/admin/clubs/club/{club.pk}/change/"
    answer = staff.post(page, form)
    assert answer.status_code == 302, answer.context["errors"]
    quota = ClubQuota.objects.get(club=club)
    assert (quota.documents, quota.pictures, quota.megabytes) == (50, None, 0)
    entry = AuditEntry.objects.filter(verb="club.mended-by-support").latest("at")
    assert entry.details["changes"]["quota_documents"] == [None, 50]


def test_staff_delete_a_document_with_its_file(
    reds: Warband, alice: User, staff: Client, django_capture_on_commit_callbacks: Any
) -> None:
    document = made(ask(alice, DocumentKind.ROSTER, reds.pk))
    storage, name = document.file.storage, str(document.file.name)
    assert storage.exists(name)
    with django_capture_on_commit_callbacks(execute=True):
        staff.post(f"/admin/documents/document/{document.pk}/delete/", {"post": "yes"})
    assert not Document.objects.filter(pk=document.pk).exists()
    assert not storage.exists(name)
