"""The same content always makes the same file, in any process and at any time."""

import hashlib
import os
import subprocess
import sys

import pytest
from msgspec.structs import replace

from documents.content.registry import content_hash
from documents.services.rendering import file_of
from tests.documents import samples
from tests.documents.reading_pdfs import printed

PRINT = """
import django
django.setup()
from tests.documents.test_reproducible_files import hashes
print(*hashes())
"""


def hashes() -> list[str]:
    """Return the hashes of some samples printed by this process."""
    contents = (samples.campaign(1, 1, ("Ana", "山")), samples.career(), samples.rank_ups())
    files = [printed(content, fresh=True).pdf for content in contents]
    card = samples.result_card()
    files.append(file_of(card, printed(card, "Wide", fresh=True)))
    return [hashlib.sha256(file).hexdigest() for file in files]


def hashes_elsewhere(**environment: str) -> list[str]:
    """Return the hashes of the same samples printed by another process."""
    variables = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"} | environment
    run = subprocess.run(
        [sys.executable, "-c", PRINT],
        env=variables,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return run.stdout.split()


def test_two_processes_make_the_same_bytes() -> None:
    """With other hash seeds, languages and time zones; this one has printed other things before."""
    elsewhere = hashes_elsewhere(PYTHONHASHSEED="1", TZ="Asia/Tokyo", LANG="de_DE.UTF-8")
    printed(samples.warband(("山田長政", "محمد")))
    assert hashes() == elsewhere
    assert len(set(elsewhere)) == 4


def test_the_same_content_has_the_same_hash_and_any_change_another_one() -> None:
    content = samples.warband()
    assert content_hash(content, "A4") == content_hash(samples.warband(), "A4")
    assert content_hash(content, "A4") != content_hash(content, "Letter")
    assert content_hash(content, "A4") != content_hash(replace(content, title="Others"), "A4")
    renamed = replace(
        content.roster,
        cards=(replace(content.roster.cards[0], name="X"), *content.roster.cards[1:]),
    )
    assert content_hash(content, "A4") != content_hash(replace(content, roster=renamed), "A4")


def test_another_edition_of_the_page_has_another_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    before = content_hash(samples.warband(), "A4")
    monkeypatch.setattr("documents.content.registry.edition", lambda: "another")
    assert content_hash(samples.warband(), "A4") != before


def test_a_second_printing_in_the_same_process_makes_the_same_bytes() -> None:
    first = printed(samples.career(), fresh=True).pdf
    printed(samples.warband(("山田長政",)))
    assert (
        hashlib.sha256(printed(samples.career(), fresh=True).pdf).digest()
        == hashlib.sha256(first).digest()
    )
