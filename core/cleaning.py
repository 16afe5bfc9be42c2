"""Checks for texts, numbers and JSON before they enter a chronicle, whether they come from a page,
the API or a file."""

import unicodedata
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils.translation import gettext

from core.errors import InvalidInput
from rulebook.ruleset import Problem

MAX_NAME_LENGTH = 100
MAX_REASON = 300
MAX_STORY = 20_000
MAX_JSON = 20_000
LARGEST_NUMBER = 2**31
DEEPEST = 12
WEB_ADDRESS: Final = URLValidator(schemes=("http", "https"))
BLANKS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0\ufffc\U0001d159")
"""Characters that Unicode classes as letters or symbols but that are drawn blank, such as Hangul
fillers and the Braille pattern without dots."""


def clean_name(field: str, name: str) -> str:
    """Return a name on one line with tidied white space, 1 to 100 characters.

    Raises InvalidInput ("too-short", "too-long").
    """
    return clean_text(field, " ".join(name.split()), most=MAX_NAME_LENGTH, least=1)


def clean_reason(field: str, reason: str) -> str:
    """Return a reason on one line, at most 300 characters. May be empty. Raises InvalidInput."""
    return clean_text(field, " ".join(reason.split()), most=MAX_REASON)


def clean_story(field: str, story: str) -> str:
    """Return a text of any number of lines, at most 20,000 characters. May be empty.

    Raises InvalidInput.
    """
    return clean_text(field, story, most=MAX_STORY)


def clean_text(field: str, text: str, *, most: int, least: int = 0) -> str:
    """Return the text without surrounding white space.

    Raises InvalidInput ("too-short", "too-long", "unstorable-text"), or "invisible-text" if no
    character of it can be seen.
    """
    text = text.strip()
    if not storable(text):
        raise field_error(
            field,
            "unstorable-text",
            "The text holds characters that cannot be stored: leave out NUL.",
        )
    if len(text) < least:
        raise field_error(field, "too-short", gettext("Enter a value."))
    if text and not visible_text(text):
        raise field_error(
            field,
            "invisible-text",
            gettext("Enter at least one visible character."),
        )
    if len(text) > most:
        raise field_error(
            field,
            "too-long",
            gettext("Use at most %(most)s characters, not %(number)s.")
            % {"number": len(text), "most": most},
            text[:40],
        )
    return text


def clean_web_address(field: str, address: str, *, most: int) -> str:
    """Return a web address without blanks around it; "" stays "".

    Raises InvalidInput "not-a-web-address" for anything but http and https: a browser would run
    ``javascript:``.
    """
    address = clean_text(field, address, most=most)
    try:
        if address:
            WEB_ADDRESS(address)
    except ValidationError:
        sentence = gettext("This is not a web address. Example: https://example.org.")
        raise field_error(field, "not-a-web-address", sentence, address[:40]) from None
    return address


def clean_json(field: str, value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the value as plain JSON that both databases can store.

    Raises InvalidInput ("not-an-object", "unstorable-json", "too-long").
    """
    if not isinstance(value, Mapping):
        raise field_error(
            field,
            "not-an-object",
            "An object is needed here, with keys and values.",
            str(value)[:40],
        )
    if not storable_json(value, DEEPEST):
        raise field_error(
            field,
            "unstorable-json",
            "This holds NUL, a number out of bounds, or is too deep to be stored.",
        )
    encoded = msgspec.json.encode(value)
    if len(encoded) > MAX_JSON:
        raise field_error(
            field, "too-long", f"{len(encoded)} bytes of JSON; at most {MAX_JSON} fit."
        )
    plain: dict[str, Any] = msgspec.json.decode(encoded)
    return plain


def clean_number(field: str, number: int, *, least: int, most: int) -> int:
    """Return the number if it is within the bounds, both included.

    Raises InvalidInput ("out-of-range").
    """
    if not least <= number <= most:
        raise field_error(
            field,
            "out-of-range",
            gettext("Enter a number from %(least)s to %(most)s, not %(number)s.")
            % {"number": number, "least": least, "most": most},
            str(number)[:40],
        )
    return number


def clean_choice(field: str, value: str, choices: Sequence[str]) -> str:
    """Return the value if it is one of the choices. Raises InvalidInput ("unknown-choice")."""
    if value not in choices:
        raise field_error(
            field,
            "unknown-choice",
            gettext("“%(value)s” is not valid. Use one of: %(known)s.")
            % {"value": value, "known": ", ".join(choices)},
            str(value)[:40],
        )
    return value


def field_error(field: str, code: str, sentence: str, value: str = "") -> InvalidInput:
    """Return an error about one field of the request."""
    return InvalidInput(
        code, sentence, field=field, problems=[Problem(code, sentence, field=field, value=value)]
    )


def storable(text: str) -> bool:
    """Return whether both databases can store the text: no NUL and no lone surrogates."""
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def visible_text(text: str) -> bool:
    """Return whether any character can be seen: a letter, number or symbol.

    Joiners, marks and blanks alone are invisible.

    >>> visible_text("Söldner"), visible_text("\\u200b\\u202e"), visible_text("\\u3164")
    (True, False, False)
    """
    return any(
        unicodedata.category(letter)[0] in "LNPS" and letter not in BLANKS for letter in text
    )


def storable_moment(moment: datetime) -> bool:
    """Return whether the moment is between the years 1 and 9999 in UTC.

    PostgreSQL can store others, but Python cannot read them.
    """
    try:
        return bool(moment.astimezone(UTC))
    except OverflowError:
        return False


def storable_json(value: Any, depth: int) -> bool:
    """Return whether both databases can store the value: no NUL and no number out of bounds.

    ``depth`` is how deep the value may be nested.
    """
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, int | float):
        return abs(value) < LARGEST_NUMBER
    if depth == 0:
        return False
    if isinstance(value, Mapping):
        return all(
            isinstance(key, str) and storable(key) and storable_json(value[key], depth - 1)
            for key in value
        )
    if isinstance(value, list | tuple):
        return all(storable_json(each, depth - 1) for each in value)
    return value is None


def clean_member_name(field: str, name: str) -> str:
    """Return a member's name on one line, at most 80 characters. May be empty.

    Raises InvalidInput ("too-long").
    """
    return clean_text(field, " ".join(name.split()), most=80)
