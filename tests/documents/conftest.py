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
from campaigns.models import Campaign, CampaignState, Method
from clubs.models import Club
from documents.content.rulesets import subject_of_ruleset
from documents.models import (
    SUBJECT_OF,
    Document,
    DocumentKind,
    DocumentPart,
    Paper,
    SubjectKind,
    default_paper,
)
from documents.services.rendering import render_document, render_part
from documents.services.requesting import request_document
from leagues.services.rounds import RoundTerms, make_rounds
from rulebook.ruleset import Ruleset
from tests.battles import field
from tests.documents.played import Shelf
from tests.full_toy import register_toy as register_toy
from tests.pages.world import evening_of
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
    paper: Paper | None = None,
    options: Collection[str] = (),
) -> Document:
    """Request a document, on A4 if its kind is printed on it; return it."""
    paper = paper or default_paper(kind)
    return request_document(user=user, kind=kind, subject=subject, paper=paper, options=options)


def subject_of(kind: DocumentKind, battle: Battle, campaign: Campaign) -> UUID:
    """Return the subject of a kind of document in this campaign.

    Fixtures and club nights are created for the kinds that show them, and for certificates the
    campaign is finished first.
    """
    organiser = User.objects.get(username="alice")
    reds, blues = Warband.objects.get(name="Reds"), Warband.objects.get(name="Blues")
    if kind == DocumentKind.FIXTURES:
        make_rounds(
            campaign_id=campaign.pk, user=organiser, terms=RoundTerms(method=Method.ROUND_ROBIN)
        )
    if kind == DocumentKind.CERTIFICATE:
        Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.FINISHED)
    if kind == DocumentKind.MEMORIAL:
        return field.fighters(blues)[1].pk
    match SUBJECT_OF[kind]:
        case SubjectKind.CAMPAIGN:
            return campaign.pk
        case SubjectKind.BATTLE:
            return battle.pk
        case SubjectKind.FIGHTER:
            return field.fighters(reds)[0].pk
        case SubjectKind.RULESET:
            return subject_of_ruleset("wards")
        case SubjectKind.EVENING:
            return evening_of(campaign.club, organiser).pk
        case _:
            return reds.pk


def made(document: Document) -> Document:
    """Do all the work of the workers for a document, one message after the other, and return it."""
    render_document(document.pk)
    for part in DocumentPart.objects.filter(document=document, number__gt=0).order_by("number"):
        render_part(part.pk)
    if DocumentPart.objects.filter(document=document).exists():
        render_document(document.pk)
    document.refresh_from_db()
    return document
