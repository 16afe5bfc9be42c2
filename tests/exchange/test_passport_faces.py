"""Passports and keys on pages and in the API, in both languages."""

import json
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from rest_framework.test import APIClient

from audit.models import AuditEntry
from clubs.models import Club
from core.signatures import in_groups
from exchange.models import ReceivedPassport, TrustedKey
from exchange.passports.file_format import MAX_BYTES
from exchange.signing import public_key
from tests.conftest import api_of, browser_of
from tests.exchange.conftest import Abroad
from tests.exchange.test_passports import forged
from tests.pages import world
from tests.pages.markup import faults
from warbands.models import Fighter, Warband

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def brought(client: Client, content: bytes) -> str:
    """Upload a passport on the page, and return the path of the redirect."""
    sent = {"file": SimpleUploadedFile("one.passport.json", content)}
    answer = client.post("/passports/", sent)
    assert answer.status_code == 302, answer.content.decode()
    return str(answer["Location"])


def test_passport_pages_upload_show_and_import(
    abroad: Abroad, alice: User, bob: User, trusting: Club
):
    client = browser_of(bob)
    page = brought(client, abroad.warband)
    shown = client.get(page).content.decode()
    for text in (
        "The Friday Swords trusts this key. It belongs to The Swords of York.",
        "have valid seals",
        "exactly the values in this passport",
        "The Old Mill",
        "The Long Summer",
        "Recruited Hans",
        "Ü &lt;b&gt;&amp;",
        "Import warband",
    ):
        assert text in shown, text
    assert list(faults(shown)) == list(faults(client.get("/passports/").content.decode())) == []
    assert browser_of(alice).get(page).status_code == 404, (
        "nobody else sees what somebody has brought"
    )
    answer = client.post(f"{page}take-on/")
    assert answer["Location"] == f"/warbands/{abroad.warband_id}/"
    warband = client.get(answer["Location"]).content.decode()
    assert (
        "imported with its whole history" in warband
        and "Imported from http://127.0.0.1:8000 on" in warband
    )
    assert "Import warband" not in client.get(page).content.decode()
    for address in ("chronicle/", "build/", "passport/"):
        assert client.get(f"/warbands/{abroad.warband_id}/{address}").status_code == 200
    chronicle = client.get(f"/warbands/{abroad.warband_id}/chronicle/").content.decode()
    assert "Drew The Old Mill" in chronicle and "/battles/" not in chronicle.replace(
        '"/battles/"', ""
    )
    fighter = client.get(f"/fighters/{abroad.fighter_id}/?why=experience").content.decode()
    assert "The Old Mill</h3>" in fighter and "against Compagnie du Cardinal" in fighter
    again = client.post(f"{page}take-on/", follow=True)
    assert "already on this site" in again.content.decode()
    assert f'href="{page}"' in client.get("/passports/").content.decode()
    assert AuditEntry.objects.filter(verb="warband.taken-on", actor=bob).exists()


def test_what_was_brought_is_refused_and_explained_on_the_page(
    abroad: Abroad, bob: User, trusting: Club
):
    client = browser_of(bob)
    for content, message in (
        (forged(abroad.warband, lambda body: body["entries"].pop(2)), "Entry 3 is not valid"),
        (b"Hello", "This is not a Muster passport"),
        (b" " * (MAX_BYTES + 1), "A passport can be"),
    ):
        answer = client.post("/passports/", {"file": SimpleUploadedFile("x.json", content)})
        assert answer.status_code == 400 and message in answer.content.decode()
    assert client.post("/passports/").status_code == 400
    fighter = client.get(brought(client, abroad.fighter)).content.decode()
    assert (
        "Passport of Hans" in fighter
        and "about others, seal only" in fighter
        and "Import warband" not in fighter
    )
    assert "cannot add the fighter to another" in fighter
    TrustedKey.objects.update(withdrawn_at="2026-01-01T00:00Z")
    unknown = client.get(brought(client, abroad.warband)).content.decode()
    assert (
        "Nobody here has marked this key as trusted" in unknown
        and "Import warband" not in unknown
        and "Not checked" in unknown
    )


def test_passport_page_links_warband_that_is_here(
    abroad: Abroad, alice: User, bob: User, trusting: Club
):
    bobs, alices = browser_of(bob), browser_of(alice)
    bobs.post(f"{brought(bobs, abroad.warband)}take-on/")
    page = brought(alices, abroad.warband)
    html = alices.get(page).content.decode()
    assert "is already on this site" in html and "Open warband" not in html
    Warband.objects.filter(pk=abroad.warband_id).update(visibility="public")
    html = alices.get(page).content.decode()
    assert f'href="/warbands/{abroad.warband_id}/">Open warband' in html
    assert "Import warband" not in html and list(faults(html)) == []


