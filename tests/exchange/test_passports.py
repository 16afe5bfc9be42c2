"""A passport is issued and proved elsewhere, and imports a warband with all its history."""

import base64
import json
from collections.abc import Callable
from functools import partial
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.contrib.auth.models import User
from django.core.management import call_command

from clubs.models import Club
from core.errors import Forbidden, MusterError, NotFound, StateConflict
from documents.content.careers import career_content
from documents.content.rosters import roster_content
from exchange.models import ReceivedPassport, TrustedKey
from exchange.passports.file_format import MAX_BYTES, open_file
from exchange.passports.verification import broken_entry, first_difference
from exchange.services.passports import issue_fighter, issue_warband, receive_passport, take_on
from rulebook.chronicle.facts import Adjusted, Corrected, seal
from tests.conftest import browser_of
from tests.exchange.conftest import Abroad
from tests.pages import world
from warbands.models import ChronicleEntry, Fighter, Warband
from warbands.services.chronicle import append_facts, correct_facts

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
Body = dict[str, Any]


def body_of(content: bytes) -> Body:
    """Return the signed content."""
    body: Body = json.loads(base64.b64decode(json.loads(content)["passport"]))
    return body


def forged(content: bytes, change: Callable[[Body], object], **outside: str) -> bytes:
    """Return the file with another body and the old signature."""
    body = body_of(content)
    change(body)
    encoded = json.dumps(body).encode()
    return json.dumps(
        {**json.loads(content), "passport": base64.b64encode(encoded).decode(), **outside}
    ).encode()


def signed_by(
    key: Ed25519PrivateKey, content: bytes, change: Callable[[Body], object] = lambda body: None
) -> bytes:
    """Return the file with another body, signed by another key."""
    body = body_of(content)
    change(body)
    encoded = json.dumps(body).encode()
    parts = {"key": key.public_key().public_bytes_raw().hex(), "signature": key.sign(encoded).hex()}
    return json.dumps({"passport": base64.b64encode(encoded).decode(), **parts}).encode()


def change_fact(body: Body, place: int, old: str, new: str) -> None:
    """Change the text of an entry."""
    text = body["entries"][place - 1]["text"]
    assert old in text
    body["entries"][place - 1]["text"] = text.replace(old, new)


