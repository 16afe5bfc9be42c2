"""Overruling: the table sets a rule aside with a reason, which is stored.

A reason or dice that nobody needs any more once an earlier event was corrected are set aside and
reported.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from rulebook.battle_log.kinds import MIN_REASON, EventKind
from rulebook.values.problems import Obligation, Problem, Violation

SUPERFLUOUS = frozenset({"wrong-dice", "nothing-to-overrule"})
"""Codes of problems that are fixed by leaving a field out."""
MAX_FIELDS = 8
STILL_OPEN = "still-open"
"""The code of a turn, or an end of the battle, that comes while something is still owed."""
MAX_NAMED = 4
"""The number of obligations that a sentence names."""


def reason_given(event: EventKind[Any]) -> str:
    """Return the reason that overrules a rule, "" without one or for a kind that cannot be
    overruled."""
    reason: str = getattr(event, "overruled", "")
    return reason


def is_overruled(event: EventKind[Any]) -> bool:
    """Return whether the reason is long enough to overrule a rule."""
    given = reason_given(event)
    return bool(given) and len(given.strip()) >= MIN_REASON


def as_problem(violation: Violation, given: str = "") -> Problem:
    """Return a violation as a problem, with the way out.

    The way out is a reason to overrule it, longer than the one that was ``given``.
    """
    short = f" of at least {MIN_REASON} letters" if given else ""
    sentence = (
        f"{violation.sentence} Correct the entry, or override the rule and give a reason{short}."
    )
    return Problem(violation.code, sentence, field="overruled", value=given, source=violation.rule)


def still_open(owed: Sequence[Obligation], rules: Sequence[str]) -> Violation:
    """Return the one violation of everything that is ``owed``, with the ``rules`` behind it."""
    labels = [each.label for each in owed[:MAX_NAMED]]
    rest = len(owed) - len(labels)
    if rest:
        labels.append(f"{rest} more")
    rule = "; ".join(dict.fromkeys(each for each in rules if each))
    return Violation(STILL_OPEN, f"Still to do first: {'; '.join(labels)}.", rule)


def nothing_to_overrule(event: EventKind[Any]) -> Iterator[Problem]:
    """Yield the problem of a reason that nobody needs."""
    given = reason_given(event)
    if given:
        sentence = "There is no rule to override here. Leave 'overruled' out."
        yield Problem("nothing-to-overrule", sentence, field="overruled", value=given)


def without_superfluous(
    event: EventKind[Any], problems_of: Callable[[EventKind[Any]], tuple[Problem, ...]]
) -> tuple[EventKind[Any], tuple[str, ...]]:
    """Return the event as it stands, and the fields that are set aside for that.

    Where anything else is wrong with it, it is left as it is: the same problems will be found.
    """
    trimmed, set_aside = event, list[str]()
    for _ in range(MAX_FIELDS):
        problems = problems_of(trimmed)
        if not problems:
            return trimmed, tuple(set_aside)
        fields = tuple(
            each.field
            for each in problems
            if each.code in SUPERFLUOUS and getattr(trimmed, each.field, None)
        )
        if len(fields) < len(problems):
            return event, ()
        set_aside += fields
        given = {field: getattr(trimmed, field) for field in fields}
        nothing = {
            key: type(was)() if isinstance(was, str | tuple | dict) else None
            for key, was in given.items()
        }
        trimmed = replace(trimmed, **nothing)
    return event, ()
