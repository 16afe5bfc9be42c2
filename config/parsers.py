"""Reading what clients send."""

from collections.abc import Mapping
from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class StorableJSON(JSONParser):
    """JSON that a database can keep: not nested without end, no NUL, no halves of characters. Else ParseError."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        try:
            data = super().parse(stream, media_type, parser_context)
            storable = is_storable(data)
        except RecursionError as error:
            raise ParseError("This JSON is nested too deeply.") from error
        if not storable:
            raise ParseError("This JSON holds a NUL or half a character, which no text can hold.")
        return data


def is_storable(value: Any) -> bool:
    """Can every text in this value, however deep, be written as UTF-8 without a NUL?"""
    if isinstance(value, str):
        return "\0" not in value and not any("\ud800" <= letter <= "\udfff" for letter in value)
    if isinstance(value, dict):
        return all(is_storable(name) and is_storable(inner) for name, inner in value.items())
    return not isinstance(value, list) or all(is_storable(inner) for inner in value)
