"""The tables of an archive. They have the columns of the models.

The fields of a model define the rows that are written, the rows that are read and checked on
import, the JSON schema, and the CSV. A table declares only what its model does not say: keys,
derived columns, secrets and the shapes of JSON. ``exchange/registry.py`` lists what is left out,
with the reasons. docs/archives.md describes the format to outsiders.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from enum import Enum
from functools import cache
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from django.contrib.auth.models import User
from django.core.validators import BaseValidator
from django.db import models
from msgspec import NODEFAULT, Meta, Struct

from audit.models import AuditEntry
from audit.verbs import Verb
from battles.models import Battle, BattleEvent, Combatant, Dispute, Revision, Side
from campaigns.models import (
    Campaign,
    Enrolment,
    Fixture,
    HandOver,
    JournalEntry,
    Round,
    SealedOrder,
)
from clubs.models import Attendance, Club, Evening, Membership
from exchange.registry import exported_fields, left_out_columns
from pictures.models import Picture
from warbands.models import ChronicleEntry, Fighter, Warband

OBJECT = dict[str, Any]
TEXTS = list[str]
HASH = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
"""64 hex digits."""
FINGERPRINT = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
"""The fingerprint of a key: 32 hex digits."""
HASHES = {"seal", "previous_seal", "head_seal", "log_seal", "dice_seed", "commitment", "digest"}
"""Columns that hold only hashes (``HASH``)."""
COLOUR = Annotated[str, Meta(pattern="^#[0-9a-fA-F]{6}$")]


class Figure(Struct, frozen=True, forbid_unknown_fields=True):
    """A figure of a force as it took the field."""

    key: str
    label: str
    value: int | str


class NoTypeError(TypeError):
    """Raised for a column whose type neither follows from its field nor is declared."""


class ExportTable(Struct, frozen=True, kw_only=True):
    """A table of the archive.

    ``derived`` columns follow from others: they are written for readers, and an import requires
    them to equal what it computes. All other columns are stored as they are. ``first`` columns
    come before the others, which are in the order of the model. ``within`` is the column that
    names the parent row; a row is new only if its parent is new. ``secret`` columns are null as
    long as their values are secret. ``shapes`` gives the types of columns whose fields do not
    define them. ``files`` are columns that name a file in the archive. ``ids`` are columns that
    hold the id of a row of a table without being foreign keys. ``filled`` columns are never null
    in an archive, whatever the database allows. Rows with ``outlive`` can exist here although
    their parent row does not. ``added`` columns are not required by the schemas of this version,
    as its first archives lack them.
    """

    name: str
    model: type[models.Model]
    key: tuple[str, ...] = ("id",)
    derived: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    secret: tuple[str, ...] = ()
    within: str = ""
    outlive: bool = False
    ids: Mapping[str, str] = {}
    filled: tuple[str, ...] = ()
    shapes: Mapping[str, Any] = {}
    files: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    later: bool = False
    """True if archives of earlier Muster versions lack the table."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are stored as they are in the archive."""
        return _columns_of(self.name)

    @property
    def sent(self) -> tuple[str, ...]:
        """All columns of a row in the archive."""
        return (*self.columns, *self.derived)

    @property
    def left_out(self) -> Mapping[str, str]:
        """The columns that are left out of archives, with the reasons."""
        return left_out_columns(self.model, "archive")

    @property
    def people(self) -> tuple[str, ...]:
        """The columns that name a person with an account, by a reference of ``people.json``."""
        return tuple(name for name in self.columns if self.field(name).related_model is User)

    @property
    def links(self) -> Mapping[str, str]:
        """The columns that refer to a row of a table, with the table's name.

        ``UNTIED`` ones are not in it.
        """
        return _links_of(self.name)

    def field(self, name: str) -> Any:
        """Return the model's field of a column."""
        return self.model._meta.get_field(name)

    def attribute(self, name: str) -> str:
        """Return the model's attribute for a column, such as ``warband_id`` for ``warband``."""
        return str(self.field(name).attname)

    def attributes(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values to store for a row, by attribute of the model."""
        return {self.attribute(column): row[column] for column in self.columns}


UNTIED = {("combatants", "fighter")}
"""Links whose target may not exist: a battle keeps fighters removed from their rosters."""

TABLES: Sequence[ExportTable] = (
    ExportTable(name="clubs", model=Club),
    ExportTable(name="memberships", model=Membership, within="club"),
    ExportTable(name="evenings", model=Evening, within="club"),
    ExportTable(name="attendances", model=Attendance, within="evening", key=("evening", "member")),
    ExportTable(
        name="campaigns",
        model=Campaign,
        added=("reopened_at",),
        secret=("dice_seed",),
        shapes={"scenarios": TEXTS, "lots": list[OBJECT]},
    ),
    ExportTable(
        name="warbands",
        model=Warband,
        derived=(
            "name",
            "edition",
            "points",
            "fighter_count",
            "experience",
            "sequence",
            "head_seal",
        ),
    ),
    ExportTable(
        name="chronicle",
        model=ChronicleEntry,
        within="warband",
        key=("warband", "sequence"),
        derived=("kind", "subject", "recorded_at", "previous_seal"),
        shapes={"payload": OBJECT},
    ),
    ExportTable(
        name="fighters",
        model=Fighter,
        within="warband",
        derived=(
            "name",
            "profile_name",
            "rank",
            "points",
            "experience",
            "fate",
            "battles",
            "place",
            "condition",
        ),
    ),
    ExportTable(name="enrolments", model=Enrolment, within="campaign", shapes={"colour": COLOUR}),
    ExportTable(name="hand-overs", model=HandOver, within="warband", later=True),
    ExportTable(name="orders", model=SealedOrder, within="enrolment"),
    ExportTable(name="rounds", model=Round, within="campaign", shapes={"order": TEXTS}),
    ExportTable(
        name="fixtures",
        model=Fixture,
        within="round",
        shapes={"given_up_by": TEXTS},
        added=("given_up_by", "agreed", "postponed"),
    ),
    ExportTable(name="journal", model=JournalEntry, within="campaign"),
    ExportTable(
        name="battles",
        model=Battle,
        secret=("dice_seed", "log_seal"),
        added=("place_in_day",),
        shapes={"result": OBJECT},
    ),
    ExportTable(
        name="sides",
        model=Side,
        within="battle",
        first=("id", "battle", "key", "place", "warband", "substitute"),
        added=("substitute",),
        shapes={"plan": TEXTS, "figures": list[Figure]},
    ),
    ExportTable(
        name="combatants",
        model=Combatant,
        within="side",
        key=("side", "place", "fighter"),
        shapes={"build": OBJECT, "posts": TEXTS},
    ),
    ExportTable(
        name="events",
        model=BattleEvent,
        within="battle",
        key=("battle", "sequence"),
        shapes={"asked": OBJECT, "dice": list[int]},
    ),
    ExportTable(
        name="revisions",
        model=Revision,
        within="battle",
        key=("battle", "number"),
        shapes={"result_before": OBJECT, "difference": OBJECT},
    ),
    ExportTable(name="disputes", model=Dispute, within="battle", later=True),
    ExportTable(name="pictures", model=Picture, files=("large", "small")),
    ExportTable(
        name="audit",
        model=AuditEntry,
        within="club",
        outlive=True,
        key=("club", "at", "origin", "number"),
        first=("club", "at", "origin", "number"),
        ids={"club": "clubs"},
        filled=("club", "origin", "number"),
        shapes={
            "origin": FINGERPRINT,
            "verb": Literal[tuple(Verb.values)],
            "subject_kind": Annotated[str, Meta(pattern="^[a-z]{1,20}$")],
        },
        later=True,
    ),
)
"""All tables in the order in which rows are written.

A row refers only to rows of tables before it, or of its own table.
"""


@cache
def table_of(model: type[models.Model]) -> str:
    """Return the name of the table that holds a model's rows in an archive.

    Raises NoTypeError for none.
    """
    names = [table.name for table in TABLES if table.model is model]
    if not names:
        raise NoTypeError(
            f"No archive holds rows of {model._meta.label}, so a column that names them has to be "
            "left out with a "
            "reason in COLUMNS of exchange/registry.py."
        )
    return names[0]


def find_table(name: str) -> ExportTable:
    """Return the table of this name. Raises StopIteration if there is none."""
    return next(table for table in TABLES if table.name == name)


@cache
def _columns_of(name: str) -> tuple[str, ...]:
    """Return the columns of a table that are not ``derived``, in their order."""
    table = find_table(name)
    names = [field.name for field in exported_fields(table.model, "archive")]
    return (*table.first, *(name for name in names if name not in (*table.first, *table.derived)))


@cache
def _links_of(name: str) -> Mapping[str, str]:
    table = find_table(name)
    fields = [table.field(column) for column in table.columns if (name, column) not in UNTIED]
    links = {
        field.name: field.related_model
        for field in fields
        if field.related_model not in (None, User)
    }
    return {**{column: table_of(model) for column, model in links.items()}, **table.ids}


@cache
def row_type(name: str) -> type[Struct]:
    """Return the type of a table's rows as they are read.

    Columns without a default are required, and unknown columns are not allowed.
    """
    table = find_table(name)
    return _struct(table, {column: default_of(table, column) for column in table.sent})


def schema_of(name: str) -> dict[str, Any]:
    """Return the JSON schema (2020-12) of a table's rows as they are written."""
    table = find_table(name)
    schema = msgspec.json.schema(
        _struct(table, {column: default_of(table, column) for column in table.added})
    )
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A row of {name} in a Muster archive",
        "x-key": list(table.key),
        "x-people": list(table.people),
        "x-links": dict(table.links),
        "x-told": list(table.derived),
        "x-left-out": dict(table.left_out),
    }
    return {**head, **schema}


