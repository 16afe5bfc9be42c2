"""The format of archives: tables, columns and types.

``archive_form.json`` is the format of the last release. ``python -m tests.exchange.archive_form``
writes it again from the current models: run it before a release.
"""

import json
import os
from math import inf
from pathlib import Path
from typing import Any

import django
import msgspec

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
if __name__ == "__main__":
    django.setup()

from exchange.archive_structs import VERSION
from exchange.tables import TABLES, ExportTable, column_type, default_of

FILE = Path(__file__).with_suffix(".json")

Form = dict[str, Any]


def form_of_archives() -> Form:
    """Return the format of the current models: the version, and each table by its name."""
    return {"version": VERSION, "tables": {table.name: form_of(table) for table in TABLES}}


def form_of(table: ExportTable) -> Form:
    """Return the key of a table, and for each column its type and whether an archive may lack it."""
    columns = {name: form_of_column(table, name) for name in table.sent}
    return {"key": list(table.key), "later": table.later, "columns": columns}


def form_of_column(table: ExportTable, name: str) -> str:
    """Return the JSON schema of a column, after the word "optional" or "required"."""
    optional = default_of(table, name) is not msgspec.NODEFAULT
    schema = json.dumps(msgspec.json.schema(column_type(table, name)), sort_keys=True)
    return f"{'optional' if optional else 'required'} {schema}"


def what_older_archives_break_at(old: Form, new: Form) -> list[str]:
    """Return why the new format cannot read archives of the old one; nothing if it can."""
    reasons: list[str] = []
    for name, table in new["tables"].items():
        before = old["tables"].get(name)
        if before is None:
            reasons += [] if table["later"] else [f"{name} is a new table, and not marked as later"]
            continue
        reasons += [] if before["key"] == table["key"] else [f"the key of {name} is another one"]
        reasons += _broken_columns(name, before["columns"], table["columns"])
    gone = [
        f"table {name} is gone, or has another name"
        for name in old["tables"]
        if name not in new["tables"]
    ]
    return [*gone, *reasons]


def _broken_columns(table: str, old: dict[str, str], new: dict[str, str]) -> list[str]:
    reasons = [
        f"{table}.{column} is gone, or has another name" for column in old if column not in new
    ]
    for column, kind in new.items():
        before = old.get(column)
        if before is None:
            reasons += (
                [f"{table}.{column} is new, and has no default"]
                if kind.startswith("required")
                else []
            )
        elif not _takes_all(kind, before):
            reasons.append(f"{table}.{column} was {before} and is {kind}")
    return reasons


def _takes_all(new: str, old: str) -> bool:
    """Return whether a column accepts all values that it accepted before.

    It may be missing if it was optional before.
    """
    (need, _, schema), (old_need, _, old_schema) = new.partition(" "), old.partition(" ")
    return (need == "optional" or old_need == "required") and _is_wider(
        json.loads(schema), json.loads(old_schema)
    )


def _is_wider(new: Form, old: Form) -> bool:
    """Return whether a schema accepts at least what another one does.

    It may add choices, longer texts, or null.
    """
    if "anyOf" in new or "anyOf" in old:
        choices = new.get("anyOf", [new])
        return all(
            any(_is_wider(choice, before) for choice in choices)
            for before in old.get("anyOf", [old])
        )
    bounds = {"enum", "maxLength", "minLength", "maximum", "minimum"}
    same = {key: value for key, value in new.items() if key not in bounds}
    return (
        same == {key: value for key, value in old.items() if key not in bounds}
        and set(old.get("enum", ())) <= set(new.get("enum", ()))
        and all(new.get(key, inf) >= old.get(key, inf) for key in ("maxLength", "maximum"))
        and all(new.get(key, -inf) <= old.get(key, -inf) for key in ("minLength", "minimum"))
    )


def write() -> None:
    """Pin the format of the current models."""
    FILE.write_text(json.dumps(form_of_archives(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
