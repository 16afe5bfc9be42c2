"""A campaign to print, with the toy's rules.

Alice organises, Bob plays, Dora spectates, Charlie is a stranger.
"""

import os
from collections.abc import Callable, Collection
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User

from battles.models import Battle
from campaigns.models import Campaign
from clubs.models import Club
from documents.models import Document, DocumentKind, DocumentPart, Paper
from documents.services.rendering import render_document, render_part
from documents.services.requesting import request_document
from rulebook.ruleset import Ruleset
from tests.battles import field
from tests.documents.played import Shelf
from tests.full_toy import register_toy as register_toy
from warbands.models import Warband

Ask = Callable[..., Document]


@pytest.fixture
def toy(register_toy: Ruleset) -> Ruleset:
    return register_toy


@pytest.fixture
def club(toy: Ruleset, alice: User, bob: User, dora: User) -> Club:
    """Return Alice's club with Bob and Dora."""
    return field.found(alice, bob, spectators=[dora])


@pytest.fixture
def reds(toy: Ruleset, alice: User) -> Warband:
    """Return Alice's warband."""
    return field.muster(alice, "Reds")


@pytest.fixture
def blues(toy: Ruleset, bob: User) -> Warband:
    """Return Bob's warband."""
    return field.muster(bob, "Blues")


@pytest.fixture
def campaign(club: Club, alice: User, reds: Warband, blues: Warband) -> Campaign:
    """Return a running campaign with both warbands."""
    return field.run_campaign(club, alice, reds, blues)


@pytest.fixture
def battle(campaign: Campaign, alice: User, reds: Warband, blues: Warband) -> Battle:
    """Return a confirmed battle in which the Reds' captain killed one Blue and wounded another."""
    captain, victims = field.fighters(reds)[0], field.fighters(blues)
    events = (field.wound(captain, victims[1], "dead"), field.wound(captain, victims[0], "light"))
    return field.confirmed(alice, campaign, reds, blues, events=events)


@pytest.fixture(scope="session")
def shelf(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Shelf:
    """Return played campaigns and their documents, shared by all processes of a test run."""
    folder = tmp_path_factory.getbasetemp()
    shared = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    return Shelf(shared / "shelf", django_db_blocker.unblock)


def ask(
    user: User,
    kind: DocumentKind,
    subject: UUID,
    paper: Paper = Paper.A4,
    options: Collection[str] = (),
) -> Document:
    """Request a document and return it."""
    return request_document(user=user, kind=kind, subject=subject, paper=paper, options=options)


def made(document: Document) -> Document:
    """Do all the work of the workers for a document, one message after the other, and return it."""
    render_document(document.pk)
    for part in DocumentPart.objects.filter(document=document, number__gt=0).order_by("number"):
        render_part(part.pk)
    if DocumentPart.objects.filter(document=document).exists():
        render_document(document.pk)
    document.refresh_from_db()
    return document
