"""One declaration per input: the struct of a verb says what each of its fields is called, and what
it may be.

Labels, help, bounds and choices stand in the types of the fields. ``core.api.inputs`` makes the
serializer of the API from them, ``core.input_forms`` the form of a page, ``parse`` reads what
either of them has let pass, and services ``validate``, since they trust no caller
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
"""More characters than any text has: for a text that declares no bound, which the size of a request
has."""
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
    """Base of the inputs of verbs. The types of fields are annotated with ``field`` or
    ``column``."""


class Words(Struct, frozen=True, kw_only=True):
    """What a declaration says about a field beside its type.

    ``api`` is the help in the schema where that says other things than the page. Bounds include
    both ends; those of a list or text count its entries or characters. ``line`` puts a text on one
    line, ``address`` takes none but the address of a page. ``null`` is false where None stands for
    an absent value only, and a request may not say null. ``default`` says that the schema names the
    default.
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
    """A field of an input, or what a list of it holds: ``name`` is Python's, ``key`` that of the
    JSON.

    ``kind`` is the type without None and words. ``nullable`` says that the value can be None in
    Python.
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
        """The closed set whose member the value is; None if it is something else."""
        # msgspec describes an Enum of Django's as a type that it does not know.
        kind = getattr(self.kind, "cls", None)
        return kind if isinstance(kind, type) and issubclass(kind, Enum) else None

    @property
    def item(self) -> "Declared":
        """What the list holds, as if it were a required field."""
        assert isinstance(self.kind, VarTupleType)  # noqa: S101 - this tells the type checker
        return _declared(self.name, self.key, self.kind.item_type, required=True, default=NODEFAULT)


def field(label: Any = "", help: Any = "", **more: Any) -> Meta:
    """Return the words and bounds of a field: ``legs: Annotated[int, field(_("Games"), ge=1, le=4)]
    = 1``.

    They stand around the whole type, ``Annotated[int | None, field(...)]``. ``more`` are those of
    ``Words``.
    """
    return Meta(extra={"words": Words(label=label, help=help, **more)})


def column(model: type[Model], name: str, label: Any, help: Any = "", **more: Any) -> Meta:
    """Return the words of a field that a column of the model stores: its length is the column's,
    and what stands in a ``URLField`` has to be the address of a page."""
    stored: Any = model._meta.get_field(name)
    own = {"max_length": stored.max_length, "address": isinstance(stored, URLField)}
    return field(label, help, **{**own, **more})


@cache
def fields_of(kind: type[Struct]) -> Mapping[str, Declared]:
    """Return the fields of an input by their names."""
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
    """Return the input that a serializer or a form has let pass; names that it does not have are
    ignored.

    What a form left blank has its default. Raise InvalidInput with every value that is missing
    ("required"), of another type ("invalid") or not among its choices ("unknown-choice"). Bounds
    are for ``validate``.
    """
    problems: list[Problem] = []
    result: Any = _read_struct(kind, values, "", problems)
    if problems:
        raise input_error(problems)
    return result


def validate(values: AnyInput) -> AnyInput:
    """Return the input with its texts cleaned. Raise InvalidInput with everything that is out of
    bounds.

    The default of a field always passes. Codes are those of ``core.cleaning``; a problem in a
    nested input is named with the whole path to it: ``sides.0.role``.
    """
    problems: list[Problem] = []
    cleaned: Any = _clean_struct(values, "", problems)
    if problems:
        raise input_error(problems)
    return cleaned


def validate_fields(
    kind: type[Struct], values: Mapping[str, Any], **cleaners: Callable[[str, Any], Any]
) -> dict[str, Any]:
    """Return some values of an input, cleaned as ``validate`` does: for verbs that change what is
    named alone.

    ``cleaners`` are for fields that need more than their bounds: they take the name of the field
    and the value.
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
    """Return the error that names all these problems; its own code is the first one's."""
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
            problems += field_error(
                where, "required", gettext("Something has to stand here.")
            ).problems
        elif each.nullable and (each.required or name in values or each.key in values):
            read[name] = None
    make: Any = kind
    return make(**read) if len(problems) == before else None


def _is_blank(each: Declared, raw: Any) -> bool:
    """Return whether the value is what a form has for a field that was left empty."""
    if raw != "" or isinstance(each.kind, StrType):
        return False
    return each.choices is None or "" not in {member.value for member in each.choices}


def _read(each: Declared, raw: Any, path: str, problems: list[Problem]) -> Any:
    """Return a value as its type has it. Problems are added to the list."""
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
        path, "invalid", gettext("This value does not fit here."), str(raw)[:40]
    ).problems
    return None


def _clean_struct(values: Struct, path: str, problems: list[Problem]) -> Any:
    cleaned = {
        name: _clean(each, getattr(values, name), _inside(path, each.key), problems)
        for name, each in fields_of(type(values)).items()
    }
    return replace(values, **cleaned)


def _clean(each: Declared, value: Any, path: str, problems: list[Problem]) -> Any:
    """Return a clean value. Problems are added to the list."""
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
    """Return the value if the closed set has it, else None. A problem is added to the list."""
    try:
        return clean_choice(path, value, [member.value for member in kind])
    except InvalidInput as error:
        problems += error.problems
    return None


def _expect_length(words: Words, values: Any, path: str) -> None:
    """Raise InvalidInput "too-short" or "too-long" for a list with too few or too many entries."""
    if len(values) < _or(words.min_length, 0):
        raise field_error(path, "too-short", gettext("Something has to stand here."))
    if len(values) > _or(words.max_length, INFINITE):
        sentence = gettext("%(number)s entries; at most %(most)s fit.")
        raise field_error(
            path, "too-long", sentence % {"number": len(values), "most": words.max_length}
        )


def _or(bound: int | None, otherwise: int) -> int:
    return otherwise if bound is None else bound


def _inside(path: str, step: str) -> str:
    return f"{path}.{step}" if path else step
