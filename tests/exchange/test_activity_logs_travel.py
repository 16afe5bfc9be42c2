"""The activity log of a club travels with its archive, and never passes for one that was kept
here."""

import json
from functools import cache
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from accounts.services.deletion import KeptForHistory, delete_account
from audit.models import AuditEntry
from audit.services.recording import record
from audit.verbs import Verb
from clubs.models import Club, Membership
from clubs.services.clubs import found_club
from clubs.services.members import change_role
from core.errors import InvalidInput
from exchange.archive_structs import Omission
from exchange.models import TrustedKey
from exchange.signing import installation, public_key, renew_signing_key
from home.selectors.audit_log import audit_entries, audit_lines
from home.selectors.campaign_cards import ToRead
from tests.conftest import api_of, browser_of
from tests.exchange.archives import (
    archive_of,
    changed,
    files_in,
    manifest_in,
    preview_of,
    reference_of,
    rows_in,
    signature_in,
    written_and_gone,
)
from tests.exchange.test_importing_archives import (
    alice_again,
    expect_proved,
    expect_the_same,
    imported,
)
from tests.exchange.worlds import RandomClub
from warbands.models import Warband

pytestmark = pytest.mark.django_db


def a_club(kind: str = "club", tag: str = ".there") -> tuple[str, Any, User]:
    """Return a club of Alice's with a battle, a changed role, and changed house rules."""
    source = RandomClub(tag)
    dora = Membership.objects.get(club=source.club, user=source.dora)
    change_role(member_id=dora.pk, user=source.alice, role="player")
    source.happen([("confirm", 1), ("meet", 1), ("change_rules", 1)], all_of_it=True)
    return (
        kind,
        {"club": source.club, "campaign": source.campaign, "warband": source.haufen}[kind],
        source.alice,
    )


@cache
def archive(kind: str = "club") -> bytes:
    """Return the archive of ``a_club``, which is rolled back."""
    return written_and_gone(lambda: a_club(kind))


def acts_in(content: bytes) -> list[dict[str, Any]]:
    return rows_in(files_in(content), "audit")


def alice_there(content: bytes, user: User) -> dict[str, int | None]:
    """Return the choice that makes the user Alice of the archive."""
    return {reference_of(content, "alice.there"): user.pk}


def told(club: Club, reader: User) -> list[str]:
    return [line.sentence for line in audit_lines(club, audit_entries(club), reader)]


def test_an_archive_of_a_club_has_its_activity_log(alice: User) -> None:
    content = archive()
    rows = acts_in(content)
    verbs = {row["verb"] for row in rows}
    assert {
        "club.founded",
        "member.made-player",
        "battle.decided",
        "campaign.house-rules-changed",
    } <= verbs
    signer = signature_in(files_in(content)).key
    assert {row["origin"] for row in rows} == {signer} and [row["at"] for row in rows] == sorted(
        r["at"] for r in rows
    )
    references = {person["reference"] for person in json.loads(files_in(content)["people.json"])}
    assert {row["actor"] for row in rows if row["actor"]} <= references
    assert not {"id", "request", "brought_by", "imported_at"} & rows[0].keys()


def test_imported_entries_keep_times_and_order_and_come_back_byte_for_byte() -> None:
    content = written_and_gone(lambda: a_club(tag=""))
    alice, people = alice_again(content)
    made = imported(content, alice, people)
    club = Club.objects.get(pk=made.subject)
    entries = list(AuditEntry.objects.filter(club=club.pk).order_by("id"))
    rows = acts_in(content)
    assert [entry.at for entry in entries] == sorted(entry.at for entry in entries)
    assert [(entry.number, entry.verb, entry.details) for entry in entries] == [
        (row["number"], row["verb"], row["details"]) for row in rows
    ]
    assert {count.name: count.rows for count in made.counts}["audit"] == len(rows)
    expect_proved()
    expect_the_same(content, archive_of("club", club, alice))
    assert "alice changed the house rules of The Long Summer" in told(club, alice)
    assert "alice made dora a player" in told(club, alice)


