"""An archive comes back: what was written is there again, byte for byte, and nothing but that."""

import io
import json
from functools import cache, partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from battles.models import Battle
from battles.services.verification import check_battles
from campaigns.models import Campaign, Enrolment
from clubs.models import Club, Membership
from clubs.services.clubs import found_club
from core.errors import Forbidden, InvalidInput, StateConflict
from exchange.archive_structs import MANIFEST, ImportedArchive
from exchange.models import ArchivedPerson
from exchange.services.import_rows import import_archive
from exchange.tables import TABLES, default_of, find_table
from pictures.models import Picture
from tests.exchange.archives import (
    People,
    Undone,
    archive_of,
    changed,
    data_in,
    files_in,
    manifest_in,
    preview_of,
    reference_of,
    rows_in,
    signed_anew,
    written_and_gone,
)
from tests.exchange.worlds import EVENTS, EVERYTHING, RandomClub
from tests.pages import world
from warbands.models import ChronicleEntry, Fighter, Warband
from warbands.services.verification import check_warbands, unregistered

pytestmark = pytest.mark.django_db
HAPPENINGS = st.lists(st.tuples(st.sampled_from(sorted(EVENTS)), st.integers(0, 30)), max_size=14)


def everything() -> tuple[str, Any, User]:
    """Return a club with every kind of event."""
    source = RandomClub()
    source.happen(EVERYTHING, all_of_it=True)
    return "club", source.club, source.alice


def a_battle(kind: str = "campaign") -> tuple[str, Any, User]:
    """Return a club, its campaign or its warband, after a battle."""
    source = RandomClub(".there")
    source.happen([("tell", 1), ("confirm", 1), ("picture", 0)], all_of_it=True)
    return (
        kind,
        {"club": source.club, "campaign": source.campaign, "warband": source.haufen}[kind],
        source.alice,
    )


@cache
def battle_archive(kind: str = "campaign") -> bytes:
    """Return the archive of ``a_battle``. It is cached, and needs nothing of its world."""
    return written_and_gone(lambda: a_battle(kind))


def imported(
    archive: bytes, user: User, people: People | None = None, **more: Any
) -> ImportedArchive:
    return import_archive(file=io.BytesIO(archive), user=user, people=people or {}, **more)


def alice_again(archive: bytes) -> tuple[User, People]:
    """Return Alice with an account here, and the choice that makes her herself."""
    alice = User.objects.create(username="alice")
    return alice, {reference_of(archive, "alice"): alice.pk}


def expect_the_same(before: bytes, after: bytes) -> None:
    """Compare two archives byte for byte, member by member."""
    was, by_now = data_in(before), data_in(after)
    assert was.keys() == by_now.keys()
    assert [name for name in was if was[name] != by_now[name]] == []


def expect_proved() -> None:
    """Check that all data is what chronicles and logs say, and signed by this installation."""
    assert unregistered() == []
    assert all(
        not check.differences
        for check in check_warbands(Warband.objects.values_list("pk", flat=True))
    )
    assert list(check_battles()) == []


def test_a_club_comes_back_byte_for_byte_and_holds() -> None:
    archive = written_and_gone(everything)
    files = files_in(archive)
    states = {row["state"] for row in rows_in(files, "battles")}
    assert states == {"planned", "under-way", "submitted", "disputed", "confirmed", "void"}
    assert all(table.rows for table in manifest_in(files).tables)
    alice, people = alice_again(archive)
    forged = changed(archive, "orders", lambda rows: rows[0].update(text='{"plan":{}}'))
    with pytest.raises(InvalidInput, match="orders, row 1, column commitment"):
        preview_of(forged, alice, people)
    preview = preview_of(archive, alice, people)
    assert (preview.refused, Club.objects.count(), User.objects.count()) == ((), 0, 1)
    made = imported(archive, alice, people, digest=preview.digest)
    assert (made.made, made.counts) == (preview.made, preview.counts)
    expect_proved()
    assert set(
        Membership.objects.filter(role="organiser").values_list("user__username", flat=True)
    ) == {"alice"}
    expect_the_same(archive, archive_of("club", made.subject, alice))


def _without(column: str, rows: list[dict[str, Any]]) -> None:
    for row in rows:
        del row[column]


def test_an_archive_from_before_a_column_was_added_comes_in() -> None:
    archive = written_and_gone(everything)
    added = [
        (table.name, column, default_of(table, column))
        for table in TABLES
        for column in table.added
    ]
    # The place of a battle in its day stands in sealed facts as well: an archive that has it there
    # has the column.
    added = [each for each in added if each[1] != "place_in_day"]
    assert added
    for name, column, _ in added:
        archive = changed(archive, name, partial(_without, column))
    alice, people = alice_again(archive)
    imported(archive, alice, people)
    expect_proved()
    for name, column, value in added:
        kept = set(map(str, find_table(name).model._default_manager.values_list(column, flat=True)))
        assert kept == {str(value)}, (name, column)


