"""Downloading files: names that every system can keep, and tags that spare known files."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import RequestFactory

from core.errors import StateConflict
from documents.downloads import file_answer, file_name
from documents.models import Document, DocumentKind
from tests.documents.conftest import ask, made
from warbands.models import Warband

pytestmark = pytest.mark.one_database

TITLES = {
    "The Long Winter": "The Long Winter - Warband roster.pdf",
    "": "Warband roster.pdf",
    "../../etc/passwd": "etc passwd - Warband roster.pdf",
    'a"b\\c/d:e*f?g<h>i|j': "a b c d e f g h i j - Warband roster.pdf",
    "x\r\nSet-Cookie: y": "x Set-Cookie y - Warband roster.pdf",
    "cod\u202efdp.exe": "cod fdp.exe - Warband roster.pdf",
    "山田組": "山田組 - Warband roster.pdf",
    " . ": "Warband roster.pdf",
    "x" * 200: "x" * 80 + " - Warband roster.pdf",
}


@pytest.mark.parametrize(("title", "name"), TITLES.items())
def test_a_file_s_name_is_safe_everywhere(title: str, name: str) -> None:
    assert file_name(Document(kind=DocumentKind.ROSTER, title=title)) == name


@pytest.fixture
def ready(alice: User, reds: Warband) -> Document:
    return made(ask(alice, DocumentKind.ROSTER, reds.pk))


def answer(document: Document, **headers: str) -> Any:
    return file_answer(RequestFactory().get("/", headers=headers), document)


@pytest.mark.django_db
def test_the_file_comes_as_a_download_with_its_name_and_its_tag(ready: Document) -> None:
    response = answer(ready)
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/pdf"
    assert (
        response.headers["Content-Disposition"]
        == 'attachment; filename="Reds - Warband roster.pdf"'
    )
    assert response.headers["ETag"] == f'"{ready.content_hash}"'
    assert response.headers["Cache-Control"] == "private, no-cache"
    assert b"".join(response.streaming_content).startswith(b"%PDF-1.7")


@pytest.mark.django_db
def test_a_name_in_another_script_is_encoded(ready: Document) -> None:
    ready.title = "山田組"
    assert "filename*=utf-8''%E5%B1%B1" in answer(ready).headers["Content-Disposition"]


@pytest.mark.django_db
def test_download_answers_304_for_same_file(ready: Document) -> None:
    tag = f'"{ready.content_hash}"'
    for sent in (tag, f'"other", {tag}'):
        response = answer(ready, If_None_Match=sent)
        assert (response.status_code, response.headers["ETag"], response.content) == (304, tag, b"")
    assert answer(ready, If_None_Match='"other"').status_code == 200


@pytest.mark.django_db
def test_there_is_nothing_to_fetch_before_it_is_ready(alice: User, reds: Warband) -> None:
    with pytest.raises(StateConflict) as race:
        answer(ask(alice, DocumentKind.ROSTER, reds.pk))
    assert race.value.code == "not-ready"


@pytest.mark.django_db
def test_a_file_that_was_replaced_in_the_same_moment_is_asked_for_again(ready: Document) -> None:
    ready.file.storage.delete(str(ready.file.name))
    with pytest.raises(StateConflict):
        answer(ready)