def test_entries_of_one_moment_keep_their_order(alice: User) -> None:
    moment = timezone.now()
    club = found_club(user=alice, name="The Old Guard")
    common = {
        "at": moment,
        "club": club.pk,
        "verb": "battle.started",
        "subject_kind": "battle",
        "face": "page",
    }
    names = [f"Battle {number}" for number in (3, 1, 2)]
    AuditEntry.objects.bulk_create(
        AuditEntry(subject_id=uuid4(), subject_name=name, **common) for name in names
    )
    content = archive_of("club", club, alice)
    assert [
        row["subject_name"] for row in acts_in(content) if row["verb"] == "battle.started"
    ] == names


def test_imported_entries_do_not_pass_for_entries_of_this_installation(alice: User) -> None:
    content = archive()
    made = imported(content, alice, alice_there(content, alice))
    club = Club.objects.get(pk=made.subject)
    key = signature_in(files_in(content)).key
    (battle,) = AuditEntry.objects.filter(verb="battle.decided")
    assert (battle.origin, battle.brought_by, battle.request) == (
        key,
        key,
        "",
    ) and battle.imported_at is not None
    record(Verb.CLUB_CHANGED, club, user=alice, club=club.pk)
    own, *others = audit_lines(club, audit_entries(club), alice)
    assert own.archive is None and all(line.archive and line.archive.key == key for line in others)
    mark = f"From the archive of the unknown key {key}, imported on "
    page = browser_of(alice).get(reverse("home:audit", args=[club.pk])).content.decode()
    assert page.count(mark) == len(others)
    answer = browser_of(alice).get(reverse("home:audit-file", args=[club.pk]))
    first, second = b"".join(answer.streaming_content).decode("utf-8-sig").splitlines()[1:3]  # type: ignore[attr-defined]
    assert first.endswith(",yes") and mark in second
    lines = api_of(alice).get(f"/api/v1/clubs/{club.pk}/audit/").data["results"]
    assert lines[0]["archive"] is None
    assert (
        lines[1]["archive"]["key"],
        lines[1]["archive"]["origin"],
        lines[1]["archive"]["own"],
    ) == (key, key, False)
    TrustedKey.objects.create(
        club=club, fingerprint=key, public="0" * 64, name="The Swords of York"
    )
    assert "From the archive of The Swords of York, imported on " in page_of(club, alice)


def page_of(club: Club, reader: User) -> str:
    return browser_of(reader).get(reverse("home:audit", args=[club.pk])).content.decode()


def test_entries_that_passed_through_a_second_archive_name_who_recorded_them(alice: User) -> None:
    """Else one could forge entries, import them, and have them vouched for by the installation in
    between."""
    content = archive()
    first_key = signature_in(files_in(content)).key

    def in_between() -> tuple[str, Any, User]:
        made = imported(content, alice, alice_there(content, alice))
        return "club", made.subject, alice

    second = written_and_gone(in_between)
    second_key = signature_in(files_in(second)).key
    made = imported(second, alice, {reference_of(second, "alice"): alice.pk})
    club = Club.objects.get(pk=made.subject)
    assert set(AuditEntry.objects.values_list("origin", "brought_by")) == {(first_key, second_key)}
    assert f"unknown key {second_key}, imported on " in page_of(club, alice)
    assert f"; first recorded by {first_key}" in page_of(club, alice)


