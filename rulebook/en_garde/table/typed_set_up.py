"""A set-up of which the table has rolled or agreed a part itself."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from rulebook.en_garde.table.setting_up import SetUp, figures
from rulebook.ruleset import Problem, RulesError

KEPT = frozenset({"wounds", "secrets_drawn"})
"""What a set-up brings along that is neither rolled nor typed for the table."""


def with_typed(rolled: Mapping[str, Any], typed: Mapping[str, Any]) -> dict[str, Any]:
    """A set-up with what was rolled or agreed at the table in place of Muster's.

    Raises RulesError naming each field that there is not, and each value that it cannot have.
    """
    problems = [problem for field, value in typed.items() for problem in _typed_problems(rolled, field, value)]
    if problems:
        raise RulesError(*problems)
    whole = {**rolled, **typed, **_terrain_counted(typed)}
    try:
        msgspec.convert(whole, SetUp)
    except msgspec.ValidationError as error:
        raise RulesError(Problem("wrong-set-up", f"The set-up cannot be read: {error}.", field="set_up")) from error
    return whole


def _terrain_counted(typed: Mapping[str, Any]) -> dict[str, Any]:
    """Pieces of terrain with their total, where only large and small ones were counted."""
    told = typed.get("terrain")
    if not isinstance(told, Mapping) or "total" in told:
        return {}
    numbers = {size: told.get(size, 0) for size in ("large", "small")}
    known = all(isinstance(number, int) for number in numbers.values())
    return {"terrain": {**told, **numbers, "total": sum(numbers.values())}} if known else {}


def _typed_problems(rolled: Mapping[str, Any], field: str, value: Any) -> Iterator[Problem]:
    if field in KEPT:
        return
    if field not in rolled or field == "rolls":
        known = ", ".join(sorted(set(rolled) - {"rolls"}))
        yield Problem("unknown-set-up", f"A set-up has no {field!r}. It has: {known}.", field=field, value=str(value))
    choices = {"weather": ("fair", "weather"), "hour": ("day", "hour")}.get(field)
    if choices is None:
        return
    usual, table = choices
    keys = [usual, *(row.key for row in getattr(figures(), table))]
    if value not in keys:
        yield Problem("wrong-set-up", f"{field!r} is one of {', '.join(keys)}.", field=field, value=str(value))
