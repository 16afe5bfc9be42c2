"""Bringing archives, on pages and by the API: what is checked, shown and chosen first, and what is
made then."""

import re
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from battles.models import Battle
from campaigns.models import Campaign
from clubs.models import Club
from core.jobs.claims import LAPSE
from documents.models import Language
from exchange.models import Export, Import
from exchange.services import imports
from exchange.services.exports import make_export
from exchange.services.imports import MAX_WAITING, advance_import, upload_archive
from exchange.tasks import take_over, tidy
from tests.conftest import api_of, browser_of
from tests.exchange.archives import Undone, archive_of, changed, reference_of, written_and_gone
from tests.pages import world
from tests.pages.markup import faults
from warbands.models import ChronicleEntry, Fighter, Warband

pytestmark = pytest.mark.django_db
IMPORTS = "/api/v1/imports/"


def played(alice: User, bob: User) -> tuple[Club, Campaign]:
    """Return Alice's club with Bob, in which a battle was fought."""
    club = world.club_of(alice, players=[bob])
    haufen, guards = world.landsknechts(bob), world.guards(alice)
    campaign = world.campaign_of(club, alice, guards, haufen)
    world.confirmed_battle(bob, alice, campaign, haufen, guards)
    return club, campaign


def there() -> tuple[User, User]:
    """Return Alice and Bob with their names on the other installation."""
    return User.objects.create(username="alix"), User.objects.create(username="bert")


def a_club() -> tuple[str, Any, User]:
    alice, bob = there()
    return "club", played(alice, bob)[0], alice


def a_campaign() -> tuple[str, Any, User]:
    alice, bob = there()
    return "campaign", played(alice, bob)[1], alice


@cache
def club_archive() -> bytes:
    return written_and_gone(a_club)


@cache
def campaign_archive() -> bytes:
    return written_and_gone(a_campaign)