def _struct(table: ExportTable, defaults: Mapping[str, Any]) -> type[Struct]:
    fields: list[Any] = []
    for column in table.sent:
        default = defaults.get(column, NODEFAULT)
        optional = () if default is NODEFAULT else (default,)
        fields.append((column, column_type(table, column), *optional))
    return msgspec.defstruct(
        table.name, fields, forbid_unknown_fields=True, frozen=True, kw_only=True
    )


def default_of(table: ExportTable, name: str) -> Any:
    """Return the model's value for a column that an archive lacks; NODEFAULT if it is required.

    A callable default, such as a time or a seed, is not used: it would not be the value of an
    older row.
    """
    field = table.field(name)
    if name in (*table.key, *table.derived, *table.secret, *table.filled):
        return NODEFAULT
    if field.default in (dict, list) or (field.has_default() and not callable(field.default)):
        default = field.get_default()
        return default.value if isinstance(default, Enum) else default
    if field.null:
        return None
    text = isinstance(field, models.CharField | models.TextField)
    return "" if text and field.blank and not field.has_default() else NODEFAULT


@cache
def validated_columns(name: str) -> tuple[str, ...]:
    """Return the columns whose fields have validators beyond their types' bounds, e.g. URLs.

    An import runs these validators, so that an archive cannot bring a value that a form of the
    model would reject.
    """
    table = find_table(name)
    return tuple(
        column
        for column in table.columns
        if any(
            not isinstance(validator, BaseValidator) for validator in table.field(column).validators
        )
    )