def test_a_club_comes_home_without_a_second_copy_of_its_log(alice: User) -> None:
    club = found_club(user=alice, name="The Old Guard")
    record(Verb.CLUB_CHANGED, club, user=alice, club=club.pk)
    content = archive_of("club", club, alice)
    here = AuditEntry.objects.count()
    assert preview_of(content, alice, {reference_of(content, "alice"): alice.pk}).counts == ()
    club.delete()
    renew_signing_key()
    imported(content, alice, {reference_of(content, "alice"): alice.pk})
    assert (
        AuditEntry.objects.count() == here
        and not AuditEntry.objects.filter(origin__isnull=False).exists()
    )
    # ... and an entry that is lost here comes back as one from an archive, though this installation
    # has recorded it.
    other = changed(
        content, "audit", lambda rows: rows[-1].update(number=rows[-1]["number"] + 1000)
    )
    Club.objects.all().delete()
    imported(other, alice, {reference_of(content, "alice"): alice.pk})
    (lost,) = AuditEntry.objects.filter(origin__isnull=False)
    assert lost.origin == installation() != public_key().fingerprint
    assert "From an archive of this installation, imported on " in page_of(
        Club.objects.get(), alice
    )


def test_an_archive_that_comes_twice_doubles_nothing(alice: User) -> None:
    content = archive("campaign")
    club = found_club(user=alice, name="The Tuesday Pikes", member_name="Alice")
    people = alice_there(content, alice)
    imported(content, alice, people, club=club.pk)
    here = AuditEntry.objects.count()
    again = preview_of(content, alice, people, club=club.pk)
    assert (again.refused, again.counts) == ((), ())
    imported(content, alice, people, club=club.pk)
    assert AuditEntry.objects.count() == here


def test_entries_of_a_campaign_lead_to_the_club_and_the_seats_it_came_into(alice: User) -> None:
    def make() -> tuple[str, Any, User]:
        kind, campaign, user = a_club("campaign")
        member = Membership.objects.get(club=campaign.club, user=user)
        record(Verb.MEMBER_RENAMED, member, user=user, club=campaign.club_id, campaign=campaign.pk)
        return kind, campaign, user

    content = written_and_gone(make)
    rows = acts_in(content)
    (campaign_id,) = {row["campaign"] for row in rows}
    club = found_club(user=alice, name="The Tuesday Pikes", member_name="Alice")
    before = AuditEntry.objects.count()
    imported(content, alice, alice_there(content, alice), club=club.pk)
    entries = AuditEntry.objects.filter(origin__isnull=False)
    assert AuditEntry.objects.count() == before + len(rows)
    assert set(entries.values_list("club", "campaign")) == {(club.pk, UUID(campaign_id))}
    seat = entries.get(verb="member.renamed")
    assert seat.subject_id == club.memberships.get(user=alice).pk
    assert "Alice changed the name of Alice in the club" in told(club, alice)
    assert f'href="{reverse("leagues:campaign", args=[campaign_id])}"' in page_of(club, alice)


def test_imported_rule_changes_make_no_tasks(alice: User, bob: User) -> None:
    content = archive()
    imported(content, bob, {reference_of(content, "bob.there"): bob.pk})
    assert AuditEntry.objects.filter(verb="campaign.house-rules-changed").exists()
    assert not ToRead().rows(bob, timezone.now().date()).exists()


def test_the_log_leaves_with_organisers_alone() -> None:
    source = RandomClub()
    acts = AuditEntry.objects.filter(club=source.club.pk).count()
    files = files_in(archive_of("club", source.club, source.bob))
    assert rows_in(files, "audit") == []
    assert Omission("audit", acts, "not-yours-to-see") in manifest_in(files).left_out
    assert len(acts_in(archive_of("club", source.club, source.alice))) == acts
    assert {
        row["campaign"] for row in acts_in(archive_of("campaign", source.campaign, source.alice))
    } == {str(source.campaign.pk)}
    assert acts_in(archive_of("warband", source.haufen, source.bob)) == []


def test_accounts_that_are_gone_are_nobody_and_not_muster(alice: User, bob: User) -> None:
    club = found_club(user=alice, name="The Old Guard")
    member = club.memberships.create(user=bob, name="Bob", role="player")
    record(Verb.MEMBER_LEFT, member, user=bob, club=club.pk)
    member.delete()
    bob.delete()
    content = archive_of("club", club, alice)
    assert (
        acts_in(content)[-1]["actor"]
        == acts_in(content)[-1]["person"]
        == reference_of(content, "Former member")
    )
    expect_the_same(content, archive_of("club", club, alice))


