"""Texts of which the API's schema says what they can be."""

from collections.abc import Iterable

from msgspec import Meta

NAME, BLANK = "x-enum-name", "x-enum-blank"
DAY_OR_EMPTY = Meta(extra_json_schema={"pattern": r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$"})
"""A day as in ISO 8601, or nothing."""


def closed(name: str, values: Iterable[str], *, blank: bool = False) -> Meta:
    """Describe a text that is always one of these values: `state: Annotated[str,
    closed("BattleState", BattleState)]`.

    Args:
        name: Of the component in the schema; several fields may share it.
        values: All that it can be.
        blank: It can be empty as well.
    """
    return Meta(
        extra_json_schema={"enum": [str(value) for value in values], NAME: name, BLANK: blank}
    )
