"""Portraits, crests and photos by pages and API: who may set them, who may see them, how many there
may be."""

from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient
from rest_framework.throttling import SimpleRateThrottle

from battles.models import Battle
from campaigns.models import Campaign
from clubs.models import Club
from pictures.models import Picture
from pictures.services.decoding import MAX_BYTES
from pictures.services.pictures import add_picture
from pictures.subjects import PictureKind
from pictures.tasks import sweep
from tests.conftest import api_of
from tests.pages.conftest import Clients
from tests.pages.world import named
from tests.pictures.samples import scene, sent, written
from warbands.models import Fighter, Warband

SMALL_PHOTO = written(scene(32, 24))
HEIC = b"\0\0\0\x18ftypheic" + b"\0" * 40


def upload(client: Any, kind: str, subject: Any, content: bytes = SMALL_PHOTO, **more: Any) -> Any:
    data = {"kind": kind, "subject": str(subject), "file": sent(content), **more}
    return client.post("/api/v1/pictures/", data, format="multipart")


def added(user: User, kind: PictureKind, subject: Any, **more: Any) -> Picture:
    file = sent(SMALL_PHOTO)
    return add_picture(
        user=user, kind=kind, subject=subject, file=file, size=len(SMALL_PHOTO), **more
    )


def stored_files() -> list[str]:
    return sorted(
        path.name for path in Path(settings.MEDIA_ROOT, "pictures").rglob("*") if path.is_file()
    )


def test_a_portrait_is_uploaded_seen_replaced_and_removed(
    bob: User,
    dora: User,
    charlie: User,
    campaign: Campaign,
    django_capture_on_commit_callbacks: Any,
) -> None:
    as_bob, hans = api_of(bob), named("Hans")
    first = upload(as_bob, "fighter", hans.pk, caption="ignored")
    assert first.status_code == 201, first.json()
    assert first.json()["caption"] == "" and first.json()["small_width"] == 32
    fetched = api_of(dora).get(first.json()["large"])
    assert (
        fetched.headers["Content-Type"] == "image/jpeg"
        and b"".join(iter(fetched))[:2] == b"\xff\xd8"
    )
    assert upload(api_of(dora), "fighter", hans.pk).json()["code"] == "not-your-subject"
    assert upload(api_of(charlie), "fighter", hans.pk).status_code == 404
    assert api_of(charlie).get(first.json()["large"]).status_code == 404
    with django_capture_on_commit_callbacks(execute=True):
        second = upload(as_bob, "fighter", hans.pk, written(scene(50, 50))).json()
    listed = api_of(dora).get(f"/api/v1/pictures/?kind=fighter&subject={hans.pk}").json()["results"]
    assert [row["id"] for row in listed] == [second["id"]]
    assert api_of(charlie).get("/api/v1/pictures/").json()["count"] == 0
    assert as_bob.get(f"/api/v1/pictures/{first.json()['id']}/").status_code == 404
    assert len(stored_files()) == 2, "the files of the first are gone"
    mine = f"/api/v1/pictures/{second['id']}/"
    assert api_of(dora).delete(mine).status_code == 403
    assert as_bob.patch(mine, {"caption": "Hans"}).json()["code"] == "no-caption"
    with django_capture_on_commit_callbacks(execute=True):
        assert as_bob.delete(mine).status_code == 204
    assert stored_files() == []


def test_who_may_change_a_thing_sets_its_pictures_and_nobody_else(
    browsers: Clients,
    alice: User,
    bob: User,
    dora: User,
    club: Club,
    haufen: Warband,
    confirmed: Battle,
) -> None:
    may = {
        "warband": (haufen, {alice, bob}),
        "club": (club, {alice}),
        "battle": (confirmed, {alice, bob}),
    }
    for kind, (subject, allowed) in may.items():
        page = reverse(f"pictures:of-{kind}", args=[subject.pk])
        clients = {alice: browsers.alice, bob: browsers.bob, dora: browsers.dora}
        for user, browser in clients.items():
            assert browser.get(page).status_code == (200 if user in allowed else 403)
            answer = browser.post(page, {"file": sent(SMALL_PHOTO)})
            assert answer.status_code == (302 if user in allowed else 403), (kind, user)
        assert browsers.charlie.get(page).status_code == 404
        assert browsers.nobody.get(page).status_code == 302
    (picture,) = Picture.objects.filter(kind="club")
    for size in ("small", "large"):
        file = reverse(f"pictures:{size}", args=[picture.pk])
        seen = [browser.get(file).status_code for browser in browsers]
        assert seen == [200, 200, 404, 200, 404], "alice, bob, charlie, dora, nobody"
    for button in ("remove", "caption"):
        address = reverse(f"pictures:{button}", args=[picture.pk])
        assert [
            browser.post(address).status_code for browser in (browsers.charlie, browsers.bob)
        ] == [404, 403]
        assert browsers.alice.post(reverse(f"pictures:{button}", args=[uuid4()])).status_code == 404
    assert browsers.alice.post(reverse("pictures:remove", args=[picture.pk])).status_code == 302
    assert not Picture.objects.filter(kind="club").exists()


