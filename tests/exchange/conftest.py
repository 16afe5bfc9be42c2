"""Passports of another installation: issued in a world that is rolled back."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from msgspec import Struct

from clubs.models import Club
from core.signatures import PublicKey
from exchange.models import TrustedKey
from exchange.services.passports import issue_fighter, issue_warband
from exchange.signing import public_key
from rulebook.chronicle.facts import Adjusted
from tests.pages import world
from warbands.services.chronicle import append_facts
from warbands.signed import create_signed


class Abroad(Struct, frozen=True):
    """Two passports, the key that signed them, and their warband and fighter."""

    warband: bytes
    fighter: bytes
    key: PublicKey
    warband_id: Any
    fighter_id: Any


KEPT: list[Abroad] = []


@pytest.fixture
def abroad(alice: User, bob: User) -> Abroad:
    """Return passports of a warband of Bob's with a history, and of its second fighter."""
    if not KEPT:
        with transaction.atomic():
            KEPT.append(_issued(alice, bob))
            transaction.set_rollback(True)
    return KEPT[0]


def _issued(alice: User, bob: User) -> Abroad:
    club = world.club_of(alice, players=[bob])
    ours, theirs = world.landsknechts(bob), world.guards(alice)
    campaign = world.campaign_of(club, alice, ours, theirs)
    world.confirmed_battle(bob, alice, campaign, ours, theirs, title="The Old Mill")
    veteran, other = world.named("Hans"), world.named("Jörg")
    append_facts(
        {ours.pk: Adjusted(fighter=str(other.pk), experience=2, reason="Held the bridge")},
        user=alice,
    )
    append_facts(
        {ours.pk: Adjusted(fighter=str(veteran.pk), experience=1, reason="Ü <b>&")}, user=alice
    )
    return Abroad(
        issue_warband(warband_id=ours.pk, user=bob),
        issue_fighter(fighter_id=veteran.pk, user=alice),
        public_key(),
        ours.pk,
        veteran.pk,
    )


@pytest.fixture
def trusting(abroad: Abroad, alice: User, bob: User) -> Club:
    """Return Alice's club with Bob, which trusts the key of the other installation."""
    club = world.club_of(alice, players=[bob])
    create_signed(
        TrustedKey,
        club=club,
        fingerprint=abroad.key.fingerprint,
        public=abroad.key.public,
        name="The Swords of York",
    )
    return club
