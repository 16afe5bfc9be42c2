"""Every model and column is exported, or left out for a reason. Nobody can forget a new model."""

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import jsonschema
import msgspec
import pytest
from django.apps import apps
from django.db import models

from accounts.data_export.tables import OWN_DATA_TABLES
from exchange.archive_contents import TABLES as TITLES
from exchange.registry import APPS, COLUMNS, MODELS, Export, exported_fields, reason_left_out
from exchange.services.verify_import import BOTH
from exchange.tables import TABLES, ExportTable, column_type, default_of, schema_of
from tests.exchange.archive_form import FILE, Form, form_of_archives, what_older_archives_break_at

OF_INSTALLATION: list[Any] = [
    model for model in apps.get_models() if not model.__module__.startswith("tests.")
]
NAMED = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
SECRETS = {
    "password",
    "digest",
    "sealed",
    "secret",
    "token",
    "endpoint",
    "signature",
    "head_signature",
    "data",
}
HARMLESS = {("pictures.Picture", "digest"), ("battles.BattleEvent", "data")}
UNPROVED = {
    ("campaigns", "club"): "It is what the campaign belongs to.",
    ("hand-overs", "campaign"): "The seats are proved to be of its club.",
    ("battles", "campaign"): "It is what the battle belongs to.",
}
"""Links other than ``within`` that can lead to any row of the archive, and why."""


@pytest.mark.parametrize("model", OF_INSTALLATION, ids=lambda model: model._meta.label)
def test_every_model_is_exported_or_left_out_for_a_reason(model: type[models.Model]) -> None:
    exports: dict[Export, int] = {
        "archive": sum(table.model is model for table in TABLES),
        "own_data": sum(table.table is model for table in OWN_DATA_TABLES),
    }
    for export, number in exports.items():
        assert number == (0 if reason_left_out(model, export) else 1), (
            f"{model._meta.label}, {export}: name it in TABLES of exchange/tables.py (archive) and "
            "in OWN_DATA_TABLES of "
            "accounts/data_export/tables.py (own data), or say in MODELS of exchange/registry.py "
            "why it is left out"
        )


def test_every_table_has_a_name_for_people() -> None:
    assert {table.name for table in TABLES} - TITLES.keys() == set()


def test_nothing_is_left_out_that_is_not_there() -> None:
    fields = {
        model._meta.label: {field.name for field in model._meta.concrete_fields}
        for model in OF_INSTALLATION
    }
    assert {label for label in (*MODELS, *COLUMNS) if label not in fields} == set()
    assert {app for app in APPS if app not in apps.app_configs} == set()
    left_out = [
        (label, name, omission)
        for label, columns in COLUMNS.items()
        for name, omission in columns.items()
    ]
    assert [f"{label}.{name}" for label, name, _ in left_out if name not in fields[label]] == []
    omissions = [*MODELS.values(), *APPS.values(), *(omission for _, _, omission in left_out)]
    assert all(omission.archive or omission.own_data for omission in omissions)


@NAMED
def test_every_column_travels_with_a_type_or_is_left_out_for_a_reason(table: ExportTable) -> None:
    columns = {field.name for field in table.model._meta.concrete_fields}
    assert {*table.sent} | table.left_out.keys() == columns
    assert len(table.sent) + len(table.left_out) == len(columns)
    assert all(column_type(table, name) for name in table.sent)
    assert {
        *table.secret,
        *table.shapes,
        *table.files,
        *table.added,
        *filter(None, [table.within]),
    } <= {*table.sent}
    assert all(default_of(table, name) is not msgspec.NODEFAULT for name in table.added)


@pytest.mark.parametrize("table", OWN_DATA_TABLES, ids=lambda table: table.model)
def test_no_secret_is_in_own_data(table: Any) -> None:
    fields = exported_fields(table.table, "own_data")
    secrets = [
        field.name
        for field in fields
        if field.name in SECRETS or isinstance(field, models.BinaryField)
    ]
    assert [name for name in secrets if (table.model, name) not in HARMLESS] == []


@NAMED
def test_no_secret_is_in_an_archive(table: ExportTable) -> None:
    secrets = [name for name in table.sent if name in SECRETS]
    assert [name for name in secrets if (table.model._meta.label, name) not in HARMLESS] == []