def test_a_file_is_served_as_what_it_is_and_nothing_can_run_in_it(
    browsers: Clients, bob: User, haufen: Warband
) -> None:
    picture = added(bob, PictureKind.WARBAND, haufen.pk)
    page, api = (
        reverse("pictures:small", args=[picture.pk]),
        f"/api/v1/pictures/{picture.pk}/file/?size=small",
    )
    for client, address in ((browsers.bob, page), (api_of(bob), api)):
        answer = client.get(address)
        assert answer.headers["Content-Type"] == "image/jpeg"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
        assert answer.headers["Cache-Control"] == "private, no-cache"
        again = client.get(address, headers={"If-None-Match": answer.headers["ETag"]})
        assert again.status_code == 304 and again.headers["Content-Security-Policy"]
    assert api_of(bob).get(api.replace("small", "huge")).json()["code"] == "unknown-size"
    Path(settings.MEDIA_ROOT, str(picture.small)).unlink()
    assert browsers.bob.get(page).status_code == 404


def test_battle_photos_are_uploaded_together(
    browsers: Clients, bob: User, confirmed: Battle
) -> None:
    address = reverse("pictures:of-battle", args=[confirmed.pk])
    page = browsers.bob.get(address).content.decode()
    assert " multiple" in page and 'capture="environment"' in page
    files = [sent(SMALL_PHOTO), sent(SMALL_PHOTO, "second.jpg")]
    assert browsers.bob.post(address, {"file": files, "caption": "The mill"}).status_code == 302
    assert [each.caption for each in Picture.objects.filter(subject=confirmed.pk)] == [
        "The mill",
        "The mill",
    ]


def test_battle_photos_report_which_file_failed(browsers: Clients, confirmed: Battle) -> None:
    address = reverse("pictures:of-battle", args=[confirmed.pk])
    files = [sent(SMALL_PHOTO), sent(HEIC, "hill.heic")]
    answer = browsers.bob.post(address, {"file": files})
    assert answer.status_code == 400
    assert "hill.heic: HEIC pictures are not supported" in answer.content.decode()
    assert Picture.objects.filter(subject=confirmed.pk).count() == 1


