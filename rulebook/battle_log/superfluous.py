"""What an event of the log holds too much of once an earlier one was corrected: dice, or a reason to overrule a rule.

It was good when it was logged, and it does no harm: it is set aside and told, and the event stands without it.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from rulebook.battle_log.kinds import EventKind
from rulebook.values.problems import Problem

SUPERFLUOUS = frozenset({"wrong-dice", "nothing-to-overrule"})
"""Codes of problems that are mended by leaving a field out."""
MOST_FIELDS = 8


def without_superfluous(
    event: EventKind[Any], problems_of: Callable[[EventKind[Any]], tuple[Problem, ...]]
) -> tuple[EventKind[Any], tuple[str, ...]]:
    """The event as it stands, and the fields that are set aside for that.

    Where anything else is wrong with it, it is left as it is: the same problems will be found.
    """
    trimmed, set_aside = event, list[str]()
    for _ in range(MOST_FIELDS):
        problems = problems_of(trimmed)
        if not problems:
            return trimmed, tuple(set_aside)
        fields = tuple(
            each.field for each in problems if each.code in SUPERFLUOUS and getattr(trimmed, each.field, None)
        )
        if len(fields) < len(problems):
            return event, ()
        set_aside += fields
        trimmed = replace(trimmed, **{field: _nothing(getattr(trimmed, field)) for field in fields})
    return event, ()


def _nothing(value: Any) -> Any:
    """What a field holds when nothing is given for it."""
    return type(value)() if isinstance(value, str | tuple | dict) else None
