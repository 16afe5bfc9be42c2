"""Signed rows, so that nobody without the installation's key can change them unnoticed.

A signature covers the columns that a model names in ``signed``. It is stored in the row and written
in the same transaction as the columns: ``create_signed``, ``save_signed`` and ``update_signed`` do
both. If a row's signature was invalid before a change, it stays invalid: ``check_chronicle`` still
finds the row (docs/decisions/integrity.md).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any, ClassVar, TypeVar
from uuid import UUID

from django.apps import apps
from django.db import models, transaction
from msgspec import Struct

from core.signatures import canonical_bytes, canonical_moment, digest, sign, signing_key

ROWS = b"muster signed rows"
BATCH = 1000

Statement = dict[str, Any]
"""The signed content of a row: its columns by name, without empty ones."""


class Signed(models.Model):
    """A row with a signature over the columns in ``signed``."""

    signed: ClassVar[tuple[str, ...]]
    row_signature = models.CharField(max_length=64, default="", editable=False)
    """The signature of the columns in ``signed`` by the installation's key."""

    class Meta:
        abstract = True

    def described(self) -> str:
        """Return how ``check_chronicle`` describes this row, after the name of the table."""
        return str(self)


Row = TypeVar("Row", bound=Signed)


class StoredRow(Struct, frozen=True):
    """The signed content of a row as stored, its signature, and the key that made it, if any."""

    key: Any
    statement: Statement
    signature: str
    signer: bytes | None


def signed_models() -> list[type[Signed]]:
    """Return every model whose rows are signed, in the order of the apps."""
    return [model for model in apps.get_models() if issubclass(model, Signed)]


def sign_new(rows: Iterable[Row]) -> list[Row]:
    """Sign rows that are about to be inserted, and return them. Nothing is saved."""
    rows = list(rows)
    for row in rows:
        row.row_signature = sign(ROWS, _message(row, _statement(row, _values(row))))
    return rows


def create_signed(model: type[Row], **values: Any) -> Row:
    """Insert and return a signed row."""
    row = sign_new([model(**values)])[0]
    row.save(force_insert=True)
    return row


def remember_signed(row: Signed) -> None:
    """Remember the signed content of a row that was just read under its lock.

    ``save_signed`` then need not read it again.
    """
    row._stored = _stored_row(type(row), row.pk, row.row_signature, _values(row))  # type: ignore[attr-defined]


def sign_again(row: Signed, *fields: str) -> None:
    """Set the signature that a row has once these fields are saved. Nothing is saved.

    All other columns are signed as stored in the database: one query, unless the row is remembered.
    """
    model: Any = type(row)
    held: StoredRow | None = getattr(row, "_stored", None)
    [stored] = (
        [held] if held else _stored_rows(model._base_manager.select_for_update().filter(pk=row.pk))
    )
    changed = {
        name: getattr(row, model._meta.get_field(name).attname)
        for name in fields
        if name in model.signed
    }
    stored = _signed_again(model, stored, changed)
    if held:
        row._stored = stored  # type: ignore[attr-defined]
    row.row_signature = stored.signature


@transaction.atomic(savepoint=False)
def save_signed(row: Signed, *fields: str) -> None:
    """Save these fields of a row, and its signature if it covers one of them.

    One query more, unless the row is remembered.
    """
    if set(fields).isdisjoint(type(row).signed):
        row.save(update_fields=fields)
        return
    sign_again(row, *fields)
    row.save(update_fields=[*fields, "row_signature"])


@transaction.atomic(savepoint=False)
def update_signed(rows: "models.QuerySet[Any, Any]", **values: Any) -> int:
    """Update rows as ``QuerySet.update`` does and sign them again; return their number.

    At most three queries.
    """
    model = rows.model
    changed = {name: value for name, value in values.items() if name in model.signed}
    of_rows = (
        model._base_manager.select_for_update()
        .filter(pk__in=rows.order_by().values("pk"))
        .order_by("pk")
    )
    signed = [_signed_again(model, row, changed) for row in _stored_rows(of_rows)]
    if len(signed) == 1:
        values["row_signature"] = signed[0].signature
    number = (
        model._base_manager.filter(pk__in=[row.key for row in signed]).update(**values)
        if signed
        else 0
    )
    if number > 1:
        objects = [model(pk=row.key, row_signature=row.signature) for row in signed]
        model._base_manager.bulk_update(objects, ["row_signature"], BATCH)
    return int(number)


def set_null_signed(collector: Any, field: Any, rows: Any, using: str) -> None:
    """Sign rows again whose column is set to null.

    This is the ``on_delete`` of signed columns, in place of SET_NULL.
    """
    rows = list(rows)
    collector.add_field_update(field, None, rows)
    signature = field.model._meta.get_field("row_signature")
    # A row can lose several references in one deletion, so keep the state on the collector between
    # calls.
    held = collector.__dict__.setdefault("signed_rows", {})
    for row in rows:
        key = (field.model, row.pk)
        if key not in held:
            [held[key]] = _stored_rows(
                field.model._base_manager.select_for_update().filter(pk=row.pk)
            )
        held[key] = _signed_again(field.model, held[key], {field.name: None})
        collector.add_field_update(signature, held[key].signature, [row])


