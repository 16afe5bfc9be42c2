"""One declaration per input: the struct of a service's input names its fields and their limits.

Labels, help texts, bounds and choices are in the types of the fields. ``core.api.inputs`` makes the
API's serializer from them, and ``core.input_forms`` the form of a page. ``parse`` reads what either
of them has accepted. Services call ``validate``, because they trust no caller
(docs/decisions/inputs.md).
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, time
from enum import Enum
from functools import cache
from typing import Any, Final, TypeVar
from uuid import UUID

import msgspec
from django.db.models import Model, URLField
from django.utils.translation import gettext
from msgspec import NODEFAULT, UNSET, Meta, Struct
from msgspec.inspect import (
    BoolType,
    DateTimeType,
    DateType,
    DictType,
    FloatType,
    IntType,
    Metadata,
    NoneType,
    StrType,
    StructType,
    TimeType,
    Type,
    UnionType,
    UUIDType,
    VarTupleType,
)
from msgspec.structs import replace

from core.cleaning import (
    LARGEST_NUMBER,
    clean_choice,
    clean_number,
    clean_text,
    clean_web_address,
    field_error,
)
from core.errors import InvalidInput
from rulebook.ruleset import Problem, RulesError

AnyInput = TypeVar("AnyInput", bound=Struct)
INFINITE: Final = 1_000_000
"""More characters than any text can have, for texts without a bound of their own: the size of a
request is bounded."""
SCALARS: Final[Mapping[type[Type], Any]] = {
    BoolType: bool,
    IntType: int,
    FloatType: float,
    StrType: str,
    UUIDType: UUID,
    DateType: date,
    DateTimeType: datetime,
    TimeType: time,
    DictType: dict[str, Any],
}


class Input(Struct, frozen=True, kw_only=True):
    """The base of inputs of services. Annotate the types of fields with ``field`` or ``column``."""


class Words(Struct, frozen=True, kw_only=True):
    """The parts of a field's declaration other than its type.

    ``api`` is the help in the API's schema, if it differs from the page's. Bounds are inclusive;
    those of a list or text count its entries or characters. ``line`` puts a text on one line,
    ``address`` accepts web addresses only. ``null`` is False if None only means an absent value,
    so that a request may not send null. ``default`` is whether the schema names the default.
    """

    label: Any = ""
    help: Any = ""
    api: Any = ""
    ge: int | None = None
    le: int | None = None
    min_length: int | None = None
    max_length: int | None = None
    line: bool = False
    address: bool = False
    null: bool = True
    default: bool = False


class Declared(Struct, frozen=True, kw_only=True):
    """A field of an input, or an item of its list.

    ``name`` is the field's name in Python and ``key`` its name in JSON. ``kind`` is the type
    without None and annotations. ``nullable`` is whether the value can be None in Python.
    """

    name: str
    key: str
    kind: Type
    words: Words
    required: bool
    nullable: bool = False
    default: Any = NODEFAULT

    @property
    def choices(self) -> type[Enum] | None:
        """The enum of the allowed values, or None if the field has no closed set of values."""
        # msgspec describes Django's enums as custom types.
        kind = getattr(self.kind, "cls", None)
        return kind if isinstance(kind, type) and issubclass(kind, Enum) else None

    @property
    def item(self) -> "Declared":
        """The items of the list, as if they were a required field."""
        assert isinstance(self.kind, VarTupleType)  # noqa: S101 - this tells the type checker
        return _declared(self.name, self.key, self.kind.item_type, required=True, default=NODEFAULT)


def field(label: Any = "", help: Any = "", **more: Any) -> Meta:
    """Return the words and bounds of a field.

    Example: ``legs: Annotated[int, field(_("Games"), ge=1, le=4)] = 1``. Annotate the whole type:
    ``Annotated[int | None, field(...)]``. ``more`` are further fields of ``Words``.
    """
    return Meta(extra={"words": Words(label=label, help=help, **more)})


def column(model: type[Model], name: str, label: Any, help: Any = "", **more: Any) -> Meta:
    """Return the words of a field that a model's column stores, with the column's length.

    A ``URLField`` accepts web addresses only.
    """
    stored: Any = model._meta.get_field(name)
    own = {"max_length": stored.max_length, "address": isinstance(stored, URLField)}
    return field(label, help, **{**own, **more})


@cache
def fields_of(kind: type[Struct]) -> Mapping[str, Declared]:
    """Return the fields of an input by name."""
    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, StructType)  # noqa: S101 - this tells the type checker
    return {
        each.name: _declared(
            each.name, each.encode_name, each.type, required=each.required, default=each.default
        )
        for each in info.fields
    }


def _declared(name: str, key: str, kind: Type, *, required: bool, default: Any) -> Declared:
    words, nullable = Words(), False
    while isinstance(kind, Metadata | UnionType):
        if isinstance(kind, Metadata):
            words, kind = (kind.extra or {}).get("words", words), kind.type
        else:
            nullable = nullable or any(isinstance(member, NoneType) for member in kind.types)
            kind = next(member for member in kind.types if not isinstance(member, NoneType))
    return Declared(
        name=name,
        key=key,
        kind=kind,
        words=words,
        required=required,
        nullable=nullable,
        default=default,
    )


def parse(kind: type[AnyInput], values: Mapping[str, Any]) -> AnyInput:
    """Return the input from values that a serializer or form has accepted. Ignores other names.

    Fields that a form left blank get their default. Raises InvalidInput with every value that is
    missing ("required"), has the wrong type ("invalid") or is not one of its choices
    ("unknown-choice"). ``validate`` checks the bounds.
    """
    problems: list[Problem] = []
    result: Any = _read_struct(kind, values, "", problems)
    if problems:
        raise input_error(problems)
    return result


def validate(values: AnyInput) -> AnyInput:
    """Return the input with clean texts. Raises InvalidInput with all values out of bounds.

    The default of a field is always valid. The codes come from ``core.cleaning``. Problems in
    nested inputs have the whole path as their field: ``sides.0.role``.
    """
    problems: list[Problem] = []
    cleaned: Any = _clean_struct(values, "", problems)
    if problems:
        raise input_error(problems)
    return cleaned


def validate_fields(
    kind: type[Struct], values: Mapping[str, Any], **cleaners: Callable[[str, Any], Any]
) -> dict[str, Any]:
    """Return some values of an input, cleaned as ``validate`` does.

    For services that change only the fields they are given. ``cleaners`` are for fields that need
    more than their bounds: each takes the field's name and the value.
    """
    problems: list[Problem] = []
    fields = fields_of(kind)
    cleaned: dict[str, Any] = {}
    for name, value in values.items():
        each = fields[name]
        try:
            cleaned[name] = (
                cleaners[name](each.key, value)
                if name in cleaners
                else _clean(each, value, each.key, problems)
            )
        except (InvalidInput, RulesError) as error:
            problems += error.problems
    if problems:
        raise input_error(problems)
    return cleaned


def input_error(problems: Iterable[Problem]) -> InvalidInput:
    """Return the error with all these problems. Its own code is that of the first problem."""
    first, *others = problems
    return InvalidInput(first.code, first.sentence, field=first.field, problems=[first, *others])


def _read_struct(
    kind: type[Struct], values: Mapping[str, Any], path: str, problems: list[Problem]
) -> Any:
    """Return the struct, or None if one of its fields has a problem."""
    read: dict[str, Any] = {}
    before = len(problems)
    for name, each in fields_of(kind).items():
        raw = values.get(name, values.get(each.key))
        where = _inside(path, each.key)
        if raw is not None and not (_is_blank(each, raw) and not each.required):
            read[name] = _read(each, raw, where, problems)
        elif each.required and not each.nullable:
            problems += field_error(where, "required", gettext("Enter a value.")).problems
        elif each.nullable and (each.required or name in values or each.key in values):
            read[name] = None
    make: Any = kind
    return make(**read) if len(problems) == before else None


def _is_blank(each: Declared, raw: Any) -> bool:
    """Return whether the value is a form's value for an empty field."""
    if raw != "" or isinstance(each.kind, StrType):
        return False
    return each.choices is None or "" not in {member.value for member in each.choices}