def sealed_anew(body: Body) -> None:
    """Change a fact, and seal all later entries again, which needs no key."""
    change_fact(body, len(body["entries"]), "Ü <b>&", "Slew a giant")
    previous = "0" * 64
    for entry in body["entries"]:
        _, warband, sequence, payload, recorded = json.loads(entry["text"])
        entry["seal"] = seal(
            previous, warband=warband, sequence=sequence, payload=payload, recorded=recorded
        )
        text = [previous, warband, sequence, payload, recorded]
        entry["text"] = json.dumps(text, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        previous = entry["seal"]


def refused(verb: Callable[[], object]) -> MusterError:
    """Return the refusal."""
    with pytest.raises(MusterError) as caught:
        verb()
    return caught.value


def test_a_passport_tells_the_whole_history_and_holds(abroad: Abroad):
    passport = open_file(abroad.warband).passport
    assert passport.name == "Der schwarze Haufen" and passport.origin == "http://127.0.0.1:8000"
    battle = passport.battles[0]
    assert (battle.title, battle.against) == ("The Old Mill", ("Compagnie du Cardinal",))
    assert (battle.campaign, battle.club) == ("The Long Summer", "The Friday Swords")
    assert {fighter.name for fighter in passport.fighters} == {"Hans", "Jörg", "Veit", "Kunz"}
    assert all(entry.text for entry in passport.entries)
    assert broken_entry(passport) is None and first_difference(passport) == ""


def test_fighter_passport_has_own_history_and_chain(abroad: Abroad):
    passport = open_file(abroad.fighter).passport
    assert passport.name == "Hans" and [fighter.id for fighter in passport.fighters] == [
        str(abroad.fighter_id)
    ]
    assert b"Held the bridge" not in base64.b64decode(json.loads(abroad.fighter)["passport"])
    hidden = [place for place, entry in enumerate(passport.entries, 1) if entry.text is None]
    assert hidden and len(passport.entries) == len(open_file(abroad.warband).passport.entries)
    assert broken_entry(passport) is None and first_difference(passport) == ""
    assert sum(line.amount for line in passport.ledger) == passport.fighters[0].experience


def test_passport_includes_corrections(bob: User):
    warband = world.landsknechts(bob)
    hans, other = world.named("Hans"), world.named("Veit")
    for fighter, amount in ((hans, 2), (other, 7), (hans, 4)):
        append_facts(
            {warband.pk: Adjusted(fighter=str(fighter.pk), experience=amount, reason="Why")},
            user=bob,
        )
    first = (
        ChronicleEntry.objects.filter(warband=warband, kind="adjusted")
        .earliest("sequence")
        .sequence
    )
    mended = Adjusted(fighter=str(hans.pk), experience=3, reason="Counted again")
    for corrected in (
        Corrected(target=first, replacement=mended),
        Corrected(target=first + 2),
        Corrected(target=first),
    ):
        correct_facts({warband.pk: corrected}, user=bob)
        passport = open_file(issue_fighter(fighter_id=hans.pk, user=bob)).passport
        hans.refresh_from_db()
        assert (
            passport.fighters[0].experience
            == hans.experience
            == sum(line.amount for line in passport.ledger)
        )
        assert passport.entries[first].text is None, "what concerns another alone stays a seal"
        assert all(passport.entries[place].text for place in (first - 1, -1))
        assert broken_entry(passport) is None and first_difference(passport) == ""
    assert hans.experience == 0
    whole = open_file(issue_warband(warband_id=warband.pk, user=bob)).passport
    assert broken_entry(whole) is None and first_difference(whole) == ""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda body: change_fact(body, 1, "landsknechts", "paupers"),
            "Entry 1 is not valid: its seal",
        ),
        (lambda body: change_fact(body, 2, "Hans", "Hanz"), "Entry 2 is not valid: its seal"),
        (lambda body: body["entries"].pop(2), "Entry 3 is not valid: it does not follow"),
        (
            lambda body: body["entries"].insert(1, body["entries"][0]),
            "Entry 2 is not valid: it does not follow",
        ),
        (lambda body: body["entries"].pop(), "its signature does not"),
        (sealed_anew, "its signature does not"),
        (lambda body: body["battles"][0].update(outcome="lost"), "its signature does not"),
        (
            lambda body: body["warband"].update(id=str(uuid4())),
            "Entry 1 is not valid: it was sealed for a different",
        ),
        (lambda body: body["entries"].clear(), "Entry 1 is not valid: the history is empty"),
        (lambda body: body["entries"][0].pop("text"), "its signature does not"),
    ],
)
def test_a_forged_passport_is_refused_with_the_first_entry_that_does_not_hold(
    abroad: Abroad, bob: User, trusting: Club, change: Any, message: str
):
    error = refused(lambda: receive_passport(content=forged(abroad.warband, change), user=bob))
    assert error.code == "passport-forged" and message in error.sentence
    assert not ReceivedPassport.objects.exists()


def test_another_key_or_signature_is_found_out(abroad: Abroad, bob: User, trusting: Club):
    other = Ed25519PrivateKey.generate()
    for outside in (
        {"key": other.public_key().public_bytes_raw().hex()},
        {"signature": other.sign(b"anything").hex()},
        {"signature": ""},
    ):
        forgery = forged(abroad.warband, lambda body: None, **outside)
        assert (
            refused(partial(receive_passport, content=forgery, user=bob)).code == "passport-forged"
        )
    unknown = receive_passport(content=signed_by(other, abroad.warband, sealed_anew), user=bob)
    error = refused(lambda: take_on(passport_id=unknown.pk, user=bob))
    assert error.code == "unknown-signer" and unknown.fingerprint in error.sentence.replace(" ", "")


