"""``check_chronicle`` names edited, inserted and removed entries of the activity log."""

from collections.abc import Callable
from io import StringIO
from itertools import pairwise
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import QuerySet
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from audit.chains import CHAINS, SEALED, chain_of, seal_of, sign_chain
from audit.models import AuditChain, AuditEntry
from audit.services.proof import check_audit, sign_audit
from audit.services.recording import record
from audit.verbs import Verb
from campaigns.models import Campaign
from clubs.models import Club
from clubs.services.clubs import edit_club, found_club
from tests.audit.forging import behind_its_back, named, report
from warbands.signed import create_signed

pytestmark = pytest.mark.django_db

forging = pytest.mark.soak("kinds of tampering, each found and named", each=1, sample=7)

VALUES: dict[str, Any] = {
    "at": "2026-01-01 00:00:00+00:00",
    "actor_id": 4711,
    "club": str(uuid4()),
    "campaign": str(uuid4()),
    "verb": "club.left",
    "subject_kind": "warband",
    "subject_id": str(uuid4()),
    "subject_name": "The New Guard",
    "person_id": 4711,
    "details": '{"changes": {"story": ["a", "b"]}}',
    "face": "worker",
    "request": "another",
    "origin": "f" * 32,
    "number": 7,
    "brought_by": "e" * 32,
    "imported_at": "2026-01-01 00:00:00+00:00",
    "id": 9_999_999,
}
"""Another value for each column that a seal covers, but for those that say where the entry is in
its chain."""


def end_of(chain: int | None) -> QuerySet[AuditChain]:
    """Return the row of an entry's chain."""
    assert chain is not None
    return AuditChain.objects.filter(pk=chain)


@pytest.fixture
def club(alice: User) -> Club:
    """Return a club with five entries by Alice: created, and edited four times."""
    club = found_club(user=alice, name="The Old Guard")
    for number in range(4):
        edit_club(club_id=club.pk, user=alice, story=f"Part {number}.")
    return club


def entries_of(club: Club) -> list[AuditEntry]:
    return list(AuditEntry.objects.filter(club=club.pk).order_by("place"))


def text_of(value: Any) -> Any:
    """Return a key in the form of the current database."""
    return (
        value.replace("-", "")
        if connection.vendor == "sqlite" and isinstance(value, str) and len(value) == 36
        else value
    )


def test_entries_of_one_person_are_a_chain(club: Club, alice: User) -> None:
    entries = entries_of(club)
    assert [entry.place for entry in entries] == [1, 2, 3, 4, 5]
    assert {entry.chain for entry in entries} == {chain_of(alice.pk, None)}
    for before, entry in pairwise(entries):
        assert entry.seal == seal_of(entry, before.seal or "")
    end = end_of(entries[0].chain).get()
    assert (end.length, end.seal) == (5, entries[-1].seal)


def test_untouched_log_is_proved(club: Club) -> None:
    assert report() == ""


def test_recording_takes_three_queries(club: Club, alice: User) -> None:
    with CaptureQueriesContext(connection) as queries:
        record(Verb.CLUB_CHANGED, club, user=alice, club=club.pk)
    assert len(queries) == 3


def test_seal_covers_every_column_but_itself() -> None:
    columns = {field.attname for field in AuditEntry._meta.concrete_fields}
    assert {*SEALED} == columns - {"seal"}
    assert VALUES.keys() == {*SEALED} - {"chain", "place"}


@forging
@pytest.mark.parametrize("column", VALUES)
def test_edited_entry_is_named(club: Club, column: str) -> None:
    entry = entries_of(club)[2]
    with behind_its_back() as cursor:
        cursor.execute(
            f"UPDATE audit_auditentry SET {column} = %s WHERE id = %s",
            [text_of(VALUES[column]), entry.pk],
        )
    complaints = report()
    changed = AuditEntry.objects.get(chain=entry.chain, place=entry.place)
    assert named(changed, "edited") in complaints
    # No other entry is suspected.
    assert complaints.count("activity log entry") == 1