def _read(each: Declared, raw: Any, path: str, problems: list[Problem]) -> Any:
    """Return a value converted to its field's type. Appends problems to the list."""
    if each.choices is not None:
        read = _clean_choice(each.choices, raw, path, problems)
        return None if read is None else each.choices(read)
    match each.kind:
        case StructType() if isinstance(raw, Mapping):
            return _read_struct(each.kind.cls, raw, path, problems)
        case StructType() if isinstance(raw, each.kind.cls):
            return raw
        case VarTupleType() if isinstance(raw, list | tuple | set | frozenset):
            return tuple(
                _read(each.item, item, _inside(path, str(index)), problems)
                for index, item in enumerate(raw)
            )
    if not isinstance(each.kind, StructType | VarTupleType):
        try:
            return msgspec.convert(raw, SCALARS.get(type(each.kind), Any), str_keys=True)
        except msgspec.ValidationError:
            pass
    problems += field_error(
        path, "invalid", gettext("This value is not valid."), str(raw)[:40]
    ).problems
    return None


def _clean_struct(values: Struct, path: str, problems: list[Problem]) -> Any:
    cleaned = {
        name: _clean(each, getattr(values, name), _inside(path, each.key), problems)
        for name, each in fields_of(type(values)).items()
    }
    return replace(values, **cleaned)


