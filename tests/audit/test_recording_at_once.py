"""Several people act at once, and one person on two devices: every entry has a place of its own in
its chain."""

from functools import partial

import pytest
from django.contrib.auth.models import User
from django.db import transaction

from audit.chains import OWN_CHAINS
from audit.models import AuditEntry
from audit.services.proof import check_audit
from audit.services.recording import record
from audit.verbs import Verb
from clubs.models import Club
from clubs.services.clubs import found_club
from tests.together import at_once

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def write(club: Club, user: User | None) -> None:
    for _ in range(5):
        record(Verb.CLUB_CHANGED, club, user=user, club=club.pk)


def test_entries_written_at_once_follow_each_other(alice: User, bob: User) -> None:
    club = found_club(user=alice, name="The Old Guard")
    at_once(*(partial(write, club, user) for user in (alice, alice, bob, None, None)))
    assert AuditEntry.objects.count() == 26
    assert list(check_audit()) == []


def test_one_person_does_not_wait_for_another(alice: User, bob: User) -> None:
    club = found_club(user=alice, name="The Old Guard")
    assert alice.pk % OWN_CHAINS != bob.pk % OWN_CHAINS
    with transaction.atomic():
        record(Verb.CLUB_CHANGED, club, user=alice, club=club.pk)
        # Alice's transaction is still open.
        at_once(partial(write, club, bob))
    assert AuditEntry.objects.filter(actor=bob).count() == 5