def test_passport_values_must_follow_from_chain(abroad: Abroad, bob: User, trusting: Club):
    liar = Ed25519PrivateKey.generate()
    TrustedKey.objects.create(
        fingerprint=open_file(signed_by(liar, abroad.warband)).key.fingerprint,
        public=liar.public_key().public_bytes_raw().hex(),
        name="Liars",
    )
    for change, where in (
        (lambda body: body["battles"][0].update(outcome="lost"), "battles, line 1"),
        (lambda body: body["ledger"].pop(), "experience ledger"),
        (lambda body: body["fighters"][1].update(rank=9), "fighters, line 2"),
        (lambda body: body["warband"].update(name="The Immortals"), "name or rules"),
    ):
        received = receive_passport(content=signed_by(liar, abroad.warband, change), user=bob)
        error = refused(partial(take_on, passport_id=received.pk, user=bob))
        assert error.code == "passport-differs" and where in error.sentence
    assert not Warband.objects.exists()


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "not-a-passport"),
        (b"PK\x03\x04", "not-a-passport"),
        (b"\xff\xfe", "not-a-passport"),
        (b"[]", "not-a-passport"),
        (b"[" * 100_000, "not-a-passport"),
        (b'{"passport": "", "key": "", "signature": "", "more": 1}', "not-a-passport"),
        (b'{"passport": "!", "key": "", "signature": ""}', "not-a-passport"),
        (b'{"passport": NaN, "key": "", "signature": ""}', "not-a-passport"),
        (b'{"passport": "", "passport": "", "key": "", "signature": ""}', "not-a-passport"),
        (b" " * (MAX_BYTES + 1), "passport-too-large"),
    ],
)
def test_other_files_are_rejected_as_passports(content: bytes, code: str):
    assert refused(lambda: open_file(content)).code == code


def test_the_body_is_read_as_strictly_as_the_file(abroad: Abroad):
    def with_body(text: str) -> bytes:
        return json.dumps(
            {**json.loads(abroad.warband), "passport": base64.b64encode(text.encode()).decode()}
        ).encode()

    text = json.dumps(body_of(abroad.warband))
    for old, new, code in (
        ('"version": 1', '"version": 2', "newer-passport"),
        ('"version": 1', '"version": 0', "not-a-passport"),
        ('"version": 1', '"version": 1e400', "not-a-passport"),
        ('"version": 1', '"version": ' + "9" * 6000, "not-a-passport"),
        ('"version": 1', '"version": 1, "version": 1', "not-a-passport"),
        ('"version": 1', '"version": 1, "beside": 1', "not-a-passport"),
        ('"muster-passport"', '"muster-archive"', "not-a-passport"),
        ('"subject": "warband"', '"subject": "fighter"', "not-a-passport"),
        ('"The Old Mill"', '"\\u0000"', "not-a-passport"),
        ('"The Old Mill"', '"\\ud800"', "not-a-passport"),
        ('"The Old Mill"', "NaN", "not-a-passport"),
    ):
        assert old in text
        assert refused(partial(open_file, with_body(text.replace(old, new)))).code == code, new[:20]


