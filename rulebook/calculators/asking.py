"""Asking a calculator: finding it by its key, reading what was sent, and the answer as JSON."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from rulebook.calculators.questions import Question, Values
from rulebook.values.answers import Answer
from rulebook.values.battles import Calculator
from rulebook.values.fields import read_fields
from rulebook.values.problems import Problem, RulesError


def find_question(key: str, questions: Iterable[Question]) -> Question:
    """The question of that key. Raises RulesError "unknown-calculator"."""
    known = {question.calculator.key: question for question in questions}
    if key not in known:
        sentence = f"There is no calculator {key!r}; there is {', '.join(known)}."
        raise RulesError(Problem("unknown-calculator", sentence, field="calculator", value=key))
    return known[key]


def read_values(calculator: Calculator, sent: Mapping[str, Any]) -> dict[str, Any]:
    """The value of each field of a calculator, defaults filled in. Raises RulesError with everything that is wrong."""
    return read_fields(calculator.fields, sent, calculator.name)


def as_json(calculator: Calculator, values: Values, answer: Answer) -> Mapping[str, Any]:
    """An answer as JSON, with what was asked as it was understood."""
    told = {key: value for key, value in values.items() if value not in (None, "", ())}
    whole = replace(answer, calculator=calculator.key, name=calculator.name, source=calculator.source, asked=told)
    data: Mapping[str, Any] = msgspec.to_builtins(whole)
    return data