def unsigned_rows(
    model: type[Signed], keys: Sequence[Any]
) -> Iterator[tuple[Any, Exception | None]]:
    """Yield the key of each row with an invalid signature, and the error if it is unreadable."""
    rows = model._base_manager.order_by("pk")
    for start in range(0, len(keys), BATCH):
        batch = keys[start : start + BATCH]
        try:
            yield from [
                (row.key, None)
                for row in _stored_rows(rows.filter(pk__in=batch))
                if row.signer is None
            ]
        except Exception:  # one of these rows cannot be read: check each alone
            for key in batch:
                try:
                    yield from [
                        (key, None)
                        for row in _stored_rows(rows.filter(pk=key))
                        if row.signer is None
                    ]
                except Exception as error:  # one broken row must not hide the others
                    yield key, error


def sign_rows(*, trusting: bool) -> int:
    """Sign rows with the present key; return the number left unsigned.

    Only rows with a valid signature by some known key are signed again; ``trusting`` signs all.
    """
    lost = 0
    for model in signed_models():
        with transaction.atomic():
            lost += sign_rows_of(model, model.signed, trusting=trusting)
    return lost


def sign_rows_of(model: Any, signed: tuple[str, ...], *, trusting: bool) -> int:
    """Sign the rows of one model as ``sign_rows`` does.

    ``signed`` are the signed columns, which the models of migrations do not know.
    """
    lost, changed = 0, []
    for row in _stored_rows(model._base_manager.select_for_update().order_by("pk"), signed):
        if not trusting and row.signer is None:
            lost += 1
            continue
        signature = sign(ROWS, _message(model, row.statement))
        if signature != row.signature:
            changed.append(model(pk=row.key, row_signature=signature))
    model._base_manager.bulk_update(changed, ["row_signature"], BATCH)
    return lost


def _signed_again(model: type[Signed], row: StoredRow, changed: Mapping[str, Any]) -> StoredRow:
    """Return the row after a change. An invalid signature stays as it is."""
    statement = {name: value for name, value in row.statement.items() if name not in changed}
    statement |= _statement(model, changed)
    signature = row.signature if row.signer is None else sign(ROWS, _message(model, statement))
    return StoredRow(row.key, statement, signature, row.signer)


def _stored_rows(
    rows: "models.QuerySet[Any, Any]", signed: tuple[str, ...] | None = None
) -> list[StoredRow]:
    """Return the signed content of these rows, and whether their signatures hold. One query."""
    model = rows.model
    names = _covered(model, signed or model.signed)
    return [
        _stored_row(model, key, signature, dict(zip(names, values, strict=True)))
        for key, signature, *values in rows.values_list("pk", "row_signature", *names)
    ]


def _stored_row(model: Any, key: Any, signature: str, values: Mapping[str, Any]) -> StoredRow:
    statement = _statement(model, values)
    return StoredRow(
        key, statement, signature, signing_key(ROWS, _message(model, statement), signature)
    )


def _covered(model: Any, signed: tuple[str, ...]) -> tuple[str, ...]:
    """Return the signed columns, with the key if it is known before the row is inserted.

    The database assigns automatic numbers only on insertion.
    """
    key = model._meta.pk
    return (
        signed if isinstance(key, models.AutoField) else tuple(dict.fromkeys((key.name, *signed)))
    )


def _message(model: Any, statement: Statement) -> list[Any]:
    return [model._meta.label_lower, statement]


def _values(row: Signed) -> dict[str, Any]:
    model: Any = type(row)
    names = _covered(model, model.signed)
    return {name: getattr(row, model._meta.get_field(name).attname) for name in names}


def _statement(model: Any, values: Mapping[str, Any]) -> Statement:
    """Return the signed content of these values.

    Empty values are left out, so that signatures stay valid when a model gets a new column that is
    empty in older rows.
    """
    plain = {name: _plain(model._meta.get_field(name), value) for name, value in values.items()}
    return {name: value for name, value in plain.items() if value is not None}


def _plain(field: Any, value: Any) -> Any:
    """Return a value as it is signed, the same before writing and after reading; None if empty."""
    if isinstance(value, models.Model):
        value = value.pk
    if value is None or value is False or value in ("", [], {}, ()):
        return None
    if isinstance(field, models.JSONField):
        return canonical_bytes(value).decode()
    while field.remote_field:
        field = field.target_field
    value = field.to_python(value)
    if isinstance(value, datetime):
        return canonical_moment(value)
    if isinstance(value, bytes | memoryview):
        return digest(value)
    if isinstance(value, UUID | date | str):
        return str(value)
    return value