def test_imported_warband_keeps_history_and_plays(
    abroad: Abroad, alice: User, bob: User, trusting: Club
):
    received = receive_passport(content=abroad.warband, user=bob)
    assert refused(lambda: take_on(passport_id=received.pk, user=alice)).code == "unknown-passport"
    warband = take_on(passport_id=received.pk, user=bob)
    assert (
        warband.pk == abroad.warband_id
        and warband.owner == bob
        and warband.name == "Der schwarze Haufen"
    )
    passport = open_file(abroad.warband).passport
    entries = list(ChronicleEntry.objects.filter(warband=warband).order_by("sequence"))
    assert [entry.seal for entry in entries[:-1]] == [entry.seal for entry in passport.entries]
    assert (
        entries[-1].kind == "withdrawn"
        and warband.state["campaign"] is None
        and warband.state["won"] == 0
    )
    veteran = Fighter.objects.get(pk=abroad.fighter_id)
    assert veteran.battles == 1 and veteran.experience == next(
        fighter.experience for fighter in passport.fighters if fighter.name == "Hans"
    )
    call_command("check_chronicle", stdout=StringIO())
    opponents = world.guards(alice)
    campaign = world.campaign_of(trusting, alice, warband, opponents, name="The Next Winter")
    world.confirmed_battle(bob, alice, campaign, warband, opponents)
    veteran.refresh_from_db()
    assert veteran.battles == 2
    call_command("check_chronicle", stdout=StringIO())
    pages = [
        f"/campaigns/{campaign.pk}/{tab}"
        for tab in ("", "log/", "warbands/", "honours/", "standings/")
    ]
    pages += [
        f"/warbands/{warband.pk}/",
        f"/warbands/{warband.pk}/chronicle/",
        f"/fighters/{veteran.pk}/?why=rank",
    ]
    client = browser_of(bob)
    assert {page: client.get(page).status_code for page in pages} == dict.fromkeys(pages, 200)
    assert browser_of(alice).get(f"/passports/{received.pk}/").status_code == 200, (
        "who organises can look at it now"
    )
    printed = career_content(Fighter.objects.select_related("warband").get(pk=veteran.pk))
    assert [chapter.title for chapter in printed.chapters][:1] == ["The Old Mill"] and len(
        printed.chapters
    ) == 2
    assert roster_content(Warband.objects.get(pk=warband.pk)).title == "Der schwarze Haufen"
    again = issue_warband(warband_id=warband.pk, user=bob)
    onward = open_file(again).passport
    assert [(each.until, each.key) for each in onward.stations] == [
        (len(passport.entries), abroad.key.fingerprint)
    ]
    assert [battle.campaign for battle in onward.battles] == ["The Long Summer", "The Next Winter"]
    assert first_difference(onward) == "" and broken_entry(onward) is None
    twice = receive_passport(content=abroad.warband, user=alice)
    with pytest.raises(StateConflict, match="already on this site"):
        take_on(passport_id=twice.pk, user=alice)


def test_import_of_passport_reports_reason(
    abroad: Abroad, alice: User, bob: User, charlie: User, trusting: Club
):
    fighter = receive_passport(content=abroad.fighter, user=bob)
    assert (
        refused(lambda: take_on(passport_id=fighter.pk, user=bob)).code == "passport-of-a-fighter"
    )
    outside = receive_passport(content=abroad.warband, user=charlie)
    assert refused(lambda: take_on(passport_id=outside.pk, user=charlie)).code == "unknown-signer"
    TrustedKey.objects.update(withdrawn_at="2026-01-01T00:00Z")
    mine = receive_passport(content=abroad.warband, user=bob)
    assert refused(lambda: take_on(passport_id=mine.pk, user=bob)).code == "unknown-signer"
    TrustedKey.objects.update(withdrawn_at=None)
    Fighter.objects.create(
        id=abroad.fighter_id,
        warband=world.guards(alice),
        name="X",
        profile_name="X",
        rank=0,
        points=0,
        fate="fit",
    )
    assert refused(lambda: take_on(passport_id=mine.pk, user=bob)).code == "fighter-here"


def test_who_owns_it_or_organises_gets_a_passport_and_nobody_else(
    alice: User, bob: User, charlie: User, dora: User
):
    club = world.club_of(alice, players=[bob], spectators=[dora])
    warband = world.landsknechts(bob)
    world.campaign_of(club, alice, warband, running=False)
    for user in (alice, bob):
        assert (
            open_file(issue_warband(warband_id=warband.pk, user=user)).passport.issued_by
            == user.username
        )
    with pytest.raises(Forbidden):
        issue_warband(warband_id=warband.pk, user=dora)
    with pytest.raises(NotFound):
        issue_warband(warband_id=warband.pk, user=charlie)
    with pytest.raises(NotFound):
        issue_warband(warband_id=uuid4(), user=bob)
