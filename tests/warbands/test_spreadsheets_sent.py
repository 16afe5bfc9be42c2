"""Spreadsheets sent to the API: previews write nothing, imports are made once and as a whole."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from tests.conftest import api_of
from tests.together import at_once
from tests.warbands.conftest import Enrol
from warbands.drafts.changes import Add
from warbands.models import ChronicleEntry, RosterDraft, Warband
from warbands.services.drafts import change_draft
from warbands.services.verification import prove

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

CSV = "Name,Profile,Posts\r\nMilo,Captain,Chief\r\n,Recruit,\r\n"
HALF_WRONG = CSV + "Jane,Recriut,\r\n"
NEW = {"ruleset": "toy", "faction": "reds", "name": "The New Reds", "csv": CSV}


def written() -> tuple[int, int, int]:
    return Warband.objects.count(), ChronicleEntry.objects.count(), RosterDraft.objects.count()


def test_a_script_looks_first_and_then_puts_a_spreadsheet_onto_a_roster(
    reds: Warband, bob: User
) -> None:
    base, before, client = f"/api/v1/warbands/{reds.pk}/spreadsheet/", written(), api_of(bob)
    look = client.post(f"{base}preview/", {"csv": CSV}).json()
    assert (look["rows"], look["joining"], look["struck"], look["roster"]["fighters"]) == (
        2,
        2,
        [],
        5,
    )
    assert look["roster"]["points"] > reds.points and look["separator"] == ","
    for address in (base, f"{base}preview/"):
        refused = client.post(address, {"csv": HALF_WRONG})
        body = refused.json()
        assert (refused.status_code, refused["Content-Type"], body["code"]) == (
            400,
            "application/problem+json",
            "wrong-cells",
        )
        (line,) = body["errors"]
        assert line == {
            "field": "/csv",
            "cell": "B4",
            "code": "unknown-profile",
            "detail": "Unknown value “Recriut”. Did you mean “Recruit”?",
            "value": "Recriut",
            "nearest": "Recruit",
        }
    assert written() == before, "nothing is written by a look, nor half of it by a try"
    sent = {
        "csv": CSV,
        "client_id": str(uuid4()),
        "version": look["roster"]["version"],
        "sequence": look["roster"]["sequence"],
    }
    assert [client.post(base, sent).status_code for _ in range(2)] == [200, 200]
    reds.refresh_from_db()
    assert reds.fighter_count == 5 and prove(reds) == []
    assert [each.name for each in reds.fighters.order_by("place")][3:] == ["Milo", "Recruit 1"]
    assert reds.state["posts"]["leader"] == [str(reds.fighters.get(name="Milo").pk)]
    for stale in ({"version": sent["version"]}, {"sequence": sent["sequence"]}):
        late = client.post(base, {"csv": CSV, **stale})
        assert late.status_code == 409
    kept = client.get(base, headers={"Accept": "text/csv"})
    assert (
        kept["Content-Type"] == "text/csv; charset=utf-8"
        and "The-Reds.csv" in kept["Content-Disposition"]
    )
    text = kept.content.decode()
    assert text.startswith("\ufeffName,Profile,") and "Milo,Captain" in text
    nothing = client.post(base, {"csv": text, "in_place": True})
    assert (nothing.status_code, nothing.json()["code"]) == (400, "nothing-to-record")
    whole = client.post(base, {"csv": text.replace("Milo", "Otto"), "in_place": True}).json()
    assert {each["name"] for each in whole["fighters"]} == {
        "Hector",
        "Jack",
        "Jill",
        "Otto",
        "Recruit 1",
    }


def test_import_saves_drafted_changes_too(reds: Warband, bob: User) -> None:
    base = f"/api/v1/warbands/{reds.pk}/spreadsheet/"
    change_draft(warband_id=reds.pk, user=bob, changes=[Add({"profile": "recruit"})])
    assert api_of(bob).post(f"{base}preview/", {"csv": CSV}).json()["drafted"] == 1
    api_of(bob).post(base, {"csv": CSV})
    reds.refresh_from_db()
    assert reds.fighter_count == 6


def test_new_warband_from_spreadsheet_is_created_once(bob: User) -> None:
    base, client, before = "/api/v1/warbands/from-spreadsheet/", api_of(bob), written()
    look = client.post(f"{base}preview/", NEW).json()
    assert (look["joining"], look["roster"]["fighters"]) == (2, 2)
    assert client.post(base, {**NEW, "csv": HALF_WRONG}).json()["code"] == "wrong-cells"
    assert client.post(base, {**NEW, "faction": "mauves"}).status_code == 400
    assert client.post(base, {**NEW, "ruleset": "chess"}).status_code == 400
    assert written() == before
    sent = {**NEW, "client_id": str(uuid4())}
    first, second = (client.post(base, sent) for _ in range(2))
    assert (first.status_code, first.json()["id"]) == (201, second.json()["id"])
    assert Warband.objects.filter(owner=bob).count() == 1
    assert client.post(f"{base}preview/", {**NEW, "scv": ""}).json()["errors"][0]["field"] == "/scv"


MORE = CSV + ",Recruit,\r\n"


@pytest.mark.parametrize("other", [{"csv": MORE}, {"in_place": True}])
def test_spreadsheet_refuses_client_id_of_another_request(
    reds: Warband, bob: User, other: dict[str, Any]
) -> None:
    base, client, key = f"/api/v1/warbands/{reds.pk}/spreadsheet/", api_of(bob), str(uuid4())
    sent = {"csv": CSV, "client_id": key}
    assert [
        client.post(base, each).status_code for each in (sent, {**sent, "in_place": False})
    ] == [200, 200]
    before = written()
    refused = client.post(base, {**sent, **other})
    assert (refused.status_code, refused.json()["code"]) == (409, "client-id-reused")
    draft = client.post(f"/api/v1/warbands/{reds.pk}/draft/record/", {"client_id": key})
    assert (draft.status_code, draft.json()["code"]) == (409, "client-id-reused")
    assert written() == before and client.post(base, sent).status_code == 200


@pytest.mark.parametrize(
    "other",
    [
        {"csv": MORE},
        {"name": "Others"},
        {"faction": "blues"},
        {"kept": True},
        {"visibility": "public"},
    ],
)
def test_new_warband_refuses_client_id_of_another_spreadsheet(
    bob: User, other: dict[str, Any]
) -> None:
    base, client, sent = (
        "/api/v1/warbands/from-spreadsheet/",
        api_of(bob),
        {**NEW, "client_id": str(uuid4())},
    )
    made = client.post(base, sent).json()["id"]
    before = written()
    refused = client.post(base, {**sent, **other})
    assert (refused.status_code, refused.json()["code"]) == (409, "client-id-reused")
    assert written() == before and client.post(base, sent).json()["id"] == made


def test_templates_are_fetched_by_rule_system_and_faction(bob: User) -> None:
    client = api_of(bob)
    response = client.get("/api/v1/rulesets/wards/spreadsheet/?faction=army")
    assert (
        response.content.decode().splitlines()[0].startswith("\ufeffName,What it is,Quality,Bases")
    )
    assert client.get("/api/v1/rulesets/wards/spreadsheet/?faction=navy").status_code in (200, 400)
    assert client.get("/api/v1/rulesets/chess/spreadsheet/?faction=army").status_code == 404
    refused = client.get(
        "/api/v1/rulesets/wards/spreadsheet/?fraction=army", headers={"Accept": "text/csv"}
    )
    assert (refused.status_code, refused["Content-Type"]) == (400, "application/problem+json")


def test_roster_in_play_exports_but_imports_nothing(reds: Warband, bob: User, enrol: Enrol) -> None:
    enrol(reds)
    base = f"/api/v1/warbands/{reds.pk}/spreadsheet/"
    for address in (base, f"{base}preview/"):
        refused = api_of(bob).post(address, {"csv": CSV})
        assert (refused.status_code, refused.json()["code"]) == (400, "roster-locked")
    assert "Hector" in api_of(bob).get(base).content.decode()


def test_strangers_find_nothing_and_readers_only_fetch(
    reds: Warband, charlie: User, dora: User, campaign: Any
) -> None:
    base = f"/api/v1/warbands/{reds.pk}/spreadsheet/"
    for address in (base, f"{base}preview/"):
        assert api_of(charlie).post(address, {"csv": CSV}).status_code == 404
        assert api_of(dora).post(address, {"csv": CSV}).status_code == 403
    assert [api_of(user).get(base).status_code for user in (charlie, dora)] == [404, 200]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_the_same_spreadsheet_sent_at_once_makes_one_warband_and_one_recruit_each(
    reds: Warband, bob: User
) -> None:
    new, more = {**NEW, "client_id": str(uuid4())}, {"csv": CSV, "client_id": str(uuid4())}
    made = at_once(*[lambda: api_of(bob).post("/api/v1/warbands/from-spreadsheet/", new)] * 4)
    assert {(each.status_code, each.json()["id"]) for each in made} == {(201, made[0].json()["id"])}
    put = at_once(*[lambda: api_of(bob).post(f"/api/v1/warbands/{reds.pk}/spreadsheet/", more)] * 4)
    assert {each.status_code for each in put} == {200}
    assert (Warband.objects.count(), reds.fighters.count()) == (2, 5)
