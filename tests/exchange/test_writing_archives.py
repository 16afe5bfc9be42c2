"""An archive is written: everything that belongs to it, nothing that is nobody's business, the same
bytes each time."""

import csv
import io
import zipfile
from hashlib import sha256
from threading import Event, Thread

import jsonschema
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from battles.models import Battle
from campaigns.models import Campaign
from clubs.models import Club
from clubs.services.evenings import make_calendar_link
from clubs.services.invitations import invite
from core.errors import Forbidden, NotFound
from core.signatures import Signature, verify
from exchange.archive_structs import Omission
from exchange.services.write_archive import cell_of, write_archive
from exchange.tables import TABLES, schema_of
from tests.exchange.archives import (
    archive_of,
    data_in,
    files_in,
    manifest_in,
    rows_in,
    signature_in,
)
from tests.exchange.worlds import RandomClub
from tests.pages import world
from warbands.models import Warband

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(alice: User, bob: User, dora: User) -> Club:
    return world.club_of(alice, players=[bob], spectators=[dora])


@pytest.fixture
def campaign(club: Club, alice: User, bob: User) -> Campaign:
    """Return a campaign with a confirmed battle, and one in progress."""
    haufen, guards = world.landsknechts(bob), world.guards(alice)
    campaign = world.campaign_of(club, alice, guards, haufen)
    world.confirmed_battle(bob, alice, campaign, haufen, guards)
    world.begun_battle(bob, campaign, haufen, guards)
    return campaign


def test_a_club_s_archive_holds_its_rows_and_says_so(
    club: Club, campaign: Campaign, alice: User
) -> None:
    files = files_in(archive_of("club", club, alice))
    manifest = manifest_in(files)
    assert (manifest.kind, manifest.subject, manifest.name) == ("club", club.pk, club.name)
    assert {member.name for member in manifest.members} == files.keys() - {
        "manifest.json",
        "manifest.sig",
    }
    for member in manifest.members:
        assert (member.size, member.sha256) == (
            len(files[member.name]),
            sha256(files[member.name]).hexdigest(),
        )
    counts = {table.name: table.rows for table in manifest.tables}
    assert (counts["clubs"], counts["battles"], counts["warbands"], counts["fighters"]) == (
        1,
        2,
        2,
        8,
    )
    for table in TABLES:
        rows = rows_in(files, table.name)
        assert len(rows) == counts[table.name]
        check = jsonschema.Draft202012Validator(schema_of(table.name))
        for row in rows:
            check.validate(row)
        assert (
            len(list(csv.reader(io.StringIO(files[f"csv/{table.name}.csv"].decode(), newline=""))))
            == len(rows) + 1
        )
    warbands = {
        warband.pk: (warband.sequence, warband.head_seal) for warband in Warband.objects.all()
    }
    assert {head.id: (head.entries, head.seal) for head in manifest.heads} == warbands
    signed = signature_in(files)
    assert verify(files["manifest.json"], Signature(signed.key, signed.signature), signed.public)


