"""What a text, a number or a piece of JSON may be before it enters a chronicle, whichever face it comes from."""

from collections.abc import Mapping
from typing import Any

import msgspec

from rulebook.ruleset import Problem
from warbands.errors import Refused

MOST_NAME = 100
MOST_REASON = 300
MOST_STORY = 20_000
MOST_JSON = 20_000
LARGEST_NUMBER = 2**31
DEEPEST = 12


def clean_name(field: str, name: str) -> str:
    """A name on one line, white space tidied, 1 to 100 characters. Raises Refused "too-short" or "too-long"."""
    return clean_text(field, " ".join(name.split()), most=MOST_NAME, least=1)


def clean_reason(field: str, reason: str) -> str:
    """A reason on one line, at most 300 characters, perhaps none. Raises Refused."""
    return clean_text(field, " ".join(reason.split()), most=MOST_REASON)


def clean_story(field: str, story: str) -> str:
    """A text of any number of lines, at most 20,000 characters, perhaps none. Raises Refused."""
    return clean_text(field, story, most=MOST_STORY)


def clean_text(field: str, text: str, *, most: int, least: int = 0) -> str:
    """The text without white space around it. Raises Refused "too-short", "too-long" or "unstorable-text"."""
    text = text.strip()
    if not storable(text):
        raise refusal(field, "unstorable-text", "The text holds characters that cannot be stored: leave out NUL.")
    if len(text) < least:
        raise refusal(field, "too-short", "Something has to stand here.")
    if len(text) > most:
        raise refusal(field, "too-long", f"{len(text)} characters; at most {most} fit.", text[:40])
    return text


def clean_json(field: str, value: Mapping[str, Any]) -> dict[str, Any]:
    """The value as plain JSON that both databases can hold. Raises Refused "unstorable-json" or "too-long"."""
    if not isinstance(value, Mapping):
        raise refusal(field, "not-an-object", "An object is needed here, with keys and values.", str(value)[:40])
    if not _storable_json(value, DEEPEST):
        raise refusal(field, "unstorable-json", "This holds NUL, a number out of bounds, or is too deep to be stored.")
    encoded = msgspec.json.encode(value)
    if len(encoded) > MOST_JSON:
        raise refusal(field, "too-long", f"{len(encoded)} bytes of JSON; at most {MOST_JSON} fit.")
    plain: dict[str, Any] = msgspec.json.decode(encoded)
    return plain


def clean_number(field: str, number: int, *, least: int, most: int) -> int:
    """The number if it lies within the bounds, both included. Raises Refused "out-of-range"."""
    if not least <= number <= most:
        raise refusal(field, "out-of-range", f"{number} will not do: from {least} to {most}.", str(number)[:40])
    return number


def refusal(field: str, code: str, sentence: str, value: str = "") -> Refused:
    """A refusal that concerns one field of what was sent."""
    return Refused(code, sentence, field=field, problems=[Problem(code, sentence, field=field, value=value)])


def storable(text: str) -> bool:
    """Whether both databases can hold the text: no NUL, no halves of characters."""
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def _storable_json(value: Any, depth: int) -> bool:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, int | float):
        return abs(value) < LARGEST_NUMBER
    if depth == 0:
        return False
    if isinstance(value, Mapping):
        return all(isinstance(key, str) and storable(key) and _storable_json(value[key], depth - 1) for key in value)
    if isinstance(value, list | tuple):
        return all(_storable_json(each, depth - 1) for each in value)
    return value is None