def test_a_battle_has_photos_with_captions_up_to_a_limit(
    browsers: Clients, bob: User, confirmed: Battle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pictures.services.pictures.MAX_PHOTOS", 2)
    photos = reverse("pictures:of-battle", args=[confirmed.pk])
    data = {"file": sent(SMALL_PHOTO), "caption": "The <mill> burns"}
    assert browsers.bob.post(photos, data).headers["Location"].endswith("#pictures")
    added(bob, PictureKind.BATTLE, confirmed.pk)
    page = browsers.dora.get(reverse("battles:battle", args=[confirmed.pk])).content.decode()
    assert page.count('alt="The &lt;mill&gt; burns"') == 1 and page.count("<figcaption>") == 1
    third = browsers.bob.post(photos, {"file": sent(SMALL_PHOTO)})
    assert (
        third.status_code == 400 and "at most 2 photos. Remove one first." in third.content.decode()
    )
    assert (
        upload(api_of(bob), "battle", confirmed.pk).json()["errors"][0]["code"]
        == "too-many-pictures"
    )
    first = confirmed_photo = Picture.objects.filter(kind="battle").earliest("added_at")
    browsers.bob.post(
        reverse("pictures:caption", args=[first.pk]), {"caption": "  After   the rain "}
    )
    confirmed_photo.refresh_from_db()
    assert confirmed_photo.caption == "After the rain"
    changed = api_of(bob).patch(f"/api/v1/pictures/{first.pk}/", {"caption": "Again"})
    assert changed.json()["caption"] == "Again"
    assert (
        api_of(bob).patch(f"/api/v1/pictures/{first.pk}/", {"caption": "x" * 201}).status_code
        == 400
    )


def test_a_member_keeps_so_many_pictures_and_uploads_so_often(
    browsers: Clients, bob: User, haufen: Warband, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pictures.services.pictures.MAX_OF_A_MEMBER", 1)
    added(bob, PictureKind.WARBAND, haufen.pk)
    assert upload(api_of(bob), "fighter", named("Hans").pk).json()["code"] == "too-many-pictures"
    assert upload(api_of(bob), "warband", haufen.pk).status_code == 201, (
        "one for another is no more"
    )
    monkeypatch.setitem(SimpleRateThrottle.THROTTLE_RATES, "pictures", "3/hour")
    page = reverse("pictures:of-warband", args=[haufen.pk])
    assert browsers.bob.post(page, {"file": sent(SMALL_PHOTO)}).status_code == 302
    late = browsers.bob.post(page, {"file": sent(SMALL_PHOTO)})
    assert late.status_code == 429 and "Try again in" in late.content.decode()
    assert upload(api_of(bob), "warband", haufen.pk).json()["code"] == "throttled"


@pytest.mark.one_database
def test_unusable_picture_reports_error_without_file(
    browsers: Clients, bob: User, haufen: Warband
) -> None:
    page = reverse("pictures:of-warband", args=[haufen.pk])
    heic = sent(HEIC, "IMG_1.HEIC")
    response = browsers.bob.post(page, {"file": heic})
    assert (
        response.status_code == 400
        and "HEIC pictures are not supported" in response.content.decode()
    )
    assert browsers.bob.post(page, {}).status_code == 400
    large = SimpleUploadedFile("huge.jpg", b"\xff\xd8" + b"x" * MAX_BYTES, "image/jpeg")
    problem = upload(api_of(bob), "warband", haufen.pk, b"").json()
    assert problem["errors"][0]["field"] == "/file"
    refused = api_of(bob).post(
        "/api/v1/pictures/",
        {"kind": "warband", "subject": str(haufen.pk), "file": large},
        format="multipart",
    )
    assert refused.status_code == 400
    assert refused.json()["errors"][0] | {"detail": ""} == {
        "field": "/file", "code": "too-many-bytes", "detail": "", "severity": "forbids", "value": "10.0 MB",
    }  # fmt: skip
    assert upload(api_of(bob), "nonsense", haufen.pk).json()["errors"][0]["field"] == "/kind"
    assert upload(api_of(bob), "warband", uuid4()).json()["code"] == "unknown-subject"
    assert stored_files() == [] and not Picture.objects.exists()


@pytest.mark.one_database
def test_files_are_taken_where_pictures_are_uploaded_and_nowhere_else(
    as_bob: APIClient, haufen: Warband
) -> None:
    elsewhere = as_bob.post(
        "/api/v1/warbands/", {"name": "x", "file": sent(SMALL_PHOTO)}, format="multipart"
    )
    assert elsewhere.status_code == 415
    assert as_bob.post("/api/v1/pictures/", {"kind": "warband"}, format="json").status_code == 415


def test_a_sweep_deletes_pictures_of_what_is_gone_and_files_without_a_row(
    bob: User,
    haufen: Warband,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    hans = named("Hans")
    kept, lost = (
        added(bob, PictureKind.WARBAND, haufen.pk),
        added(bob, PictureKind.FIGHTER, hans.pk),
    )
    orphan = added(bob, PictureKind.FIGHTER, named("Veit").pk)
    Picture.objects.filter(pk=orphan.pk).delete()
    Fighter.objects.filter(pk=hans.pk).delete()
    assert sweep() == 0, "nothing has waited long enough"
    monkeypatch.setattr("pictures.services.sweeping.PATIENCE", timedelta(0))
    Picture.objects.filter(pk=lost.pk).update(added_at=timezone.now() - timedelta(seconds=5))
    with django_capture_on_commit_callbacks(execute=True):
        assert sweep() >= 2
    assert list(Picture.objects.all()) == [kept]
    assert stored_files() == sorted(Path(str(file)).name for file in (kept.large, kept.small))


def test_pages_show_what_was_brought_and_take_as_many_queries_with_many_pictures(
    browsers: Clients, bob: User, haufen: Warband, campaign: Campaign
) -> None:
    address = reverse("warbands:warband", args=[haufen.pk])
    browsers.dora.get(address)
    with CaptureQueriesContext(connection) as bare:
        drawn = browsers.dora.get(address).content.decode()
    assert "<img" not in drawn and 'class="crest large"' in drawn
    crest = added(bob, PictureKind.WARBAND, haufen.pk)
    portraits = [added(bob, PictureKind.FIGHTER, row.pk) for row in haufen.fighters.all()]
    with CaptureQueriesContext(connection) as full:
        page = browsers.dora.get(address).content.decode()
    assert len(full) == len(bare)
    assert reverse("pictures:small", args=[crest.pk]) in page
    fighter = browsers.dora.get(
        reverse("warbands:fighter", args=[named("Hans").pk])
    ).content.decode()
    assert 'alt="Hans"' in fighter and any(
        reverse("pictures:small", args=[row.pk]) in fighter for row in portraits
    )
