"""A world for tests of pages. Alice organises, Bob plays, Dora spectates, Charlie is a stranger."""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from battles.models import Battle
from campaigns.models import Campaign
from clubs.models import Club
from clubs.services.clubs import edit_club
from documents.models import Document, DocumentKind
from documents.services.requesting import request_document
from tests.conftest import browser_of
from tests.pages import world
from warbands.models import Warband

KEYS = re.compile(r"\b[A-Za-z0-9]{64}\b|\b\d+\.[\w-]{16}:[\w-]{43}")
"""CSRF tokens and form keys (core.form_keys)."""


class Clients:
    """The browsers of the users. Each signs in on its first use."""

    def __init__(self, *users: User) -> None:
        self._users = {user.username: user for user in users}
        self.nobody = Client()

    def __iter__(self) -> Iterator[Client]:
        yield from (self.alice, self.bob, self.charlie, self.dora, self.nobody)

    @cached_property
    def alice(self) -> Client:
        return browser_of(self._users["alice"])

    @cached_property
    def bob(self) -> Client:
        return browser_of(self._users["bob"])

    @cached_property
    def charlie(self) -> Client:
        return browser_of(self._users["charlie"])

    @cached_property
    def dora(self) -> Client:
        return browser_of(self._users["dora"])


@pytest.fixture
def browsers(alice: User, bob: User, charlie: User, dora: User) -> Clients:
    return Clients(alice, bob, charlie, dora)


@pytest.fixture
def club(alice: User, bob: User, dora: User) -> Club:
    """Return Alice's club."""
    return world.club_of(alice, players=[bob], spectators=[dora])


@pytest.fixture
def haufen(bob: User) -> Warband:
    """Return Bob's Landsknechts."""
    return world.landsknechts(bob)


@pytest.fixture
def guards(alice: User) -> Warband:
    """Return Alice's guards."""
    return world.guards(alice)


@pytest.fixture
def campaign(club: Club, alice: User, haufen: Warband, guards: Warband) -> Campaign:
    """Return a running campaign with both warbands."""
    return world.campaign_of(club, alice, guards, haufen)


@pytest.fixture
def planned(alice: User, campaign: Campaign, guards: Warband, haufen: Warband) -> Battle:
    """Return a planned battle."""
    return world.planned_battle(alice, campaign, guards, haufen)


@pytest.fixture
def begun(alice: User, campaign: Campaign, guards: Warband, haufen: Warband) -> Battle:
    """Return a battle in progress."""
    return world.begun_battle(alice, campaign, guards, haufen)


@pytest.fixture
def submitted(alice: User, campaign: Campaign, guards: Warband, haufen: Warband) -> Battle:
    """Return a battle that Alice has submitted and Bob has not confirmed."""
    return world.submitted_battle(alice, campaign, guards, haufen)


@pytest.fixture
def confirmed(alice: User, campaign: Campaign, guards: Warband, haufen: Warband) -> Battle:
    """Return a confirmed battle."""
    return world.confirmed_battle(alice, alice, campaign, guards, haufen)


@pytest.fixture
def document(bob: User, haufen: Warband) -> Document:
    """Return a roster that Bob has requested; no worker renders it."""
    return request_document(user=bob, kind=DocumentKind.ROSTER, subject=haufen.pk)


def make_public(club: Club, organiser: User) -> None:
    """Make the club visible to everybody."""
    edit_club(club_id=club.pk, user=organiser, visibility="public")


def shown_text(page: Any) -> str:
    """Return the text of a page without the keys of its forms.

    The keys are random, and may contain any short name by chance.
    """
    return KEYS.sub("", page.content.decode())
