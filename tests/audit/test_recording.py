"""An entry of the audit tells who did what; nothing changes it any more, and what is rolled back is
not told."""

from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from audit.models import AuditEntry
from audit.origin import Origin
from audit.services.recording import audit_suppressed, record
from audit.verbs import KINDS, Verb
from campaigns.models import Campaign
from clubs.models import Club
from clubs.services.clubs import edit_club, found_club

pytestmark = pytest.mark.django_db


def test_record_finds_club_in_three_queries(
    alice: User,
) -> None:
    club = found_club(user=alice, name="The Old Guard")
    campaign = Campaign.objects.create(club=club, name="Winter", ruleset="toy", edition="1")
    with CaptureQueriesContext(connection) as queries:
        record(
            Verb.BATTLE_SET_UP,
            campaign,
            user=alice,
            campaign=campaign.pk,
            reason="Seen",
            nothing="",
        )
    entry = AuditEntry.objects.get(verb="battle.set-up")
    # The end of the chain is locked, the entry inserted, the end moved.
    assert len(queries) == 3
    assert (entry.club, entry.campaign, entry.actor, entry.face) == (
        club.pk,
        campaign.pk,
        alice,
        Origin.COMMAND,
    )
    assert (entry.subject_kind, entry.subject_id, entry.subject_name) == (
        "campaign",
        campaign.pk,
        "Winter",
    )
    assert entry.details == {"reason": "Seen"}


def test_record_keeps_old_and_new_short_values(
    alice: User,
) -> None:
    club = found_club(user=alice, name="The Old Guard")
    edit_club(
        club_id=club.pk,
        user=alice,
        visibility="public",
        story="Long ago. " * 30,
        name="The Old Guard",
    )
    entry = AuditEntry.objects.get(verb="club.changed")
    assert entry.details == {"changes": {"visibility": ["private", "public"], "story": None}}
    edit_club(club_id=club.pk, user=alice, visibility="public")
    assert AuditEntry.objects.filter(verb="club.changed").count() == 1


def test_what_is_rolled_back_is_not_told(alice: User) -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        found_club(user=alice, name="The Old Guard")
        _ = 1 / 0
    assert not AuditEntry.objects.exists()


def test_audit_suppressed_records_nothing(alice: User) -> None:
    with audit_suppressed():
        found_club(user=alice, name="The Old Guard")
    assert not AuditEntry.objects.exists()
    found_club(user=alice, name="The Young Guard")
    assert AuditEntry.objects.count() == 1


@pytest.mark.parametrize(
    "statement", ["UPDATE audit_auditentry SET verb = 'x'", "DELETE FROM audit_auditentry"]
)
def test_the_database_refuses_to_change_or_delete_an_entry(alice: User, statement: str) -> None:
    found_club(user=alice, name="The Old Guard")
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


@pytest.mark.postgres
def test_postgres_refuses_to_empty_the_table() -> None:
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("TRUNCATE audit_auditentry")


def test_an_entry_outlives_the_account_and_keeps_no_name_of_a_member(
    alice: User, bob: User
) -> None:
    club = found_club(user=alice, name="The Old Guard")
    member = club.memberships.create(user=bob, name="Bob of Old", role="player")
    record(Verb.MADE_ORGANISER, member, user=bob, club=club.pk)
    key = bob.pk
    member.delete()
    bob.delete()
    entry = AuditEntry.objects.get(verb="member.made-organiser")
    assert (entry.actor_id, entry.person_id, entry.subject_name) == (key, key, "")


def test_an_entry_names_the_face_and_the_request_that_it_came_by(as_alice: APIClient) -> None:
    request = uuid4().hex
    answer = as_alice.post(
        "/api/v1/clubs/", {"name": "The Old Guard"}, headers={"X-Request-ID": request}
    )
    assert answer.status_code == 201
    entry = AuditEntry.objects.get()
    assert (entry.face, entry.request) == (Origin.API, request)
    assert Club.objects.get().pk == entry.club


def test_every_verb_has_a_kind_with_a_name_and_fits_its_column() -> None:
    assert {verb.kind for verb in Verb} == {*KINDS}
    assert max(len(verb.value) for verb in Verb) <= 40