def test_the_api_brings_shows_and_takes_on(abroad: Abroad, alice: User, bob: User, trusting: Club):
    bobs, alices = api_of(bob), api_of(alice)
    answer = bobs.post("/api/v1/passports/", json.loads(abroad.warband), format="json")
    assert answer.status_code == 201
    reading = answer.json()
    assert [check["holds"] for check in reading["checks"]] == [True] * 4 and reading["may_take_on"]
    assert (
        reading["signer"]["standing"] == "trusted"
        and reading["history"][0]["phrase"] == "was created"
    )
    address = f"/api/v1/passports/{reading['id']}/"
    assert (
        alices.get(address).status_code == 404
        and alices.post(f"{address}take-on/").status_code == 404
    )
    taken = bobs.post(f"{address}take-on/")
    assert taken.status_code == 201 and taken.json()["warband"] == str(abroad.warband_id)
    again = bobs.post(f"{address}take-on/")
    assert again.status_code == 409 and again.json()["code"] == "warband-here"
    assert bobs.get("/api/v1/passports/").json()["results"][0]["warband_here"] == str(
        abroad.warband_id
    )
    entries = bobs.get(f"/api/v1/warbands/{abroad.warband_id}/chronicle/?kind=fought").json()[
        "results"
    ]
    assert [entry["battle"] for entry in entries] == [None]
    forgery = json.loads(forged(abroad.warband, lambda body: body["entries"].pop(2)))
    refused = bobs.post("/api/v1/passports/", forgery, format="json")
    assert (refused.status_code, refused.json()["code"]) == (400, "passport-forged")
    assert bobs.post("/api/v1/passports/", {"passport": 1}, format="json").status_code == 400


def test_who_may_fetch_a_passport_and_by_which_name(
    alice: User, bob: User, charlie: User, dora: User, anonymous: APIClient
):
    club = world.club_of(alice, players=[bob], spectators=[dora])
    warband = world.landsknechts(bob, name="Der „schwarze“ Haufen/..")
    world.campaign_of(club, alice, warband, running=False)
    fighter = Fighter.objects.get(name="Hans")
    for address in (f"warbands/{warband.pk}/passport/", f"fighters/{fighter.pk}/passport/"):
        for user, code in ((alice, 200), (bob, 200), (dora, 403), (charlie, 404)):
            assert api_of(user).get(f"/api/v1/{address}").status_code == code
            answer = browser_of(user).get(f"/{address}")
            assert answer.status_code == code, (address, user)
        assert anonymous.get(f"/api/v1/{address}").status_code == 401
        assert Client().get(f"/{address}")["Location"].startswith("/accounts/login/")
    disposition = browser_of(bob).get(f"/warbands/{warband.pk}/passport/")["Content-Disposition"]
    assert (
        disposition.startswith("attachment;")
        and "passport.json" in disposition
        and "/" not in disposition
    )
    assert browser_of(bob).get(f"/fighters/{uuid4()}/passport/").status_code == 404
    assert "Passport" in browser_of(bob).get(f"/fighters/{fighter.pk}/").content.decode()
    assert not ReceivedPassport.objects.exists()


