"""Somebody has changed an archive, with or without a key of his own to sign it with: each change is
found and named."""

import zipfile
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from io import BytesIO
from typing import Any

import pytest
from django.contrib.auth.models import User

from battles.models import Battle
from core.errors import InvalidInput
from exchange.archive_structs import MANIFEST, PEOPLE, SIGNATURE
from exchange.services import read_archive
from tests.exchange.archives import (
    Files,
    changed,
    files_in,
    preview_of,
    rows_in,
    signed_anew,
    with_rows,
    written_and_gone,
    zipped,
)
from tests.exchange.worlds import RandomClub
from tests.pictures import samples
from warbands.models import Warband

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
Rows = list[dict[str, Any]]
Change = Callable[[Rows], Any]
NO_ID, LAST_ID = "55555555-5555-5555-5555-555555555555", "ffffffff-ffff-ffff-ffff-ffffffffffff"


def a_club() -> tuple[str, Any, User]:
    """Return a club with a corrected battle, a submitted one, a picture and a club night."""
    source = RandomClub(".there")
    happened = [("confirm", 1), ("correct", 0), ("picture", 0), ("meet", 1), ("submit", 2)]
    source.happen(happened, all_of_it=True)
    return "club", source.club, source.alice


@cache
def written() -> bytes:
    return written_and_gone(a_club)


@pytest.fixture
def archive(db: None) -> bytes:
    """Return the archive of a club that is not here.

    It is cached, and needs nothing of its world.
    """
    return written()


def told(archive: bytes, user: User) -> str:
    """Return why the archive is refused, as code and sentence. Check that nothing was stored."""
    try:
        preview = preview_of(archive, user)
    except InvalidInput as refused:
        sentence = f"{refused.code}: {refused.sentence}"
    else:
        sentence = "; ".join(f"{each.code}: {each.sentence}" for each in preview.refused)
    assert (
        not Warband.objects.exists() and not Battle.objects.exists() and User.objects.count() == 1
    )
    return sentence


def first(**columns: Any) -> Change:
    """Return a change of columns in the first row."""
    return lambda rows: rows[0].update(columns)


def of(criteria: dict[str, Any], **columns: Any) -> Change:
    """Return a change of columns in the first row that has these values."""
    return lambda rows: next(row for row in rows if criteria.items() <= row.items()).update(columns)


def other_fact(rows: Rows) -> None:
    fought = next(row for row in rows if row["kind"] == "fought")
    fought["payload"]["victory_points"] = 99


def cut(rows: Rows) -> None:
    """Remove the last entry of the chronicle of a warband that has fought."""
    last = max(
        (row for row in rows if row["kind"] in ("fought", "corrected")),
        key=lambda row: row["sequence"],
    )
    rows.remove(last)


def other_event(rows: Rows) -> None:
    next(row for row in rows if row["kind"] == "wound")["data"]["result"] = "dead"


def deep() -> dict[str, Any]:
    """Return JSON that is nested deeper than any stored value."""
    value: dict[str, Any] = {}
    for _ in range(40):
        value = {"a": value}
    return value


CHANGES: dict[str, tuple[str, Change, str]] = {
    "a fact": ("chronicle", other_fact, "is not valid: its seal does not fit"),
    "a seal": ("chronicle", first(seal="0" * 64), "Entry 1 is not valid: its seal does not fit"),
    "when": ("chronicle", first(recorded_at="2020-01-01T00:00:00Z"), "chronicle, row 1, column recorded_at"),
    "by whom": ("chronicle", first(recorded_as="1.000000 7"), "Entry 1 is not valid"),
    "what an entry is called": ("chronicle", first(kind="fought"), "chronicle, row 1, column kind"),
    "the end of a chain": ("chronicle", cut, "column"),
    "the head": ("warbands", first(head_seal="a" * 64), "warbands, row 1, column head_seal"),
    "experience": ("warbands", first(experience=4000), "warbands, row 1, column experience: It is "
                                                       "4000"),
    "a fighter": ("fighters", first(rank=9), "fighters, row 1, column rank: It is 9"),
    "a fighter too many": ("fighters", lambda rows: rows.append({**rows[-1], "id": LAST_ID}), "missing from the history"),
    "a fighter too few": ("fighters", lambda rows: rows.pop(), "Fighters of the histories are missing"),
    "an event": ("events", other_event, "battle-broken"),
    "an event too few": ("events", lambda rows: rows.pop(), "its log has too few"),
    "a result": ("battles", of({"state": "confirmed"}, result={"sides": []}), "battle-broken"),
    "a submitted result": ("battles", of({"state": "submitted"}, result={}), "its result does not match its log"),
    "a seed": ("battles", of({"state": "confirmed"}, dice_seed="b" * 64), "seal of its log"),
    "an outcome": ("sides", of({"outcome": "won"}, outcome="lost"), "outcome of side"),
    "points": ("sides", first(victory_points=77, outcome="won"), "battle-broken"),
    "a colour": ("enrolments", first(colour="red;x"), "enrolments, row 1, column colour"),
    "a column": ("clubs", first(owner="me"), "clubs, row 1, column owner"),
    "a type": ("memberships", first(role="king"), "memberships, row 1, column role"),
    "NUL": ("clubs", first(story="a\0b"), "clubs, row 1, column story"),
    "somebody": ("memberships", first(user=NO_ID), "does not say who this is"),
    "another club": ("evenings", first(club=NO_ID), "evenings, row 1, column club"),
    "a time before all times": ("evenings", first(starts_at="0001-01-01T00:00:00+14:00"), "row 1, column starts_at"),
    "an end before its beginning": ("evenings", first(ends_at="2020-01-01T00:00:00Z"), "rows-contradict"),
    "rules": ("campaigns", first(ruleset="chess"), "chess"),
    "house rules": ("campaigns", first(house_rules={"x": 1}), "unknown-rules"),
    "the order of rows": ("fighters", lambda rows: rows.reverse(), "not sorted by their keys"),
    "a row twice": ("clubs", lambda rows: rows.append(rows[0]), "clubs, row 2, column id"),
    "depth": ("battles", lambda rows: rows[0].update(set_up=deep()), "column set_up"),
}  # fmt: skip


