"""Asking for archives, on pages and by the API: who may, how it is packed, what is kept, and for
how long."""

import csv
import hashlib
import io
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings as configured
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.utils import timezone
from kombu.exceptions import OperationalError
from rest_framework.test import APIClient

from campaigns.models import Campaign
from clubs.models import Club
from core.errors import StateConflict
from core.jobs.claims import LAPSE
from core.jobs.queue import PATIENCE
from exchange.models import ArchiveKind, Export
from exchange.models.archives import EXPORTS_KEPT
from exchange.services import exports
from exchange.services.exports import make_export, request_export
from exchange.tasks import sweep, take_over, tidy
from tests.conftest import api_of, browser_of
from tests.pages import world
from tests.pages.markup import faults
from warbands.models import Warband

pytestmark = pytest.mark.django_db
EXPORTS = "/api/v1/exports/"


@pytest.fixture
def haufen(bob: User) -> Warband:
    return world.landsknechts(bob)


@pytest.fixture
def club(alice: User, bob: User, dora: User) -> Club:
    return world.club_of(alice, players=[bob], spectators=[dora])


@pytest.fixture
def campaign(club: Club, alice: User, haufen: Warband) -> Campaign:
    return world.campaign_of(club, alice, haufen, world.guards(alice))


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Return the messages that periodic tasks send."""
    messages: list[tuple[str, str]] = []

    def note(task: str, key: str) -> bool:
        messages.append((task, key))
        return True

    monkeypatch.setattr("core.jobs.queue.send", note)
    return messages


def asked(user: User, club: Club) -> Export:
    return request_export(user=user, kind=ArchiveKind.CLUB, subject=club.pk)


def packed(export: Export) -> Export:
    """Do the work of a worker, and return the export."""
    make_export(export.pk)
    export.refresh_from_db()
    return export


def change(export: Export, **columns: Any) -> None:
    Export.objects.filter(pk=export.pk).update(**columns)


def test_a_club_is_exported_by_its_page_and_fetched_with_its_tables(
    club: Club, campaign: Campaign, alice: User, django_assert_max_num_queries: Any
) -> None:
    browser = browser_of(alice)
    ask = f"/exports/ask/?kind=club&subject={club.pk}"
    assert ask.replace("&", "&amp;") in browser.get(f"/clubs/{club.pk}/").content.decode()
    assert list(faults(browser.get(ask).content.decode())) == []
    page = browser.post(ask, follow=True)
    coming = page.content.decode()
    address = page.redirect_chain[-1][0]
    assert (
        "Waiting in the queue" in coming
        and f'hx-get="{address}"' in coming
        and list(faults(coming)) == []
    )
    export = packed(Export.objects.get())
    assert (export.state, export.progress, export.name, export.claimed_by) == (
        "ready",
        100,
        club.name,
        "",
    )
    with django_assert_max_num_queries(8):
        ready = browser.get(address).content.decode()
    assert list(faults(ready)) == []
    assert "Download" in ready and export.sha256 in ready and f'hx-get="{address}"' not in ready
    fetched = browser.get(f"{address}file/")
    body = b"".join(fetched.streaming_content)  # type: ignore[attr-defined]
    assert fetched["Content-Disposition"] == 'attachment; filename="The Friday Swords.muster.zip"'
    assert (len(body), hashlib.sha256(body).hexdigest()) == (export.size, export.sha256)
    table = browser.get(f"{address}tables/warbands/")
    assert (
        table["Content-Type"] == "text/csv; charset=utf-8" and f"{address}tables/warbands/" in ready
    )
    table_csv = b"".join(table.streaming_content)  # type: ignore[attr-defined]
    assert table_csv == zipfile.ZipFile(io.BytesIO(body)).read("csv/warbands.csv")
    assert len(list(csv.reader(io.StringIO(table_csv.decode())))) == 3
    assert browser.get(f"{address}tables/nonsense/").status_code == 404
    listed = browser.get("/archives/").content.decode()
    assert address in listed and list(faults(listed)) == []


def test_the_same_by_the_api(club: Club, as_alice: APIClient, as_bob: APIClient) -> None:
    answer = as_alice.post(EXPORTS, {"kind": "club", "subject": str(club.pk)}, format="json")
    assert (answer.status_code, answer.json()["state"], answer.json()["contents"]) == (
        202,
        "queued",
        None,
    )
    address = answer["Location"]
    early = as_alice.get(f"{address}file/")
    assert (early.status_code, early.json()["code"]) == (409, "not-ready")
    packed(Export.objects.get())
    body = as_alice.get(address).json()
    assert body["state"] == "ready" and body["file"] == f"{address}file/"
    assert {"name": "memberships", "rows": 3} in body["contents"]["tables"]
    assert as_alice.get(EXPORTS).json()["results"] == [body]
    assert as_alice.get(body["file"])["Content-Type"] == "application/zip"
    table = as_alice.get(f"{address}tables/memberships/")
    assert b"".join(table.streaming_content).count(b"\n") == 4  # type: ignore[attr-defined]
    assert as_alice.get(f"{address}tables/nonsense/").json()["code"] == "unknown-table"
    for odd in (
        {},
        {"kind": "planet", "subject": str(club.pk)},
        {"kind": "club", "subject": "here"},
    ):
        assert as_alice.post(EXPORTS, odd, format="json").status_code == 400
    assert as_bob.get(address).status_code == as_bob.get(f"{address}file/").status_code == 404, (
        "it is Alice's alone"
    )


def test_who_may_export_what(
    club: Club, campaign: Campaign, haufen: Warband, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, "MAX_AT_ONCE", 9)
    cast = tuple(
        api_of(User.objects.get(username=name)) for name in ("alice", "bob", "dora", "charlie")
    )
    may = {"warband": (haufen, (202, 202, 403, 404)), "campaign": (campaign, (202, 403, 403, 404))}
    for kind, (row, expected) in {**may, "club": (club, (202, 403, 403, 404))}.items():
        body = {"kind": kind, "subject": str(row.pk)}
        assert (
            tuple(client.post(EXPORTS, body, format="json").status_code for client in cast)
            == expected
        ), kind
        assert APIClient().post(EXPORTS, body, format="json").status_code == 401
        nothing = cast[0].post(EXPORTS, {**body, "subject": str(uuid4())}, format="json")
        assert (nothing.status_code, nothing.json()["code"]) == (404, "unknown-subject")


def test_former_member_cannot_download_export(club: Club, alice: User, as_alice: APIClient) -> None:
    export = packed(asked(alice, club))
    club.memberships.filter(user=alice).update(role="player")
    answer = as_alice.get(f"{EXPORTS}{export.pk}/file/")
    assert (answer.status_code, answer.json()["code"]) == (403, "not-yours-to-export")
    assert browser_of(alice).get(f"/exports/{export.pk}/tables/clubs/").status_code == 403
    change(export, state="queued")
    assert packed(export).state == "failed" and "Only organisers" in export.failure


def test_asking_twice_is_asking_once_and_later_makes_a_new_file(
    club: Club, haufen: Warband, alice: User
) -> None:
    export = asked(alice, club)
    assert asked(alice, club) == export
    first = packed(export).file.name
    again = asked(alice, club)
    assert (again.pk, again.state, again.file.name) == (export.pk, "queued", first), (
        "the old file stays meanwhile"
    )
    assert packed(again).file.name != first and not default_storage.exists(str(first))


def test_nobody_has_more_than_two_packed_at_once(
    club: Club, alice: User, as_alice: APIClient
) -> None:
    for place in range(2):
        request_export(
            user=alice,
            kind=ArchiveKind.WARBAND,
            subject=world.guards(alice, f"Compagnie {place}").pk,
        )
    answer = as_alice.post(EXPORTS, {"kind": "club", "subject": str(club.pk)}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "too-many-exports")
    page = browser_of(alice).post(f"/exports/ask/?kind=club&subject={club.pk}")
    assert page.status_code == 409 and "Wait until one is ready" in page.content.decode()
    assert not Export.objects.filter(kind="club", state="queued").exists()


def test_a_message_that_comes_twice_or_too_late_does_nothing(club: Club, alice: User) -> None:
    export = packed(asked(alice, club))
    name, finished = export.file.name, export.finished_at
    make_export(export.pk)
    make_export(uuid4())
    export.refresh_from_db()
    assert (export.file.name, export.finished_at) == (name, finished)


def test_what_a_killed_worker_was_packing_is_taken_over_within_a_minute(
    club: Club, alice: User, sent: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds = configured.CELERY_BEAT_SCHEDULE["take archives over from dead workers"]
    assert LAPSE + rounds["schedule"] < timedelta(minutes=1)
    export = asked(alice, club)
    writes = exports.write_archive

    def killed(**_: Any) -> None:
        raise SystemExit

    monkeypatch.setattr(exports, "write_archive", killed)
    with pytest.raises(SystemExit):
        make_export(export.pk, task="killed")
    monkeypatch.setattr(exports, "write_archive", writes)
    make_export(export.pk, task="other")
    assert Export.objects.get().state == "running", "somebody seems to have it in hand"
    assert take_over() == 0
    change(export, claimed_at=timezone.now() - LAPSE - timedelta(seconds=1))
    assert (take_over(), sent) == (1, [("exchange.tasks.make_export", str(export.pk))])
    assert packed(export).state == "ready"


def test_a_worker_that_was_overtaken_leaves_no_file(
    club: Club, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = asked(alice, club)
    writes = exports.write_archive

    def overtaken(**kwargs: Any) -> Any:
        change(export, claimed_by="other", attempts=7)
        return writes(**kwargs)

    monkeypatch.setattr(exports, "write_archive", overtaken)
    assert packed(export).state == "running"
    assert default_storage.listdir(f"exports/{export.pk.hex[:2]}/{export.pk}")[1] == []


def test_an_export_waits_for_a_broker_that_is_down(
    club: Club,
    alice: User,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    sent: list[tuple[str, str]] = []

    def down(*_: Any, **__: Any) -> None:
        raise OperationalError

    monkeypatch.setattr("config.celery.Queue.send_task", down)
    with django_capture_on_commit_callbacks(execute=True):
        export = asked(alice, club)
    assert (export.state, sweep()) == ("queued", 0), "it has hardly begun to wait"
    monkeypatch.setattr(
        "config.celery.Queue.send_task", lambda _, task, keys, **__: sent.append((task, *keys))
    )
    change(export, asked_at=timezone.now() - PATIENCE - timedelta(seconds=5))
    assert (sweep(), sent) == (1, [("exchange.tasks.make_export", str(export.pk))])


def test_failure_is_reported_in_own_language(
    club: Club, alice: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(**_: Any) -> None:
        raise RuntimeError("out of ink")

    monkeypatch.setattr(exports, "write_archive", broken)
    export = asked(alice, club)
    change(export, language="de")
    assert packed(export).state == "failed"
    assert (
        str(export.pk) in export.failure
        and "ink" not in export.failure
        and "Fehler in Muster" in export.failure
    )
    assert "out of ink" in caplog.text
    page = browser_of(alice).get(f"/exports/{export.pk}/").content.decode()
    assert "Fehler in Muster" in page and "Export again" in page
    assert f'subject={club.pk}"' in page


def test_files_go_after_a_week_and_those_without_a_row_too(
    club: Club, alice: User, as_alice: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = packed(asked(alice, club))
    assert (
        export.expires_at is not None
        and export.expires_at - timezone.now() > EXPORTS_KEPT - timedelta(minutes=1)
    )
    left = default_storage.save(f"exports/ab/{uuid4()}/1-x.zip", ContentFile(b"PK"))
    assert tidy() == 0
    monkeypatch.setattr("core.jobs.stored_files.claim_limit", lambda: timedelta(seconds=-5))
    change(export, expires_at=timezone.now() - timedelta(seconds=1))
    assert tidy() == 2
    assert not default_storage.exists(left) and not default_storage.exists(str(export.file.name))
    body = as_alice.get(f"{EXPORTS}{export.pk}/").json()
    assert (body["state"], body["file"]) == ("expired", None)
    assert (
        "has expired and was deleted"
        in browser_of(alice).get(f"/exports/{export.pk}/").content.decode()
    )
    assert packed(asked(alice, club)).state == "ready"


def test_missing_file_can_be_exported_again(club: Club, alice: User) -> None:
    export = packed(asked(alice, club))
    default_storage.delete(str(export.file.name))
    page = browser_of(alice).get(f"/exports/{export.pk}/file/", follow=True)
    assert "The file is missing" in page.content.decode()
    with pytest.raises(StateConflict):
        exports.open_export(user=alice, export=Export.objects.get())
    assert packed(asked(alice, club)).state == "ready"


def test_export_command_writes_archive(
    club: Club,
    campaign: Campaign,
    haufen: Warband,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for kind, row, who in (
        ("club", club, "alice"),
        ("campaign", campaign, "alice"),
        ("warband", haufen, "bob"),
    ):
        path = tmp_path / f"{kind}.zip"
        call_command("export_archive", kind, str(row.pk), str(path))
        assert zipfile.is_zipfile(path) and f"as {who} sees it" in capsys.readouterr().out
    for arguments in (("club", str(uuid4())), ("club", str(club.pk), "--as", "nobody")):
        with pytest.raises(CommandError):
            call_command("export_archive", *arguments[:2], str(tmp_path / "no.zip"), *arguments[2:])
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("export_archive", "club", str(club.pk), str(tmp_path / "nowhere" / "club.zip"))
    assert {path.name for path in tmp_path.iterdir()} >= {"club.zip"} and not (
        tmp_path / "no.zip"
    ).exists()
    assert [path for path in tmp_path.iterdir() if path.name.startswith(".")] == []
