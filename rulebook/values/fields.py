"""Form fields: one type for events, calculators, setups, builds, purchases and house rules.

A form shows a ``Field``, ``read_fields`` reads the values, and ``wanted`` describes the accepted
values.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any

from msgspec import Struct

from rulebook.values.described import closed
from rulebook.values.problems import Problem, RulesError, shown

Choices = tuple[tuple[str, str], ...]
"""The choices of a field: keys with labels."""

TRUE = frozenset({"true", "1", "yes", "on"})
FALSE = frozenset({"false", "0", "no", "off"})
WHOLE = re.compile("[+-]?[0-9]{1,9}")
DECIMAL = re.compile("[+-]?[0-9]{1,6}([.][0-9]{1,3})?")
LONGEST = 2000
ECHOED = 100


KINDS = (
    "combatant",
    "side",
    "group",
    "choice",
    "number",
    "length",
    "dice",
    "flag",
    "list",
    "numbers",
    "picks",
    "text",
    "map",
)
"""All kinds of fields. Each has its reader below."""


class Field(Struct, frozen=True):
    """A question with everything that a form needs to show it and to read the answer.

    Its ``kind`` is one of

    - "combatant", "side", "group", "choice": one of several, by its key;
    - "number": a whole number; "length": a decimal number in the ``measure``, such as "inches";
    - "dice": six-sided dice, such as "3,4";
    - "flag": yes or no;
    - "list": any of several, which may be repeated;
    - "numbers", "picks": one of several lists, such as "2,1" or "pistol,pistol";
    - "text", "map": words, a JSON object.

    ``least`` and ``most`` limit a number, or each of several; ``most`` limits the count of dice or
    the characters of a text. ``default`` is the value of an empty field, mostly as text. Fields
    with the same ``group`` belong together. A ``key`` with dots leads into maps.
    """

    key: str
    label: str
    kind: Annotated[str, closed("FieldKind", KINDS)]
    required: bool = True
    choices: Choices = ()
    help: str = ""
    least: int | None = None
    most: int | None = None
    default: str | bool | int | None = ""
    group: str = ""
    measure: str = ""


class LengthMeasure(Struct, frozen=True):
    """A unit of length: its singular, its plural, and its sign after a number."""

    one: str
    many: str
    sign: str


class Purchase(Field, frozen=True, kw_only=True):
    """A field for something that is bought.

    ``prices`` has the points of each choice with a price, 0 if it is free.
    """

    prices: Mapping[str, int] = {}


class HouseRule(Field, frozen=True, kw_only=True):
    """A setting that a campaign may change: a "choice", a "flag" or a "number".

    ``source`` is the heading or ruling. A number that is not ``required`` may stay undecided: its
    default is None. ``book`` is False for rules that the rule book does not have: pages label them
    as Muster's own. ``group`` is the heading under which a page lists it.
    """

    source: str = ""
    group: str = ""
    book: bool = True


class UnreadableValue(Exception):
    """A value is invalid for a field: a stable code, and the accepted values."""

    def __init__(self, code: str, expected: str) -> None:
        self.code, self.expected = code, expected
        super().__init__(expected)


def read_fields(
    fields: Iterable[Field], sent: Any, what: str, *, besides: Iterable[str] = ()
) -> dict[str, Any]:
    """Return the value of each field, with defaults for empty ones.

    An empty field without a default is None, "" or (). Values may be texts from a query string or
    form. Raises RulesError with every invalid value and every name that is neither a field of
    ``what`` nor in ``besides``, or if ``sent`` is not an object.
    """
    by_key = {field.key: field for field in fields}
    unknown = [name for name in read_object(sent, what) if name not in {*by_key, *besides}]
    problems = [_unknown(name, sent[name], by_key, what) for name in unknown]
    values: dict[str, Any] = {}
    for key, field in by_key.items():
        try:
            values[key] = read_value(field, sent.get(key))
        except UnreadableValue as error:
            problems.append(_wrong(field, sent.get(key), error))
        else:
            if key in sent and sent[key] is None and as_text(field.default) not in ("", "false"):
                problems.append(_null(field))
    if problems:
        raise RulesError(*problems)
    return values


def read_object(sent: Any, what: str) -> Mapping[str, Any]:
    """Return what was sent if it is an object. Raises RulesError (`not-an-object`)."""
    if not isinstance(sent, Mapping):
        raise RulesError(
            Problem("not-an-object", f"{what} must be an object.", value=shown(sent)[:ECHOED])
        )
    return sent


def read_value(field: Field, sent: Any) -> Any:
    """Return the value of one field. Raises UnreadableValue."""
    if not _has_right_shape(field, sent):
        raise UnreadableValue("wrong-type", wanted(field))
    text = as_text(sent) or as_text(field.default)
    if len(text) > LONGEST:
        raise UnreadableValue("too-long", f"at most {LONGEST} characters")
    if not text and field.required:
        raise UnreadableValue("required", wanted(field))
    return READERS[field.kind](field, text)


SEVERAL = frozenset({"list", "numbers", "picks", "dice"})
"""The kinds of fields with several values, as a list or as text with commas."""


def _has_right_shape(field: Field, sent: Any) -> bool:
    """Return whether the type fits: no list or object for a single value, only text for text."""
    if isinstance(sent, Mapping):
        return field.kind == "map"
    if isinstance(sent, list | tuple):
        return field.kind in SEVERAL and all(isinstance(each, str | int) for each in sent)
    return field.kind != "text" or sent is None or isinstance(sent, str)


def takes(field: Field, value: object) -> bool:
    """Return whether this is a valid value of the field in its own type, not only as text."""
    try:
        read = read_value(field, value)
    except UnreadableValue:
        return False
    return type(read) is type(value) and read == value


def nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values under keys with dots as nested maps and lists: {"a.0": 1} is {"a": [1]}."""
    tree: dict[str, Any] = {}
    for key, value in values.items():
        *path, last = key.split(".")
        place = tree
        for part in path:
            place = place.setdefault(part, {})
        place[last] = value
    return {key: _listed(value) for key, value in tree.items()}