def test_the_same_data_make_the_same_bytes(club: Club, campaign: Campaign, alice: User) -> None:
    assert data_in(archive_of("club", club, alice)) == data_in(archive_of("club", club, alice))
    with zipfile.ZipFile(io.BytesIO(archive_of("club", club, alice))) as opened:
        assert {info.date_time for info in opened.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_nothing_secret_leaves(club: Club, campaign: Campaign, alice: User, bob: User) -> None:
    settled = Battle.objects.get(state="confirmed")
    under_way = Battle.objects.get(state="under-way")
    link = make_calendar_link(user=bob)
    invitation = invite(club_id=club.pk, user=alice)
    archive = archive_of("club", club, bob)
    everything = b"\0".join(files_in(archive).values()).decode()
    for secret in (
        under_way.dice_seed,
        campaign.dice_seed,
        bob.email,
        bob.password,
        str(link),
        str(invitation),
    ):
        assert secret not in everything
    assert settled.dice_seed in everything
    left_out = {each.what: each for each in manifest_in(files_in(archive)).left_out}
    assert left_out.pop("audit").why == "not-yours-to-see"
    assert left_out == {"dice-seeds": Omission("dice-seeds", 1, "battle-not-over")}
    everything = b"\0".join(files_in(archive_of("club", club, alice)).values()).decode()
    for secret in (
        under_way.dice_seed,
        campaign.dice_seed,
        bob.email,
        str(link),
        str(invitation),
        invitation.secret,
    ):
        assert secret not in everything


def test_a_battle_stays_where_one_of_its_warbands_stays(
    club: Club, campaign: Campaign, alice: User, bob: User, charlie: User
) -> None:
    haufen = Warband.objects.get(owner=bob)
    strangers = world.guards(charlie, "Strangers")
    world.warbands_see_each_other(strangers, haufen)
    world.begun_battle(bob, None, haufen, strangers)
    files = files_in(archive_of("club", club, alice))
    assert len(rows_in(files, "battles")) == 2
    assert Omission("battles", 1, "not-all-warbands-go") in manifest_in(files).left_out
    alone = files_in(archive_of("warband", haufen, bob))
    assert rows_in(alone, "battles") == []
    assert Omission("battles", 3, "not-all-warbands-go") in manifest_in(alone).left_out
    assert len(rows_in(alone, "chronicle")) == haufen.sequence


def test_an_archive_is_for_those_who_belong_to_it(
    club: Club, campaign: Campaign, bob: User, charlie: User, dora: User
) -> None:
    archive_of("campaign", campaign, dora)
    for kind, subject in (("club", club), ("campaign", campaign), ("evening", club)):
        with pytest.raises(NotFound):
            archive_of(kind, subject, charlie)
    haufen = Warband.objects.get(owner=bob)
    with pytest.raises(Forbidden):
        archive_of("warband", haufen, dora)
    Club.objects.update(visibility="public")
    with pytest.raises(Forbidden):
        archive_of("club", club, charlie)


@pytest.mark.one_database
def test_how_much_there_is_changes_nothing_in_how_often_is_asked(
    club: Club, campaign: Campaign, alice: User, bob: User
) -> None:
    archive_of("club", club, alice)
    heard: list[tuple[int, int]] = []
    with CaptureQueriesContext(
        connection,
    ) as few:
        write_archive(
            kind="club",
            subject_id=club.pk,
            user=alice,
            file=io.BytesIO(),
            report_progress=lambda *far: heard.append(far),
        )
    assert heard[0][0] == 0 and heard[-1] == (len(TABLES) + 1, len(TABLES) + 1)
    world.begun_battle(bob, campaign, *Warband.objects.all())
    with CaptureQueriesContext(connection) as many:
        archive_of("club", club, alice)
    assert len(many) == len(few) < 80


def test_no_cell_of_a_spreadsheet_is_a_formula() -> None:
    assert [cell_of(risky) for risky in ("=1+1", "+1", "-1", "@x", "\tx")] == [
        "'=1+1",
        "'+1",
        "'-1",
        "'@x",
        "'\tx",
    ]
    assert [cell_of(plain) for plain in (None, 3, True, "Jörg", {"b": 1, "a": [2]})] == [
        "", "3", "true", "Jörg", '{"a":[2],"b":1}'
    ]  # fmt: skip


@pytest.mark.django_db(transaction=True)
def test_an_archive_shows_one_moment_whatever_happens_while_it_is_written() -> None:
    """Otherwise a chronicle could contain a battle that the archive lacks, and nobody could import
    it."""
    source = RandomClub(".there")
    file, looked = io.BytesIO(), Event()

    def report(done: int, whole: int) -> None:
        if done == 1:
            writer = Thread(target=meanwhile)
            writer.start()
            writer.join(timeout=120)

    def meanwhile() -> None:
        Campaign.objects.update(name="Another name")
        source.happen([("confirm", 1)], all_of_it=True)
        looked.set()
        connection.close()

    write_archive(
        kind="club", subject_id=source.club.pk, user=source.alice, file=file, report_progress=report
    )
    files = files_in(file.getvalue())
    assert looked.is_set() and Battle.objects.filter(state="confirmed").exists()
    assert [row["name"] for row in rows_in(files, "campaigns")] == ["The Long Summer"]
    assert rows_in(files, "battles") == [] and all(
        row["kind"] != "fought" for row in rows_in(files, "chronicle")
    )