def column_type(table: ExportTable, name: str) -> Any:
    """Return the type of a column's values in JSON, with None where the column may be empty.

    Raises NoTypeError.
    """
    kind = _type(table, name, table.field(name))
    empty = name in table.secret or (table.field(name).null and name not in table.filled)
    return kind | None if empty else kind


def _type(table: ExportTable, name: str, field: Any) -> Any:
    if name in table.shapes:
        return table.shapes[name]
    if name in HASHES:
        return HASH
    if field.related_model is not None:
        return UUID
    if field.choices:
        return Literal[tuple(value for value, _ in field.choices)]
    if isinstance(field, models.IntegerField) and not isinstance(field, models.BigIntegerField):
        return _bounded(field)
    if isinstance(field, models.JSONField) and field.default in (dict, list):
        return OBJECT if field.default is dict else list[Any]
    simple = {
        models.UUIDField: UUID,
        models.BooleanField: bool,
        models.BigIntegerField: Annotated[int, Meta(ge=0, le=2**63 - 1)],
        models.FloatField: float,
        models.DateTimeField: Annotated[datetime, Meta(tz=True)],
        models.DateField: date,
        models.TextField: Annotated[str, Meta(max_length=200_000)],
    }
    python_type = next((kind for column, kind in simple.items() if isinstance(field, column)), None)
    if python_type is not None:
        return python_type
    # An EmailField is a CharField too. Its addresses must not be exported by default.
    text = isinstance(field, models.CharField) and not isinstance(field, models.EmailField)
    if not text and name not in table.files:
        raise NoTypeError(
            f"{table.name}.{name}: no type follows from {type(field).__name__}. Declare one in "
            "ExportTable.shapes, or leave "
            "the column out with a reason in COLUMNS of exchange/registry.py."
        )
    least = 1 if name == "name" and not field.blank else 0
    return Annotated[str, Meta(min_length=least, max_length=field.max_length)]


def _bounded(field: Any) -> Any:
    """Return the type of an integer that every database can store in this field."""
    small = isinstance(field, models.PositiveSmallIntegerField | models.SmallIntegerField)
    most = 2**15 - 1 if small else 2**31 - 1
    positive = isinstance(field, models.PositiveIntegerField | models.PositiveSmallIntegerField)
    return Annotated[int, Meta(ge=0 if positive else -most, le=most)]