def _clean(each: Declared, value: Any, path: str, problems: list[Problem]) -> Any:
    """Return a clean value. Appends problems to the list."""
    if value is UNSET or value == each.default or (value is None and each.nullable):
        return value
    if each.choices is not None:
        return _clean_choice(each.choices, value, path, problems)
    words = each.words
    try:
        match each.kind:
            case StrType() if words.address:
                return clean_web_address(path, value, most=_or(words.max_length, INFINITE))
            case StrType():
                text = " ".join(value.split()) if words.line else value
                return clean_text(
                    path, text, most=_or(words.max_length, INFINITE), least=_or(words.min_length, 0)
                )
            case IntType():
                least, most = _or(words.ge, -LARGEST_NUMBER), _or(words.le, LARGEST_NUMBER)
                return clean_number(path, value, least=least, most=most)
            case StructType():
                return _clean_struct(value, path, problems)
            case VarTupleType():
                _expect_length(words, value, path)
                return tuple(
                    _clean(each.item, item, _inside(path, str(index)), problems)
                    for index, item in enumerate(value)
                )
    except InvalidInput as error:
        problems += error.problems
    return value


def _clean_choice(kind: type[Enum], value: Any, path: str, problems: list[Problem]) -> Any:
    """Return the value if the enum has it, else None. Appends a problem to the list."""
    try:
        return clean_choice(path, value, [member.value for member in kind])
    except InvalidInput as error:
        problems += error.problems
    return None


def _expect_length(words: Words, values: Any, path: str) -> None:
    """Raise InvalidInput ("too-short", "too-long") for a list with too few or too many entries."""
    if len(values) < _or(words.min_length, 0):
        raise field_error(path, "too-short", gettext("Enter a value."))
    if len(values) > _or(words.max_length, INFINITE):
        sentence = gettext("Use at most %(most)s entries, not %(number)s.")
        raise field_error(
            path, "too-long", sentence % {"number": len(values), "most": words.max_length}
        )


def _or(bound: int | None, otherwise: int) -> int:
    return otherwise if bound is None else bound


def _inside(path: str, step: str) -> str:
    return f"{path}.{step}" if path else step
