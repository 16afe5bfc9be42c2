"""Annotations for texts whose possible values are part of the API's schema."""

from collections.abc import Iterable

from msgspec import Meta

NAME, BLANK = "x-enum-name", "x-enum-blank"
DAY_OR_EMPTY = Meta(extra_json_schema={"pattern": r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$"})
"""An ISO 8601 date, or an empty text."""


def closed(name: str, values: Iterable[str], *, blank: bool = False) -> Meta:
    """Describe a text with a closed set of values.

    Example: `state: Annotated[str, closed("BattleState", BattleState)]`.

    Args:
        name: The name of the component in the schema; several fields may share it.
        values: All possible values.
        blank: Whether the text can be empty too.
    """
    return Meta(
        extra_json_schema={"enum": [str(value) for value in values], NAME: name, BLANK: blank}
    )