def test_keys_are_exchanged_on_a_page(
    abroad: Abroad, alice: User, bob: User, charlie: User, client: Client
):
    club = world.club_of(alice, players=[bob])
    own = client.get("/keys/").content.decode()
    assert public_key().groups in own and public_key().public in own and "<svg" in own
    file = client.get("/keys/own/")
    assert json.loads(file.content)["fingerprint"] == public_key().fingerprint
    address = f"/clubs/{club.pk}/keys/"
    assert browser_of(charlie).get(address).status_code == 404
    assert browser_of(bob).get(address).status_code == 200
    assert browser_of(bob).get(f"{address}trust/").status_code == 403
    organiser = browser_of(alice)
    response = organiser.post(f"{address}trust/", {"text": "no key"})
    assert response.status_code == 400 and "This is not a public key" in response.content.decode()
    ours = organiser.post(
        f"{address}trust/", {"file": SimpleUploadedFile("k.key.json", file.content)}
    )
    assert public_key().groups in ours.content.decode()
    assert (
        list(faults(own)) == list(faults(organiser.get(f"{address}trust/").content.decode())) == []
    )
    compare = organiser.post(
        f"{address}trust/", {"text": f" {abroad.key.public.upper()}\n"}
    ).content.decode()
    assert list(faults(compare)) == []
    assert abroad.key.groups in compare and not TrustedKey.objects.exists(), (
        "shown to be compared, and not yet trusted"
    )
    sent = {
        "public": abroad.key.public,
        "name": "The Swords of York",
        "address": "https://york.example",
    }
    assert organiser.post(f"{address}trust/", sent).status_code == 400, "nobody has compared it"
    assert organiser.post(f"{address}trust/", {**sent, "compared": "on"})["Location"] == address
    assert organiser.post(f"{address}trust/", {**sent, "compared": "on"}).status_code == 409
    own_one = {**sent, "public": public_key().public, "compared": "on"}
    assert "the key of this site" in organiser.post(f"{address}trust/", own_one).content.decode()
    listed = browser_of(bob).get(address).content.decode()
    assert "The Swords of York" in listed and in_groups(abroad.key.fingerprint) in listed
    row = TrustedKey.objects.get()
    assert browser_of(bob).post(f"/keys/{row.pk}/withdraw/").status_code == 403
    assert browser_of(charlie).post(f"/keys/{row.pk}/withdraw/").status_code == 404
    assert organiser.post(f"/keys/{row.pk}/withdraw/")["Location"] == address
    assert "Withdrawn" in organiser.get(address).content.decode()
    verbs = AuditEntry.objects.filter(club=club.pk, verb__startswith="key.").values_list(
        "verb", flat=True
    )
    assert set(verbs) == {"key.trusted", "key.withdrawn"}


def test_keys_are_exchanged_by_the_api(abroad: Abroad, alice: User, bob: User, charlie: User):
    club = world.club_of(alice, players=[bob])
    organiser, player = api_of(alice), api_of(bob)
    assert player.get("/api/v1/keys/own/").json()["fingerprint"] == public_key().groups
    address, body = f"/api/v1/clubs/{club.pk}/keys/", {"public": abroad.key.public, "name": "York"}
    assert player.post(address, body, format="json").status_code == 403
    assert api_of(charlie).post(address, body, format="json").status_code == 404
    assert (
        organiser.post(address, {**body, "public": "zz"}, format="json").json()["code"]
        == "not-a-key"
    )
    made = organiser.post(address, body, format="json")
    assert made.status_code == 201 and made.json()["club"] == str(club.pk)
    assert organiser.post(address, body, format="json").json()["code"] == "trusted-already"
    assert (
        player.get(address).json()["count"] == 1 and api_of(charlie).get(address).status_code == 404
    )
    assert player.delete(f"/api/v1/keys/{made.json()['id']}/").status_code == 403
    assert organiser.delete(f"/api/v1/keys/{made.json()['id']}/").status_code == 204
    assert player.get(address).json()["results"][0]["withdrawn_at"]
    assert player.post("/api/v1/keys/", body, format="json").json()["code"] == "staff-only"
    User.objects.filter(pk=alice.pk).update(is_staff=True)
    staff = api_of(User.objects.get(pk=alice.pk))
    assert staff.post("/api/v1/keys/", body, format="json").status_code == 201
    assert player.get("/api/v1/keys/").json()["results"][0]["name"] == "York"
    assert staff.delete(f"/api/v1/keys/{uuid4()}/").status_code == 404
    outside = (
        api_of(charlie).post("/api/v1/passports/", json.loads(abroad.warband), format="json").json()
    )
    assert outside["signer"]["standing"] == "trusted", (
        "the whole installation trusts it, and so do those without a club"
    )


def test_all_of_it_speaks_german(abroad: Abroad, bob: User, trusting: Club):
    client = browser_of(bob)
    page = brought(client, abroad.warband)
    german = {"Accept-Language": "de"}
    shown = client.get(page, headers=german).content.decode()
    assert (
        "Pass von Der schwarze Haufen" in shown
        and "Warband importieren" in shown
        and "vertraut diesem Schlüssel" in shown
    )
    assert "Schlüssel" in client.get("/keys/", headers=german).content.decode()
    refused = client.post(
        "/passports/", {"file": SimpleUploadedFile("x.json", b"{}")}, headers=german
    )
    assert "kein Pass" in refused.content.decode()
    assert not Warband.objects.exists()