@NAMED
def test_whatever_a_row_names_is_written_before_it(table: ExportTable) -> None:
    before = [other.name for other in TABLES[: TABLES.index(table) + 1]]
    assert set(table.links.values()) <= set(before)
    assert not table.within or table.links[table.within] in before


@NAMED
def test_an_import_proves_where_a_link_leads(table: ExportTable) -> None:
    """No key of the database holds that what a row names belongs to the same club, campaign, battle
    or warband."""
    proved = {(name, column) for name, column, _, _ in BOTH} | UNPROVED.keys()
    unproved = [
        name for name in table.links if name != table.within and (table.name, name) not in proved
    ]
    assert unproved == [], "add them to AROUND and BOTH in exchange/services/verify_import.py"


@NAMED
def test_every_table_has_a_schema_that_says_what_its_columns_hold(table: ExportTable) -> None:
    schema = schema_of(table.name)
    jsonschema.Draft202012Validator.check_schema(schema)
    (row,) = [
        each for each in schema["$defs"].values() if set(each["properties"]) == set(table.sent)
    ]
    assert row["additionalProperties"] is False
    assert row["required"] == [column for column in table.sent if column not in table.added]


RAISE = """The form of archives has changed so that older archives cannot be read as they are:
{reasons}
Raise VERSION in exchange/archive_structs.py, add to UPGRADES in exchange/services/read_archive.py what brings a row of
the last version up to date, and run `python -m tests.exchange.archive_form`."""


def test_archives_of_last_release_are_readable() -> None:
    pinned, current = json.loads(FILE.read_text(encoding="utf-8")), form_of_archives()
    reasons = what_older_archives_break_at(pinned, current)
    if reasons and pinned["version"] == current["version"]:
        pytest.fail(RAISE.format(reasons="\n".join(f"- {reason}" for reason in reasons)))


def broken_by(table: str, column: str, kind: str) -> list[str]:
    """Return why older archives cannot be read if a column has another type."""
    changed = form_of_archives()
    changed["tables"][table]["columns"][column] = kind
    return what_older_archives_break_at(form_of_archives(), changed)


def test_each_change_of_the_form_says_whether_it_needs_a_new_version() -> None:
    current = form_of_archives()
    cases: dict[str, Callable[[Form], Any]] = {
        "clubs.story is gone": lambda tables: tables["clubs"]["columns"].pop("story"),
        "clubs.motto is new, and has no default": lambda tables: tables["clubs"]["columns"].update(
            motto="required {}"
        ),
        "": lambda tables: tables["clubs"]["columns"].update(motto="optional {}"),
        "clubs.name was": lambda tables: tables["clubs"]["columns"].update(
            name='required {"type": "integer"}'
        ),
        "the key of sides": lambda tables: tables["sides"].update(key=["battle", "key"]),
        "table rounds is gone": lambda tables: tables.pop("rounds"),
        "dice is a new table": lambda tables: tables.update(
            dice={**tables["rounds"], "later": False}
        ),
    }
    for reason, change in cases.items():
        changed = deepcopy(current)
        change(changed["tables"])
        reasons = what_older_archives_break_at(current, changed)
        assert len(reasons) == bool(reason) and reason in "".join(reasons)
    assert (
        broken_by("clubs", "name", 'required {"maxLength": 200, "minLength": 1, "type": "string"}')
        == []
    )
    assert broken_by(
        "clubs", "name", 'required {"maxLength": 50, "minLength": 1, "type": "string"}'
    )
    assert (
        broken_by(
            "clubs", "visibility", 'optional {"enum": ["friends", "private", "public", "unlisted"]}'
        )
        == []
    )
    assert broken_by("clubs", "visibility", 'optional {"enum": ["private", "public"]}')
    assert broken_by("clubs", "story", 'required {"maxLength": 200000, "type": "string"}')
    assert broken_by("battles", "fixture", 'required {"format": "uuid", "type": "string"}')
    later = deepcopy(current)
    later["tables"]["dice"] = {**later["tables"]["rounds"], "later": True}
    assert what_older_archives_break_at(current, later) == []