def _listed(value: Any) -> Any:
    """Return maps whose keys are positions as lists."""
    if not isinstance(value, dict) or not value:
        return value
    inner = {key: _listed(each) for key, each in value.items()}
    return (
        [inner[key] for key in sorted(inner, key=int)]
        if all(key.isdecimal() for key in inner)
        else inner
    )


def as_text(sent: Any) -> str:
    """Return a value as text in the form of a query string or form."""
    if sent is None:
        return ""
    if isinstance(sent, (list, tuple)):
        return ",".join(map(as_text, sent))
    if isinstance(sent, Mapping):
        return json.dumps(sent)
    return str(sent).strip().lower() if isinstance(sent, bool) else str(sent).strip()


def wanted(field: Field) -> str:
    """Return the accepted values of a field as text."""
    if field.kind == "number" and field.choices:
        return "one of " + ", ".join(key for key, _ in field.choices)
    if field.kind in ("choice", "list"):
        keys = ", ".join(key for key, _ in field.choices if key)
        return ("one of " if field.kind == "choice" else "some of ") + keys
    if field.kind == "text":
        return "text" if field.most is None else f"text of up to {field.most} characters"
    if field.kind in NUMBERS:
        return NUMBERS[field.kind] + _bounds(field)
    if field.kind == "numbers" and not field.choices:
        return "whole numbers" + _bounds(field)
    return WANTED[field.kind]


NUMBERS = {"number": "a whole number", "length": "a number"}
WANTED = {
    "flag": "true or false",
    "dice": "dice from 1 to 6, such as 3,4",
    "map": "a JSON object",
    "combatant": "a fighter's id",
    "side": "a side's key",
    "group": "a group's key",
    "numbers": "one of the lists of numbers that it offers",
    "picks": "one of the lists that it offers",
}
WANTED_IN_JSON = {
    "list": "fighters' ids",
    "dice": "a list of dice, each from 1 to 6",
    "text": "a text, neither empty nor overlong",
    "map": "a JSON object, or a list of them, as the help of the field says",
}


def wanted_in_json(field: Field) -> str:
    """Return the accepted values of an event's field as text, for JSON instead of a form."""
    if field.choices:
        return "one of " + ", ".join(key for key, _ in field.choices)
    if field.kind == "length":
        return f"a number of {field.measure}"
    return WANTED_IN_JSON.get(field.kind) or wanted(field)


def _bounds(field: Field) -> str:
    if field.least is None and field.most is None:
        return ""
    if field.most is None:
        return f" of {field.least} or more"
    return (
        f" from {field.least} to {field.most}"
        if field.least is not None
        else f" of {field.most} or less"
    )


