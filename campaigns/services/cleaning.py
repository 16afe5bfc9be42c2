"""What a text, a number or a choice may be, whichever face it comes from."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulebook.ruleset import Problem, RulesError
from warbands.errors import Refused

Cleaners = Mapping[str, Callable[[str, Any], Any]]
"""For each field the function that takes its name and the raw value, and returns the clean one or raises."""


def clean_all(cleaners: Cleaners, raw: Mapping[str, Any]) -> dict[str, Any]:
    """The raw fields, cleaned. Raises one Refused with the problems of all of them."""
    cleaned: dict[str, Any] = {}
    problems: list[Problem] = []
    for field, value in raw.items():
        try:
            cleaned[field] = cleaners[field](field, value)
        except (Refused, RulesError) as error:
            problems += error.problems
    if problems:
        raise Refused(problems[0].code, problems[0].sentence, problems=problems)
    return cleaned


def clean_text(field: str, text: str, *, most: int, least: int = 0) -> str:
    """The text without white space around it. Raises Refused "too-short", "too-long" or "null-character"."""
    text = text.strip()
    if "\0" in text:
        raise refusal(field, "null-character", "The text holds a character that cannot be stored: leave out NUL.")
    if len(text) < least:
        raise refusal(field, "too-short", "Something has to stand here.")
    if len(text) > most:
        raise refusal(field, "too-long", f"{len(text)} characters; at most {most} fit.", text[:40])
    return text


def clean_number(field: str, number: int, least: int, most: int) -> int:
    """The number if it lies within the bounds, both included. Raises Refused "out-of-range"."""
    if not least <= number <= most:
        raise refusal(field, "out-of-range", f"{number} will not do: from {least} to {most}.", str(number))
    return number


def clean_number_or_none(field: str, number: int | None, least: int, most: int) -> int | None:
    """None, or the number as in ``clean_number``."""
    return None if number is None else clean_number(field, number, least, most)


def clean_choice(field: str, value: str, choices: Sequence[str]) -> str:
    """The value if it is one of the choices. Raises Refused "unknown-choice"."""
    if value not in choices:
        raise refusal(field, "unknown-choice", f"{value!r} will not do: {', '.join(choices)}.", str(value)[:40])
    return value


def refusal(field: str, code: str, sentence: str, value: str = "") -> Refused:
    """A refusal that concerns one field of what was sent."""
    return Refused(code, sentence, field=field, problems=[Problem(code, sentence, field=field, value=value)])