def test_whatever_a_forger_with_a_key_changes_is_found_and_named(
    archive: bytes, charlie: User
) -> None:
    assert told(archive, charlie) == ""
    refusals = {
        name: told(changed(archive, table, change), charlie)
        for name, (table, change, _) in CHANGES.items()
    }
    assert {
        name: sentence for name, sentence in refusals.items() if CHANGES[name][2] not in sentence
    } == {}


def test_what_took_the_field_is_sealed_with_the_log(archive: bytes, charlie: User) -> None:
    files = files_in(archive)
    settled = {row["id"] for row in rows_in(files, "battles") if row["state"] == "confirmed"}
    side = next(row["id"] for row in rows_in(files, "sides") if row["battle"] in settled)
    assert "seal of its log" in told(
        changed(archive, "combatants", of({"side": side}, name="Nobody")), charlie
    )


def test_dispute_cannot_name_side_of_another_battle(charlie: User) -> None:
    def disputed() -> tuple[str, Any, User]:
        source = RandomClub(".there")
        source.happen([("confirm", 1), ("submit", 2), ("dispute", 0)], all_of_it=True)
        return "club", source.club, source.alice

    archive = written_and_gone(disputed)
    (dispute,) = rows_in(files_in(archive), "disputes")
    other = next(
        row["id"]
        for row in rows_in(files_in(archive), "sides")
        if row["battle"] != dispute["battle"]
    )
    assert told(archive, charlie) == ""
    assert "disputes, column side" in told(changed(archive, "disputes", first(side=other)), charlie)


def test_campaign_cannot_follow_campaign_of_another_club(charlie: User) -> None:
    def two_seasons() -> tuple[str, Any, User]:
        source = RandomClub(".there")
        source.happen([("season", 1)], all_of_it=True)
        return "club", source.club, source.alice

    archive = written_and_gone(two_seasons)
    assert told(archive, charlie) == ""
    files = files_in(archive)
    (club,), campaigns = rows_in(files, "clubs"), rows_in(files, "campaigns")
    before = next(row["follows"] for row in campaigns if row["follows"])
    next(row for row in campaigns if row["id"] == before)["club"] = LAST_ID
    forged = signed_anew(
        with_rows(files, clubs=[club, {**club, "id": LAST_ID}], campaigns=campaigns)
    )
    assert "campaigns, column follows" in told(forged, charlie)


def test_cut_chain_lacks_battle(archive: bytes, charlie: User) -> None:
    """The forger has made chronicle, fighters and head fit: what he cannot do is to make the battle
    forget."""
    files = files_in(archive)
    rows = rows_in(files, "chronicle")
    warband = next(row["warband"] for row in rows if row["kind"] == "fought")
    last = max((row for row in rows if row["warband"] == warband), key=lambda row: row["sequence"])
    rows.remove(last)
    files = with_rows(files, chronicle=rows)
    for _ in range(40):
        sentence = told(signed_anew(files), charlie)
        if "column" not in sentence or "It is " not in sentence:
            break
        files = _made_to_fit(files, sentence, last)
    assert "battle-broken" in sentence