def _wrong(field: Field, sent: Any, error: UnreadableValue) -> Problem:
    value = (as_text(sent) if sent is None else shown(sent))[:ECHOED].strip()
    given = value if isinstance(sent, list | tuple | Mapping | bool) else repr(value)
    wrong = "is missing" if error.code == "required" else f"cannot be {given}"
    sentence = f"{field.label} {wrong}: give {field.key!r} as {error.expected}."
    return Problem(error.code, sentence, field=field.key, value=value)


def _null(field: Field) -> Problem:
    sentence = (
        f"{field.label} cannot be null: leave {field.key!r} out for {as_text(field.default)}, or "
        "give another."
    )
    return Problem("wrong-type", sentence, field=field.key, value="null")


def _unknown(name: str, sent: Any, valid_keys: Iterable[str], what: str) -> Problem:
    place = f"{what[:1].lower()}{what[1:]}" if what.startswith(("A ", "An ", "The ")) else what
    sentence = (
        f"{name[:ECHOED]!r} is not a field of {place}. Leave it out, or use one of "
        f"{', '.join(valid_keys)}."
    )
    return Problem("unknown-field", sentence, field=name[:ECHOED], value=shown(sent)[:ECHOED])


# One reader for each kind of field. It converts the text to the value.


def _number(field: Field, text: str) -> int | None:
    if not text:
        return None
    if WHOLE.fullmatch(text) is None:
        raise UnreadableValue("not-a-number", wanted(field))
    number: int = _within(field, int(text))
    if field.choices and str(number) not in dict(field.choices):
        raise UnreadableValue("not-a-choice", wanted(field))
    return number


def _measure(field: Field, text: str) -> float | None:
    if not text:
        return None
    if DECIMAL.fullmatch(text) is None:
        raise UnreadableValue("not-a-number", wanted(field))
    return float(_within(field, float(text)))


def _within(field: Field, number: Any) -> Any:
    if (field.least is not None and number < field.least) or (
        field.most is not None and number > field.most
    ):
        raise UnreadableValue("out-of-range", wanted(field))
    return number


def _flag(field: Field, text: str) -> bool:
    plain = text.lower()
    if plain and plain not in TRUE | FALSE:
        raise UnreadableValue("not-a-flag", wanted(field))
    return plain in TRUE


def _choice(field: Field, text: str) -> str:
    if text and field.choices and text not in dict(field.choices):
        raise UnreadableValue("not-a-choice", wanted(field))
    return text


def _text(field: Field, text: str) -> str:
    if field.most is not None and len(text) > field.most:
        raise UnreadableValue("too-long", wanted(field))
    return text


def _list(field: Field, text: str) -> tuple[str, ...]:
    picked = tuple(part.strip() for part in text.split(",") if part.strip())
    if field.choices and not set(picked) <= set(dict(field.choices)):
        raise UnreadableValue("not-a-choice", wanted(field))
    return picked


def _picks(field: Field, text: str) -> tuple[str, ...]:
    chosen = _choice(field, ",".join(part.strip() for part in text.split(",")))
    return tuple(chosen.split(",")) if chosen else ()


def _numbers(field: Field, text: str) -> tuple[int, ...]:
    parts = _picks(field, text)
    if not all(WHOLE.fullmatch(part) for part in parts):
        raise UnreadableValue("not-a-number", wanted(field))
    return tuple(_within(field, int(part)) for part in parts)


def _dice(field: Field, text: str) -> tuple[int, ...]:
    shown = re.sub(r"[\s,;]", "", text)
    if not all(die in "123456" for die in shown):
        raise UnreadableValue("not-dice", wanted(field))
    dice = tuple(map(int, shown))
    if field.most is not None and len(dice) > field.most:
        raise UnreadableValue("too-many-dice", f"at most {field.most} dice from 1 to 6")
    return dice


def _map(field: Field, text: str) -> Mapping[str, Any] | None:
    if not text:
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableValue("not-json", wanted(field)) from error
    if not isinstance(value, dict):
        raise UnreadableValue("not-json", wanted(field))
    return value


READERS: Mapping[str, Callable[[Field, str], Any]] = {
    "combatant": _choice,
    "side": _choice,
    "group": _choice,
    "choice": _choice,
    "number": _number,
    "length": _measure,
    "dice": _dice,
    "flag": _flag,
    "list": _list,
    "numbers": _numbers,
    "picks": _picks,
    "text": _text,
    "map": _map,
}
