"""Every column of every table either travels or stays for a reason: a new one cannot be forgotten."""

from typing import Any

import jsonschema
import pytest
from django.apps import apps
from django.db import models

from exchange.tables import STAYS, TABLES, ExportTable, schema_of

ROOMS = ("audit", "warbands", "campaigns", "battles", "pictures")
MODELS: list[Any] = [model for room in ROOMS for model in apps.get_app_config(room).get_models()]
NAMED = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_table_travels_or_stays_for_a_reason(model: type[models.Model]) -> None:
    travels = [table for table in TABLES if table.model is model]
    assert len(travels) == (0 if model in STAYS else 1)
    assert STAYS.get(model, "a reason")


@NAMED
def test_every_column_travels_or_is_left_out_for_a_reason(table: ExportTable) -> None:
    columns = {field.name for field in table.model._meta.get_fields() if getattr(field, "concrete", False)}
    assert {*table.columns, *table.told} | table.left_out.keys() == columns
    assert len(table.sent) + len(table.left_out) == len(columns)
    assert all(table.left_out.values())
    assert {*table.secret, *table.shapes, *filter(None, [table.within])} <= {*table.sent}


@NAMED
def test_whatever_a_row_names_is_written_before_it(table: ExportTable) -> None:
    before = [other.name for other in TABLES[: TABLES.index(table) + 1]]
    assert set(table.links.values()) <= set(before)
    assert not table.within or table.links[table.within] in before


@NAMED
def test_every_table_has_a_schema_that_says_what_its_columns_hold(table: ExportTable) -> None:
    schema = schema_of(table.name)
    jsonschema.Draft202012Validator.check_schema(schema)
    (row,) = [each for each in schema["$defs"].values() if set(each["properties"]) == set(table.sent)]
    assert row["additionalProperties"] is False
    assert row["required"] == [column for column in table.sent if column not in table.added]
