"""The pages on which a spreadsheet becomes a roster: a look first, wrong cells in their places, one
button."""

import re

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.conftest import browser_of
from tests.pages.conftest import Clients
from tests.pages.world import landsknechts
from warbands.models import RosterDraft, Warband

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]

CELLS = "Name;Profile;Attributes;Posts\nGötz;Oberst;Fast|Tough;Leader\nHans;Doppelsöldner;;\n;Landsknecht;;\n"
NEW = {"name": "Der helle Haufen", "faction": "en-garde/landsknechts"}


def value_of(html: str, name: str) -> str:
    match = re.search(rf'name="{name}" value="([^"]*)"', html)
    assert match is not None, name
    return match[1]


def test_a_warband_comes_from_a_file_after_a_look_at_it_and_without_javascript(
    browsers: Clients,
) -> None:
    address = "/warbands/from-spreadsheet/"
    assert "/rulesets/en-garde/landsknechts.csv" in browsers.bob.get(address).content.decode()
    file = SimpleUploadedFile("roster.csv", CELLS.encode("cp1252"), "text/csv")
    looked = browsers.bob.post(address, {**NEW, "file": file, "make": "1"})
    html = looked.content.decode()
    assert looked.status_code == 200 and not Warband.objects.exists(), (
        "nobody has seen what is in the file"
    )
    assert "Windows-1252" in html and "Landsknecht 1" in html and "Import to roster" not in html
    assert "Götz;Oberst;Fast|Tough;Leader" in html, "the cells are there to be changed"
    sent = {**NEW, "cells": CELLS, "client_id": value_of(html, "client_id"), "make": "1"}
    made = [browsers.bob.post(address, sent) for _ in range(2)]
    warband = Warband.objects.get()
    assert [each.headers["Location"] for each in made] == [f"/warbands/{warband.pk}/"] * 2
    assert (warband.name, warband.fighter_count) == ("Der helle Haufen", 3)
    assert (
        f"/warbands/{warband.pk}/spreadsheet/"
        in browsers.bob.get(f"/warbands/{warband.pk}/").content.decode()
    )
    for wrong in (
        {**NEW},
        {**NEW, "cells": CELLS, "faction": "en-garde/martians"},
        {**NEW, "cells": "x" * 300_000},
    ):
        assert browsers.bob.post(address, wrong).status_code == 400
    large = SimpleUploadedFile("roster.csv", b"x" * 300_000)
    assert "256 kB" in browsers.bob.post(address, {**NEW, "file": large}).content.decode()
    assert Warband.objects.count() == 1


def test_wrong_cells_are_listed_and_marked(browsers: Clients, bob: User) -> None:
    warband = landsknechts(bob)
    address = f"/warbands/{warband.pk}/spreadsheet/"
    sent = {"cells": CELLS.replace("Tough", "Tuogh").replace("Posts", "Pots"), "how": "add"}
    for button in ("look", "make"):
        answer = browsers.bob.post(address, {**sent, button: "1"})
        html = answer.content.decode()
        assert answer.status_code == 400 and 'name="make"' not in html
        assert re.search(r'<a href="#cell-C2"><b>C2</b></a>', html) and 'id="cell-C2"' in html
        assert "Did you mean “Tough”?" in html and "Did you mean “Posts”?" in html
        assert "<option\n        selected>Posts</option>" in html, "it is probably that column"
        assert html.count('class="wrong-why"') == 2
    assert warband.fighters.count() == 4 and not RosterDraft.objects.exists()


def test_unknown_columns_are_mapped_or_ignored(browsers: Clients, bob: User) -> None:
    address = "/warbands/from-spreadsheet/"
    cells = "Who;Type;Points;Skills\nGötz;Oberst;40;Fast|Tough\nHans;Landsknecht;12;\n"
    answer = browsers.bob.post(address, {**NEW, "cells": cells})
    html = answer.content.decode()
    assert answer.status_code == 400 and "Unknown columns" in html
    mapping = answer.context["mapping"]
    assert [(each.heading, each.suggestion) for each in mapping.unknown] == [
        ("Who", ""),
        ("Points", ""),
        ("Skills", ""),
    ], "the cells of the second column are profiles"
    chosen = {"column.0": "Name", "column.2": "", "column.3": "Attributes"}
    looked = browsers.bob.post(address, {**NEW, "cells": cells, **chosen, "look": "1"})
    html = looked.content.decode()
    assert looked.status_code == 200 and 'name="make"' in html
    rewritten = html.partition('<textarea name="cells"')[2].partition("</textarea>")[0]
    assert "Name;Type;Attributes" in rewritten and "Oberst;40" not in rewritten
    sent = {**NEW, "cells": "Name;Type;Attributes\nGötz;Oberst;Fast|Tough\n", "make": "1"}
    assert browsers.bob.post(address, sent).status_code == 302


@pytest.mark.parametrize("key", ["column.", "column.x", "column.-1", "column.99999999", "column.²"])
def test_odd_column_of_mapping_is_ignored(browsers: Clients, key: str) -> None:
    sent = {**NEW, "cells": CELLS, key: "Name"}
    assert browsers.bob.post("/warbands/from-spreadsheet/", sent).status_code == 200


