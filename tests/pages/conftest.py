"""A world for the tests of the pages: Alice organises, Bob plays, Dora looks on, Charlie is a
stranger."""

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

KEYS = re.compile(r"\b[A-Za-z0-9]{64}\b")


class Clients:
    """The browsers of the cast; each signs in when it is first asked for."""

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
    """Alice's club."""
    return world.club_of(alice, players=[bob], spectators=[dora])


@pytest.fixture
def haufen(bob: User) -> Warband:
    """Bob's Landsknechts."""
    return world.landsknechts(bob)


@pytest.fixture
def guards(alice: User) -> Warband:
    """Alice's guards."""
    return world.guards(alice)


@pytest.fixture
def campaign(club: Club, alice: User, haufen: Warband, guards: Warband) -> Campaign:
    """A running campaign with both."""
    return world.campaign_of(club, alice, guards, haufen)


@pytest.fixture
def planned(alice: User, campaign: Campaign, guards: Warband, haufen: Warband) -> Battle:
    """A battle that is planned."""
    return world.planned_battle(alice, campaign, guards, haufen)


@pytest.fixture
def begun(alice: User, campaign: Campaign, guards: Warband, haufen: Warband) -> Battle:
    """A battle under way."""
    return world.begun_battle(alice, campaign, guards, haufen)


@pytest.fixture
def submitted(alice: User, campaign: Campaign, guards: Warband, haufen: Warband) -> Battle:
    """A battle that Alice has submitted and Bob has not confirmed."""
    return world.submitted_battle(alice, campaign, guards, haufen)


@pytest.fixture
def confirmed(alice: User, campaign: Campaign, guards: Warband, haufen: Warband) -> Battle:
    """A battle that counts."""
    return world.confirmed_battle(alice, alice, campaign, guards, haufen)


@pytest.fixture
def document(bob: User, haufen: Warband) -> Document:
    """A roster that Bob has asked for; no worker is there to render it."""
    return request_document(user=bob, kind=DocumentKind.ROSTER, subject=haufen.pk)


def make_public(club: Club, organiser: User) -> None:
    """Everybody may look at the club."""
    edit_club(club_id=club.pk, user=organiser, visibility="public")


def shown_text(page: Any) -> str:
    """What a page says, without the keys of its forms: these are random, and hold any short name
    now and then."""
    return KEYS.sub("", page.content.decode())
