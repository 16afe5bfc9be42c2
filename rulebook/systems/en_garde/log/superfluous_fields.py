"""What an event of the log holds too much of once an earlier one was corrected: dice, or a reason to overrule a rule.

It was good when it was logged, and it does no harm: it is set aside and told, and the event stands without it.
"""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from rulebook.ruleset import Problem
from rulebook.systems.en_garde.play.events import Event

TOO_MUCH = frozenset({"wrong-dice", "nothing-to-overrule"})
MOST_FIELDS = 8


def without_superfluous_fields(
    event: Event, wrong: Callable[[Event], tuple[Problem, ...]]
) -> tuple[Event, tuple[str, ...]]:
    """The event as it stands, and the fields that are set aside for that.

    Where anything else is wrong with it, it is left as it is: the same problems will be found.
    """
    trimmed, aside = event, list[str]()
    for _ in range(MOST_FIELDS):
        problems = wrong(trimmed)
        if not problems:
            return trimmed, tuple(aside)
        fields = tuple(_superfluous(trimmed, problems))
        if len(fields) < len(problems):
            return event, ()
        aside += fields
        trimmed = replace(trimmed, **{field: _nothing(getattr(trimmed, field)) for field in fields})
    return event, ()


def _superfluous(event: Event, problems: tuple[Problem, ...]) -> Iterator[str]:
    for problem in problems:
        if problem.code in TOO_MUCH and getattr(event, problem.field, None):
            yield problem.field


def _nothing(value: Any) -> Any:
    """What a field holds when nothing is given for it."""
    return type(value)() if isinstance(value, str | tuple | dict) else None