@forging
@pytest.mark.parametrize("place", [1, 2, 4, 5])
def test_removed_entry_is_missed(club: Club, place: int) -> None:
    with behind_its_back() as cursor:
        cursor.execute("DELETE FROM audit_auditentry WHERE place = %s", [place])
    complaints = report()
    assert ": 1 entry missing" in complaints
    before = [entry for entry in entries_of(club) if (entry.place or 0) < place]
    assert (f"activity log entry {before[-1].pk}" if before else "the start of chain") in complaints


@forging
def test_removed_end_is_missed(club: Club) -> None:
    with behind_its_back() as cursor:
        cursor.execute("DELETE FROM audit_auditentry WHERE place > 2")
    assert ": 3 entries missing" in report()


@forging
def test_removed_end_with_its_chain_cut_to_fit_is_found(club: Club) -> None:
    second = entries_of(club)[1]
    with behind_its_back() as cursor:
        cursor.execute("DELETE FROM audit_auditentry WHERE place > 2")
        end_of(second.chain).update(length=2, seal=second.seal)
    assert f"end of chain {second.chain} of the activity log" in report()


@forging
def test_chain_check_finds_chain_removed_before_new_entries(club: Club, alice: User) -> None:
    chain = entries_of(club)[0].chain
    with behind_its_back() as cursor:
        cursor.execute("DELETE FROM audit_auditentry")
        end_of(chain).delete()
    assert f"chain {chain} of the activity log: stored its end is missing" in report()
    edit_club(club_id=club.pk, user=alice, story="As if nothing had been.")
    assert f"end of chain {chain} of the activity log: stored no signature" in report()


@forging
def test_inserted_entry_is_named(club: Club) -> None:
    last = entries_of(club)[-1]
    for place, chain in ((6, last.chain), (None, None), (1, CHAINS + 3)):
        last.pk, last.place, last.chain, last.seal = None, place, chain, "0" * 64
        last.save(force_insert=True)
    complaints = report()
    inserted = list(AuditEntry.objects.order_by("pk"))[-3:]
    assert named(inserted[0], "inserted") in complaints
    for entry in inserted[1:]:
        assert f"activity log entry {entry.pk}: stored in no chain" in complaints


@forging
def test_entry_inserted_with_a_proper_seal_is_found(club: Club) -> None:
    last = entries_of(club)[-1]
    seal = last.seal or ""
    last.pk, last.place = last.pk + 1, 6
    last.seal = seal_of(last, seal)
    last.save(force_insert=True)
    end_of(last.chain).update(length=6, seal=last.seal)
    assert f"end of chain {last.chain} of the activity log" in report()


@forging
def test_chain_check_finds_resealed_chain(club: Club) -> None:
    entries = entries_of(club)
    with behind_its_back() as cursor:
        seal = ""
        for entry in entries:
            entry.subject_name = "The New Guard"
            entry.seal = seal = seal_of(entry, seal)
            cursor.execute(
                "UPDATE audit_auditentry SET subject_name = %s, seal = %s WHERE id = %s",
                [entry.subject_name, seal, entry.pk],
            )
        end_of(entries[0].chain).update(seal=seal)
    assert f"end of chain {entries[0].chain} of the activity log" in report()


@forging
def test_swapped_entries_are_named(club: Club) -> None:
    _, second, third, *_ = entries_of(club)
    with behind_its_back() as cursor:
        for key, place in ((second.pk, 77), (third.pk, 2), (second.pk, 3)):
            cursor.execute("UPDATE audit_auditentry SET place = %s WHERE id = %s", [place, key])
    complaints = report()
    assert named(second, "edited") in complaints and named(third, "edited") in complaints


def test_next_entry_does_not_make_a_forged_chain_good(club: Club, alice: User) -> None:
    chain = entries_of(club)[0].chain
    end_of(chain).update(signature="0" * 64)
    edit_club(club_id=club.pk, user=alice, story="And on.")
    assert f"end of chain {chain} of the activity log" in report()


def test_several_forgeries_are_all_named(club: Club, bob: User) -> None:
    found_club(user=bob, name="The Young Guard")
    entries = [*entries_of(club)[1:3], AuditEntry.objects.get(actor=bob)]
    with behind_its_back() as cursor:
        cursor.execute(
            "UPDATE audit_auditentry SET request = 'x' WHERE id IN (%s, %s, %s)",
            [each.pk for each in entries],
        )
    complaints = report()
    assert all(named(entry, "edited") in complaints for entry in entries)


