"""Asking a calculator: finding it by its key, reading what was sent and its dice, and the answer as
JSON."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rulebook.calculators.questions import Question, Values
from rulebook.values.answers import Answer
from rulebook.values.battles import Calculator
from rulebook.values.fields import read_fields
from rulebook.values.problems import Problem, RulesError

Structure = TypeVar("Structure", bound=Struct)
SECOND = "target_"
"""The fields of the second of two begin so."""


def find_question(key: str, questions: Iterable[Question]) -> Question:
    """Return the question of that key. Raise RulesError "unknown-calculator"."""
    by_key = {question.calculator.key: question for question in questions}
    if key not in by_key:
        sentence = f"Unknown calculator {key!r}. Use one of: {', '.join(by_key)}."
        raise RulesError(Problem("unknown-calculator", sentence, field="calculator", value=key))
    return by_key[key]


def read_values(calculator: Calculator, sent: Mapping[str, Any]) -> dict[str, Any]:
    """Return the value of each field of a calculator, defaults filled in.

    Raise RulesError with everything that is wrong.
    """
    return read_fields(calculator.fields, sent, calculator.name)


def fields_for(structure: type[Structure], values: Values, **more: Any) -> Structure:
    """Return the values that a structure has a place for, and more."""
    return structure(
        **{key: values[key] for key in structure.__struct_fields__ if key in values}, **more
    )


def second(values: Values) -> dict[str, Any]:
    """Return the values of the second of two."""
    return {
        key.removeprefix(SECOND): value for key, value in values.items() if key.startswith(SECOND)
    }


def wrong_dice(field: str, sentence: str) -> RulesError:
    """Return the complaint about dice that are missing or too many."""
    return RulesError(Problem("wrong-dice", sentence, field=field))


def two_dice(values: Values, how: str, key: str = "dice") -> tuple[int, int] | None:
    """Return the two dice of a field, None if it is empty.

    Raise RulesError, in a sentence that begins with how they fall.
    """
    if not values.get(key):
        return None
    if len(values[key]) != 2:
        raise wrong_dice(key, f"{how}: give both, such as 3,4.")
    first, second = values[key]
    return first, second


def one_die(values: Values, key: str) -> int | None:
    """Return the one die of a field, None if it is empty."""
    return values[key][0] if values.get(key) else None


def as_json(calculator: Calculator, values: Values, answer: Answer) -> Mapping[str, Any]:
    """Return an answer as JSON, with what was asked as it was understood."""
    inputs = {key: value for key, value in values.items() if value not in (None, "", ())}
    whole = replace(
        answer,
        calculator=calculator.key,
        name=calculator.name,
        source=calculator.source,
        asked=inputs,
    )
    data: Mapping[str, Any] = msgspec.to_builtins(whole)
    return data