def test_an_archive_from_before_a_table_was_added_comes_in() -> None:
    archive = written_and_gone(everything)
    files = files_in(archive)
    later = [table.name for table in TABLES if table.later]
    assert later
    for name in later:
        for member in (f"data/{name}.jsonl", f"csv/{name}.csv", f"schema/{name}.json"):
            files.pop(member, None)
    manifest = json.loads(files[MANIFEST])
    manifest["tables"] = [table for table in manifest["tables"] if table["name"] not in later]
    files[MANIFEST] = json.dumps(manifest).encode()
    alice, people = alice_again(archive)
    imported(signed_anew(files), alice, people)
    expect_proved()
    assert not any(find_table(name).model._default_manager.exists() for name in later)


@pytest.mark.parametrize("examples", [2, 250])
@pytest.mark.soak(
    "random clubs exported, imported and exported again, equal byte for byte", each=250, sample=1
)
def test_any_club_comes_back_byte_for_byte(examples: int) -> None:
    @settings(
        max_examples=examples,
        phases=(Phase.explicit, Phase.reuse, Phase.generate),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(HAPPENINGS)
    def comes_back(happenings: list[tuple[str, int]]) -> None:
        def make() -> tuple[str, Any, User]:
            source = RandomClub()
            source.happen(happenings)
            return "club", source.club, source.alice

        try:
            with transaction.atomic():
                archive = written_and_gone(make)
                alice, people = alice_again(archive)
                made = imported(archive, alice, people)
                expect_proved()
                expect_the_same(archive, archive_of("club", made.subject, alice))
                raise Undone
        except Undone:
            pass

    comes_back()


def test_import_accepts_battles_of_earlier_editions() -> None:
    def reword(rows: list[dict[str, Any]]) -> None:
        results = [row["result"] for row in rows if row["result"]]
        assert len(results) > 2
        for result in results:
            result["verdict"] = "So it was put then."
            for side in result["sides"]:
                side["lines"] = [line | {"sentence": "So was this."} for line in side["lines"]]

    archive = changed(written_and_gone(everything), "battles", reword)
    alice, people = alice_again(archive)
    preview = preview_of(archive, alice, people)
    assert preview.refused == ()
    imported(archive, alice, people, digest=preview.digest)
    expect_proved()


def test_a_campaign_comes_into_a_club_of_the_importer_s_and_those_who_play_there_play_on(
    bob: User, charlie: User
) -> None:
    archive = battle_archive()
    club = found_club(user=charlie, name="The Tuesday Pikes", member_name="Charlie")
    seat = Membership.objects.create(club=club, user=bob, name="Bob the Old")
    people: People = {reference_of(archive, "bob.there"): bob.pk}
    preview = preview_of(archive, charlie, people, club=club.pk)
    assert not preview.refused and "The Tuesday Pikes" in preview.notices[0]
    assert {line.kind for line in preview.made} == {"campaign", "warband", "battle"}
    imported(archive, charlie, people, club=club.pk, digest=preview.digest)
    expect_proved()
    assert Campaign.objects.get().club == club
    assert set(Membership.objects.filter(club=club).values_list("name", "role")) == {
        ("Charlie", "organiser"), ("Bob the Old", "player"), ("alice.there", "player")
    }  # fmt: skip
    assert Enrolment.objects.get(warband__owner=bob).player == seat
    placeholder = User.objects.get(username="alice.there (archive)")
    assert (placeholder.is_active, placeholder.has_usable_password(), placeholder.email) == (
        False,
        False,
        "",
    )
    again = preview_of(archive, charlie, {**people}, club=club.pk)
    assert not again.made and User.objects.filter(archived_person__placeholder=True).count() == 1
    stranger = User.objects.create(username="eve")
    with pytest.raises(Forbidden):
        preview_of(archive, stranger, club=club.pk)


def test_a_campaign_brings_its_club_where_there_is_none(charlie: User) -> None:
    archive = battle_archive()
    imported(archive, charlie)
    assert Campaign.objects.get().club.name == "The Friday Swords"
    assert set(Membership.objects.filter(role="organiser").values_list("name", flat=True)) == {
        "alice.there",
        "charlie",
    }
    expect_the_same(archive, archive_of("campaign", Campaign.objects.get(), charlie))


def test_a_warband_comes_alone_and_leaves_the_campaign_that_stayed_behind(charlie: User) -> None:
    archive = battle_archive("warband")
    preview = preview_of(archive, charlie, {reference_of(archive, "bob.there"): charlie.pk})
    assert [line.kind for line in preview.made] == [
        "warband"
    ] and "leaves its campaign" in preview.notices[0]
    imported(archive, charlie, {reference_of(archive, "bob.there"): charlie.pk})
    warband = Warband.objects.get(owner=charlie)
    assert (
        warband.state["campaign"] is None
        and warband.state["won"] + warband.state["lost"] + warband.state["drawn"]
    )
    assert (
        ChronicleEntry.objects.filter(warband=warband).order_by("-sequence")[0].kind == "withdrawn"
    )
    assert Fighter.objects.get(warband=warband, place=0).story == "A cook for 1 years."
    assert Picture.objects.count() == 1 and not Battle.objects.exists()
    expect_proved()


def test_what_is_here_already_is_left_alone_and_what_differs_is_refused(alice: User) -> None:
    archive = battle_archive()
    people: People = {reference_of(archive, "alice.there"): alice.pk}
    first = imported(archive, alice, people)
    preview = preview_of(archive, alice, people)
    assert (preview.made, preview.refused, preview.counts) == ((), (), ())
    assert {line.kind for line in preview.here} == {"campaign", "warband", "battle"}
    Warband.objects.filter(faction="landsknechts").update(story="Another one.")
    Campaign.objects.filter(pk=first.subject).update(name="Another name")
    refused = preview_of(archive, alice, people)
    assert [each.code for each in refused.refused] == ["already-here"] * 2
    assert "The Long Summer already exists here" in refused.refused[0].sentence
    with pytest.raises(InvalidInput, match="The Long Summer already exists here"):
        imported(archive, alice, people)


def test_a_preview_that_is_out_of_date_is_not_carried_out(alice: User) -> None:
    archive = battle_archive()
    preview = preview_of(archive, alice)
    with pytest.raises(StateConflict):
        imported(
            archive, alice, {reference_of(archive, "alice.there"): alice.pk}, digest=preview.digest
        )
    assert (
        not Warband.objects.exists()
        and not ArchivedPerson.objects.filter(placeholder=True).exists()
    )
    assert imported(archive, alice, digest=preview.digest).made == preview.made


def test_nobody_is_made_to_say_things_by_who_does_not_organise_him(
    alice: User, bob: User, charlie: User
) -> None:
    archive = battle_archive()
    reference = reference_of(archive, "bob.there")
    with pytest.raises(InvalidInput) as refused:
        preview_of(archive, charlie, {reference: bob.pk})
    assert (refused.value.code, refused.value.problems[0].field) == (
        "not-your-player",
        f"/people/{reference}",
    )
    with pytest.raises(InvalidInput, match="has this reference"):
        preview_of(archive, charlie, {"bob": charlie.pk})
    with pytest.raises(InvalidInput, match="cannot become the same"):
        preview_of(
            archive,
            charlie,
            {reference: charlie.pk, reference_of(archive, "alice.there"): charlie.pk},
        )
    club = found_club(user=charlie, name="Pikes", member_name="Charlie")
    Membership.objects.create(club=club, user=bob, name="Bob")
    people = preview_of(
        archive, charlie, {reference: bob.pk, reference_of(archive, "alice.there"): None}
    ).people
    assert [(person.name, person.user, person.user_name) for person in people] == [
        ("alice.there", None, "alice.there (archive)"), ("bob.there", bob.pk, "bob")
    ]  # fmt: skip
    assert {count.name for count in people[1].places} >= {"warbands", "events", "chronicle"}


def test_nothing_new_is_hung_onto_what_others_have_here(
    alice: User, bob: User, charlie: User
) -> None:
    """A warband that is here, as it is in the archive: a campaign with it comes only to who may
    change the warband."""
    files: dict[str, bytes] = {}

    def make() -> tuple[str, Any, User]:
        kind, haufen, user = a_battle("warband")
        files["campaign"] = archive_of("campaign", Campaign.objects.get(), user)
        return kind, haufen, user

    alone = written_and_gone(make)
    imported(alone, bob)
    Warband.objects.update(keeper=None)
    withdrawn = preview_of(files["campaign"], charlie)
    assert {each.code for each in withdrawn.refused} == {"already-here"}
    assert "Der schwarze Haufen already exists here" in withdrawn.refused[0].sentence


def test_import_rejects_history_with_foreign_battle(alice: User, charlie: User) -> None:
    """Else an import could have the battles of others called broken."""
    archive = battle_archive("warband")
    fought = next(row for row in rows_in(files_in(archive), "chronicle") if row["kind"] == "fought")
    about = {"ruleset": "en-garde", "edition": "1", "scenario": "skirmish", "fought_on": world.DAY}
    Battle.objects.create(pk=fought["subject"], title="Their own", created_by=alice, **about)
    (refused,) = preview_of(archive, charlie).refused
    assert (refused.code, "Their own" in refused.sentence) == ("out-of-place", True)