def test_entry_that_cannot_be_read_does_not_end_the_check(club: Club) -> None:
    entries = entries_of(club)
    column, value = ("at", "infinity") if connection.vendor == "postgresql" else ("club", "{")
    with behind_its_back() as cursor:
        cursor.execute(
            f"UPDATE audit_auditentry SET {column} = %s WHERE id = %s", [value, entries[1].pk]
        )
        cursor.execute("UPDATE audit_auditentry SET request = 'x' WHERE id = %s", [entries[3].pk])
    complaints = report()
    assert f"activity log entry {entries[1].pk}: stored cannot be read" in complaints
    assert named(entries[3], "edited") in complaints
    assert complaints.count("activity log entry") == 2


def test_nothing_ends_the_check(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, broken = chain_of(None, club.pk), entries_of(club)[0].chain

    def fail(entry: AuditEntry, previous: str) -> str:
        raise ZeroDivisionError("of all things")

    record(Verb.CLUB_CHANGED, club, user=None, club=club.pk)
    monkeypatch.setattr("audit.services.proof.seal_of", fail)
    lines = {forgery.where: forgery.stored for forgery in check_audit()}
    expected = dict.fromkeys((whole, broken), "ZeroDivisionError: of all things")
    assert lines == {
        f"chain {number} of the activity log": text for number, text in expected.items()
    }


def test_numbers_and_texts_are_sealed_as_every_database_gives_them_back(
    club: Club, alice: User
) -> None:
    odd = {
        "big": 10**20,
        "float": 1e20,
        "tiny": 1e-7,
        "zero": -0.0,
        "whole": 3.0,
        "half": 0.5,
        "list": [1.0, "é", None],
    }
    record(
        Verb.CLUB_CHANGED,
        club,
        user=alice,
        club=club.pk,
        changes=odd,
        when=club.created_at,
        id=club.pk,
    )
    assert report() == ""


@pytest.mark.parametrize("actor", ["alice", None])
def test_club_of_a_campaign_is_sealed(
    club: Club, alice: User, actor: str | None, make_campaign: Callable[..., Any]
) -> None:
    campaign = make_campaign(club)
    record(Verb.CAMPAIGN_CHANGED, campaign, user=alice if actor else None, campaign=campaign.pk)
    assert AuditEntry.objects.get(verb="campaign.changed").club == club.pk
    assert report() == ""


@pytest.fixture
def make_campaign() -> Callable[..., Any]:
    def make(club: Club) -> Any:
        return create_signed(Campaign, club=club, name="Winter", ruleset="toy", edition="1")

    return make


def test_renew_keys_signs_chains_again(club: Club) -> None:
    with override_settings(SECRET_KEY="another" * 8, SECRET_KEY_FALLBACKS=[settings.SECRET_KEY]):
        assert report() == ""
        call_command("renew_keys", stdout=StringIO())
    with override_settings(SECRET_KEY="another" * 8):
        assert report() == ""
    assert "end of chain" in report()


def test_keys_are_not_renewed_over_a_forged_chain(club: Club) -> None:
    AuditChain.objects.filter(pk=3).update(length=1)
    with pytest.raises(CommandError, match="verify 1 signatures"):
        call_command("renew_keys", stdout=StringIO())


def test_sign_chronicles_signs_chains_whose_key_was_lost(club: Club) -> None:
    AuditChain.objects.update(signature="")
    AuditChain.objects.filter(pk=9).delete()
    assert sign_audit(trusting=False) == CHAINS
    call_command("sign_chronicles", stdout=StringIO())
    assert report() == ""


def test_deleted_account_does_not_break_the_chain(club: Club, alice: User) -> None:
    Club.objects.all().delete()
    alice.delete()
    assert report() == ""


def test_empty_chain_is_signed() -> None:
    end = AuditChain.objects.get(pk=11)
    signature = end.signature
    sign_chain(end)
    assert signature == end.signature and end.length == 0


def test_chain_check_reports_emptied_log_briefly(club: Club) -> None:
    with behind_its_back() as cursor:
        cursor.execute("DELETE FROM audit_auditentry")
        cursor.execute("DELETE FROM audit_auditchain")
    lines = report().splitlines()
    assert len(lines) == 6 and lines[-1] == f"  and {CHAINS - 5} more chains"
