"""Documents, pictures, archives, sweeps and backups with all files in a bucket."""

import subprocess
import sys
import zipfile
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError
from django.test import Client
from django.utils import timezone

from battles.models import Battle
from campaigns.models import Campaign
from clubs.models import Club
from core.buckets import BucketStorage
from core.errors import Unavailable
from core.file_stores import StoreError
from documents.models import Document, DocumentKind, DocumentState
from documents.services.parts import bind_parts
from documents.services.rendering import render_document
from documents.tasks import tidy as sweep_documents
from exchange.models import ArchiveKind, ExportState, Import, ImportState
from exchange.services.exports import make_export, request_export
from exchange.services.imports import advance_import, carry_out
from exchange.tasks import tidy as sweep_archives
from pictures.models import Picture
from pictures.services.pictures import add_picture
from pictures.subjects import PictureKind
from pictures.tasks import sweep as sweep_pictures
from tests.conftest import api_of, browser_of
from tests.documents.conftest import ask, made
from tests.exchange.test_imports import checked, club_archive, uploaded, worked
from tests.files.conftest import PREFIX, Bucket
from tests.operations.test_backups import elsewhere, run
from tests.pictures.samples import scene, sent, written
from warbands.models import Warband

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
PHOTO = written(scene(32, 24))


