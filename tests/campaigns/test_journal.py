"""The journal of a campaign: permissions, and its place in the log."""

from datetime import date

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from campaigns.models import Campaign, JournalEntry
from campaigns.selectors.log import JournalLine, LogLine, log_entries, log_rows, told_lines
from campaigns.services.journal import edit_entry, remove_entry, write_entry
from clubs.models import Membership
from clubs.services.members import remove_member
from core.errors import Forbidden, InvalidInput, NotFound, StateConflict
from rulebook.chronicle import facts
from tests.campaigns.conftest import seat
from warbands.models import Warband
from warbands.services.chronicle import append_facts


def test_journal_entry_is_sorted_into_log(enrolled: Campaign, bob: User) -> None:
    warband = Warband.objects.get(owner=bob)
    write_entry(
        campaign_id=enrolled.pk, user=bob, text="  Nobody talks of the mill.\n", on=date(2026, 1, 2)
    )
    append_facts({warband.pk: facts.Renamed(name="Blues")}, user=bob)
    rows = log_rows(log_entries(enrolled), enrolled.journal.all())
    newest, *_, written = told_lines(enrolled, rows[:10])
    assert isinstance(newest, LogLine) and newest.phrase == "took the name Blues"
    assert isinstance(written, JournalLine)
    assert (written.text, written.on, written.author_name) == (
        "Nobody talks of the mill.",
        date(2026, 1, 2),
        "Bob",
    )
    assert (written.edited, written.removed) == (False, False)
    assert len(rows) == log_entries(enrolled).count() + 1


def test_players_and_organisers_write_and_nobody_else(
    enrolled: Campaign, alice: User, bob: User, charlie: User, dora: User
) -> None:
    for user in (alice, bob):
        write_entry(campaign_id=enrolled.pk, user=user, text="Here.")
    with pytest.raises(Forbidden):
        write_entry(campaign_id=enrolled.pk, user=dora, text="Here.")
    with pytest.raises(NotFound):
        write_entry(campaign_id=enrolled.pk, user=charlie, text="Here.")
    for nothing in ("  ", "a\0b"):
        with pytest.raises(InvalidInput):
            write_entry(campaign_id=enrolled.pk, user=bob, text=nothing)


@pytest.mark.parametrize("day", [date(26, 11, 20), date(2062, 11, 20), date(9999, 12, 31)])
def test_day_that_must_be_mistyped_is_refused(enrolled: Campaign, alice: User, day: date) -> None:
    with pytest.raises(InvalidInput) as written:
        write_entry(campaign_id=enrolled.pk, user=alice, text="Rain.", on=day)
    entry = write_entry(campaign_id=enrolled.pk, user=alice, text="Rain.", on=date(1999, 12, 31))
    with pytest.raises(InvalidInput) as changed:
        edit_entry(entry_id=entry.pk, user=alice, version=entry.version, on=day)
    assert written.value.code == changed.value.code == "out-of-range"
    assert written.value.problems[0].field == "on"
    JournalEntry.objects.update(on=day)
    kept = edit_entry(entry_id=entry.pk, user=alice, version=entry.version, text="Sun.", on=day)
    assert (kept.text, kept.on) == ("Sun.", day), (
        "an entry of before can be changed without a new day"
    )


def test_an_author_or_an_organiser_changes_and_removes_it(
    enrolled: Campaign, alice: User, bob: User
) -> None:
    own = write_entry(campaign_id=enrolled.pk, user=alice, text="Mine.")
    with pytest.raises(Forbidden) as refused:
        edit_entry(entry_id=own.pk, user=bob, version=1, text="Yours.")
    assert refused.value.code == "not-your-entry"
    entry = write_entry(campaign_id=enrolled.pk, user=bob, text="Bob’s.")
    assert edit_entry(entry_id=entry.pk, user=bob, version=1, text="Better.").edited_at is not None
    with pytest.raises(StateConflict):
        edit_entry(entry_id=entry.pk, user=bob, version=1, text="Late.")
    remove_entry(entry_id=entry.pk, user=alice)
    removed = JournalEntry.objects.get(pk=entry.pk)
    assert (removed.text, removed.version) == ("", 3) and removed.removed_at is not None
    with pytest.raises(StateConflict) as gone:
        edit_entry(entry_id=entry.pk, user=bob, version=3, text="Again.")
    assert gone.value.code == "entry-removed"


def test_who_has_written_keeps_the_seat_when_leaving(
    enrolled: Campaign, bob: User, alice: User
) -> None:
    member = Membership.objects.get(club=enrolled.club, pk=seat(enrolled.club, "Dora"))
    JournalEntry.objects.create(
        campaign=enrolled,
        author=member,
        text="I was there.",
        on=date(2026, 1, 2),
        written_at=enrolled.created_at,
    )
    remove_member(member_id=member.pk, user=alice)
    assert JournalEntry.objects.get().author.name == "Dora"


def test_the_api_writes_changes_and_removes(
    enrolled: Campaign, as_bob: APIClient, as_alice: APIClient
) -> None:
    journal = f"/api/v1/campaigns/{enrolled.pk}/journal/"
    made = as_bob.post(journal, {"text": "<b>Bold</b>", "on": "2026-01-02"})
    assert (made.status_code, made.data["author_name"], made.data["text"]) == (
        201,
        "Bob",
        "<b>Bold</b>",
    )
    address = f"/api/v1/journal/{made.data['id']}/"
    assert as_alice.patch(address, {"version": 1, "text": "Plain"}).data["version"] == 2
    assert as_bob.patch(address, {"version": 1, "text": "Late"}).status_code == 409
    assert as_bob.delete(address).status_code == 204
    assert as_alice.get(address).data["removed_at"] is not None
    assert [row["text"] for row in as_alice.get(journal).data["results"]] == [""]