def test_import_adds_or_replaces_and_refuses_stale_roster(browsers: Clients, bob: User) -> None:
    warband = landsknechts(bob)
    address = f"/warbands/{warband.pk}/spreadsheet/"
    kept = browsers.bob.get(f"/warbands/{warband.pk}/roster.csv").content.decode()
    looked = browsers.bob.post(
        address, {"cells": kept.replace("Kunz", "Utz"), "how": "in-place"}
    ).content.decode()
    assert "Utz" in looked and "Kunz" not in looked.partition("<table")[2].partition("<details")[0]
    seen = {name: value_of(looked, name) for name in ("client_id", "version", "sequence")}
    browsers.bob.post(f"/warbands/{warband.pk}/build/", {"add": "landsknechts/landsknecht"})
    sent = {"cells": kept.replace("Kunz", "Utz"), "how": "in-place", "make": "1", **seen}
    late = browsers.bob.post(address, sent)
    assert late.status_code == 409 and "Check the current version below" in late.content.decode()
    again = {
        name: value_of(late.content.decode(), name) for name in ("client_id", "version", "sequence")
    }
    assert browsers.bob.post(address, {**sent, **again}).status_code == 302
    assert [row.name for row in warband.fighters.order_by("place")] == [
        "Hans",
        "Jörg",
        "Veit",
        "Utz",
    ]
    same = browsers.bob.post(address, {"cells": browsers.bob.get(f"/warbands/{warband.pk}/roster.csv").content.decode(),
                                       "how": "in-place"}).content.decode()  # fmt: skip
    assert "No changes to import" in same and 'name="make"' not in same


def test_whole_roster_changed_after_its_preview_is_shown_again(
    browsers: Clients, bob: User
) -> None:
    warband = landsknechts(bob)
    address = f"/warbands/{warband.pk}/spreadsheet/"
    kept = browsers.bob.get(f"/warbands/{warband.pk}/roster.csv").content.decode()
    looked = browsers.bob.post(
        address, {"cells": kept.replace("Kunz", "Utz"), "how": "in-place"}
    ).content.decode()
    seen = {name: value_of(looked, name) for name in ("client_id", "version", "sequence", "seen")}
    changed = browsers.bob.post(
        address, {"cells": kept.replace("Veit", "Till"), "how": "in-place", "make": "1", **seen}
    ).content.decode()
    assert "Till" in changed and 'name="make"' in changed
    added = browsers.bob.post(address, {"cells": kept, "how": "add"}).content.decode()
    seen = {name: value_of(added, name) for name in ("client_id", "version", "sequence", "seen")}
    browsers.bob.post(
        address, {"cells": "Name,Profile\nTill,Oberst", "how": "in-place", "make": "1", **seen}
    )
    assert [row.name for row in warband.fighters.order_by("place")] == [
        "Hans",
        "Jörg",
        "Veit",
        "Kunz",
    ]
    sent = kept.replace("Kunz", "Utz").replace("\r\n", "\n").replace("\n", "\r\n")
    seen = {name: value_of(looked, name) for name in ("client_id", "version", "sequence", "seen")}
    assert (
        browsers.bob.post(
            address, {"cells": sent, "how": "in-place", "make": "1", **seen}
        ).status_code
        == 302
    )
    assert [row.name for row in warband.fighters.order_by("place")] == [
        "Hans",
        "Jörg",
        "Veit",
        "Utz",
    ]


def test_who_may_see_fetches_and_who_may_change_brings(browsers: Clients, bob: User) -> None:
    warband = landsknechts(bob)
    page, file = f"/warbands/{warband.pk}/spreadsheet/", f"/warbands/{warband.pk}/roster.csv"
    assert [browsers.charlie.get(each).status_code for each in (page, file)] == [404, 404]
    Warband.objects.update(visibility="public")
    assert [browsers.charlie.get(each).status_code for each in (page, file)] == [403, 200]
    assert file in browsers.charlie.get(f"/warbands/{warband.pk}/").content.decode()
    Warband.objects.filter(pk=warband.pk).update(state={**warband.state, "won": 1})
    locked = browsers.bob.get(page).content.decode()
    assert "This warband is in a campaign" in locked and 'name="cells"' not in locked
    refused = browsers.bob.post(page, {"cells": CELLS, "how": "add", "make": "1"})
    assert (
        refused.status_code == 400 and "This warband is in a campaign" in refused.content.decode()
    )


def test_a_german_fetches_german_headings_and_brings_them_back_in_either_language(
    bob: User,
) -> None:
    client: Client = browser_of(bob)
    client.cookies["django_language"] = "de"
    template = client.get("/rulesets/en-garde/landsknechts.csv").content.decode()
    assert (
        template.startswith("\ufeffName;Profil;")
        and "Aufgaben" in template
        and "eins davon" in template
    )
    cells = CELLS.replace("Profile", "Profil").replace("Posts", "Aufgaben")
    html = client.post("/warbands/from-spreadsheet/", {**NEW, "cells": cells}).content.decode()
    english = browser_of(bob).post(
        "/warbands/from-spreadsheet/",
        {
            **NEW,
            "cells": cells.replace("Attributes", "Warband: A banner").replace("Fast|Tough", "ja"),
        },
    )
    assert english.status_code == 200
    assert "Vorschau" in html and "Landsknecht 1" in html
    wrong = client.post(
        "/warbands/from-spreadsheet/", {**NEW, "cells": cells.replace("Tough", "Tuogh")}
    )
    assert "Meintest du" in wrong.content.decode()
    assert client.get("/rulesets/en-garde/martians.csv").status_code == 404
