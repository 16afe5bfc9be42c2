"""From what people and scripts send, mostly text of an address, to values that calculators can use."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from rulebook.ruleset import Calculator, EventField, Problem, RulesError

TRUE = frozenset({"true", "1", "yes", "on"})
FALSE = frozenset({"false", "0", "no", "off"})
WHOLE = re.compile("[+-]?[0-9]{1,9}")
DECIMAL = re.compile("[+-]?[0-9]{1,6}([.][0-9]{1,3})?")
LONGEST = 2000
ECHOED = 100


class Unreadable(Exception):
    """A value is of no use: a stable code, and what would be."""

    def __init__(self, code: str, wanted: str) -> None:
        self.code, self.wanted = code, wanted
        super().__init__(wanted)


def read_values(calculator: Calculator, sent: Mapping[str, Any]) -> dict[str, Any]:
    """The value of each field, defaults filled in; None, "" or () where an empty field has no default.

    Raises RulesError with every value that is wrong and every name that is no field.
    """
    known = {field.key: field for field in calculator.fields}
    problems = [_unknown(name, sent[name], calculator) for name in sent if name not in known]
    values: dict[str, Any] = {}
    for key, field in known.items():
        try:
            values[key] = read_value(field, sent.get(key))
        except Unreadable as error:
            problems.append(_wrong(field, sent.get(key), error))
    if problems:
        raise RulesError(*problems)
    return values


def read_value(field: EventField, sent: Any) -> Any:
    """The value of one field. Raises Unreadable."""
    text = _as_text(sent) or field.default
    if len(text) > LONGEST:
        raise Unreadable("too-long", f"at most {LONGEST} characters")
    if not text and field.required:
        raise Unreadable("required", _wanted(field))
    return READERS[field.kind](field, text)


def _as_text(sent: Any) -> str:
    if sent is None:
        return ""
    if isinstance(sent, (list, tuple)):
        return ",".join(map(_as_text, sent))
    if isinstance(sent, Mapping):
        return json.dumps(sent)
    return str(sent).strip().lower() if isinstance(sent, bool) else str(sent).strip()


def _wrong(field: EventField, sent: Any, error: Unreadable) -> Problem:
    value = _as_text(sent)[:ECHOED]
    if error.code == "required":
        sentence = f"{field.label} is missing: give {field.key!r} as {error.wanted}."
    else:
        sentence = f"{field.label} cannot be {value!r}: give {field.key!r} as {error.wanted}."
    return Problem(error.code, sentence, field=field.key, value=value)


def _unknown(name: str, sent: Any, calculator: Calculator) -> Problem:
    fields = ", ".join(field.key for field in calculator.fields)
    sentence = f"{calculator.name} knows no {name[:ECHOED]!r}: leave it out, or use one of {fields}."
    return Problem("unknown-field", sentence, field=name[:ECHOED], value=_as_text(sent)[:ECHOED])


def _wanted(field: EventField) -> str:
    """What a field takes, in words."""
    if field.kind in ("choice", "list"):
        keys = ", ".join(key for key, _ in field.choices if key)
        return ("one of " if field.kind == "choice" else "some of ") + keys
    if field.kind == "flag":
        return "true or false"
    if field.kind in ("number", "inches"):
        return ("a whole number" if field.kind == "number" else "a number") + _bounds(field)
    words = {"dice": "dice from 1 to 6, such as 3,4", "map": "a JSON object"}
    return words.get(field.kind, "text")


def _bounds(field: EventField) -> str:
    if field.least is None and field.most is None:
        return ""
    if field.most is None:
        return f" of {field.least} or more"
    return f" from {field.least} to {field.most}" if field.least is not None else f" of {field.most} or less"


# One reader for each kind of field.


def _number(field: EventField, text: str) -> int | None:
    if not text:
        return None
    if WHOLE.fullmatch(text) is None:
        raise Unreadable("not-a-number", _wanted(field))
    number: int = _within(field, int(text))
    return number


def _inches(field: EventField, text: str) -> float | None:
    if not text:
        return None
    if DECIMAL.fullmatch(text) is None:
        raise Unreadable("not-a-number", _wanted(field))
    number: float = _within(field, float(text))
    return number


def _within(field: EventField, number: Any) -> Any:
    low = field.least is not None and number < field.least
    high = field.most is not None and number > field.most
    if low or high:
        raise Unreadable("out-of-range", _wanted(field))
    return number


def _flag(field: EventField, text: str) -> bool:
    plain = text.lower()
    if plain and plain not in TRUE | FALSE:
        raise Unreadable("not-a-flag", _wanted(field))
    return plain in TRUE


def _choice(field: EventField, text: str) -> str:
    if text and text not in dict(field.choices):
        raise Unreadable("not-a-choice", _wanted(field))
    return text


def _text(field: EventField, text: str) -> str:
    return text


def _list(field: EventField, text: str) -> tuple[str, ...]:
    picked = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    if field.choices and not set(picked) <= set(dict(field.choices)):
        raise Unreadable("not-a-choice", _wanted(field))
    return picked


def _dice(field: EventField, text: str) -> tuple[int, ...]:
    parts = text.replace(",", " ").split()
    if not all(len(part) == 1 and part in "123456" for part in parts):
        raise Unreadable("not-dice", _wanted(field))
    dice = tuple(map(int, parts))
    if field.most is not None and len(dice) > field.most:
        raise Unreadable("too-many-dice", f"at most {field.most} dice from 1 to 6")
    return dice


def _map(field: EventField, text: str) -> Mapping[str, Any] | None:
    if not text:
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable("not-json", _wanted(field)) from error
    if not isinstance(found, dict):
        raise Unreadable("not-json", _wanted(field))
    return found


READERS: Mapping[str, Callable[[EventField, str], Any]] = {
    "number": _number,
    "inches": _inches,
    "flag": _flag,
    "choice": _choice,
    "text": _text,
    "list": _list,
    "dice": _dice,
    "map": _map,
}
