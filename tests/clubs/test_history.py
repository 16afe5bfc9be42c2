"""Old seasons from a spreadsheet: read, previewed, imported, counted, and undone."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubs.models import Club, HistoryImport, Membership, PastFact
from clubs.services.history import import_history, preview_history
from core.csv_files import UnreadableSpreadsheet
from tests.conftest import api_of, browser_of
from tests.core.test_workbooks import ods, xlsx
from tests.pages import world

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

SHEET = """\
Kind;Season;Date;Player;Warband;Score;Opponent;Opponent’s warband;Opponent’s score;Result;Fighter;Note
Result;2018;3.11.2018;alice;The Guards;12;Gaston;The Band;8;;;
;2018;2018-11-10;Gaston;The Band;7;bob;The Riders;7;;;a close one
;2019;;bob;;;alice;;;lost;;
Champion;2018;;alice;The Guards;;;;;;;
Death;2018;;Gaston;The Band;;;;;;Hans;Fell at the ford
Member;;;Erna;;;;;;;;
"""


@pytest.fixture
def club(alice: User, bob: User) -> Club:
    return world.club_of(alice, players=[bob])


def records(club: Club, user: User) -> dict[str, tuple[int, ...]]:
    home = api_of(user).get(f"/api/v1/clubs/{club.pk}/home/").json()
    return {
        row["name"]: (row["won"], row["drawn"], row["lost"], row["imported"])
        for row in home["records"]["members"]
    }


def errors_of(club: Club, user: User, text: str) -> list[tuple[str, str]]:
    with pytest.raises(UnreadableSpreadsheet) as refused:
        preview_history(club_id=club.pk, user=user, content=text)
    assert not PastFact.objects.exists()
    return [(each.cell, each.code) for each in refused.value.cells]


def test_facts_of_every_kind_are_imported(club: Club, alice: User) -> None:
    import_history(club_id=club.pk, user=alice, content=SHEET)
    facts = list(PastFact.objects.order_by("row"))
    assert [(fact.row, fact.kind, fact.season) for fact in facts] == [
        (2, "result", "2018"),
        (3, "result", "2018"),
        (4, "result", "2019"),
        (5, "champion", "2018"),
        (6, "death", "2018"),
        (7, "member", ""),
    ]
    assert [fact.outcome for fact in facts] == ["won", "drew", "lost", "", "", ""]
    assert [str(fact.day) for fact in facts[:2]] == ["2018-11-03", "2018-11-10"]
    mine = Membership.objects.get(user=alice)
    assert facts[0].member == mine and facts[0].opponent_member is None
    assert facts[2].opponent_member == mine
    assert (facts[4].fighter, facts[4].note) == ("Hans", "Fell at the ford")


@pytest.mark.parametrize("write", [xlsx, ods])
def test_workbooks_are_imported_as_well(club: Club, alice: User, write: Any) -> None:
    rows = [line.split(";") for line in SHEET.splitlines()]
    made = import_history(club_id=club.pk, user=alice, content=write(rows))
    assert made.number == 6
    assert PastFact.objects.get(row=2).score == 12


@pytest.mark.parametrize(
    ("line", "cell", "code"),
    [
        ("2018,alice,,1,2,", "C2", "required"),
        (",alice,bob,1,2,", "A2", "required"),
        ("2018,alice,alice,1,2,", "C2", "same-player"),
        ("2018,alice,bob,one,2,", "D2", "not-a-number"),
        ("2018,alice,bob,1,,", "F2", "no-result"),
        ("2018,alice,bob,1,2,maybe", "F2", "unknown-result"),
        (f"2018,{'x' * 81},bob,1,2,", "B2", "too-long"),
        ("#REF!,alice,bob,1,2,", "A2", "formula-error"),
        ("2018,#N/A,bob,1,2,", "B2", "formula-error"),
        ("2018,alice,bob,#DIV/0!,2,", "D2", "not-a-number"),
    ],
)
def test_wrong_cell_is_named(club: Club, alice: User, line: str, cell: str, code: str) -> None:
    text = f"Season,Player,Opponent,Score 1,Score 2,Result\n{line}"
    assert errors_of(club, alice, text) == [(cell, code)]


def test_all_wrong_cells_are_named_at_once(club: Club, alice: User) -> None:
    text = "Kind,Season,Date,Player,Opponent,Result\nparty,2018,31.2.2018,a,b,won\n,,,c,d,won"
    assert errors_of(club, alice, text) == [
        ("A2", "unknown-kind"),
        ("C2", "not-a-date"),
        ("B3", "required"),
    ]


def test_row_of_an_unknown_kind_gets_no_errors_that_follow_from_it(club: Club, alice: User) -> None:
    assert errors_of(club, alice, "Kind,Season,Player\nChampoin,2018,alice") == [
        ("A2", "unknown-kind")
    ]


def test_row_that_begins_with_a_hash_is_imported(club: Club, alice: User) -> None:
    numbered = "#;Season;Player;Opponent;Result\n#1;#3;alice;bob;won\n2;#4;alice;bob;lost"
    import_history(club_id=club.pk, user=alice, content=numbered)
    assert [(fact.row, fact.season) for fact in PastFact.objects.order_by("row")] == [
        (2, "#3"),
        (3, "#4"),
    ]


def test_missing_column_is_named(club: Club, alice: User) -> None:
    assert errors_of(club, alice, "Season,Opponent\n2018,bob") == [("A1", "no-heading")]


def test_foreign_columns_are_mapped_or_ignored(club: Club, alice: User) -> None:
    text = "Jahr,Wer,Gegner,Wertung,Punkte,Spielerr\n2018,alice,bob,12:8,300,x"
    sheet = preview_history(
        club_id=club.pk, user=alice, content=text, columns={"Jahr": "season", 1: "player"}
    )
    [fact] = sheet.facts
    assert (fact.season, fact.player, fact.opponent) == ("2018", "alice", "bob")
    assert (fact.score, fact.opponent_score, fact.outcome) == (12, 8, "won")
    assert {each.heading: each.chosen for each in sheet.foreign} == {
        "Jahr": "season",
        "Wer": "player",
        "Punkte": "",
        "Spielerr": "",
    }


def test_column_mapped_twice_is_refused(club: Club, alice: User) -> None:
    with pytest.raises(UnreadableSpreadsheet) as refused:
        preview_history(
            club_id=club.pk,
            user=alice,
            content="A,B,Player\n1,2,alice",
            columns={"A": "season", "B": "season"},
        )
    assert [(each.cell, each.code) for each in refused.value.cells] == [("B1", "heading-twice")]


def test_records_count_imported_results_by_a_switch(club: Club, alice: User, bob: User) -> None:
    import_history(club_id=club.pk, user=alice, content=SHEET)
    assert records(club, bob) == {
        "alice": (2, 0, 0, 2),
        "bob": (0, 1, 1, 2),
        "Gaston": (0, 1, 1, 2),
    }
    batch = HistoryImport.objects.get()
    switch = f"/api/v1/history-imports/{batch.pk}/"
    assert api_of(bob).patch(switch, {"counted": False}).status_code == 403
    assert api_of(alice).patch(switch, {"counted": False}).json()["counted"] is False
    assert records(club, bob) == {}
    later = import_history(club_id=club.pk, user=alice, content=SHEET)
    assert not later.counted


def test_undo_removes_all_facts_of_one_import(club: Club, alice: User, bob: User) -> None:
    first, second = (import_history(club_id=club.pk, user=alice, content=SHEET) for _ in range(2))
    address = f"/api/v1/history-imports/{second.pk}/"
    assert api_of(bob).delete(address).status_code == 403
    assert api_of(alice).delete(address).status_code == 204
    assert api_of(alice).delete(address).json()["code"] == "unknown-history-import"
    assert set(PastFact.objects.values_list("batch", flat=True)) == {first.pk}
    log = api_of(alice).get(f"/api/v1/clubs/{club.pk}/audit/").json()["results"]
    verbs = [row["verb"] for row in log[:3]]
    assert verbs == ["club.history-undone", "club.history-imported", "club.history-imported"]


def test_api_previews_and_imports(club: Club, alice: User, bob: User, charlie: User) -> None:
    address = f"/api/v1/clubs/{club.pk}/history-imports/"
    sent = {"csv": SHEET, "dry_run": True}
    preview = api_of(alice).post(address, sent).json()
    assert (preview["results"], preview["champions"], preview["deaths"]) == (3, 1, 1)
    assert preview["strangers"] == ["Erna", "Gaston"]
    assert not PastFact.objects.exists()
    assert api_of(bob).post(address, sent).status_code == 403
    assert api_of(charlie).post(address, sent).status_code == 404
    assert api_of(alice).post(address, {"csv": SHEET}).status_code == 201
    rows = api_of(bob).get(f"/api/v1/clubs/{club.pk}/history/?kind=death").json()["results"]
    assert [row["fighter"] for row in rows] == ["Hans"]
    answer = api_of(alice).post(address, {"csv": "Season,Player\n2018,alice"})
    [line] = answer.json()["errors"]
    assert (answer.json()["code"], line["cell"], line["code"]) == ("wrong-cells", "A2", "required")


def test_preview_counts_rows_that_are_imported_already(club: Club, alice: User) -> None:
    import_history(club_id=club.pk, user=alice, content=SHEET)
    other = world.club_of(alice)
    more = f"{SHEET};2020;;bob;;3;alice;;1;;;\n"
    assert preview_history(club_id=club.pk, user=alice, content=more).repeated == 6
    assert preview_history(club_id=other.pk, user=alice, content=more).repeated == 0
    address = f"/api/v1/clubs/{club.pk}/history-imports/"
    sent = {"csv": more, "dry_run": True}
    assert api_of(alice).post(address, sent).json()["repeated"] == 6
    page = reverse("clubs:import-history", args=[club.pk])
    shown = browser_of(alice).post(page, {"cells": more, "look": "1"}).content.decode()
    assert "6 rows are imported already. They would count twice." in shown


def test_api_names_a_column_that_does_not_exist(club: Club, alice: User) -> None:
    sent = {"csv": SHEET, "columns": {"Played": "date", "Cost": ""}}
    answer = api_of(alice).post(f"/api/v1/clubs/{club.pk}/history-imports/", sent)
    [line] = answer.json()["errors"]
    assert (answer.status_code, line["field"]) == (400, "/columns/Played")
    assert "“date”" in line["detail"] and "season, day, player" in line["detail"]
    assert not PastFact.objects.exists()


def test_pages_preview_import_mark_and_undo(club: Club, alice: User, bob: User) -> None:
    browser, page = browser_of(alice), reverse("clubs:import-history", args=[club.pk])
    file = SimpleUploadedFile("old.csv", SHEET.replace("Note", "Bemerkungen!").encode())
    shown = browser.post(page, {"file": file, "make": "1"})
    assert shown.status_code == 200 and not PastFact.objects.exists()
    text = shown.context["form"]["cells"].value()
    body = shown.content.decode()
    assert "Bemerkungen!" in body and "2 names are no member" in body
    made = browser.post(page, {"cells": text, "column.11": "note", "make": "1"})
    history = reverse("clubs:history", args=[club.pk])
    assert made.status_code == 302 and made["Location"] == history
    assert PastFact.objects.get(row=6).note == "Fell at the ford"
    as_bob = browser_of(bob)
    body = as_bob.get(history).content.decode()
    assert "imported" in body and "Erna" in body and "Undo import" not in body
    assert "Hans" in as_bob.get(f"{history}?season=2018").content.decode()
    assert "imported" in as_bob.get(reverse("home:seasons", args=[club.pk])).content.decode()
    assert "2 imported" in " ".join(
        as_bob.get(reverse("home:club", args=[club.pk])).content.decode().split()
    )
    undo = reverse("clubs:undo-history", args=[HistoryImport.objects.get().pk])
    assert as_bob.post(undo).status_code == 403
    assert browser.get(undo).status_code == 200
    assert browser.post(undo).status_code == 302
    assert not PastFact.objects.exists()
    assert "2 imported" not in as_bob.get(reverse("home:club", args=[club.pk])).content.decode()


def test_unreadable_file_is_an_error_of_the_file(club: Club, alice: User) -> None:
    browser, page = browser_of(alice), reverse("clubs:import-history", args=[club.pk])
    photo = SimpleUploadedFile("old.csv", b"\xd0\xcf\x11\xe0 a workbook of 2003")
    form = browser.post(page, {"file": photo, "look": "1"}).context["form"]
    assert list(form.errors) == ["file"]
    # Cells that were read are shown in their own field, and so are the errors in them.
    wrong = SimpleUploadedFile("old.csv", b"Season,Player,Opponent\n2018,alice,bob\n")
    form = browser.post(page, {"file": wrong, "look": "1"}).context["form"]
    assert list(form.errors) == ["cells"]
    assert "2018,alice,bob" in form["cells"].value()


def test_pasted_cells_that_cannot_be_read_stay_on_the_page(club: Club, alice: User) -> None:
    page = reverse("clubs:import-history", args=[club.pk])
    pasted = 'Season,Player,Opponent\n2018,"alice,bob\n'
    form = browser_of(alice).post(page, {"cells": pasted, "look": "1"}).context["form"]
    assert list(form.errors) == ["cells"]
    assert form["cells"].value() == pasted


def test_ten_seasons_of_500_results_take_a_few_queries(club: Club, alice: User) -> None:
    rows = ["Season,Date,Player,Warband,Score,Opponent,Score 2"]
    rows += [
        f"{2010 + number // 500},{1 + number % 28}.3.{2010 + number // 500},Player {number % 30},"
        f"Band {number % 30},{number % 17},Player {number % 30 + 1},{number % 13}"
        for number in range(5000)
    ]
    with CaptureQueriesContext(connection) as queries:
        made = import_history(club_id=club.pk, user=alice, content="\n".join(rows))
    assert made.number == 5000
    # SQLite takes a few hundred rows at a time.
    assert len(queries) < 200
    assert len(records(club, alice)) == 31
