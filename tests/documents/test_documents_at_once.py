"""Several workers and askers at once, each on a connection of its own. Only Postgres lets writers
run side by side."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.storage import default_storage

from battles.models import Battle
from campaigns.models import Campaign
from documents.content import print_jobs
from documents.content.print_jobs import Plan
from documents.models import Document, DocumentKind, DocumentPart
from documents.services import rendering
from documents.services.queue import claim_document
from documents.services.rendering import render_document, render_part
from tests.battles import field
from tests.documents.conftest import ask
from tests.together import at_once
from warbands.models import Warband

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
TIMES = 6


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[Plan]:
    """Return a list that notes every run of the printer."""
    runs: list[Plan] = []
    real = rendering.print_in_one_go

    def note(plan: Plan, **how: Any) -> Any:
        runs.append(plan)
        return real(plan, **how)

    monkeypatch.setattr(rendering, "print_in_one_go", note)
    return runs


def files() -> list[Path]:
    return [file for file in Path(default_storage.path("documents")).rglob("*") if file.is_file()]


def test_asked_for_many_times_at_once_it_is_one_document(alice: User, reds: Warband) -> None:
    ids = at_once(*(lambda: ask(alice, DocumentKind.ROSTER, reds.pk).pk for _ in range(TIMES)))
    assert len(set(ids)) == 1
    assert Document.objects.count() == 1


def test_rendered_many_times_at_once_it_is_printed_once(
    alice: User, reds: Warband, rendered: list[Plan]
) -> None:
    document = ask(alice, DocumentKind.ROSTER, reds.pk)
    at_once(*(lambda n=n: render_document(document.pk, task=f"task {n}") for n in range(TIMES)))
    assert len(rendered) == 1
    ready = Document.objects.get()
    assert (ready.state, ready.attempts, ready.claimed_by) == ("ready", 0, "")
    assert [str(file) for file in files()] == [ready.file.path]


def test_only_one_of_many_gets_the_claim(alice: User, reds: Warband) -> None:
    document = ask(alice, DocumentKind.ROSTER, reds.pk)
    claims = at_once(*(lambda n=n: claim_document(document.pk, f"task {n}") for n in range(TIMES)))
    assert len([claim for claim in claims if claim]) == 1
    assert Document.objects.get().attempts == 1


def test_parts_rendered_at_once_and_twice_are_bound_once(
    alice: User,
    campaign: Campaign,
    battle: Battle,
    reds: Warband,
    blues: Warband,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(print_jobs, "IN_ONE_GO", 0)
    monkeypatch.setattr(print_jobs, "PAGES_A_PART", 2.6)
    field.confirmed(alice, campaign, reds, blues)
    document = ask(alice, DocumentKind.CAMPAIGN, campaign.pk)
    render_document(document.pk)
    parts = list(DocumentPart.objects.filter(number__gt=0).values_list("pk", flat=True))
    at_once(
        *(
            lambda key=key, n=n: render_part(key, task=f"task {n}")
            for n, key in enumerate([*parts, *parts])
        )
    )
    assert not DocumentPart.objects.filter(number__gt=0, finished_at__isnull=True).exists()
    at_once(*(lambda n=n: render_document(document.pk, task=f"bind {n}") for n in range(3)))
    ready = Document.objects.get()
    assert (ready.state, ready.failure) == ("ready", "")
    assert [str(file) for file in files()] == [ready.file.path]


def test_asking_while_it_is_rendered_loses_neither(alice: User, reds: Warband) -> None:
    document = ask(alice, DocumentKind.ROSTER, reds.pk)
    at_once(
        lambda: render_document(document.pk, task="one"),
        *(lambda: ask(alice, DocumentKind.ROSTER, reds.pk) for _ in range(TIMES)),
    )
    render_document(document.pk, task="two")
    assert Document.objects.get().state == "ready"