def test_an_account_with_imported_entries_can_be_deleted(alice: User) -> None:
    content = archive()
    made = imported(content, alice, alice_there(content, alice))
    club = Club.objects.get(pk=made.subject)
    acts = AuditEntry.objects.filter(actor=alice.pk, origin__isnull=False)
    number = acts.count()
    delete_account(user=alice, kept=KeptForHistory.NONE)
    assert acts.count() == number > 0
    assert not any("alice " in sentence for sentence in told(club, alice))


FORGED: dict[str, tuple[dict[str, Any], str]] = {
    "a verb": ({"verb": "battle.eaten"}, "audit, row 1, column verb"),
    "no origin": ({"origin": None}, "audit, row 1, column origin"),
    "an odd origin": ({"origin": "here"}, "audit, row 1, column origin"),
    "no number": ({"number": None}, "audit, row 1, column number"),
    "no club": ({"club": None}, "audit, row 1, column club"),
    "another club": ({"club": "00000000-0000-0000-0000-000000000001"}, "audit, row 1, column club"),
    "somebody": ({"actor": "55555555-5555-5555-5555-555555555555"}, "audit, row 1, column actor"),
    "a kind": ({"subject_kind": "<b>"}, "audit, row 1, column subject_kind"),
    "a day": (
        {"subject_kind": "evening", "subject_name": "soon"},
        "audit, row 1, column subject_name",
    ),
    "details": ({"details": {"changes": {"name": 7}}}, "audit, row 1, column details"),
    "more details": ({"details": {"walkover": {"a": []}}}, "audit, row 1, column details"),
    "a face": ({"face": "oracle"}, "audit, row 1, column face"),
    "a column more": ({"brought_by": "0" * 32}, "audit, row 1, column brought_by"),
    "no moment": ({"at": "0001-01-01T00:00:00+14:00"}, "audit, row 1, column at"),
}


@pytest.mark.parametrize("name", FORGED)
def test_forged_entries_are_refused_by_row_and_column(name: str, alice: User) -> None:
    columns, why = FORGED[name]
    with pytest.raises(InvalidInput, match=why):
        preview_of(changed(archive(), "audit", lambda rows: rows[0].update(columns)), alice)


def test_imported_entries_link_nothing_here(alice: User, charlie: User) -> None:
    """A forger names a campaign and a battle of others, or adds an entry to what is here
    already."""
    others = RandomClub(".others")
    content = changed(
        archive(), "audit", lambda rows: rows[0].update(campaign=str(others.campaign.pk))
    )
    (refused,) = preview_of(content, charlie).refused
    assert refused.code == "out-of-place" and "audit, column campaign" in refused.sentence

    others.happen([("confirm", 1)], all_of_it=True)
    Warband.objects.update(visibility="private")
    battle = str(others.campaign.battles.get().pk)
    seat = str(Membership.objects.get(user=others.bob).pk)
    spying = changed(archive(), "audit", lambda rows: (
        rows[0].update(subject_kind="battle", subject_id=battle, subject_name="x"),
        rows[1].update(subject_kind="membership", subject_id=seat, subject_name="", person=None),
    ))  # fmt: skip
    made = imported(spying, charlie)
    club = Club.objects.get(pk=made.subject)
    lines = audit_lines(club, audit_entries(club), charlie)
    assert not any(line.battle for line in lines if line.subject.id == UUID(battle))
    assert not any("bob.others" in line.sentence for line in lines)
    search = api_of(charlie).get(f"/api/v1/clubs/{club.pk}/audit/", {"name": "bob.others"})
    assert search.data["count"] == 0

    def one_more(rows: list[dict[str, Any]]) -> None:
        rows.append({**rows[-1], "number": rows[-1]["number"] + 1})

    again = preview_of(changed(spying, "audit", one_more), charlie)
    assert [each.sentence for each in again.refused] == [
        "audit would change something that already exists here."
    ]
