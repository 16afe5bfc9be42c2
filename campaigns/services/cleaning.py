"""What a field of a club or campaign may be, whichever face it comes from."""

from collections.abc import Callable, Mapping
from typing import Any

from core.cleaning import clean_choice, clean_text
from core.errors import InvalidInput
from rulebook.ruleset import Problem, RulesError

__all__ = ["Cleaners", "clean_all", "clean_choice", "clean_member_name"]

Cleaners = Mapping[str, Callable[[str, Any], Any]]
"""For each field the function that takes its name and the raw value, and returns the clean one or raises."""


def clean_all(cleaners: Cleaners, raw: Mapping[str, Any]) -> dict[str, Any]:
    """The raw fields, cleaned. Raises one InvalidInput with the problems of all of them."""
    cleaned: dict[str, Any] = {}
    problems: list[Problem] = []
    for field, value in raw.items():
        try:
            cleaned[field] = cleaners[field](field, value)
        except (InvalidInput, RulesError) as error:
            problems += error.problems
    if problems:
        raise InvalidInput(problems[0].code, problems[0].sentence, problems=problems)
    return cleaned


def clean_member_name(field: str, name: str) -> str:
    """A member's name on one line, at most 80 characters, perhaps none. Raises InvalidInput "too-long"."""
    return clean_text(field, " ".join(name.split()), most=80)