def body_of(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def photo_of(battle: Battle, user: User) -> Picture:
    return add_picture(
        user=user, kind=PictureKind.BATTLE, subject=battle.pk, file=sent(PHOTO), size=len(PHOTO)
    )


def kinds(bucket: Bucket) -> list[str]:
    """Return the folders that have files."""
    return sorted({key.split("/")[1] for key in bucket.names()})


def later(monkeypatch: pytest.MonkeyPatch, wait: timedelta) -> None:
    now = timezone.now
    monkeypatch.setattr("django.utils.timezone.now", lambda: now() + wait)


def test_a_document_is_printed_with_its_picture_and_downloaded(
    bucket: Bucket, battle: Battle, alice: User, settings: Any
) -> None:
    photo_of(battle, alice)
    document = made(ask(alice, DocumentKind.BATTLE, battle.pk))
    assert (document.state, document.failure) == (DocumentState.READY, "")
    assert bucket.content(f"{PREFIX}/{document.file.name}").startswith(b"%PDF")
    answer = api_of(alice).get(f"/api/v1/documents/{document.pk}/file/")
    body = body_of(answer)
    assert (answer.status_code, len(body)) == (200, document.size)
    assert answer["Content-Length"] == str(document.size)
    again = api_of(alice).get(
        f"/api/v1/documents/{document.pk}/file/", HTTP_IF_NONE_MATCH=answer["ETag"]
    )
    assert again.status_code == 304
    assert body_of(browser_of(alice).get(f"/documents/{document.pk}/file/")) == body
    assert Client().get(f"/api/v1/documents/{document.pk}/file/").status_code == 401
    assert not Path(settings.FILES_DIR).exists(), "nothing is on the disk"


def test_a_big_document_is_printed_in_parts_that_are_deleted_afterwards(
    bucket: Bucket,
    battle: Battle,
    campaign: Campaign,
    alice: User,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    monkeypatch.setattr("documents.content.print_jobs.IN_ONE_GO", 0)
    monkeypatch.setattr("documents.content.print_jobs.PAGES_A_PART", 1.2)
    kept: list[str] = []

    def bind_and_note(document: Document) -> Any:
        kept.extend(bucket.names())
        return bind_parts(document)

    monkeypatch.setattr("documents.services.rendering.bind_parts", bind_and_note)
    with django_capture_on_commit_callbacks(execute=True):
        document = made(ask(alice, DocumentKind.CAMPAIGN, campaign.pk))
    assert (document.state, document.failure) == (DocumentState.READY, "")
    assert kept and all("/parts/" in name for name in kept)
    assert [key for key in bucket.names() if "/documents/" in key] == [
        f"{PREFIX}/{document.file.name}"
    ]


def test_a_document_that_changed_replaces_its_file(
    bucket: Bucket, reds: Warband, alice: User
) -> None:
    document = made(ask(alice, DocumentKind.ROSTER, reds.pk))
    first = document.file.name
    Document.objects.filter(pk=document.pk).update(content_hash="", state=DocumentState.QUEUED)
    document = made(document)
    assert document.file.name != first
    assert bucket.names() == [f"{PREFIX}/{document.file.name}"]


def test_a_damaged_document_is_noticed_and_made_again(
    bucket: Bucket, reds: Warband, alice: User
) -> None:
    document = made(ask(alice, DocumentKind.ROSTER, reds.pk))
    bucket.put(f"{PREFIX}/{document.file.name}", b"%PDF of somebody else")
    answer = api_of(alice).get(f"/api/v1/documents/{document.pk}/file/")
    assert (answer.status_code, answer.json()["code"]) == (409, "not-ready")
    document.refresh_from_db()
    assert made(document).state == DocumentState.READY


def test_a_picture_is_stored_shown_and_removed(
    bucket: Bucket,
    battle: Battle,
    alice: User,
    bob: User,
    django_capture_on_commit_callbacks: Any,
) -> None:
    picture = photo_of(battle, alice)
    assert len(bucket.names()) == 2
    answer = api_of(bob).get(f"/api/v1/pictures/{picture.pk}/file/")
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/jpeg")
    assert body_of(answer) == bucket.content(f"{PREFIX}/{picture.large}")
    with django_capture_on_commit_callbacks(execute=True):
        assert api_of(alice).delete(f"/api/v1/pictures/{picture.pk}/").status_code == 204
    assert bucket.names() == []


def test_an_archive_with_pictures_is_exported_downloaded_and_its_table_read(
    bucket: Bucket, club: Club, battle: Battle, alice: User
) -> None:
    photo_of(battle, alice)
    export = request_export(user=alice, kind=ArchiveKind.CLUB, subject=club.pk)
    make_export(export.pk)
    export.refresh_from_db()
    assert (export.state, export.failure) == (ExportState.READY, "")
    whole = body_of(api_of(alice).get(f"/api/v1/exports/{export.pk}/file/"))
    names = zipfile.ZipFile(BytesIO(whole)).namelist()
    assert len([name for name in names if name.startswith("pictures/")]) == 2
    table = body_of(api_of(alice).get(f"/api/v1/exports/{export.pk}/tables/battles/"))
    assert table == zipfile.ZipFile(BytesIO(whole)).read("csv/battles.csv")


def test_an_archive_is_uploaded_checked_and_imported(
    bucket: Bucket, alice: User, django_capture_on_commit_callbacks: Any
) -> None:
    brought = checked(alice, club_archive())
    assert kinds(bucket) == ["imports"]
    carry_out(user=alice, import_id=brought.pk)
    with django_capture_on_commit_callbacks(execute=True):
        brought = worked(brought)
    assert (brought.state, brought.failure) == (ImportState.DONE, "")
    assert Club.objects.count() == 1 and bucket.names() == []


def test_own_data_have_the_pictures(bucket: Bucket, battle: Battle, alice: User) -> None:
    picture = photo_of(battle, alice)
    whole = body_of(api_of(alice).get("/api/v1/me/data/"))
    with zipfile.ZipFile(BytesIO(whole)) as archive:
        assert archive.read(f"pictures/{picture.pk}.jpg") == bucket.content(
            f"{PREFIX}/{picture.large}"
        )


def test_files_without_a_row_are_swept_and_all_others_kept(
    bucket: Bucket, battle: Battle, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    photo_of(battle, alice)
    made(ask(alice, DocumentKind.BATTLE, battle.pk))
    before = bucket.names()
    lost = uuid4()
    for folder in ("pictures", "documents", "exports"):
        bucket.put(f"{PREFIX}/{folder}/{lost.hex[:2]}/{lost}/some.file", b"left")
    bucket.put(f"{PREFIX}/documents/{lost.hex[:2]}/{lost}/parts/1.pdf", b"left")
    for sweep in (sweep_pictures, sweep_documents, sweep_archives):
        assert sweep() == 0, "a young file may still get its row"
    later(monkeypatch, timedelta(days=1))
    for sweep in (sweep_pictures, sweep_documents, sweep_archives):
        assert sweep() == 1
    assert bucket.names() == before


@pytest.mark.django_db(transaction=True)
def test_a_backup_moves_files_from_a_bucket_to_a_disk_and_back(
    bucket: Bucket, reds: Warband, alice: User, settings: Any, tmp_path: Path
) -> None:
    document = made(ask(alice, DocumentKind.ROSTER, reds.pk))
    name, content = str(document.file.name), bucket.content(f"{PREFIX}/{document.file.name}")
    before = settings.STORAGES
    assert "the database and 1 files" in run("backup", tmp_path / "bucket.zip")
    settings.S3_BUCKET = ""
    settings.STORAGES = {
        **before,
        "default": {"BACKEND": "core.file_stores.DiskStorage"},
    }
    with elsewhere(tmp_path):
        output = run("restore", tmp_path / "bucket.zip")
        assert "the database and 1 files" in output
        assert Path(settings.MEDIA_ROOT, name).read_bytes() == content
        run("backup", tmp_path / "disk.zip")
    bucket.client.delete_object(Bucket="muster-files", Key=f"{PREFIX}/{name}")
    settings.S3_BUCKET, settings.STORAGES = "muster-files", before
    run("restore", "--force", tmp_path / "disk.zip")
    assert bucket.content(f"{PREFIX}/{name}") == content


@pytest.mark.django_db(transaction=True)
def test_a_backup_without_files_names_the_bucket_and_leaves_it_alone(
    bucket: Bucket, reds: Warband, alice: User, tmp_path: Path
) -> None:
    made(ask(alice, DocumentKind.ROSTER, reds.pk))
    output = run("backup", "--without-files", tmp_path / "small.zip")
    assert "the database alone" in output and "bucket muster-files" in output
    with zipfile.ZipFile(tmp_path / "small.zip") as archive:
        assert not [each for each in archive.namelist() if each.startswith("files/")]
    before = bucket.names()
    assert "were not changed" in run("restore", "--force", tmp_path / "small.zip")
    assert bucket.names() == before


def test_health_reports_the_bucket(bucket: Bucket, client: Client) -> None:
    assert client.get("/health/store").status_code == 200
    assert bucket.names() == []
    bucket.stop()
    answer = client.get("/health/ready")
    assert answer.status_code == 200, "pages work without files"
    store = answer.json()["components"]["store"]
    assert (store["healthy"], "does not answer" in store["detail"]) == (False, True)
    assert client.get("/health/store").status_code == 503


def test_a_document_waits_for_a_store_that_is_down_and_says_so(
    bucket: Bucket, reds: Warband, alice: User
) -> None:
    document = ask(alice, DocumentKind.ROSTER, reds.pk)
    bucket.stop()
    with pytest.raises(StoreError):
        render_document(document.pk)
    document.refresh_from_db()
    assert (document.state, document.claimed_by) == (DocumentState.RENDERING, "")
    assert (document.failure, document.file.name) == ("The file store does not answer.", "")


def test_a_download_from_a_store_that_is_down_is_told_to_come_back(
    bucket: Bucket, battle: Battle, reds: Warband, alice: User
) -> None:
    picture = photo_of(battle, alice)
    document = made(ask(alice, DocumentKind.ROSTER, reds.pk))
    bucket.stop()
    paths = (f"documents/{document.pk}/file/", f"pictures/{picture.pk}/file/")
    for answer in [api_of(alice).get(f"/api/v1/{path}") for path in paths]:
        assert (answer.status_code, answer.json()["code"]) == (503, "store-unusable")
        assert answer["Retry-After"]
    page = browser_of(alice).get(f"/pictures/{picture.pk}/large/")
    assert (page.status_code, page["Retry-After"]) == (503, "5")
    assert "store for documents and pictures" in page.content.decode()


def test_an_upload_to_a_store_that_is_down_saves_nothing(
    bucket: Bucket, battle: Battle, alice: User
) -> None:
    bucket.stop()
    data = {"kind": "battle", "subject": str(battle.pk), "file": sent(PHOTO)}
    answer = api_of(alice).post("/api/v1/pictures/", data, format="multipart")
    assert (answer.status_code, answer.json()["code"]) == (503, "store-unusable")
    assert not Picture.objects.exists()
    page = browser_of(alice).post(f"/battles/{battle.pk}/pictures/", {"file": sent(PHOTO)})
    assert "Nothing was saved" in page.content.decode()


def test_a_picture_whose_second_size_fails_leaves_nothing(
    bucket: Bucket, battle: Battle, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    save, calls = BucketStorage._save, []

    def fail_second(self: BucketStorage, name: str, content: Any) -> str:
        calls.append(name)
        if len(calls) == 2:
            raise StoreError(5, "gone")
        return save(self, name, content)

    monkeypatch.setattr(BucketStorage, "_save", fail_second)
    with pytest.raises(Exception, match="Nothing was saved"):
        photo_of(battle, alice)
    assert bucket.names() == [] and not Picture.objects.exists()


def test_an_archive_that_cannot_be_stored_saves_nothing(bucket: Bucket, alice: User) -> None:
    archive = club_archive()
    bucket.stop()
    with pytest.raises(Unavailable, match="Nothing was saved"):
        uploaded(alice, archive)
    assert not Import.objects.exists()


def test_an_import_waits_for_a_store_that_is_down(bucket: Bucket, alice: User) -> None:
    brought = uploaded(alice, club_archive())
    bucket.stop()
    with pytest.raises(StoreError):
        advance_import(brought.pk)
    brought.refresh_from_db()
    assert (brought.state, brought.claimed_by) == (ImportState.UPLOADED, "")
    assert not Club.objects.exists()


def test_a_removed_picture_is_gone_although_its_file_waits_for_the_sweep(
    bucket: Bucket, battle: Battle, alice: User, django_capture_on_commit_callbacks: Any
) -> None:
    picture = photo_of(battle, alice)
    bucket.stop()
    with django_capture_on_commit_callbacks(execute=True):
        assert api_of(alice).delete(f"/api/v1/pictures/{picture.pk}/").status_code == 204
    assert not Picture.objects.exists()


def test_a_backup_of_a_store_that_is_down_fails_and_leaves_no_file(
    bucket: Bucket, reds: Warband, alice: User, tmp_path: Path
) -> None:
    made(ask(alice, DocumentKind.ROSTER, reds.pk))
    bucket.stop()
    with pytest.raises(CommandError, match="Could not write the backup"):
        run("backup", tmp_path / "some.zip")
    assert not (tmp_path / "some.zip").exists()


def test_the_library_of_buckets_is_not_loaded_with_files_on_a_disk(tmp_path: Path) -> None:
    ask_modules = (
        "import sys, django; django.setup(); import config.wsgi, config.celery\n"
        "from django.core.files.storage import default_storage; default_storage.exists('a')\n"
        "print(*(name for name in ('boto3', 'botocore', 'storages') if name in sys.modules))"
    )
    environment = {
        "PATH": "/usr/bin:/bin",
        "VAR_DIR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    done = subprocess.run(
        [sys.executable, "-c", ask_modules],
        cwd=Path(__file__).parents[2],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == ""
