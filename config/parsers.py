"""Reading what clients send."""

from collections.abc import Mapping
from math import isfinite
from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class StorableJSON(JSONParser):
    """JSON that a database can keep: not nested without end, no NUL, no halves of characters, no numbers without end.

    Else ParseError.
    """

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        try:
            data = super().parse(stream, media_type, parser_context)
            storable = is_storable(data)
        except RecursionError as error:
            raise ParseError("This JSON is nested too deeply.") from error
        if not storable:
            raise ParseError("This JSON holds a NUL, half a character or a number without end: no database keeps that.")
        return data


def is_storable(value: Any) -> bool:
    """Can every text in this value, however deep, be written as UTF-8 without a NUL, and every number in figures?"""
    match value:
        case str():
            return "\0" not in value and not any("\ud800" <= letter <= "\udfff" for letter in value)
        case float():
            return isfinite(value)
        case dict():
            return all(is_storable(name) and is_storable(inner) for name, inner in value.items())
        case list():
            return all(map(is_storable, value))
    return True
