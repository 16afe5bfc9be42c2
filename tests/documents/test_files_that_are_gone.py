"""A document whose file is gone or broken, as after a restore without the files, is made again and
can be had."""

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from rest_framework.test import APIClient

from campaigns.models import Campaign
from core.errors import InvalidInput
from documents.content import print_jobs
from documents.models import Document, DocumentKind, DocumentState
from documents.services import rendering
from documents.services.parts import has_part_files
from documents.services.rendering import render_document, render_part
from documents.services.requesting import retry_document
from pictures.models import Picture
from pictures.services.pictures import remove_picture
from pictures.subjects import PictureKind
from tests.conftest import browser_of
from tests.documents.conftest import ask, made
from tests.documents.test_pictures_in_prints import bring
from warbands.models import Warband

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]

DAMAGES = {
    "gone": lambda path: path.unlink(),
    "cut short": lambda path: path.write_bytes(path.read_bytes()[:1000]),
    "changed": lambda path: path.write_bytes(path.read_bytes()[:-9] + b"\0" * 9),
}


@pytest.fixture
def ready(alice: User, reds: Warband) -> Document:
    return made(ask(alice, DocumentKind.ROSTER, reds.pk))


@pytest.fixture(params=DAMAGES)
def damaged(request: pytest.FixtureRequest, ready: Document) -> Document:
    DAMAGES[request.param](Path(ready.file.path))
    return ready


def test_a_file_that_is_gone_or_broken_is_not_handed_out_but_made_again(
    damaged: Document, as_alice: APIClient
) -> None:
    address = f"/api/v1/documents/{damaged.pk}/"
    before = damaged.content_hash
    refused = as_alice.get(f"{address}file/")
    assert (refused.status_code, refused.json()["code"]) == (409, "not-ready")
    assert (as_alice.get(address).data["state"], as_alice.get(address).data["file"]) == (
        "queued",
        None,
    )
    assert made(damaged).content_hash == before
    assert b"".join(as_alice.get(f"{address}file/").streaming_content).startswith(b"%PDF")  # type: ignore[attr-defined]


def test_asking_again_for_a_document_whose_file_is_gone_or_broken_has_it_made_again(
    damaged: Document, alice: User, reds: Warband
) -> None:
    retried = ask(alice, DocumentKind.ROSTER, reds.pk)
    assert (retried.pk, retried.state) == (damaged.pk, DocumentState.QUEUED)
    assert Path(made(retried).file.path).read_bytes().startswith(b"%PDF")


def test_a_document_whose_file_is_gone_or_broken_can_be_tried_again(
    damaged: Document, alice: User
) -> None:
    assert retry_document(user=alice, document_id=damaged.pk).state == DocumentState.QUEUED
    assert Path(made(damaged).file.path).read_bytes().startswith(b"%PDF")


def test_the_page_shows_the_document_coming_in_place_of_a_broken_file(
    damaged: Document, alice: User
) -> None:
    page = browser_of(alice).get(f"/documents/{damaged.pk}/file/", follow=True)
    assert page.redirect_chain == [(f"/documents/{damaged.pk}/", 302)]
    assert "Muster is creating it again" in page.content.decode()


def test_check_documents_names_what_is_gone_or_broken_and_has_it_made_again(
    damaged: Document, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(CommandError, match="1 files are gone or damaged"):
        call_command("check_documents")
    assert str(damaged.pk) in capsys.readouterr().out
    call_command("check_documents", again=True)
    made(damaged)
    call_command("check_documents")
    assert "1 documents with files, all of them whole" in capsys.readouterr().out


def test_a_file_from_before_hashes_were_kept_is_measured(
    ready: Document, as_alice: APIClient
) -> None:
    Document.objects.update(file_hash="")
    assert as_alice.get(f"/api/v1/documents/{ready.pk}/file/").status_code == 200
    DAMAGES["cut short"](Path(ready.file.path))
    assert as_alice.get(f"/api/v1/documents/{ready.pk}/file/").status_code == 409


def test_parts_whose_files_are_gone_are_made_again(
    alice: User, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(print_jobs, "IN_ONE_GO", 0)
    document = ask(alice, DocumentKind.CAMPAIGN, campaign.pk)
    render_document(document.pk)
    for part in document.parts.filter(number__gt=0):
        render_part(part.pk)
    Path(document.parts.get(number=1).file.path).unlink()
    assert not has_part_files(document)
    render_document(document.pk)
    assert made(document).state == DocumentState.READY


@pytest.fixture
def illustrated(alice: User, reds: Warband) -> Document:
    """Return a roster with the warband's crest."""
    bring(alice, PictureKind.WARBAND, reds.pk)
    return made(ask(alice, DocumentKind.ROSTER, reds.pk))


def test_a_file_with_a_removed_picture_is_not_handed_out_but_made_again(
    illustrated: Document, alice: User, as_alice: APIClient
) -> None:
    file, before = f"/api/v1/documents/{illustrated.pk}/file/", illustrated.content_hash
    assert as_alice.get(file).status_code == 200
    (picture,) = Picture.objects.all()
    assert illustrated.pictures == [str(picture.small)]
    remove_picture(user=alice, picture_id=picture.pk)
    refused = as_alice.get(file)
    assert (refused.status_code, refused.json()["code"]) == (409, "not-ready")
    assert "picture" in refused.json()["detail"]
    again = made(illustrated)
    assert again.pictures == []
    assert again.content_hash != before
    assert as_alice.get(file).status_code == 200


def test_the_old_file_is_withdrawn_before_one_without_the_picture_is_made(
    illustrated: Document, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove_picture(user=alice, picture_id=Picture.objects.get().pk)
    ask(alice, DocumentKind.ROSTER, illustrated.subject)
    files = []

    def stop(*_: object, **__: object) -> None:
        files.append(Document.objects.get(pk=illustrated.pk).file.name)
        raise InvalidInput("stopped", "Stopped.")

    monkeypatch.setattr(rendering, "print_in_one_go", stop)
    render_document(illustrated.pk)
    assert files == [""]


def test_an_added_picture_keeps_the_old_file_until_the_new_one_is_made(
    ready: Document, alice: User, as_alice: APIClient
) -> None:
    bring(alice, PictureKind.WARBAND, ready.subject)
    ask(alice, DocumentKind.ROSTER, ready.subject)
    assert as_alice.get(f"/api/v1/documents/{ready.pk}/file/").status_code == 200
    assert made(ready).pictures