def sent(archive: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("club.zip", archive, content_type="application/zip")


def uploaded(user: User, archive: bytes) -> Import:
    return upload_archive(
        user=user,
        file=ContentFile(archive),
        size=len(archive),
        name="club.zip",
        language=Language.ENGLISH,
    )


def worked(brought: Import) -> Import:
    """Do one step of a worker, and return the import."""
    advance_import(brought.pk)
    brought.refresh_from_db()
    return brought


def checked(user: User, archive: bytes) -> Import:
    brought = worked(uploaded(user, archive))
    assert (brought.state, brought.failure, brought.claimed_by) == ("checked", "", "")
    return brought


def change(brought: Import, **columns: Any) -> None:
    Import.objects.filter(pk=brought.pk).update(**columns)


def nothing_is_made() -> bool:
    made = (Club, Campaign, Warband, Fighter, Battle, ChronicleEntry)
    return not any(kind._default_manager.exists() for kind in made)


def exported_by_page() -> bytes:
    """Export Alice's club by its page, and return the download. Everything is rolled back."""
    body = b""
    try:
        with transaction.atomic():
            alice, bob = there()
            club, _ = played(alice, bob)
            browser = browser_of(alice)
            ask = browser.get(f"/clubs/{club.pk}/").content.decode()
            match = re.search(r'"(/exports/ask/[^"]*)"', ask)
            assert match is not None
            page = browser.post(match[1].replace("&amp;", "&"))
            make_export(Export.objects.get().pk)
            body = b"".join(browser.get(f"{page['Location']}file/").streaming_content)  # type: ignore[attr-defined]
            raise Undone
    except Undone:
        return body


def test_a_club_goes_from_one_installation_to_another_by_pages(db: None, make_user: Any) -> None:
    archive = exported_by_page()
    assert nothing_is_made()
    anna, ben = make_user("anna"), make_user("ben")
    world.club_of(anna, players=[ben])
    browser = browser_of(anna)
    form = browser.get("/imports/").content.decode()
    assert list(faults(form)) == [] and 'enctype="multipart/form-data"' in form
    page = browser.post("/imports/", {"file": sent(archive)}, follow=True)
    address = page.redirect_chain[-1][0]
    coming = page.content.decode()
    assert (
        "Checking the archive" in coming
        and f'hx-get="{address}"' in coming
        and list(faults(coming)) == []
    )
    brought = worked(Import.objects.get())
    preview = browser.get(address).content.decode()
    assert list(faults(preview)) == []
    for text in (
        "Clubs: 1",
        "Warbands: 2",
        "Battles: 1",
        "The Long Summer",
        "unknown key",
        "Match people",
    ):
        assert text in preview
    assert Warband.objects.count() == 0, "nothing is made by looking"
    alices, bobs = (f"person-{reference_of(archive, name)}" for name in ("alix", "bert"))
    assert f'name="{alices}"' in preview and "Guest player" in preview and "Me (anna)" in preview
    both = browser.post(f"{address}carry-out/", {alices: "anna", bobs: "anna"})
    assert both.status_code == 400 and "cannot be two people" in both.content.decode()
    assert (
        browser.post(f"{address}carry-out/", {alices: "anna", bobs: "charlie"}).status_code == 400
    )
    running = browser.post(
        f"{address}carry-out/", {alices: "anna", bobs: "ben"}, follow=True
    ).content.decode()
    assert "Importing the archive" in running and list(faults(running)) == []
    brought = worked(brought)
    assert (brought.state, brought.failure, bool(brought.file)) == ("done", "", False)
    done = browser.get(address).content.decode()
    assert list(faults(done)) == []
    links = set(re.findall(r'href="(/(?:clubs|campaigns|warbands|battles)/[0-9a-f-]{36}/)"', done))
    assert len(links) == 5
    assert all(browser.get(link).status_code == 200 for link in links)
    haufen = Warband.objects.get(name="Der schwarze Haufen")
    assert haufen.owner == ben and Warband.objects.get(name="Compagnie du Cardinal").owner == anna
    assert browser.post(f"{address}carry-out/", {alices: "anna"}, follow=True).status_code == 200
    assert Warband.objects.count() == 2, "a second time makes nothing"
    listed = browser.get("/archives/").content.decode()
    assert address in listed and list(faults(listed)) == []


def test_the_same_by_the_api(db: None, make_user: Any) -> None:
    archive = club_archive()
    anna = make_user("anna")
    api = api_of(anna)
    answer = api.post(IMPORTS, {"file": sent(archive)}, format="multipart")
    assert (answer.status_code, answer.json()["state"], answer.json()["preview"]) == (
        202,
        "uploaded",
        None,
    )
    address = answer["Location"]
    early = api.post(f"{address}carry-out/")
    assert (early.status_code, early.json()["code"]) == (409, "wrong-state")
    brought = worked(Import.objects.get())
    body = api.get(address).json()
    assert (body["state"], body["importable"], body["preview"]["signer"]["standing"]) == (
        "checked",
        True,
        "unknown",
    )
    assert {line["kind"] for line in body["preview"]["made"]} == {
        "club",
        "campaign",
        "warband",
        "battle",
    }
    alices = reference_of(archive, "alix")
    for people, code in (
        ({alices: "nobody"}, "not-your-player"),
        ({str(uuid4()): "anna"}, "unknown-person"),
    ):
        refused = api.post(f"{address}people/", {"people": people}, format="json").json()
        assert (refused["code"], refused["errors"][0]["field"]) == (
            code,
            f"/people/{next(iter(people))}",
        )
    again = api.post(f"{address}people/", {"people": {alices: "anna"}}, format="json")
    assert (again.status_code, again.json()["state"]) == (202, "uploaded")
    worked(brought)
    people = {
        person["name"]: person["user_name"]
        for person in api.get(address).json()["preview"]["people"]
    }
    assert people["alix"] == "anna"
    assert api.post(f"{address}carry-out/").json()["state"] == "running"
    worked(brought)
    done = api.get(address).json()
    assert (done["state"], done["preview"]["made"]) == ("done", done["result"]["made"])
    assert "preview" not in api.get(IMPORTS).json()["results"][0]
    assert Warband.objects.get(name="Compagnie du Cardinal").owner == anna
    bobs = Warband.objects.get(name="Der schwarze Haufen")
    assert bobs.owner is not None and not bobs.owner.is_active, "a placeholder"


def test_a_campaign_can_join_a_club_that_one_organises(db: None, make_user: Any) -> None:
    anna, ben = make_user("anna"), make_user("ben")
    club = world.club_of(anna, players=[ben])
    brought = checked(anna, campaign_archive())
    browser = browser_of(anna)
    page = f"/imports/{brought.pk}/"
    assert str(club.pk) in browser.get(page).content.decode()
    strange = api_of(ben).post(
        f"{IMPORTS}{brought.pk}/people/", {"people": {}, "club": str(club.pk)}, format="json"
    )
    assert strange.status_code == 404, "it is Anna's"
    elsewhere = api_of(anna).post(
        f"{IMPORTS}{brought.pk}/people/", {"people": {}, "club": str(uuid4())}, format="json"
    )
    assert (elsewhere.status_code, elsewhere.json()["code"]) == (400, "not-your-club")
    browser.post(f"{page}carry-out/", {"club": str(club.pk)})
    shown = worked(brought)
    assert shown.state == "checked" and "preview has changed" in shown.failure, (
        "other rows than were shown"
    )
    assert Warband.objects.count() == 0
    browser.post(f"{page}carry-out/", {"club": str(club.pk)})
    assert worked(brought).state == "done"
    assert Campaign.objects.get().club == club


def test_upload_rejects_other_and_forged_files(db: None, alice: User) -> None:
    browser = browser_of(alice)
    empty = browser.post("/imports/", {"file": sent(b"")})
    assert empty.status_code == 400 and "This file is empty" in empty.content.decode()
    forged = changed(club_archive(), "warbands", lambda rows: rows[0].update(name="Forged"))
    for archive in (b"not a zip", forged):
        brought = worked(uploaded(alice, archive))
        assert brought.state == "failed" and brought.failure
        page = browser.get(f"/imports/{brought.pk}/").content.decode()
        assert (
            "Nothing was imported" in page
            and "Match people" not in page
            and list(faults(page)) == []
        )
        answer = api_of(alice).post(f"{IMPORTS}{brought.pk}/carry-out/")
        assert (answer.status_code, answer.json()["code"]) == (409, "wrong-state")
    assert nothing_is_made()


def test_what_the_preview_refuses_cannot_be_carried_out(
    alice: User, bob: User, charlie: User
) -> None:
    club, _ = played(alice, bob)
    brought = worked(uploaded(charlie, archive_of("club", club, alice)))
    page = browser_of(charlie).get(f"/imports/{brought.pk}/").content.decode()
    assert list(faults(page)) == []
    assert brought.state == "checked" and "Errors" in page
    assert 'formaction="' in page and "<button>Import archive</button>" not in page
    answer = api_of(charlie).post(f"{IMPORTS}{brought.pk}/carry-out/")
    assert (answer.status_code, answer.json()["code"]) == (400, "not-importable")
    assert (Club.objects.count(), Warband.objects.count(), club.memberships.count()) == (1, 2, 2)


def test_a_club_that_comes_home_finds_its_people_and_makes_nothing(alice: User, bob: User) -> None:
    club, _ = played(alice, bob)
    brought = checked(alice, archive_of("club", club, alice))
    page = browser_of(alice).get(f"/imports/{brought.pk}/").content.decode()
    assert "Nothing: everything was here already" in page and "This site exported it" in page
    assert (
        "Match people" not in page
        and "<form" not in page.partition('id="import"')[2].partition("</main>")[0]
    )
    assert {person["name"]: person["user"] for person in brought.preview["people"]} == {
        "alice": alice.pk,
        "bob": bob.pk,
    }


def test_upload_rejects_large_file(db: None, alice: User, settings: Any) -> None:
    settings.ARCHIVE_LIMIT = 50_000
    large = sent(b"PK" + bytes(60_000))
    page = browser_of(alice).post("/imports/", {"file": large})
    assert page.status_code == 400 and "at most 48.8" in page.content.decode()
    large.seek(0)
    answer = api_of(alice).post(IMPORTS, {"file": large}, format="multipart")
    assert (answer.status_code, answer.json()["code"]) == (413, "upload-too-large")
    assert not Import.objects.exists() and not default_storage.exists("imports")


def test_upload_allows_large_archive_to_members(
    db: None, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pictures.uploads.MAX_BYTES", 1000)
    archive = club_archive()
    assert len(archive) > 1000
    browser_of(alice).post("/imports/", {"file": sent(archive)})
    assert Import.objects.get().size == len(archive) == Import.objects.get().file.size
    Client().post("/imports/", {"file": sent(archive)})
    assert Import.objects.count() == 1


def test_imports_are_nobody_else_s(db: None, alice: User, charlie: User) -> None:
    brought = checked(alice, club_archive())
    stranger, api = browser_of(charlie), api_of(charlie)
    for path in ("", "people/", "carry-out/"):
        call = "get" if not path else "post"
        assert getattr(stranger, call)(f"/imports/{brought.pk}/{path}").status_code == 404
        assert getattr(api, call)(
            f"{IMPORTS}{brought.pk}/{path}", {}, format="json"
        ).status_code in (400, 404)
        assert getattr(Client(), call)(f"/imports/{brought.pk}/{path}").status_code == 302
        assert getattr(APIClient(), call)(f"{IMPORTS}{brought.pk}/{path}").status_code == 401
    brought.refresh_from_db()
    assert brought.state == "checked"


def test_a_failed_import_tells_and_leaves_nothing(
    db: None, alice: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    brought = checked(alice, club_archive())
    makes = imports.import_archive

    def broken(**kwargs: Any) -> None:
        makes(**kwargs)
        raise RuntimeError("out of ink")

    monkeypatch.setattr(imports, "import_archive", broken)
    browser = browser_of(alice)
    browser.post(f"/imports/{brought.pk}/carry-out/", {})
    assert worked(brought).state == "failed" and nothing_is_made() and "out of ink" in caplog.text
    page = browser.get(f"/imports/{brought.pk}/").content.decode()
    assert "Nothing was imported" in page and "Check again" in page
    monkeypatch.setattr(imports, "import_archive", makes)
    browser.post(f"/imports/{brought.pk}/people/", {})
    assert worked(brought).state == "checked"
    browser.post(f"/imports/{brought.pk}/carry-out/", {})
    assert worked(brought).state == "done"


def test_a_killed_or_overtaken_worker_makes_nothing_and_another_takes_over(
    db: None, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages: list[tuple[str, str]] = []

    def send(task: str, key: str) -> bool:
        messages.append((task, key))
        return True

    monkeypatch.setattr("core.jobs.queue.send", send)
    brought = checked(alice, club_archive())
    browser_of(alice).post(f"/imports/{brought.pk}/carry-out/", {})
    makes = imports.import_archive

    def killed(**kwargs: Any) -> None:
        makes(**kwargs)
        raise SystemExit

    monkeypatch.setattr(imports, "import_archive", killed)
    with pytest.raises(SystemExit):
        advance_import(brought.pk, task="killed")
    assert nothing_is_made()
    advance_import(brought.pk, task="other")
    assert nothing_is_made(), "somebody seems to have it in hand"
    change(brought, claimed_at=timezone.now() - LAPSE - timedelta(seconds=1))
    assert (take_over(), messages) == (1, [("exchange.tasks.advance_import", str(brought.pk))])
    monkeypatch.setattr(imports, "import_archive", makes)
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(imports, "release", lambda *_, **__: False)
        assert worked(brought).state == "running" and nothing_is_made(), (
            "it is somebody else's by now"
        )
    change(brought, claimed_by="")
    assert worked(brought).state == "done"
    assert worked(brought).state == "done" and Club.objects.count() == 1, (
        "a message too many does nothing"
    )


def test_uploads_go_after_a_day_and_when_there_are_too_many(db: None, alice: User) -> None:
    first, *others = (uploaded(alice, b"PK") for _ in range(MAX_WAITING + 1))
    first.refresh_from_db()
    assert (first.state, bool(first.file)) == ("expired", False)
    assert tidy() == 0
    Import.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    held = others[0]
    change(held, claimed_by="worker", claimed_at=timezone.now())
    assert tidy() == MAX_WAITING - 1
    assert list(Import.objects.exclude(file="")) == [held]
    page = browser_of(alice).get(f"/imports/{first.pk}/").content.decode()
    assert "has expired and was deleted" in page and list(faults(page)) == []


def test_upload_is_throttled(db: None, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exchange.downloads.ArchiveThrottle.get_rate", lambda _: "1/hour")
    browser = browser_of(alice)
    assert browser.post("/imports/", {"file": sent(b"PK")}).status_code == 302
    page = browser.post("/imports/", {"file": sent(b"PK")})
    assert page.status_code == 429 and "too many archives" in page.content.decode()
    assert api_of(alice).post(IMPORTS, {"file": sent(b"PK")}, format="multipart").status_code == 429


@pytest.mark.one_database
def test_the_preview_takes_the_same_queries_whatever_is_in_the_archive(
    db: None, alice: User
) -> None:
    small, large = checked(alice, campaign_archive()), checked(alice, club_archive())
    for number in range(5):
        world.club_of(alice).memberships.create(name=f"Guest {number}")
    browser = browser_of(alice)
    browser.get("/archives/")
    taken = []
    for brought in (small, large):
        with CaptureQueriesContext(connection) as seen:
            assert browser.get(f"/imports/{brought.pk}/").status_code == 200
        taken.append(len(seen))
    assert taken[0] - 1 <= taken[1] <= taken[0] <= 10


def test_import_command_imports_archive(
    db: None, alice: User, bob: User, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive, path = club_archive(), tmp_path / "club.zip"
    path.write_bytes(archive)
    people = [
        f"--person={reference_of(archive, home)}={here}"
        for home, here in (("alix", "alice"), ("bert", "bob"))
    ]
    User.objects.filter(pk=alice.pk).update(is_staff=True)
    call_command("import_archive", str(path), "--as=alice", "--preview", *people)
    output = capsys.readouterr().out
    assert "Would be made: Warbands 2" in output and "'bert': bob" in output and nothing_is_made()
    for arguments in (
        ("--as=nobody",),
        ("--as=alice", "--person=nobody=alice"),
        ("--as=bob", *people[:1]),
    ):
        with pytest.raises(CommandError):
            call_command("import_archive", str(path), *arguments)
    assert nothing_is_made()
    call_command("import_archive", str(path), "--as=alice", *people)
    assert Warband.objects.get(name="Der schwarze Haufen").owner == bob
    path.write_bytes(b"no zip")
    with pytest.raises(CommandError):
        call_command("import_archive", str(path), "--as=alice")