def _made_to_fit(files: Files, sentence: str, last: dict[str, Any]) -> Files:
    """Change the refused value to the one that the refusal names, as a patient forger would."""
    head, _, proper = sentence.partition(", but should be ")
    table, row, column = head.removeprefix("bad-row: ").partition(": ")[0].split(", ")
    rows = rows_in(files, table)
    target, name = rows[int(row.removeprefix("row ")) - 1], column.removeprefix("column ")
    text = proper.removesuffix(".")
    target[name] = (
        int(text) if text.lstrip("-").isdigit() else eval(text) if text[0] in "{[" else text
    )
    return with_rows(files, **{table: rows})


def test_whatever_is_changed_without_a_key_is_found_and_named(
    archive: bytes, charlie: User
) -> None:
    files = files_in(archive)
    picture = next(name for name in files if name.startswith("pictures/"))
    signature = files[SIGNATURE].replace(b'"signature":"', b'"signature":"0')
    manifest = files[MANIFEST].replace(b"Swords", b"Spoons")
    lacking, unsigned = (
        {each: files[each] for each in files if each != name} for name in (picture, SIGNATURE)
    )
    cases: dict[str, Files] = {
        "data/clubs.jsonl: The file does not match": {
            **files,
            "data/clubs.jsonl": files["data/clubs.jsonl"] + b" ",
        },
        "csv/clubs.csv: The file does not match": {**files, "csv/clubs.csv": b"x"},
        f"{picture}: The file does not match": {**files, picture: samples.phone_photo()},
        "archive-forged: people.json": {**files, PEOPLE: b"[{}]"},
        "archive-forged: manifest.sig": {**files, MANIFEST: manifest},
        "archive-forged: manifest.sig: The signature": {**files, SIGNATURE: signature},
        f"{picture}: This file is missing": lacking,
        "not-an-archive: manifest.sig": unsigned,
        "archive-broken: ../../etc/passwd": {**files, "../../etc/passwd": b"x"},
        "A Muster archive has no file with this name": {**files, "pictures/run.exe": b"x"},
    }
    assert [why for why, forged in cases.items() if why not in told(zipped(forged), charlie)] == []
    assert told(b"PK nothing", charlie).startswith("not-an-archive")
    assert told(archive[: len(archive) // 2], charlie).startswith("not-an-archive")
    newer = signed_anew(files, version=99, muster="9.9")
    assert told(newer, charlie).startswith("newer-archive: The archive is from Muster 9.9")
    assert told(signed_anew(files, kind="pack"), charlie).startswith(
        "archive-broken: manifest.json"
    )
    assert "does not end where the manifest says" in told(signed_anew(files, heads=[]), charlie)
    assert "its log does not end where the manifest says" in told(
        signed_anew(files, battles=[]), charlie
    )


def test_a_picture_is_one_and_nothing_else(archive: bytes, charlie: User) -> None:
    files = files_in(archive)
    (row,) = rows_in(files, "pictures")
    large = files[row["large"]]
    cases: tuple[tuple[bytes, dict[str, Any], str], ...] = (
        (b"MZ" * 99, {}, "cannot be read as a picture"),
        (samples.phone_photo(), {}, "more than a picture"),
        (large + b"<script>", {}, "more than a picture"),
        (large, {"large_width": 5}, "width or height does not match"),
        (large, {"subject": NO_ID}, "does not contain the subject"),
    )
    for content, columns, why in cases:
        fresh = {**row, "digest": sha256(content).hexdigest(), **columns}
        sentence = told(
            signed_anew(with_rows({**files, row["large"]: content}, pictures=[fresh])), charlie
        )
        assert "pictures, row 1, column " in sentence and why in sentence
    assert "its hash differs" in told(
        signed_anew({**files, row["large"]: files[row["small"]]}), charlie
    )


def test_a_zip_that_bursts_is_not_unpacked(
    archive: bytes, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = files_in(archive)
    burst = zipped({**files, "csv/clubs.csv": b"\0" * 40_000_000})
    assert told(burst, charlie).startswith("archive-too-large")
    file = BytesIO()
    with pytest.warns(UserWarning), zipfile.ZipFile(file, "w") as opened:
        for name, body in [*files.items(), (PEOPLE, b"[]")]:
            opened.writestr(name, body)
    assert "twice" in told(file.getvalue(), charlie)
    monkeypatch.setattr(read_archive, "MAX_MEMBERS", 5)
    assert told(archive, charlie).startswith("archive-too-large")


def test_a_later_version_brings_older_rows_up_to_date(
    archive: bytes, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The way that an archive of today will go once there is a second version of the format."""

    def upgraded(table: str, row: dict[str, Any]) -> dict[str, Any]:
        return {**row, "story": row["story"] + "!"} if table == "clubs" else row

    monkeypatch.setattr(read_archive, "VERSION", 2)
    monkeypatch.setattr(read_archive, "UPGRADES", {1: upgraded})
    assert preview_of(archive, charlie).importable
